//! Spheres, exact (compare section 2.2.2).

use super::direction::unit;
use super::error::{ShapeError, check_lengths};
use super::rounded_box::RoundedBox;
use crate::geometry::{Solid, TriangleMesh, VolumeIntegrals};
use glam::DVec3;
use std::f64::consts::PI;

/// A ball about the origin.
///
/// ```
/// use impulse::geometry::{Solid, Sphere};
///
/// let ball = Sphere::new(0.5)?;
/// assert!((ball.volume_integrals().volume - 0.5236).abs() < 1e-4);
/// assert!(Sphere::new(-1.0).is_err());
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// A ball of the given radius, metres.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        check_lengths("sphere", &[("radius", radius)])?;
        Ok(Self { radius })
    }

    /// Radius, metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Solid for Sphere {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.radius * unit(direction)
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        centre.length() + self.radius
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        let squared = self.radius * self.radius;
        VolumeIntegrals::symmetric(4.0 / 3.0 * PI * squared * self.radius, DVec3::splat(squared / 5.0))
    }

    fn tessellate(&self, deviation: f64) -> TriangleMesh {
        RoundedBox { half: DVec3::ZERO, radius: self.radius }.tessellate(deviation)
    }
}
