//! Capsules, exact (compare section 2.2.2).

use super::error::{ShapeError, check_lengths};
use super::rounded_box::RoundedBox;
use crate::geometry::{Solid, TriangleMesh, VolumeIntegrals};
use glam::DVec3;

/// All points within a distance of a segment of the z-axis that is centred at the origin.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{Capsule, Solid};
///
/// // A segment of 1 m with a ball of radius 0.1 m around it: 1.2 m long.
/// let pill = Capsule::new(0.1, 1.0)?;
/// assert!((pill.bounding_radius(DVec3::ZERO) - 0.6).abs() < 1e-15);
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    radius: f64,
    length: f64,
}

impl Capsule {
    /// A capsule of the given radius about a segment of the given length, metres; it is `length + 2 radius` long in all.
    pub fn new(radius: f64, length: f64) -> Result<Self, ShapeError> {
        check_lengths("capsule", &[("radius", radius), ("segment length", length)])?;
        Ok(Self { radius, length })
    }

    /// Radius, metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Length of the segment, metres.
    pub fn length(&self) -> f64 {
        self.length
    }

    fn rounded_box(&self) -> RoundedBox {
        RoundedBox { half: DVec3::new(0.0, 0.0, 0.5 * self.length), radius: self.radius }
    }
}

impl Solid for Capsule {
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
