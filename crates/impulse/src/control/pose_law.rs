//! PD of a free body's place and attitude, by force and torque (section 7.3).

use super::joint_law::Gains;
use crate::math::{Pose, rotation_vector};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// How a body's place and attitude are regulated. Integral gains are not used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseLaw {
    /// Of the centre of mass: N/m, N s/m.
    pub linear: Gains,
    /// Of the attitude: N m/rad, N m s/rad.
    pub angular: Gains,
    /// Force and torque that are not exceeded, N and N m.
    pub limits: [Option<f64>; 2],
}

impl PoseLaw {
    /// Force and torque, world axes, towards a goal: from a pose with velocity and angular velocity (world axes).
    pub fn push(&self, goal: &Pose, pose: &Pose, [velocity, turning]: [DVec3; 2]) -> [DVec3; 2] {
        let way = goal.translation - pose.translation;
        let turn = rotation_vector(goal.rotation * pose.rotation.conjugate());
        let push = |gains: &Gains, error: DVec3, rate: DVec3| error * gains.k_p - rate * gains.k_v;
        let force = push(&self.linear, way, velocity);
        let torque = push(&self.angular, turn, turning);
        [limited(force, self.limits[0]), limited(torque, self.limits[1])]
    }
}

fn limited(v: DVec3, limit: Option<f64>) -> DVec3 {
    limit.map_or(v, |limit| v.clamp_length_max(limit))
}
