//! Stronge's law (Assumption 2): restitution returns the share `e^2` of the normal work done in compression.

use super::goal::{Normal, NormalGoal};

pub(super) fn goal(e: f64, compressed: &Normal) -> NormalGoal {
    NormalGoal::Work((1.0 - e) * (1.0 + e) * compressed.work)
}
