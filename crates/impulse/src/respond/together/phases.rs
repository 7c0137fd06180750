//! The course of the impact: points compress, expand, are out and come in again. Steps end where a point changes its phase.

use super::crossing::{Course, root};
use super::reduced::{FREEDOMS, Reduced};
use super::rosenbrock::{State, Stepper, force_per_compression};
use super::taylor::{Taylor, Tried};

/// What the spring of a point does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Out,
    Compressing,
    Expanding,
}

/// Error of the velocities allowed in a step, relative to the largest one; far below the creep of sticking points, or the moment
/// at which they slip is missed.
const TOLERANCE: f64 = 2e-11;

/// Velocity or compression, relative to the largest velocity, by which a phase may end late: the error of the velocities is its
/// square.
const LATE: f64 = 1e-9;

/// The same for a spring that hardly gives anything back.
const LATE_PLASTIC: f64 = 1e-13;

/// Velocity and compression, relative to the largest velocity, below which the impact is over: a rattle that dies away need not be
/// followed for ever.
const FADED: f64 = 1e-8;

/// Least restitution: that of springs which give nothing back. Their points leave with this share of the velocity.
const PLASTIC: f64 = 1e-8;

/// Step in which no point comes to slip noticeably, whether it can stick or not: springs of least restitution expand so fast.
const FLEETING: f64 = 1e-7;

/// Steps after which the impact is plastic, and how many bodies may take so many: more of them take fewer, each of which is dearer.
const STEPS: usize = 3000;
const FEW_BODIES: usize = 3;

/// Parts of its steps, one in so many, after which an impact must have come some way, in half periods of the slowest motion: else it would
/// not end in time, and the plastic end is sooner had.
const LOOKS: [(usize, f64); 3] = [(12, 5e-3), (6, 1e-2), (3, 0.125)];

/// How much further than at half as many steps it is then, if it only is slow: one that got stuck may come free.
const STEADY: f64 = 1.2;

/// Steps where nothing drains energy, so that a plastic end would be wrong: a light body between heavy ones rattles long.
const ELASTIC_STEPS: usize = 30_000;

/// Steps for which series are not tried again after points could not stick, and where slow slip is held.
const PAUSE: usize = 8;
const SHORT_PAUSE: usize = 1;

/// First step tried, in units of the fastest point's time.
const FIRST_STEP: f64 = 0.02;

/// Longest step by series.
const LONGEST_STEP: f64 = 10.0;

/// Step below which the rest of the impact is plastic.
const SHORTEST_STEP: f64 = 1e-18;

/// Share of the step that would keep the error allowed.
const SAFETY: f64 = 0.9;

/// Bounds of the factor from one step to the next.
const LEAST_GROWTH: f64 = 0.1;
const MOST_GROWTH: f64 = 6.0;

/// The velocity of a point along its normal, its rate, and the slip.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    normal: f64,
    normal_rate: f64,
    slip: [f64; 2],
    slip_rate: [f64; 2],
}

/// The springs of all points during the impact, in storage that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Springs {
    pub(super) state: State,
    trial: State,
    stepper: Stepper,
    taylor: Taylor,
    phases: Vec<Phase>,
    rates: Vec<f64>,
    before: Vec<Motion>,
    after: Vec<Motion>,
    push: Vec<f64>,
    /// Work done against each point so far.
    pub(super) lost: Vec<f64>,
    /// Steps tried.
    pub(super) steps: usize,
    /// Steps for which series are not tried again.
    pause: usize,
    /// Time since the impact began.
    time: f64,
    /// Whether the last step was an implicit one.
    implicit: bool,
    /// When sticking points were last set to creep.
    crept: f64,
    /// Whether springs hold each other, with all points at rest.
    jammed: bool,
}

impl Springs {
    /// Follows the impact to its end, or as far as possible, and tells whether it was the end: else the caller ends it plastically.
    pub(super) fn follow(&mut self, reduced: &Reduced) -> bool {
        let points = reduced.contacts.len();
        self.state.reset(reduced.freedoms(), points);
        self.trial.reset(reduced.freedoms(), points);
        self.phases.clear();
        self.phases.resize(points, Phase::Out);
        self.lost.clear();
        self.lost.resize(points, 0.0);
        (self.steps, self.pause, self.time, self.crept, self.jammed) = (0, 0, 0.0, -1.0, false);
        self.implicit = false;
        let (mut length, mut halfway) = (FIRST_STEP, 0.0);
        let drains = |contact: &super::reduced::Contact| contact.restitution < 1.0 || contact.friction > 0.0;
        let (most, looks) = if reduced.contacts.iter().any(drains) {
            (STEPS * FEW_BODIES / (reduced.freedoms() / FREEDOMS).max(FEW_BODIES), &LOOKS[..])
        } else {
            (ELASTIC_STEPS, &[][..])
        };
        let mut looks = looks.iter().map(|(part, way)| (most / part, way * reduced.slowest)).peekable();
        while self.steps < most && length >= SHORTEST_STEP {
            self.change_phases(reduced);
            if self.is_over(reduced) {
                return true;
            }
            if (0..points).any(|i| self.state.compression(i) > reduced.endless) {
                return false;
            }
            if let Some(&(look, way)) = looks.peek() {
                if self.steps <= look / 2 {
                    halfway = self.time;
                }
                if self.steps >= look {
                    if (STEADY * halfway..way).contains(&self.time) {
                        return false;
                    }
                    looks.next();
                }
            }
            length = self.advance(reduced, length);
        }
        self.is_over(reduced)
    }

