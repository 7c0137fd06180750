//! Two colliders whose boxes overlap (section 2.4.3).

use super::index::ColliderIndex;
use super::settings::Settings;
use crate::geometry::closest::PairCache;
use crate::respond::Material;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What is known about a pair while it is close: one cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Pair {
    /// The colliders, the smaller number first.
    pub(crate) colliders: [ColliderIndex; 2],
    /// Its check in the queue.
    pub(crate) slot: u32,
    /// Whether that check is parked: the pair does not meet on its present course.
    pub(crate) parked: bool,
    /// Distance at which the bodies touch, m.
    pub(crate) touch_distance: f64,
    /// What their surfaces do to each other.
    pub(crate) material: Material,
    /// What the distance query remembers; two balls need nothing.
    pub(crate) cache: Option<Box<PairCache>>,
    /// Impulses of the last hop.
    pub(crate) warm_start: Option<Box<WarmStart>>,
}

/// Impulses of the last hop of a pair in lasting contact: the next one begins with them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WarmStart {
    /// When the hop began, s.
    pub(crate) time: f64,
    /// How long its flight was meant to last, s.
    pub(crate) duration: f64,
    /// The points of contact.
    pub(crate) points: Vec<WarmPoint>,
    /// Angular impulses on the first body that resisted rotation, world frame, N m s.
    pub(crate) couples: Vec<DVec3>,
    /// Energy that the points have taken, J.
    pub(crate) lost: f64,
    /// Share of the impulses that stands for the flight to come: half of them in steady contact, all where it began.
    pub(crate) ahead: f64,
}

/// A point of such a contact, world frame.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct WarmPoint {
    /// Metres.
    pub(crate) at: DVec3,
    /// Unit vector from the second body to the first.
    pub(crate) normal: DVec3,
    /// On the first body, N s.
    pub(crate) impulse: DVec3,
    /// Mean velocity of the first body relative to the second, across the normal, m/s.
    pub(crate) slip: DVec3,
}

impl WarmStart {
    /// The point nearest to a place.
    pub(crate) fn nearest(&self, at: DVec3) -> Option<&WarmPoint> {
        self.points.iter().min_by(|p, q| p.at.distance_squared(at).total_cmp(&q.at.distance_squared(at)))
    }
}

/// Share of a hop's velocity below which bodies neither approach nor part.
const HOP_VELOCITY_SHARE: f64 = 1e-9;

/// Rounding of velocities, relative to those of the bodies' surfaces.
const VELOCITY_ROUNDING: f64 = 64.0 * f64::EPSILON;

impl Settings {
    /// Height of the hops of bodies that touch at this distance, both in m: the highest, or the lowest.
    pub(crate) fn hop_height_of(&self, touch_distance: f64, lowest: bool) -> f64 {
        touch_distance * (if lowest { self.least_hop_height() } else { self.hop_height } / self.touch_distance)
    }

    /// Velocity (m/s) below which bodies neither approach nor part: rounding and the tolerance of hops leave it undecided.
    /// Depends on the speeds of the bodies' surfaces and the distance (m) at which they touch.
    pub(crate) fn velocity_tolerance(&self, touch_distance: f64, speeds: [f64; 2]) -> f64 {
        let fastest = speeds[0].max(speeds[1]);
        let hop = (2.0 * self.gravity.length() * self.hop_height_of(touch_distance, true)).sqrt();
        HOP_VELOCITY_SHARE * hop + VELOCITY_ROUNDING * fastest
    }
}
