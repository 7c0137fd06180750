//! How a drop starts: in any attitude, or lying on the upper belt of a feeder (section 7.5.3).

use super::conditions::Conditions;
use glam::{DQuat, DVec3};
use impulse_scenes::Random;
use std::f64::consts::TAU;

/// Attitude and motion of a part that is let go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Takes the part's axes to the world's.
    pub rotation: DQuat,
    /// Height of its lowest point, m.
    pub height: f64,
    /// Horizontal speed along x, m/s.
    pub speed: f64,
    /// Angular velocity in the world frame, rad/s.
    pub spin: DVec3,
}

impl Start {
    /// In an attitude drawn uniformly from all.
    pub fn uniform(conditions: &Conditions, random: &mut Random) -> Self {
        let rotation = random.rotation();
        Self::with_rotation(rotation, conditions, random)
    }

    /// Lying with a direction down, turned about the vertical by any angle, and off by a small rotation about a random axis.
    pub fn lying(down: DVec3, conditions: &Conditions, random: &mut Random) -> Self {
        let yaw = turn(DVec3::Z, TAU * random.unit());
        let angle = conditions.perturbation * random.unit();
        let off = turn(random.direction(), angle);
        Self::with_rotation((off * yaw * to_bottom(down)).normalize(), conditions, random)
    }

    fn with_rotation(rotation: DQuat, conditions: &Conditions, random: &mut Random) -> Self {
        let height = conditions.height.draw(random);
        let speed = conditions.speed.draw(random);
        let spin = conditions.spin.draw(random) * random.direction();
        Self { rotation, height, speed, spin }
    }
}

/// The rotation about a unit vector.
fn turn(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    let v = sine * axis;
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}

/// A rotation that takes a unit vector to -z.
fn to_bottom(down: DVec3) -> DQuat {
    let cosine = -down.z;
    if cosine < -1.0 + 1e-9 {
        return DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    }
    let axis = down.cross(-DVec3::Z);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + cosine).normalize()
}

#[cfg(test)]
mod tests {
    use super::{DVec3, Random, to_bottom};

    #[test]
    fn every_direction_can_be_turned_down() {
        let random = &mut Random::new(1);
        let any = (0..1000).map(|_| random.direction());
        for down in any.chain([DVec3::Z, -DVec3::Z, DVec3::new(1e-7, 0.0, 1.0).normalize()]) {
            let error = (to_bottom(down) * down + DVec3::Z).length();
            assert!(error < 1e-6, "{down}: {error}");
        }
    }
}
