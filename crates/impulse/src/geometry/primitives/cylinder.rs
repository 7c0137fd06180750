//! Circular cylinders, exact (compare section 2.2.2).

use super::direction::{axis_distance, unit_across_z};
use super::error::{ShapeError, check_lengths};
use super::lathe::{lathe, quarter_arc};
use crate::geometry::solid::circle_segments;
use crate::geometry::{Solid, TriangleMesh, VolumeIntegrals};
use glam::{DVec2, DVec3};
use std::f64::consts::PI;

/// A cylinder centred at the origin, its axis along z.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{Cylinder, Solid};
///
/// let coin = Cylinder::new(0.012, 0.002)?;
/// assert_eq!(coin.support(DVec3::Z).z, 0.001);
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    radius: f64,
    height: f64,
}

impl Cylinder {
    /// A cylinder of the given radius and height, metres.
    pub fn new(radius: f64, height: f64) -> Result<Self, ShapeError> {
        check_lengths("cylinder", &[("radius", radius), ("height", height)])?;
        Ok(Self { radius, height })
    }

    /// Radius, metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Height, metres.
    pub fn height(&self) -> f64 {
        self.height
    }
}

impl Solid for Cylinder {
    fn support(&self, direction: DVec3) -> DVec3 {
        (self.radius * unit_across_z(direction)).with_z((0.5 * self.height).copysign(direction.z))
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        DVec2::new(axis_distance(centre) + self.radius, centre.z.abs() + 0.5 * self.height).length()
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        let (r2, h) = (self.radius * self.radius, self.height);
        VolumeIntegrals::symmetric(PI * r2 * h, DVec3::new(r2 / 4.0, r2 / 4.0, h * h / 12.0))
    }

    fn tessellate(&self, deviation: f64) -> TriangleMesh {
        let (r, half) = (self.radius, 0.5 * self.height);
        let arc = quarter_arc(circle_segments(r, deviation) / 4);
        lathe(&[DVec2::new(r, -half), DVec2::new(r, half)], DVec2::ZERO, &arc)
    }
}
