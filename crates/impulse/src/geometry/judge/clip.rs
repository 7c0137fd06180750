//! Clipping in floats with an error bound (Moore and Wilhelms 1988, section 2.2, corrected).
//!
//! Why the verdicts hold. Every computed height is wrong by less than the rounding bound. *Apart*: the half-spaces are widened by
//! the bound, so they contain the true set; if two triangulated surfaces met, an edge of one would meet a triangle of the other
//! and survive the clipping, and if one contained the other all its edges would. *Overlapping*: let a point be deeper than the
//! bound below all planes of a polyhedron, but outside. The segment from an inner point to it leaves through a triangle whose
//! corners, and so all its points, are higher than that over the plane of their face: a contradiction.

use super::facets::Facets;
use super::verdict::Verdict;
use crate::geometry::Plane;
use glam::DVec3;

/// Rounding error of a height, relative to the coordinates: posing a vertex and a plane, a dot product, the division and the
/// interpolation of a clip take some 20 roundings.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Judges two convex sets in one frame.
pub(super) fn judge(a: &Facets, b: &Facets) -> Verdict {
    let bound = ROUNDING * (a.reach + b.reach) + a.slack + b.slack;
    if a.vertices.is_empty() && b.vertices.is_empty() {
        return Verdict::Touching;
    }
    if are_separated(a, b, bound) {
        return Verdict::Apart;
    }
    let mut points = Vec::new();
    push_ends(a, b, bound, &mut points);
    push_ends(b, a, bound, &mut points);
    if points.is_empty() {
        return Verdict::Apart;
    }
    let mean = points.iter().sum::<DVec3>() / points.len() as f64;
    let witness = b.onto(a.onto(mean));
    let depth = a.depth(witness).min(b.depth(witness)) - bound;
    if depth > 0.0 && (a.is_solid || b.is_solid) { Verdict::Overlapping { witness, depth } } else { Verdict::Touching }
}

/// Looks for a gap where it is cheap to see; most pairs have one there.
fn are_separated(a: &Facets, b: &Facets, bound: f64) -> bool {
    a.centre.distance(b.centre) > a.radius + b.radius + bound
        || has_gap_along(b.centre - a.centre, a, b, bound)
        || has_separating_face(a, b, bound)
        || has_separating_face(b, a, bound)
}

fn has_gap_along(direction: DVec3, a: &Facets, b: &Facets, bound: f64) -> bool {
    let Some(n) = direction.try_normalize() else { return false };
    let top = a.vertices.iter().map(|v| v.dot(n)).fold(f64::NEG_INFINITY, f64::max);
    let bottom = b.vertices.iter().map(|v| v.dot(n)).fold(f64::INFINITY, f64::min);
    !a.vertices.is_empty() && !b.vertices.is_empty() && bottom - top > 2.0 * bound
}

/// Whether some face of `a` has all of `b` in front of it.
fn has_separating_face(a: &Facets, b: &Facets, bound: f64) -> bool {
    let is_in_front = |plane: &Plane| b.vertices.iter().all(|&v| plane.height(v) > bound);
    !b.vertices.is_empty() && a.planes.iter().any(is_in_front)
}

/// Adds the ends of what is left of the edges of `a` in the half-spaces of `b`: among them are all extreme points of the
/// intersection that lie on edges of `a`.
fn push_ends(a: &Facets, b: &Facets, bound: f64, points: &mut Vec<DVec3>) {
    for edge in &a.edges {
        let [p, q] = edge.map(|v| a.vertices[v as usize]);
        if let Some([enter, leave]) = clipped(p, q, &b.planes, bound) {
            points.extend([p.lerp(q, enter), p.lerp(q, leave)]);
        }
    }
}

/// The part of a segment below planes that are raised by `bound`, as fractions of its length.
fn clipped(p: DVec3, q: DVec3, planes: &[Plane], bound: f64) -> Option<[f64; 2]> {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for plane in planes {
        let (at_p, at_q) = (plane.height(p) - bound, plane.height(q) - bound);
        match (at_p > 0.0, at_q > 0.0) {
            (true, true) => return None,
            (true, false) => enter = enter.max(at_p / (at_p - at_q)),
            (false, true) => leave = leave.min(at_p / (at_p - at_q)),
            (false, false) => {}
        }
        if enter > leave {
            return None;
        }
    }
    Some([enter, leave])
}
