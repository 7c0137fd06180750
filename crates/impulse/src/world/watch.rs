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
}

impl World {
    /// Begins to add up what `first` gets from `second`. Every impact looks at every watch: meant for a few.
    pub fn watch_contact(&mut self, first: BodyId, second: BodyId) -> Result<WatchId, ActError> {
        self.slot(first)?;
        self.slot(second)?;
        self.watches.push(Some(Watch { bodies: [first, second], impulse: DVec3::ZERO, impacts: 0, from: self.now }));
        Ok(WatchId(self.watches.len() as u32 - 1))
    }

    /// Ends a watch.
    pub fn unwatch_contact(&mut self, watch: WatchId) -> Result<(), ActError> {
        self.watches.get_mut(watch.0 as usize).and_then(Option::take).map(|_| ()).ok_or(ActError::NoSuchWatch)
    }

    /// The sum of a watch from its beginning to now.
    pub fn contact_sum(&self, watch: WatchId) -> Option<ContactSum> {
        let Watch { impulse, impacts, from, .. } = *self.watches.get(watch.0 as usize)?.as_ref()?;
        Some(ContactSum { impulse, impacts, from, to: self.now })
    }

    /// The same, and the next window begins now.
    pub fn restart_watch(&mut self, watch: WatchId) -> Option<ContactSum> {
        let sum = self.contact_sum(watch)?;
        let watch = self.watches.get_mut(watch.0 as usize)?.as_mut()?;
        *watch = Watch { impulse: DVec3::ZERO, impacts: 0, from: self.now, ..*watch };
        Some(sum)
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
