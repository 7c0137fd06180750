//! Faces, the arcs between them, and which way a part topples (section 7.5.2).

use glam::DVec3;
use impulse::geometry::ConvexPolyhedron;

/// Heights on the graph of faces (nodes) and edges (arcs) of a hull.
#[derive(Clone, Debug)]
pub(crate) struct Terrain {
    /// Height of the centre of mass with each face down, m.
    pub(crate) heights: Vec<f64>,
    /// Largest height on the way between the two faces of each edge, m.
    pub(crate) arcs: Vec<f64>,
    /// The face that a part topples to from each face; itself where it is stable.
    pub(crate) topples_to: Vec<u32>,
}

impl Terrain {
    pub(crate) fn new(hull: &ConvexPolyhedron, com: DVec3) -> Self {
        let faces = hull.surface().faces();
        let normal = |face: u32| hull.surface().planes()[face as usize].normal;
        let height = |face: u32| normal(face).dot(corner(hull, face) - com);
        let heights: Vec<f64> = (0..faces.len() as u32).map(height).collect();
        let arc = |edge: &impulse::geometry::convex::Edge| {
            let [left, right] = [edge.left, edge.right].map(|face| heights[face as usize]);
            let from_centre = hull.vertices()[edge.tail as usize] - com;
            let across = from_centre - edge.direction() * from_centre.dot(edge.direction());
            // The summit lies between the two normals if both feet are on the inner side of the edge.
            let inside = |face: u32, plane: &impulse::geometry::Plane| {
                let foot = com + normal(face) * heights[face as usize];
                plane.normal.dot(foot - hull.vertices()[edge.tail as usize]) < 0.0
            };
            if inside(edge.left, &edge.left_plane) && inside(edge.right, &edge.right_plane) {
                across.length().max(left).max(right)
            } else {
                left.max(right)
            }
        };
        let arcs = hull.edges().iter().map(arc).collect();
        let topples_to = (0..faces.len() as u32).map(|face| topples_to(hull, com, face, &heights)).collect();
        Self { heights, arcs, topples_to }
    }

    /// The stable face that toppling ends on.
    pub(crate) fn rest_of(&self, mut face: u32) -> u32 {
        // Each face toppled to is lower than the last.
        while self.topples_to[face as usize] != face {
            face = self.topples_to[face as usize];
        }
        face
    }
}

fn corner(hull: &ConvexPolyhedron, face: u32) -> DVec3 {
    hull.vertices()[hull.surface().faces().get(face as usize)[0] as usize]
}

/// The face beyond the side through which the way from the face's centroid to the foot of the centre of mass leaves the face; the
/// face itself if it does not leave.
fn topples_to(hull: &ConvexPolyhedron, com: DVec3, face: u32, heights: &[f64]) -> u32 {
    let foot = com + hull.surface().planes()[face as usize].normal * heights[face as usize];
    let centroid = centroid(hull, face);
    let mut first = (1.0, face);
    for side in hull.sides_of(face) {
        let edge = &hull.edges()[side.edge as usize];
        let (plane, beyond) =
            if side.is_left { (&edge.left_plane, edge.right) } else { (&edge.right_plane, edge.left) };
        let tail = hull.vertices()[edge.tail as usize];
        let [from, to] = [centroid, foot].map(|point| plane.normal.dot(point - tail));
        let share = from / (from - to);
        // Toppling goes down; where rounding says otherwise the face is stable.
        if to > 0.0 && share < first.0 && heights[beyond as usize] < heights[face as usize] {
            first = (share, beyond);
        }
    }
    first.1
}

/// Centroid of a face's area.
fn centroid(hull: &ConvexPolyhedron, face: u32) -> DVec3 {
    let corners = hull.surface().faces().get(face as usize);
    let at = |i: usize| hull.vertices()[corners[i] as usize];
    let normal = hull.surface().planes()[face as usize].normal;
    let (mut sum, mut area) = (DVec3::ZERO, 0.0);
    for i in 1..corners.len() - 1 {
        let [a, b] = [at(i) - at(0), at(i + 1) - at(0)];
        let share = a.cross(b).dot(normal);
        sum += share * (a + b) / 3.0;
        area += share;
    }
    at(0) + sum / area
}
