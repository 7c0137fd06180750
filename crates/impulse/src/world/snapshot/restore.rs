//! A world from a snapshot: every number that could lead astray is checked first (sections 1.2, 2.4).

use super::super::api::make::can_be_free;
use super::super::clock::Clock;
use super::super::collider::{Collider, ColliderSpec};
use super::super::data::World;
use super::super::error::SnapshotError;
use super::super::group::{Carriage, Group, Rest};
use super::super::index::{BodyId, ColliderIndex, GroupIndex, MemberIndex, PairIndex};
use super::super::material::{MaterialId, Materials, Surface};
use super::super::pairs::boxes::PairFilter;
use super::super::pairs::table::numbered;
use super::super::pairs::track::Track;
use super::super::records::trace_hash::TraceHash;
use super::super::scheduled::Scheduled;
use super::super::slots::Slots;
use super::save::{SavedClock, SavedCollider, SavedGroup, SavedPair, Snapshot, VERSION};
use crate::body::Member;
use crate::detect::{BroadPhase, ClosePair, Mobility};
use crate::geometry::{Aabb, Shape, restored_shapes};
use crate::math::is_moderate;

/// Boxes of all slots, for the broad phase.
type Boxes = Vec<Option<(Aabb, Mobility)>>;

impl World {
    /// The world of a snapshot. It goes on as the one the snapshot was taken of: same events, counters and records to the bit.
    pub fn restore(snapshot: Snapshot) -> Result<Self, SnapshotError> {
        if snapshot.version != VERSION {
            return Err(SnapshotError::Version { found: snapshot.version, known: VERSION });
        }
        snapshot.settings.check()?;
        if !snapshot.now.is_finite() || !snapshot.counters.are_plausible() {
            return Err(SnapshotError::Damaged("the time is not finite, or a counter overflows"));
        }
        let shapes = restored_shapes(snapshot.shapes).map_err(|(shape, why)| SnapshotError::Shape { shape, why })?;
        let mut world = World::empty(snapshot.settings, materials(snapshot.materials, snapshot.contacts)?);
        world.now = snapshot.now;
        world.records.counters = snapshot.counters;
        world.records.min_separation = snapshot.min_separation.unwrap_or(f64::INFINITY);
        world.records.lasting_counted = snapshot.lasting_counted;
        if !snapshot.energy.is_plausible() || !snapshot.business.is_plausible() {
            return Err(SnapshotError::Damaged("a record of energy is not finite, or a counter overflows"));
        }
        (world.records.energy, world.records.business) = (snapshot.energy, snapshot.business);
        world.records.hash = TraceHash::restored(snapshot.hash);
        world.progress = snapshot.progress;
        world.records.impacts = snapshot.impacts;
        world.restore_groups(snapshot.groups, snapshot.vacant_groups)?;
        let boxes = world.restore_colliders(snapshot.colliders, snapshot.vacant_colliders, &shapes)?;
        world.restore_barred(&snapshot.linkages)?;
        let filter = PairFilter { colliders: &world.colliders, groups: &world.groups, barred: &world.barred };
        let (broad, close) = BroadPhase::restored(snapshot.broad, &boxes, |a, b| filter.accepts(a, b))
            .ok_or(SnapshotError::Damaged("the close pairs do not belong to the boxes"))?;
        world.pairs.broad = broad;
        world.restore_pairs(&close, snapshot.pairs)?;
        if !world.groups.iter().all(|group| world.is_carried_rightly(group)) {
            return Err(SnapshotError::Damaged("what carries a body is not there"));
        }
        world.restore_linkages(snapshot.linkages)?;
        world.restore_clocks(snapshot.clocks)?;
        world.restore_controllers(snapshot.controllers)?;
        world.records.watches = snapshot.watches;
        if !world.records.watches.iter().flatten().all(|watch| watch.is_plausible(world.now, |body| world.knows(body)))
        {
            return Err(SnapshotError::Damaged("a watch is of bodies that never were, or of another time"));
        }
        Ok(world)
    }

    /// Whether a group that is carried is close to what carries it, and no other group claims to be.
    fn is_carried_rightly(&self, group: &Group) -> bool {
        match group.carriage {
            Some(Carriage { surface, .. }) => {
                let is_close = || self.pairs.between([group.members()[0], surface]).is_some();
                group.motion().carried().is_some() && is_close() && !self.member(surface).is_free()
            }
            None => group.motion().carried().is_none(),
        }
    }

