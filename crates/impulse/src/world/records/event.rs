//! What happens in a world, event by event.

use super::super::clock::ClockTick;
use super::super::index::BodyId;
use crate::respond::Modes;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What one step of the event loop did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A pair was measured and does not collide yet.
    Checked(BodyId, BodyId),
    /// Two bodies collided.
    Impact(ImpactRecord),
    /// Bodies in lasting contact, these two among them, hopped.
    Hop(BodyId, BodyId),
    /// A body got a new box.
    Boxed(BodyId),
    /// A clock for controllers ticked.
    Tick(ClockTick),
    /// A clock for observers ticked.
    Sample(ClockTick),
}

/// Why [`World::run_until`](crate::world::World::run_until) came back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopReason {
    /// The time was reached.
    Reached,
    /// The budget of events was used up.
    Budget,
    /// A clock for controllers ticked.
    Tick(ClockTick),
    /// A clock for observers ticked.
    Sample(ClockTick),
}

impl StopReason {
    /// Whether the time was reached.
    #[must_use]
    pub fn reached(&self) -> bool {
        *self == Self::Reached
    }
}

/// An impact, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpactRecord {
    /// Time of the impact, s.
    pub time: f64,
    /// The two bodies.
    pub bodies: [BodyId; 2],
    /// Point of contact, m.
    pub point: DVec3,
    /// Unit vector from the second body to the first.
    pub normal: DVec3,
    /// Impulse on the first body, N s.
    pub impulse: DVec3,
    /// Velocity of the first body relative to the second at the contact before, m/s.
    pub before: DVec3,
    /// The same after, m/s.
    pub after: DVec3,
    /// Kinetic energy lost, J; negative where a microcollision lifted.
    pub energy_lost: f64,
    /// How the contact moved; `None` for a reversing microcollision.
    pub modes: Option<Modes>,
    /// Whether it was a microcollision (section 3.5).
    pub micro: bool,
}
