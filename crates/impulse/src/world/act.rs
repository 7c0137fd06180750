//! What a user may do to bodies between events: push, set going, pull (sections 1.3, 5.4).

use super::body::BodyId;
use super::error::ActError;
use super::step::World;
use crate::body::{Drive, Launch, PrincipalMass};
use glam::DVec3;

impl World {
    /// Applies an impulse (N s) at a point (m), both in the world frame, to a free body now.
    pub fn apply_impulse(&mut self, body: BodyId, point: DVec3, impulse: DVec3) -> Result<(), ActError> {
        let slot = self.free_slot(body, &[("the point", point), ("the impulse", impulse)])?;
        self.observe_now(slot);
        self.bodies[slot as usize].motion.apply_impulse(self.now, point, impulse);
        self.moved_anew(slot);
        Ok(())
    }

    /// Gives a free body another velocity of its centre of mass (m/s, world frame) and another spin (rad/s, axes of the shape's
    /// frame) now.
    pub fn set_velocity(&mut self, body: BodyId, velocity: DVec3, spin: DVec3) -> Result<(), ActError> {
        let slot = self.free_slot(body, &[("the velocity", velocity), ("the spin", spin)])?;
        self.observe_now(slot);
        let b = &mut self.bodies[slot as usize];
        let mut state = b.motion.state_at(self.now);
        (state.velocity, state.spin) = (velocity, b.body_from_shape.vector(spin));
        b.motion.relaunch(Launch { time: self.now, state });
        self.moved_anew(slot);
        Ok(())
    }

    /// Lets a force (N, world frame) act on a free body's centre of mass, besides gravity, from now until it is changed.
    pub fn set_force(&mut self, body: BodyId, force: DVec3) -> Result<(), ActError> {
        let gravity = self.settings.gravity;
        self.drive(body, ("the force", force), |drive, mass| Drive { acceleration: gravity + force / mass, ..drive })
    }

    /// Lets a torque (N m, world frame) act on a free body from now until it is changed.
    pub fn set_torque(&mut self, body: BodyId, torque: DVec3) -> Result<(), ActError> {
        self.drive(body, ("the torque", torque), |drive, _| Drive { torque, ..drive })
    }

    fn drive(
        &mut self,
        body: BodyId,
        given: (&'static str, DVec3),
        change: impl Fn(Drive, f64) -> Drive,
    ) -> Result<(), ActError> {
        let slot = self.free_slot(body, &[given])?;
        self.observe_now(slot);
        let motion = &mut self.bodies[slot as usize].motion;
        if let (Some(drive), Some(mass)) = (motion.drive(), motion.mass().map(PrincipalMass::mass)) {
            motion.set_drive(self.now, change(drive, mass));
        }
        self.moved_anew(slot);
        Ok(())
    }

    /// Keeps account of rest before a body is moved, and wakes it and what it touches.
    fn observe_now(&mut self, slot: u32) {
        self.wake_around(slot);
        let pose = self.bodies[slot as usize].motion.pose_at(self.now);
        self.observe(slot, &pose);
    }

    /// A new box and new checks for a body whose motion has changed.
    fn moved_anew(&mut self, slot: u32) {
        self.rebox(slot);
        self.reschedule(slot);
    }

    /// The place of a body that is there.
    pub(super) fn slot(&self, body: BodyId) -> Result<u32, ActError> {
        self.body(body).map(|_| body.slot).ok_or(ActError::NoSuchBody)
    }

    /// The place of a body that is there and free, if what is to be done to it is finite.
    fn free_slot(&self, body: BodyId, given: &[(&'static str, DVec3)]) -> Result<u32, ActError> {
        let b = self.body(body).ok_or(ActError::NoSuchBody)?;
        if !b.is_free() {
            return Err(ActError::NotFree(b.name.clone()));
        }
        match given.iter().find(|(_, vector)| !vector.is_finite()) {
            Some(&(what, _)) => Err(ActError::NotFinite { name: b.name.clone(), what }),
            None => Ok(body.slot),
        }
    }
}
