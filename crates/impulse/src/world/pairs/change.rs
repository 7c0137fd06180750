//! Every change of motion goes through here (figure 2.14): rest is accounted for before it, and tracks, boxes and checks are renewed
//! after it, before the next event is taken. That keeps the invariant of the event loop.

use super::super::data::World;
use super::super::index::{ColliderIndex, GroupIndex, PairIndex};
use super::track::Track;
use crate::body::{Launch, Motion, State};
use crate::math::Pose;
use glam::DVec3;

/// An impulse on a member of a group, world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointImpulse<'a> {
    pub(crate) group: GroupIndex,
    /// The member's state now.
    pub(crate) state: &'a State,
    /// Where it acts, m.
    pub(crate) point: DVec3,
    /// N s.
    pub(crate) impulse: DVec3,
}

impl World {
    /// Changes the motion of a group that is in a pose now. What depends on it is renewed by [`World::renew_changed`].
    pub(crate) fn change_motion(&mut self, group: GroupIndex, pose: &Pose, change: impl FnOnce(&mut Motion)) {
        self.observe(group, pose);
        self.end_carriage(group);
        change(self.groups[group].motion_mut());
        debug_assert!(self.groups[group].motion().state_at(self.now).is_finite(), "motions are numbers");
        self.scratch.changed_groups.push(group);
    }

    /// Applies impulses to groups, all those on one group together. Groups that cannot be moved ignore them.
    pub(crate) fn apply_impulses(&mut self, impulses: &[PointImpulse<'_>]) {
        for (i, first) in impulses.iter().enumerate() {
            let is_same = |other: &&PointImpulse<'_>| other.group == first.group;
            let is_done = impulses[..i].iter().any(|earlier| is_same(&earlier));
            let group = &self.groups[first.group];
            if is_done || group.link.is_some() || group.motion().mass().is_none() {
                continue;
            }
            let launch = Launch { time: self.now, state: *first.state };
            let acting = impulses[i..].iter().filter(is_same).map(|p| [p.point, p.impulse]);
            self.change_motion(first.group, &first.state.world_from_body, |motion| motion.push(launch, acting));
        }
        if !self.linkages.is_empty() {
            self.apply_to_linkages(impulses);
        }
    }

    /// Renews everything that depends on the motions changed since the last call: tracks, boxes, and the checks of all pairs, each
    /// once.
    pub(crate) fn renew_changed(&mut self) {
        let mut groups = std::mem::take(&mut self.scratch.changed_groups);
        self.scratch.renewed.begin(self.groups.capacity());
        // Links of a linkage that is being built may not have entered the world yet.
        let has_entered = |group: GroupIndex| self.colliders[self.groups[group].members()[0]].expiry_slot != u32::MAX;
        groups.retain(|&group| has_entered(group) && self.scratch.renewed.meet(group));
        for &group in &groups {
            self.groups[group].motion_mut().look_ahead(self.now);
            for member in 0..self.groups[group].members().len() {
                let collider = self.groups[group].members()[member];
                self.renew_box(collider);
                self.records.changed.push(self.colliders[collider].id);
            }
        }
        self.scratch.renewed.begin(self.colliders.capacity());
        for &group in &groups {
            for member in 0..self.groups[group].members().len() {
                self.predict_pairs(self.groups[group].members()[member]);
            }
        }
        groups.clear();
        self.scratch.changed_groups = groups;
    }

    /// A collider's box has expired: a new one, and checks for the pairs it forms.
    pub(crate) fn renew_expired(&mut self, collider: ColliderIndex) {
        let group = self.colliders[collider].group;
        self.groups[group].motion_mut().look_ahead(self.now);
        self.renew_box(collider);
        let changes = std::mem::take(&mut self.scratch.changes);
        changes.joined.iter().for_each(|joined| self.schedule(PairIndex(joined.pair)));
        self.scratch.changes = changes;
    }

    /// A new track and a box that contains the collider; the pairs that join are in `scratch.changes`.
    fn renew_box(&mut self, collider: ColliderIndex) {
        self.renew_track(collider);
        let mut changes = std::mem::take(&mut self.scratch.changes);
        self.replace_box(collider, &mut changes);
        self.scratch.changes = changes;
    }

    /// A new track of a collider.
    pub(crate) fn renew_track(&mut self, collider: ColliderIndex) {
        self.tracks[collider.0 as usize] =
            Track::new(&self.colliders[collider], self.member(collider), self.settings.gravity);
    }

    /// Predicts all pairs of a collider but those with colliders whose pairs were predicted before in this round.
    fn predict_pairs(&mut self, collider: ColliderIndex) {
        let mut predictions = std::mem::take(&mut self.scratch.predictions);
        self.scratch.renewed.meet(collider);
        let renewed = &self.scratch.renewed;
        predictions.clear();
        predictions
            .extend(self.pairs.of(collider).filter(|(_, other)| !renewed.was_met(*other)).map(|(p, _)| (p, 0.0)));
        // First all predictions, then all changes of the queue: what is far away in memory is fetched side by side.
        for (pair, time) in &mut predictions {
            *time = self.first_contact(*pair);
        }
        for &(pair, time) in &predictions {
            self.queue_check(pair, time);
        }
        self.scratch.predictions = predictions;
    }
}
