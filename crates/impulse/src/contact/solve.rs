//! The joint solve: from the impulses of the last hop to impulses within their cones that keep all points on target.

use super::direct::{ASTRAY, Direct};
use super::interior::Interior;
use super::joint::{Joint, Kept};
use super::newton::Newton;
use super::problem::{ContactPoint, Mover};
use super::resist::Resistance;
use super::rough::Rough;
use super::ties::Ties;

/// Error, as a share of the hop velocity, below which sweeps are tried before rounds, and how many of them at most.
const SWEEP_BELOW: f64 = 1e-2;
const MAX_SWEEPS: u32 = 5;

/// Share of the hop velocity at which the interior-point method stops: its impulses show how the points move, and Newton's
/// method on the laws themselves does the rest.
const INTERIOR_ERROR: f64 = 6e-3;

/// Islands of more bodies than this go through the inside only where they are off by more than this share of the hop velocity,
/// and then end within twice the error above.
pub(super) const MANY_BODIES: usize = 8;
const INTERIOR_ABOVE: f64 = 0.1;

/// Islands of more bodies than this are swept before they go through the inside: so many times at most where they are to be solved roughly,
/// or where rotation is resisted, of which the inside knows nothing; and where they are near the answer, which means an error of at most this
/// share of the hop velocity. Sweeps end within a share of what is wanted, since what they leave makes bodies touch early.
const SWEPT_BODIES: usize = 40;
const ROUGH_SWEEPS: u32 = 80;
const FINE_SWEEPS: u32 = 16;
const NEARBY: f64 = 0.02;
const SWEPT_SHARE: f64 = 0.5;

/// Sweeps over islands of many bodies, or where rotation is resisted, that nothing else has solved.
const LAST_SWEEPS: u32 = 200;

/// They go through the inside where they are off by more than this share of the hop velocity: rounds lead astray there.
const INTERIOR_ABOVE_OF_SWEPT: f64 = 1e-3;

/// Sweeps are cheaper than steps of the direct method, so that does not go on where its first step leaves more than this share of the error.
const HARDLY: f64 = 0.5;

/// Shares of the heaviest body's mass with which modes are told after it, one after the other.
const MODE_LOADS: [f64; 2] = [1e-2, 0.0];

/// Friction with which points are solved that have more and cannot be solved with it.
const WEAKER: f64 = 0.5;

/// Most rounds of Newton's method.
const NEWTON_ROUNDS: u32 = 12;

/// The same of few bodies.
const NEWTON_ROUNDS_OF_FEW: u32 = 48;

/// Error of a point's velocity at which it is solved, as a share of the hop velocity: of one body, and of several, whose errors do not add
/// up over many hops.
const SOLVED_SHARE: f64 = 1e-9;
const SOLVED_SHARE_OF_SEVERAL: f64 = 1e-7;

/// Error that is tolerable if no method goes further, as a share of the hop velocity: the next hop begins where this one ended.
const TOLERABLE_SHARE: f64 = 1e-4;

/// A few rounds are at least this many, and more for small islands: this many divided by the number of bodies.
const FEW_ROUNDS: u32 = 2;
const CHEAP_ROUNDS: u32 = 96;

/// Share of the error before the rounds that is tolerable as well after a few of them.
const FIRST_ERROR_SHARE: f64 = 0.02;

/// How a solve went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct Solved {
    /// Gauss-Seidel sweeps that precede rounds.
    pub sweeps: u32,
    /// Rounds of Newton's method.
    pub rounds: u32,
    /// Steps of all methods: factorisations of a matrix over the island.
    pub steps: u32,
    /// The error that is left, m/s.
    pub error: f64,
    /// Whether the error is small enough.
    pub converged: bool,
    /// Whether it is as small as the laws ask for: where targets contradict each other it cannot be.
    pub met: bool,
    /// Whether the impulses obey the laws with weaker friction, since none were found with all of it.
    pub is_weak: bool,
}

/// A joint contact problem with joints.
#[derive(Debug)]
pub struct Problem<'a> {
    /// Their velocities obey the joints.
    pub movers: &'a mut [Mover],
    /// Where they touch.
    pub points: &'a mut [ContactPoint],
    /// What resists their turning on each other.
    pub resistances: &'a mut [Resistance],
    /// The joints.
    pub ties: &'a mut Ties,
}

