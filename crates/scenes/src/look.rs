//! What bodies look like: triangles with normals, smooth where the shape is curved and sharp at its edges, and colours. Every
//! picture of a scene, whether a file or a page, is drawn from these.

use crate::scene::{BodyDescription, MotionDescription, PartDescription, ShapeDescription, SolidDescription};
use glam::DVec3;
use impulse::geometry::{Shape, Solid, TriangleMesh};
use std::collections::BTreeMap;

/// Largest distance of triangles from a curved surface, relative to the part's radius.
const DEVIATION: f64 = 0.005;

/// Facets whose normals have a smaller cosine than this meet in a visible edge.
const SHARP: f64 = 0.8;

/// Colours of bodies that have none of their own, sRGB.
const PALETTE: [[u8; 3]; 8] = [
    [0x4e, 0x79, 0xa7],
    [0xf2, 0x8e, 0x2b],
    [0x59, 0xa1, 0x4f],
    [0xe1, 0x57, 0x59],
    [0xb0, 0x7a, 0xa1],
    [0xed, 0xc9, 0x48],
    [0x76, 0xb7, 0xb2],
    [0x9c, 0x75, 0x5f],
];

/// Colour of fixed bodies that have none of their own, sRGB.
const FIXED: [u8; 3] = [0xb4, 0xb4, 0xb4];

/// Triangles of a shape, in the shape's frame.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Corners of the triangles, m.
    pub positions: Vec<DVec3>,
    /// One outward unit normal for each position.
    pub normals: Vec<DVec3>,
    /// Indices into the positions, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The colour of a scene's body, sRGB: its own, or one chosen by its place in the scene, `number`.
pub fn color(body: &BodyDescription, number: usize) -> [u8; 3] {
    match (&body.color, &body.motion) {
        (Some(color), _) => color.map(|part| (255.0 * part).round() as u8),
        (None, MotionDescription::Fixed) => FIXED,
        (None, _) => PALETTE[number % PALETTE.len()],
    }
}

impl Look {
    /// The surface of a shape. A half-space is shown as a square with sides of `extent` metres.
    pub fn new(shape: &ShapeDescription, extent: f64) -> Self {
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

    /// Adds a mesh. A vertex is repeated for each of its normals.
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

/// Radius of a ball that contains a bounded shape, about the origin of the shape's frame, m.
pub fn radius(shape: &ShapeDescription) -> f64 {
    let reach = |part: &PartDescription| {
        part.shape_from_part.translation.length()
            + match &part.solid {
                SolidDescription::Convex(shape) => shape.bounding_radius(DVec3::ZERO),
                SolidDescription::Polyhedron(part) => part.polyhedron.bounding_radius(DVec3::ZERO),
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
        SolidDescription::Polyhedron(part) => part.polyhedron.tessellate(0.0),
    }
}
