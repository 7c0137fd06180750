//! Rectangular boxes, exact (compare section 2.2.2).

use super::error::{ShapeError, check_lengths};
use super::lathe::{lathe, quarter_arc};
use crate::geometry::{ConvexPolyhedron, Solid, TriangleMesh, VolumeIntegrals};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// A box centred at the origin, its edges along the axes. Clones share the polyhedron.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{Cuboid, Solid};
///
/// let brick = Cuboid::new(DVec3::new(0.2, 0.1, 0.05))?;
/// assert_eq!(brick.support(DVec3::new(1.0, -1.0, 1.0)), DVec3::new(0.1, -0.05, 0.025));
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone)]
pub struct Cuboid {
    size: DVec3,
    polyhedron: Option<Arc<ConvexPolyhedron>>,
}

/// The polyhedron follows from the size.
impl std::fmt::Debug for Cuboid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cuboid").field("size", &self.size).finish_non_exhaustive()
    }
}

impl PartialEq for Cuboid {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
    }
}

impl Cuboid {
    /// A box with the given edge lengths (full sizes), metres.
    pub fn new(size: DVec3) -> Result<Self, ShapeError> {
        check_lengths("cuboid", &[("size x", size.x), ("size y", size.y), ("size z", size.z)])?;
        let polyhedron = ConvexPolyhedron::cuboid(0.5 * size).ok().map(Arc::new);
        Ok(Self { size, polyhedron })
    }

    /// Edge lengths, metres.
    pub fn size(&self) -> DVec3 {
        self.size
    }

    /// Half the edge lengths, metres: the corner with positive coordinates.
    pub fn half_size(&self) -> DVec3 {
        0.5 * self.size
    }

    /// The box as a polyhedron, whose features can be tracked; `None` where it is too thin, too small or too large to have
    /// faces.
    pub fn polyhedron(&self) -> Option<&ConvexPolyhedron> {
        self.polyhedron.as_deref()
    }
}

impl Solid for Cuboid {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.half_size().copysign(direction)
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        (centre.abs() + self.half_size()).length()
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        VolumeIntegrals::symmetric(self.size.element_product(), self.size * self.size / 12.0)
    }

    fn tessellate(&self, _deviation: f64) -> TriangleMesh {
        let half = self.half_size();
        lathe(&[DVec2::new(0.0, -half.z), DVec2::new(0.0, half.z)], half.truncate(), &quarter_arc(1))
    }
}
