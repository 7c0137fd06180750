//! Bodies that come and go, at the start and while the world runs (section 2.4.3).

use super::super::collider::{Collider, ColliderSpec};
use super::super::data::World;
use super::super::error::{ActError, BuildError};
use super::super::group::Group;
use super::super::index::{BodyId, ColliderIndex, MemberIndex, PairIndex};
use super::super::material::{MaterialId, Surface};
use super::super::pairs::boxes::PairFilter;
use super::super::pairs::table::numbered;
use super::super::pairs::track::Track;
use super::super::scheduled::Scheduled;
use super::super::spec::BodySpec;
use super::make::Surroundings;
use crate::body::{Launch, Motion};
use crate::detect::{ClosePair, Mobility};
use crate::geometry::Shape;
use crate::math::Pose;
use glam::DVec3;

impl World {
    /// Adds a body now. It must not overlap a body that is there: within the touch distance the new one, if it is free, is moved
    /// off; a refused body leaves the world as it was.
    pub fn add_body(&mut self, spec: impl Into<BodySpec>) -> Result<BodyId, BuildError> {
        let spec = spec.into();
        if self.find(&spec.name).is_some() {
            return Err(BuildError::DuplicateName(spec.name));
        }
        let (slot, generation) = self.colliders.next();
        let id = BodyId { slot: slot.0, generation };
        let surroundings = Surroundings { materials: &self.materials, gravity: self.settings.gravity, now: self.now };
        let (spec, motion) = surroundings.make(spec, id)?;
        let collider = self.insert(spec, motion);
        let (counters, min_separation) = (self.records.counters, self.records.min_separation);
        if let Err(error) = self.enter(collider) {
            self.leave(collider);
            (self.records.counters, self.records.min_separation) = (counters, min_separation);
            return Err(error);
        }
        Ok(id)
    }

    /// Removes a body now, with everything that was going to happen to it. Its id is no longer of use.
    pub fn remove_body(&mut self, body: BodyId) -> Result<(), ActError> {
        let name = &self.collider(body).ok_or(ActError::NoSuchBody)?.name;
        if self.is_joined(body.collider()) {
            return Err(ActError::Joined(name.clone(), "remove its whole linkage with `remove_linkage`"));
        }
        // What rests on it falls.
        self.wake_around(body.collider());
        self.leave(body.collider());
        self.drop_controllers();
        self.renew_changed();
        Ok(())
    }

    /// Adds a material for bodies to come.
    pub fn add_material(&mut self, surface: impl Into<Surface>) -> Result<MaterialId, BuildError> {
        self.materials.add(surface.into())
    }

    /// Gives a collider and its motion their slots; it is yet to enter the broad phase and the queue.
    pub(crate) fn insert(&mut self, spec: ColliderSpec, motion: Motion) -> ColliderIndex {
        let group = self.groups.insert(Group::single(motion, spec.id.collider(), self.now));
        let member = self.groups[group].member(MemberIndex(0));
        let collider = Collider::new(spec, group, member);
        let track = Track::new(&collider, member, self.settings.gravity);
        let index = self.colliders.insert(collider);
        match self.tracks.get_mut(index.0 as usize) {
            Some(place) => *place = track,
            None => self.tracks.push(track),
        }
        index
    }

    pub(crate) fn leave(&mut self, collider: ColliderIndex) {
        self.withdraw(collider);
        self.groups.remove(self.colliders[collider].group);
        self.colliders.remove(collider);
        self.barred.forget(collider);
    }

    /// Takes a collider out of the broad phase and the queue; its slots stay its own.
    pub(crate) fn withdraw(&mut self, collider: ColliderIndex) {
        let mut changes = std::mem::take(&mut self.scratch.changes);
        self.pairs.broad.remove(collider.0, &mut changes);
        self.take_in(&changes);
        self.scratch.changes = changes;
        let Collider { group, expiry_slot, .. } = self.colliders[collider];
        self.end_lasting(group);
        self.queue.remove(expiry_slot);
        self.scratch.changed_groups.retain(|&changed| changed != group);
    }

    /// Gives a new collider its place in the broad phase and the queue.
    pub(crate) fn enter(&mut self, collider: ColliderIndex) -> Result<(), BuildError> {
        self.colliders[collider].expiry_slot = self.queue.insert(f64::INFINITY, Scheduled::Expiry(collider));
        let group = self.colliders[collider].group;
        self.groups[group].motion_mut().look_ahead(self.now);
        let (bounds, expiry) = self.box_ahead(collider);
        self.set_expiry(collider, expiry);
        let mobility = if self.member(collider).is_fixed() { Mobility::Fixed } else { Mobility::Movable };
        let mut changes = std::mem::take(&mut self.scratch.changes);
        let filter = PairFilter { colliders: &self.colliders, groups: &self.groups, barred: &self.barred };
        self.pairs.broad.filtered(|a, b| filter.accepts(a, b)).insert(collider.0, bounds, mobility, &mut changes);
        self.take_in(&changes);
        let joined = std::mem::take(&mut changes.joined);
        self.scratch.changes = changes;
        joined.iter().for_each(|close| self.schedule(PairIndex(close.pair)));
        self.move_off(collider, &joined)
    }

