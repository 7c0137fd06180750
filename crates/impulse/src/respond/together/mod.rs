//! Several points struck at the same instant (Liu, Zhao and Brogliato): the points share the impact as springs of equal stiffness
//! do at frozen geometry, with Coulomb friction at each. [`resolve_together`] is the entry point.
//!
//! The force of point i is its compression `d`, up to a stiffness that drops out. The compression grows by `-u.n` while the point
//! approaches and shrinks by `(u.n) / e^2` while it recedes, so a spring returns `e^2` of the work it took. The point is out when
//! its compression is gone and in again when it approaches. For a single point this is Stronge's law.

mod input;
mod equations;
mod linear;
mod rosenbrock;
mod phases;
mod plastic;

pub use input::{StruckBody, StruckPoint};

use super::error::ImpactError;
use equations::Equations;
use glam::DVec3;
use phases::Springs;
use serde::{Deserialize, Serialize};

/// The outcome of an impact at several points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StruckOutcome {
    /// Linear and angular velocity of every body after the impact, m/s and rad/s, world axes.
    pub velocities: Vec<(DVec3, DVec3)>,
    /// Impulse on body `a` of every point, N s, world axes; body `b` receives its negative.
    pub impulses: Vec<DVec3>,
    /// Kinetic energy lost, J.
    pub energy_lost: f64,
    /// Whether the impact was followed to its natural end. Otherwise it took too many steps, as jammed points may, and what was
    /// left of it is plastic: no energy is gained, but restitution is not what was asked.
    pub complete: bool,
}

/// Resolves an impact at several points at once. No energy is gained, and no point is left approaching. The velocities are
/// unique; where more points stick than are needed, the tangential impulses are one of many ways to share friction.
///
/// ```
/// use impulse::respond::{StruckBody, StruckPoint, resolve_together};
/// use impulse::{DMat3, DVec3};
///
/// // A box falls flat on the floor: it leaves without spin.
/// let velocity = DVec3::new(0.0, 0.0, -1.0);
/// let box_ = StruckBody { mass: 1.0, inertia: DMat3::from_diagonal(DVec3::splat(2e-3)), velocity, spin: DVec3::ZERO };
/// let corner = |x: f64, y: f64| StruckPoint {
///     bodies: [Some(0), None],
///     arms: [DVec3::new(x, y, -0.05), DVec3::ZERO],
///     drift: DVec3::ZERO,
///     normal: DVec3::Z,
///     friction: 0.3,
///     restitution: 0.5,
/// };
/// let corners = [corner(0.05, 0.05), corner(-0.05, 0.05), corner(-0.05, -0.05), corner(0.05, -0.05)];
/// let outcome = resolve_together(&[box_], &corners)?;
/// let (velocity, spin) = outcome.velocities[0];
/// assert!((velocity.z - 0.5).abs() < 1e-8 && spin.length() < 1e-10);
/// # Ok::<(), impulse::respond::ImpactError>(())
/// ```
pub fn resolve_together(bodies: &[StruckBody], points: &[StruckPoint]) -> Result<StruckOutcome, ImpactError> {
    input::check(bodies, points)?;
    let equations = Equations::new(bodies, points)?;
    let (mut impulses, complete) = Springs::new(&equations).follow();
    equations.take_back_gain(&mut impulses);
    plastic::stop_approach(&equations, &mut impulses);
    let impulses = equations.in_world(&impulses);
    let mut velocities: Vec<_> = bodies.iter().map(|body| (body.velocity, body.spin)).collect();
    for (point, &impulse) in points.iter().zip(&impulses) {
        for (index, arm, sign) in equations::sides(point) {
            velocities[index].0 += impulse * (sign / bodies[index].mass);
            velocities[index].1 += bodies[index].inertia.inverse() * arm.cross(impulse) * sign;
        }
    }
    // From the velocities: where points are wedged, large impulses cancel.
    let energy_lost = bodies.iter().zip(&velocities).map(|(body, &after)| energy_lost(body, after)).sum();
    Ok(StruckOutcome { velocities, impulses, energy_lost, complete })
}

fn energy_lost(body: &StruckBody, (velocity, spin): (DVec3, DVec3)) -> f64 {
    let linear = body.mass * (body.velocity - velocity).dot(body.velocity + velocity);
    let angular = (body.spin - spin).dot(body.inertia * (body.spin + spin));
    0.5 * (linear + angular)
}
