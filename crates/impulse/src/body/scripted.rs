//! Bodies that follow unalterable trajectories (section 2.5).

use super::bounds::{Range, SpinBounds};
use super::script_error::ScriptError;
use super::{Acceleration, Cycle, Keyframe, Keyframes, State};
use crate::geometry::Aabb;
use crate::math::Pose;
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

impl Scripted {
    /// The same motion within a frame: what it did along world axes it does along those of the frame.
    pub fn moved(&self, world_from_frame: &Pose) -> Result<Self, ScriptError> {
        match self {
            Self::Cycle(cycle) => cycle.moved(world_from_frame).map(Self::from),
            Self::Keyframes(keys) => {
                let moved =
                    |key: Keyframe| Keyframe { world_from_body: *world_from_frame * key.world_from_body, ..key };
                Keyframes::new(&keys.keys().into_iter().map(moved).collect::<Vec<_>>()).map(Self::from)
            }
        }
    }

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
