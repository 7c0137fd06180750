//! What a run leaves behind: impacts, counted work, and a hash of the event trace.

use super::BodyId;
use super::clock::Stroke;
use crate::respond::Modes;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happened {
    /// A pair was measured and is still apart.
    Checked(BodyId, BodyId),
    /// Two bodies struck each other.
    Impact(ImpactRecord),
    /// Bodies in lasting contact, these two among them, hopped.
    Hop(BodyId, BodyId),
    /// A body got a new box.
    Boxed(BodyId),
    /// A clock for controllers struck.
    Tick(Stroke),
    /// A clock for observers struck.
    Sample(Stroke),
}

/// Why a run came back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stopped {
    /// The time was reached.
    Reached,
    /// The budget of events was used up.
    Budget,
    /// A clock for controllers struck.
    Tick(Stroke),
    /// A clock for observers struck.
    Sample(Stroke),
}

impl Stopped {
    /// Whether the time was reached.
    pub fn reached(&self) -> bool {
        *self == Self::Reached
    }
}

/// An impact, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpactRecord {
    /// When, s.
    pub time: f64,
    /// The struck bodies.
    pub bodies: [BodyId; 2],
    /// Where, m.
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

/// Counted work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Events taken from the queue.
    pub events: u64,
    /// Queued events that measured one pair.
    pub checks: u64,
    /// Distances measured in all: in checks and in predictions.
    pub measurements: u64,
    /// Steps of predictions between two measurements, made with support functions alone.
    pub marches: u64,
    /// Impacts that were no microcollisions.
    pub collisions: u64,
    /// Microcollisions: slow impacts, and points that pushed in a hop.
    pub microcollisions: u64,
    /// Hops of bodies in lasting contact.
    pub hops: u64,
    /// Sweeps over the points of a hop that was not solved directly.
    pub sweeps: u64,
    /// Hops whose impulses were not found to the tolerance.
    pub unconverged: u64,
    /// Boxes made anew at their expiry.
    pub expiries: u64,
    /// Strokes of clocks.
    pub strokes: u64,
    /// Events in the queue now.
    pub queue: u64,
    /// Events in the queue at most.
    pub queue_peak: u64,
    /// Pairs of bodies now whose boxes overlap.
    pub pairs: u64,
    /// Cells of the spatial hash entered or left.
    pub cell_updates: u64,
}

impl Counters {
    /// Whether none is near its end.
    pub(super) fn are_plausible(&self) -> bool {
        let Self { events, checks, measurements, collisions, microcollisions, expiries, strokes, .. } = *self;
        [events, checks, measurements, collisions, microcollisions, expiries, strokes].iter().all(|&n| n < u64::MAX / 2)
    }
}

/// A hash of everything that happened, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TraceHash(u64);

impl Default for TraceHash {
    fn default() -> Self {
        Self(0x243F_6A88_85A3_08D3)
    }
}

impl TraceHash {
    pub(super) fn restored(value: u64) -> Self {
        Self(value)
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }

    /// Takes in an impact: when, who, and the impulse's bits.
    pub(super) fn add(&mut self, record: &ImpactRecord) {
        self.mix(record.time.to_bits());
        self.mix(u64::from(record.bodies[0].slot) << 32 | u64::from(record.bodies[1].slot));
        for x in record.impulse.to_array() {
            self.mix(x.to_bits());
        }
    }

    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9E37_79B9_7F4A_7C15_u128;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}
