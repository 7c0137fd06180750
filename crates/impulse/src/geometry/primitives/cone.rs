//! Circular cones, exact (compare section 2.2.2).

use super::direction::{axis_distance, unit_across_z};
use super::error::{ShapeError, check_lengths};
use super::lathe::{lathe, quarter_arc};
use crate::geometry::solid::circle_segments;
use crate::geometry::{Solid, TriangleMesh, VolumeIntegrals};
use glam::{DMat3, DVec2, DVec3};
use std::f64::consts::PI;

/// A cone with its axis along z, the base disc at minus half the height and the apex at plus half the height.
///
/// ```
/// use impulse::geometry::{Cone, Solid};
///
/// // The centre of mass of a cone is a quarter of its height above the base.
/// let cone = Cone::new(0.5, 2.0)?;
/// assert_eq!(cone.volume_integrals().centroid.z, -0.5);
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    radius: f64,
    height: f64,
}

impl Cone {
    /// A cone with the given radius of its base and height, metres.
    pub fn new(radius: f64, height: f64) -> Result<Self, ShapeError> {
        check_lengths("cone", &[("radius", radius), ("height", height)])?;
        Ok(Self { radius, height })
    }

    /// Radius of the base, metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Height, metres.
    pub fn height(&self) -> f64 {
        self.height
    }
}

impl Solid for Cone {
    fn support(&self, direction: DVec3) -> DVec3 {
        let across = unit_across_z(direction);
        let half = 0.5 * self.height;
        // The apex is the higher one where h d_z exceeds r |d_xy|.
        if self.height * direction.z > self.radius * across.dot(direction) {
            DVec3::new(0.0, 0.0, half)
        } else {
            (self.radius * across).with_z(-half)
        }
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        let (rho, half) = (axis_distance(centre), 0.5 * self.height);
        let rim = DVec2::new(rho + self.radius, centre.z + half);
        let apex = DVec2::new(rho, centre.z - half);
        rim.length().max(apex.length())
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        let (r2, h) = (self.radius * self.radius, self.height);
        let volume = PI / 3.0 * r2 * h;
        let mean_squares = DVec3::new(0.15 * r2, 0.15 * r2, 0.0375 * h * h);
        VolumeIntegrals {
            volume,
            centroid: DVec3::new(0.0, 0.0, -0.25 * h),
            central: DMat3::from_diagonal(volume * mean_squares),
        }
    }

    fn tessellate(&self, deviation: f64) -> TriangleMesh {
        let (r, half) = (self.radius, 0.5 * self.height);
        let arc = quarter_arc(circle_segments(r, deviation) / 4);
        lathe(&[DVec2::new(r, -half), DVec2::new(0.0, half)], DVec2::ZERO, &arc)
    }
}
