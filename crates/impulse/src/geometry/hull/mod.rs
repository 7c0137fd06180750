//! Convex hulls (section 2.2.2 wraps bodies in them): triangles by exact quickhull, merged into flat polygons.

mod quickhull;
mod merge;

use super::{Aabb, Faces};
use glam::DVec3;

/// Thinnest set of points that still has a hull, relative to its extent.
const FLATNESS: f64 = 1e-9;

/// Triangles are merged into one face where their corners lie within this distance of its plane, relative to the extent.
const MERGING: f64 = 1e-12;

/// The corners and faces of a convex hull.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// The corners, in the order of the given points.
    pub vertices: Vec<DVec3>,
    /// Flat polygons, counter-clockwise seen from outside.
    pub faces: Faces,
}

/// Why some points have no hull with a volume.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// Fewer than four points.
    #[error("a convex hull needs at least 4 points, not {0}")]
    TooFewPoints(usize),
    /// A coordinate is NaN or infinite.
    #[error("point {point} has a coordinate that is not a finite number: {position}")]
    NotFinite {
        /// The point, numbered from 0.
        point: usize,
        /// Its coordinates.
        position: DVec3,
    },
    /// The points lie in a plane, on a line or at one place.
    #[error(
        "the points lie in a plane (thickness {thickness:.3e} m of {extent:.3e} m): a hull with volume needs four points that do not"
    )]
    Flat {
        /// Thickness of the set, m.
        thickness: f64,
        /// Its largest extent, m.
        extent: f64,
    },
}

/// The convex hull of some points: its corners, and its faces with coplanar neighbours merged.
///
/// Visibility is decided in exact arithmetic, so that no arrangement of points, however degenerate, leads the search astray:
/// every given point lies in the hull of the triangles exactly, and within rounding (1e-12 of the extent) below every face.
pub fn convex_hull(points: &[DVec3]) -> Result<Hull, HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFewPoints(points.len()));
    }
    if let Some((point, &position)) = points.iter().enumerate().find(|(_, p)| !p.is_finite()) {
        return Err(HullError::NotFinite { point, position });
    }
    // A power of two changes no digit and keeps the exact predicates clear of overflow.
    let largest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let scale = libm::ldexp(1.0, -libm::frexp(largest).1);
    let scaled: Vec<DVec3> = points.iter().map(|&p| p * scale).collect();
    let extent = Aabb::of_points(scaled.iter().copied()).size().max_element();
    let thickness = quickhull::thickness(&scaled);
    let triangles = quickhull::hull_triangles(&scaled)
        .filter(|_| thickness > FLATNESS * extent)
        .ok_or(HullError::Flat { thickness: thickness / scale, extent: extent / scale })?;
    let mut hull = merge::merged(&scaled, &triangles, MERGING * extent);
    hull.vertices.iter_mut().for_each(|v| *v /= scale);
    Ok(hull)
}
