//! A tick: all controllers that are due feel how things are, then all of them act, each linkage and body once (section 5.4.3).

use super::super::data::World;
use super::super::index::{BodyId, ColliderIndex, LinkageIndex};
use super::super::linkage::linked::JointId;
use super::super::records::event::Event;
use super::controller::ControllerState;
use super::spec::{Controlled, ControllerId, Goal};
use crate::control::{Feels, Felt, JointLaw, PoseLaw};
use crate::math::Pose;
use crate::multibody::Wrench;
use glam::DVec3;

/// Length of a linkage's step at most, in times to the next tick: what is beyond it is done anew.
const TICK_STEP: f64 = 1.25;

impl World {
    /// Lets a controller act, and all others that are due now.
    pub(crate) fn control(&mut self, number: u32) -> Event {
        self.records.counters.ticks += 1;
        let is_due = |c: &ControllerState| c.next() <= self.now;
        let numbers = 0..self.controllers.len();
        let due: Vec<usize> =
            numbers.filter(|&i| self.controllers[i].as_ref().is_some_and(|c| is_due(&c.state))).collect();
        for &i in &due {
            self.feel(i);
        }
        self.act_of(&due);
        Event::Control(ControllerId(number))
    }

    /// Queues a controller's next tick, and finds what it does from this one on.
    fn feel(&mut self, number: usize) {
        let mut controller = self.controllers[number].take().expect("what is due is there");
        controller.state.count += 1;
        self.queue.update(controller.slot, controller.state.next());
        if controller.state.enabled
            && let Some(output) = self.output_of(&mut controller.state)
        {
            controller.state.output = output;
        }
        self.controllers[number] = Some(controller);
    }

    /// What a controller does now; `None` where it cannot say: it goes on as before.
    fn output_of(&self, state: &mut ControllerState) -> Option<Vec<f64>> {
        match (&state.controlled, &state.goal) {
            (&Controlled::Joint { joint, law }, &Goal::Joint(goal)) => {
                let felt = self.felt(joint, &law, state.last)?;
                state.last = Some([self.now, felt.position]);
                Some(vec![law.force(goal, felt, &mut state.memory, state.clock.period)])
            }
            (Controlled::Torques { joints, feels_contact, limits }, Goal::Accelerations(accelerations)) => {
                let mut forces = self.torques(joints, accelerations, *feels_contact)?;
                for (force, limit) in forces.iter_mut().zip(limits) {
                    *force = limit.map_or(*force, |limit| force.clamp(-limit, limit));
                }
                Some(forces)
            }
            (Controlled::Pose { body, law }, Goal::Pose(goal)) => {
                let [force, torque] = self.push_towards(*body, law, goal);
                Some([force.to_array(), torque.to_array()].concat())
            }
            _ => None,
        }
    }

    /// What a controller feels of a joint, with time and position of its last tick.
    fn felt(&self, joint: JointId, law: &JointLaw, last: Option<[f64; 2]>) -> Option<Felt> {
        let found = self.joint(joint)?;
        let (position, rate) = (*found.position().first()?, *found.rate().first()?);
        let lasts = || self.linkage_lasts(self.joints[joint.0 as usize].linkage);
        let in_the_mean = match law.feels {
            Feels::Instant => false,
            Feels::Mean => true,
            Feels::Either => lasts(),
        };
        let mean = last.filter(|[then, _]| in_the_mean && *then < self.now);
        let rate = mean.map_or(rate, |[then, before]| (position - before) / (self.now - then));
        Some(Felt { position, rate })
    }

    /// Whether a link of a linkage is in lasting contact.
    fn linkage_lasts(&self, index: LinkageIndex) -> bool {
        self.linked(index).colliders.iter().any(|&link| self.is_lasting(self.colliders[link].group))
    }

    /// Forces of joints that accelerate them as commanded (5.16).
    fn torques(&self, joints: &[JointId], accelerations: &[f64], feels_contact: bool) -> Option<Vec<f64>> {
        let index = self.joints.get(joints.first()?.0 as usize)?.linkage;
        let linked = self.linkages[index.0 as usize].as_ref()?;
        let freedom =
            |joint: &JointId| linked.linkage.tree().links()[self.joints[joint.0 as usize].link as usize].freedom;
        let commanded: Vec<(usize, f64)> = joints.iter().map(freedom).zip(accelerations.iter().copied()).collect();
        let contact =
            if feels_contact { self.contact_on_links(index) } else { vec![Wrench::default(); linked.colliders.len()] };
        linked.linkage.commanded_forces(self.now, &commanded, &contact)
    }

    fn push_towards(&self, body: BodyId, law: &PoseLaw, goal: &Pose) -> [DVec3; 2] {
        let collider = &self.colliders[body.collider()];
        let state = self.member(body.collider()).state_at(self.now);
        let rotation = state.world_from_body.rotation * collider.body_from_shape.rotation;
        let pose = Pose { rotation, translation: state.world_from_body.translation };
        law.push(goal, &pose, [state.velocity, state.angular_velocity()])
    }

