//! The joint solve: from what was there last time to impulses that keep all points on target within their cones.

use super::interior::Interior;
use super::newton::Newton;
use super::problem::{ContactPoint, Mover};
use super::resist::Resistance;
use super::sweep::sweep;

/// Sweeps tried before Newton's method, and where the error is below this share of a hop's velocity.
const SWEEPS: u32 = 5;
const NEAR: f64 = 1e-6;

/// Bodies (more than this) for which a path from nowhere is shorter than one from the impulses of the last hop, where these are
/// wrong by more than this share of a hop's velocity; and the error with which it ends.
const MANY: usize = 8;
const FAR: f64 = 0.1;
const ROUGH: f64 = 6e-3;

/// Rounds of Newton's method at most.
const ROUNDS: u32 = 12;

/// Error of a point's velocity at which it is solved, relative to the velocity of a hop.
const TOLERANCE: f64 = 1e-9;

/// Error that will do, relative to the velocity of a hop, after a few rounds: the next hop begins where this one ended.
const TOLERABLE: f64 = 1e-4;

/// What a few rounds are: two, and more where there are less than this many bodies for each.
const FEW: u32 = 2;
const CHEAP: u32 = 36;

/// Part of the error at the beginning that will do likewise.
const SHARE: f64 = 0.02;

/// Rounding of velocities, relative to the fastest mover.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// How a solve went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Sweeps made.
    pub sweeps: u32,
    /// Rounds of Newton's method, and steps in all of them.
    pub rounds: u32,
    /// Steps.
    pub steps: u32,
    /// What is left, m/s.
    pub error: f64,
    /// Whether that is small enough.
    pub converged: bool,
}

/// Room for solving, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct JointSolver {
    newton: Newton,
    interior: Interior,
    before: Vec<Mover>,
}

impl JointSolver {
    /// Finds the impulses at all points and of all that resists rotation, beginning with those given, and the movers'
    /// velocities after them. `hop` is the velocity (m/s) that counts as small.
    pub fn solve(
        &mut self,
        movers: &mut [Mover],
        points: &mut [ContactPoint],
        resistances: &mut [Resistance],
        hop: f64,
    ) -> Solved {
        let fastest = movers.iter().map(|m| m.velocity.abs().max_element()).fold(0.0, f64::max);
        let enough = TOLERANCE * hop + ROUNDING * fastest;
        self.before.clear();
        self.before.extend_from_slice(movers);
        for point in points.iter_mut() {
            point.prepare(movers);
        }
        for resistance in resistances.iter_mut() {
            resistance.prepare(movers);
        }
        for point in points.iter() {
            point.apply(movers, point.impulse);
        }
        for resistance in resistances.iter() {
            resistance.apply(movers, resistance.impulse);
        }
        let mut solved = Solved { error: error(movers, points, resistances), ..Solved::default() };
        // Near the answer a few sweeps reach it sooner.
        while solved.error > enough && solved.error <= NEAR * hop && solved.sweeps < SWEEPS {
            sweep(movers, points);
            for resistance in resistances.iter_mut() {
                resistance.sweep(movers, points);
            }
            solved.sweeps += 1;
            solved.error = error(movers, points, resistances);
        }
        if movers.len() > MANY && solved.error > FAR * hop && resistances.is_empty() {
            movers.copy_from_slice(&self.before);
            solved.steps = self.interior.solve(movers, points, hop, ROUGH * hop);
            solved.error = error(movers, points, resistances);
            solved.converged = solved.error <= 2.0 * ROUGH * hop;
            return solved;
        }
        if solved.error > enough {
            self.newton.begin(&self.before, points);
        }
        // What moves is solved again and again: a small part of the error it began with is little beside what comes next.
        let few = (CHEAP / movers.len().max(1) as u32).clamp(FEW, ROUNDS);
        let tolerable = TOLERABLE * hop + enough;
        let will_do = tolerable.max(SHARE * solved.error.min(hop));
        while solved.error > enough && solved.rounds < ROUNDS && (solved.rounds < few || solved.error > will_do) {
            solved.steps += self.newton.round(movers, points, resistances, enough);
            solved.rounds += 1;
            let before = std::mem::replace(&mut solved.error, error(movers, points, resistances));
            if solved.error > before {
                self.newton.forget();
            }
        }
        solved.converged = solved.error <= tolerable;
        solved
    }
}

/// The largest error of all points and of all that resists rotation, m/s.
fn error(movers: &[Mover], points: &[ContactPoint], resistances: &[Resistance]) -> f64 {
    let worst = points.iter().map(|point| point.error(point.velocity(movers))).fold(0.0, f64::max);
    resistances.iter().map(|resistance| resistance.error(movers, points)).fold(worst, f64::max)
}
