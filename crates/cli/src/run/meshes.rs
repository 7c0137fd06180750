//! What bodies collide with in place of solids that are not convex.

use crate::mass::digits;
use impulse_scenes::{MeshFit, MeshUse};
use serde::Serialize;

/// A mesh of the scene.
#[derive(Serialize)]
pub(super) struct Mesh {
    /// The part file, or the first body that has it.
    name: String,
    bodies: usize,
    /// Whether bodies collide with the mesh itself: those that are fixed or scripted do.
    exact: bool,
    /// Number of triangles, or of convex pieces.
    pieces: usize,
    /// Largest distance found between mesh and pieces, m, and relative to the mesh's longest side.
    departure: f64,
    error: f64,
    /// Volume of the pieces minus that of the mesh, relative to that of the mesh.
    volume_change: f64,
}

impl Mesh {
    pub(super) fn new(mesh: &MeshUse) -> Self {
        let (exact, pieces, departure, volume_change) = match mesh.fit {
            MeshFit::Exact { triangles } => (true, triangles, 0.0, 0.0),
            MeshFit::Pieces { report, .. } => (false, report.pieces, report.hausdorff, report.volume_error),
        };
        let error = mesh.fit.error();
        Self { name: mesh.name.clone(), bodies: mesh.bodies, exact, pieces, departure, error, volume_change }
    }

    /// A line of the report.
    pub(super) fn told(&self) -> String {
        let Self { name, bodies, pieces, .. } = self;
        let of = if *bodies == 1 { "1 body".to_owned() } else { format!("{bodies} bodies") };
        if self.exact {
            return format!("{name} ({of}): exact, {pieces} triangles");
        }
        let (error, volume) = (100.0 * self.error, 100.0 * self.volume_change);
        format!(
            "{name} ({of}): {pieces} convex pieces, off by at most {} m ({error:.2} % of its longest side), volume {volume:+.2} %",
            digits(self.departure)
        )
    }
}
