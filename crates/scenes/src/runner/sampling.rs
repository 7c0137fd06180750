//! When a run is sampled: at the multiples of a period.
//!
//! Samples are not events of the world, so that runs with and without them count the same work.

use serde::{Deserialize, Serialize};

/// A time at which a run is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of the sample, counted from 0 at time zero.
    pub number: u64,
    /// Its time: the number times the period, s.
    pub time: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sampling {
    period: f64,
    /// Number of the next sample.
    number: u64,
}

impl Sampling {
    /// Samples that are not before `now`. `None` if the period is not positive, or lost in rounding beside `now`.
    pub(super) fn new(period: f64, now: f64) -> Option<Self> {
        if !(period > 0.0 && period.is_finite() && now + period > now) {
            return None;
        }
        let mut sampling = Self { period, number: libm::floor(now / period).max(0.0) as u64 };
        while sampling.next().time < now {
            sampling.number += 1;
        }
        Some(sampling)
    }

    /// The next sample.
    pub(super) fn next(&self) -> Sample {
        Sample { number: self.number, time: self.number as f64 * self.period }
    }

    /// The next sample, which is then past.
    pub(super) fn take(&mut self) -> Sample {
        let sample = self.next();
        self.number += 1;
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::Sampling;

    #[test]
    fn the_first_sample_is_not_before_now() {
        let first = |period, now| Sampling::new(period, now).map(|sampling| sampling.next().number);
        assert_eq!([first(0.1, 0.0), first(0.1, 0.3), first(0.1, 0.31)], [Some(0), Some(3), Some(4)]);
        assert_eq!([first(0.0, 0.0), first(f64::NAN, 0.0), first(1e-9, 1e9)], [None; 3]);
    }
}
