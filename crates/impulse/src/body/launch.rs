//! How a motion begins, and what acts on it.

use super::state::State;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A state at a time, from which a motion starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    /// Seconds.
    pub time: f64,
    /// Body frame: the principal frame.
    pub state: State,
}

/// What acts on a body until changed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// Acceleration of the centre of mass by gravity and force together, world frame, m/s^2.
    pub acceleration: DVec3,
    /// Torque about the centre of mass, world frame, N m.
    pub torque: DVec3,
}
