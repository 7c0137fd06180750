//! The answer by looking at all features, for when rounding leads the search in a circle (section 2.2.1).

use super::segments::nearest;
use super::views::Feature::{Edge, Face, Vertex};
use super::views::{Feature, View, Views};
use super::witness::{self, Verdict, edge_segments};
use crate::geometry::ConvexPolyhedron;
use crate::geometry::closest::Proximity;
use glam::DVec3;

/// The closest points and their features.
pub(super) fn closest(views: &Views<'_>) -> (Proximity, (Feature, Feature)) {
    let (a, b) = (&views.first, &views.second);
    if let Some((edge, point)) = edge_inside(b, a.body) {
        let pair = (Edge(edge), Face(deepest_face(b.body, point)));
        return (witness::overlap(views, pair.0, pair.1, a.see(point)), pair);
    }
    if let Some((edge, point)) = edge_inside(a, b.body) {
        let pair = (Face(deepest_face(a.body, point)), Edge(edge));
        return (witness::overlap(views, pair.0, pair.1, point), pair);
    }
    let pair = closest_pair(views);
    let found = witness::measure(views, pair.0, pair.1);
    match witness::examine(views, pair, found) {
        Verdict::Certain(proximity) => (proximity, pair),
        Verdict::Restart(_) => (found, pair),
    }
}

/// An edge of `other` that meets the body, and the middle of its part inside, in the body's frame. Convex bodies overlap just
/// where an edge of one meets the other.
fn edge_inside(view: &View<'_>, other: &ConvexPolyhedron) -> Option<(u32, DVec3)> {
    (0..).zip(other.edges()).find_map(|(number, edge)| {
        let [tail, head] = [edge.tail, edge.head].map(|v| view.see(other.vertices()[v as usize]));
        let mut part = [0.0, 1.0];
        for plane in view.body.surface().planes() {
            let (h, k) = (plane.height(tail), plane.height(head));
            match (h > 0.0, k > 0.0) {
                (false, false) => {}
                (true, true) => return None,
                (true, false) => part[0] = f64::max(part[0], h / (h - k)),
                (false, true) => part[1] = f64::min(part[1], h / (h - k)),
            }
            if part[0] > part[1] {
                return None;
            }
        }
        Some((number, tail + (head - tail) * (0.5 * (part[0] + part[1]))))
    })
}

/// The face whose plane is least far above a point inside.
fn deepest_face(body: &ConvexPolyhedron, point: DVec3) -> u32 {
    let mut best = (f64::NEG_INFINITY, 0);
    for (face, plane) in (0..).zip(body.surface().planes()) {
        let height = plane.height(point);
        if height > best.0 {
            best = (height, face);
        }
    }
    best.1
}

/// The least of the distances between vertices and faces and between edges of bodies that do not overlap.
fn closest_pair(views: &Views<'_>) -> (Feature, Feature) {
    let (a, b) = (&views.first, &views.second);
    let mut best = (f64::INFINITY, (Vertex(0), Vertex(0)));
    for_vertices_above_faces(a, b, |height, v, f| {
        if height < best.0 {
            best = (height, (Vertex(v), Face(f)));
        }
    });
    for_vertices_above_faces(b, a, |height, v, f| {
        if height < best.0 {
            best = (height, (Face(f), Vertex(v)));
        }
    });
    // Edges of the first body that a plane shows to be farther than the best pair need not be compared.
    let mut normal = DVec3::Z;
    let mut top = f64::INFINITY;
    for d in 0..a.body.edges().len() as u32 {
        let edge = &a.body.edges()[d as usize];
        let low = [edge.tail, edge.head].map(|v| normal.dot(a.body.vertices()[v as usize]));
        if low[0].min(low[1]) - top > best.0 {
            continue;
        }
        for e in 0..b.body.edges().len() as u32 {
            let (p, q) = edge_segments(views, d, e);
            let near = nearest(&p, &q);
            let distance = near.on_p.distance(near.on_q);
            if distance < best.0 {
                best = (distance, (Edge(d), Edge(e)));
                normal = (near.on_p - near.on_q).normalize_or(DVec3::Z);
                top = b.body.vertices().iter().map(|&w| normal.dot(a.see(w))).fold(f64::NEG_INFINITY, f64::max);
            }
        }
    }
    best.1
}

/// Calls `visit` with the height, the vertex of `p` and the face of `q` wherever a vertex is in the prism above a face.
fn for_vertices_above_faces(p: &View<'_>, q: &View<'_>, mut visit: impl FnMut(f64, u32, u32)) {
    for (v, &vertex) in (0..).zip(p.body.vertices()) {
        let point = q.see(vertex);
        for (f, plane) in (0..).zip(q.body.surface().planes()) {
            let height = plane.height(point);
            let above = height >= 0.0
                && q.body.sides_of(f).iter().all(|side| {
                    let edge = &q.body.edges()[side.edge as usize];
                    let border = if side.is_left { &edge.left_plane } else { &edge.right_plane };
                    border.height(point) <= 0.0
                });
            if above {
                visit(height, v, f);
            }
        }
    }
}
