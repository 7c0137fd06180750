//! Two bodies whose boxes overlap (section 2.4.3).

use super::settings::Settings;
use crate::geometry::closest::PairCache;
use crate::respond::Material;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What is known about a pair while it is close: one cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Pair {
    /// The bodies, the smaller number first.
    pub(super) items: [u32; 2],
    /// Its event in the queue.
    pub(super) slot: u32,
    /// Whether that event is parked.
    pub(super) parked: bool,
    /// Distance at which the bodies touch, m.
    pub(super) touch: f64,
    /// What their surfaces do to each other.
    pub(super) material: Material,
    /// What the distance query remembers; two balls need nothing.
    pub(super) cache: Option<Box<PairCache>>,
    /// What held the bodies apart in the last hop.
    pub(super) held: Option<Box<Held>>,
}

/// Impulses of the last hop of a pair in lasting contact: where the next one begins.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Held {
    /// When, s.
    pub(super) time: f64,
    /// How long the flight was meant to last, s.
    pub(super) length: f64,
    /// The points at which they touch.
    pub(super) points: Vec<HeldPoint>,
    /// Angular impulses on the first body that resisted rotation, world frame, N m s.
    pub(super) couples: Vec<DVec3>,
}

/// A point of such a contact, world frame.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct HeldPoint {
    /// Metres.
    pub(super) at: DVec3,
    /// Unit vector from the second body to the first.
    pub(super) normal: DVec3,
    /// On the first body, N s.
    pub(super) impulse: DVec3,
    /// Mean velocity of the first body relative to the second, across the normal, m/s.
    pub(super) slip: DVec3,
}

/// Velocity, relative to that of a hop, below which bodies neither approach nor part.
const UNDECIDED: f64 = 1e-9;

/// Rounding of velocities, relative to the bodies' own.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Settings {
    /// Height of the hops of bodies that touch at this distance, both in m.
    pub(super) fn envelope_of(&self, touch: f64) -> f64 {
        touch * (self.envelope / self.touch)
    }

    /// Velocity (m/s) that rounding and the tolerance of hops leave undecided, given the bodies' velocities and the distance
    /// (m) at which they touch.
    pub(super) fn noise(&self, touch: f64, velocities: [DVec3; 2]) -> f64 {
        let fastest = velocities[0].abs().max(velocities[1].abs()).max_element();
        let hop = (2.0 * self.gravity.length() * self.envelope_of(touch)).sqrt();
        UNDECIDED * hop + ROUNDING * fastest
    }
}