/// Solves joint contact problems; its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct JointSolver {
    /// Whether errors of islands of many bodies matter as much as those of few: they add up where the same hop comes again and again.
    pub(crate) is_exact: bool,
    /// Whether most bodies move: errors of islands of many bodies last for one flight.
    pub(crate) is_moving: bool,
    /// Whether larger errors will do in this solve.
    is_rough: bool,
    direct: Direct,
    rough: Rough,
    newton: Newton,
    interior: Interior,
    before: Vec<Mover>,
    kept: Kept,
    /// The answer of the interior-point method.
    inside: Kept,
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
        let mut ties = Ties::default();
        self.solve_tied(Problem { movers, points, resistances, ties: &mut ties }, hop_velocity)
    }

    /// The same for movers that joints tie to each other.
    pub fn solve_tied(&mut self, problem: Problem<'_>, hop_velocity: f64) -> Solved {
        let Problem { movers, points, resistances, ties } = problem;
        let mut joint = Joint { movers, points, resistances, ties };
        let mut solved = self.begin(&mut joint);
        self.is_rough = self.may_be_rough(&joint);
        let [fine, rough] = [TOLERABLE_SHARE, 2.0 * INTERIOR_ERROR].map(|share| share * hop_velocity);
        let wanted = if self.is_rough { rough } else { fine };
        let is_huge = joint.movers.len() > SWEPT_BODIES;
        let is_swept = self.is_rough && is_huge;
        self.solve_directly(&mut joint, hop_velocity, &mut solved, [0.0, if is_swept { HARDLY } else { ASTRAY }]);
        self.solve_by_sweeps(&mut joint, [hop_velocity, wanted], &mut solved);
        let is_large = joint.movers.len() > MANY_BODIES;
        // Where the inside is of no use, what sweeps leave has to do, as what the inside leaves does elsewhere.
        let resists = is_huge && !joint.resistances.is_empty() && joint.ties.is_empty();
        let mut tolerable = if resists { rough } else { wanted };
        let share = if is_huge && joint.resistances.is_empty() { INTERIOR_ABOVE_OF_SWEPT } else { INTERIOR_ABOVE };
        let least = if is_large && !self.is_rough && !resists { share * hop_velocity } else { tolerable };
        let from_inside = (joint.resistances.is_empty() || is_large) && solved.error > least + joint.rounding();
        let mut inside = f64::INFINITY;
        if from_inside {
            inside = self.solve_through_the_inside(&mut joint, hop_velocity, &mut solved);
            if is_large {
                tolerable = rough;
            }
        }
        // To go to the end costs many piles more than it helps; linkages are small, and their errors are felt in the joints.
        let gives_up = is_large && from_inside && joint.ties.is_empty() && !self.is_rough && !resists;
        if solved.error > tolerable + joint.rounding() && !gives_up {
            self.solve_by_rounds(&mut joint, [hop_velocity, if resists { tolerable } else { wanted }], &mut solved);
        }
        if is_large && !from_inside && joint.resistances.is_empty() && solved.error > tolerable + joint.rounding() {
            self.solve_inside_after_all(&mut joint, hop_velocity, &mut solved);
        }
        // Rounds need not end, least of all where resistances act: their bounds go with the impulses. Few bodies may be jammed.
        let may_end = joint.ties.is_empty() && (is_large || !joint.resistances.is_empty());
        if solved.error > tolerable + joint.rounding() && may_end {
            self.mix_sweeps(&mut joint, tolerable, LAST_SWEEPS, &mut solved);
        }
        self.judge(&mut joint, [tolerable, rough], inside, &mut solved);
        solved
    }

    /// Tells whether a solve has reached what is tolerable, or what was found through the inside something rougher: where nothing reaches the
    /// laws, the answer nearby is at least the same one every time.
    fn judge(&self, joint: &mut Joint<'_>, [tolerable, rough]: [f64; 2], inside: f64, solved: &mut Solved) {
        let rounding = joint.rounding();
        solved.met = solved.error <= tolerable + rounding;
        solved.converged = solved.met;
        if !solved.met && inside <= rough {
            self.inside.restore(joint, &self.before);
            solved.error = inside;
            solved.converged = true;
        }
    }

    /// Mixed sweeps over huge islands, in case that is enough.
    fn solve_by_sweeps(&mut self, joint: &mut Joint<'_>, [hop_velocity, wanted]: [f64; 2], solved: &mut Solved) {
        let is_solved = solved.error <= wanted + joint.rounding();
        let is_near = solved.error <= NEARBY * hop_velocity;
        let takes_many = self.is_rough || !joint.resistances.is_empty();
        if !is_solved && joint.movers.len() > SWEPT_BODIES && joint.ties.is_empty() && (takes_many || is_near) {
            self.mix_sweeps(joint, wanted, if takes_many { ROUGH_SWEEPS } else { FINE_SWEEPS }, solved);
        }
    }

    /// At most so many mixed sweeps. What does not get better stays as it was.
    fn mix_sweeps(&mut self, joint: &mut Joint<'_>, wanted: f64, most: u32, solved: &mut Solved) {
        let enough = (SWEPT_SHARE * wanted).max(joint.rounding());
        self.kept.keep(joint);
        let error = self.rough.solve(joint, &self.before, enough, most);
        if error < solved.error {
            solved.error = error;
        } else {
            self.kept.restore(joint, &self.before);
        }
    }

    /// Whether larger errors will do. What strong friction asks for may contradict itself, which only a small tolerance tells.
    fn may_be_rough(&self, joint: &Joint<'_>) -> bool {
        self.is_moving
            && joint.movers.len() > MANY_BODIES
            && joint.ties.is_empty()
            && joint.points.iter().all(|point| point.friction <= WEAKER)
    }

    /// Applies the impulses given.
    fn begin(&mut self, joint: &mut Joint<'_>) -> Solved {
        self.before.clear();
        self.before.extend_from_slice(joint.movers);
        joint.apply_first_guess();
        Solved { error: joint.error(), ..Solved::default() }
    }

    /// Finds impulses near those given, or none.
    pub(super) fn solve_nearby(
        &mut self,
        movers: &mut [Mover],
        points: &mut [ContactPoint],
        hop_velocity: f64,
    ) -> Solved {
        let mut ties = Ties::default();
        let mut joint = Joint { movers, points, resistances: &mut [], ties: &mut ties };
        let mut solved = self.begin(&mut joint);
        self.solve_directly(&mut joint, hop_velocity, &mut solved, [0.0, ASTRAY]);
        solved.met = solved.error <= TOLERABLE_SHARE * hop_velocity + joint.rounding();
        Solved { converged: solved.met, ..solved }
    }

    /// Finds impulses with friction that is not strong; they obey the laws with all of it as well where nothing slips.
    pub(super) fn solve_weakly(
        &mut self,
        movers: &mut [Mover],
        points: &mut [ContactPoint],
        hop_velocity: f64,
    ) -> Solved {
        let friction: Vec<f64> = points.iter().map(|point| point.friction).collect();
        points.iter_mut().for_each(|point| point.friction = point.friction.min(WEAKER));
        let mut solved = self.solve(movers, points, &mut [], hop_velocity);
        points.iter_mut().zip(friction).for_each(|(point, friction)| point.friction = friction);
        let mut ties = Ties::default();
        let joint = Joint { movers, points, resistances: &mut [], ties: &mut ties };
        solved.error = joint.error();
        let tolerable = if joint.movers.len() > MANY_BODIES { 2.0 * INTERIOR_ERROR } else { TOLERABLE_SHARE };
        solved.met = solved.error <= tolerable * hop_velocity + joint.rounding();
        Solved { converged: solved.met, is_weak: solved.converged && !solved.met, ..solved }
    }

    fn solve_directly(&mut self, joint: &mut Joint<'_>, hop_velocity: f64, solved: &mut Solved, how: [f64; 2]) {
        let share = if joint.movers.len() == 1 { SOLVED_SHARE } else { SOLVED_SHARE_OF_SEVERAL };
        let errors = [solved.error, share * hop_velocity, TOLERABLE_SHARE * hop_velocity];
        let (steps, error) = self.direct.solve(joint, &self.before, errors, how);
        solved.steps += steps;
        solved.error = error;
    }

    /// Gives the error that the interior-point method left, m/s.
    fn solve_through_the_inside(&mut self, joint: &mut Joint<'_>, hop_velocity: f64, solved: &mut Solved) -> f64 {
        let enough = INTERIOR_ERROR * hop_velocity;
        solved.steps += self.interior.solve(&self.before, (joint.points, &joint.ties.list), hop_velocity, enough);
        self.interior.hand_out(joint.movers, joint.points, &mut joint.ties.list);
        joint.apply_all(&self.before);
        let plain = joint.error();
        self.inside.keep(joint);
        if plain <= 2.0 * enough && self.is_rough {
            solved.error = plain;
            return plain;
        }
        let attempts = if joint.movers.len() > MANY_BODIES { 1 } else { MODE_LOADS.len() };
        for &load in &MODE_LOADS[..attempts] {
            self.interior.hand_out(joint.movers, joint.points, &mut joint.ties.list);
            solved.error = f64::INFINITY;
            self.solve_directly(joint, hop_velocity, solved, [load, ASTRAY]);
            if solved.error <= TOLERABLE_SHARE * hop_velocity + joint.rounding() {
                return plain;
            }
        }
        // Where the modes cannot be told, the path itself leads on.
        let goes_on = (self.is_exact || joint.movers.len() <= MANY_BODIES) && joint.ties.is_empty();
        if plain <= 2.0 * INTERIOR_ERROR * hop_velocity && goes_on {
            self.kept.keep(joint);
            let trial = solved.error;
            solved.steps += self.interior.go_on(joint.points, 0.5 * TOLERABLE_SHARE * hop_velocity);
            self.interior.hand_out(joint.movers, joint.points, &mut joint.ties.list);
            joint.apply_all(&self.before);
            solved.error = joint.error();
            if solved.error <= TOLERABLE_SHARE * hop_velocity + joint.rounding() {
                return plain;
            }
            self.kept.restore(joint, &self.before);
            solved.error = trial;
        }
        // The rounds, which follow in small islands, begin better from the best trial of the laws.
        if solved.error > plain && joint.movers.len() > MANY_BODIES {
            self.inside.restore(joint, &self.before);
            solved.error = plain;
        }
        plain
    }

    /// Goes through the inside where the rounds went astray, unless that leads farther off.
    fn solve_inside_after_all(&mut self, joint: &mut Joint<'_>, hop_velocity: f64, solved: &mut Solved) {
        self.kept.keep(joint);
        let before = solved.error;
        self.solve_through_the_inside(joint, hop_velocity, solved);
        if solved.error > before {
            self.kept.restore(joint, &self.before);
            solved.error = before;
        }
    }

    /// Goes on to half of a wanted error, m/s, or a few rounds further.
    fn solve_by_rounds(&mut self, joint: &mut Joint<'_>, [hop_velocity, wanted]: [f64; 2], solved: &mut Solved) {
        let enough = 0.5 * (wanted + joint.rounding());
        // Sweeps would propagate every point's impulse through all joints.
        let most = if joint.ties.is_empty() { MAX_SWEEPS } else { 0 };
        while solved.sweeps < most && solved.error <= SWEEP_BELOW * hop_velocity && self.sweep(joint, solved) {}
        self.newton.begin(&self.before, joint.points, &joint.ties.list);
        // Islands in motion are solved again and again: a small share of the first error matters little beside what comes next.
        let few = (CHEAP_ROUNDS / joint.movers.len().max(1) as u32).clamp(FEW_ROUNDS, NEWTON_ROUNDS_OF_FEW);
        let most = few.max(NEWTON_ROUNDS);
        let share = if joint.ties.is_empty() { FIRST_ERROR_SHARE } else { 0.0 };
        let will_do = enough.max(share * solved.error.min(hop_velocity));
        while solved.error > enough && solved.rounds < most && (solved.rounds < few || solved.error > will_do) {
            solved.steps += self.newton.round(joint, 1e-3 * enough);
            solved.rounds += 1;
            let before = std::mem::replace(&mut solved.error, joint.error());
            if solved.error > before {
                self.newton.forget();
            }
        }
        self.solve_directly(joint, hop_velocity, solved, [0.0, f64::INFINITY]);
    }

    /// A sweep, undone where it does not halve the error: where friction is at its bound, sweeps lead astray.
    fn sweep(&mut self, joint: &mut Joint<'_>, solved: &mut Solved) -> bool {
        self.kept.keep(joint);
        joint.sweep();
        solved.sweeps += 1;
        let error = joint.error();
        let has_helped = error <= 0.5 * solved.error;
        if has_helped {
            solved.error = error;
        } else {
            self.kept.restore(joint, &self.before);
        }
        has_helped
    }
}
