//! Convex decomposition of closed meshes, with its error (section 2.2.2 takes the pieces for granted).
//!
//! The box around the solid is cut by planes across the axes, again and again, until in each cell the solid nearly fills the
//! hull of its part. Every piece is the exact hull of the solid in its cell: solids made of blocks are decomposed exactly,
//! curved walls to within the limit. Planes are tried at concave edges; the one whose hulls have the least volume wins.

use super::closest::{PairCache, nearest_part};
use super::{Aabb, Compound, CompoundError, ConvexPolyhedron, Piece, Polyhedron, Shape, Solid, StaticMesh};
use super::{StaticMeshError, TriangleMesh, cells::Solids};
use crate::math::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How finely a mesh is decomposed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecomposeSettings {
    /// Largest distance accepted between a piece's surface and the solid, relative to the solid's longest side. Default 0.05;
    /// halving it nearly doubles the number of pieces around a curved cavity.
    pub limit: f64,
    /// Most pieces. Default 400.
    pub max_pieces: usize,
}

impl Default for DecomposeSettings {
    fn default() -> Self {
        Self { limit: 0.05, max_pieces: 400 }
    }
}

/// A mesh as a union of convex pieces.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decomposition {
    /// The pieces, with the volume integrals of the mesh itself.
    pub compound: Compound,
    /// How well the pieces fit.
    pub report: DecompositionReport,
}

/// How well some pieces fit a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DecompositionReport {
    /// Number of pieces.
    pub pieces: usize,
    /// Volume of the pieces minus that of the mesh, relative to that of the mesh. Pieces do not overlap.
    pub volume_error: f64,
    /// Largest distance found, m, of a sample on the mesh from the pieces, or of a sample on a piece from the mesh's solid.
    pub hausdorff: f64,
    /// Every point of both surfaces lies within this distance, m, of a sample: the true Hausdorff distance is at most the
    /// sum of the two.
    pub sample_spacing: f64,
    /// Largest distance accepted, m.
    pub limit: f64,
}

/// Why a mesh could not be decomposed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DecomposeError {
    /// The limit is not a positive number.
    #[error("the limit is {limit}; give a positive part of the longest side")]
    Limit {
        /// What was given.
        limit: f64,
    },
    /// The triangles have no usable surface.
    #[error(transparent)]
    SampledSurface(#[from] StaticMeshError),
    /// The pieces do not make a compound.
    #[error("the pieces cannot be put together: {0}")]
    Pieces(#[from] CompoundError),
    /// The pieces fit too badly.
    #[error(
        "{pieces} pieces depart from the mesh by {hausdorff:.3e} m, more than {limit:.3e} m: allow more pieces or raise the limit"
    )]
    Inexact {
        /// Number of pieces.
        pieces: usize,
        /// Largest distance found, m.
        hausdorff: f64,
        /// Largest distance accepted, m.
        limit: f64,
    },
}

/// Samples along the longest side of the body.
const SAMPLES_ALONG: f64 = 48.0;

/// Decomposes a closed mesh into convex pieces.
///
/// ```
/// use impulse::geometry::{DecomposeSettings, Polyhedron, decompose, icosphere};
///
/// // A convex body stays in one piece.
/// let ball = Polyhedron::from_triangles(&icosphere(1))?;
/// let found = decompose(&ball, &DecomposeSettings::default())?;
/// assert_eq!(found.report.pieces, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decompose(polyhedron: &Polyhedron, settings: &DecomposeSettings) -> Result<Decomposition, DecomposeError> {
    if !(settings.limit > 0.0 && settings.limit.is_finite()) {
        return Err(DecomposeError::Limit { limit: settings.limit });
    }
    let mesh = polyhedron.tessellate(0.0);
    let longest = Aabb::of_points(mesh.vertices.iter().copied()).size().max_element();
    let (limit, spacing) = (settings.limit * longest, longest / SAMPLES_ALONG);
    let mut surface = SampledSurface::new(mesh)?;
    let hulls = divide(&mut surface, limit, spacing, settings.max_pieces);
    let volume = polyhedron.volume_integrals().volume;
    let volume_error = (hulls.iter().map(|h| h.volume_integrals().volume).sum::<f64>() - volume) / volume;
    let protrusion = hulls.iter().map(|hull| surface.protrusion(hull, spacing, f64::INFINITY)).fold(0.0, f64::max);
    let piece = |hull| Piece { shape: Shape::from(hull), compound_from_piece: Pose::IDENTITY };
    let compound = Compound::new(hulls.into_iter().map(piece).collect())?;
    let hausdorff = protrusion.max(surface.uncovered(&compound, spacing));
    let pieces = compound.pieces().len();
    if hausdorff > limit {
        return Err(DecomposeError::Inexact { pieces, hausdorff, limit });
    }
    let report = DecompositionReport { pieces, volume_error, hausdorff, sample_spacing: spacing, limit };
    Ok(Decomposition { compound: compound.with_integrals(polyhedron.volume_integrals()), report })
}

