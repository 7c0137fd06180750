//! Where a body is and how it moves at one instant (appendix A.3).

use crate::math::Pose;
use glam::DVec3;

/// Pose and velocity of a body at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Takes body coordinates to world coordinates. The body frame has its origin at the centre of mass.
    pub world_from_body: Pose,
    /// Velocity of the centre of mass in the world frame, m/s.
    pub velocity: DVec3,
    /// Angular velocity in the body frame, rad/s.
    pub spin: DVec3,
}

impl State {
    /// At rest in a pose.
    pub fn resting(world_from_body: Pose) -> Self {
        Self { world_from_body, velocity: DVec3::ZERO, spin: DVec3::ZERO }
    }

    /// Angular velocity in the world frame, rad/s.
    pub fn angular_velocity(&self) -> DVec3 {
        self.world_from_body.vector(self.spin)
    }

    /// Velocity in the world frame of the body point that is now at `point` (world), m/s.
    pub fn point_velocity(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity().cross(point - self.world_from_body.translation)
    }

    /// Acceleration in the world frame of the body point that is now at `point` (world), m/s^2.
    pub fn point_acceleration(&self, acceleration: &Acceleration, point: DVec3) -> DVec3 {
        let (r, w) = (point - self.world_from_body.translation, self.angular_velocity());
        acceleration.linear + acceleration.angular.cross(r) + w.cross(w.cross(r))
    }

    pub(crate) fn is_finite(&self) -> bool {
        let pose = self.world_from_body;
        pose.rotation.is_finite() && pose.translation.is_finite() && self.velocity.is_finite() && self.spin.is_finite()
    }
}

/// Accelerations at one time, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acceleration {
    /// Of the centre of mass, m/s^2.
    pub linear: DVec3,
    /// Rate of change of the angular velocity, rad/s^2.
    pub angular: DVec3,
}

impl Acceleration {
    /// No acceleration.
    pub const ZERO: Self = Self { linear: DVec3::ZERO, angular: DVec3::ZERO };
}
