//! Joints of a world, to be read and acted on (sections 1.3, 5.4).

use super::super::data::World;
use super::super::error::ActError;
use super::super::index::{BodyId, ColliderIndex, LinkageIndex};
use super::linked::{JointId, NamedJoint, StopRecord};
use crate::body::State;
use crate::math::rotation_vector;
use crate::multibody::{JointKind, Tree, Wrench};
use glam::DVec3;

/// A joint of a world, to be read: see [`World::joint`].
#[derive(Clone, Copy, Debug)]
pub struct JointRef<'w> {
    world: &'w World,
    id: JointId,
    named: &'w NamedJoint,
}

/// What a joint carries, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct JointLoad {
    /// Where, m: the point through which a hinge or socket goes, or the centre of mass of what slides.
    pub point: DVec3,
    /// Force on the second body, N.
    pub force: DVec3,
    /// Moment on the second body about that point, N m.
    pub moment: DVec3,
}

impl World {
    /// All joints, in the order of adding.
    pub fn joints(&self) -> impl Iterator<Item = JointId> {
        (0..self.joints.len() as u32).map(JointId)
    }

    /// The joint with a name.
    pub fn find_joint(&self, name: &str) -> Option<JointId> {
        (0..).zip(&self.joints).find(|(_, joint)| joint.name == name).map(|(id, _)| JointId(id))
    }

