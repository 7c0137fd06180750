//! The joint contact problem: movable bodies, and the points at which they touch each other and the rest of the world.

use crate::respond::point_response;
use glam::{DMat3, DVec3};

/// A body that impulses move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// Angular velocity, world axes, rad/s.
    pub angular_velocity: DVec3,
    mass: f64,
    inertia: DMat3,
    /// What follows from mass and inertia, for impulses on this body alone.
    pub(super) inverse_mass: f64,
    pub(super) inverse_inertia: DMat3,
}

impl Mover {
    /// A body of the given mass (kg) and inertia tensor (world axes, kg m^2), at rest.
    #[must_use]
    pub fn new(mass: f64, inertia: DMat3) -> Self {
        Self {
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            mass,
            inertia,
            inverse_mass: 1.0 / mass,
            inverse_inertia: inertia.inverse(),
        }
    }

    /// With other velocities: of the centre of mass (m/s), and angular (world axes, rad/s).
    #[must_use]
    pub fn moving(self, velocity: DVec3, angular_velocity: DVec3) -> Self {
        Self { velocity, angular_velocity, ..self }
    }

    /// Mass, kg.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Inertia tensor about the centre of mass, world axes, kg m^2.
    #[must_use]
    pub fn inertia(&self) -> DMat3 {
        self.inertia
    }
}

/// The number of a body among the movers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoverIndex(pub u32);

impl MoverIndex {
    /// As an index of a slice of movers.
    #[must_use]
    pub fn get(self) -> usize {
        self.0 as usize
    }
}

/// A point at which two bodies may push each other. The contact frame's z-axis is the normal, from the second body to the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// The first and the second body among the movers; `None` for one that impulses do not move.
    pub movers: [Option<MoverIndex>; 2],
    /// From the centres of mass to the point, world axes, m.
    pub arms: [DVec3; 2],
    /// World axes from contact axes: the columns are two tangents and the normal.
    pub frame: DMat3,
    /// What immovable bodies contribute to the velocity of the first relative to the second, world axes, m/s.
    pub drift: DVec3,
    /// Relative velocity wanted after the impulses, contact axes, m/s: at least this along the normal, and exactly this across
    /// it unless the contact slips.
    pub target: DVec3,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Impulse on the first body, contact axes, N s: a guess before the solve, the answer after it.
    pub impulse: DVec3,
    /// Collision matrix of the point alone, contact axes, 1/kg; see [`ContactPoint::prepare`].
    pub matrix: DMat3,
}

impl ContactPoint {
    /// Fills in the collision matrix (3.4).
    pub fn prepare(&mut self, movers: &[Mover]) {
        let mut k = DMat3::ZERO;
        for side in 0..2 {
            if let Some(i) = self.movers[side] {
                let mover = &movers[i.get()];
                k += point_response(mover.inverse_mass, &mover.inverse_inertia, [self.arms[side]; 2]);
            }
        }
        self.matrix = self.frame.transpose() * k * self.frame;
    }

    /// Velocity of the first body relative to the second at the point, contact axes, m/s.
    pub fn velocity(&self, movers: &[Mover]) -> DVec3 {
        let mut u = self.drift;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(i) = self.movers[side] {
                let mover = &movers[i.get()];
                u += sign * (mover.velocity + mover.angular_velocity.cross(self.arms[side]));
            }
        }
        self.frame.transpose() * u
    }

    /// Applies an impulse to the first body and its opposite to the second, contact axes, N s.
    pub fn apply(&self, movers: &mut [Mover], impulse: DVec3) {
        let p = self.frame * impulse;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(i) = self.movers[side] {
                let mover = &mut movers[i.get()];
                let p = sign * p;
                mover.velocity += mover.inverse_mass * p;
                mover.angular_velocity += mover.inverse_inertia * self.arms[side].cross(p);
            }
        }
    }
}

/// The larger error; infinite where the second is no number.
pub(super) fn worse(first: f64, second: f64) -> f64 {
    if second <= first {
        first
    } else if second.is_nan() {
        f64::INFINITY
    } else {
        second
    }
}
