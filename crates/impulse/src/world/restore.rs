//! A world from a snapshot: every number that could lead astray is looked at first (sections 1.2, 2.4).

use super::body::{Body, BodyId, Given};
use super::error::SnapshotError;
use super::make::can_move;
use super::material::{MaterialId, Materials, Surface};
use super::record::TraceHash;
use super::rest::Rest;
use super::snapshot::{SavedBody, SavedClock, SavedPair, SavedPlace, Snapshot, VERSION};
use super::step::{Pending, World};
use super::track::Track;
use crate::body::Motion;
use crate::detect::{BroadPhase, Mobility};
use crate::geometry::{Aabb, Shape, Sphere, restored_shapes};
use crate::math::{Pose, is_moderate};

/// Boxes of all places, for the broad phase.
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
        world.counters = snapshot.counters;
        world.min_separation = snapshot.min_separation.unwrap_or(f64::INFINITY);
        world.lasting_counted = snapshot.lasting_counted;
        world.hash = TraceHash::restored(snapshot.hash);
        world.impacts = snapshot.impacts;
        world.watches = snapshot.watches;
        let boxes = world.restore_bodies(snapshot.places, &shapes)?;
        world.tracks = world.bodies.iter().map(|b| Track::new(b, world.settings.gravity)).collect();
        world.restore_vacancies(snapshot.vacant)?;
        let (broad, close) = BroadPhase::restored(snapshot.broad, &boxes)
            .ok_or(SnapshotError::Damaged("the close pairs do not belong to the boxes"))?;
        world.broad = broad;
        let items = close.into_iter().map(|close| (close.pair, close.items)).collect();
        world.restore_pairs(items, snapshot.pairs)?;
        world.restore_clocks(snapshot.clocks)?;
        Ok(world)
    }

    fn restore_bodies(&mut self, places: Vec<SavedPlace>, shapes: &[Shape]) -> Result<Boxes, SnapshotError> {
        let mut boxes = Vec::with_capacity(places.len());
        for (slot, place) in places.into_iter().enumerate() {
            let damaged = |what| SnapshotError::Body { body: slot, what };
            let (body, bounds) = match place {
                SavedPlace::Vacant(id) => (vacant_place(id), None),
                SavedPlace::Taken(saved) => {
                    let (body, bounds) = self.restore_body(*saved, shapes).map_err(damaged)?;
                    (body, Some(bounds))
                }
            };
            if body.id.index() != slot || body.id.generation > u32::MAX / 2 {
                return Err(damaged("its id belongs to another place, or none is left"));
            }
            boxes.push(bounds.map(|bounds| {
                let mobility = if body.is_fixed() { Mobility::Fixed } else { Mobility::Movable };
                (bounds, mobility)
            }));
            self.bodies.push(body);
        }
        let mut names: Vec<&str> = self.bodies.iter().filter(|b| b.present).map(|b| b.name.as_str()).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(SnapshotError::Damaged("two bodies have one name"));
        }
        Ok(boxes)
    }

    fn restore_body(&mut self, saved: SavedBody, shapes: &[Shape]) -> Result<(Body, Aabb), &'static str> {
        let SavedBody { id, name, shape, material, motion, body_from_shape, bounds, expiry, rest, .. } = saved;
        let shape = shapes.get(shape as usize).cloned().ok_or("there is no such shape")?;
        let mut motion = motion.restored(self.now).ok_or("there is no such motion")?;
        motion.look_ahead(self.now);
        if !self.materials.contains(material) {
            return Err("there is no such material");
        }
        if !(body_from_shape.is_rigid() && is_rest(&rest, self.now)) {
            return Err("a pose or a time is none");
        }
        let fixed = matches!(motion, Motion::Fixed(_));
        if !fixed && !can_move(&shape) {
            return Err("its shape cannot move");
        }
        let expiry = expiry.unwrap_or(f64::INFINITY);
        if expiry.is_nan() || expiry < self.now || expiry > motion.known_until(self.now) {
            return Err("its box expires at the wrong time");
        }
        let mut body = Body::new(Given { id, name, shape, material, motion, body_from_shape }, self.now);
        let bounds = match bounds {
            _ if fixed => body.shape.aabb(&(body.motion.pose_at(self.now) * body.body_from_shape)),
            Some(bounds) if holds(&bounds, &body.motion, [self.now, expiry]) => bounds,
            _ => return Err("it has no box, or is not in it"),
        };
        body.expiry = expiry;
        body.expiry_slot = self.queue.insert(expiry, Pending::Expiry(id.slot));
        body.rest = rest;
        body.lasting_until = saved.lasting_until.unwrap_or(f64::NEG_INFINITY);
        body.stillness = saved.stillness;
        Ok((body, bounds))
    }

    fn restore_vacancies(&mut self, vacant: Vec<u32>) -> Result<(), SnapshotError> {
        let mut sorted = vacant.clone();
        sorted.sort_unstable();
        let places = (0..).zip(&self.bodies).filter(|(_, b)| !b.present).map(|(slot, _)| slot);
        if !places.eq(sorted) {
            return Err(SnapshotError::Damaged("the vacant places are not those without bodies"));
        }
        self.vacant = vacant;
        Ok(())
    }

    fn restore_pairs(
        &mut self,
        close: Vec<(u32, [u32; 2])>,
        saved: Vec<Option<SavedPair>>,
    ) -> Result<(), SnapshotError> {
        let damaged = Err(SnapshotError::Damaged("the pairs are not those of the broad phase"));
        if saved.len() != self.broad.pair_numbers() {
            return damaged;
        }
        let mut close = close.into_iter().peekable();
        for (number, saved) in (0..).zip(saved) {
            let items = close.next_if(|(pair, _)| *pair == number).map(|(_, items)| items);
            let pair = match (items, saved) {
                (Some(items), Some(SavedPair { check, cache, held })) => {
                    let check = check.unwrap_or(f64::INFINITY);
                    if check.is_nan() || check < self.now {
                        return Err(SnapshotError::Damaged("a check lies in the past"));
                    }
                    let slot = self.queue.insert(check, Pending::Check(items));
                    self.note_slot(slot, number);
                    let mut pair = self.new_pair(items, slot);
                    pair.parked = check == f64::INFINITY;
                    pair.cache = cache.map(Box::new);
                    pair.held = held.map(Box::new);
                    pair
                }
                // The number is free: whatever is here is overwritten before it is used.
                (None, None) if self.bodies.first().is_some_and(|b| self.materials.contains(b.material)) => {
                    self.new_pair([0, 0], u32::MAX)
                }
                _ => return damaged,
            };
            self.pairs.push(pair);
        }
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
                return Err(SnapshotError::Damaged("a clock strikes in the past, or never"));
            }
            let slot = self.queue.insert(time, spec.pending(number));
            self.clocks.push(Some(super::clock::Clock { spec, count, slot }));
        }
        Ok(())
    }
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

/// A place without a body; what it is made of is of no consequence.
fn vacant_place(id: BodyId) -> Body {
    let shape = Sphere::new(1.0).expect("one is a radius").into();
    let motion = Motion::Fixed(Pose::IDENTITY);
    let material = MaterialId(0);
    let given = Given { id, name: String::new(), shape, material, motion, body_from_shape: Pose::IDENTITY };
    Body { present: false, ..Body::new(given, 0.0) }
}

fn is_rest(rest: &Rest, now: f64) -> bool {
    rest.anchor.is_rigid() && rest.since <= rest.seen && rest.seen <= now && rest.turned >= 0.0
}

/// Whether a bounded box contains a centre of mass now and when it expires.
fn holds(bounds: &Aabb, motion: &Motion, times: [f64; 2]) -> bool {
    let inside = |t: &f64| bounds.contains(motion.pose_at(*t).translation);
    let bounded = is_moderate(bounds.min) && is_moderate(bounds.max);
    bounded && times.iter().filter(|t| t.is_finite()).all(inside)
}
