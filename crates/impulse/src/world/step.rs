//! The event loop (section 1.2, figure 2.14).

use super::body::{Body, BodyId};
use super::error::RunError;
use super::island::Island;
use super::material::Materials;
use super::pair::Pair;
use super::record::{Counters, Happened, ImpactRecord, TraceHash};
use super::settings::Settings;
use super::track::Track;
use crate::detect::{BroadPhase, Changes, EventQueue};

/// Bodies, and everything that is going to happen to them.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) settings: Settings,
    pub(super) materials: Materials,
    pub(super) bodies: Vec<Body>,
    /// Where the balls among them fly.
    pub(super) tracks: Vec<Track>,
    pub(super) pairs: Vec<Pair>,
    /// The pair whose check is in a slot of the queue.
    pub(super) pair_of_slot: Vec<u32>,
    pub(super) broad: BroadPhase,
    pub(super) queue: EventQueue<Pending>,
    pub(super) now: f64,
    pub(super) counters: Counters,
    pub(super) min_separation: f64,
    pub(super) hash: TraceHash,
    pub(super) impacts: Vec<ImpactRecord>,
    /// Room for what the broad phase reports, kept from call to call.
    pub(super) changes: Changes,
    /// Room for the pairs of a struck body and the times of their checks, kept from call to call.
    pub(super) partners: Vec<(u32, f64)>,
    /// Room for the neighbours of bodies that are woken, kept from call to call.
    pub(super) neighbours: Vec<u32>,
    /// Room for bodies that are woken, kept from call to call.
    pub(super) woken: Vec<u32>,
    /// Room for bodies in lasting contact, kept from call to call.
    pub(super) island: Island,
}

/// What waits in the queue; at equal times in this order, then by bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pending {
    /// A body's box expires.
    Expiry(u32),
    /// A pair may touch.
    Check([u32; 2]),
}

impl World {
    /// Takes the earliest pending event and does what it asks. `None` where nothing is going to happen any more.
    pub fn step(&mut self) -> Result<Option<Happened>, RunError> {
        let Some(event) = self.queue.peek() else { return Ok(None) };
        self.now = event.time;
        self.counters.events += 1;
        let happened = match event.key {
            Pending::Expiry(body) => self.renew(body),
            Pending::Check(_) => self.check(self.pair_of_slot[event.slot as usize])?,
        };
        Ok(Some(happened))
    }

    /// A box has expired: a new one, and checks for the pairs it forms.
    fn renew(&mut self, body: u32) -> Happened {
        self.counters.expiries += 1;
        self.rebox(body);
        Happened::Boxed(BodyId(body))
    }

    /// A pair's time has come: it strikes, or is looked at again later.
    fn check(&mut self, pair: u32) -> Result<Happened, RunError> {
        self.counters.checks += 1;
        let items = self.pairs[pair as usize].items;
        debug_assert!(
            items
                .map(|i| i as usize)
                .iter()
                .all(|&i| self.tracks[i].is_current(&self.bodies[i], self.settings.gravity)),
            "a body whose motion changes is boxed anew"
        );
        let measured = self.measure(pair, self.now);
        if measured.overlapping {
            return Err(self.overlap(items));
        }
        let Some(measured) = self.touching(pair, measured) else {
            self.schedule(pair);
            return Ok(Happened::Checked(BodyId(items[0]), BodyId(items[1])));
        };
        if let Some(length) = self.lasting(pair, &measured) {
            return self.hop(pair, length);
        }
        self.wake(items);
        let record = self.collide(pair, &measured)?;
        self.remember(&record);
        self.restart(items);
        Ok(Happened::Impact(record))
    }

    pub(super) fn overlap(&self, [first, second]: [u32; 2]) -> RunError {
        RunError::Overlap {
            event: self.counters.events,
            time: self.now,
            first: self.bodies[first as usize].name.clone(),
            second: self.bodies[second as usize].name.clone(),
        }
    }

    pub(super) fn remember(&mut self, record: &ImpactRecord) {
        if record.micro {
            self.counters.microcollisions += 1;
        } else {
            self.counters.collisions += 1;
        }
        self.hash.add(record);
        if self.settings.record_impacts {
            self.impacts.push(*record);
        }
    }
}
