//! Rays, and where they come into boxes.

use crate::geometry::Aabb;
use crate::math::Pose;
use glam::DVec3;

/// A half-line: a starting point and a direction.
///
/// ```
/// use impulse::geometry::{Cylinder, Ray, Shape};
/// use impulse::{DVec3, math::Pose};
///
/// let can = Shape::from(Cylinder::new(0.5, 2.0)?);
/// let ray = Ray::new(DVec3::new(3.0, 0.0, 0.0), DVec3::new(-2.0, 0.0, 0.0))?; // the direction is normalised
/// let hit = can.cast_ray(&ray).ok_or("the can is there")?;
/// assert_eq!((hit.distance, hit.normal), (2.5, DVec3::X));
///
/// // A can somewhere else: the ray as seen from its frame.
/// let world_from_can = Pose::from_translation(DVec3::new(0.0, 0.0, 5.0));
/// assert_eq!(can.cast_ray(&ray.seen_from(&world_from_can)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
}

/// Where a ray meets a shape, in the frame of the shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SurfaceHit {
    /// Distance from the origin of the ray, m; 0 where the ray starts inside.
    pub distance: f64,
    /// Outward unit normal of the surface; where the ray starts inside, the opposite of its direction.
    pub normal: DVec3,
}

/// Why an origin and a direction do not make a ray.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError {
    /// The origin is not finite.
    #[error("the origin of the ray is {0}; give finite coordinates")]
    Origin(DVec3),
    /// The direction is zero or not finite.
    #[error("the direction of the ray is {0}; give a finite vector that is not zero")]
    Direction(DVec3),
}

impl Ray {
    /// The ray from a point (m) along a vector of any length, which is normalised.
    pub fn new(origin: DVec3, direction: DVec3) -> Result<Self, RayError> {
        if !origin.is_finite() {
            return Err(RayError::Origin(origin));
        }
        if !direction.is_finite() || direction == DVec3::ZERO {
            return Err(RayError::Direction(direction));
        }
        // Scaled first, for squares that would overflow or vanish.
        let direction = (direction / direction.abs().max_element()).normalize();
        Ok(Self { origin, direction })
    }

    /// Where it starts, m.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Unit vector along it.
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// The point at a distance (m) from the origin.
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }

    /// The same ray in the coordinates of another frame.
    #[must_use]
    pub fn seen_from(&self, world_from_frame: &Pose) -> Self {
        Self {
            origin: world_from_frame.inverse_point(self.origin),
            direction: world_from_frame.inverse_vector(self.direction),
        }
    }

    /// Whether it comes into a box, which may be unbounded, within a distance.
    pub(crate) fn meets_box(&self, bounds: &Aabb, reach: f64) -> bool {
        self.box_entry(bounds).is_some_and(|entry| entry <= reach)
    }

    /// Distance at which it comes into a box; 0 from inside.
    pub(super) fn box_entry(&self, bounds: &Aabb) -> Option<f64> {
        let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
        for axis in 0..3 {
            let (from, along) = (self.origin[axis], self.direction[axis]);
            let (min, max) = (bounds.min[axis], bounds.max[axis]);
            if along == 0.0 {
                if from < min || from > max {
                    return None;
                }
                continue;
            }
            let [a, b] = [(min - from) / along, (max - from) / along];
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b) * (1.0 + BOX_SLACK));
        }
        (enter <= leave).then_some(enter)
    }
}

/// Relative rounding of a distance to a box: without it a ray along the edge of a box might slip past.
const BOX_SLACK: f64 = 4.0 * f64::EPSILON;
