//! Half-spaces: infinite floors and walls, exact (compare section 2.2.2).

use super::direction::unit;
use super::error::ShapeError;
use crate::geometry::{Aabb, Plane, TriangleMesh};
use crate::math::{Pose, any_perpendicular};
use glam::DVec3;

/// The solid of all `x` with `normal . x <= offset`. It is unbounded, hence no [`Solid`](crate::geometry::Solid).
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::HalfSpace;
///
/// // A floor whose surface is at z = 0, and a wall that keeps bodies at x > -1.
/// let floor = HalfSpace::new(DVec3::Z, 0.0)?;
/// let wall = HalfSpace::new(DVec3::X, -1.0)?;
/// assert!(floor.plane().height(DVec3::new(0.0, 0.0, 2.0)) == 2.0);
/// assert!(wall.plane().height(DVec3::ZERO) == 1.0);
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    plane: Plane,
}

impl HalfSpace {
    /// The half-space below the plane with the given outward normal, at the given distance (metres) from the origin along it.
    ///
    /// The normal is normalised; the offset is not scaled with it: normal `(0, 0, 2)` and offset 1 mean all `z <= 1`.
    pub fn new(normal: DVec3, offset: f64) -> Result<Self, ShapeError> {
        if !normal.is_finite() || normal == DVec3::ZERO {
            return Err(ShapeError::NoDirection { normal });
        }
        if !offset.is_finite() {
            return Err(ShapeError::NotFinite { offset });
        }
        Ok(Self { plane: Plane { normal: unit(normal), offset } })
    }

    /// Restores a half-space from a unit normal, which is kept to the bit.
    pub(in crate::geometry) fn restored(normal: DVec3, offset: f64) -> Option<Self> {
        let is_unit = (normal.length_squared() - 1.0).abs() < 1e-9;
        (is_unit && offset.is_finite()).then_some(Self { plane: Plane { normal, offset } })
    }

    /// Outward unit normal.
    pub fn normal(&self) -> DVec3 {
        self.plane.normal
    }

    /// Distance of the boundary from the origin along the normal, metres; negative where the origin lies outside.
    pub fn offset(&self) -> f64 {
        self.plane.offset
    }

    /// The boundary, its positive side outside.
    pub fn plane(&self) -> Plane {
        self.plane
    }

    /// The smallest axis-aligned box around the posed half-space: all space, but bounded on one side where the posed normal
    /// lies exactly along an axis.
    pub fn aabb(&self, world_from_shape: &Pose) -> Aabb {
        let normal = world_from_shape.vector(self.plane.normal);
        let mut all = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
        for axis in 0..3 {
            if normal[(axis + 1) % 3] == 0.0 && normal[(axis + 2) % 3] == 0.0 {
                // Only the sign of the normal is used: its length is off by rounding.
                let (origin, offset) = (world_from_shape.translation[axis], self.plane.offset);
                if normal[axis] > 0.0 {
                    all.max[axis] = origin + offset;
                } else {
                    all.min[axis] = origin - offset;
                }
            }
        }
        all
    }

    /// A square piece of the boundary with sides of `extent` metres, centred at the point nearest to the origin: not closed,
    /// for drawing.
    pub fn patch(&self, extent: f64) -> TriangleMesh {
        let Plane { normal, offset } = self.plane;
        let u = 0.5 * extent * any_perpendicular(normal);
        let (centre, v) = (offset * normal, normal.cross(u));
        TriangleMesh {
            vertices: vec![centre - u - v, centre + u - v, centre + u + v, centre - u + v],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }
}
