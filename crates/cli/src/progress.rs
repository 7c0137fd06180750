//! Progress display, on terminals only.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two updates.
const PAUSE: Duration = Duration::from_millis(250);

/// A line on standard error that is overwritten with each update.
pub(crate) struct Progress {
    /// When the next update is due; `None` if nothing is displayed.
    due: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// Displays nothing if `quiet`, or if standard error is not a terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let seen = !quiet && std::io::stderr().is_terminal();
        Self { due: seen.then(|| Instant::now() + PAUSE), shown: false }
    }

    /// Updates the line if an update is due.
    pub(crate) fn at(&mut self, so_far: impl FnOnce() -> String) {
        if self.due.is_some_and(|due| due <= Instant::now()) {
            self.now(so_far);
        }
    }

    /// Updates the line at once.
    pub(crate) fn now(&mut self, so_far: impl FnOnce() -> String) {
        if self.due.is_some() {
            // A display that fails is not worth an error.
            let _ = write!(std::io::stderr(), "\r{}\x1b[K", so_far());
            (self.due, self.shown) = (Some(Instant::now() + PAUSE), true);
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
