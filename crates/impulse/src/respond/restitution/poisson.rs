//! Poisson's law (3.1): restitution delivers `e` times the normal impulse of compression.

use super::goal::{Normal, NormalGoal};

pub(super) fn goal(e: f64, compressed: &Normal) -> NormalGoal {
    NormalGoal::Impulse((1.0 + e) * compressed.impulse)
}
