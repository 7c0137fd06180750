//! Poisson's law (3.1): restitution delivers `e` times the normal impulse of compression.

use super::goal::{Goal, Normal};

pub(super) fn goal(e: f64, compressed: &Normal) -> Goal {
    Goal::Impulse((1.0 + e) * compressed.impulse)
}
