//! A study: one part dropped many times under the same conditions, counted (section 7.5.3).

use crate::drop::{Conditions, Fall, Outcome, Start};
use crate::landscape::Landscape;
use crate::part::Part;
use crate::statistics::wilson;
use crate::trials::{Control, run_trials};
use impulse_scenes::Random;

/// Drops of a round: whether a study is precise enough is asked after whole rounds, so that the answer does not depend on threads.
pub const ROUND: u64 = 500;

/// What a study is of, and how it is run.
#[derive(Clone, Copy, Debug)]
pub struct Study<'a> {
    /// The part.
    pub part: &'a Part,
    /// Its landscape.
    pub landscape: &'a Landscape,
    /// What it falls onto, and from where.
    pub conditions: Conditions,
    /// From which all random numbers follow.
    pub seed: u64,
    /// Drops, at most.
    pub drops: u64,
    /// Ends the study after the first round in which no interval is wider than twice this.
    pub precision: Option<f64>,
    /// Normal quantile of the confidence of intervals: 1.96 for 95 %.
    pub quantile: f64,
    /// Threads.
    pub threads: usize,
}

/// What drops are started from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// All attitudes, uniformly.
    Uniform,
    /// Every pose in turn, as if it lay on a belt.
    Poses,
}

/// The drops of a study in order.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What drops were started from.
    pub from: From,
    /// Number of poses.
    pub poses: usize,
    /// How each drop ended, or why it failed.
    pub outcomes: Vec<Result<Outcome, String>>,
    /// Whether it was stopped before all drops were made.
    pub interrupted: bool,
}

/// A probability with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The probability.
    pub probability: f64,
    /// Where it is with the confidence asked for.
    pub interval: [f64; 2],
}

impl Estimate {
    /// A probability that is not estimated but computed.
    pub fn exact(probability: f64) -> Self {
        Self { probability, interval: [probability; 2] }
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        0.5 * (self.interval[1] - self.interval[0])
    }
}

impl Study<'_> {
    /// Drops the part; `estimates` says how precisely the answer is known after a round.
    pub fn run(&self, from: From, control: &Control, estimates: impl Fn(&Sample) -> Vec<Estimate>) -> Sample {
        let fall = Fall::new(self.part, self.landscape, &self.conditions);
        let poses = self.landscape.poses.len();
        let mut sample = Sample { from, poses, outcomes: Vec::new(), interrupted: false };
        let round = self.precision.map_or(self.drops, |_| ROUND);
        while (sample.outcomes.len() as u64) < self.drops && !sample.interrupted {
            let first = sample.outcomes.len() as u64;
            let last = first.saturating_add(round).min(self.drops);
            let outcomes = run_trials(first..last, self.threads, control, |i| fall.drop(&self.start(from, i)));
            sample.outcomes.extend(outcomes);
            sample.interrupted = (sample.outcomes.len() as u64) < last;
            let precise = |delta: f64| estimates(&sample).iter().all(|estimate| estimate.half_width() <= delta);
            if self.precision.is_some_and(precise) {
                break;
            }
        }
        sample
    }

    /// How a drop starts: equal for equal seeds, whatever the other conditions are.
    pub fn start(&self, from: From, i: u64) -> Start {
        let random = &mut Random::of_trial(self.seed, i);
        match from {
            From::Uniform => Start::uniform(&self.conditions, random),
            From::Poses => {
                let pose = &self.landscape.poses[(i % self.landscape.poses.len() as u64) as usize];
                Start::lying(pose.down, &self.conditions, random)
            }
        }
    }

    /// The probabilities of a sample of uniform starts, each with Wilson's interval. Drops that were not decided or failed may
    /// belong anywhere: intervals reach from where none of them counts to where all do.
    pub fn shares(&self, sample: &Sample) -> Vec<Estimate> {
        let counts = sample.counts();
        let (all, decided) = (sample.outcomes.len() as u64, counts.iter().sum::<u64>());
        let share = |count: u64, of: u64| if of == 0 { 0.0 } else { count as f64 / of as f64 };
        let estimate = |&count: &u64| {
            let [low, _] = wilson(share(count, all), all as f64, self.quantile);
            let [_, high] = wilson(share(count + all - decided, all), all as f64, self.quantile);
            Estimate { probability: share(count, decided), interval: [low, high] }
        };
        counts.iter().map(estimate).collect()
    }
}

impl Sample {
    /// How often each pose was the end.
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.poses];
        self.decided().for_each(|(_, _, pose)| counts[pose] += 1);
        counts
    }

    /// The drops that were decided: number, outcome, pose.
    pub fn decided(&self) -> impl Iterator<Item = (usize, &Outcome, usize)> {
        let numbered = self.outcomes.iter().enumerate();
        numbered.filter_map(|(i, outcome)| outcome.as_ref().ok().and_then(|o| Some((i, o, o.pose?))))
    }

    /// How many drops were given up at the time limit.
    pub fn undecided(&self) -> u64 {
        self.outcomes.iter().filter(|outcome| outcome.as_ref().is_ok_and(|o| o.pose.is_none())).count() as u64
    }

    /// The drops that failed: number and error.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbered = self.outcomes.iter().enumerate();
        numbered.filter_map(|(i, outcome)| outcome.as_ref().err().map(|error| (i, error.as_str())))
    }
}
