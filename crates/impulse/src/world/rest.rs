//! When a body counts as settled (section 1.3): contact is a train of impacts, so that a velocity at one instant says nothing
//! about rest, and what a body did over a time decides.

use super::body::{Body, BodyId};
use super::step::World;
use crate::body::Range;
use crate::math::Pose;
use serde::{Deserialize, Serialize};

/// Where a body has stayed, and since when.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Rest {
    /// It has been near this pose ...
    pub(super) anchor: Pose,
    /// ... since this time, s, ...
    pub(super) since: f64,
    /// ... as was seen last at this time, s, ...
    pub(super) seen: f64,
    /// ... when it was turned by this angle from the anchor, rad.
    pub(super) turned: f64,
}

impl Rest {
    pub(super) fn new(anchor: Pose, now: f64) -> Self {
        Self { anchor, since: now, seen: now, turned: 0.0 }
    }
}

impl World {
    /// Whether a body has stayed, for [`super::Settings::settle_time`] at least, within [`super::Settings::settle_distance`] of
    /// one pose, everything in between included: a ball at the summit of its flight is not settled, nor is one that spins in
    /// its place. Fixed bodies always are. `None` for a body that was removed.
    pub fn settled(&self, body: BodyId) -> Option<bool> {
        let body = self.body(body)?;
        let long_enough = self.now - body.rest.since >= self.settings.settle_time;
        let stayed = || self.turned_if_stayed(body, &body.motion.pose_at(self.now)).is_some();
        Some(body.is_fixed() || (long_enough && stayed()))
    }

    /// Keeps account of rest at one of a body's own events, before its motion changes.
    pub(super) fn observe(&mut self, slot: u32, pose: &Pose) {
        let body = &self.bodies[slot as usize];
        if body.is_fixed() {
            return;
        }
        let rest = match self.turned_if_stayed(body, pose) {
            Some(turned) => Rest { seen: self.now, turned, ..body.rest },
            None => Rest::new(*pose, self.now),
        };
        self.bodies[slot as usize].rest = rest;
    }

    /// The angle between a body and its anchor now, if it was never too far from there since it was seen last.
    fn turned_if_stayed(&self, body: &Body, pose: &Pose) -> Option<f64> {
        let Rest { anchor, seen, turned, .. } = body.rest;
        let reach = self.settings.settle_distance * body.radius;
        // Most bodies that are looked at are far: no need to know their ways.
        if pose.translation.distance_squared(anchor.translation) > reach * reach {
            return None;
        }
        let path = body.motion.swept_box(0.0, Range::new(seen, self.now));
        let far = (path.max - anchor.translation).abs().max((path.min - anchor.translation).abs());
        if far.length() > reach {
            return None;
        }
        let between = anchor.rotation.conjugate() * pose.rotation;
        let angle = 2.0 * libm::asin(between.xyz().length().min(1.0));
        // From the one angle to the other by a way of bounded length, it was never beyond half the sum of all three.
        let way = body.motion.spin_bounds(Range::new(seen, self.now)).speed * (self.now - seen);
        (0.5 * (turned + angle + way) <= self.settings.settle_distance).then_some(angle)
    }
}
