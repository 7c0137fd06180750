//! Two bodies whose boxes overlap (section 2.4.3).

use crate::geometry::closest::PairCache;
use crate::respond::Material;

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
    /// Height of a microcollision's hop, m.
    pub(super) envelope: f64,
    /// What their surfaces do to each other.
    pub(super) material: Material,
    /// What the distance query remembers; two balls need nothing.
    pub(super) cache: Option<Box<PairCache>>,
}
