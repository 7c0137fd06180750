//! Velocities in the mean over a window of time (section 1.3): in contact that lasts a velocity at one instant is that of a hop,
//! and where a body has got to is what counts.

use super::super::data::World;
use super::super::index::BodyId;
use crate::math::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// Where a body was when a window of time began.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MotionWindow {
    /// The body.
    pub body: BodyId,
    /// When the window began, s.
    pub from: f64,
    /// `world_from_body` then: of the principal frame.
    pub pose: Pose,
}

/// How a body moved in the mean.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// builder.add_material(Material { friction: 0.3, restitution: 0.0, law: Law::Stronge })?;
/// let ramp = HalfSpace::new(DVec3::new(3.0, 0.0, 4.0), 0.0)?; // slopes down along x, at 36.87 degrees
/// builder.add_body(BodySpec::fixed("ramp", ramp))?;
/// let down = DVec3::new(0.8, 0.0, -0.6);
/// let block = BodySpec::free("block", Cuboid::new(DVec3::splat(0.1))?).at(DVec3::new(0.6, 0.0, 0.8) * 0.05);
/// let tilt = DQuat::from_rotation_arc(DVec3::Z, DVec3::new(0.6, 0.0, 0.8));
/// let block = builder.add_body(block.rotated(tilt))?;
/// let mut world = builder.build()?;
///
/// world.run_to(0.5)?;
/// let window = world.motion_window(block).ok_or("the block is there")?;
/// world.run_to(0.7)?;
/// let mean = world.mean_motion(&window).ok_or("time has passed")?;
/// // Halfway it moves as fast as it did in the mean: g (sin - mu cos) t.
/// let expected = 9.81 * (0.6 - 0.3 * 0.8) * 0.6;
/// assert!((mean.velocity.dot(down) - expected).abs() < 1e-3 * expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeanMotion {
    /// Of the centre of mass, world frame, m/s: its way divided by the time.
    pub velocity: DVec3,
    /// The steady turn that leads from the one attitude to the other, axes of the shape's frame, rad/s.
    pub spin: DVec3,
}

impl World {
    /// Begins a window of time for a body; `None` for a body that was removed.
    pub fn motion_window(&self, body: BodyId) -> Option<MotionWindow> {
        self.collider(body)?;
        Some(MotionWindow { body, from: self.now, pose: self.member(body.collider()).pose_at(self.now) })
    }

    /// How a body moved in the mean from the beginning of a window to now; `None` for a window without duration and for a body
    /// that was removed. A window that begins and ends within flights of lasting contact knows the body's place to a hop:
    /// to [`crate::world::Settings::hop_height`] times its radius.
    pub fn mean_motion(&self, window: &MotionWindow) -> Option<MeanMotion> {
        let collider = self.collider(window.body)?;
        let duration = self.now - window.from;
        if duration <= 0.0 {
            return None;
        }
        let now = self.member(window.body.collider()).state_at(self.now);
        let way = now.world_from_body.translation - window.pose.translation;
        // A body that spins turns round and round; how often, its spin now tells.
        let turn = turn_between(&window.pose, &now.world_from_body, now.spin * duration);
        Some(MeanMotion { velocity: way / duration, spin: collider.body_from_shape.inverse_vector(turn / duration) })
    }

    /// Whether a body is in lasting contact: has hopped within the last three flights, or rests; `None` for a body that was
    /// removed.
    pub fn in_lasting_contact(&self, body: BodyId) -> Option<bool> {
        self.collider(body).map(|c| self.is_lasting(c.group))
    }
}

/// Axis and angle of a turn from one attitude to another, body axes, rad: of all that differ by whole turns, the one nearest to
/// what is expected.
fn turn_between(from: &Pose, to: &Pose, expected: DVec3) -> DVec3 {
    let between = from.rotation.conjugate() * to.rotation;
    let (sine, cosine) = (between.xyz().length(), between.w);
    // Of the two quaternions of one rotation, that of the shorter turn.
    let (axis, cosine) = if cosine < 0.0 { (-between.xyz(), -cosine) } else { (between.xyz(), cosine) };
    let angle = 2.0 * libm::atan2(sine, cosine);
    if expected.length() + angle < PI {
        // The factor is 2 for small angles, where sine and angle vanish together.
        return axis * if sine > 0.0 { angle / sine } else { 2.0 };
    }
    let axis = if sine > 0.0 { axis / sine } else { expected.normalize_or_zero() };
    axis * (angle + TAU * libm::round((expected.dot(axis) - angle) / TAU))
}

#[cfg(test)]
mod tests {
    use super::turn_between;
    use crate::math::Pose;
    use glam::{DQuat, DVec3};

    fn turned(turn: DVec3) -> Pose {
        let half = 0.5 * turn.length();
        let (sine, cosine) = libm::sincos(half);
        let axis = turn.normalize_or_zero() * sine;
        Pose { rotation: DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine), translation: DVec3::ZERO }
    }

    #[test]
    fn whole_turns_are_told_by_what_is_expected() {
        let axis = DVec3::new(0.6, -0.48, 0.64);
        for angle in [0.0, 1e-9, 1e-3, 1.0, 3.0, 3.2, 6.2, 6.3, 40.0, -2.0, -9.0, -100.0] {
            let turn = axis * angle;
            for off in [0.0, 0.4, -0.4] {
                let found = turn_between(&Pose::IDENTITY, &turned(turn), turn + axis * off);
                assert!(found.distance(turn) < 1e-12 * (1.0 + angle.abs()), "{angle} {off}: {found} instead of {turn}");
            }
        }
    }
}
