//! Why a script is invalid.

use glam::DVec3;

/// Why a script is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// The axis has no direction.
    #[error("the axis {0} has no direction: give a vector of finite, nonzero length")]
    Axis(DVec3),
    /// A number is not finite.
    #[error("a pose, length, rate or time of the script is not a finite number")]
    NotFinite,
    /// A rotation that is not rigid.
    #[error(
        "pose {index} (from 0) of the script: its rotation is not a unit quaternion, or its position is beyond 1e60 m; normalise it"
    )]
    NotRigid {
        /// The pose: 0 for the reference pose of a cycle, else the number of the keyframe.
        index: usize,
    },
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
