//! The instant that is looked at: a run of its own that begins at the nearest keyframe, with the impacts of the last moments.
//!
//! The state at a time is the one after all events up to it; between events the state of an event is the one right after it.

use crate::timeline::Timeline;
use impulse::world::{Event, ImpactRecord};
use impulse_scenes::Runner;
use impulse_scenes::runner::RunnerError;
use std::collections::VecDeque;

/// A run at some instant.
#[derive(Debug)]
pub struct Cursor {
    runner: Runner,
    /// The last event, if it was run here.
    last: Option<Event>,
    /// Impacts with the numbers of their events ...
    impacts: VecDeque<(u64, ImpactRecord)>,
    /// ... complete since this time, s.
    since: f64,
}

impl Cursor {
    /// At the beginning of a run.
    pub fn new(timeline: &Timeline) -> Self {
        Self::at(timeline, timeline.keyframes.before_event(0))
    }

    fn at(timeline: &Timeline, keyframe: &Runner) -> Self {
        let since = if keyframe.world().counters().events == 0 { f64::NEG_INFINITY } else { keyframe.world().time() };
        let mut runner = keyframe.clone();
        runner.set_acts(timeline.frontier().acts());
        Self { runner, last: None, impacts: VecDeque::new(), since }
    }

    /// The run.
    pub fn runner(&self) -> &Runner {
        &self.runner
    }

    /// Number of the last event.
    pub fn event(&self) -> u64 {
        self.runner.world().counters().events
    }

    /// The last event; `None` at the beginning and right at a keyframe.
    pub fn last(&self) -> Option<&Event> {
        self.last.as_ref()
    }

    /// Takes up what is done from now on; goes back if it has gone beyond that.
    pub(crate) fn renew(&mut self, timeline: &Timeline, time: f64) {
        if self.runner.world().time() >= time {
            *self = Self::at(timeline, timeline.keyframes.before_time(time));
        } else {
            self.runner.set_acts(timeline.frontier().acts());
        }
    }

    /// Goes to a time, s, at most as far as the time line has come, and knows the impacts of a window before it, s.
    pub fn go(&mut self, timeline: &Timeline, time: f64, window: f64) -> Result<(), RunnerError> {
        let time = time.clamp(0.0, timeline.time());
        let from = time - window;
        let near = timeline.keyframes.before_time(from);
        let world = self.runner.world();
        let is_past = world.time() > time || self.since > from;
        if is_past || world.counters().events < near.world().counters().events {
            *self = Self::at(timeline, near);
        }
        while self.step(time)? {}
        self.runner.advance(time, Some(0))?;
        self.forget(from);
        Ok(())
    }

    /// Goes to the instant right after an event, at most as far as the time line has come; event 0 is the beginning.
    pub fn go_to_event(&mut self, timeline: &Timeline, event: u64, window: f64) -> Result<(), RunnerError> {
        let event = event.min(timeline.frontier().world().counters().events);
        let near = timeline.keyframes.before_event(event);
        // Not from the event itself: time may have gone on since.
        if self.event() >= event || self.event() < near.world().counters().events {
            *self = Self::at(timeline, near);
        }
        self.run_to_event(event)?;
        let from = self.runner.world().time() - window;
        let earlier = timeline.keyframes.before_time(from);
        if self.since > from && earlier.world().counters().events < event {
            *self = Self::at(timeline, earlier);
            self.run_to_event(event)?;
        }
        self.forget(from);
        Ok(())
    }

    /// The impacts of a window up to now, s.
    pub fn impacts(&self, window: f64) -> impl Iterator<Item = &(u64, ImpactRecord)> {
        let from = self.runner.world().time() - window;
        self.impacts.iter().filter(move |(_, record)| record.time > from)
    }

    fn run_to_event(&mut self, event: u64) -> Result<(), RunnerError> {
        while self.event() < event && self.step(f64::INFINITY)? {}
        Ok(())
    }

    /// One event, if there is one up to a time.
    fn step(&mut self, until: f64) -> Result<bool, RunnerError> {
        let Some(event) = self.runner.step(until)? else { return Ok(false) };
        self.last = Some(event);
        let number = self.event();
        for record in self.runner.world_mut().take_impacts() {
            self.impacts.push_back((number, record));
        }
        Ok(true)
    }

    fn forget(&mut self, before: f64) {
        while self.impacts.front().is_some_and(|(_, record)| record.time <= before) {
            self.impacts.pop_front();
        }
        self.since = self.since.max(before);
    }
}
