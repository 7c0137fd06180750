//! Two moving shapes at one time, and the distance between them (section 2.2).

use super::trajectory::{Moving, MovingShape};
use crate::geometry::closest::{PairCache, Proximity, ShapePair, closest};
use crate::math::Pose;

/// Where two shapes are at one time.
pub(super) struct Posed {
    pub(super) states: [Moving; 2],
    pub(super) world_from_first: Pose,
    pub(super) first_from_second: Pose,
}

impl Posed {
    pub(super) fn new(shapes: &[MovingShape<'_>; 2], t: f64) -> Self {
        let states = shapes.map(|m| m.trajectory.at(t));
        let [world_from_first, world_from_second] =
            [0, 1].map(|i| states[i].world_from_body * shapes[i].body_from_shape);
        Self { states, world_from_first, first_from_second: world_from_first.inverse() * world_from_second }
    }

    pub(super) fn shape_pair<'a>(&'a self, shapes: &[MovingShape<'a>; 2]) -> ShapePair<'a> {
        let [first, second] = shapes.map(|m| m.shape);
        ShapePair { first, second, first_from_second: &self.first_from_second }
    }
}

/// Two shapes at one time, and the distance between them.
pub(super) struct Near {
    pub(super) posed: Posed,
    /// In the frame of the first shape, except for the normal, which is in the world frame.
    pub(super) proximity: Proximity,
    /// Velocity at which the closest points approach each other, m/s.
    pub(super) closing_speed: f64,
}

pub(super) fn measure(shapes: &[MovingShape<'_>; 2], posed: Posed, cache: &mut PairCache) -> Near {
    let mut proximity = closest(shapes[0].shape, shapes[1].shape, &posed.first_from_second, cache);
    proximity.normal = posed.world_from_first.vector(proximity.normal).normalize();
    let point = posed.world_from_first.point(0.5 * (proximity.on_first + proximity.on_second));
    let [velocity, other] = posed.states.map(|s| s.point_velocity(point));
    let closing_speed = (other - velocity).dot(proximity.normal);
    Near { posed, proximity, closing_speed }
}
