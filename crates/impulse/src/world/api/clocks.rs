//! Adding and removing clocks (section 5.4).

use super::super::clock::{Clock, ClockId, ClockSpec, ClockTick};
use super::super::data::World;
use super::super::error::ActError;

impl World {
    /// Adds a clock, whose ticks [`World::step`] and [`World::run_until`] hand back. A clock that starts now ticks now.
    pub fn add_clock(&mut self, spec: ClockSpec) -> Result<ClockId, ActError> {
        if !spec.is_valid() || spec.start + spec.period <= spec.start || self.now + spec.period <= self.now {
            return Err(ActError::Clock { start: spec.start, period: spec.period });
        }
        let number = self.clocks.len() as u32;
        let count = spec.first_from(self.now);
        let slot = self.queue.insert(spec.time(count), spec.scheduled(number));
        self.clocks.push(Some(Clock { spec, count, slot }));
        Ok(ClockId(number))
    }

    /// Removes a clock.
    pub fn remove_clock(&mut self, clock: ClockId) -> Result<(), ActError> {
        let removed = self.clocks.get_mut(clock.0 as usize).and_then(Option::take).ok_or(ActError::NoSuchClock)?;
        self.queue.remove(removed.slot);
        Ok(())
    }

    /// A clock ticks, and its next tick is queued.
    pub(crate) fn tick(&mut self, number: u32) -> ClockTick {
        let clock = self.clocks[number as usize].as_mut().expect("a removed clock is not queued");
        let tick = ClockTick { clock: ClockId(number), count: clock.count, time: self.now };
        clock.count += 1;
        self.records.counters.ticks += 1;
        self.queue.update(clock.slot, clock.spec.time(clock.count));
        tick
    }
}
