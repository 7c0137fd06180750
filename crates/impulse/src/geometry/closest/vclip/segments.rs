//! Closest points of two line segments, for edge pairs (section 2.2.1).

use crate::geometry::ConvexPolyhedron;
use glam::DVec3;

/// A line segment.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    pub(super) tail: DVec3,
    /// Unit vector.
    pub(super) direction: DVec3,
    /// Length, m.
    pub(super) length: f64,
}

/// An edge of a body as a segment.
pub(super) fn segment(body: &ConvexPolyhedron, edge: u32) -> Segment {
    let edge = &body.edges()[edge as usize];
    Segment { tail: body.vertices()[edge.tail as usize], direction: edge.direction(), length: edge.length }
}

/// Closest points of two segments.
pub(super) struct NearestPoints {
    pub(super) on_p: DVec3,
    pub(super) on_q: DVec3,
    /// Distance of `on_q` from the tail of `q`, m.
    pub(super) along_q: f64,
    /// Whether both are inner points of segments that are not parallel, so that both segments are perpendicular to their
    /// difference.
    pub(super) inner: bool,
    /// Square of the sine of the angle between the segments.
    pub(super) squared_sine: f64,
}

/// Closest points of two segments.
///
/// The place where `p` comes closest to the line of `q` is found from heights over the plane through `q` that is perpendicular
/// to both: without products of lengths, the distance keeps its digits at any angle.
pub(super) fn nearest(p: &Segment, q: &Segment) -> NearestPoints {
    let perpendicular = |v: DVec3| v - q.direction * v.dot(q.direction);
    let (between, across) = (perpendicular(p.tail - q.tail), perpendicular(p.direction));
    let squared_sine = across.length_squared();
    let crossed = squared_sine > f64::EPSILON * f64::EPSILON;
    let at = if crossed {
        -across.dot(between) / squared_sine
    } else {
        // Parallel: the middle of the part where they face each other.
        let ends = [0.0, q.length].map(|t| p.direction.dot(q.tail + q.direction * t - p.tail).clamp(0.0, p.length));
        0.5 * (ends[0] + ends[1])
    };
    let on_line = at.clamp(0.0, p.length);
    let facing = q.direction.dot(p.tail + p.direction * on_line - q.tail);
    let t = facing.clamp(0.0, q.length);
    let on_q = q.tail + q.direction * t;
    let inner = crossed && on_line == at && t == facing;
    let s = if inner { at } else { p.direction.dot(on_q - p.tail).clamp(0.0, p.length) };
    NearestPoints { on_p: p.tail + p.direction * s, on_q, along_q: t, inner, squared_sine }
}
