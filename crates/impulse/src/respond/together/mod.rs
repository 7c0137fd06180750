//! Several points struck at the same instant (Liu, Zhao and Brogliato): the points share the impact as springs of equal stiffness
//! do at frozen geometry, with Coulomb friction at each. [`resolve_together`] is the entry point.
//!
//! The force of point i is its compression `d`, up to a stiffness that drops out. The compression grows by `-u.n` while the point
//! approaches and shrinks by `(u.n) / e^2` while it recedes, so a spring returns `e^2` of the work it took. The point is out when
//! its compression is gone and in again when it approaches. For a single point this is Stronge's law.

mod input;
mod outcome;
mod linear;
mod reduced;
mod single;
mod alike;
mod rosenbrock;
mod crossing;
mod taylor;
mod phases;
mod plastic;
mod finish;

pub use input::{StruckBody, StruckPoint};
pub use outcome::StruckOutcome;

use super::error::ImpactError;
use finish::Finish;
use phases::Springs;
use reduced::Reduced;

/// Working storage of [`resolve_together`], used again from impact to impact: once it has grown, nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct StruckScratch {
    reduced: Reduced,
    springs: Springs,
    finish: Finish,
    push: Vec<f64>,
    outcome: StruckOutcome,
}

/// Resolves an impact at several points at once. No energy is gained, and no point is left approaching. The velocities are
/// unique; where more points stick than are needed, the tangential impulses are one of many ways to share friction. A single
/// point is left to [`resolve`](super::resolve).
///
/// ```
/// use impulse::respond::{StruckBody, StruckPoint, StruckScratch, resolve_together};
/// use impulse::{DMat3, DVec3};
///
/// // A box falls flat on the floor: it leaves without spin.
/// let velocity = DVec3::new(0.0, 0.0, -1.0);
/// let box_ = StruckBody { mass: 1.0, inertia: DMat3::from_diagonal(DVec3::splat(2e-3)), velocity, spin: DVec3::ZERO };
/// let corner = |x: f64, y: f64| StruckPoint {
///     bodies: [Some(0), None],
///     arms: [DVec3::new(x, y, -0.05), DVec3::ZERO],
///     surface_velocity: DVec3::ZERO,
///     normal: DVec3::Z,
///     friction: 0.3,
///     restitution: 0.5,
/// };
/// let corners = [corner(0.05, 0.05), corner(-0.05, 0.05), corner(-0.05, -0.05), corner(0.05, -0.05)];
/// let mut scratch = StruckScratch::default();
/// let outcome = resolve_together(&mut scratch, &[box_], &corners)?;
/// let (velocity, spin) = outcome.velocities[0];
/// assert!((velocity.z - 0.5).abs() < 1e-15 && spin.length() < 1e-15);
/// # Ok::<(), impulse::respond::ImpactError>(())
/// ```
pub fn resolve_together<'a>(
    scratch: &'a mut StruckScratch,
    bodies: &[StruckBody],
    points: &[StruckPoint],
) -> Result<&'a StruckOutcome, ImpactError> {
    input::check(bodies, points)?;
    let StruckScratch { outcome, .. } = scratch;
    outcome.velocities.clear();
    outcome.velocities.extend(bodies.iter().map(|body| (body.velocity, body.spin)));
    outcome.impulses.clear();
    outcome.point_losses.clear();
    if let [point] = points {
        (outcome.complete, outcome.steps) = (true, 0);
        single::resolve_one(bodies, point, outcome)?;
    } else {
        scratch.resolve_many(bodies, points)?;
    }
    Ok(&scratch.outcome)
}

impl StruckScratch {
    fn resolve_many(&mut self, bodies: &[StruckBody], points: &[StruckPoint]) -> Result<(), ImpactError> {
        let Self { reduced, springs, finish, push, outcome } = self;
        reduced.set(bodies, points, &outcome.velocities)?;
        if let Some(impulse) = alike::common_impulse(reduced, push) {
            finish.set_equal(reduced, impulse);
            (outcome.complete, outcome.steps) = (true, 0);
        } else {
            outcome.complete = springs.follow(reduced);
            outcome.steps = springs.steps;
            finish.set_integrated(reduced, springs.state.impulses(), springs.state.bodies(), &springs.lost);
            finish.keep_energy(reduced);
        }
        finish.stop_approach(reduced);
        // Springs that jam may leave impulses that pull: there is no such impact.
        outcome.complete &= !finish.pulls();
        if !outcome.complete {
            finish.set_equal(reduced, 0.0);
            finish.stop_plastically(reduced);
        }
        self.tell(bodies, points);
        Ok(())
    }

    /// Back to the units of the input.
    fn tell(&mut self, bodies: &[StruckBody], points: &[StruckPoint]) {
        let Self { reduced, finish, outcome, .. } = self;
        let unit = reduced.mass * reduced.speed;
        let in_world = |(contact, p): (&reduced::Contact, &[f64])| contact.in_world([p[0], p[1], p[2]]) * unit;
        outcome.impulses.extend(reduced.contacts.iter().zip(finish.impulses.chunks_exact(3)).map(in_world));
        for (i, velocity) in outcome.velocities.iter_mut().enumerate() {
            let (linear, angular) = reduced.body_change(i, &finish.bodies);
            *velocity = (velocity.0 + linear, velocity.1 + angular);
        }
        // From the velocities: where points are wedged, large impulses cancel.
        let kinetic: f64 = bodies.iter().zip(&outcome.velocities).map(|(body, after)| body.energy_lost(*after)).sum();
        let driven: f64 = points.iter().zip(&outcome.impulses).map(|(point, &p)| point.surface_work(p)).sum();
        outcome.energy_lost = kinetic + driven;
        outcome.point_losses.extend(finish.lost.iter().map(|lost| lost * unit * reduced.speed));
        let (sum, size) = outcome.point_losses.iter().fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
        // The shares are less exact than the whole.
        let share = if size > 0.0 { (outcome.energy_lost - sum) / size } else { 0.0 };
        outcome.point_losses.iter_mut().for_each(|loss| *loss += share * loss.abs());
    }
}
