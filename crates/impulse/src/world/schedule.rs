//! Boxes and queued checks: what keeps the invariant of the event loop (section 2.4.3, figure 2.14).

use super::body::Body;
use super::pair::Pair;
use super::step::{Pending, World};
use super::stopwatch::Phase;
use super::track::Track;
use crate::body::{Motion, Range};
use crate::detect::{Changes, ClosePair};
use crate::geometry::Aabb;
use glam::DVec3;

/// How far boxes reach beyond the flight they are made for, in bounding radii: impacts turn bodies back into them. More makes
/// fewer boxes and more pairs.
const MARGIN: f64 = 0.1;

/// Share of the time a new box would last for which an old one must serve to be kept.
const KEPT: f64 = 0.3;

impl World {
    /// Gives a body whose box has expired another one, and every pair that it forms or leaves its place in the queue.
    pub(super) fn rebox(&mut self, body: u32) {
        self.bodies[body as usize].motion.look_ahead(self.now);
        self.tracks[body as usize] = Track::new(&self.bodies[body as usize], self.settings.gravity);
        let mut changes = std::mem::take(&mut self.changes);
        self.replace_box(body, &mut changes);
        changes.joined.iter().for_each(|joined| self.schedule(joined.pair));
        self.changes = changes;
    }

    /// Goes on after an impact of two bodies: boxes that hold their new motions, and new predictions for all their pairs.
    pub(super) fn restart(&mut self, struck: [u32; 2]) {
        let struck = struck.map(|body| self.bodies[body as usize].is_free().then_some(body));
        let mut changes = std::mem::take(&mut self.changes);
        for body in struck.into_iter().flatten() {
            self.tracks[body as usize] = Track::new(&self.bodies[body as usize], self.settings.gravity);
            self.replace_box(body, &mut changes);
        }
        self.changes = changes;
        for body in struck.into_iter().flatten() {
            self.reschedule(body);
        }
    }

    /// Predicts every pair of a body anew: its motion has changed.
    pub(super) fn reschedule(&mut self, body: u32) {
        let mut partners = std::mem::take(&mut self.partners);
        partners.clear();
        partners.extend(self.broad.close_to(body).map(|p| (p.pair, 0.0)));
        // First all predictions, then all changes of the queue: what is far away in memory is fetched side by side.
        for (pair, time) in &mut partners {
            *time = self.first_contact(*pair);
        }
        for &(pair, time) in &partners {
            self.queue_check(pair, time);
        }
        self.partners = partners;
    }

    /// Predicts a pair from now on and queues its check.
    pub(super) fn schedule(&mut self, pair: u32) {
        let time = self.first_contact(pair);
        self.queue_check(pair, time);
    }

    fn queue_check(&mut self, pair: u32, time: f64) {
        let pair = &mut self.pairs[pair as usize];
        // Most pairs never meet on their present course: nothing to do where that was so before.
        let parked = time == f64::INFINITY;
        if !(parked && pair.parked) {
            pair.parked = parked;
            self.queue.update(pair.slot, time);
        }
    }

    /// When a pair can touch at the earliest, s.
    fn first_contact(&mut self, pair: u32) -> f64 {
        // Balls first: their flights are at hand, their bodies are not.
        self.predict_balls(pair, self.now).unwrap_or_else(|| self.predict_until_expiry(pair))
    }

    fn predict_until_expiry(&mut self, pair: u32) -> f64 {
        let items = self.pairs[pair as usize].items;
        if !self.may_strike(items) {
            return f64::INFINITY;
        }
        if items.iter().all(|&i| self.bodies[i as usize].stands()) {
            return f64::INFINITY;
        }
        let limit = items.iter().map(|&i| self.bodies[i as usize].horizon(self.now)).fold(f64::INFINITY, f64::min);
        self.predict(pair, self.now, limit)
    }

    /// Whether an impulse moves one of them; bodies of which none can be moved may pass through each other.
    pub(super) fn may_strike(&self, items: [u32; 2]) -> bool {
        items.iter().any(|&i| self.bodies[i as usize].is_free())
    }

    /// Sees to it that a body has a box for the time to come: the one it has, where that serves for long enough.
    fn replace_box(&mut self, body: u32, changes: &mut Changes) {
        changes.joined.clear();
        let lasting = self.time_to_travel(body);
        let least = self.now + KEPT * lasting;
        let kept = self.timed(Phase::Motion, |w| w.stay(body, &w.broad.bounds(body)));
        if let Some(expiry) = kept.filter(|&expiry| expiry >= least) {
            self.set_expiry(body, expiry);
            return;
        }
        let (bounds, expiry) = self.timed(Phase::Motion, |w| w.box_for(body, lasting));
        self.broad.update(body, bounds, changes);
        self.set_expiry(body, expiry);
        self.settle(changes);
    }

