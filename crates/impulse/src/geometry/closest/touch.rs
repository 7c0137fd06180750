//! A point of contact of two shapes.

use crate::math::Pose;
use glam::{DMat3, DVec3};

/// A pair of points at which two shapes may touch, in the frame of the first shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    /// Point of the first shape, m.
    pub on_first: DVec3,
    /// Unit vector from the second shape to the first.
    pub normal: DVec3,
    /// Distance along the normal, m; the point of the second shape lies opposite.
    pub gap: f64,
    /// How the contact point of either shape moves over its surface as the normal turns: the matrices of the radii of
    /// curvature, m.
    pub bends: [DMat3; 2],
    /// How the normal turns with either body: its rate is the sum of these times their angular velocities ...
    pub carriers: [DMat3; 2],
    /// ... and of this times the velocity with which the first shape slides over the second, 1/m.
    pub slider: DMat3,
}

impl Touching {
    /// Whether the point moves over a surface as the bodies turn.
    pub fn is_curved(&self) -> bool {
        self.bends[0] != DMat3::ZERO || self.bends[1] != DMat3::ZERO
    }

    /// Middle of the gap, m.
    pub(crate) fn middle(&self) -> DVec3 {
        self.on_first - self.normal * (0.5 * self.gap)
    }

    /// The same in another frame.
    #[must_use]
    pub fn moved(&self, pose: &Pose) -> Self {
        let r = pose.matrix();
        let turned = |m: DMat3| if m == DMat3::ZERO { m } else { r * m * r.transpose() };
        Self {
            on_first: pose.point(self.on_first),
            normal: pose.vector(self.normal).normalize(),
            gap: self.gap,
            bends: self.bends.map(turned),
            carriers: self.carriers.map(turned),
            slider: turned(self.slider),
        }
    }
}
