//! Shapes on known trajectories: the input of a search for impacts (section 2.3.2).

use crate::geometry::Shape;
use crate::math::Pose;
use glam::DVec3;

/// Where a body is and how it moves at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// The body frame; its origin is the centre the body turns about.
    pub world_from_body: Pose,
    /// Velocity of the centre, world frame, m/s.
    pub velocity: DVec3,
    /// Angular velocity, world frame, rad/s.
    pub angular_velocity: DVec3,
}

/// A known trajectory of a body. Intervals of time are `[from, to]`, s.
pub trait Trajectory {
    /// Pose and velocities at a time.
    fn at(&self, t: f64) -> Moving;

    /// Position, velocity and acceleration of the centre at a time; `None` unless the acceleration stays constant for ever.
    fn parabola_at(&self, t: f64) -> Option<[DVec3; 3]>;

    /// The smallest and the largest acceleration of the centre along the unit vector `d` during an interval, m/s^2.
    fn centre_acceleration(&self, d: DVec3, times: [f64; 2]) -> [f64; 2];

    /// The same along each of the three axes of the world.
    fn centre_accelerations(&self, times: [f64; 2]) -> [[f64; 2]; 3];

    /// Bounds, during an interval, on the lengths of the first and the second derivative of vectors fixed in the body.
    fn turning(&self, vectors: Vectors, times: [f64; 2]) -> [f64; 2];
}

/// A set of vectors fixed in a body frame, by bounds on their coordinates and on their length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vectors {
    /// Largest absolute values of the coordinates.
    pub extents: DVec3,
    /// Largest length.
    pub length: f64,
}

/// A shape on a trajectory.
#[derive(Clone, Copy)]
pub struct MovingShape<'a> {
    /// How its body moves.
    pub trajectory: &'a dyn Trajectory,
    /// The shape, in its own frame.
    pub shape: &'a Shape,
    /// The pose of that frame in the body.
    pub body_from_shape: Pose,
    /// Bounds on the points of the shape in the body frame; of infinite length for a half-space, which must not move.
    pub points: Vectors,
    /// The radius (m) if the shape is a ball about the centre.
    pub ball: Option<f64>,
}

impl Moving {
    pub(super) fn point_velocity(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(point - self.world_from_body.translation)
    }
}
