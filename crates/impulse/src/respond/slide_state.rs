//! The state of sliding between two panels of its path (3.3).

use super::restitution::Normal;
use glam::DVec2;

/// The state of sliding at some time of an impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sliding {
    /// Unit vector along `u_t`.
    pub direction: DVec2,
    /// `|u_t|`, m/s.
    pub speed: f64,
    pub normal: Normal,
}
