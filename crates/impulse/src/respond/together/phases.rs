//! The course of the impact: points compress, expand, are out and come in again. Steps end where a point changes its phase.

use super::equations::{Equations, State};
use super::rosenbrock::Linearised;

/// What the spring of a point does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Out,
    Compressing,
    Expanding,
}

/// The springs of all points during the impact.
pub(super) struct Springs<'a> {
    equations: &'a Equations,
    state: State,
    phases: Vec<Phase>,
}

/// Error of the velocities allowed in a step, relative to the largest one; far below the creep of sticking points, or the moment
/// at which they slip is missed.
const TOLERANCE: f64 = 2e-12;

/// Velocity or compression, relative to the largest velocity, that counts as zero where a phase ends.
const ZERO: f64 = 1e-13;

/// Velocity and compression, relative to the largest velocity, below which the impact is over: a rattle that dies away need not be
/// followed for ever.
const FADED: f64 = 2e-13;

/// Restitution below which a spring gives nothing back.
const PLASTIC: f64 = 1e-6;

/// Changes of phase per point after which the rest of the impact is plastic.
const CHANGES: usize = 200;

/// Steps after which the rest of the impact is plastic.
const STEPS: usize = 4000;

impl<'a> Springs<'a> {
    pub(super) fn new(equations: &'a Equations) -> Self {
        let points = equations.len();
        let state = State { impulses: vec![0.0; 3 * points], compressions: vec![0.0; points] };
        Self { equations, state, phases: vec![Phase::Out; points] }
    }

    /// The impulses at the end of the impact, or where it can be followed no further, and whether it was the end: else the caller
    /// ends it plastically.
    pub(super) fn follow(mut self) -> (Vec<f64>, bool) {
        let (mut length, mut changes) = (FIRST_STEP, 0);
        for _ in 0..STEPS {
            changes += self.change_phases();
            if self.is_over() || changes > CHANGES * self.phases.len() || length < SHORTEST_STEP {
                break;
            }
            length = self.advance(length);
        }
        let complete = self.is_over();
        (self.state.impulses, complete)
    }

    /// Takes one step and returns the length to try next.
    fn advance(&mut self, length: f64) -> f64 {
        let rates = self.rates();
        let start = self.state.clone();
        let linearised = Linearised::new(self.equations, &start, &rates);
        let length = length.min(linearised.longest_step());
        let Some((end, error)) = linearised.step(length) else { return length * LEAST_GROWTH };
        let growth = (0.9 * (TOLERANCE / error).sqrt().sqrt()).clamp(LEAST_GROWTH, MOST_GROWTH);
        if error > TOLERANCE {
            return length * growth;
        }
        if self.overshoot(&end) > ZERO {
            self.state = self.locate(&linearised, end, length);
            return length;
        }
        self.state = end;
        length * growth
    }

    /// The state just after the first change of phase in a step: the root of [`Self::overshoot`] by the Illinois method.
    fn locate(&self, linearised: &Linearised<'_>, end: State, length: f64) -> State {
        let (mut before, mut after) = ((0.0, self.overshoot(&self.state)), (length, self.overshoot(&end)));
        let (mut found, mut last_was_after) = (end, true);
        for _ in 0..100 {
            if after.1 <= ZERO || after.0 - before.0 <= f64::EPSILON * length {
                break;
            }
            // Aim just behind the root.
            let (low, high) = (before.1 - 0.5 * ZERO, after.1 - 0.5 * ZERO);
            let secant = (before.0 * high - after.0 * low) / (high - low);
            let inside = secant > before.0 && secant < after.0;
            let trial = if inside { secant } else { 0.5 * (before.0 + after.0) };
            let Some((state, _)) = linearised.step(trial) else { break };
            let overshoot = self.overshoot(&state);
            let is_after = overshoot > 0.0;
            if is_after {
                (after, found) = ((trial, overshoot), state);
            } else {
                before = (trial, overshoot);
            }
            // The end that stays twice loses half of its weight.
            if is_after == last_was_after {
                *(if is_after { &mut before.1 } else { &mut after.1 }) *= 0.5;
            }
            last_was_after = is_after;
        }
        found
    }

