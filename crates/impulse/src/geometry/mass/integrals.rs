//! The ten volume integrals (6.1) and how they change with the frame.

use crate::math::{Pose, outer};
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// Volume, centre of volume and central second moments of a solid: the thesis' ten integrals, kept about the solid's own
/// centre so that a solid far from the origin loses no digits.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{Solid, Sphere};
/// use impulse::math::Pose;
///
/// let at_origin = Sphere::new(1.0)?.volume_integrals();
/// let moved = at_origin.transformed(&Pose::from_translation(DVec3::X));
/// assert_eq!((moved.centroid, moved.central), (DVec3::X, at_origin.central));
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VolumeIntegrals {
    /// `T_1`: the volume, m^3.
    pub volume: f64,
    /// Centre of volume, m.
    pub centroid: DVec3,
    /// Integral of `d d^T` with `d` the offset from the centre of volume, a symmetric matrix, m^5.
    pub central: DMat3,
}

impl VolumeIntegrals {
    /// A solid symmetric in the three coordinate planes, from its volume and the mean squares of its coordinates.
    pub fn symmetric(volume: f64, mean_squares: DVec3) -> Self {
        Self { volume, centroid: DVec3::ZERO, central: DMat3::from_diagonal(volume * mean_squares) }
    }

    /// From the integrals of `1`, `x` and `x x^T` about the point `origin`, which should be close to the solid.
    pub fn from_moments(origin: DVec3, volume: f64, first: DVec3, second: DMat3) -> Self {
        let offset = first / volume;
        Self { volume, centroid: origin + offset, central: second - outer(offset, first) }
    }

    /// `(T_x, T_y, T_z)`: first moments about the origin of the frame, m^4.
    pub fn first(&self) -> DVec3 {
        self.volume * self.centroid
    }

    /// Second moments about the origin of the frame, m^5: `T_xx, T_yy, T_zz` on the diagonal, `T_xy, T_yz, T_zx` beside it.
    pub fn second(&self) -> DMat3 {
        self.central + outer(self.centroid, self.first())
    }

    /// The same solid moved by `pose`.
    #[must_use]
    pub fn transformed(&self, pose: &Pose) -> Self {
        let r = pose.matrix();
        Self { volume: self.volume, centroid: pose.point(self.centroid), central: r * self.central * r.transpose() }
    }
}
