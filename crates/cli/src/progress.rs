//! How far a command has come, on a terminal only.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two lines.
const PAUSE: Duration = Duration::from_millis(250);

/// A line on standard error that is written over again and again.
pub(crate) struct Progress {
    /// When the next line is due; `None` where nobody looks.
    due: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// Silent if it is to be or where standard error is no terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let seen = !quiet && std::io::stderr().is_terminal();
        Self { due: seen.then(|| Instant::now() + PAUSE), shown: false }
    }

    /// Says how far it has come, if that is due.
    pub(crate) fn at(&mut self, so_far: impl FnOnce() -> String) {
        if self.due.is_some_and(|due| due <= Instant::now()) {
            self.now(so_far);
        }
    }

    /// Says at once how far it has come.
    pub(crate) fn now(&mut self, so_far: impl FnOnce() -> String) {
        if self.due.is_some() {
            // What cannot be shown is not worth a failure.
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