    /// Moves a new body off those it touches, if it overlaps none of them.
    fn move_off(&mut self, collider: ColliderIndex, joined: &[ClosePair]) -> Result<(), BuildError> {
        // Nothing is moved before it is sure that nothing overlaps. Moving off one body may lead into another.
        let depth = STARTING_OVERLAP / self.settings.touch_distance;
        joined.iter().try_for_each(|close| self.refuse_overlap(close, depth))?;
        for _ in 0..MOVE_OFF_PASSES {
            let mut moved = false;
            for close in joined {
                moved |= self.part_at_start(close, collider);
            }
            if !moved {
                return Ok(());
            }
        }
        // There is no room between its neighbours.
        joined.iter().try_for_each(|close| self.refuse_overlap(close, 0.0))
    }

    /// Refuses an overlap deeper than so many touch distances.
    fn refuse_overlap(&mut self, close: &ClosePair, deepest: f64) -> Result<(), BuildError> {
        let (pair, colliders) = numbered(close);
        let is_close = self.pairs.between(colliders) == Some(pair);
        if !is_close || !self.measure(pair, self.now).overlapping {
            return Ok(());
        }
        let depth = self.least_overlap(colliders).depth;
        if depth <= deepest * self.pairs[pair].touch_distance {
            return Ok(());
        }
        let [first, second] = self.names(colliders);
        Err(BuildError::Overlap { first, second, depth })
    }

    /// Bodies may start in contact: they are moved apart by the touch distance, the new one if it can be moved. Says whether
    /// they were.
    fn part_at_start(&mut self, close: &ClosePair, new: ColliderIndex) -> bool {
        let (pair, [a, b]) = numbered(close);
        let other = if a == new { b } else { a };
        let Some(free) = [new, other].into_iter().find(|&c| self.member(c).is_free()) else { return false };
        // Moving the body off another one may have parted this pair.
        if self.pairs.between([a, b]) != Some(pair) {
            return false;
        }
        let touch_distance = self.pairs[pair].touch_distance;
        let measured = self.measure(pair, self.now);
        if measured.distance > 0.1 * touch_distance && !measured.overlapping {
            return false;
        }
        let overlap = self.least_overlap([a, b]);
        let normal = if measured.overlapping { overlap.normal } else { measured.normal };
        let away = if free == a { normal } else { -normal };
        let way = away * (overlap.depth.max(0.0) + touch_distance);
        if self.group_of(free).link.is_some() {
            return self.move_linkage(free, way);
        }
        let mut state = measured.states[usize::from(free == b)];
        state.world_from_body.translation += way;
        let launch = Launch { time: self.now, state };
        let group = self.colliders[free].group;
        self.change_motion(group, &state.world_from_body, |motion| motion.relaunch(launch));
        self.renew_changed();
        true
    }

    /// About how deep two bodies that overlap do so: the least overlap along a few directions.
    fn least_overlap(&self, colliders: [ColliderIndex; 2]) -> Overlap {
        let [first, second] = colliders.map(|c| &self.colliders[c]);
        let body_poses = colliders.map(|c| self.member(c).pose_at(self.now));
        let poses = [body_poses[0] * first.body_from_shape, body_poses[1] * second.body_from_shape];
        let mut directions = vec![DVec3::X, DVec3::Y, DVec3::Z];
        for (collider, pose) in [first, second].into_iter().zip(&poses) {
            directions.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|a| pose.vector(a)));
            if let Shape::HalfSpace(h) = &collider.shape {
                directions.push(pose.vector(h.normal()));
            }
        }
        directions.push((body_poses[0].translation - body_poses[1].translation).normalize_or(DVec3::Z));
        let along = |d: DVec3| {
            let depth = reach(&second.shape, &poses[1], d) + reach(&first.shape, &poses[0], -d);
            Overlap { depth, normal: d }
        };
        let all = directions.iter().flat_map(|&d| [along(d), along(-d)]);
        all.min_by(|a, b| a.depth.total_cmp(&b.depth)).expect("there are directions")
    }
}

/// Depth to which bodies may overlap at the start, relative to the smaller one's bounding radius: what rounding, and moving the
/// lower bodies of a stack apart, amounts to.
const STARTING_OVERLAP: f64 = 1e-6;

/// How often a new body is moved off those it touches.
const MOVE_OFF_PASSES: usize = 10;

/// Overlap along a direction.
struct Overlap {
    /// Metres.
    depth: f64,
    /// From the second body to the first.
    normal: DVec3,
}

/// How far a posed shape reaches along a unit vector, m.
fn reach(shape: &Shape, pose: &Pose, d: DVec3) -> f64 {
    match shape {
        Shape::HalfSpace(h) if pose.vector(h.normal()).dot(d) > 1.0 - 1e-9 => h.offset() + pose.translation.dot(d),
        _ => shape.support(pose.inverse_vector(d)).map_or(f64::INFINITY, |p| pose.point(p).dot(d)),
    }
}
