//! Clones of a run at some instants, to go back to: thinned so that they stay within a limit of memory.

use crate::allocation;
use impulse_scenes::Runner;

/// A run as it was.
#[derive(Debug)]
struct Keyframe {
    time: f64,
    /// Events up to then.
    events: u64,
    runner: Runner,
    /// Memory that it takes.
    bytes: usize,
}

/// Keyframes by time; the first is the beginning.
#[derive(Debug)]
pub struct Keyframes {
    kept: Vec<Keyframe>,
    bytes: usize,
    limit: usize,
    /// Of how many offers one is kept.
    stride: u64,
    offers: u64,
}

impl Keyframes {
    /// With the beginning of a run, and a limit of memory in bytes, which the first two may exceed.
    pub fn new(beginning: &Runner, limit: usize) -> Self {
        let mut keyframes = Self { kept: Vec::new(), bytes: 0, limit, stride: 1, offers: 0 };
        keyframes.keep(beginning);
        keyframes
    }

    /// Takes note of a run as it is now; one in so many is kept.
    pub fn offer(&mut self, runner: &Runner) {
        self.offers += 1;
        if self.offers.is_multiple_of(self.stride) && self.kept.last().is_none_or(|last| last.events < events(runner)) {
            self.keep(runner);
            while self.bytes > self.limit && self.kept.len() > 2 {
                self.thin();
            }
        }
    }

    /// Number of keyframes.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Never: the beginning is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Memory that they take, bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The last one not after a time.
    pub(crate) fn before_time(&self, time: f64) -> &Runner {
        let after = self.kept.partition_point(|k| k.time <= time);
        &self.kept[after.saturating_sub(1)].runner
    }

    /// The last one before an event has happened; the beginning for event 0.
    pub(crate) fn before_event(&self, event: u64) -> &Runner {
        let after = self.kept.partition_point(|k| k.events < event);
        &self.kept[after.saturating_sub(1)].runner
    }

    /// Forgets those after a time.
    pub(crate) fn truncate(&mut self, time: f64) {
        self.kept.truncate(self.kept.partition_point(|k| k.time <= time).max(1));
        self.bytes = self.kept.iter().map(|k| k.bytes).sum();
    }

    fn keep(&mut self, runner: &Runner) {
        let before = allocation::bytes();
        let runner = runner.clone();
        let bytes = allocation::bytes().saturating_sub(before) + size_of::<Keyframe>();
        self.bytes += bytes;
        self.kept.push(Keyframe { time: runner.world().time(), events: events(&runner), runner, bytes });
    }

    /// Drops every other one, and keeps half as many from now on.
    fn thin(&mut self) {
        let mut number = 0;
        self.kept.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        self.bytes = self.kept.iter().map(|k| k.bytes).sum();
        self.stride *= 2;
    }
}

fn events(runner: &Runner) -> u64 {
    runner.world().counters().events
}