    /// A joint to be read; `None` if it belongs to another world.
    pub fn joint(&self, joint: JointId) -> Option<JointRef<'_>> {
        let named = self.joints.get(joint.0 as usize)?;
        self.linkages[named.linkage.0 as usize].as_ref()?;
        Some(JointRef { world: self, id: joint, named })
    }

    /// Stops that joints have come to so far, if the settings ask for impacts; after [`World::take_stops`], those since then.
    pub fn stops(&self) -> &[StopRecord] {
        &self.records.stops
    }

    /// Hands over the recorded stops and forgets them.
    pub fn take_stops(&mut self) -> Vec<StopRecord> {
        std::mem::take(&mut self.records.stops)
    }

    /// Lets forces act along the freedoms of a joint (N m, N; of a socket: world axes) from now until they are changed.
    pub fn set_joint_force(&mut self, joint: JointId, force: &[f64]) -> Result<(), ActError> {
        self.act_on_joint(joint, force, |tree, link, forces, _| {
            forces[tree.links()[link].freedoms()].copy_from_slice(force);
        })
    }

    /// Gives a joint other rates now (rad/s, m/s; of a socket: world axes).
    pub fn set_joint_rate(&mut self, joint: JointId, rate: &[f64]) -> Result<(), ActError> {
        self.act_on_joint(joint, rate, |tree, link, _, [_, rates]| {
            rates[tree.links()[link].freedoms()].copy_from_slice(rate);
        })
    }

    /// Puts a hinge or slider at another coordinate now (rad, m), within its limits. Where that puts a link into another body, the run
    /// fails at the next event.
    pub fn set_joint_position(&mut self, joint: JointId, position: f64) -> Result<(), ActError> {
        let given = self.joint(joint).ok_or(ActError::NoSuchJoint)?;
        let allowed = given.limits().is_none_or(|[low, high]| (low..=high).contains(&position));
        if !matches!(given.kind(), JointKind::Hinge | JointKind::Slider) || !allowed {
            return Err(ActError::JointPosition { name: given.name().to_owned(), position });
        }
        self.act_on_joint(joint, &[position], |tree, link, _, [coordinates, _]| {
            coordinates[tree.links()[link].coordinate] = position;
        })
    }

    fn act_on_joint(
        &mut self,
        joint: JointId,
        given: &[f64],
        change: impl FnOnce(&Tree, usize, &mut [f64], [&mut [f64]; 2]),
    ) -> Result<(), ActError> {
        let found = self.joint(joint).ok_or(ActError::NoSuchJoint)?;
        let (index, link, name) = (found.named.linkage, found.named.link as usize, found.name().to_owned());
        if given.len() != found.kind().freedoms() {
            let (given, freedoms) = (given.len(), found.kind().freedoms());
            return Err(ActError::JointFreedoms { name, given, freedoms });
        }
        if !given.iter().all(|x| x.is_finite()) {
            return Err(ActError::NotFinite { name, what: "what is given to the joint" });
        }
        self.act_on_linkage(index, |linkage, now| {
            linkage.place_at(now);
            let (tree, forces, state) = linkage.parts_to_change();
            change(tree, link, forces, state);
        });
        Ok(())
    }

    /// Lets a force and a torque act on a link besides gravity, from now until changed.
    pub(crate) fn load_link(&mut self, collider: ColliderIndex, change: impl FnOnce(&mut Wrench)) -> bool {
        let Some(place) = self.group_of(collider).link else { return false };
        let before = self.linked(place.linkage).linkage.loads[place.link as usize];
        let mut load = before;
        change(&mut load);
        if load != before {
            self.act_on_linkage(place.linkage, |linkage, now| {
                linkage.place_at(now);
                *linkage.load_mut(place.link as usize) = load;
            });
        }
        true
    }

    /// Changes a linkage at a user's wish; what rests on its links wakes.
    pub(crate) fn act_on_linkage(
        &mut self,
        index: LinkageIndex,
        change: impl FnOnce(&mut crate::multibody::Linkage, f64),
    ) {
        let now = self.now;
        for link in 0..self.linked(index).colliders.len() {
            self.wake_around(self.linked(index).colliders[link]);
        }
        change(&mut self.linked_mut(index).linkage, now);
        self.relaunch_linkage(index);
        self.renew_changed();
    }

    /// Moves a linkage that floats; gives whether it does.
    pub(crate) fn move_linkage(&mut self, collider: ColliderIndex, by: DVec3) -> bool {
        let Some(place) = self.group_of(collider).link else { return false };
        let now = self.now;
        let linkage = &mut self.linked_mut(place.linkage).linkage;
        if !linkage.tree().floats() {
            return false;
        }
        linkage.place_at(now);
        let (_, _, [coordinates, _]) = linkage.parts_to_change();
        coordinates.iter_mut().zip(by.to_array()).for_each(|(x, by)| *x += by);
        self.relaunch_linkage(place.linkage);
        self.renew_changed();
        true
    }

    /// Removes a linkage, all its bodies and joints, of which a body is a link.
    pub fn remove_linkage(&mut self, body: BodyId) -> Result<(), ActError> {
        let collider = self.collider(body).ok_or(ActError::NoSuchBody)?;
        let Some(place) = self.group_of(collider.id.collider()).link else {
            return Err(ActError::Joined(collider.name.clone(), "but it is no link; remove it with `remove_body`"));
        };
        let linked = self.linkages[place.linkage.0 as usize].take().expect("the linkage is there");
        for &collider in &linked.colliders {
            self.wake_around(collider);
        }
        for &collider in &linked.colliders {
            self.leave(collider);
        }
        self.drop_controllers();
        self.renew_changed();
        Ok(())
    }

    /// Whether a body is a link, or a linkage hangs on it.
    pub(crate) fn is_joined(&self, collider: ColliderIndex) -> bool {
        let is_base = || self.linkages.iter().flatten().any(|linked| linked.base == Some(collider));
        self.group_of(collider).link.is_some() || is_base()
    }

    /// The joint between a link and its parent.
    pub(crate) fn joint_of(&self, index: LinkageIndex, link: usize) -> (JointId, &NamedJoint) {
        let is_it = |(_, joint): &(u32, &NamedJoint)| joint.linkage == index && joint.link as usize == link;
        let (id, named) = (0..).zip(&self.joints).find(is_it).expect("a link with a stop has a joint");
        (JointId(id), named)
    }

    /// What lasting contact does to the links of a linkage in the mean over a hop, each about its centre of mass. Arms are those of the hop: a
    /// wheel that rolls has left its last point behind, and the weight on it would brake.
    pub(crate) fn contact_on_links(&self, index: LinkageIndex) -> Vec<Wrench> {
        let on = |&link: &ColliderIndex| {
            let (id, state) = (self.colliders[link].id, self.member(link).state_at(self.now));
            self.timed_contacts(id).iter().fold(Wrench::default(), |mut sum, (contact, hop)| {
                let force = if contact.bodies[0] == id { contact.force } else { -contact.force };
                let centre = state.world_from_body.translation - state.velocity * (self.now - hop);
                sum += Wrench::at(contact.point - centre, force);
                sum
            })
        };
        self.linked(index).colliders.iter().map(on).collect()
    }

    /// Energy of springs and of the rates of armatures, J.
    pub(crate) fn energy_of_joints(&self) -> [f64; 2] {
        let mut energies = [0.0; 2];
        for linked in self.linkages.iter().flatten() {
            let [springs, drives] = linked.linkage.energy_of_joints(self.now);
            energies[0] += springs;
            energies[1] += drives;
        }
        energies
    }
}

