//! Convex sets as the judge clips them: vertices, edges and half-spaces (Moore and Wilhelms 1988, section 2.2).

use crate::geometry::{ConvexPolyhedron, Plane};
use crate::math::Pose;
use glam::DVec3;

/// A convex polyhedron, a half-space (no vertices) or a triangle (no interior).
#[derive(Clone, Debug)]
pub(super) struct Facets {
    pub(super) vertices: Vec<DVec3>,
    /// Edges and diagonals of the faces. With these the surface consists of triangles, so rounding in the corners of a face
    /// cannot hide a crossing.
    pub(super) edges: Vec<[u32; 2]>,
    /// The set is where all heights are at most zero, to within the slack.
    pub(super) planes: Vec<Plane>,
    /// Largest computed height of a vertex over a plane, or of a corner below the plane of its face, m.
    pub(super) slack: f64,
    /// Size of the coordinates, in all frames they have been in: rounding errors are proportional to it, m.
    pub(super) reach: f64,
    /// A ball around the set.
    pub(super) centre: DVec3,
    pub(super) radius: f64,
    /// Whether there is an interior.
    pub(super) is_solid: bool,
}

impl Facets {
    pub(super) fn solid(polyhedron: &ConvexPolyhedron) -> Self {
        let (vertices, surface) = (polyhedron.vertices(), polyhedron.surface());
        let mut edges: Vec<[u32; 2]> = polyhedron.edges().iter().map(|e| [e.tail, e.head]).collect();
        let mut slack = 0.0f64;
        for (corners, plane) in surface.faces().iter().zip(surface.planes()) {
            let diagonals = corners[2..corners.len() - 1].iter();
            edges.extend(diagonals.map(|&to| [corners[0], to]));
            let sunk = corners.iter().map(|&v| -plane.height(vertices[v as usize]));
            slack = vertices.iter().map(|&v| plane.height(v)).chain(sunk).fold(slack, f64::max);
        }
        Self {
            vertices: vertices.to_vec(),
            edges,
            planes: surface.planes().to_vec(),
            slack,
            reach: polyhedron.reach(),
            centre: polyhedron.centre(),
            radius: polyhedron.radius(),
            is_solid: true,
        }
    }

    pub(super) fn half_space(plane: Plane) -> Self {
        Self {
            vertices: Vec::new(),
            edges: Vec::new(),
            planes: vec![plane],
            slack: 0.0,
            reach: plane.offset.abs(),
            centre: DVec3::ZERO,
            radius: f64::INFINITY,
            is_solid: true,
        }
    }

    pub(super) fn triangle(corners: [DVec3; 3], normal: DVec3) -> Self {
        let [a, b, c] = corners;
        let side = |from: DVec3, to: DVec3| Plane::through(from, (to - from).cross(normal).normalize());
        let planes = vec![Plane::through(a, normal), Plane::through(a, -normal), side(a, b), side(b, c), side(c, a)];
        let centre = (a + b + c) / 3.0;
        let farthest = |from: DVec3| corners.iter().map(|v| v.distance(from)).fold(0.0, f64::max);
        let heights = planes.iter().flat_map(|plane| corners.iter().map(|&v| plane.height(v)));
        Self {
            slack: heights.fold(0.0, f64::max),
            vertices: corners.to_vec(),
            edges: vec![[0, 1], [1, 2], [2, 0]],
            planes,
            reach: farthest(DVec3::ZERO),
            centre,
            radius: farthest(centre),
            is_solid: false,
        }
    }

    pub(super) fn posed(&self, pose: &Pose) -> Self {
        let plane = |plane: &Plane| {
            let normal = pose.vector(plane.normal);
            Plane { normal, offset: plane.offset + normal.dot(pose.translation) }
        };
        Self {
            vertices: self.vertices.iter().map(|&v| pose.point(v)).collect(),
            edges: self.edges.clone(),
            planes: self.planes.iter().map(plane).collect(),
            reach: self.reach + pose.translation.length(),
            centre: pose.point(self.centre),
            ..*self
        }
    }

    /// How far inside all planes a point is, m; infinite for a set without interior, which limits no depth.
    pub(super) fn depth(&self, p: DVec3) -> f64 {
        let depths = self.planes.iter().filter(|_| self.is_solid).map(|plane| -plane.height(p));
        depths.fold(f64::INFINITY, f64::min)
    }

    /// `p` itself, or for a triangle a point of it close to `p`.
    pub(super) fn onto(&self, p: DVec3) -> DVec3 {
        let (false, [a, b, c]) = (self.is_solid, &self.vertices[..]) else { return p };
        let normal = (b - a).cross(c - a);
        let weights = [(b, c), (c, a), (a, b)].map(|(from, to)| (to - from).cross(p - from).dot(normal).max(0.0));
        (*a * weights[0] + *b * weights[1] + *c * weights[2]) / (weights[0] + weights[1] + weights[2])
    }
}
