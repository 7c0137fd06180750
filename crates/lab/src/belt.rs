//! The belt of section 7.5.3: parts are dropped from the poses in which the last drop left them.
//!
//! The thesis feeds results back into starts and waits. That converges to the distribution which the matrix P(i to j) of drops
//! from every pose leaves as it is, so we count the matrix. It is also what gate design needs (section 7.5.5).

use crate::quasi_static::quasi_static;
use crate::stationary::{stationary, variances};
use crate::statistics::wilson;
use crate::study::{Estimate, Sample, Study};

/// The matrix of a belt and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Belt {
    /// How often drops from pose i (row) ended in pose j (column).
    pub counts: Vec<Vec<u64>>,
    /// The rows as shares. A pose from which no drop was decided stays.
    pub transitions: Vec<Vec<f64>>,
    /// The distribution in the long run.
    pub estimates: Vec<Estimate>,
}

impl Belt {
    /// Counts a sample of drops from every pose in turn.
    pub fn new(study: &Study<'_>, sample: &Sample) -> Self {
        let mut counts = vec![vec![0; sample.poses]; sample.poses];
        for (i, _, pose) in sample.decided() {
            counts[i % sample.poses][pose] += 1;
        }
        Self::of_counts(counts, &quasi_static(study.landscape), study.quantile)
    }

    /// The belt of a counted matrix. `start` is how the first parts lie: it matters only where some poses are never reached from others.
    pub fn of_counts(counts: Vec<Vec<u64>>, start: &[f64], quantile: f64) -> Self {
        let drops: Vec<u64> = counts.iter().map(|row| row.iter().sum()).collect();
        let share = |i: usize, j: usize| match drops[i] {
            0 => f64::from(u8::from(i == j)),
            n => counts[i][j] as f64 / n as f64,
        };
        let all = 0..counts.len();
        let transitions: Vec<Vec<f64>> = all.clone().map(|i| all.clone().map(|j| share(i, j)).collect()).collect();
        let shares = stationary(&transitions, start);
        let total: u64 = drops.iter().sum();
        let estimate = |(&probability, variance): (&f64, f64)| {
            // Wilson's interval for as many drops as would give a share this variance.
            let drops = (probability * (1.0 - probability) / variance).min(total as f64);
            let drops = if drops.is_finite() { drops } else { total as f64 };
            Estimate { probability, interval: wilson(probability, drops, quantile) }
        };
        let estimates = shares.iter().zip(variances(&transitions, &shares, &drops)).map(estimate).collect();
        Self { counts, transitions, estimates }
    }

    /// The interval of an entry of the matrix.
    pub fn interval(&self, from: usize, to: usize, quantile: f64) -> [f64; 2] {
        let drops: u64 = self.counts[from].iter().sum();
        wilson(self.transitions[from][to], drops as f64, quantile)
    }

    /// Sets of poses that no drop left: with more than one, the distribution depends on how the first parts lie.
    pub fn closed_classes(&self) -> Vec<Vec<usize>> {
        let all = 0..self.counts.len();
        let reached: Vec<Vec<bool>> = all.clone().map(|i| self.reached_from(i)).collect();
        // A class is closed if whatever it reaches leads back; it is listed once, by its first pose.
        let is_closed = |i: &usize| all.clone().all(|j| !reached[*i][j] || reached[j][*i]);
        let class = |i: usize| -> Vec<usize> { all.clone().filter(|&j| reached[i][j]).collect() };
        all.clone()
            .filter(is_closed)
            .map(|i| (i, class(i)))
            .filter(|(i, class)| class[0] == *i)
            .map(|(_, c)| c)
            .collect()
    }

    fn reached_from(&self, start: usize) -> Vec<bool> {
        let mut reached = vec![false; self.counts.len()];
        let mut open = vec![start];
        reached[start] = true;
        while let Some(i) = open.pop() {
            for (j, reached) in reached.iter_mut().enumerate() {
                if self.counts[i][j] > 0 && !*reached {
                    *reached = true;
                    open.push(j);
                }
            }
        }
        reached
    }
}
