//! Position and orientation of a frame in another (appendix A.2).
//!
//! A pose is named after what it maps: `world_from_body` takes body coordinates to world coordinates.

use super::vectors::is_moderate;
use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::ops::Mul;

/// A rigid motion: rotate, then translate.
///
/// ```
/// use impulse::DVec3;
/// use impulse::math::Pose;
///
/// let world_from_body = Pose::from_translation(DVec3::X);
/// let body_from_part = Pose::from_translation(DVec3::Y);
/// let world_from_part = world_from_body * body_from_part;
/// assert_eq!(world_from_part.point(DVec3::ZERO), DVec3::new(1.0, 1.0, 0.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Unit quaternion.
    pub rotation: DQuat,
    /// Image of the origin, metres.
    pub translation: DVec3,
}

impl Pose {
    /// The identity.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// A pose from a rotation, which is normalised, and the image of the origin.
    ///
    /// `None` if the quaternion is zero or not finite, or if the translation is not finite.
    pub fn new(rotation: DQuat, translation: DVec3) -> Option<Self> {
        let length = rotation.length();
        (length > 0.0 && length.is_finite() && translation.is_finite())
            .then(|| Self { rotation: rotation / length, translation })
    }

    /// Whether the rotation is a unit quaternion, up to rounding, and the translation is short enough for its powers to be
    /// finite.
    pub fn is_rigid(&self) -> bool {
        (self.rotation.length_squared() - 1.0).abs() < 1e-9 && is_moderate(self.translation)
    }

    /// A pure translation.
    pub fn from_translation(translation: DVec3) -> Self {
        Self { rotation: DQuat::IDENTITY, translation }
    }

    /// A pure rotation; `rotation` must be a unit quaternion.
    pub fn from_rotation(rotation: DQuat) -> Self {
        Self { rotation, translation: DVec3::ZERO }
    }

    /// A point given in the source frame, in the target frame.
    #[must_use]
    pub fn point(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.translation
    }

    /// A direction given in the source frame, in the target frame.
    #[must_use]
    pub fn vector(&self, v: DVec3) -> DVec3 {
        self.rotation * v
    }

    /// A point of the target frame, in the source frame.
    #[must_use]
    pub fn inverse_point(&self, p: DVec3) -> DVec3 {
        self.inverse_vector(p - self.translation)
    }

    /// A direction of the target frame, in the source frame.
    #[must_use]
    pub fn inverse_vector(&self, v: DVec3) -> DVec3 {
        self.rotation.conjugate() * v
    }

    /// The inverse motion.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// The rotation as a matrix whose columns are the source axes in the target frame.
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }
}

impl Mul for Pose {
    type Output = Self;

    /// `a_from_b * b_from_c` is `a_from_c`.
    fn mul(self, inner: Self) -> Self {
        Self { rotation: self.rotation * inner.rotation, translation: self.point(inner.translation) }
    }
}

#[cfg(test)]
mod tests {
    use super::Pose;
    use glam::{DQuat, DVec3};

    fn poses() -> (Pose, Pose) {
        let a = Pose::new(DQuat::from_xyzw(1.0, -2.0, 0.5, 3.0), DVec3::new(1.0, 2.0, -3.0));
        let b = Pose::new(DQuat::from_xyzw(-0.3, 0.2, 0.9, -1.0), DVec3::new(-4.0, 0.1, 0.7));
        (a.unwrap(), b.unwrap())
    }

    #[test]
    fn product_applies_right_factor_first() {
        let (a, b) = poses();
        let p = DVec3::new(0.4, -0.6, 1.2);
        assert!(((a * b).point(p) - a.point(b.point(p))).length() < 1e-14);
        assert!((a.matrix() * p - a.vector(p)).length() < 1e-14);
    }

    #[test]
    fn inverse_undoes() {
        let (a, _) = poses();
        let p = DVec3::new(0.4, -0.6, 1.2);
        assert!((a.inverse().point(a.point(p)) - p).length() < 1e-14);
        assert!((a.inverse_point(p) - a.inverse().point(p)).length() < 1e-14);
        assert!((a.inverse_vector(a.vector(p)) - p).length() < 1e-14);
    }

    #[test]
    fn directionless_quaternions_are_refused() {
        assert!(Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO).is_none());
        assert!(Pose::new(DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), DVec3::ZERO).is_none());
        assert!(Pose::new(DQuat::IDENTITY, DVec3::new(f64::INFINITY, 0.0, 0.0)).is_none());
    }
}
