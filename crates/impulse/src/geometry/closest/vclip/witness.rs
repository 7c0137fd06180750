//! Closest points and directions of feature pairs, and the proof that they are closest (section 2.2.1, theorem 1).

use super::segments::{Segment, nearest, segment};
use super::views::Feature::{Edge, Face, Vertex};
use super::views::{BodyViews, Feature};
use crate::geometry::ConvexPolyhedron;
use crate::geometry::closest::Proximity;
use glam::DVec3;

/// Below this distance, relative to the bodies' size, the direction between two points is too inaccurate to decide on regions.
/// The same holds for the common normal of two edges below this product of angle and length, and for the plane of a face below
/// this width.
const DIRECTION_TOLERANCE: f64 = 1e-4;

/// Most corrections of a direction that is inaccurate through rounding.
const MAX_CORRECTIONS: u32 = 32;

/// Distance and direction of a pair of features.
pub(super) struct MeasuredPair {
    pub(super) proximity: Proximity,
    /// Whether rounding is too small to affect the tests of the regions and the direction.
    pub(super) sure: bool,
}

/// Measures a pair of features: not two faces, and not an edge and a face.
pub(super) fn measure(views: &BodyViews<'_>, first: Feature, second: Feature) -> MeasuredPair {
    let (a, b) = (&views.first, &views.second);
    match (first, second) {
        (Face(f), _) => {
            let vertex = a.see(b.body.vertices()[second.vertex(b.body) as usize]);
            MeasuredPair { proximity: below_first(views, f, vertex), sure: true }
        }
        (_, Face(f)) => {
            let vertex = b.see(a.body.vertices()[first.vertex(a.body) as usize]);
            MeasuredPair { proximity: above_second(views, f, vertex), sure: true }
        }
        (Edge(d), Edge(e)) => between_edges(views, d, e),
        (Vertex(v), Vertex(w)) => {
            between_points(views, a.body.vertices()[v as usize], a.see(b.body.vertices()[w as usize]))
        }
        (Edge(e), Vertex(v)) => {
            let on_second = a.see(b.body.vertices()[v as usize]);
            between_points(views, nearest_on_edge(a.body, e, on_second), on_second)
        }
        (Vertex(v), Edge(e)) => {
            let on_first = a.body.vertices()[v as usize];
            between_points(views, on_first, a.see(nearest_on_edge(b.body, e, b.see(on_first))))
        }
    }
}

/// A vertex of the second body, in the frame of the first, closest to a face of the first.
pub(super) fn below_first(views: &BodyViews<'_>, face: u32, vertex: DVec3) -> Proximity {
    let plane = &views.first.body.surface().planes()[face as usize];
    let distance = plane.height(vertex);
    separated(vertex - plane.normal * distance, vertex, -plane.normal, distance)
}

/// A vertex of the first body, in the frame of the second, closest to a face of the second.
pub(super) fn above_second(views: &BodyViews<'_>, face: u32, vertex: DVec3) -> Proximity {
    let plane = &views.second.body.surface().planes()[face as usize];
    let (normal, distance) = (views.first.see_vector(plane.normal), plane.height(vertex));
    let on_second = views.first.see(vertex - plane.normal * distance);
    separated(on_second + normal * distance, on_second, normal, distance)
}

/// Bodies with a point in common, found at a vertex or edge and a face.
pub(super) fn overlap(views: &BodyViews<'_>, first: Feature, second: Feature, point: DVec3) -> Proximity {
    let normal = match (first, second) {
        (Face(f), _) => -views.first.body.surface().planes()[f as usize].normal,
        (_, Face(f)) => views.first.see_vector(views.second.body.surface().planes()[f as usize].normal),
        _ => DVec3::Z,
    };
    Proximity { distance: 0.0, on_first: point, on_second: point, normal, overlapping: true, steps: 0 }
}

fn separated(on_first: DVec3, on_second: DVec3, normal: DVec3, distance: f64) -> Proximity {
    Proximity { distance, on_first, on_second, normal, overlapping: false, steps: 0 }
}