/// The hulls of the solid in cells that are small enough.
fn divide(surface: &mut SampledSurface, limit: f64, spacing: f64, max_pieces: usize) -> Vec<ConvexPolyhedron> {
    let solids = Solids::new(Arc::clone(&surface.mesh), limit);
    let mut hulls = Vec::new();
    let mut cells = vec![solids.whole()];
    let mut next = 0;
    // Breadth first: the limit on the number of pieces leaves out the finest cells.
    while next < cells.len() {
        let cell = std::mem::take(&mut cells[next]);
        next += 1;
        let Some(hull) = solids.hull(&cell) else { continue };
        let is_full = hulls.len() + cells.len() - next + 2 > max_pieces;
        if is_full || surface.protrusion(&hull, spacing, limit) <= limit {
            hulls.push(hull);
        } else {
            match solids.best_cut(&cell) {
                Some(halves) => cells.extend(halves),
                None => hulls.push(hull),
            }
        }
    }
    hulls
}

/// A closed surface from which distances are measured.
struct SampledSurface {
    mesh: Arc<StaticMesh>,
    shape: Shape,
    cache: PairCache,
}

impl SampledSurface {
    fn new(mesh: TriangleMesh) -> Result<Self, StaticMeshError> {
        let mesh = Arc::new(StaticMesh::new(mesh)?);
        Ok(Self { shape: Shape::Mesh(Arc::clone(&mesh)), mesh, cache: PairCache::default() })
    }

    /// Largest distance of a sample on the hull's surface from the solid; the search ends above `enough`.
    fn protrusion(&mut self, hull: &ConvexPolyhedron, spacing: f64, enough: f64) -> f64 {
        let mut largest = 0.0f64;
        for corners in hull.tessellate(0.0).corners() {
            for_each_sample(corners, spacing, |p| {
                if largest > enough {
                    return;
                }
                let (triangle, found) = nearest_part(&self.shape, p, &mut self.cache);
                if found.distance > largest && self.mesh.is_outside(triangle, found.on_first, p) {
                    largest = found.distance;
                }
            });
        }
        largest
    }

    /// Largest distance of a sample on the mesh from the pieces.
    fn uncovered(&self, compound: &Compound, spacing: f64) -> f64 {
        let shape = Shape::from(compound.clone());
        let (mut cache, mut largest) = (PairCache::default(), 0.0f64);
        for corners in self.mesh.mesh().corners() {
            for_each_sample(corners, spacing, |p| {
                largest = largest.max(nearest_part(&shape, p, &mut cache).1.distance);
            });
        }
        largest
    }
}

/// Visits sample points of a triangle, including its corners, such that each of its points is within `spacing` of one. They are
/// in rows parallel to its longest side.
fn for_each_sample([a, b, c]: [DVec3; 3], spacing: f64, mut visit: impl FnMut(DVec3)) {
    let sides = [[a, b, c], [b, c, a], [c, a, b]];
    let longest = |[p, q, _]: &[DVec3; 3]| p.distance_squared(*q);
    let [p, q, top] = sides.into_iter().max_by(|x, y| longest(x).total_cmp(&longest(y))).unwrap_or([a, b, c]);
    let steps = |length: f64| (length / spacing).ceil().max(1.0) as u32;
    let rows = steps((top - p).reject_from(q - p).length());
    for row in 0..=rows {
        let rise = f64::from(row) / f64::from(rows);
        let (start, end) = (p.lerp(top, rise), q.lerp(top, rise));
        let columns = steps(start.distance(end));
        for column in 0..=columns {
            visit(start.lerp(end, f64::from(column) / f64::from(columns)));
        }
    }
}
