//! The part of a line that lies in a convex solid.

use super::line::Ray;
use crate::geometry::Plane;
use glam::DVec3;

/// From where a line enters a convex solid to where it leaves it, as distances along the line, m; they may be infinite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    pub(super) enter: f64,
    pub(super) leave: f64,
    /// Outward unit normal where the line enters; no direction where it never does.
    pub(super) normal: DVec3,
}

impl Chord {
    /// The whole line.
    pub(super) const LINE: Self = Self { enter: f64::NEG_INFINITY, leave: f64::INFINITY, normal: DVec3::ZERO };

    /// What both have in common: the later entry and its normal, and the earlier end.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        let later = if other.enter > self.enter { other } else { self };
        let chord = Self { leave: self.leave.min(other.leave), ..later };
        (chord.enter <= chord.leave).then_some(chord)
    }

    /// The part of it below a plane.
    pub(super) fn below(self, plane: Plane, ray: &Ray) -> Option<Self> {
        let (height, slope) = (plane.height(ray.origin), plane.normal.dot(ray.direction));
        if slope == 0.0 {
            return (height <= 0.0).then_some(self);
        }
        let crossing = -height / slope;
        self.and(if slope < 0.0 {
            Self { enter: crossing, leave: f64::INFINITY, normal: plane.normal }
        } else {
            Self { leave: crossing, ..Self::LINE }
        })
    }
}

/// The interval in which `a t^2 + 2 b t + c` is not positive, for `a >= 0` and a known `root = sqrt(b^2 - a c)`. No difference of
/// nearly equal numbers is formed.
pub(super) fn interval(a: f64, b: f64, c: f64, root: f64) -> Option<[f64; 2]> {
    if b < 0.0 || root > 0.0 && b == 0.0 {
        let q = root - b;
        return Some([c / q, q / a]);
    }
    if b > 0.0 {
        let q = -(b + root);
        return Some([q / a, c / q]);
    }
    // A double root, or a constant.
    if a > 0.0 {
        return Some([0.0, 0.0]);
    }
    (c <= 0.0).then_some([f64::NEG_INFINITY, f64::INFINITY])
}