fn between_points(views: &BodyViews<'_>, on_first: DVec3, on_second: DVec3) -> MeasuredPair {
    let between = on_first - on_second;
    let distance = between.length();
    // Coinciding points have no direction; `prove` will find one.
    let normal = if distance > 0.0 { between / distance } else { DVec3::Z };
    let reach = views.reach();
    let far = distance > DIRECTION_TOLERANCE * views.size() + 1e-5 * reach;
    let coarse = views.first.body.fineness().min(views.second.body.fineness()) > DIRECTION_TOLERANCE * reach;
    // The region of an edge between nearly coplanar faces is as thin as rounding, and may seem to continue behind the faces.
    let centre = views.first.see(views.second.body.centre());
    let outwards = normal.dot(views.first.body.centre() - on_first) > 0.0 && normal.dot(on_second - centre) > 0.0;
    MeasuredPair { proximity: separated(on_first, on_second, normal, distance), sure: far && coarse && outwards }
}

fn nearest_on_edge(body: &ConvexPolyhedron, edge: u32, point: DVec3) -> DVec3 {
    let edge = &body.edges()[edge as usize];
    let at = edge.tail_plane.height(point).clamp(0.0, edge.length);
    body.vertices()[edge.tail as usize] + edge.direction() * at
}

fn between_edges(views: &BodyViews<'_>, d: u32, e: u32) -> MeasuredPair {
    let (p, q) = edge_segments(views, d, e);
    let near = nearest(&p, &q);
    let by_points = between_points(views, near.on_p, near.on_q);
    if by_points.sure {
        // The direction of a short edge is inaccurate, and so is the common normal of nearly parallel edges.
        let shorter = p.length.min(q.length);
        let sharp = DIRECTION_TOLERANCE * views.reach();
        return MeasuredPair { sure: near.squared_sine * shorter * shorter > sharp * sharp, ..by_points };
    }
    // Choose the more accurate direction: that of the edges improves with their angle, that of the points with the distance.
    let size = views.size();
    let distance = by_points.proximity.distance;
    if near.inner && near.squared_sine * size * size > distance * distance {
        let outwards = views.first.see_vector(outward_at_edge(views.second.body, e));
        let towards_first = outwards - outward_at_edge(views.first.body, d);
        let common = p.direction.cross(q.direction).normalize_or(by_points.proximity.normal);
        let normal = if common.dot(towards_first) >= 0.0 { common } else { -common };
        let height = normal.dot(near.on_p - near.on_q);
        if height >= -views.rounding() {
            return MeasuredPair { proximity: separated(near.on_p, near.on_q, normal, height.max(0.0)), sure: false };
        }
    }
    by_points
}

/// An edge of the first and one of the second body, in the frame of the first.
pub(super) fn edge_segments(views: &BodyViews<'_>, d: u32, e: u32) -> (Segment, Segment) {
    let q = segment(views.second.body, e);
    let seen = Segment { tail: views.first.see(q.tail), direction: views.first.see_vector(q.direction), ..q };
    (segment(views.first.body, d), seen)
}

fn outward_at_edge(body: &ConvexPolyhedron, edge: u32) -> DVec3 {
    let (edge, planes) = (&body.edges()[edge as usize], body.surface().planes());
    planes[edge.left as usize].normal + planes[edge.right as usize].normal
}

/// Whether the search may end.
pub(super) enum Verdict {
    Certain(Proximity),
    /// A direction along which the bodies are farther apart leads to this pair.
    Restart((Feature, Feature)),
}

/// Proves that a pair is closest, by a plane that keeps the bodies as far apart as they are said to be.
///
/// Far from contact, and always above a face, the tests of the regions are proof enough. The direction between two close points
/// is inaccurate, and coinciding points have none: then the directions of the faces and edges that meet there decide.
pub(super) fn prove(views: &BodyViews<'_>, pair: (Feature, Feature), found: Proximity) -> Verdict {
    let rounding = views.rounding();
    let from = [pair.0.vertex(views.first.body), pair.1.vertex(views.second.body)];
    let proof = |normal: DVec3| shortfall(views, &found, normal, from) <= rounding;
    let normal = upright(views, &found, from);
    if found.distance > 0.0 && proof(normal) {
        return Verdict::Certain(Proximity { normal, ..found });
    }
    let best = best_direction(views, pair, from);
    if proof(best.normal) {
        return Verdict::Certain(Proximity { normal: best.normal, ..found });
    }
    if found.on_first.distance(found.on_second) <= rounding {
        // They coincide, and no plane separates the bodies.
        let normal = best.normal;
        return Verdict::Certain(Proximity { normal, ..overlap(views, pair.0, pair.1, found.on_first) });
    }
    Verdict::Restart(best.pair)
}

