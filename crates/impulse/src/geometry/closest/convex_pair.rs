//! Distance between two convex bodies (section 2.2): which method serves which pair.

use super::closed::{Points, closest_points};
use super::memory::Memory;
use super::proximity::Proximity;
use super::rounded::Rounded;
use super::search::closest_convex_within;
use super::vclip::closest_polyhedra_within;
use crate::math::Pose;
use glam::DVec3;

/// Distance of two bounded convex bodies; may be `None` if it exceeds `limit`.
pub(super) fn closest_parts(
    first: &Rounded<'_>,
    second: &Rounded<'_>,
    first_from_second: &Pose,
    limit: f64,
    memory: &mut Memory,
) -> Option<Proximity> {
    if let (Some(a), Some(b)) = (first.core.polyhedron(), second.core.polyhedron()) {
        let limit = limit + first.radius + second.radius;
        let found = closest_polyhedra_within(a, b, first_from_second, limit, &mut memory.features)?;
        return Some(found.grown(first.radius, second.radius));
    }
    match closest_points(&first.core, &second.core, first_from_second) {
        Some(points) => Some(between(&points).grown(first.radius, second.radius)),
        None => closest_convex_within([first, second], first_from_second, limit, &mut memory.search),
    }
}

/// The result for cores whose closest points are known.
fn between(&Points { a, b }: &Points) -> Proximity {
    let distance = a.distance(b);
    // Cores that intersect overlap deeply, in no particular direction.
    let normal = if distance > 0.0 { (a - b) / distance } else { DVec3::X };
    Proximity { distance, on_first: a, on_second: b, normal, overlapping: distance == 0.0, steps: 1 }
}
