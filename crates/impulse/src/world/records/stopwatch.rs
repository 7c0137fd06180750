//! Where the time of a run goes: detection, response, motion, control (section 7.4, table 7.2).
//!
//! The engine has no clock. A caller that wants to know lends one: it is read where one phase of the work gives way to another,
//! and nothing that happens depends on what it says.

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Broad phase, distances, times of impact, the queue.
    Detection,
    /// Impulses of impacts and hops.
    Response,
    /// States and boxes of bodies, and launching them anew.
    Motion,
    /// What the caller does after a tick.
    Control,
    /// What the caller does at other times.
    Outside,
}

/// Time spent in each part of the work, in units of the clock that was lent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PhaseTimes {
    /// Broad phase, distances, times of impact with the states they ask for, the queue.
    pub detection: u64,
    /// Impulses of impacts, and of hops with the flights they try.
    pub response: u64,
    /// States and boxes of bodies, launching them anew, and the account of rest.
    pub motion: u64,
    /// From every tick that was handed back until the next step: the controllers' time.
    pub control: u64,
}

impl PhaseTimes {
    /// All together.
    pub fn total(&self) -> u64 {
        self.detection + self.response + self.motion + self.control
    }
}

/// A clock that was lent, and what it said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    clock: Option<fn() -> u64>,
    phase: Phase,
    /// When that phase began.
    since: u64,
    pub(crate) times: PhaseTimes,
}

impl Stopwatch {
    /// Measures by a clock from now on, or nothing.
    pub(crate) fn new(clock: Option<fn() -> u64>) -> Self {
        Self { clock, ..Self::NONE }
    }

    /// Measures nothing.
    pub(crate) const NONE: Self = Self {
        clock: None,
        phase: Phase::Outside,
        since: 0,
        times: PhaseTimes { detection: 0, response: 0, motion: 0, control: 0 },
    };

    /// Another phase begins; gives the one that ends.
    #[inline]
    pub(crate) fn enter(&mut self, phase: Phase) -> Phase {
        match self.clock {
            Some(clock) => self.switch(phase, clock()),
            None => phase,
        }
    }

    fn switch(&mut self, phase: Phase, now: u64) -> Phase {
        let elapsed = now.saturating_sub(self.since);
        match self.phase {
            Phase::Detection => self.times.detection += elapsed,
            Phase::Response => self.times.response += elapsed,
            Phase::Motion => self.times.motion += elapsed,
            Phase::Control => self.times.control += elapsed,
            Phase::Outside => {}
        }
        self.since = now;
        std::mem::replace(&mut self.phase, phase)
    }
}

#[cfg(test)]
mod tests {
    use super::{Phase, PhaseTimes, Stopwatch};
    use std::cell::Cell;

    thread_local!(static NOW: Cell<u64> = const { Cell::new(100) });

    fn clock() -> u64 {
        NOW.get()
    }

    #[test]
    fn time_is_that_of_the_phase_it_passed_in() {
        let mut stopwatch = Stopwatch { clock: Some(clock), ..Stopwatch::NONE };
        let mut pass = |phase: Phase, time: u64| {
            let before = stopwatch.enter(phase);
            NOW.set(NOW.get() + time);
            before
        };
        assert_eq!(pass(Phase::Detection, 3), Phase::Outside);
        assert_eq!(pass(Phase::Motion, 5), Phase::Detection);
        assert_eq!(pass(Phase::Detection, 7), Phase::Motion);
        assert_eq!(pass(Phase::Response, 11), Phase::Detection);
        assert_eq!(pass(Phase::Control, 13), Phase::Response);
        assert_eq!(pass(Phase::Outside, 17), Phase::Control);
        assert_eq!(stopwatch.enter(Phase::Detection), Phase::Outside);
        let wanted = PhaseTimes { detection: 10, response: 11, motion: 5, control: 13 };
        assert_eq!((stopwatch.times, wanted.total()), (wanted, 39));
    }
}
