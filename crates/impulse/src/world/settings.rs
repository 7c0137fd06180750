//! Every tolerance of the world, with unit, default and what it is for (design of the two lengths: section 3.5 needs both).

use super::error::BuildError;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Gravity, tolerances and what is recorded. Lengths marked "relative" scale with the bodies, so that the defaults suit worlds of
/// any size.
///
/// With serde, settings that are left out have their defaults, and unknown names are refused.
///
/// ```
/// use impulse::prelude::*;
///
/// let settings = Settings { gravity: DVec3::new(0.0, 0.0, -1.62), record_impacts: true, ..Settings::default() };
/// WorldBuilder::new(settings)?;
/// let refused = WorldBuilder::new(Settings { settle_time: -1.0, ..settings });
/// assert!(matches!(refused, Err(BuildError::Setting { name: "settle_time", .. })));
/// # Ok::<(), BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Acceleration of gravity, m/s^2.
    pub gravity: DVec3,
    /// Distance at which bodies touch, relative to the smaller one's bounding radius. Impacts happen at distances above zero and
    /// at most this. Larger values shift impacts in time; smaller ones than 1e-12 drown in rounding.
    pub touch_distance: f64,
    /// How high microcollisions lift at most, relative to the smaller body's bounding radius: what bodies hover by that come to rest.
    /// Larger values make rest cheaper and coarser. With `hop_turn`, hops of more than eight bodies that hang together lift up to 1e-4.
    pub hop_height: f64,
    /// How far bodies that touch each other, and the normals of their contacts, turn in the flight of a hop at most, rad: the error of a
    /// hop goes with its square. Hops are lower where that asks for it, but not lower than 1e-5 bounding radii. As low as that are
    /// the hops of one body alone, on scripted bodies, of linkages, of pairs that lose nothing, and without gravity. `None`: all hops are as high as `hop_height`.
    pub hop_turn: Option<f64>,
    /// Distance a body may fly, in bounding radii, before its box expires. Larger values make fewer expiries and more pairs.
    pub box_travel: f64,
    /// What slow impacts are (section 3.5).
    pub contact: ContactRule,
    /// Whether bodies that controllers act on hop in time with them: a whole number of equal flights from tick to tick. Else hops and ticks
    /// beat, and what a controller feels from tick to tick differs by the share of a hop.
    #[serde(default)]
    pub lock_hops: bool,
    /// How far a body may be from where it was, in bounding radii, and turn, in radians, and still count as settled. Less than
    /// what contact makes bodies hop (`hop_height`) and nothing ever settles; much more and slow motion passes for rest.
    pub settle_distance: f64,
    /// How long it must have been so, s. Together they bound the mean speed of a settled body by `settle_distance / settle_time`
    /// bounding radii per second.
    pub settle_time: f64,
    /// Whether the broad phase compares all boxes instead of hashing them: the reference.
    pub naive_broad_phase: bool,
    /// Whether every impact is recorded.
    pub record_impacts: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            gravity: DVec3::new(0.0, 0.0, -9.81),
            touch_distance: 1e-9,
            hop_height: 1e-3,
            hop_turn: Some(0.05),
            box_travel: 1.0,
            contact: ContactRule::Joint,
            lock_hops: false,
            settle_distance: 1e-3,
            settle_time: 0.1,
            naive_broad_phase: false,
            record_impacts: false,
        }
    }
}

/// Height of hops that are to be as exact as can be afforded, relative to the smaller body's bounding radius.
const LEAST_HOP_HEIGHT: f64 = 1e-5;

/// Height of the hops of many bodies at most, relative to the same: piles that hop higher do not come to rest.
const HOP_HEIGHT_OF_MANY: f64 = 1e-4;

/// Hops higher than this share of a body are no rest.
const LARGEST_HOP_HEIGHT: f64 = 0.1;

impl Settings {
    /// Height of the lowest hops, relative to the smaller body's bounding radius.
    pub(crate) fn least_hop_height(&self) -> f64 {
        if self.hop_turn.is_some() { self.hop_height.min(LEAST_HOP_HEIGHT) } else { self.hop_height }
    }

    /// Height of the hops of many bodies that hang together at most, relative to the smaller body's bounding radius.
    pub(crate) fn hop_height_of_many(&self) -> f64 {
        if self.hop_turn.is_some() { self.hop_height.min(HOP_HEIGHT_OF_MANY) } else { self.hop_height }
    }

    /// Refuses what cannot rule a run.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
        let positive = [
            ("touch_distance", self.touch_distance),
            ("hop_height", self.hop_height),
            ("box_travel", self.box_travel),
            ("settle_distance", self.settle_distance),
            ("settle_time", self.settle_time),
        ];
        for (name, value) in positive {
            if !(value > 0.0 && value.is_finite()) {
                return Err(BuildError::Setting { name, value });
            }
        }
        if let Some(value) = self.hop_turn.filter(|turn| !(*turn > 0.0 && turn.is_finite())) {
            return Err(BuildError::Setting { name: "hop_turn", value });
        }
        if self.hop_height > LARGEST_HOP_HEIGHT {
            return Err(BuildError::Coarse { value: self.hop_height, largest: LARGEST_HOP_HEIGHT });
        }
        if self.gravity.is_finite() {
            Ok(())
        } else {
            Err(BuildError::Setting { name: "gravity", value: self.gravity.length() })
        }
    }
}

/// How contact that lasts is carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactRule {
    /// Hops in which all near points of all bodies in contact get their impulses together.
    #[default]
    Joint,
    /// The thesis' microcollisions, point by point (section 3.5): for comparison. They creep.
    Thesis,
    /// Every impact is an ordinary one: bouncing bodies never come to rest.
    Impacts,
}

#[cfg(test)]
mod tests {
    use super::{BuildError, Settings};

    #[test]
    fn what_cannot_rule_a_run_is_refused() {
        assert_eq!(Settings::default().check().map_err(|e| e.to_string()), Ok(()));
        for hop_height in [0.0, -1e-5, f64::NAN, f64::INFINITY] {
            let refused = Settings { hop_height, ..Settings::default() }.check();
            assert!(matches!(refused, Err(BuildError::Setting { name: "hop_height", .. })), "{refused:?}");
        }
        let coarse = Settings { hop_height: 5.0, ..Settings::default() }.check();
        assert!(matches!(coarse, Err(BuildError::Coarse { .. })), "{coarse:?}");
    }
}