    /// Takes up joined pairs, which are yet to be scheduled, and drops parted ones.
    pub(super) fn settle(&mut self, changes: &Changes) {
        for parted in &changes.parted {
            self.queue.remove(self.pairs[parted.pair as usize].slot);
        }
        for joined in &changes.joined {
            self.take_up(joined);
        }
    }

    /// A pair that has just become close, in its slot of the queue.
    pub(super) fn new_pair(&self, items: [u32; 2], slot: u32) -> Pair {
        let [first, second] = items.map(|i| &self.bodies[i as usize]);
        let size = first.radius.min(second.radius);
        Pair {
            items,
            slot,
            parked: true,
            touch: self.settings.touch * size,
            material: self.materials.combined(first.material, second.material).material,
            cache: None,
            held: None,
        }
    }

    fn take_up(&mut self, close: &ClosePair) {
        let slot = self.queue.insert(f64::INFINITY, Pending::Check(close.items));
        let pair = self.new_pair(close.items, slot);
        let slots = &mut self.pairs;
        if slots.len() == close.pair as usize {
            slots.push(pair);
        } else {
            slots[close.pair as usize] = pair;
        }
        self.note_slot(slot, close.pair);
    }

    /// Notes whose check is in a slot of the queue.
    pub(super) fn note_slot(&mut self, slot: u32, pair: u32) {
        if self.pair_of_slot.len() <= slot as usize {
            self.pair_of_slot.resize(slot as usize + 1, u32::MAX);
        }
        self.pair_of_slot[slot as usize] = pair;
    }

    pub(super) fn set_expiry(&mut self, body: u32, expiry: f64) {
        let b = &mut self.bodies[body as usize];
        b.expiry = expiry;
        self.queue.update(b.expiry_slot, expiry);
    }

    /// A box that contains the body from now to an expiry that the body chooses itself.
    pub(super) fn box_ahead(&self, body: u32) -> (Aabb, f64) {
        self.box_for(body, self.time_to_travel(body))
    }

    /// A box that contains the body for at least a time.
    fn box_for(&self, body: u32, lasting: f64) -> (Aabb, f64) {
        let b = &self.bodies[body as usize];
        if let Motion::Fixed(pose) = &b.motion {
            return (b.shape.aabb(&(*pose * b.body_from_shape)), f64::INFINITY);
        }
        let expiry = (self.now + lasting).min(b.motion.known_until(self.now));
        // A body at rest without weight stays where it is for ever.
        let until = if expiry.is_finite() { expiry } else { self.now };
        let swept = b.motion.swept_box(self.reach(b), Range::new(self.now, until));
        let margin = MARGIN * b.radius;
        let bounds = Aabb { min: swept.min - margin, max: swept.max + margin };
        (bounds, self.stay(body, &bounds).map_or(expiry, |stay| stay.max(expiry)))
    }

    /// When the body leaves a box; `None` where that is not known.
    fn stay(&self, body: u32, bounds: &Aabb) -> Option<f64> {
        let b = &self.bodies[body as usize];
        let known = b.motion.known_until(self.now);
        b.motion.time_within(bounds, self.reach(b), self.now).map(|time| (self.now + time).min(known))
    }

    fn reach(&self, body: &Body) -> f64 {
        body.radius * (1.0 + self.settings.touch)
    }

    /// Time in which the body flies the distance that the settings allow a box.
    fn time_to_travel(&self, body: u32) -> f64 {
        let b = &self.bodies[body as usize];
        let distance = self.settings.box_travel * b.radius;
        let [_, velocity, acceleration] = b.motion.parabola_at(self.now).unwrap_or_else(|| {
            let instant = Range::point(self.now);
            let along = |d: DVec3| b.motion.centre_acceleration_along(d, instant).magnitude();
            let acceleration = DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z));
            [DVec3::ZERO, b.motion.state_at(self.now).velocity, acceleration]
        });
        let (speed, acceleration) = (velocity.length(), acceleration.length());
        // speed t + acceleration t^2 / 2 = distance, without cancellation.
        let root = (speed * speed + 2.0 * acceleration * distance).sqrt();
        if root > 0.0 { 2.0 * distance / (speed + root) } else { f64::INFINITY }
    }
}
