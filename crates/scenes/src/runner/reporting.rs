//! A run with the reports of its script: looks at regular times, impacts counted, ended where the script says so.

use super::{Pause, Runner, RunnerError};
use crate::scene::{Look, Reported, Reports};
use impulse::world::Event;

/// Events between two questions whether to stop.
const BATCH: u64 = 10_000;

/// How a run with reports ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Why.
    pub end: End,
    /// The reports in the order of the script.
    pub reported: Vec<Reported>,
}

/// Why a run with reports ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its time was over.
    Duration,
    /// A condition of `finish` held.
    Finished,
    /// It had as many events as it was allowed.
    Limit,
    /// Its caller stopped it.
    Stopped,
    /// A behaviour failed.
    Failed,
}

impl End {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::Finished => "finished",
            Self::Limit => "limit",
            Self::Stopped => "timeout",
            Self::Failed => "failed",
        }
    }
}

/// When a run is looked at: first at its beginning, then each time so long after the last, and at its end.
#[derive(Clone, Copy, Debug)]
pub struct Looks {
    every: Option<f64>,
    /// How long before the end the last window begins, s.
    window: Option<f64>,
    next: f64,
}

impl Looks {
    /// For a run that begins now.
    pub fn new(reports: &Reports, now: f64) -> Self {
        Self { every: reports.look_every(), window: reports.last_window(), next: now }
    }

    /// The time of the next look, or the end if that is earlier.
    pub fn next(&self, until: f64) -> f64 {
        match (self.every, self.window) {
            (Some(_), _) => self.next.min(until),
            // Nothing is asked before the end, but means are taken over the time before it.
            (None, Some(window)) if self.next < until - window => until - window,
            _ => until,
        }
    }

    /// Looks, and says whether the run is over: because the script says so, or because it has come to its end.
    pub fn look(&mut self, runner: &mut Runner, reports: &mut Reports, until: f64) -> Option<End> {
        let now = runner.world().time();
        let found = reports.look(runner.world_mut());
        if found == Look::Finished || runner.is_finished() {
            return Some(End::Finished);
        }
        if now >= until {
            return Some(End::Duration);
        }
        reports.begin_window(runner.world());
        self.next = self.every.map_or(now, |every| now + every);
        None
    }
}

impl Runner {
    /// Runs to a time, or until the script says that the run is over, and asks for the script's reports.
    pub fn run_reporting(&mut self, until: f64, reports: Reports) -> Result<Ended, RunnerError> {
        self.run_limited(until, reports, u64::MAX, &|| false)
    }

    /// The same, with at most so many events, and while `stop`, which is asked every so many events, says no.
    pub fn run_limited(
        &mut self,
        until: f64,
        mut reports: Reports,
        limit: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Ended, RunnerError> {
        let mut looks = Looks::new(&reports, self.world().time());
        let mut left = limit;
        let end = loop {
            let arrived = self.tally_to(looks.next(until), &mut reports, left.min(BATCH), &mut left)?;
            if left == 0 {
                break End::Limit;
            }
            if stop() {
                break End::Stopped;
            }
            if !arrived {
                continue;
            }
            if let Some(end) = looks.look(self, &mut reports, until) {
                break end;
            }
        };
        Ok(Ended { end, reported: self.conclude(reports) })
    }

    /// Runs to a time, at most so many events, and counts impacts. Says whether it has arrived.
    fn tally_to(&mut self, time: f64, reports: &mut Reports, most: u64, left: &mut u64) -> Result<bool, RunnerError> {
        if reports.is_empty() {
            let before = self.world().counters().events;
            let paused = self.advance(time, Some(most))?;
            *left = left.saturating_sub(self.world().counters().events - before);
            return Ok(matches!(paused, Pause::Reached | Pause::Finished));
        }
        for _ in 0..most {
            let Some(event) = self.step(time)? else {
                self.advance(time, Some(0))?;
                return Ok(true);
            };
            if let Event::Impact(record) = event {
                reports.tally().note(&record);
            }
            *left -= 1;
        }
        Ok(false)
    }
}
