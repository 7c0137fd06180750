//! Boxes with rounded edges and corners, exact (compare section 2.2.2).

use super::error::{ShapeError, check_lengths};
use super::rounded_box::RoundedBox;
use crate::geometry::{Solid, TriangleMesh, VolumeIntegrals};
use glam::DVec3;

/// A box centred at the origin whose edges and corners are rounded: the Minkowski sum of a smaller box and a ball.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{RoundedCuboid, Solid};
///
/// // A die: the sizes are the outer ones.
/// let die = RoundedCuboid::new(DVec3::splat(0.016), 0.002)?;
/// assert!((die.support(DVec3::Z).z - 0.008).abs() < 1e-15);
/// assert!(RoundedCuboid::new(DVec3::splat(0.016), 0.009).is_err());
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedCuboid {
    size: DVec3,
    radius: f64,
}

impl RoundedCuboid {
    /// A box with the given outer sizes and radius of its edges and corners, metres. The radius is at most half the smallest
    /// size; with all of them equal that is a ball.
    pub fn new(size: DVec3, radius: f64) -> Result<Self, ShapeError> {
        check_lengths(
            "rounded cuboid",
            &[("size x", size.x), ("size y", size.y), ("size z", size.z), ("radius", radius)],
        )?;
        let limit = 0.5 * size.min_element();
        if radius > limit {
            return Err(ShapeError::RoundingTooLarge { radius, limit });
        }
        Ok(Self { size, radius })
    }

    /// Outer sizes, metres.
    pub fn size(&self) -> DVec3 {
        self.size
    }

    /// Radius of the edges and corners, metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the sizes of the box that the ball is swept over, metres; not negative.
    pub fn core_half_size(&self) -> DVec3 {
        0.5 * self.size - self.radius
    }

    fn rounded_box(&self) -> RoundedBox {
        RoundedBox { half: self.core_half_size(), radius: self.radius }
    }
}

impl Solid for RoundedCuboid {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.rounded_box().support(direction)
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        self.rounded_box().bounding_radius(centre)
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        self.rounded_box().volume_integrals()
    }

    fn tessellate(&self, deviation: f64) -> TriangleMesh {
        self.rounded_box().tessellate(deviation)
    }
}
