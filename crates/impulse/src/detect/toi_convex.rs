//! The convex parts of moving bodies that a march follows (section 2.3.2).

use super::trajectory::{Moving, MovingShape, Trajectory, Vectors};
use crate::geometry::Shape;
use crate::math::Pose;
use glam::DVec3;

/// A convex part of a moving body.
#[derive(Clone, Copy)]
pub(super) struct Convex<'a> {
    pub(super) trajectory: &'a dyn Trajectory,
    pub(super) form: Form<'a>,
    /// The pose of the part in the body frame with the reference point as its origin.
    pub(super) body_from_part: Pose,
    /// Bounds on the part's points, measured from the reference point.
    pub(super) points: Vectors,
    /// The reference point in the body frame, m: the centre, or some point of the part if the body does not move.
    pub(super) reference: DVec3,
    /// Whether it is a ball about the centre, so that its rotation does not matter.
    pub(super) is_ball: bool,
}

/// The shape of a part.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    Shape(&'a Shape),
    Triangle(&'a [DVec3; 3]),
}

impl<'a> Convex<'a> {
    /// A shape as a single part.
    pub(super) fn whole(moving: &MovingShape<'a>) -> Self {
        Self {
            trajectory: moving.trajectory,
            form: Form::Shape(moving.shape),
            body_from_part: moving.body_from_shape,
            points: moving.points,
            reference: DVec3::ZERO,
            is_ball: moving.ball.is_some(),
        }
    }

    /// Pose and velocities at a time, with the reference point as origin.
    pub(super) fn at(&self, t: f64) -> Moving {
        self.placed(self.trajectory.at(t))
    }

    /// A state of the body with the reference point as origin.
    pub(super) fn placed(&self, mut state: Moving) -> Moving {
        if self.is_ball {
            state.angular_velocity = DVec3::ZERO;
        }
        state.world_from_body.translation = state.world_from_body.point(self.reference);
        state
    }

    /// Bounds on the first and second derivatives of vectors fixed in it.
    pub(super) fn turning(&self, vectors: Vectors, times: [f64; 2]) -> [f64; 2] {
        if self.is_ball { [0.0; 2] } else { self.trajectory.turning(vectors, times) }
    }
}

impl Form<'_> {
    /// The point farthest along a direction; for a half-space the boundary point nearest to the origin.
    pub(super) fn support(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Shape(Shape::HalfSpace(half_space)) => half_space.normal() * half_space.offset(),
            Self::Shape(shape) => shape.support(direction).expect("all other shapes are bounded"),
            Self::Triangle(corners) => {
                let height = corners.map(|c| c.dot(direction));
                let top = (0..3).max_by(|&i, &j| height[i].total_cmp(&height[j])).unwrap_or(0);
                corners[top]
            }
        }
    }
}
