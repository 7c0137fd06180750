//! Rolling and spinning resistance (optional laws of lasting contact, beside sections 3.5 and 8.1): couples against rotation.
//!
//! Two bodies that press each other with the normal impulse `P` resist turning on each other: across the normal by an angular
//! impulse of at most `rolling P`, along it by at most `spinning P`. Within these bounds they do not turn; beyond them the
//! couple has its largest value and opposes the rotation. For a given `P` that is a projection onto a fixed convex set, as
//! Coulomb's law is onto its cone.

use super::cone::Projected;
use super::problem::{ContactPoint, Mover, MoverIndex};
use super::sparse::BlockMatrix;
use crate::math::outer;
use glam::{DMat3, DVec3};

/// Steps towards the solution of one couple.
const COUPLE_STEPS: usize = 3;

/// Stiffness of a couple in Newton's method relative to its natural stiffness. Couples are weak: stiff ones would give the
/// function many kinks.
const COUPLE_STIFFNESS: f64 = 1e1;

/// A resistance against the rotation of two bodies on each other, at points that share a normal. The contact frame's z-axis is
/// the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance {
    /// The first and the second body among the movers; `None` for one that impulses do not move.
    pub movers: [Option<MoverIndex>; 2],
    /// Index of the first point, and number of the points, whose normal impulses press the bodies together.
    pub points: [usize; 2],
    /// World axes from contact axes.
    pub frame: DMat3,
    /// What immovable bodies contribute to the angular velocity of the first relative to the second, world axes, rad/s.
    pub drift: DVec3,
    /// Relative angular velocity wanted after the impulses, contact axes, rad/s.
    pub target: DVec3,
    /// Largest moment across the normal divided by the normal force, m.
    pub rolling: f64,
    /// Largest moment along the normal divided by the normal force, m.
    pub spinning: f64,
    /// Angular impulse on the first body, contact axes, N m s: a guess before the solve, the answer after it.
    pub impulse: DVec3,
    /// Change of the relative angular velocity by a unit angular impulse, contact axes, 1/(kg m^2); see
    /// [`Resistance::prepare`].
    pub matrix: DMat3,
    /// Sum of the movers' inverse masses, 1/kg.
    pub inverse_mass: f64,
}

/// Largest angular impulses, N m s.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limits {
    rolling: f64,
    spinning: f64,
}

impl Resistance {
    /// Fills in the matrix and the inverse mass.
    pub fn prepare(&mut self, movers: &[Mover]) {
        let both = self.movers.iter().flatten().map(|i| &movers[i.get()]);
        let inverse_inertia = both.clone().fold(DMat3::ZERO, |sum, mover| sum + mover.inverse_inertia);
        self.inverse_mass = both.map(|mover| mover.inverse_mass).sum();
        self.matrix = self.frame.transpose() * inverse_inertia * self.frame;
    }

    /// Angular velocity of the first body relative to the second, contact axes, rad/s.
    pub fn velocity(&self, movers: &[Mover]) -> DVec3 {
        let turning = |side: usize| self.movers[side].map_or(DVec3::ZERO, |i| movers[i.get()].angular_velocity);
        self.frame.transpose() * (self.drift + turning(0) - turning(1))
    }

