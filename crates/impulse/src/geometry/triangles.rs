//! Triangle meshes, for drawing shapes and as input of surfaces.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Triangles over shared vertices, counter-clockwise seen from outside.
///
/// ```
/// use impulse::geometry::{Solid, Sphere};
///
/// let mesh = Sphere::new(1.0)?.tessellate(0.01);
/// assert!(mesh.vertices.iter().all(|v| (v.length() - 1.0).abs() < 1e-15));
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TriangleMesh {
    /// Corners, metres.
    pub vertices: Vec<DVec3>,
    /// Three vertex numbers each.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// Adds a vertex and returns its number.
    pub fn push(&mut self, vertex: DVec3) -> u32 {
        self.vertices.push(vertex);
        (self.vertices.len() - 1) as u32
    }

    /// The corners of every triangle.
    pub fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize]))
    }
}
