//! The trials of a study: a grid of all that has a number of values, Latin hypercubes of all that is drawn, and seeds.
//!
//! Trial `i` follows from `i` alone, so that studies of any size need no memory and their parts can be run anywhere.

use super::permutation::permuted;
use super::vary::Vary;
use impulse_scenes::Random;
use impulse_scenes::scene::ParamValue;

/// Most trials of a study.
pub const MAX_TRIALS: u64 = 1_000_000_000;

/// Seeds are below 2^53, so that every program that reads a table keeps them.
const SEED_BITS: u32 = 53;

/// The plan of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// What is varied: name, values, and the parameter's default.
    pub axes: Vec<(String, Vary, ParamValue)>,
    /// Points of the Latin hypercube at each point of the grid; 1 where nothing is drawn.
    pub samples: u64,
    /// Trials at each point, which differ in their seeds.
    pub trials: u64,
    /// From which all seeds and draws follow.
    pub seed: u64,
    /// Whether all points get the same seeds.
    pub paired: bool,
}

/// One trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its seed.
    pub seed: u64,
    /// The values of what is varied, in the order of the axes.
    pub values: Vec<ParamValue>,
}

/// Why there is no such study.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DesignError {
    /// Too many trials.
    #[error("these are {0:.3e} trials; a study may have a billion: give fewer values, samples or trials")]
    TooMany(f64),
    /// A parameter is varied twice.
    #[error("`{0}` is varied twice: give all its values at once")]
    Twice(String),
    /// Draws without a number.
    #[error("`{0}` is drawn from a distribution: say how often with --samples N")]
    NoSamples(String),
    /// A number without draws.
    #[error("nothing is drawn from a distribution, so that --samples has no meaning: give --trials, or a distribution")]
    NothingDrawn,
}

impl Design {
    /// Checks the plan; `samples` is what the user said.
    pub fn check(&self, samples: Option<u64>) -> Result<(), DesignError> {
        for (i, (name, ..)) in self.axes.iter().enumerate() {
            if self.axes[..i].iter().any(|(other, ..)| other == name) {
                return Err(DesignError::Twice(name.clone()));
            }
        }
        let drawn = self.axes.iter().find(|(_, vary, _)| vary.count().is_none());
        match (drawn, samples) {
            (Some((name, ..)), None) => return Err(DesignError::NoSamples(name.clone())),
            (None, Some(_)) => return Err(DesignError::NothingDrawn),
            _ => {}
        }
        let counts = self.axes.iter().filter_map(|(_, vary, _)| vary.count()).chain([self.samples, self.trials]);
        let total: f64 = counts.map(|count| count as f64).product();
        if total > MAX_TRIALS as f64 { Err(DesignError::TooMany(total)) } else { Ok(()) }
    }

    /// How many trials there are.
    pub fn total(&self) -> u64 {
        self.axes.iter().filter_map(|(_, vary, _)| vary.count()).product::<u64>() * self.samples * self.trials
    }

    /// Trial `i`: the last axis of the grid changes slowest, seeds fastest.
    pub fn point(&self, i: u64) -> Point {
        let (replicate, rest) = (i % self.trials, i / self.trials);
        let (sample, mut rest) = (rest % self.samples, rest / self.samples);
        let mut values = Vec::with_capacity(self.axes.len());
        for (axis, (_, vary, default)) in self.axes.iter().enumerate() {
            values.push(match vary.count() {
                Some(count) => {
                    let value = vary.listed(rest % count, default);
                    rest /= count;
                    value
                }
                None => vary.quantile(self.share(axis as u64, sample), default),
            });
        }
        Point { seed: self.seed_of(if self.paired { replicate } else { i }), values }
    }

    /// Where sample `i` of a Latin hypercube is along an axis: each of `samples` equal parts has one, somewhere within
    /// (McKay, Beckman and Conover 1979).
    fn share(&self, axis: u64, i: u64) -> f64 {
        let key = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(64 * axis + 1);
        let within = Random::of_trial(key ^ 0x5bd1_e995, i).unit();
        // Never 0 or 1, where some quantiles are infinite.
        let tiny = 1e-12 / self.samples as f64;
        ((permuted(key, i, self.samples) as f64 + within) / self.samples as f64).clamp(tiny, 1.0 - f64::EPSILON)
    }

