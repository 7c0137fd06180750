//! Which side of a closed surface a point is on (compare section 2.2.2: the surface itself has no inside).

use super::closest::{PairCache, nearest_part};
use super::{Shape, StaticMesh};
use glam::DVec3;
use std::sync::Arc;

/// Whether a point, in the surface's frame, lies inside the solid that a closed surface bounds. Points on the surface do not.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{StaticMesh, icosphere, is_inside};
/// use std::sync::Arc;
///
/// let ball = Arc::new(StaticMesh::new(icosphere(1))?);
/// assert!(is_inside(&ball, DVec3::ZERO) && !is_inside(&ball, 2.0 * DVec3::Z));
/// # Ok::<(), impulse::geometry::StaticMeshError>(())
/// ```
pub fn is_inside(surface: &Arc<StaticMesh>, point: DVec3) -> bool {
    let shape = Shape::Mesh(Arc::clone(surface));
    let (triangle, found) = nearest_part(&shape, point, &mut PairCache::default());
    found.distance > 0.0 && !surface.is_outside(triangle, found.on_first, point)
}
