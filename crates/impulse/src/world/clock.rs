//! Recurring instants at which the world hands control back: ticks for controllers, samples for observers (section 5.4).

use super::scheduled::Scheduled;
use serde::{Deserialize, Serialize};

/// A clock of a world. The id of a clock that was removed is never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClockId(pub(crate) u32);

/// What a clock is for; at equal times all impacts come first, then ticks, then samples: a sample sees what a tick did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClockKind {
    /// For controllers, which act on bodies.
    Tick,
    /// For observers, which look at bodies.
    Sample,
}

/// When a clock ticks: at `start + k period` for `k = 0, 1, ...`, computed by that formula.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut world = WorldBuilder::new(Settings::default())?.build()?;
/// let clock = world.add_clock(ClockSpec { start: 0.5, ..ClockSpec::sample(0.1) })?;
/// let StopReason::Sample(tick) = world.run_until(1.0, None)? else { return Err("the clock ticks".into()) };
/// assert_eq!((tick.clock, tick.count, tick.time), (clock, 0, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockSpec {
    /// What the clock is for.
    pub kind: ClockKind,
    /// When it ticks first, s; ticks before the present are skipped.
    pub start: f64,
    /// Time from tick to tick, s.
    pub period: f64,
}

/// One tick of a clock.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClockTick {
    /// The clock that ticked.
    pub clock: ClockId,
    /// The number `k` of the tick.
    pub count: u64,
    /// `start + k period`, which is now, s.
    pub time: f64,
}

/// A clock in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) spec: ClockSpec,
    /// Number of the next tick.
    pub(crate) count: u64,
    /// The queue's slot of that.
    pub(crate) slot: u32,
}

impl ClockSpec {
    /// A tick every `period` seconds from time zero on.
    pub fn tick(period: f64) -> Self {
        Self { kind: ClockKind::Tick, start: 0.0, period }
    }

    /// A sample every `period` seconds from time zero on.
    pub fn sample(period: f64) -> Self {
        Self { kind: ClockKind::Sample, start: 0.0, period }
    }

    /// Time of tick number `count`, from 0, s.
    pub fn time(&self, count: u64) -> f64 {
        self.start + count as f64 * self.period
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.start.is_finite() && self.period > 0.0 && self.period.is_finite()
    }

    pub(crate) fn scheduled(&self, clock: u32) -> Scheduled {
        match self.kind {
            ClockKind::Tick => Scheduled::Tick(clock),
            ClockKind::Sample => Scheduled::Sample(clock),
        }
    }

    /// The number of the first tick not before a time.
    pub(crate) fn first_from(&self, time: f64) -> u64 {
        let mut count = libm::ceil((time - self.start) / self.period).max(0.0) as u64;
        // The quotient may have rounded either way.
        while count > 0 && self.time(count - 1) >= time {
            count -= 1;
        }
        while self.time(count) < time {
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tick_is_the_least_not_before_now() {
        for period in [0.1, 1e-3, 0.7, 1.0 / 3.0] {
            let clock = ClockSpec { start: -0.3, ..ClockSpec::tick(period) };
            for k in 0..2000 {
                let exact = clock.time(k);
                assert_eq!(clock.first_from(exact), k);
                assert_eq!(clock.first_from(exact.next_up()), k + 1);
                assert_eq!(clock.first_from(exact.next_down()), k);
            }
        }
        assert_eq!(ClockSpec::tick(0.5).first_from(-7.0), 0);
    }
}
