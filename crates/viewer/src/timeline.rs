//! A run that goes ahead of whoever looks at it, and what is remembered of it.

use crate::keyframes::Keyframes;
use crate::notes::Notes;
use crate::samples::Samples;
use impulse_scenes::Runner;
use impulse_scenes::acts::{Act, Deed};
use impulse_scenes::runner::{Pause, RunnerError};
use std::sync::Arc;

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
    /// It does not run beyond this time, s: the future of a body that is held is not known yet.
    limit: f64,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// To the end.
    Finished,
    /// There is more to do.
    Underway,
    /// There is more to do, but not yet.
    Held,
    /// It cannot go on.
    Failed,
}

impl Timeline {
    /// A run from its beginning to a time, s, with a limit for keyframes, bytes.
    pub fn new(runner: Runner, end: f64, memory: usize) -> Self {
        let keyframes = Keyframes::new(&runner, memory);
        let samples = Samples::new(runner.world(), end);
        Self { frontier: runner, end, keyframes, notes: Notes::default(), samples, failure: None, limit: f64::INFINITY }
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
            _ if self.frontier.is_finished() => Progress::Finished,
            None => Progress::Finished,
            Some(_) if self.time() >= self.limit => Progress::Held,
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

    /// Lets it run no farther than a time, s.
    pub fn set_limit(&mut self, limit: f64) {
        self.limit = limit;
    }

    /// Does something at a time, s, at most as late as the run has come: what was to come after is forgotten. If it cannot be done,
    /// nothing is changed.
    pub fn act(&mut self, time: f64, deed: Deed) -> Result<(), RunnerError> {
        let time = time.clamp(0.0, self.time());
        let mut acts: Vec<Act> = self.frontier.acts().iter().take_while(|act| act.t <= time).cloned().collect();
        acts.push(Act { t: time, deed });
        let is_now = time >= self.time() && self.failure.is_none();
        let mut runner = if is_now { &self.frontier } else { self.keyframes.before_time(time) }.clone();
        let known = runner.world().counters().events;
        runner.set_acts(&Arc::new(acts));
        let mut notes = Vec::new();
        while runner.step(time)?.is_some() {
            let event = runner.world().counters().events;
            let impacts = runner.world_mut().take_impacts();
            notes.extend(impacts.into_iter().map(|record| (event, record)));
        }
        runner.advance(time, Some(0))?;
        self.keyframes.truncate(time);
        self.notes.truncate(known);
        for (event, record) in notes {
            self.notes.add(event, &record, record.bodies.map(|body| runner.number_of(body)));
        }
        let last = runner.descriptions().count() - 1;
        self.samples.truncate(time, runner.id_of(last).filter(|_| last >= runner.scene().bodies.len()));
        (self.frontier, self.failure) = (runner, None);
        Ok(())
    }

    fn run(&mut self, events: u64) -> Result<(), RunnerError> {
        let mut left = events;
        while let Some(sample) = self.samples.next() {
            let stop = sample.min(self.limit.max(self.time()));
            while left > 0 && self.frontier.step(stop)?.is_some() {
                left -= 1;
                self.note();
            }
            if left == 0 {
                return Ok(());
            }
            if self.frontier.is_finished() {
                return Ok(());
            }
            let reached = self.frontier.advance(stop, Some(0))?;
            debug_assert_eq!(reached, Pause::Reached, "no events are left before the sample");
            if stop < sample {
                return Ok(());
            }
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
        let impacts = world.take_impacts();
        for record in impacts {
            let bodies = record.bodies.map(|body| self.frontier.number_of(body));
            self.notes.add(event, &record, bodies);
        }
    }
}
