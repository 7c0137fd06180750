//! What the broad phase stores: boxes that move or do not (section 2.4.2).

use crate::geometry::Aabb;

/// Whether an item can move; pairs of two fixed items are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mobility {
    /// Never moves.
    Fixed,
    /// Moves, or may be moved.
    Movable,
}

/// A stored item; it fills one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Item {
    pub(super) bounds: Aabb,
    pub(super) mobility: Mobility,
}
