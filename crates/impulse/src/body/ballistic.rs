//! Free flight: a parabola and a torque-free rotation, both exact (section 2.3, appendix A.3).

use super::bounds::SpinBounds;
use super::parabola::Parabola;
use super::{Acceleration, Attitude, Drive, FreeRotation, Launch, PrincipalMass, State};
use crate::math::Pose;
use glam::{DVec3, Vec3Swizzles};

/// A body on which gravity and perhaps a constant force act, but no torque.
#[derive(Clone, Debug)]
pub struct Ballistic {
    pub(super) mass: PrincipalMass,
    pub(super) centre: Parabola,
    rotation: FreeRotation,
}

impl Ballistic {
    /// Flight from a state on, with constant acceleration of the centre of mass (m/s^2).
    pub fn new(mass: PrincipalMass, launch: Launch, acceleration: DVec3) -> Self {
        let State { world_from_body: pose, velocity, spin } = launch.state;
        Self {
            mass,
            centre: Parabola { start: launch.time, position: pose.translation, velocity, acceleration },
            rotation: FreeRotation::new(mass.moments(), Attitude { orientation: pose.rotation, spin }),
        }
    }

    /// Goes on from another state.
    pub(super) fn relaunch(&mut self, launch: Launch) {
        let State { world_from_body: pose, velocity, spin } = launch.state;
        self.centre = Parabola { start: launch.time, position: pose.translation, velocity, ..self.centre };
        self.rotation.restart(self.mass.moments(), Attitude { orientation: pose.rotation, spin });
    }

    /// They hold for the whole flight.
    pub(super) fn spin_bounds(&self) -> SpinBounds {
        self.rotation.spin_bounds()
    }

    /// The state at a time; earlier than the launch is the same flight continued backwards.
    pub fn state_at(&self, t: f64) -> State {
        let Attitude { orientation, spin } = self.rotation.at(t - self.centre.start);
        let pose = Pose { rotation: orientation, translation: self.centre.position_at(t) };
        State { world_from_body: pose, velocity: self.centre.velocity_at(t), spin }
    }

    pub(super) fn acceleration_in(&self, state: &State) -> Acceleration {
        let angular = state.world_from_body.vector(euler_acceleration(self.mass.moments(), state.spin));
        Acceleration { linear: self.centre.acceleration, angular }
    }

    /// Where the rotation starts.
    pub(super) fn start(&self) -> Attitude {
        self.rotation.start()
    }

    pub(super) fn drive(&self) -> Drive {
        Drive { acceleration: self.centre.acceleration, torque: DVec3::ZERO }
    }
}

/// Torque-free angular acceleration in the principal frame (A.3), rad/s^2.
pub(super) fn euler_acceleration(moments: DVec3, spin: DVec3) -> DVec3 {
    (moments.yzx() - moments.zxy()) * spin.yzx() * spin.zxy() / moments
}
