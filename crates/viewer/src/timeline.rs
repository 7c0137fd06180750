//! A run that goes ahead of whoever looks at it, and what is remembered of it.

use crate::keyframes::Keyframes;
use crate::notes::Notes;
use crate::samples::Samples;
use impulse_scenes::Runner;
use impulse_scenes::runner::{Pause, RunnerError};

/// The run so far.
#[derive(Debug)]
pub struct Timeline {
    /// As far as it has come.
    frontier: Runner,
    end: f64,
    pub(crate) keyframes: Keyframes,
    pub(crate) notes: Notes,
    pub(crate) samples: Samples,
    failure: Option<RunnerError>,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// To the end.
    Finished,
    /// There is more to do.
    Underway,
    /// It cannot go on.
    Failed,
}

impl Timeline {
    /// A run from its beginning to a time, s, with a limit for keyframes, bytes.
    pub fn new(runner: Runner, end: f64, memory: usize) -> Self {
        let keyframes = Keyframes::new(&runner, memory);
        let samples = Samples::new(runner.world(), end);
        Self { frontier: runner, end, keyframes, notes: Notes::default(), samples, failure: None }
    }

    /// Runs at most so many events. Call [`Timeline::keep`] now and then.
    pub fn advance(&mut self, events: u64) -> Progress {
        if self.failure.is_none()
            && let Err(failure) = self.run(events)
        {
            self.failure = Some(failure);
        }
        self.progress()
    }

    /// Offers the present state as a keyframe.
    pub fn keep(&mut self) {
        if self.failure.is_none() {
            self.keyframes.offer(&self.frontier);
        }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        match self.samples.next() {
            _ if self.failure.is_some() => Progress::Failed,
            None => Progress::Finished,
            Some(_) => Progress::Underway,
        }
    }

    /// Where it ends, s.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// How far it has come, s.
    pub fn time(&self) -> f64 {
        self.frontier.world().time()
    }

    /// The run as far as it has come.
    pub fn frontier(&self) -> &Runner {
        &self.frontier
    }

    /// Why it cannot go on.
    pub fn failure(&self) -> Option<&RunnerError> {
        self.failure.as_ref()
    }

    fn run(&mut self, events: u64) -> Result<(), RunnerError> {
        let mut left = events;
        while let Some(sample) = self.samples.next() {
            while left > 0 && self.frontier.step(sample)?.is_some() {
                left -= 1;
                self.note();
            }
            if left == 0 {
                return Ok(());
            }
            let reached = self.frontier.advance(sample, Some(0))?;
            debug_assert_eq!(reached, Pause::Reached, "no events are left before the sample");
            self.samples.add(self.frontier.world());
            left -= 1;
        }
        Ok(())
    }

    fn note(&mut self) {
        let world = self.frontier.world_mut();
        if world.impacts().is_empty() {
            return;
        }
        let event = world.counters().events;
        for record in world.take_impacts() {
            self.notes.add(event, &record);
        }
    }
}
