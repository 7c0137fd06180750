//! Bodies that are handed over from scripts to nature and back (Moore and Wilhelms 1988, section 3.3): what followed a script gives way,
//! and is taken up again.

use super::super::collider::{Collider, ColliderSpec};
use super::super::data::World;
use super::super::error::{ActError, BuildError};
use super::super::group::Group;
use super::super::index::{BodyId, ColliderIndex, MemberIndex};
use super::super::spec::MassSpec;
use super::make::{Surroundings, can_be_free, mass_properties};
use crate::body::{Motion, Scripted, State};
use crate::math::Pose;

/// How far a script may be from where its body is when it takes it up, in bounding radii: rounding.
const ROUNDING: f64 = 1e-9;

impl World {
    /// Lets go of a scripted body: from now on it is free, with the velocity that its script gives it now and the mass given here. A body
    /// that is free already stays as it is. A fixed body, one with joints, one that is a triangle surface, and one that overlaps what it
    /// would collide with are refused, and go on as before.
    ///
    /// ```
    /// use impulse::prelude::*;
    /// use impulse::world::MassSpec;
    ///
    /// let mut builder = WorldBuilder::new(Settings::default())?;
    /// builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
    /// let lift = Keyframes::new(&[
    ///     Keyframe { time: 0.0, world_from_body: Pose::IDENTITY },
    ///     Keyframe { time: 2.0, world_from_body: Pose::from_translation(DVec3::Z * 4.0) },
    /// ])?;
    /// let ball = builder.add_body(BodySpec::scripted("ball", Sphere::new(0.1)?, lift))?;
    /// let mut world = builder.build()?;
    /// world.run_to(1.0)?;
    /// world.release(ball, MassSpec::Mass(0.5))?;
    /// world.run_to(1.5)?;
    /// // From the middle of its way, 2 m, at 3 m/s.
    /// let height = world.body(ball).ok_or("it is there")?.pose().translation.z;
    /// assert!((height - (2.0 + 3.0 * 0.5 - 0.5 * 9.81 * 0.25)).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn release(&mut self, body: BodyId, mass: MassSpec) -> Result<(), ActError> {
        let index = body.collider();
        let collider = self.unjoined(body)?;
        if self.member(index).is_free() {
            return Ok(());
        }
        let name = collider.name.clone();
        if self.member(index).is_fixed() {
            return Err(ActError::NotScripted(name));
        }
        if !can_be_free(&collider.shape) {
            return Err(ActError::CannotBeFree(name));
        }
        let refused = |error| ActError::Mass { name: name.clone(), error };
        let mass = mass_properties(&collider.shape, mass).map_err(refused)?;
        let (state, body_from_shape) = (self.member(index).state_at(self.now), collider.body_from_shape);
        let world_from_shape = state.world_from_body * body_from_shape;
        // The script moves another point than the centre of mass, perhaps.
        let velocity = state.point_velocity(world_from_shape.point(mass.com));
        let start =
            State { world_from_body: world_from_shape, velocity, spin: body_from_shape.inverse_vector(state.spin) };
        let surroundings = Surroundings { materials: &self.materials, gravity: self.settings.gravity, now: self.now };
        let (motion, body_from_shape) = surroundings.free_motion(&mass, &start).map_err(refused)?;
        self.replace_motion(index, motion, body_from_shape)
    }

    /// Takes up a free or scripted body by a script, which moves its centre of mass and the axes of its shape. It must begin where the body
    /// is now; its velocity may be another one. A fixed body and one with joints are refused.
    pub fn script(&mut self, body: BodyId, script: impl Into<Scripted>) -> Result<(), ActError> {
        let index = body.collider();
        let collider = self.unjoined(body)?;
        if self.member(index).is_fixed() {
            return Err(ActError::NotScripted(collider.name.clone()));
        }
        let motion = Motion::scripted(script.into());
        let centre = collider.body_from_shape.inverse().translation;
        let body_from_shape = Pose::from_translation(-centre);
        let [now, begins] = [
            self.member(index).pose_at(self.now) * collider.body_from_shape,
            motion.pose_at(self.now) * body_from_shape,
        ];
        let turned = 2.0 * (now.rotation.inverse() * begins.rotation).xyz().length() * collider.radius;
        let distance = now.point(centre).distance(begins.point(centre)) + turned;
        let is_there = distance <= ROUNDING * collider.radius.max(now.translation.abs().max_element());
        if !is_there {
            return Err(ActError::Jump { name: collider.name.clone(), distance });
        }
        self.replace_motion(index, motion, body_from_shape)
    }

    /// A body that is there and has no joints.
    fn unjoined(&self, body: BodyId) -> Result<&Collider, ActError> {
        let collider = self.collider(body).ok_or(ActError::NoSuchBody)?;
        if self.is_joined(body.collider()) {
            let remedy = "joints hold it; only bodies without joints are released and scripted";
            return Err(ActError::Joined(collider.name.clone(), remedy));
        }
        Ok(collider)
    }

    /// Gives a body another motion, as if it were taken away and another one put in its place. If that one overlaps others all is as before.
    fn replace_motion(&mut self, index: ColliderIndex, motion: Motion, body_from_shape: Pose) -> Result<(), ActError> {
        self.wake_around(index);
        let old = &self.colliders[index];
        let (collider, group) = (old.clone(), self.groups[old.group].clone());
        let spec = ColliderSpec {
            id: old.id,
            name: old.name.clone(),
            shape: old.shape.clone(),
            material: old.material,
            body_from_shape,
        };
        self.withdraw(index);
        let new = Group::single(motion, index, self.now);
        let replaced = Collider::new(spec, collider.group, new.member(MemberIndex(0)));
        let (counters, min_separation) = (self.records.counters, self.records.min_separation);
        let entered = self.put_back(index, replaced, new);
        if let Err(error) = entered {
            (self.records.counters, self.records.min_separation) = (counters, min_separation);
            self.withdraw(index);
            // It was there before without overlapping what it meets.
            let _as_before = self.put_back(index, collider, group);
            self.renew_changed();
            return Err(self.refusal(index, error));
        }
        self.renew_changed();
        Ok(())
    }

    fn put_back(&mut self, index: ColliderIndex, collider: Collider, group: Group) -> Result<(), BuildError> {
        self.groups[collider.group] = group;
        self.colliders[index] = collider;
        self.renew_track(index);
        self.enter(index)?;
        self.records.changed.push(self.colliders[index].id);
        Ok(())
    }

    fn refusal(&self, index: ColliderIndex, error: BuildError) -> ActError {
        let name = self.colliders[index].name.clone();
        match error {
            BuildError::Overlap { first, second, depth } => {
                let other = if first == name { second } else { first };
                ActError::Overlap { name, other, depth }
            }
            _ => ActError::NotScripted(name),
        }
    }
}