    /// Takes one step and returns the length to try next.
    fn advance(&mut self, reduced: &Reduced, length: f64) -> f64 {
        self.set_rates(reduced);
        if let Some(taken) = self.advance_by_series(reduced, length) {
            self.implicit = false;
            return taken;
        }
        self.stepper.linearise(reduced, &self.state, &self.rates);
        measure(reduced, &self.state, &mut self.push, &mut self.before);
        if self.stands_still() {
            self.jammed = true;
            return length;
        }
        let length = length.min(self.longest_step(reduced));
        let Some(error) = self.attempt(reduced, length) else { return length * LEAST_GROWTH };
        let growth = (SAFETY * (TOLERANCE / error).sqrt().sqrt()).clamp(LEAST_GROWTH, MOST_GROWTH);
        if error > TOLERANCE {
            return length * growth;
        }
        let taken = self.locate(reduced, length);
        self.implicit = true;
        self.accept(reduced, taken);
        if taken < length { length } else { length * growth }
    }

    /// Takes one step by power series, if every point surely slides or sticks all along, and returns its length.
    fn advance_by_series(&mut self, reduced: &Reduced, tried: f64) -> Option<f64> {
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        let last = Tried { length: tried, implicit: self.implicit };
        if !self.taylor.choose_modes(reduced, &self.state, &self.rates, last) {
            return None;
        }
        let Some(reach) = self.taylor.expand(reduced) else {
            self.pause = SHORT_PAUSE;
            return None;
        };
        let reach = reach.min(LONGEST_STEP);
        self.steps += 1;
        self.jammed = reach >= LONGEST_STEP && self.taylor.stands_still(FADED);
        let mut length = self.first_end(reduced, reach);
        for _ in 0..3 {
            let sticks = |taylor: &mut Taylor, time: f64| taylor.can_stick(reduced, time);
            if length < FLEETING || sticks(&mut self.taylor, length) && sticks(&mut self.taylor, 0.5 * length) {
                self.taylor.finish(reduced, &self.state, length, &mut self.trial);
                if !self.trial.is_finite() {
                    break;
                }
                self.accept(reduced, length);
                return Some(reach);
            }
            length *= 0.3;
        }
        self.jammed = false;
        self.pause = PAUSE;
        let presses_on = |i: usize| self.rates[i] > 0.0 && is_plastic(reduced, i);
        if self.time > self.crept + FLEETING && !(0..self.rates.len()).any(presses_on) {
            self.crept = self.time;
            self.taylor.creep(reduced, &mut self.state);
        }
        None
    }

    /// The time within `reach` at which the first phase ends, by the series.
    fn first_end(&self, reduced: &Reduced, reach: f64) -> f64 {
        let mut first = reach;
        for (i, phase) in self.phases.iter().enumerate() {
            let sign = if *phase == Phase::Compressing { 1.0 } else { -1.0 };
            let late = if is_plastic(reduced, i) { LATE_PLASTIC } else { LATE };
            first = root(|time| sign * self.taylor.normal(i, time), first, late);
            first = self.taylor.end_of_slide(i, first);
            if *phase == Phase::Expanding {
                first = root(|time| -self.taylor.compression(i, time), first, LATE);
            }
        }
        first
    }

    fn attempt(&mut self, reduced: &Reduced, length: f64) -> Option<f64> {
        self.steps += 1;
        self.stepper.step(reduced, &self.state, length, &mut self.trial)
    }

    /// Shortens the step just tried until no point is late in changing its phase, and returns its length.
    fn locate(&mut self, reduced: &Reduced, mut length: f64) -> f64 {
        for _ in 0..60 {
            measure(reduced, &self.trial, &mut self.push, &mut self.after);
            let first = self.first_crossing(reduced, length);
            if first >= 1.0 {
                break;
            }
            length *= first;
            if length < SHORTEST_STEP || self.attempt(reduced, length).is_none() {
                break;
            }
        }
        length
    }

    /// The share of the step after which the first phase ends, at least 1 if none ends late.
    fn first_crossing(&self, reduced: &Reduced, length: f64) -> f64 {
        let mut first = 1.0_f64;
        for (i, phase) in self.phases.iter().enumerate() {
            let (before, after) = (&self.before[i], &self.after[i]);
            let sign = if *phase == Phase::Compressing { 1.0 } else { -1.0 };
            let normal = Course {
                from: sign * before.normal,
                to: sign * after.normal,
                from_rate: sign * before.normal_rate * length,
                to_rate: sign * after.normal_rate * length,
            };
            let late = if is_plastic(reduced, i) { LATE_PLASTIC } else { LATE };
            first = first.min(normal.crossing(late));
            if *phase == Phase::Expanding {
                let rate = self.rates[i] * length;
                let spent = Course {
                    from: -self.state.compression(i),
                    to: -self.trial.compression(i),
                    from_rate: rate * before.normal,
                    to_rate: rate * after.normal,
                };
                first = first.min(spent.crossing(LATE));
            }
        }
        first
    }