    fn seed_of(&self, i: u64) -> u64 {
        Random::of_trial(self.seed, i).whole(0, (1 << SEED_BITS) - 1) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{Design, DesignError};
    use crate::sweep::Vary;
    use impulse_scenes::scene::ParamValue;

    fn design(varied: &[&str], samples: u64, trials: u64) -> Design {
        let axis = |(i, text): (usize, &&str)| (i.to_string(), Vary::parse(text).unwrap(), ParamValue::Number(0.0));
        Design { axes: varied.iter().enumerate().map(axis).collect(), samples, trials, seed: 3, paired: false }
    }

    fn numbers(design: &Design, axis: usize) -> Vec<f64> {
        let number = |i| match design.point(i).values[axis] {
            ParamValue::Number(number) => number,
            ref other => panic!("{other:?}"),
        };
        (0..design.total()).map(number).collect()
    }

    #[test]
    fn a_grid_has_every_combination_and_every_seed_is_new() {
        let design = design(&["1,2", "10..30:3"], 1, 4);
        assert_eq!(design.total(), 24);
        let mut seen: Vec<String> = (0..24).map(|i| format!("{:?}", design.point(i).values)).collect();
        seen.dedup();
        assert_eq!(seen.len(), 6);
        let mut seeds: Vec<u64> = (0..24).map(|i| design.point(i).seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 24);
        let paired = Design { paired: true, ..design };
        assert_eq!(paired.point(1).seed, paired.point(21).seed);
    }

    /// Kolmogorov's statistic of a sample against a distribution function.
    fn kolmogorov(mut sample: Vec<f64>, cumulative: impl Fn(f64) -> f64) -> f64 {
        sample.sort_by(f64::total_cmp);
        let n = sample.len() as f64;
        let gap = |(i, &x): (usize, &f64)| {
            (cumulative(x) - i as f64 / n).abs().max(((i + 1) as f64 / n - cumulative(x)).abs())
        };
        sample.iter().enumerate().map(gap).fold(0.0, f64::max)
    }

    #[test]
    fn marginals_are_the_distributions() {
        let n = 2000;
        let design = design(&["uniform(2,5)", "normal(1,0.5)", "log_uniform(0.01,10)"], n, 1);
        let normal = |x: f64| 0.5 * libm::erfc(-(x - 1.0) / 0.5 / std::f64::consts::SQRT_2);
        let log = |x: f64| libm::log(x / 0.01) / libm::log(1000.0);
        let found = [
            kolmogorov(numbers(&design, 0), |x| (x - 2.0) / 3.0),
            kolmogorov(numbers(&design, 1), normal),
            kolmogorov(numbers(&design, 2), log),
        ];
        // Independent draws would pass at 5 % below 1.36 / sqrt(n) = 0.030; a Latin hypercube is never off by more than 1 / n.
        assert!(found.iter().all(|d| *d <= 1.0 / n as f64 + 1e-9), "{found:?}");
    }

    /// The test that once found seeds that depended on each other: pairs of draws in 20 x 20 cells.
    #[test]
    fn neighbouring_trials_are_independent() {
        let design = design(&["0..1", "0..1"], 20_000, 1);
        let cell = |x: f64| ((20.0 * x) as usize).min(19);
        let (first, second) = (numbers(&design, 0), numbers(&design, 1));
        let seeds: Vec<f64> = (0..20_000).map(|i| design.point(i).seed as f64 / (1_u64 << 53) as f64).collect();
        let pairs: [(&[f64], &[f64], usize); 4] =
            [(&first, &first, 1), (&first, &second, 0), (&first, &seeds, 0), (&seeds, &seeds, 1)];
        for (a, b, shift) in pairs {
            let mut cells = [0.0; 400];
            for i in 0..20_000 - shift {
                cells[20 * cell(a[i]) + cell(b[i + shift])] += 1.0;
            }
            let chi_squared: f64 = cells.iter().map(|n| (n - 50.0) * (n - 50.0) / 50.0).sum();
            // At most 399 degrees of freedom: mean 399, standard deviation 28.2; strata make 38 of them vanish.
            assert!((chi_squared - 399.0).abs() < 5.0 * 28.2, "{chi_squared}");
        }
    }

    #[test]
    fn plans_that_cannot_be_are_refused() {
        let many = design(&["0..1:1000000", "0..1:1000000"], 1, 1);
        assert_eq!(many.check(None), Err(DesignError::TooMany(1e12)));
        assert!(matches!(design(&["0..1"], 1, 1).check(None), Err(DesignError::NoSamples(_))));
        assert_eq!(design(&["0..1:3"], 5, 1).check(Some(5)), Err(DesignError::NothingDrawn));
        let mut twice = design(&["1", "1"], 1, 1);
        twice.axes[1].0 = "0".to_owned();
        assert!(matches!(twice.check(None), Err(DesignError::Twice(_))));
        assert_eq!(design(&["0..1", "1,2"], 5, 2).check(Some(5)), Ok(()));
    }
}