impl<'w> JointRef<'w> {
    /// The id.
    pub fn id(self) -> JointId {
        self.id
    }

    /// The name.
    pub fn name(self) -> &'w str {
        &self.named.name
    }

    /// The two bodies; none for the ground.
    pub fn bodies(self) -> [Option<BodyId>; 2] {
        self.named.bodies
    }

    /// What it lets them do.
    pub fn kind(self) -> JointKind {
        self.link().joint.kind
    }

    /// Its limits, where it has an interval.
    pub fn limits(self) -> Option<[f64; 2]> {
        self.world.linked(self.named.linkage).linkage.interval(self.named.link as usize)
    }

    /// Coordinates now: angle (rad) or way (m) of the second body relative to the first; of a socket the rotation vector (rad) in axes of the
    /// first body, from where it was at the start; of a planar joint two ways (m) and an angle (rad) about its normal.
    pub fn position(self) -> Vec<f64> {
        let (mut coordinates, link) = (Vec::new(), self.link());
        match link.joint.kind {
            JointKind::Hinge | JointKind::Slider | JointKind::Planar => {
                self.world.linked(self.named.linkage).linkage.coordinates_at(self.world.now, &mut coordinates);
                coordinates[link.coordinates()].to_vec()
            }
            JointKind::Socket => {
                let [parent, own] = self.states().map(|state| state.world_from_body.rotation);
                let turned = parent.conjugate() * own * link.joint.parent_from_link.conjugate();
                let turned = if self.named.reversed { turned.conjugate() } else { turned };
                rotation_vector(turned).to_array().to_vec()
            }
            JointKind::Weld | JointKind::Floating => Vec::new(),
        }
    }

    /// Rates now, rad/s or m/s; of a socket the relative angular velocity in world axes.
    pub fn rate(self) -> Vec<f64> {
        let mut rates = Vec::new();
        self.world.linked(self.named.linkage).linkage.rates_at(self.world.now, &mut rates);
        self.seen(&rates)
    }

    /// Accelerations now, rad/s^2 or m/s^2, between impulses of contact; of a socket in world axes.
    pub fn acceleration(self) -> Vec<f64> {
        let accelerations = self.world.linked(self.named.linkage).linkage.accelerations_at(self.world.now);
        self.seen(&accelerations)
    }

    /// Forces along its freedoms now, N m or N: what springs, damping, friction, a stop that holds it and a user do.
    pub fn force(self) -> Vec<f64> {
        let forces = self.world.linked(self.named.linkage).linkage.joint_forces_at(self.world.now);
        self.seen(&forces)
    }

    /// What it carries now, in the mean over a hop where its bodies are in lasting contact: see [`JointLoad`].
    pub fn load(self) -> JointLoad {
        let linked = self.world.linked(self.named.linkage);
        let link = self.named.link as usize;
        let contact = self.world.contact_on_links(self.named.linkage);
        let Wrench { moment, force } = linked.linkage.carried_at(link, self.world.now, &contact);
        let state = self.states()[1].world_from_body;
        let point = state.point(self.link().joint.on_link);
        let sign = if self.named.reversed { -1.0 } else { 1.0 };
        JointLoad { point, force: sign * force, moment: sign * (moment + (state.translation - point).cross(force)) }
    }

    /// Whether friction or a stop holds it at rest.
    pub fn is_held(self) -> bool {
        self.world.linked(self.named.linkage).linkage.is_held(self.named.link as usize)
    }

    /// Numbers of its freedoms as seen from the first body: a socket's are turned round where that is the link.
    fn seen(self, all: &[f64]) -> Vec<f64> {
        let turn = if self.named.reversed && self.kind() == JointKind::Socket { -1.0 } else { 1.0 };
        all[self.link().freedoms()].iter().map(|x| turn * x).collect()
    }

    fn link(self) -> &'w crate::multibody::Link {
        &self.world.linked(self.named.linkage).linkage.tree().links()[self.named.link as usize]
    }

    /// The states of parent and link.
    fn states(self) -> [State; 2] {
        let linked = self.world.linked(self.named.linkage);
        let of = |collider: ColliderIndex| self.world.member(collider).state_at(self.world.now);
        let parent = match self.link().parent {
            Some(parent) => Some(linked.colliders[parent]),
            None => linked.base,
        };
        let ground = State::resting(crate::math::Pose::IDENTITY);
        [parent.map_or(ground, of), of(linked.colliders[self.named.link as usize])]
    }
}
