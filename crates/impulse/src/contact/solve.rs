//! The joint solve: from what was there last time to impulses that keep all points on target within their cones.

use super::direct::{Direct, Hold};
use super::problem::{ContactPoint, Mover};
use super::sweep::{residual, sweep};
use glam::DVec3;

/// Rounds of dropping points that pull and letting points slide.
const ROUNDS: usize = 8;

/// Sweeps tried before a direct solve where the residual is below this share of a hop's velocity.
const FEW: u32 = 5;
const NEAR: f64 = 1e-6;

/// Sweeps at most.
const SWEEPS: u32 = 100;

/// Error of a point's velocity at which it is solved, relative to the velocity of a hop.
const TOLERANCE: f64 = 1e-10;

/// Rounding of velocities, relative to the fastest mover.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// How a solve went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Direct solves made.
    pub direct: u32,
    /// Sweeps made.
    pub sweeps: u32,
    /// What is left, m/s.
    pub residual: f64,
    /// Whether that is small enough.
    pub converged: bool,
}

/// Room for solving, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct JointSolver {
    direct: Direct,
    holds: Vec<Hold>,
}

impl JointSolver {
    /// Finds the impulses at all points, beginning with those given, and the movers' velocities after them. `hop` is the
    /// velocity (m/s) that counts as small.
    pub fn solve(&mut self, movers: &mut [Mover], points: &mut [ContactPoint], hop: f64) -> Solved {
        let fastest = movers.iter().map(|m| m.velocity.abs().max_element()).fold(0.0, f64::max);
        let enough = TOLERANCE * hop + ROUNDING * fastest;
        for point in points.iter_mut() {
            point.prepare(movers);
            point.apply(movers, point.impulse);
        }
        let mut solved = Solved { residual: residual(movers, points), ..Solved::default() };
        // Near the answer a few sweeps reach it sooner than a direct solve.
        let near = NEAR * hop;
        while solved.residual > enough && solved.residual <= near && solved.sweeps < FEW {
            solved.residual = sweep(movers, points);
            solved.sweeps += 1;
        }
        if solved.residual > enough {
            solved.direct = self.hold(movers, points, enough);
            solved.residual = residual(movers, points);
        }
        while solved.residual > enough && solved.sweeps < SWEEPS {
            solved.residual = sweep(movers, points);
            solved.sweeps += 1;
        }
        solved.converged = solved.residual <= enough;
        solved
    }

    /// Direct solves: first as if every point stuck, then without those that pull and with those that give way sliding.
    fn hold(&mut self, movers: &mut [Mover], points: &mut [ContactPoint], enough: f64) -> u32 {
        self.holds.clear();
        self.holds.extend(points.iter().map(|p| if p.friction > 0.0 { Hold::Stick } else { Hold::Normal }));
        self.direct.order(movers.len(), points);
        for round in 1..=ROUNDS as u32 {
            if !self.direct.meet(movers, points, &self.holds) || !self.review(movers, points, enough) {
                return round;
            }
        }
        ROUNDS as u32
    }

    /// Puts impulses outside their cones back into them; says whether anything changed.
    fn review(&mut self, movers: &mut [Mover], points: &mut [ContactPoint], enough: f64) -> bool {
        let mut changed = false;
        for (point, hold) in points.iter_mut().zip(&mut self.holds) {
            let (held, impulse) = reviewed(point, *hold, point.velocity(movers), enough);
            changed |= held != *hold && held != Hold::Free;
            *hold = held;
            let change = impulse - point.impulse;
            changed |= (point.matrix * change).abs().max_element() > enough;
            point.impulse = impulse;
            point.apply(movers, change);
        }
        changed
    }
}

/// How a point that was held goes on, and its impulse, given its velocity.
fn reviewed(point: &ContactPoint, hold: Hold, velocity: DVec3, enough: f64) -> (Hold, DVec3) {
    let p = point.impulse;
    if hold == Hold::Free {
        let needed = velocity.z < point.target.z - enough;
        return (if needed { Hold::Normal } else { Hold::Free }, p);
    }
    if p.z <= 0.0 {
        return (Hold::Free, DVec3::ZERO);
    }
    let limit = point.friction * p.z;
    if hold == Hold::Stick && p.truncate().length() <= limit {
        return (Hold::Stick, p);
    }
    // Friction works against what slides; where hardly anything does, against what it had to hold.
    let slip = (velocity - point.target).truncate();
    let lasting = slip.length() > 0.5 * limit * (point.matrix.x_axis.x + point.matrix.y_axis.y);
    let direction = if lasting { -slip.normalize_or_zero() } else { p.truncate().normalize_or_zero() };
    (Hold::Normal, (direction * limit).extend(p.z))
}
