//! Adding, removing and leading controllers.

use super::super::clock::ClockSpec;
use super::super::data::World;
use super::super::error::ActError;
use super::super::linkage::linked::JointId;
use super::super::scheduled::Scheduled;
use super::controller::{Controller, ControllerState};
use super::spec::{Controlled, ControllerId, ControllerSpec, Goal};
use crate::control::{Gains, Memory};
use crate::multibody::JointKind;

impl World {
    /// Adds a controller, which acts at `start + k period` from now on. Several on one joint or body add up. A joint or body that has one is
    /// driven by those that are enabled alone: what [`World::set_joint_force`], [`World::set_force`] or [`World::set_torque`] did ends at their next tick.
    pub fn add_controller(&mut self, spec: ControllerSpec) -> Result<ControllerId, ActError> {
        let ControllerSpec { controlled, goal, start, period, enabled } = spec;
        self.check_controlled(&controlled)?;
        check_goal(&controlled, &goal)?;
        let clock = ClockSpec { start, ..ClockSpec::tick(period) };
        if !clock.is_valid() || start + period <= start || self.now + period <= self.now {
            return Err(ActError::Clock { start, period });
        }
        let count = clock.first_from(self.now);
        let output = vec![0.0; outputs(&controlled)];
        let state = ControllerState {
            controlled,
            goal,
            enabled,
            is_let_go: false,
            clock,
            count,
            memory: Memory::default(),
            last: None,
            output,
        };
        let number = self.controllers.len() as u32;
        let slot = self.queue.insert(state.next(), Scheduled::Control(number));
        self.controllers.push(Some(Controller { state, slot }));
        Ok(ControllerId(number))
    }

    /// Removes a controller; what it did ends now.
    pub fn remove_controller(&mut self, controller: ControllerId) -> Result<(), ActError> {
        self.enable_controller(controller, false)?;
        let removed = self.controllers[controller.0 as usize].take().ok_or(ActError::NoSuchController)?;
        self.queue.remove(removed.slot);
        Ok(())
    }

    /// Enables a controller, which acts again at its next tick and has forgotten the past, or disables it: what it did ends now.
    pub fn enable_controller(&mut self, controller: ControllerId, enabled: bool) -> Result<(), ActError> {
        let state = self.controller_mut(controller)?;
        if state.enabled == enabled {
            return Ok(());
        }
        (state.enabled, state.is_let_go) = (enabled, !enabled);
        state.reset();
        self.act_of(&[controller.0 as usize]);
        self.controller_mut(controller)?.is_let_go = false;
        Ok(())
    }

    /// Gives a controller another goal, for its next tick on.
    pub fn set_goal(&mut self, controller: ControllerId, goal: Goal) -> Result<(), ActError> {
        let state = self.controller_mut(controller)?;
        check_goal(&state.controlled, &goal)?;
        state.goal = goal;
        Ok(())
    }

    /// The controllers that are there, in the order in which they were added.
    pub fn controllers(&self) -> impl Iterator<Item = ControllerId> {
        (0..).zip(&self.controllers).filter(|(_, controller)| controller.is_some()).map(|(i, _)| ControllerId(i))
    }

    /// Where a controller leads.
    pub fn controller_goal(&self, controller: ControllerId) -> Option<&Goal> {
        Some(&self.controllers.get(controller.0 as usize)?.as_ref()?.state.goal)
    }

    /// Whether a controller acts.
    pub fn is_controller_enabled(&self, controller: ControllerId) -> Option<bool> {
        Some(self.controllers.get(controller.0 as usize)?.as_ref()?.state.enabled)
    }

    /// What a controller does since its last tick: a force (N m, N) for each of its joints, or force and torque on its body (N, N m, world axes);
    /// zeros while it is disabled.
    pub fn controller_output(&self, controller: ControllerId) -> Option<&[f64]> {
        let controller = self.controllers.get(controller.0 as usize)?.as_ref()?;
        Some(&controller.state.output)
    }

    /// Removes controllers that have lost their joint or body.
    pub(crate) fn drop_controllers(&mut self) {
        for i in 0..self.controllers.len() {
            let has_lost = |c: &Controller| !self.has_controlled(&c.state.controlled);
            if self.controllers[i].as_ref().is_some_and(has_lost)
                && let Some(lost) = self.controllers[i].take()
            {
                self.queue.remove(lost.slot);
            }
        }
    }

