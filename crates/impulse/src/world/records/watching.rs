//! Watching contacts: sums of impulses, also those of bodies at rest, which have no events (section 1.3).

use super::super::data::World;
use super::super::error::ActError;
use super::super::index::BodyId;
use super::super::pair::Pair;
use super::watch::{ContactSum, Watch, WatchId};
use glam::DVec3;

impl World {
    /// Begins to add up what `first` gets from `second`. Every impact looks at every watch: meant for a few.
    pub fn watch_contact(&mut self, first: BodyId, second: BodyId) -> Result<WatchId, ActError> {
        for body in [first, second] {
            self.collider(body).ok_or(ActError::NoSuchBody)?;
        }
        self.records.watches.push(Some(Watch::new([first, second], self.now)));
        Ok(WatchId(self.records.watches.len() as u32 - 1))
    }

    /// Ends a watch.
    pub fn unwatch_contact(&mut self, watch: WatchId) -> Result<(), ActError> {
        self.records.watches.get_mut(watch.0 as usize).and_then(Option::take).map(|_| ()).ok_or(ActError::NoSuchWatch)
    }

    /// The sum of a watch from its beginning to now.
    pub fn contact_sum(&self, watch: WatchId) -> Option<ContactSum> {
        let watch = self.records.watches.get(watch.0 as usize)?.as_ref()?;
        let Watch { impulse, impacts, from, .. } = *watch;
        Some(ContactSum { impulse: impulse + self.resting_impulse(watch), impacts, from, to: self.now })
    }

    /// The same, and the next window begins now.
    pub fn restart_watch(&mut self, watch: WatchId) -> Option<ContactSum> {
        let sum = self.contact_sum(watch)?;
        let watch = self.records.watches.get_mut(watch.0 as usize)?.as_mut()?;
        *watch = Watch::new(watch.bodies, sum.to);
        Some(sum)
    }

    /// What bodies at rest have pushed each other by since that was added last: the impulses of their last hop, over and over. The same
    /// for a body and what carries it.
    fn resting_impulse(&self, watch: &Watch) -> DVec3 {
        let colliders = watch.bodies.map(BodyId::collider);
        // Another body may have the slot of one that was removed.
        let are_there = watch.bodies.iter().all(|&body| self.collider(body).is_some());
        if !are_there {
            return DVec3::ZERO;
        }
        let pair = self.pairs.between(colliders).map(|pair| &self.pairs[pair]);
        let carried = pair.and_then(|pair| self.carried_of(pair));
        if let Some((body, motion)) = carried.and_then(|body| Some((body, self.member(body).motion().carried()?))) {
            let since = watch.rested_until.max(motion.times()[0]);
            let push = motion.push_until(self.now) - motion.push_until(since);
            return if body == colliders[0] { push } else { -push };
        }
        let standing = |_: &&Pair| colliders.iter().all(|&c| self.member(c).stands());
        let Some(last) = pair.filter(standing).and_then(|pair| pair.warm_start.as_ref()) else { return DVec3::ZERO };
        let force = last.points.iter().map(|point| point.impulse).sum::<DVec3>() / last.duration;
        let sign = if colliders[0] < colliders[1] { 1.0 } else { -1.0 };
        // A last hop was stopped on its way: some of its impulse went into a flight that never was.
        sign * force * (self.now - (last.time + last.ahead * last.duration).max(watch.rested_until))
    }

    /// Adds that to all watches: bodies are about to be woken.
    pub(crate) fn note_rest(&mut self) {
        for i in 0..self.records.watches.len() {
            if let Some(watch) = self.records.watches[i] {
                let impulse = watch.impulse + self.resting_impulse(&watch);
                self.records.watches[i] = Some(Watch { impulse, rested_until: self.now, ..watch });
            }
        }
    }
}
