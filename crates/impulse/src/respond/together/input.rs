//! The bodies and points of an impact at several points, and their validation.

use crate::respond::collision_matrix::ContactBody;
use crate::respond::error::ImpactError;
use crate::respond::resolve::check_coefficients;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// A movable body that is struck; all vectors are in world axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StruckBody {
    /// Mass, kg.
    pub mass: f64,
    /// Inertia tensor about the centre of mass, kg m^2.
    pub inertia: DMat3,
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// Angular velocity, rad/s.
    pub spin: DVec3,
}

impl StruckBody {
    /// Kinetic energy lost where the velocities become these, J.
    pub(super) fn energy_lost(&self, (velocity, spin): (DVec3, DVec3)) -> f64 {
        let linear = self.mass * (self.velocity - velocity).dot(self.velocity + velocity);
        let angular = (self.spin - spin).dot(self.inertia * (self.spin + spin));
        0.5 * (linear + angular)
    }
}

/// A point at which two bodies touch; all vectors are in world axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StruckPoint {
    /// Indices of the bodies a and b; `None` stands for one that no impulse moves.
    pub bodies: [Option<usize>; 2],
    /// From the centres of mass of a and b to the point, m; that of an immovable body does not matter.
    pub arms: [DVec3; 2],
    /// Velocity of the immovable body at the point, m/s: zero unless it is driven. Not used where both bodies are movable.
    pub surface_velocity: DVec3,
    /// Unit normal, from b to a.
    pub normal: DVec3,
    /// Coulomb's coefficient of friction, at least 0.
    pub friction: f64,
    /// Stronge's coefficient of restitution, within [0, 1].
    pub restitution: f64,
}

impl StruckPoint {
    /// The movable bodies: index, arm, and 1 or -1 for a and b.
    pub(super) fn sides(&self) -> impl Iterator<Item = (usize, DVec3, f64)> + use<> {
        let ([a, b], [to_a, to_b]) = (self.bodies, self.arms);
        [(a, to_a, 1.0), (b, to_b, -1.0)].into_iter().filter_map(|(body, arm, sign)| Some((body?, arm, sign)))
    }

    /// Velocity of a relative to b at the point, m/s, where the bodies have these velocities and angular velocities.
    pub(super) fn relative_velocity(&self, velocities: &[(DVec3, DVec3)]) -> DVec3 {
        let [a, b] = self.velocities(velocities);
        a - b
    }

    /// Velocities of a and b at the point, m/s, where the bodies have these velocities and angular velocities.
    pub(super) fn velocities(&self, velocities: &[(DVec3, DVec3)]) -> [DVec3; 2] {
        let at = |body: Option<usize>, arm: DVec3| {
            body.map_or(self.surface_velocity, |b| velocities[b].0 + velocities[b].1.cross(arm))
        };
        [0, 1].map(|side| at(self.bodies[side], self.arms[side]))
    }

    /// Work of a driven surface, given the impulse on body a, J.
    pub(super) fn surface_work(&self, impulse: DVec3) -> f64 {
        match self.bodies {
            [_, None] => impulse.dot(self.surface_velocity),
            [None, _] => -impulse.dot(self.surface_velocity),
            _ => 0.0,
        }
    }
}

/// Checks everything that does not need the velocities at the points.
pub(super) fn check(bodies: &[StruckBody], points: &[StruckPoint]) -> Result<(), ImpactError> {
    for body in bodies {
        ContactBody { mass: body.mass, inertia: body.inertia, arm: DVec3::ZERO }.check()?;
        if !(body.velocity.is_finite() && body.spin.is_finite()) {
            return Err(ImpactError::NotFinite { what: "velocity of a body" });
        }
    }
    points.iter().try_for_each(|point| check_point(bodies.len(), point))
}

fn check_point(bodies: usize, point: &StruckPoint) -> Result<(), ImpactError> {
    let StruckPoint { friction, restitution, normal, .. } = *point;
    if let Some(&body) = point.bodies.iter().flatten().find(|&&body| body >= bodies) {
        return Err(ImpactError::NoSuchBody { body });
    }
    if point.bodies[0] == point.bodies[1] {
        return Err(ImpactError::NormalOutsideRange);
    }
    if !point.arms.iter().all(|arm| arm.is_finite()) {
        return Err(ImpactError::NotFinite { what: "arm to the contact point" });
    }
    if !point.surface_velocity.is_finite() {
        return Err(ImpactError::NotFinite { what: "velocity of a surface" });
    }
    if !normal.is_finite() || (normal.length_squared() - 1.0).abs() > UNIT {
        return Err(ImpactError::Normal { length: normal.length() });
    }
    check_coefficients(friction, restitution)
}

/// Error of the squared length of a normal that counts as rounding.
const UNIT: f64 = 1e-6;
