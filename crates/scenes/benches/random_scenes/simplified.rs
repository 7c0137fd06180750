//! Simpler things: fewer digits, no velocities, no rotation.

use crate::shared::scene::{Thing, UPRIGHT, Way};
use impulse::DVec3;

/// Ways to make a thing simpler.
pub(crate) const STEPS: usize = 5;

/// Makes a thing simpler in one way.
pub(crate) fn thing(thing: &mut Thing, step: usize) {
    match (step, &mut thing.way) {
        (0, Way::Free { spin, .. }) => *spin = DVec3::ZERO,
        (1, Way::Free { velocity, .. }) => *velocity = DVec3::ZERO,
        (2, Way::Free { .. }) => thing.rotation = UPRIGHT,
        (3, Way::Free { velocity, spin, .. }) => (*velocity, *spin) = (rounded(*velocity), rounded(*spin)),
        (4, Way::Free { .. }) => thing.at = rounded(thing.at),
        _ => {}
    }
}

/// With three decimals.
fn rounded(v: DVec3) -> DVec3 {
    (v * 1000.0).round() / 1000.0
}
