//! Two bodies whose boxes overlap (section 2.4.3).

use crate::geometry::closest::PairCache;
use crate::respond::Material;
use glam::DVec3;

/// What is known about a pair while it is close.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// The bodies, the smaller number first.
    pub(super) items: [u32; 2],
    /// Its event in the queue.
    pub(super) slot: u32,
    /// Distance at which the bodies touch, m.
    pub(super) touch: f64,
    /// Height of a microcollision's hop, m.
    pub(super) envelope: f64,
    /// Velocity at which the weight of a body sets out on such a hop, m/s.
    pub(super) hop_velocity: f64,
    /// What their surfaces do to each other.
    pub(super) material: Material,
    /// What the distance query remembers; two balls need nothing.
    pub(super) cache: Option<Box<PairCache>>,
    /// What held the bodies apart in the last hop.
    pub(super) held: Held,
}

/// Impulses of the last hop of a pair in lasting contact: where the next one begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    /// When, s.
    pub(super) time: f64,
    /// How long the flight was meant to last, s.
    pub(super) length: f64,
    /// Points and impulses on the first body, world frame, m and N s.
    pub(super) points: Vec<(DVec3, DVec3)>,
}

/// Velocity, relative to that of a hop, below which bodies neither approach nor part.
const UNDECIDED: f64 = 1e-9;

/// Rounding of velocities, relative to the bodies' own.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Pair {
    /// Velocity that rounding and the tolerance of hops leave undecided, m/s, given those of the bodies.
    pub(super) fn noise(&self, velocities: [DVec3; 2]) -> f64 {
        let fastest = velocities[0].abs().max(velocities[1].abs()).max_element();
        UNDECIDED * self.hop_velocity + ROUNDING * fastest
    }
}
