//! How far a run has come, on a terminal only.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two lines.
const PAUSE: Duration = Duration::from_millis(250);

/// A line on standard error that is written over again and again.
pub(super) struct Progress {
    until: f64,
    /// When the next line is due; `None` where nobody looks.
    due: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// For a run of `until` simulated seconds; silent if it is to be or where standard error is no terminal.
    pub(super) fn new(until: f64, quiet: bool) -> Self {
        let seen = !quiet && std::io::stderr().is_terminal();
        Self { until, due: seen.then(|| Instant::now() + PAUSE), shown: false }
    }

    /// Says that the run has come to a time.
    pub(super) fn at(&mut self, time: f64, collisions: u64) {
        let now = Instant::now();
        if self.due.is_some_and(|due| due <= now) {
            // What cannot be shown is not worth a failure.
            let _ = write!(std::io::stderr(), "\r{time:.3} of {} s, {collisions} collisions\x1b[K", self.until);
            (self.due, self.shown) = (Some(now + PAUSE), true);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
