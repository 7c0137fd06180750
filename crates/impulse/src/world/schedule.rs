//! Boxes and queued checks: what keeps the invariant of the event loop (section 2.4.3, figure 2.14).

use super::pair::Pair;
use super::step::{Pending, World};
use crate::body::{Motion, Range};
use crate::detect::{Changes, ClosePair};
use crate::geometry::Aabb;
use glam::DVec3;

impl World {
    /// Gives a body a box for the time to come, and every pair that it forms or leaves its place in the queue.
    pub(super) fn rebox(&mut self, body: u32) {
        self.bodies[body as usize].motion.look_ahead(self.now);
        let (bounds, expiry) = self.box_ahead(body);
        let mut changes = std::mem::take(&mut self.changes);
        self.broad.update(body, bounds, &mut changes);
        self.set_expiry(body, expiry);
        self.settle(&changes);
        self.changes = changes;
    }

    /// Predicts every pair of a body anew: its motion has changed.
    pub(super) fn reschedule(&mut self, body: u32) {
        let mut partners = std::mem::take(&mut self.partners);
        partners.clear();
        partners.extend(self.broad.close_to(body).map(|p| p.pair));
        for &pair in &partners {
            self.schedule(pair);
        }
        self.partners = partners;
    }

    /// Predicts a pair from now on and queues its check.
    pub(super) fn schedule(&mut self, pair: u32) {
        let items = self.pairs[pair as usize].items;
        if !self.may_strike(items) {
            return;
        }
        let limit = items.iter().map(|&i| self.bodies[i as usize].expiry).fold(f64::INFINITY, f64::min);
        let time = self.predict(pair, self.now, limit);
        self.queue.update(self.pairs[pair as usize].slot, time);
    }

    /// Whether an impulse moves one of them; bodies of which none can be moved may pass through each other.
    pub(super) fn may_strike(&self, items: [u32; 2]) -> bool {
        items.iter().any(|&i| self.bodies[i as usize].is_free())
    }

    /// Takes up joined pairs and drops parted ones.
    pub(super) fn settle(&mut self, changes: &Changes) {
        for parted in &changes.parted {
            self.queue.remove(self.pairs[parted.pair as usize].slot);
        }
        for joined in &changes.joined {
            self.take_up(joined);
            self.schedule(joined.pair);
        }
    }

    /// A pair that has just become close, in its slot of the queue.
    pub(super) fn new_pair(&self, items: [u32; 2], slot: u32) -> Pair {
        let [first, second] = items.map(|i| &self.bodies[i as usize]);
        let size = first.radius.min(second.radius);
        Pair {
            items,
            slot,
            touch: self.settings.touch * size,
            envelope: self.settings.envelope * size,
            material: self.materials.combined(first.material, second.material),
            cache: None,
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
        let b = &self.bodies[body as usize];
        if let Motion::Fixed(pose) = &b.motion {
            return (b.shape.aabb(&(*pose * b.body_from_shape)), f64::INFINITY);
        }
        let expiry = (self.now + self.time_to_travel(body)).min(b.motion.known_until(self.now));
        let reach = b.radius * (1.0 + self.settings.touch);
        // A body at rest without weight stays where it is for ever.
        let until = if expiry.is_finite() { expiry } else { self.now };
        (b.motion.swept_box(reach, Range::new(self.now, until)), expiry)
    }

    /// Time in which the body flies the distance that the settings allow a box.
    fn time_to_travel(&self, body: u32) -> f64 {
        let b = &self.bodies[body as usize];
        let distance = self.settings.box_travel * b.radius;
        let speed = b.motion.state_at(self.now).velocity.length();
        let instant = Range::point(self.now);
        let along = |d: DVec3| b.motion.centre_acceleration_along(d, instant).magnitude();
        let acceleration = DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)).length();
        // speed t + acceleration t^2 / 2 = distance, without cancellation.
        let root = (speed * speed + 2.0 * acceleration * distance).sqrt();
        if root > 0.0 { 2.0 * distance / (speed + root) } else { f64::INFINITY }
    }
}
