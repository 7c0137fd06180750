//! Bodies that follow unalterable trajectories (section 2.5).

use super::bounds::{Range, SpinBounds};
use super::{Acceleration, Cycle, Keyframes, State};
use crate::geometry::Aabb;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A motion that no impact changes: the body acts as if infinitely heavy.
///
/// ```
/// use impulse::prelude::*;
///
/// let script = Scripted::from(Cycle::oscillator(Pose::IDENTITY, DVec3::Z * 0.01, 100.0)?);
/// let anvil = BodySpec::scripted("anvil", Cuboid::new(DVec3::splat(0.1))?, script);
/// assert!(matches!(anvil.motion, MotionSpec::Scripted { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Scripted {
    /// Spinner, linear oscillation or cycler.
    Cycle(Cycle),
    /// Through poses at times.
    Keyframes(Keyframes),
}

/// When a periodic script passes which angle; by default angle zero at time zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// A time, s.
    pub start: f64,
    /// The angle at that time, rad.
    pub phase: f64,
}

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
    /// A rotation that is none.
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

impl Scripted {
    pub(super) fn state_at(&self, t: f64) -> State {
        match self {
            Self::Cycle(cycle) => cycle.state_at(t),
            Self::Keyframes(keys) => keys.state_at(t),
        }
    }

    pub(super) fn acceleration_at(&self, t: f64) -> Acceleration {
        match self {
            Self::Cycle(cycle) => cycle.acceleration_at(t),
            Self::Keyframes(keys) => keys.acceleration_at(t),
        }
    }

    pub(super) fn known_until(&self, t: f64) -> f64 {
        match self {
            Self::Cycle(_) => f64::INFINITY,
            Self::Keyframes(keys) => keys.known_until(t),
        }
    }

    pub(super) fn swept(&self, times: Range) -> Aabb {
        match self {
            Self::Cycle(cycle) => cycle.swept(times),
            Self::Keyframes(keys) => keys.swept(times),
        }
    }

    pub(super) fn velocity_along(&self, d: DVec3, times: Range) -> Range {
        match self {
            Self::Cycle(cycle) => cycle.velocity_along(d, times),
            Self::Keyframes(keys) => keys.velocity_along(d, times),
        }
    }

    pub(super) fn acceleration_along(&self, d: DVec3, times: Range) -> Range {
        match self {
            Self::Cycle(cycle) => cycle.acceleration_along(d, times),
            Self::Keyframes(keys) => keys.acceleration_along(d, times),
        }
    }

    pub(super) fn accelerations(&self, times: Range) -> [Range; 3] {
        match self {
            Self::Cycle(cycle) => cycle.accelerations(times),
            Self::Keyframes(keys) => DVec3::AXES.map(|d| keys.acceleration_along(d, times)),
        }
    }

    pub(super) fn spin_bounds(&self, times: Range) -> SpinBounds {
        match self {
            Self::Cycle(cycle) => cycle.spin_bounds(),
            Self::Keyframes(keys) => keys.spin_bounds(times),
        }
    }
}

impl From<Cycle> for Scripted {
    fn from(cycle: Cycle) -> Self {
        Self::Cycle(cycle)
    }
}

impl From<Keyframes> for Scripted {
    fn from(keyframes: Keyframes) -> Self {
        Self::Keyframes(keyframes)
    }
}
