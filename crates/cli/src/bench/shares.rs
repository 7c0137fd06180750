//! How a scene's CPU time is divided (thesis table 7.2).

use impulse::world::PhaseTimes;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use std::time::Instant;

/// Shares of the engine's time, with sum 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Shares {
    /// Broad phase, distances and times of impact.
    pub(super) detection: f64,
    /// Impulses of impacts and hops.
    pub(super) response: f64,
    /// Motion of bodies between impacts: forward dynamics, in the thesis' terms.
    pub(super) motion: f64,
    /// Controllers.
    pub(super) control: f64,
}

impl Shares {
    /// `None` if no time was measured.
    pub(super) fn of(times: &PhaseTimes) -> Option<Self> {
        let total = times.total() as f64;
        let share = |time: u64| time as f64 / total;
        (total > 0.0).then(|| Self {
            detection: share(times.detection),
            response: share(times.response),
            motion: share(times.motion),
            control: share(times.control),
        })
    }

    /// Detection, response, motion, control, in percent.
    pub(super) fn percent(&self) -> [f64; 4] {
        [self.detection, self.response, self.motion, self.control].map(|share| 100.0 * share)
    }
}

/// The clock that is lent to worlds, ns. It is wall-clock time, because reading CPU time takes longer than most phases.
pub(super) fn nanoseconds() -> u64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
