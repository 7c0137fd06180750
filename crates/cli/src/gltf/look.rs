//! What a body looks like: triangles with normals, round where the shape is round and sharp at its edges.

use glam::DVec3;
use impulse::geometry::{Shape, Solid, TriangleMesh};
use impulse_scenes::scene::{PartDescription, ShapeDescription, SolidDescription};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// How far triangles may depart from a curved surface, in radii of the part.
const DEVIATION: f64 = 0.005;

/// Cosine of the angle between facets from which on their common edge is seen.
const SHARP: f64 = 0.8;

/// Triangles of a shape, in the shape's frame.
#[derive(Default)]
pub(super) struct Look {
    pub(super) positions: Vec<DVec3>,
    /// One unit vector for each position.
    pub(super) normals: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Look {
    /// Of half-spaces a square piece with sides of `extent` metres.
    pub(super) fn new(shape: &ShapeDescription, extent: f64) -> Self {
        let mut look = Self::default();
        for part in &shape.parts {
            let mut mesh = triangles(part, extent);
            for vertex in &mut mesh.vertices {
                *vertex = part.shape_from_part.point(*vertex);
            }
            look.add(&mesh);
        }
        look
    }

    /// Adds a mesh; a vertex becomes as many as there are normals at it.
    fn add(&mut self, mesh: &TriangleMesh) {
        let facets: Vec<DVec3> = mesh.corners().map(|[a, b, c]| (b - a).cross(c - a)).collect();
        let mut around = vec![Vec::new(); mesh.vertices.len()];
        for (facet, triangle) in mesh.triangles.iter().enumerate() {
            for &vertex in triangle {
                around[vertex as usize].push(facet);
            }
        }
        let mut known = BTreeMap::new();
        for (facet, triangle) in mesh.triangles.iter().enumerate() {
            let own = facets[facet].normalize_or(DVec3::Z);
            let corners = triangle.map(|vertex| {
                let near = around[vertex as usize].iter().map(|&f| facets[f]);
                let sum: DVec3 = near.filter(|n| n.dot(own) >= SHARP * n.length()).sum();
                let normal = sum.normalize_or(own);
                *known.entry((vertex, normal.to_array().map(f64::to_bits))).or_insert_with(|| {
                    self.positions.push(mesh.vertices[vertex as usize]);
                    self.normals.push(normal);
                    (self.positions.len() - 1) as u32
                })
            });
            self.triangles.push(corners);
        }
    }
}

/// What tells a shape from others during a run: large ones by where they are kept, which copies share.
pub(super) fn identity(shape: &ShapeDescription) -> String {
    let mut text = String::new();
    for part in &shape.parts {
        let written = match &part.solid {
            SolidDescription::Polyhedron(polyhedron) => write!(text, "{:p}", Arc::as_ptr(polyhedron)),
            SolidDescription::Convex(Shape::Convex(polyhedron)) => write!(text, "{:p}", Arc::as_ptr(polyhedron)),
            SolidDescription::Convex(shape) => write!(text, "{shape:?}"),
        };
        written.and_then(|()| write!(text, "{:?}", part.shape_from_part)).expect("texts can always be written to");
    }
    text
}

/// Radius of a ball about the origin of a bounded shape's frame that contains it, m.
pub(super) fn radius(shape: &ShapeDescription) -> f64 {
    let reach = |part: &PartDescription| {
        part.shape_from_part.translation.length()
            + match &part.solid {
                SolidDescription::Convex(shape) => shape.bounding_radius(DVec3::ZERO),
                SolidDescription::Polyhedron(polyhedron) => polyhedron.bounding_radius(DVec3::ZERO),
            }
    };
    shape.parts.iter().map(reach).fold(0.0, f64::max)
}

fn triangles(part: &PartDescription, extent: f64) -> TriangleMesh {
    match &part.solid {
        SolidDescription::Convex(Shape::HalfSpace(half_space)) => half_space.patch(extent),
        SolidDescription::Convex(shape) => {
            shape.tessellate(DEVIATION * shape.bounding_radius(DVec3::ZERO)).unwrap_or_default()
        }
        SolidDescription::Polyhedron(polyhedron) => polyhedron.tessellate(0.0),
    }
}