    /// Whether a body is or was in this world.
    fn knows(&self, body: BodyId) -> bool {
        let slot = self.colliders.slots().nth(body.index());
        slot.is_some_and(|(generation, _)| body.generation <= generation)
    }

    fn restore_groups(
        &mut self,
        saved: Vec<(u32, Option<Box<SavedGroup>>)>,
        vacant: Vec<GroupIndex>,
    ) -> Result<(), SnapshotError> {
        let mut groups = Vec::with_capacity(saved.len());
        for (slot, (generation, saved)) in saved.into_iter().enumerate() {
            let group = saved.map(|saved| restored_group(*saved, self.now)).transpose();
            groups.push((generation, group.map_err(|what| SnapshotError::Body { body: slot, what })?));
        }
        self.groups = Slots::restored(groups, vacant)
            .ok_or(SnapshotError::Damaged("the vacant slots of groups are not those without one"))?;
        Ok(())
    }

    fn restore_colliders(
        &mut self,
        saved: Vec<(u32, Option<Box<SavedCollider>>)>,
        vacant: Vec<ColliderIndex>,
        shapes: &[Shape],
    ) -> Result<Boxes, SnapshotError> {
        let mut boxes = Boxes::with_capacity(saved.len());
        let mut colliders = Vec::with_capacity(saved.len());
        for (slot, (generation, saved)) in (0..).zip(saved) {
            let damaged = |what| SnapshotError::Body { body: slot as usize, what };
            if generation > u32::MAX / 2 {
                return Err(damaged("no id is left for its slot"));
            }
            let id = BodyId { slot, generation };
            let restored = saved.map(|saved| self.restore_collider(id, *saved, shapes)).transpose().map_err(damaged)?;
            let (collider, bounds) = restored.unzip();
            boxes.push(bounds);
            colliders.push((generation, collider));
        }
        self.colliders = Slots::restored(colliders, vacant)
            .ok_or(SnapshotError::Damaged("the vacant slots are not those without bodies"))?;
        let mut names: Vec<&str> = self.colliders.iter().map(|c| c.name.as_str()).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(SnapshotError::Damaged("two bodies have one name"));
        }
        if self.colliders.len() != self.groups.len() {
            return Err(SnapshotError::Damaged("there are groups without bodies"));
        }
        self.tracks =
            (0..self.colliders.capacity() as u32).map(|slot| self.restored_track(ColliderIndex(slot))).collect();
        Ok(boxes)
    }

    fn restored_track(&self, collider: ColliderIndex) -> Track {
        let known = |c: &Collider| Track::new(c, self.member(collider), self.settings.gravity);
        self.colliders.get(collider).map_or(Track::NONE, known)
    }

    fn restore_collider(
        &mut self,
        id: BodyId,
        saved: SavedCollider,
        shapes: &[Shape],
    ) -> Result<(Collider, (Aabb, Mobility)), &'static str> {
        let SavedCollider { name, group, shape, material, body_from_shape, bounds, expiry } = saved;
        let shape = shapes.get(shape as usize).cloned().ok_or("there is no such shape")?;
        let motion = self.groups.get(group).ok_or("there is no such motion")?;
        if motion.members() != [id.collider()] {
            return Err("its motion belongs to another body");
        }
        if !self.materials.contains(material) {
            return Err("there is no such material");
        }
        if !body_from_shape.is_rigid() {
            return Err("a pose is not rigid");
        }
        let member = motion.member(MemberIndex(0));
        let may_move = if member.is_free() { can_be_free(&shape) } else { shape.is_bounded() };
        if !member.is_fixed() && !may_move {
            return Err("its shape cannot move");
        }
        let expiry = expiry.unwrap_or(f64::INFINITY);
        if expiry.is_nan() || expiry < self.now || expiry > member.known_until(self.now) {
            return Err("its box expires at the wrong time");
        }
        let spec = ColliderSpec { id, name, shape, material, body_from_shape };
        let mut collider = Collider::new(spec, group, member);
        let bounds = match bounds {
            _ if member.is_fixed() => collider.shape.aabb(&(member.pose_at(self.now) * collider.body_from_shape)),
            Some(bounds) if holds(&bounds, member, [self.now, expiry]) => bounds,
            _ => return Err("it has no box, or is not in it"),
        };
        let mobility = if member.is_fixed() { Mobility::Fixed } else { Mobility::Movable };
        collider.expiry = expiry;
        collider.expiry_slot = self.queue.insert(expiry, Scheduled::Expiry(id.collider()));
        Ok((collider, (bounds, mobility)))
    }

    fn restore_pairs(&mut self, close: &[ClosePair], saved: Vec<Option<SavedPair>>) -> Result<(), SnapshotError> {
        let damaged = Err(SnapshotError::Damaged("the pairs are not those of the broad phase"));
        if saved.len() != self.pairs.broad.pair_numbers() {
            return damaged;
        }
        let mut close = close.iter().map(numbered).peekable();
        for (number, saved) in (0..).map(PairIndex).zip(saved) {
            let colliders = close.next_if(|(pair, _)| *pair == number).map(|(_, colliders)| colliders);
            match (colliders, saved) {
                (Some(colliders), Some(saved)) => self.restore_pair(number, colliders, saved)?,
                (None, None) => {}
                _ => return damaged,
            }
        }
        Ok(())
    }

    fn restore_pair(
        &mut self,
        number: PairIndex,
        colliders: [ColliderIndex; 2],
        saved: SavedPair,
    ) -> Result<(), SnapshotError> {
        let check = saved.check.unwrap_or(f64::INFINITY);
        if check.is_nan() || check < self.now {
            return Err(SnapshotError::Damaged("a check lies in the past"));
        }
        let slot = self.queue.insert(check, Scheduled::Check(colliders));
        let mut pair = self.new_pair(colliders, slot);
        pair.parked = check == f64::INFINITY;
        pair.cache = saved.cache.map(Box::new);
        pair.warm_start = saved.warm_start.map(Box::new);
        self.pairs.insert(number, pair);
        Ok(())
    }

    fn restore_clocks(&mut self, clocks: Vec<Option<SavedClock>>) -> Result<(), SnapshotError> {
        for (number, saved) in (0..).zip(clocks) {
            let Some(SavedClock { spec, count }) = saved else {
                self.clocks.push(None);
                continue;
            };
            let time = spec.time(count);
            if !spec.is_valid() || time.is_nan() || time < self.now || count > u64::MAX / 2 {
                return Err(SnapshotError::Damaged("a clock ticks in the past, or never"));
            }
            let slot = self.queue.insert(time, spec.scheduled(number));
            self.clocks.push(Some(Clock { spec, count, slot }));
        }
        Ok(())
    }
}

