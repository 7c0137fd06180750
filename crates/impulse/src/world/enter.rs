//! Bodies that come and go, at the start and while the world runs (section 2.4.3).

use super::body::{Body, BodyId, BodySpec};
use super::error::{ActError, BuildError};
use super::make::Surroundings;
use super::material::{MaterialId, Surface};
use super::step::{Pending, World};
use super::track::Track;
use crate::body::{Launch, Motion};
use crate::detect::{ClosePair, Mobility};
use crate::geometry::Shape;
use crate::math::Pose;
use glam::DVec3;

impl World {
    /// Adds a body now. It must not overlap a body that is there: within the touch distance the new one, if it is free, is moved
    /// off; a refused body leaves the world as it was.
    pub fn add(&mut self, spec: BodySpec) -> Result<BodyId, BuildError> {
        if self.find(&spec.name).is_some() {
            return Err(BuildError::DuplicateName(spec.name));
        }
        let id = self.vacancy();
        let surroundings = Surroundings { materials: &self.materials, gravity: self.settings.gravity, now: self.now };
        let body = surroundings.make(spec, id)?;
        let track = Track::new(&body, self.settings.gravity);
        if self.vacant.pop().is_some() {
            self.bodies[id.index()] = body;
            self.tracks[id.index()] = track;
        } else {
            self.bodies.push(body);
            self.tracks.push(track);
        }
        let (counters, min_separation) = (self.counters, self.min_separation);
        if let Err(error) = self.enter(id.slot) {
            self.leave(id.slot);
            (self.counters, self.min_separation) = (counters, min_separation);
            return Err(error);
        }
        Ok(id)
    }

    /// Takes a body out now, with everything that was going to happen to it. Its id is no longer of use.
    pub fn remove(&mut self, body: BodyId) -> Result<(), ActError> {
        let slot = self.slot(body)?;
        // What rests on it falls.
        self.wake_around(slot);
        self.leave(slot);
        Ok(())
    }

    /// Adds a material for bodies to come.
    pub fn add_material(&mut self, surface: impl Into<Surface>) -> Result<MaterialId, BuildError> {
        self.materials.add(surface.into())
    }

    /// The id of the next body: the place left last, if any is vacant.
    fn vacancy(&self) -> BodyId {
        match self.vacant.last() {
            Some(&slot) => self.bodies[slot as usize].id,
            None => BodyId { slot: self.bodies.len() as u32, generation: 0 },
        }
    }

    fn leave(&mut self, slot: u32) {
        let mut changes = std::mem::take(&mut self.changes);
        self.broad.remove(slot, &mut changes);
        self.settle(&changes);
        self.changes = changes;
        self.end_lasting(slot);
        let body = &mut self.bodies[slot as usize];
        self.queue.remove(body.expiry_slot);
        body.vacate();
        self.vacant.push(slot);
    }

    /// Gives a new body its place in the broad phase and the queue.
    pub(super) fn enter(&mut self, body: u32) -> Result<(), BuildError> {
        self.bodies[body as usize].expiry_slot = self.queue.insert(f64::INFINITY, Pending::Expiry(body));
        self.bodies[body as usize].motion.look_ahead(self.now);
        let (bounds, expiry) = self.box_ahead(body);
        self.set_expiry(body, expiry);
        let fixed = self.bodies[body as usize].is_fixed();
        let mobility = if fixed { Mobility::Fixed } else { Mobility::Movable };
        let mut changes = std::mem::take(&mut self.changes);
        self.broad.insert(body, bounds, mobility, &mut changes);
        self.settle(&changes);
        let joined = std::mem::take(&mut changes.joined);
        self.changes = changes;
        joined.iter().for_each(|close| self.schedule(close.pair));
        // Nothing is moved before it is sure that nothing overlaps. Moving off one body may lead into another.
        let depth = STARTING_OVERLAP / self.settings.touch;
        joined.iter().try_for_each(|close| self.refuse_overlap(close, depth))?;
        for _ in 0..PASSES {
            let mut moved = false;
            for close in &joined {
                moved |= self.part_at_start(close, body);
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
        let is_close = self.broad.close_to(close.items[0]).any(|partner| partner.pair == close.pair);
        if !is_close || !self.may_strike(close.items) || !self.measure(close.pair, self.now).overlapping {
            return Ok(());
        }
        let depth = self.least_overlap(close.items).depth;
        if depth <= deepest * self.pairs[close.pair as usize].touch {
            return Ok(());
        }
        let [first, second] = close.items.map(|i| self.bodies[i as usize].name.clone());
        Err(BuildError::Overlap { first, second, depth })
    }

    /// Bodies may start in contact: they are moved apart by the touch distance, the new one if it can be moved. Says whether
    /// they were.
    fn part_at_start(&mut self, close: &ClosePair, new: u32) -> bool {
        let [a, b] = close.items;
        let other = if a == new { b } else { a };
        let Some(free) = [new, other].into_iter().find(|&i| self.bodies[i as usize].is_free()) else { return false };
        // Moving the body off another one may have parted this pair.
        if !self.broad.close_to(new).any(|partner| partner.pair == close.pair && partner.item == other) {
            return false;
        }
        let touch = self.pairs[close.pair as usize].touch;
        let measured = self.measure(close.pair, self.now);
        if measured.distance > 0.1 * touch && !measured.overlapping {
            return false;
        }
        let overlap = self.least_overlap(close.items);
        let normal = if measured.overlapping { overlap.normal } else { measured.normal };
        let away = if free == a { normal } else { -normal };
        let mut state = measured.states[usize::from(free == b)];
        state.world_from_body.translation += away * (overlap.depth.max(0.0) + touch);
        self.bodies[free as usize].motion.relaunch(Launch { time: self.now, state });
        self.rebox(free);
        self.reschedule(free);
        true
    }

    /// About how deep two bodies that overlap do so: the least overlap along a few directions.
    fn least_overlap(&self, items: [u32; 2]) -> Overlap {
        let [first, second] = items.map(|i| &self.bodies[i as usize]);
        let pose = |body: &Body| body.motion.pose_at(self.now) * body.body_from_shape;
        let mut directions = vec![DVec3::X, DVec3::Y, DVec3::Z];
        for body in [first, second] {
            directions.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|a| pose(body).vector(a)));
            if let Shape::HalfSpace(h) = &body.shape {
                directions.push(pose(body).vector(h.normal()));
            }
        }
        let between = first.motion.pose_at(self.now).translation - second.motion.pose_at(self.now).translation;
        directions.push(between.normalize_or(DVec3::Z));
        let along = |d: DVec3| {
            let depth = reach(&second.shape, &pose(second), d) + reach(&first.shape, &pose(first), -d);
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
const PASSES: usize = 10;

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

impl Body {
    /// Leaves a vacant place, whose next body has another id.
    fn vacate(&mut self) {
        self.present = false;
        self.name.clear();
        self.motion = Motion::Fixed(Pose::IDENTITY);
        self.id.generation += 1;
        (self.expiry, self.expiry_slot) = (f64::INFINITY, u32::MAX);
    }
}
