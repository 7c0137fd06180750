//! Hops in time with controllers (beside sections 3.5 and 5.4): a whole number of equal flights from tick to tick.
//!
//! A flight that ended right at a tick might as well end before it, and the next one be under way when the force changes. So flights end a
//! little after ticks: the hop there knows the new force.

use super::super::data::World;
use super::island::Island;
use crate::world::control::spec::Controlled;

/// How long after a tick a flight ends, relative to the flight: more than the touch distance makes it end early.
const LATE: f64 = 1e-3;

/// A tick nearer than this, relative to a flight, is as good as past: the flight before it ended early.
const PAST: f64 = 0.1;

impl World {
    /// The duration of an island's hop, s: shorter than the one given where controllers act on the island and hops are locked to them.
    pub(super) fn locked_duration(&self, island: &Island, duration: f64) -> f64 {
        if !self.settings.lock_hops {
            return duration;
        }
        let left = self.time_to_tick(island, duration) + LATE * duration;
        if !left.is_finite() {
            return duration;
        }
        left / libm::ceil(left / duration)
    }

    /// Time to the next tick of a controller of an island, s; infinite if there is none.
    fn time_to_tick(&self, island: &Island, duration: f64) -> f64 {
        let controllers = self.controllers.iter().flatten().map(|controller| &controller.state);
        let acting = controllers.filter(|state| state.enabled && self.acts_on(&state.controlled, island));
        let left = acting.map(|state| {
            let left = state.next() - self.now;
            if left < PAST * duration { left + state.clock.period } else { left }
        });
        left.fold(f64::INFINITY, f64::min)
    }

    /// Whether a controller acts on a body of an island, or on the linkage of one.
    fn acts_on(&self, controlled: &Controlled, island: &Island) -> bool {
        let linkage = controlled.joints().first().map(|joint| self.joints[joint.0 as usize].linkage);
        island.bodies.iter().any(|&body| {
            let is_it = controlled.body().is_some_and(|id| id.collider() == body);
            is_it || (linkage.is_some() && self.group_of(body).link.map(|place| place.linkage) == linkage)
        })
    }
}
