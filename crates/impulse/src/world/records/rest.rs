//! When a body counts as settled (section 1.3): contact is a train of impacts, so a velocity at one instant says nothing about
//! rest, and what a body did over a time decides.

use super::super::data::World;
use super::super::group::Rest;
use super::super::index::{BodyId, GroupIndex};
use crate::body::Range;
use crate::math::Pose;

impl World {
    /// Whether a body has stayed, for [`Settings::settle_time`] at least, within [`Settings::settle_distance`] of one pose,
    /// everything in between included: a ball at the summit of its flight is not settled, nor is one that spins in its place.
    /// Fixed bodies always are. `None` for a body that was removed.
    ///
    /// [`Settings::settle_time`]: crate::world::Settings::settle_time
    /// [`Settings::settle_distance`]: crate::world::Settings::settle_distance
    pub fn settled(&self, body: BodyId) -> Option<bool> {
        let group = self.collider(body)?.group;
        let member = self.member(body.collider());
        let long_enough = self.now - self.groups[group].rest.since >= self.settings.settle_time;
        let stayed = || self.turned_if_stayed(group, &member.pose_at(self.now)).is_some();
        Some(member.is_fixed() || (long_enough && stayed()))
    }

    /// Keeps account of rest at one of a group's own events, before its motion changes.
    pub(crate) fn observe(&mut self, group: GroupIndex, pose: &Pose) {
        let rest = match self.turned_if_stayed(group, pose) {
            Some(turned) => Rest { seen: self.now, turned, ..self.groups[group].rest },
            None => Rest::new(*pose, self.now),
        };
        self.groups[group].rest = rest;
    }

    /// The angle between a group and its anchor now, if it was never too far from there since it was observed last.
    fn turned_if_stayed(&self, group: GroupIndex, pose: &Pose) -> Option<f64> {
        let collider = self.groups[group].members()[0];
        let Rest { anchor, seen, turned, .. } = self.groups[group].rest;
        let reach = self.settings.settle_distance * self.colliders[collider].radius;
        // Most bodies are far from their anchor: no need to know how they got there.
        if pose.translation.distance_squared(anchor.translation) > reach * reach {
            return None;
        }
        let member = self.member(collider);
        let path = member.swept_box(0.0, Range::new(seen, self.now));
        let far = (path.max - anchor.translation).abs().max((path.min - anchor.translation).abs());
        if far.length() > reach {
            return None;
        }
        let between = anchor.rotation.conjugate() * pose.rotation;
        let angle = 2.0 * libm::asin(between.xyz().length().min(1.0));
        // From the one angle to the other by a way of bounded length, it was never beyond half the sum of all three.
        let way = member.spin_bounds(Range::new(seen, self.now)).speed * (self.now - seen);
        (0.5 * (turned + angle + way) <= self.settings.settle_distance).then_some(angle)
    }
}
