//! The joint solve: from the impulses of the last hop to impulses within their cones that keep all points on target.

use super::interior::Interior;
use super::newton::Newton;
use super::problem::{ContactPoint, Mover};
use super::resist::Resistance;
use super::sweep::sweep;

/// Error, as a share of the hop velocity, below which sweeps are tried before Newton's method, and how many of them at most.
const SWEEP_BELOW: f64 = 1e-6;
const MAX_SWEEPS: u32 = 5;

/// The interior-point method starts from nowhere. It is the shorter way with more bodies than this, where the impulses of the
/// last hop are wrong by more than this share of the hop velocity; and the share at which it stops.
const INTERIOR_BODIES: usize = 8;
const INTERIOR_ABOVE: f64 = 0.1;
const INTERIOR_ERROR: f64 = 6e-3;

/// Most rounds of Newton's method.
const NEWTON_ROUNDS: u32 = 12;

/// Error of a point's velocity at which it is solved, as a share of the hop velocity.
const SOLVED_SHARE: f64 = 1e-9;

/// Error that is tolerable after a few rounds, as a share of the hop velocity: the next hop begins where this one ended.
const TOLERABLE_SHARE: f64 = 1e-4;

/// A few rounds are at least this many, and more for small islands: this many divided by the number of bodies.
const FEW_ROUNDS: u32 = 2;
const CHEAP_ROUNDS: u32 = 36;

/// Share of the first error that is tolerable as well after a few rounds.
const FIRST_ERROR_SHARE: f64 = 0.02;

/// Rounding of velocities, relative to the fastest mover.
const VELOCITY_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// How a solve went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct Solved {
    /// Gauss-Seidel sweeps.
    pub sweeps: u32,
    /// Rounds of Newton's method.
    pub rounds: u32,
    /// Steps of Newton's method in all its rounds, or of the interior-point method.
    pub steps: u32,
    /// The error that is left, m/s.
    pub error: f64,
    /// Whether the error is small enough.
    pub converged: bool,
}

/// Solves joint contact problems; its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct JointSolver {
    newton: Newton,
    interior: Interior,
    before: Vec<Mover>,
}

/// What is solved: the impulses of points and resistances, and the movers' velocities after them.
struct Problem<'a> {
    movers: &'a mut [Mover],
    points: &'a mut [ContactPoint],
    resistances: &'a mut [Resistance],
}

/// Errors that end a solve, m/s.
struct Tolerances {
    hop_velocity: f64,
    /// Nothing is left but rounding.
    solved: f64,
    /// Good enough after a few rounds.
    tolerable: f64,
}

impl JointSolver {
    /// Finds the impulses at all points and of all resistances, starting from those given, and the movers' velocities after
    /// them. `hop_velocity` is the velocity (m/s) that errors are compared with.
    pub fn solve(
        &mut self,
        movers: &mut [Mover],
        points: &mut [ContactPoint],
        resistances: &mut [Resistance],
        hop_velocity: f64,
    ) -> Solved {
        let mut problem = Problem { movers, points, resistances };
        let tolerances = Tolerances::new(problem.movers, hop_velocity);
        self.before.clear();
        self.before.extend_from_slice(problem.movers);
        problem.apply_first_guess();
        let mut solved = Solved { error: problem.error(), ..Solved::default() };
        // Near the answer a few sweeps reach it sooner.
        while solved.error > tolerances.solved
            && solved.error <= SWEEP_BELOW * hop_velocity
            && solved.sweeps < MAX_SWEEPS
        {
            problem.sweep();
            solved.sweeps += 1;
            solved.error = problem.error();
        }
        let is_large = problem.movers.len() > INTERIOR_BODIES && problem.resistances.is_empty();
        if is_large && solved.error > INTERIOR_ABOVE * hop_velocity {
            self.solve_through_the_inside(&mut problem, hop_velocity, &mut solved);
        } else {
            self.solve_by_newton(&mut problem, &tolerances, &mut solved);
        }
        solved
    }

    fn solve_through_the_inside(&mut self, problem: &mut Problem<'_>, hop_velocity: f64, solved: &mut Solved) {
        let enough = INTERIOR_ERROR * hop_velocity;
        problem.movers.copy_from_slice(&self.before);
        solved.steps = self.interior.solve(problem.movers, problem.points, hop_velocity, enough);
        solved.error = problem.error();
        solved.converged = solved.error <= 2.0 * INTERIOR_ERROR * hop_velocity;
    }

    fn solve_by_newton(&mut self, problem: &mut Problem<'_>, tolerances: &Tolerances, solved: &mut Solved) {
        let Tolerances { hop_velocity, solved: enough, tolerable } = *tolerances;
        if solved.error > enough {
            self.newton.begin(&self.before, problem.points);
        }
        // Islands in motion are solved again and again: a small share of the first error matters little beside what comes next.
        let few = (CHEAP_ROUNDS / problem.movers.len().max(1) as u32).clamp(FEW_ROUNDS, NEWTON_ROUNDS);
        let will_do = tolerable.max(FIRST_ERROR_SHARE * solved.error.min(hop_velocity));
        while solved.error > enough && solved.rounds < NEWTON_ROUNDS && (solved.rounds < few || solved.error > will_do)
        {
            solved.steps += self.newton.round(problem.movers, problem.points, problem.resistances, enough);
            solved.rounds += 1;
            let before = std::mem::replace(&mut solved.error, problem.error());
            if solved.error > before {
                self.newton.forget();
            }
        }
        solved.converged = solved.error <= tolerable;
    }
}

impl Tolerances {
    fn new(movers: &[Mover], hop_velocity: f64) -> Self {
        let fastest = movers.iter().map(|m| m.velocity.abs().max_element()).fold(0.0, f64::max);
        let solved = SOLVED_SHARE * hop_velocity + VELOCITY_ROUNDING * fastest;
        Self { hop_velocity, solved, tolerable: TOLERABLE_SHARE * hop_velocity + solved }
    }
}

impl Problem<'_> {
    /// Fills in all matrices and applies the impulses given.
    fn apply_first_guess(&mut self) {
        for point in self.points.iter_mut() {
            point.prepare(self.movers);
        }
        for resistance in self.resistances.iter_mut() {
            resistance.prepare(self.movers);
        }
        for point in self.points.iter() {
            point.apply(self.movers, point.impulse);
        }
        for resistance in self.resistances.iter() {
            resistance.apply(self.movers, resistance.impulse);
        }
    }

    /// One Gauss-Seidel sweep over all points and resistances.
    fn sweep(&mut self) {
        sweep(self.movers, self.points);
        for resistance in self.resistances.iter_mut() {
            resistance.sweep(self.movers, self.points);
        }
    }

    /// The largest error of all points and resistances, m/s.
    fn error(&self) -> f64 {
        let worst = self.points.iter().map(|point| point.error(point.velocity(self.movers))).fold(0.0, f64::max);
        self.resistances.iter().map(|resistance| resistance.error(self.movers, self.points)).fold(worst, f64::max)
    }
}
