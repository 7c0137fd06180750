//! Measuring where the time of a run goes (section 7.4, table 7.2).

use super::super::data::World;
use super::stopwatch::{Phase, PhaseTimes, Stopwatch};

impl World {
    /// Measures from now on where time goes, from zero, by a clock that never runs backwards, in any unit; `None` measures
    /// nothing any more. The clock is read several times in every step, and has no part in what happens.
    pub fn set_stopwatch(&mut self, clock: Option<fn() -> u64>) {
        self.records.stopwatch = Stopwatch::new(clock);
    }

    /// Where time went since a clock was lent, up to the end of the last step.
    pub fn phase_times(&self) -> PhaseTimes {
        self.records.stopwatch.times
    }

    /// Does work that belongs to a phase.
    #[inline]
    pub(crate) fn timed<T>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.records.stopwatch.enter(phase);
        let done = work(self);
        self.records.stopwatch.enter(before);
        done
    }
}
