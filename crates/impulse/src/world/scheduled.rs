//! What waits in the event queue.

use super::index::ColliderIndex;

/// An event to come; at equal times in this order, then by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scheduled {
    /// A box expires.
    Expiry(ColliderIndex),
    /// A pair may touch.
    Check([ColliderIndex; 2]),
    /// A clock for controllers ticks.
    Tick(u32),
    /// A controller acts: after the ticks, at which it may get another goal.
    Control(u32),
    /// A clock for observers ticks.
    Sample(u32),
}
