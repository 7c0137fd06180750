//! What a user may do to bodies between events: push, set going, pull (sections 1.3, 5.4).

use super::super::data::World;
use super::super::error::ActError;
use super::super::index::{BodyId, ColliderIndex};
use super::super::pairs::change::PointImpulse;
use crate::body::{Drive, Launch, Motion, PrincipalMass};
use glam::DVec3;

impl World {
    /// Applies an impulse (N s) at a point (m), both in the world frame, to a free body now.
    pub fn apply_impulse(&mut self, body: BodyId, point: DVec3, impulse: DVec3) -> Result<(), ActError> {
        let collider = self.free_collider(body, &[("the point", point), ("the impulse", impulse)])?;
        let was_held = self.group_of(collider).is_held();
        self.wake_around(collider);
        let (group, state) = (self.colliders[collider].group, self.member(collider).state_at(self.now));
        self.apply_impulses(&[PointImpulse { group, state: &state, point, impulse }]);
        self.after_act(collider, was_held);
        Ok(())
    }

    /// Gives a free body another velocity of its centre of mass (m/s, world frame) and another spin (rad/s, axes of the shape's
    /// frame) now.
    pub fn set_velocity(&mut self, body: BodyId, velocity: DVec3, spin: DVec3) -> Result<(), ActError> {
        let collider = self.free_collider(body, &[("the velocity", velocity), ("the spin", spin)])?;
        if self.group_of(collider).link.is_some() {
            let name = self.colliders[collider].name.clone();
            return Err(ActError::Joined(name, "set the rates of its joints instead"));
        }
        let spin = self.colliders[collider].body_from_shape.vector(spin);
        self.act_on(collider, |motion, now| {
            let mut state = motion.state_at(now);
            (state.velocity, state.spin) = (velocity, spin);
            motion.relaunch(Launch { time: now, state });
        });
        Ok(())
    }

    /// Lets a force (N, world frame) act on a free body's centre of mass, besides gravity, from now until it is changed. Where it already
    /// does, nothing happens: bodies at rest stay so.
    pub fn set_force(&mut self, body: BodyId, force: DVec3) -> Result<(), ActError> {
        let gravity = self.settings.gravity;
        let collider = self.free_collider(body, &[("the force", force)])?;
        if self.load_link(collider, |load| load.force = force) {
            return Ok(());
        }
        self.drive(body, ("the force", force), |drive, mass| Drive { acceleration: gravity + force / mass, ..drive })
    }

    /// Lets a torque (N m, world frame) act on a free body from now until it is changed.
    pub fn set_torque(&mut self, body: BodyId, torque: DVec3) -> Result<(), ActError> {
        let collider = self.free_collider(body, &[("the torque", torque)])?;
        if self.load_link(collider, |load| load.moment = torque) {
            return Ok(());
        }
        self.drive(body, ("the torque", torque), |drive, _| Drive { torque, ..drive })
    }

    /// Lets a force and a torque act on a free body that is no link, from now until they are changed. Where they already do, nothing happens.
    pub(crate) fn push_body(&mut self, collider: ColliderIndex, [force, torque]: [DVec3; 2]) {
        let motion = self.member(collider).motion();
        let Some(mass) = motion.mass().map(PrincipalMass::mass) else { return };
        let drive = Drive { acceleration: self.settings.gravity + force / mass, torque };
        if motion.drive() != Some(drive) {
            self.act_on(collider, |motion, now| motion.set_drive(now, drive));
        }
    }

    fn drive(
        &mut self,
        body: BodyId,
        given: (&'static str, DVec3),
        change: impl Fn(Drive, f64) -> Drive,
    ) -> Result<(), ActError> {
        let collider = self.free_collider(body, &[given])?;
        let motion = self.member(collider).motion();
        if let (Some(drive), Some(mass)) = (motion.drive(), motion.mass().map(PrincipalMass::mass)) {
            let changed = change(drive, mass);
            if changed != drive {
                self.act_on(collider, |motion, now| motion.set_drive(now, changed));
            }
        }
        Ok(())
    }

    /// Changes the motion of a body at a user's wish; what rests on it or touches it wakes.
    fn act_on(&mut self, collider: ColliderIndex, change: impl FnOnce(&mut Motion, f64)) {
        let was_held = self.group_of(collider).is_held();
        self.wake_around(collider);
        let (group, pose, now) = (self.colliders[collider].group, self.member(collider).pose_at(self.now), self.now);
        self.change_motion(group, &pose, |motion| change(motion, now));
        self.after_act(collider, was_held);
    }

    /// Renews what depends on a motion that a user has changed. A ball that a plane held may stay on it.
    fn after_act(&mut self, collider: ColliderIndex, was_held: bool) {
        if was_held {
            self.carry_again(collider);
        }
        self.renew_changed();
    }

    /// The collider of a body that is there and free, if what is to be done to it is finite.
    fn free_collider(&self, body: BodyId, given: &[(&'static str, DVec3)]) -> Result<ColliderIndex, ActError> {
        let collider = self.collider(body).ok_or(ActError::NoSuchBody)?;
        if !self.member(body.collider()).is_free() {
            return Err(ActError::NotFree(collider.name.clone()));
        }
        match given.iter().find(|(_, vector)| !vector.is_finite()) {
            Some(&(what, _)) => Err(ActError::NotFinite { name: collider.name.clone(), what }),
            None => Ok(body.collider()),
        }
    }
}
