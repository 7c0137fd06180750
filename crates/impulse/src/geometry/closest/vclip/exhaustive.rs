//! The closest features by exhaustive search, for when rounding leads the walk in a circle (section 2.2.1).

use super::segments::nearest;
use super::views::Feature::{Edge, Face, Vertex};
use super::views::{BodyView, BodyViews, Feature};
use super::witness::{self, Verdict, edge_segments};
use crate::geometry::ConvexPolyhedron;
use crate::geometry::closest::Proximity;
use glam::DVec3;

/// The closest points and their features.
pub(super) fn closest(views: &BodyViews<'_>) -> (Proximity, (Feature, Feature)) {
    let (a, b) = (&views.first, &views.second);
    if let Some((edge, point)) = edge_inside(b, a.body) {
        let pair = (Edge(edge), Face(deepest_face(b.body, point)));
        return (witness::overlap(views, pair.0, pair.1, a.see(point)), pair);
    }
    if let Some((edge, point)) = edge_inside(a, b.body) {
        let pair = (Face(deepest_face(a.body, point)), Edge(edge));
        return (witness::overlap(views, pair.0, pair.1, point), pair);
    }
    // Distances change with the square of a displacement, so the least one determines the closest points to half the digits
    // only: among equally close pairs the proof decides.
    let mut least =
        Least { distance: f64::INFINITY, pair: (Vertex(0), Vertex(0)), normal: DVec3::Z, top: f64::INFINITY };
    for_pairs(views, &mut least, Least::lower);
    least.distance += views.rounding();
    let mut proven = None;
    for_pairs(views, &mut least, |least, views, distance, pair| {
        if proven.is_none() && distance <= least.distance {
            let found = witness::measure(views, pair.0, pair.1).proximity;
            if let Verdict::Certain(proximity) = witness::prove(views, pair, found) {
                proven = Some((proximity, pair));
            }
        }
    });
    proven.unwrap_or_else(|| {
        let found = witness::measure(views, least.pair.0, least.pair.1).proximity;
        (witness::most_upright(views, least.pair, found), least.pair)
    })
}

/// An edge of `other` that meets the body, and the middle of its part inside, in the body's frame. Convex bodies overlap if and
/// only if an edge of one meets the other.
fn edge_inside(view: &BodyView<'_>, other: &ConvexPolyhedron) -> Option<(u32, DVec3)> {
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

/// The face whose plane is nearest to a point inside.
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

/// The closest pair so far, and a plane that proves most others to be farther.
struct Least {
    distance: f64,
    pair: (Feature, Feature),
    /// From the second body to the first.
    normal: DVec3,
    /// Highest place of the second body along `normal`.
    top: f64,
}

impl Least {
    fn lower(&mut self, views: &BodyViews<'_>, distance: f64, pair: (Feature, Feature)) {
        if distance < self.distance {
            let normal = witness::measure(views, pair.0, pair.1).proximity.normal;
            let heights = views.second.body.vertices().iter().map(|&w| normal.dot(views.first.see(w)));
            *self = Self { distance, pair, normal, top: heights.fold(f64::NEG_INFINITY, f64::max) };
        }
    }

    /// Whether an edge of the first body is too far from the second.
    fn excludes(&self, body: &ConvexPolyhedron, edge: u32) -> bool {
        let edge = &body.edges()[edge as usize];
        let heights = [edge.tail, edge.head].map(|v| self.normal.dot(body.vertices()[v as usize]));
        heights[0].min(heights[1]) - self.top > self.distance
    }
}

/// Calls `visit` with the distances of vertices above faces and of edges that are not known to be farther than the least.
fn for_pairs(
    views: &BodyViews<'_>,
    least: &mut Least,
    mut visit: impl FnMut(&mut Least, &BodyViews<'_>, f64, (Feature, Feature)),
) {
    let (a, b) = (&views.first, &views.second);
    for_vertices_above_faces(a, b, |height, v, f| visit(least, views, height, (Vertex(v), Face(f))));
    for_vertices_above_faces(b, a, |height, v, f| visit(least, views, height, (Face(f), Vertex(v))));
    for d in 0..a.body.edges().len() as u32 {
        for e in 0..b.body.edges().len() as u32 {
            if least.excludes(a.body, d) {
                break;
            }
            let (p, q) = edge_segments(views, d, e);
            let near = nearest(&p, &q);
            visit(least, views, near.on_p.distance(near.on_q), (Edge(d), Edge(e)));
        }
    }
}

/// Calls `visit` with the height, the vertex of `p` and the face of `q` wherever a vertex is in the prism above a face.
fn for_vertices_above_faces(p: &BodyView<'_>, q: &BodyView<'_>, mut visit: impl FnMut(f64, u32, u32)) {
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