fn restored_group(saved: SavedGroup, now: f64) -> Result<Group, &'static str> {
    let SavedGroup { motion, members, rest, stillness, carriage, lent, link, .. } = saved;
    let [member] = members[..] else { return Err("its motion has no member, or several") };
    let mut motion = motion.restored(now).ok_or("there is no such motion")?;
    motion.look_ahead(now);
    if !is_rest(&rest, now) {
        return Err("a pose or a time of its rest is invalid");
    }
    let mut group = Group::single(motion, member, now);
    let time = |saved: Option<f64>| saved.unwrap_or(f64::NEG_INFINITY);
    group.lasting_until = time(saved.lasting_until);
    group.unguided_until = time(saved.unguided_until);
    group.company_until = time(saved.company_until);
    group.crowd_until = time(saved.crowd_until);
    group.lent = lent;
    (group.stillness, group.rest, group.carriage, group.link) = (stillness, rest, carriage, link);
    Ok(group)
}

fn materials(all: Vec<Surface>, contacts: Vec<(MaterialId, MaterialId, Surface)>) -> Result<Materials, SnapshotError> {
    let mut materials = Materials::default();
    for surface in all {
        materials.add(surface)?;
    }
    for (a, b, surface) in contacts {
        materials.set_pair(a, b, surface)?;
    }
    Ok(materials)
}

fn is_rest(rest: &Rest, now: f64) -> bool {
    rest.anchor.is_rigid() && rest.since <= rest.seen && rest.seen <= now && rest.turned >= 0.0
}

/// Whether a bounded box contains a centre of mass now and when it expires.
fn holds(bounds: &Aabb, member: Member<'_>, times: [f64; 2]) -> bool {
    let inside = |t: &f64| bounds.contains(member.pose_at(*t).translation);
    let bounded = is_moderate(bounds.min) && is_moderate(bounds.max);
    bounded && times.iter().filter(|t| t.is_finite()).all(inside)
}
