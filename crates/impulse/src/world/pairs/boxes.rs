//! Boxes that contain moving bodies until they expire (section 2.4.3), and the pairs that they form.

use super::super::collider::Collider;
use super::super::data::World;
use super::super::group::Group;
use super::super::index::{ColliderIndex, GroupIndex, MemberIndex, PairIndex};
use super::super::pair::Pair;
use super::super::records::stopwatch::Phase;
use super::super::scheduled::Scheduled;
use super::super::slots::Slots;
use super::barred::Barred;
use super::table::numbered;
use crate::body::Range;
use crate::detect::Changes;
use crate::geometry::Aabb;

/// How far boxes reach beyond the flight they are made for, in bounding radii: impacts turn bodies back into them. More makes
/// fewer boxes and more pairs.
const BOX_MARGIN: f64 = 0.1;

/// Share of the time a new box would last for which an old one must serve to be kept.
const KEEP_BOX: f64 = 0.3;

/// Which colliders may collide: those of which an impulse moves at least one, unless they share a joint, or a linkage that does not
/// meet itself, or a user says otherwise. Others may pass through each other.
#[derive(Clone, Copy)]
pub(crate) struct PairFilter<'a> {
    pub(crate) colliders: &'a Slots<ColliderIndex, Collider>,
    pub(crate) groups: &'a Slots<GroupIndex, Group>,
    pub(crate) barred: &'a Barred,
}

impl PairFilter<'_> {
    pub(crate) fn accepts(self, a: u32, b: u32) -> bool {
        let [first, second] = [a, b].map(|item| &self.groups[self.colliders[ColliderIndex(item)].group]);
        let is_free = |group: &Group| group.member(MemberIndex(0)).is_free();
        let are_apart = match (first.link, second.link) {
            (Some(link), Some(other)) => link.linkage != other.linkage || link.meets_own,
            _ => true,
        };
        (is_free(first) || is_free(second)) && are_apart && !self.barred.bars(a, b)
    }
}

impl World {
    /// Sees to it that a collider has a box for the time to come: the one it has, where that serves for long enough. Pairs that
    /// join are yet to be predicted.
    pub(crate) fn replace_box(&mut self, collider: ColliderIndex, changes: &mut Changes) {
        changes.joined.clear();
        let duration = self.time_to_travel(collider);
        let least = self.now + KEEP_BOX * duration;
        let kept = self.timed(Phase::Motion, |w| w.stay(collider, &w.pairs.broad.bounds(collider.0)));
        if let Some(expiry) = kept.filter(|&expiry| expiry >= least) {
            self.set_expiry(collider, expiry);
            return;
        }
        let (bounds, expiry) = self.timed(Phase::Motion, |w| w.box_for(collider, duration));
        let filter = PairFilter { colliders: &self.colliders, groups: &self.groups, barred: &self.barred };
        let (tracks, barred) = (&self.tracks, &self.barred);
        // Balls in flight are free and no links: their bodies need not be fetched to know that.
        let are_balls = |items: [u32; 2]| items.iter().all(|&item| tracks[item as usize].is_ball());
        let accepts = |a, b| if are_balls([a, b]) { !barred.bars(a, b) } else { filter.accepts(a, b) };
        self.pairs.broad.filtered(accepts).update(collider.0, bounds, changes);
        self.set_expiry(collider, expiry);
        self.take_in(changes);
    }

    /// Takes up joined pairs, which are yet to be predicted, and drops parted ones.
    pub(crate) fn take_in(&mut self, changes: &Changes) {
        for parted in &changes.parted {
            let slot = self.pairs.remove(PairIndex(parted.pair)).expect("a pair that parts was close");
            self.queue.remove(slot);
        }
        for joined in &changes.joined {
            let (number, colliders) = numbered(joined);
            let slot = self.queue.insert(f64::INFINITY, Scheduled::Check(colliders));
            self.pairs.insert(number, self.new_pair(colliders, slot));
        }
    }

    /// A pair that has just become close, with its check in a slot of the queue.
    pub(crate) fn new_pair(&self, colliders: [ColliderIndex; 2], slot: u32) -> Pair {
        let [first, second] = colliders.map(|c| &self.colliders[c]);
        let size = first.radius.min(second.radius);
        Pair {
            colliders,
            slot,
            parked: true,
            touch_distance: self.settings.touch_distance * size,
            material: self.materials.combined(first.material, second.material).material,
            cache: None,
            warm_start: None,
        }
    }

    pub(crate) fn set_expiry(&mut self, collider: ColliderIndex, expiry: f64) {
        let collider = &mut self.colliders[collider];
        collider.expiry = expiry;
        self.queue.update(collider.expiry_slot, expiry);
    }

    /// A box that contains a collider from now to an expiry that suits its motion.
    pub(crate) fn box_ahead(&self, collider: ColliderIndex) -> (Aabb, f64) {
        self.box_for(collider, self.time_to_travel(collider))
    }

    /// A box that contains a collider for at least `duration` seconds, and when it expires.
    fn box_for(&self, collider: ColliderIndex, duration: f64) -> (Aabb, f64) {
        let (c, member) = (&self.colliders[collider], self.member(collider));
        if member.is_fixed() {
            return (c.shape.aabb(&(member.pose_at(self.now) * c.body_from_shape)), f64::INFINITY);
        }
        let expiry = (self.now + duration).min(member.known_until(self.now));
        // A body at rest without weight stays where it is for ever.
        let until = if expiry.is_finite() { expiry } else { self.now };
        let swept = member.swept_box(self.reach(c.radius), Range::new(self.now, until));
        let margin = BOX_MARGIN * c.radius;
        let bounds = Aabb { min: swept.min - margin, max: swept.max + margin };
        (bounds, self.stay(collider, &bounds).map_or(expiry, |stay| stay.max(expiry)))
    }

    /// When a collider leaves a box; `None` where that is not known.
    fn stay(&self, collider: ColliderIndex, bounds: &Aabb) -> Option<f64> {
        let (c, member) = (&self.colliders[collider], self.member(collider));
        let known = member.known_until(self.now);
        member.time_within(bounds, self.reach(c.radius), self.now).map(|time| (self.now + time).min(known))
    }

    /// Radius of the ball that a box must contain, m.
    fn reach(&self, radius: f64) -> f64 {
        radius * (1.0 + self.settings.touch_distance)
    }

    /// Time in which a collider flies the distance that the settings allow a box, s.
    fn time_to_travel(&self, collider: ColliderIndex) -> f64 {
        let distance = self.settings.box_travel * self.colliders[collider].radius;
        let [speed, acceleration] = self.member(collider).speeds_at(self.now);
        // speed t + acceleration t^2 / 2 = distance, without cancellation.
        let root = (speed * speed + 2.0 * acceleration * distance).sqrt();
        if root > 0.0 { 2.0 * distance / (speed + root) } else { f64::INFINITY }
    }
}
