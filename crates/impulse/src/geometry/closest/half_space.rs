//! Any convex body against a half-space, in closed form (section 2.2): the body's lowest point decides.

use super::proximity::Proximity;
use super::rounded::Rounded;
use crate::geometry::{HalfSpace, Plane};
use crate::math::Pose;

/// A half-space and a convex body.
pub(super) fn half_space_and_convex(first: &HalfSpace, second: &Rounded<'_>, first_from_second: &Pose) -> Proximity {
    let Plane { normal, offset } = first.plane();
    let down = first_from_second.inverse_vector(-normal);
    let lowest = second.core.point(second.core.highest(down, 0), down);
    // The offset is subtracted from the height of the body's origin first: both may be large, the other terms are small.
    let height = normal.dot(first_from_second.translation) - offset - down.dot(lowest) - second.radius;
    let on_second = first_from_second.point(lowest) - normal * second.radius;
    Proximity {
        distance: height.max(0.0),
        on_first: on_second - normal * height,
        on_second,
        normal: -normal,
        overlapping: height <= 0.0,
        steps: 1,
    }
}

/// Two half-spaces are apart only if they face each other.
pub(super) fn half_spaces(first: &HalfSpace, second: &HalfSpace, first_from_second: &Pose) -> Proximity {
    let Plane { normal, offset } = first.plane();
    let facing = first_from_second.vector(second.normal());
    let on_second = first_from_second.point(second.normal() * second.offset());
    let gap = normal.dot(on_second) - offset;
    let apart = gap > 0.0 && facing.distance(-normal) < OPPOSITE_NORMALS;
    Proximity {
        distance: if apart { gap } else { 0.0 },
        on_first: on_second - normal * gap,
        on_second,
        normal: -normal,
        overlapping: !apart,
        steps: 1,
    }
}

/// Normals this close to opposite count as opposite.
const OPPOSITE_NORMALS: f64 = 1e-15;
