//! A hash of everything that happened: equal for equal runs, on every machine.

use super::super::index::BodyId;
use super::super::linkage::linked::StopRecord;
use super::event::{Event, ImpactRecord};
use crate::body::State;

/// A hash of everything that happened, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TraceHash(u64);

impl Default for TraceHash {
    fn default() -> Self {
        Self(0x243F_6A88_85A3_08D3)
    }
}

impl TraceHash {
    pub(crate) fn restored(value: u64) -> Self {
        Self(value)
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }

    /// Takes in an impact: when, who, and the impulse's bits.
    pub(crate) fn add_impact(&mut self, record: &ImpactRecord) {
        self.mix(record.time.to_bits());
        self.mix_bodies(record.bodies);
        for x in record.impulse.to_array() {
            self.mix(x.to_bits());
        }
    }

    /// Takes in a joint that has come to its stop.
    pub(crate) fn add_stop(&mut self, record: &StopRecord) {
        self.mix(6);
        for word in [record.time.to_bits(), u64::from(record.joint.0), record.impulse.to_bits()] {
            self.mix(word);
        }
    }

    /// Takes in what a step did and when. Clocks do not count: who looks on must not change the hash. The impulses of impacts and
    /// hops are taken in as impacts.
    pub(crate) fn add_event(&mut self, event: &Event, time: f64) {
        let (kind, bodies) = match *event {
            Event::Checked(first, second) => (1, [first, second]),
            Event::Impact(ref record) => (2, record.bodies),
            Event::Hop(first, second) => (3, [first, second]),
            Event::Boxed(body) => (4, [body; 2]),
            Event::Carried(body, surface) => (5, [body, surface]),
            // The blow itself is taken in by `add_stop`.
            Event::Stop(_) => return,
            // What controllers did is seen in how bodies move.
            Event::Tick(_) | Event::Sample(_) | Event::Control(_) => return,
        };
        self.mix(kind);
        self.mix(time.to_bits());
        self.mix_bodies(bodies);
    }

    /// Takes in where a body is and how it moves.
    pub(crate) fn add_state(&mut self, body: BodyId, state: &State) {
        self.mix_bodies([body; 2]);
        let pose = &state.world_from_body;
        let numbers = [pose.translation, state.velocity, state.spin].map(|v| v.to_array());
        for x in numbers.into_iter().flatten().chain(pose.rotation.to_array()) {
            self.mix(x.to_bits());
        }
    }

    fn mix_bodies(&mut self, bodies: [BodyId; 2]) {
        self.mix(u64::from(bodies[0].slot) << 32 | u64::from(bodies[1].slot));
    }

    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9E37_79B9_7F4A_7C15_u128;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::TraceHash;
    use crate::world::clock::{ClockId, ClockTick};
    use crate::world::{BodyId, Event};

    #[test]
    fn every_event_counts_but_the_ticks_of_clocks() {
        let [a, b] = [0, 1].map(BodyId::from_bits);
        let hash = |events: &[(Event, f64)]| {
            let mut hash = TraceHash::default();
            events.iter().for_each(|(event, time)| hash.add_event(event, *time));
            hash
        };
        let tick = Event::Tick(ClockTick { clock: ClockId(0), count: 3, time: 1.0 });
        assert_eq!(hash(&[(tick, 1.0)]), TraceHash::default());
        let different = [
            hash(&[]),
            hash(&[(Event::Checked(a, b), 1.0)]),
            hash(&[(Event::Checked(a, b), 2.0)]),
            hash(&[(Event::Hop(a, b), 1.0)]),
            hash(&[(Event::Carried(a, b), 1.0)]),
            hash(&[(Event::Boxed(a), 1.0)]),
            hash(&[(Event::Boxed(b), 1.0)]),
            hash(&[(Event::Boxed(a), 1.0), (Event::Boxed(b), 1.0)]),
        ];
        for i in 0..different.len() {
            assert!(!different[..i].contains(&different[i]), "{i}");
        }
    }
}
