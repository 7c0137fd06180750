//! The queries that every bounded solid answers, in its own frame.

use super::{Aabb, TriangleMesh, VolumeIntegrals};
use crate::math::Pose;
use glam::DVec3;

/// A bounded solid in its own frame.
pub trait Solid {
    /// The point of the solid (of its convex hull) farthest along `direction`, which need not be a unit vector; for the zero
    /// vector some point of the surface.
    fn support(&self, direction: DVec3) -> DVec3;

    /// Radius of the smallest ball about `centre` that contains the solid, up to rounding.
    fn bounding_radius(&self, centre: DVec3) -> f64;

    /// The ten volume integrals (6.1) about the origin of the solid's frame.
    fn volume_integrals(&self) -> VolumeIntegrals;

    /// A closed triangle mesh whose vertices lie on the surface and whose triangles deviate from it by at most `deviation`
    /// metres, unless that takes more than [`MAX_SEGMENTS`].
    fn tessellate(&self, deviation: f64) -> TriangleMesh;

    /// The smallest axis-aligned box around the posed solid.
    fn aabb(&self, world_from_solid: &Pose) -> Aabb {
        let extreme = |axis: DVec3| world_from_solid.point(self.support(world_from_solid.inverse_vector(axis)));
        Aabb {
            min: DVec3::new(extreme(-DVec3::X).x, extreme(-DVec3::Y).y, extreme(-DVec3::Z).z),
            max: DVec3::new(extreme(DVec3::X).x, extreme(DVec3::Y).y, extreme(DVec3::Z).z),
        }
    }
}

/// Most segments of a tessellated circle.
pub const MAX_SEGMENTS: usize = 256;

/// The number of segments for a circle of this radius so that its chords deviate by at most `deviation`: a multiple of 4 from 8
/// to [`MAX_SEGMENTS`].
pub fn circle_segments(radius: f64, deviation: f64) -> usize {
    // sagitta = r (1 - cos(pi / n))
    let cosine = (1.0 - deviation / radius).clamp(-1.0, 1.0);
    let wanted = std::f64::consts::PI / libm::acos(cosine).max(1e-9);
    ((wanted / 4.0).ceil() as usize * 4).clamp(8, MAX_SEGMENTS)
}