/// By how much a direction fails to prove the distance found, m: the bodies are closer along it, or the points do not lie along
/// it.
fn shortfall(views: &BodyViews<'_>, found: &Proximity, normal: DVec3, from: [u32; 2]) -> f64 {
    let mismatch = (found.on_first - found.on_second - normal * found.distance).length();
    mismatch.max(found.distance - views.gap(normal, from).0)
}

/// The result with the direction that comes closest to a proof.
pub(super) fn most_upright(views: &BodyViews<'_>, pair: (Feature, Feature), found: Proximity) -> Proximity {
    let from = [pair.0.vertex(views.first.body), pair.1.vertex(views.second.body)];
    let normal = upright(views, &found, from);
    let better = shortfall(views, &found, normal, from) < shortfall(views, &found, found.normal, from);
    if better { Proximity { normal, ..found } } else { found }
}

/// The direction found, corrected for rounding: turned until no vertex is between the planes through the closest points.
fn upright(views: &BodyViews<'_>, found: &Proximity, from: [u32; 2]) -> DVec3 {
    let mut normal = found.normal;
    let mut last = DVec3::ZERO;
    for _ in 0..MAX_CORRECTIONS {
        let (gap, [v, w]) = views.gap(normal, from);
        if gap >= found.distance - 0.5 * views.rounding() {
            break;
        }
        // The direction from a closest point to the vertex farthest on the wrong side of its plane.
        let above = (views.first.body.vertices()[v as usize] - found.on_first).normalize_or_zero();
        let below = (found.on_second - views.first.see(views.second.body.vertices()[w as usize])).normalize_or_zero();
        let wrong = if normal.dot(above) < normal.dot(below) { above } else { below };
        // Perpendicular to this one and the previous one, which would otherwise be wrong again next.
        let both = last.cross(wrong);
        normal =
            if both.length() > 1e-3 { both * normal.dot(both).signum() } else { normal - wrong * normal.dot(wrong) }
                .normalize();
        last = wrong;
    }
    normal
}

/// A direction, how far apart it keeps the bodies, and the features it belongs to.
struct Direction {
    gap: f64,
    normal: DVec3,
    pair: (Feature, Feature),
}

/// The best direction among those that can separate the bodies near a pair of features: the normals of their faces, and the
/// common normals of their edges.
fn best_direction(views: &BodyViews<'_>, (first, second): (Feature, Feature), from: [u32; 2]) -> Direction {
    let (a, b) = (&views.first, &views.second);
    let mut best = Direction { gap: f64::NEG_INFINITY, normal: DVec3::Z, pair: (first, second) };
    let mut consider = |normal: DVec3, pair: &dyn Fn([u32; 2]) -> (Feature, Feature)| {
        let (gap, nearest) = views.gap(normal, from);
        if gap > best.gap {
            best = Direction { gap, normal, pair: pair(nearest) };
        }
    };
    for_faces(a.body, first, |f| {
        consider(-a.body.surface().planes()[f as usize].normal, &|[_, w]| (Face(f), Vertex(w)));
    });
    for_faces(b.body, second, |f| {
        consider(a.see_vector(b.body.surface().planes()[f as usize].normal), &|[v, _]| (Vertex(v), Face(f)));
    });
    for_edges(a.body, first, |d| {
        for_edges(b.body, second, |e| {
            let (p, q) = edge_segments(views, d, e);
            let common = p.direction.cross(q.direction);
            // Parallel edges add nothing to the faces.
            if let Some(normal) = common.try_normalize() {
                consider(normal, &|_| (Edge(d), Edge(e)));
                consider(-normal, &|_| (Edge(d), Edge(e)));
            }
        });
    });
    best
}

fn for_faces(body: &ConvexPolyhedron, feature: Feature, mut visit: impl FnMut(u32)) {
    match feature {
        Face(f) => visit(f),
        Edge(e) => {
            let edge = &body.edges()[e as usize];
            visit(edge.left);
            visit(edge.right);
        }
        Vertex(v) => {
            // Each face at a vertex is left of exactly one edge that leaves the vertex.
            for spoke in body.spokes_of(v) {
                let edge = &body.edges()[spoke.edge as usize];
                visit(if spoke.outgoing { edge.left } else { edge.right });
            }
        }
    }
}

fn for_edges(body: &ConvexPolyhedron, feature: Feature, mut visit: impl FnMut(u32)) {
    match feature {
        Face(_) => {}
        Edge(e) => visit(e),
        Vertex(v) => body.spokes_of(v).iter().for_each(|spoke| visit(spoke.edge)),
    }
}