    /// The step tried becomes the state; each point's share of the energy lost is that of its impulse in this step.
    fn accept(&mut self, reduced: &Reduced, length: f64) {
        self.time += length;
        let impulses = self.state.impulses().chunks_exact(3).zip(self.trial.impulses().chunks_exact(3));
        for ((i, contact), (from, to)) in reduced.contacts.iter().enumerate().zip(impulses) {
            if self.rates[i] == 0.0 {
                continue;
            }
            let (before, after) = (contact.velocity(self.state.bodies()), contact.velocity(self.trial.bodies()));
            self.lost[i] -= (0..3).map(|k| 0.5 * (to[k] - from[k]) * (before[k] + after[k])).sum::<f64>();
        }
        std::mem::swap(&mut self.state, &mut self.trial);
    }

    /// Whether points that touch neither move nor begin to, but for creep: whatever shares their friction, they stay.
    fn stands_still(&self) -> bool {
        let still = |(motion, rate): (&Motion, &f64)| {
            let Motion { normal, normal_rate, slip: [s, t], slip_rate: [a, b] } = *motion;
            let touching = || [normal, normal_rate, s, t, a, b].iter().all(|speed| speed.abs() <= FADED);
            if *rate > 0.0 { touching() } else { normal >= -FADED }
        };
        self.before.iter().zip(&self.rates).all(still)
    }

    /// A step after which no sliding point has reversed its slip, if the forces stay as they are.
    fn longest_step(&self, reduced: &Reduced) -> f64 {
        let mut longest = f64::INFINITY;
        for (i, contact) in reduced.contacts.iter().enumerate() {
            let Motion { slip: [x, y], slip_rate: [a, b], .. } = self.before[i];
            if self.rates[i] == 0.0 || contact.friction == 0.0 {
                continue;
            }
            let speed = (x * x + y * y).sqrt();
            if speed > SLIDES && x * a + y * b < 0.0 {
                longest = longest.min(0.9 * speed / (a * a + b * b).sqrt());
            }
        }
        longest
    }

    /// Moves every point whose phase has ended to its next phase.
    fn change_phases(&mut self, reduced: &Reduced) {
        for (i, contact) in reduced.contacts.iter().enumerate() {
            let approach = -contact.velocity(self.state.bodies())[0];
            let next = match self.phases[i] {
                Phase::Out if approach > 0.0 => Phase::Compressing,
                Phase::Compressing if approach < 0.0 => Phase::Expanding,
                Phase::Expanding if self.state.compression(i) <= 0.0 => {
                    self.state.set_compression(i, 0.0);
                    Phase::Out
                }
                Phase::Expanding if approach > 0.0 => Phase::Compressing,
                same => same,
            };
            if next != self.phases[i] {
                (self.phases[i], self.pause) = (next, 0);
            }
        }
    }

    fn is_over(&self, reduced: &Reduced) -> bool {
        let faded = |(i, contact): (usize, &super::reduced::Contact)| {
            self.state.compression(i) <= FADED && contact.velocity(self.state.bodies())[0] >= -FADED
        };
        self.jammed || reduced.contacts.iter().enumerate().all(faded)
    }

    fn set_rates(&mut self, reduced: &Reduced) {
        self.rates.clear();
        let rate = |(phase, contact): (&Phase, &super::reduced::Contact)| match phase {
            Phase::Out => 0.0,
            Phase::Compressing => 1.0,
            Phase::Expanding => {
                let restitution = contact.restitution.max(PLASTIC);
                1.0 / (restitution * restitution)
            }
        };
        self.rates.extend(self.phases.iter().zip(&reduced.contacts).map(rate));
    }
}

/// Slip, relative to the largest velocity, that surely is no creep.
const SLIDES: f64 = 1e-8;

fn is_plastic(reduced: &Reduced, i: usize) -> bool {
    reduced.contacts[i].restitution < 1e-3
}

/// How all points move, and how the forces change it.
fn measure(reduced: &Reduced, state: &State, push: &mut Vec<f64>, motions: &mut Vec<Motion>) {
    push.clear();
    push.resize(reduced.freedoms(), 0.0);
    motions.clear();
    for (i, contact) in reduced.contacts.iter().enumerate() {
        let velocity = contact.velocity(state.bodies());
        let compression = state.compression(i);
        if compression != 0.0 {
            let (force, _) = force_per_compression(contact, reduced.stiffness, velocity);
            contact.strike(force.map(|force| force * compression), push);
        }
        let [normal, s, t] = velocity;
        motions.push(Motion { normal, slip: [s, t], ..Motion::default() });
    }
    for (motion, contact) in motions.iter_mut().zip(&reduced.contacts) {
        let [normal_rate, s, t] = contact.change(push);
        (motion.normal_rate, motion.slip_rate) = (normal_rate, [s, t]);
    }
}