    /// Applies an angular impulse to the first body and its opposite to the second, contact axes, N m s.
    pub fn apply(&self, movers: &mut [Mover], impulse: DVec3) {
        let moment = self.frame * impulse;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(i) = self.movers[side] {
                let mover = &mut movers[i.get()];
                mover.angular_velocity += mover.inverse_inertia * (sign * moment);
            }
        }
    }

    /// Adds an angular impulse, world axes, on the first body and its opposite on the second to momenta.
    pub(super) fn turn(&self, to: &mut [f64], moment: DVec3) {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(i) = self.movers[side] {
                let row = 6 * i.get() + 3;
                to[row..row + 3].iter_mut().zip((sign * moment).to_array()).for_each(|(to, m)| *to += m);
            }
        }
    }

    /// How far the couple is from the law, m/s at the lever.
    pub(super) fn error(&self, movers: &[Mover], points: &[ContactPoint]) -> f64 {
        let stiffness = self.stiffness();
        let missing = self.target - self.velocity(movers);
        let wanted = project(self.impulse + stiffness * missing, self.limits(self.resisted(points))).impulse;
        (wanted - self.impulse).abs().max_element() / stiffness * self.lever()
    }

    /// Finds the couple needed, given everything else.
    pub(super) fn sweep(&mut self, movers: &mut [Mover], points: &[ContactPoint]) {
        let limits = self.limits(self.resisted(points));
        let before = self.impulse;
        let missing = self.target - self.velocity(movers);
        let holding = before + self.matrix.inverse() * missing;
        if holding.is_finite() && project(holding, limits).impulse == holding {
            self.impulse = holding;
        } else {
            // As stiff as the axis of least inertia allows: such steps converge.
            let norm = |v: DVec3| v.abs().element_sum();
            let stiffness = 1.0 / norm(self.matrix.x_axis).max(norm(self.matrix.y_axis)).max(norm(self.matrix.z_axis));
            for _ in 0..COUPLE_STEPS {
                let left = missing - self.matrix * (self.impulse - before);
                self.impulse = project(self.impulse + stiffness * left, limits).impulse;
            }
        }
        self.apply(movers, self.impulse - before);
    }

    /// Distance (m) at which rotation counts as much as translation: the radius of gyration.
    fn lever(&self) -> f64 {
        (self.inverse_mass * self.stiffness()).sqrt()
    }

    /// The couple nearest to a given one that the press allows.
    pub(super) fn bounded(&self, impulse: DVec3, points: &[ContactPoint]) -> DVec3 {
        project(impulse, self.limits(self.resisted(points))).impulse
    }

    /// Stiffness (kg m^2) that matches the inertia.
    pub(super) fn stiffness(&self) -> f64 {
        3.0 / (self.matrix.x_axis.x + self.matrix.y_axis.y + self.matrix.z_axis.z)
    }

    /// The largest change of velocity that it can resist with the normal impulses of its points, m/s at the lever.
    pub(super) fn resisted(&self, points: &[ContactPoint]) -> f64 {
        let [first, count] = self.points;
        let press: f64 = points[first..first + count].iter().map(|point| point.impulse.z).sum();
        press * self.rolling.max(self.spinning) / self.stiffness() * self.lever()
    }

    fn limits(&self, resisted: f64) -> Limits {
        let largest = resisted.max(0.0) * self.stiffness() / self.lever();
        let share = largest / self.rolling.max(self.spinning).max(f64::MIN_POSITIVE);
        Limits { rolling: self.rolling * share, spinning: self.spinning * share }
    }
}

/// A couple in one round of Newton's method: the projection of `offset - stiffness w`, with limits of the last round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Couple {
    resistance: Resistance,
    limits: Limits,
    offset: DVec3,
    stiffness: f64,
}

impl Couple {
    /// From the impulse found so far and what the resistance can resist, m/s.
    pub(super) fn new(resistance: &Resistance, resisted: f64) -> Self {
        let stiffness = COUPLE_STIFFNESS * resistance.stiffness();
        let offset = resistance.impulse + stiffness * resistance.target;
        Self { resistance: *resistance, limits: resistance.limits(resisted), offset, stiffness }
    }

    /// Adds its contribution to the second derivative of Newton's function.
    pub(super) fn stiffen(&self, matrix: &mut BlockMatrix, velocities: &[f64]) {
        let slope = self.projected(velocities).slope;
        if slope != DMat3::ZERO {
            let frame = self.resistance.frame;
            matrix.add_couple(self.resistance.movers, &(frame * slope * frame.transpose() * self.stiffness));
        }
    }

    /// Subtracts its impulse from the gradient.
    pub(super) fn pull(&self, velocities: &[f64], gradient: &mut [f64]) {
        let moment = self.resistance.frame * self.impulse(velocities);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if let Some(i) = self.resistance.movers[side] {
                let row = 6 * i.get() + 3;
                for (entry, m) in gradient[row..row + 3].iter_mut().zip((sign * moment).to_array()) {
                    *entry += m;
                }
            }
        }
    }

    /// Its angular impulse, contact axes, N m s.
    pub(super) fn impulse(&self, velocities: &[f64]) -> DVec3 {
        self.projected(velocities).impulse
    }

    fn projected(&self, velocities: &[f64]) -> Projected {
        let turning = |side: usize| {
            self.resistance.movers[side].map_or(DVec3::ZERO, |i| {
                let row = 6 * i.get() + 3;
                DVec3::from_slice(&velocities[row..row + 3])
            })
        };
        let w = self.resistance.frame.transpose() * (self.resistance.drift + turning(0) - turning(1));
        project(self.offset - self.stiffness * w, self.limits)
    }
}

/// Projects onto the disc across the normal and the interval along it.
fn project(y: DVec3, limits: Limits) -> Projected {
    let across = y.truncate().length();
    let (xy, turn, stretch) = if across <= limits.rolling {
        (y.truncate(), 1.0, 1.0)
    } else {
        let turn = limits.rolling / across;
        (y.truncate() * turn, turn, 0.0)
    };
    let z = y.z.clamp(-limits.spinning, limits.spinning);
    let e = if across > 0.0 { (y.truncate() / across).extend(0.0) } else { DVec3::X };
    let side = DVec3::new(-e.y, e.x, 0.0);
    let along = if z == y.z { 1.0 } else { 0.0 };
    let slope = outer(e, e) * stretch + outer(side, side) * turn + outer(DVec3::Z, DVec3::Z) * along;
    Projected { impulse: xy.extend(z), slope }
}
