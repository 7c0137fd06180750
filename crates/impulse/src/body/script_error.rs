//! Why a script is invalid.

use glam::DVec3;

/// Why a script is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ScriptError {
    /// The axis has no direction.
    #[error("the axis {0} has no direction: give a vector of finite, nonzero length")]
    Axis(DVec3),
    /// A number is not finite.
    #[error("a pose, length, rate or time of the script is not a finite number")]
    NotFinite,
    /// Not enough keyframes.
    #[error("{0} keyframes do not make a motion: give at least two")]
    TooFewKeyframes(usize),
    /// Keyframes not in order.
    #[error(
        "keyframe {index} (from 0), at {time} s, is not later than the one before it: sort them and remove duplicates"
    )]
    KeyframeOrder {
        /// Which one.
        index: usize,
        /// Its time, s.
        time: f64,
    },
    /// Keyframes too far apart in orientation.
    #[error("the body turns too far between keyframes {index} and {} (from 0): add a keyframe between them", index + 1)]
    KeyframeTurn {
        /// The first of the two.
        index: usize,
    },
}
