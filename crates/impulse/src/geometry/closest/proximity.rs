//! The answer of a distance query (section 2.2).

use crate::math::Pose;
use glam::DVec3;

/// The result of a distance query, in the frame of the first shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Proximity {
    /// Distance between the shapes, m; 0 where they overlap.
    pub distance: f64,
    /// Closest point of the first shape, m. If the shapes overlap, some point of it in or near the common region.
    pub on_first: DVec3,
    /// Closest point of the second shape, m.
    pub on_second: DVec3,
    /// Unit vector from the second shape towards the first; if they overlap, some unit vector.
    pub normal: DVec3,
    /// Whether the shapes share interior points.
    pub overlapping: bool,
    /// Steps of the search: feature pairs, simplices or pairs of tree nodes examined.
    pub steps: u32,
}

impl Proximity {
    /// The same result with the roles of the shapes exchanged, in the frame of the other shape.
    pub(super) fn swapped(self, second_from_first: &Pose) -> Self {
        Self { on_first: self.on_second, on_second: self.on_first, normal: -self.normal, ..self }
            .moved(second_from_first)
    }

    /// The same result in another frame.
    pub(super) fn moved(self, pose: &Pose) -> Self {
        Self {
            on_first: pose.point(self.on_first),
            on_second: pose.point(self.on_second),
            normal: pose.vector(self.normal),
            ..self
        }
    }

    /// The result for bodies grown by a ball each, with these radii.
    pub(super) fn grown(self, first: f64, second: f64) -> Self {
        let distance = self.distance - first - second;
        Self {
            distance: distance.max(0.0),
            on_first: self.on_first - self.normal * first,
            on_second: self.on_second + self.normal * second,
            overlapping: self.overlapping || distance < 0.0 || (distance == 0.0 && first + second > 0.0),
            ..self
        }
    }
}