    /// Lets what some controllers act on feel it: each linkage and body once.
    pub(super) fn act_of(&mut self, controllers: &[usize]) {
        let mut linkages: Vec<LinkageIndex> = Vec::new();
        let mut bodies: Vec<ColliderIndex> = Vec::new();
        for state in controllers.iter().filter_map(|&i| self.controllers[i].as_ref()).map(|c| &c.state) {
            let joint = state.controlled.joints().first();
            linkages.extend(joint.map(|joint| self.joints[joint.0 as usize].linkage));
            match state.controlled.body().map(|body| (body.collider(), self.group_of(body.collider()).link)) {
                Some((_, Some(place))) => linkages.push(place.linkage),
                Some((body, None)) => bodies.push(body),
                None => {}
            }
        }
        linkages.sort_unstable();
        linkages.dedup();
        bodies.sort_unstable();
        bodies.dedup();
        linkages.into_iter().for_each(|index| self.drive_linkage(index));
        bodies.into_iter().for_each(|body| self.drive_body(body));
    }

    /// Gives the joints and links of a linkage what all their controllers do. Where nothing changes, nothing happens.
    fn drive_linkage(&mut self, index: LinkageIndex) {
        let Some(linked) = &self.linkages[index.0 as usize] else { return };
        let linkage = &linked.linkage;
        let (mut forces, mut loads) = (linkage.forces.clone(), linkage.loads.clone());
        let driven = self.joints_driven(index);
        driven.iter().for_each(|&(k, _)| forces[k] = 0.0);
        driven.iter().for_each(|&(k, force)| forces[k] += force);
        let pushed = self.links_pushed(index);
        pushed.iter().for_each(|&(link, _)| loads[link] = Wrench::default());
        pushed.iter().for_each(|&(link, push)| loads[link] += push);
        if linkage.forces == forces && linkage.loads == loads {
            return;
        }
        let longest = self.longest_step(index);
        self.act_on_linkage(index, |linkage, now| {
            linkage.place_at(now);
            (linkage.forces, linkage.loads) = (forces, loads);
            linkage.shorten_step(longest);
        });
    }

    /// Length of a linkage's next step at most, s, by the next tick of a controller that acts on it; infinite if there is none.
    pub(crate) fn longest_step(&self, index: LinkageIndex) -> f64 {
        let drives = |state: &&ControllerState| {
            let joint = state.controlled.joints().first();
            let link = || self.group_of(state.controlled.body()?.collider()).link;
            let linkage =
                joint.map_or_else(|| link().map(|place| place.linkage), |j| Some(self.joints[j.0 as usize].linkage));
            state.enabled && linkage == Some(index)
        };
        let next = self.controllers.iter().flatten().map(|c| &c.state).filter(drives).map(ControllerState::next);
        // One that is due now is about to act.
        TICK_STEP * (next.filter(|&next| next > self.now).fold(f64::INFINITY, f64::min) - self.now)
    }

    /// Controllers that act, or have just been told not to.
    fn acting(&self) -> impl Iterator<Item = &ControllerState> {
        self.controllers.iter().flatten().map(|c| &c.state).filter(|state| state.enabled || state.is_let_go)
    }

    /// Freedoms of a linkage that controllers drive, each with what one of them does.
    fn joints_driven(&self, index: LinkageIndex) -> Vec<(usize, f64)> {
        let place = |joint: &JointId| {
            let named = &self.joints[joint.0 as usize];
            let tree = self.linked(index).linkage.tree();
            (named.linkage == index).then(|| tree.links()[named.link as usize].freedom)
        };
        let of = |state: &ControllerState| -> Vec<(usize, f64)> {
            let joints = state.controlled.joints().iter();
            joints.zip(&state.output).filter_map(|(joint, &force)| Some((place(joint)?, force))).collect()
        };
        self.acting().flat_map(of).collect()
    }

    /// Links of a linkage that controllers of poses push.
    fn links_pushed(&self, index: LinkageIndex) -> Vec<(usize, Wrench)> {
        let of = |state: &ControllerState| {
            let place = self.group_of(state.controlled.body()?.collider()).link?;
            let [force, moment] = force_and_torque(&state.output);
            (place.linkage == index).then_some((place.link as usize, Wrench { moment, force }))
        };
        self.acting().filter_map(of).collect()
    }

    /// The same for a free body.
    fn drive_body(&mut self, body: ColliderIndex) {
        let id = self.colliders[body].id;
        let pushes = self.acting().filter(|state| state.controlled.body() == Some(id));
        let push = pushes.fold([DVec3::ZERO; 2], |[force, torque], state| {
            let [more_force, more_torque] = force_and_torque(&state.output);
            [force + more_force, torque + more_torque]
        });
        self.push_body(body, push);
    }
}

fn force_and_torque(output: &[f64]) -> [DVec3; 2] {
    [DVec3::from_slice(&output[..3]), DVec3::from_slice(&output[3..6])]
}
