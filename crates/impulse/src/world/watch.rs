//! Time-averaged contact forces (section 1.3): what two bodies exchanged in a window of time, divided by its length.

use super::body::BodyId;
use super::error::ActError;
use super::record::ImpactRecord;
use super::step::World;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A watched contact. The id of a watch that ended is never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WatchId(pub(super) u32);

/// What one body got from another in a window of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSum {
    /// Sum of the impulses on the first body of the watch, world frame, N s.
    pub impulse: DVec3,
    /// Number of impacts.
    pub impacts: u64,
    /// When the window began, s.
    pub from: f64,
    /// When it ends: now, s.
    pub to: f64,
}

impl ContactSum {
    /// Mean force on the first body of the watch, world frame, N; `None` for a window without length.
    pub fn mean_force(&self) -> Option<DVec3> {
        let length = self.to - self.from;
        (length > 0.0).then(|| self.impulse / length)
    }
}

/// A watch in the world.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Watch {
    pub(super) bodies: [BodyId; 2],
    pub(super) impulse: DVec3,
    pub(super) impacts: u64,
    pub(super) from: f64,
    /// Up to when the force between bodies at rest has been added, s.
    pub(super) rested_until: f64,
}

impl World {
    /// Begins to add up what `first` gets from `second`. Every impact looks at every watch: meant for a few.
    pub fn watch_contact(&mut self, first: BodyId, second: BodyId) -> Result<WatchId, ActError> {
        self.slot(first)?;
        self.slot(second)?;
        self.watches.push(Some(Watch {
            bodies: [first, second],
            impulse: DVec3::ZERO,
            impacts: 0,
            from: self.now,
            rested_until: self.now,
        }));
        Ok(WatchId(self.watches.len() as u32 - 1))
    }

    /// Ends a watch.
    pub fn unwatch_contact(&mut self, watch: WatchId) -> Result<(), ActError> {
        self.watches.get_mut(watch.0 as usize).and_then(Option::take).map(|_| ()).ok_or(ActError::NoSuchWatch)
    }

    /// The sum of a watch from its beginning to now.
    pub fn contact_sum(&self, watch: WatchId) -> Option<ContactSum> {
        let watch = self.watches.get(watch.0 as usize)?.as_ref()?;
        let Watch { impulse, impacts, from, .. } = *watch;
        Some(ContactSum { impulse: impulse + self.resting_impulse(watch), impacts, from, to: self.now })
    }

    /// The same, and the next window begins now.
    pub fn restart_watch(&mut self, watch: WatchId) -> Option<ContactSum> {
        let sum = self.contact_sum(watch)?;
        let watch = self.watches.get_mut(watch.0 as usize)?.as_mut()?;
        *watch = Watch { impulse: DVec3::ZERO, impacts: 0, from: self.now, rested_until: self.now, ..*watch };
        Some(sum)
    }

    /// What bodies at rest have pushed each other by since that was added last: the impulses of their last hop, over and over.
    fn resting_impulse(&self, watch: &Watch) -> DVec3 {
        let [first, second] = watch.bodies.map(|id| id.slot);
        let standing = [first, second].iter().all(|&i| self.bodies[i as usize].stands());
        let pair = || self.broad.close_to(first).find(|partner| partner.item == second);
        let Some(held) = standing.then(pair).flatten().and_then(|p| self.pairs[p.pair as usize].held.as_ref()) else {
            return DVec3::ZERO;
        };
        let force = held.points.iter().map(|point| point.impulse).sum::<DVec3>() / held.length;
        let sign = if first < second { 1.0 } else { -1.0 };
        // The last hop was stopped on its way: half its impulse went into a flight that never was.
        sign * force * (self.now - (held.time + 0.5 * held.length).max(watch.rested_until))
    }

    /// Adds that to all watches: bodies are about to be woken.
    pub(super) fn note_rest(&mut self) {
        for i in 0..self.watches.len() {
            if let Some(watch) = self.watches[i] {
                let impulse = watch.impulse + self.resting_impulse(&watch);
                self.watches[i] = Some(Watch { impulse, rested_until: self.now, ..watch });
            }
        }
    }

    /// Adds an impact to the watches it concerns.
    pub(super) fn note_impact(&mut self, record: &ImpactRecord) {
        let [first, second] = record.bodies;
        for watch in self.watches.iter_mut().flatten() {
            let share = match watch.bodies {
                pair if pair == [first, second] => record.impulse,
                pair if pair == [second, first] => -record.impulse,
                _ => continue,
            };
            watch.impulse += share;
            watch.impacts += 1;
        }
    }
}
