//! Recurring instants at which the world hands control back: ticks for controllers, samples for observers (section 5.4).

use super::error::ActError;
use super::step::{Pending, World};
use serde::{Deserialize, Serialize};

/// A clock of a world. The id of a clock that was removed is never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClockId(pub(super) u32);

/// What a clock is for; at equal times all impacts come first, then ticks, then samples: a sample sees what a tick did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClockKind {
    /// Somebody wants to act on bodies.
    Tick,
    /// Somebody wants to see their states.
    Sample,
}

/// When a clock strikes: at `start + k period` for `k = 0, 1, ...`, computed by that formula.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockSpec {
    /// What for.
    pub kind: ClockKind,
    /// When it strikes first, s; times before now are passed over.
    pub start: f64,
    /// Time from stroke to stroke, s.
    pub period: f64,
}

/// One stroke of a clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Whose.
    pub clock: ClockId,
    /// The number `k` of the stroke.
    pub count: u64,
    /// `start + k period`, s: now.
    pub time: f64,
}

/// A clock in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) spec: ClockSpec,
    /// Number of the next stroke.
    pub(super) count: u64,
    /// The queue's slot of that.
    pub(super) slot: u32,
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

    /// When it strikes for the `count`-th time, from 0, s.
    pub fn time(&self, count: u64) -> f64 {
        self.start + count as f64 * self.period
    }

    pub(super) fn is_valid(&self) -> bool {
        self.start.is_finite() && self.period > 0.0 && self.period.is_finite()
    }

    pub(super) fn pending(&self, clock: u32) -> Pending {
        match self.kind {
            ClockKind::Tick => Pending::Tick(clock),
            ClockKind::Sample => Pending::Sample(clock),
        }
    }

    /// The first stroke not before a time.
    fn first_from(&self, time: f64) -> u64 {
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

impl World {
    /// Adds a clock, whose strokes [`World::step`] and [`World::run_until`] hand back. A clock that starts now strikes now.
    pub fn add_clock(&mut self, spec: ClockSpec) -> Result<ClockId, ActError> {
        if !spec.is_valid() || spec.start + spec.period <= spec.start || self.now + spec.period <= self.now {
            return Err(ActError::Clock { start: spec.start, period: spec.period });
        }
        let number = self.clocks.len() as u32;
        let count = spec.first_from(self.now);
        let slot = self.queue.insert(spec.time(count), spec.pending(number));
        self.clocks.push(Some(Clock { spec, count, slot }));
        Ok(ClockId(number))
    }

    /// Removes a clock.
    pub fn remove_clock(&mut self, clock: ClockId) -> Result<(), ActError> {
        let removed = self.clocks.get_mut(clock.0 as usize).and_then(Option::take).ok_or(ActError::NoSuchClock)?;
        self.queue.remove(removed.slot);
        Ok(())
    }

    /// A clock's stroke has come: the next one is queued.
    pub(super) fn strike(&mut self, number: u32) -> Stroke {
        let clock = self.clocks[number as usize].as_mut().expect("a removed clock is not queued");
        let stroke = Stroke { clock: ClockId(number), count: clock.count, time: self.now };
        clock.count += 1;
        self.counters.strokes += 1;
        self.queue.update(clock.slot, clock.spec.time(clock.count));
        stroke
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stroke_is_the_least_not_before_now() {
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