    fn has_controlled(&self, controlled: &Controlled) -> bool {
        let has_joints = controlled.joints().iter().all(|&joint| self.joint(joint).is_some());
        has_joints && controlled.body().is_none_or(|body| self.collider(body).is_some())
    }

    fn controller_mut(&mut self, controller: ControllerId) -> Result<&mut ControllerState, ActError> {
        let found = self.controllers.get_mut(controller.0 as usize).and_then(Option::as_mut);
        found.map(|controller| &mut controller.state).ok_or(ActError::NoSuchController)
    }

    /// Whether there is such a thing, and its law is sound.
    pub(super) fn check_controlled(&self, controlled: &Controlled) -> Result<(), ActError> {
        let sound = |gains: &[&Gains], limits: &[Option<f64>]| {
            if !gains.iter().all(|gains| gains.are_sound()) {
                return wrong("gains must be finite numbers that are not negative");
            }
            let is_sound = |limit: f64| limit > 0.0 && limit.is_finite();
            if !limits.iter().flatten().all(|&limit| is_sound(limit)) {
                return wrong("a limit must be a positive finite number; leave it out where there is none");
            }
            Ok(())
        };
        match controlled {
            Controlled::Joint { joint, law } => {
                self.check_drivable(*joint)?;
                sound(&[&law.gains], &[law.limit])
            }
            Controlled::Torques { joints, limits, .. } => {
                joints.iter().try_for_each(|&joint| self.check_drivable(joint))?;
                let linkage = |joint: &JointId| self.joints[joint.0 as usize].linkage;
                let in_one = joints.iter().all(|joint| linkage(joint) == linkage(&joints[0]));
                let mut sorted = joints.clone();
                sorted.sort_unstable();
                sorted.dedup();
                if joints.is_empty() || !in_one || sorted.len() != joints.len() {
                    return wrong("computed torque takes different joints of one linkage");
                }
                if !limits.is_empty() && limits.len() != joints.len() {
                    return wrong("computed torque takes a limit for each of its joints, or none at all");
                }
                sound(&[], limits)
            }
            Controlled::Pose { body, law } => {
                let collider = self.collider(*body).ok_or(ActError::NoSuchBody)?;
                if !self.member(body.collider()).is_free() {
                    return Err(ActError::NotFree(collider.name.clone()));
                }
                sound(&[&law.linear, &law.angular], &law.limits)
            }
        }
    }

    fn check_drivable(&self, joint: JointId) -> Result<(), ActError> {
        let found = self.joint(joint).ok_or(ActError::NoSuchJoint)?;
        match found.kind() {
            JointKind::Hinge | JointKind::Slider => Ok(()),
            JointKind::Socket | JointKind::Planar | JointKind::Weld | JointKind::Floating => {
                wrong(format!("joint \"{}\" is no hinge and no slider; only these are driven", found.name()))
            }
        }
    }
}

/// Whether a goal suits what is controlled.
pub(super) fn check_goal(controlled: &Controlled, goal: &Goal) -> Result<(), ActError> {
    match (controlled, goal) {
        (Controlled::Joint { .. }, Goal::Joint(goal)) if goal.is_finite() => Ok(()),
        (Controlled::Torques { joints, .. }, Goal::Accelerations(goals))
            if goals.len() == joints.len() && goals.iter().all(|goal| goal.is_finite()) =>
        {
            Ok(())
        }
        (Controlled::Pose { .. }, Goal::Pose(pose)) if pose.is_rigid() => Ok(()),
        (Controlled::Joint { .. }, _) => wrong("its goal must be a finite number"),
        (Controlled::Torques { .. }, _) => wrong("its goal must be a finite acceleration for each of its joints"),
        (Controlled::Pose { .. }, _) => wrong("its goal must be a finite place and a unit quaternion"),
    }
}

/// How many numbers a controller puts out.
pub(super) fn outputs(controlled: &Controlled) -> usize {
    match controlled {
        Controlled::Joint { .. } => 1,
        Controlled::Torques { joints, .. } => joints.len(),
        Controlled::Pose { .. } => 6,
    }
}

fn wrong(what: impl Into<String>) -> Result<(), ActError> {
    Err(ActError::Controller(what.into()))
}