    /// How far the point that has gone furthest is past the end of its phase, relative to the largest velocity; negative if none is.
    fn overshoot(&self, state: &State) -> f64 {
        let velocities = self.equations.velocities(&state.impulses);
        let of_point = |(i, phase): (usize, &Phase)| match phase {
            Phase::Out => -velocities[3 * i],
            Phase::Compressing => velocities[3 * i],
            Phase::Expanding => (-velocities[3 * i]).max(-state.compressions[i]),
        };
        self.phases.iter().enumerate().map(of_point).fold(f64::NEG_INFINITY, f64::max) / self.equations.speed
    }

    /// Moves every point whose phase has ended to its next phase, and counts them.
    fn change_phases(&mut self) -> usize {
        let velocities = self.equations.velocities(&self.state.impulses);
        let (mut changes, mut stopped) = (0, Vec::new());
        for i in 0..self.phases.len() {
            let approach = -velocities[3 * i];
            let next = match self.phases[i] {
                Phase::Out if approach > 0.0 => Phase::Compressing,
                Phase::Compressing if approach < 0.0 && self.is_plastic(i) => {
                    stopped.push(i);
                    Phase::Compressing
                }
                Phase::Compressing if approach < 0.0 => Phase::Expanding,
                Phase::Expanding if self.state.compressions[i] <= 0.0 => {
                    self.state.compressions[i] = 0.0;
                    Phase::Out
                }
                Phase::Expanding if approach > 0.0 => Phase::Compressing,
                same => same,
            };
            changes += usize::from(next != self.phases[i]);
            self.phases[i] = next;
        }
        self.release(&stopped, &velocities);
        changes + stopped.len()
    }

    /// Lets go of springs without restitution that have stopped, in the limit of vanishing restitution: in no time the spring
    /// swings from its compression to the other side of the one that balances the other springs, or out.
    fn release(&mut self, stopped: &[usize], velocities: &[f64]) {
        let acceleration = |i: usize, compressions: &[f64]| -> f64 {
            let forces = self.equations.forces(velocities, compressions);
            self.equations.matrix.row(3 * i).iter().zip(&forces).map(|(a, f)| a * f).sum()
        };
        let mut released = self.state.compressions.clone();
        stopped.iter().for_each(|&i| released[i] = 0.0);
        if let [i] = *stopped {
            let (with, without) = (acceleration(i, &self.state.compressions), acceleration(i, &released));
            if with > 0.0 && without < 0.0 {
                let balance = self.state.compressions[i] * without / (without - with);
                released[i] = (2.0 * balance - self.state.compressions[i]).max(0.0);
            } else if with <= 0.0 {
                released[i] = self.state.compressions[i];
            }
        }
        self.state.compressions = released;
        for &i in stopped {
            if self.state.compressions[i] == 0.0 {
                self.phases[i] = Phase::Out;
            }
        }
    }

    fn is_plastic(&self, i: usize) -> bool {
        self.equations.restitution[i] < PLASTIC
    }

    fn is_over(&self) -> bool {
        let velocities = self.equations.velocities(&self.state.impulses);
        let slow = FADED * self.equations.speed;
        let faded = |i: usize| self.state.compressions[i] <= slow && velocities[3 * i] >= -slow;
        (0..self.phases.len()).all(faded)
    }

    fn rates(&self) -> Vec<f64> {
        let rate = |(phase, restitution): (&Phase, &f64)| match phase {
            Phase::Out => 0.0,
            Phase::Compressing => 1.0,
            Phase::Expanding => 1.0 / (restitution * restitution),
        };
        self.phases.iter().zip(&self.equations.restitution).map(rate).collect()
    }
}

/// First step tried, in units of the fastest point's time.
const FIRST_STEP: f64 = 0.01;

/// Step below which the rest of the impact is plastic.
const SHORTEST_STEP: f64 = 1e-18;

/// Bounds of the factor from one step to the next.
const LEAST_GROWTH: f64 = 0.2;
const MOST_GROWTH: f64 = 6.0;
