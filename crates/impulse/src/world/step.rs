//! The event loop (section 1.2, figure 2.14).

use super::data::World;
use super::error::RunError;
use super::index::{ColliderIndex, PairIndex};
use super::pair::Pair;
use super::pairs::measure::Measured;
use super::progress::Urgency;
use super::records::event::{Event, StopReason};
use super::records::stopwatch::Phase;
use super::scheduled::Scheduled;

impl World {
    /// Takes the earliest pending event and does what it asks. `None` where nothing is going to happen any more.
    pub fn step(&mut self) -> Result<Option<Event>, RunError> {
        let Some(next) = self.queue.peek() else { return Ok(None) };
        self.records.stopwatch.enter(Phase::Detection);
        self.records.changed.clear();
        self.now = next.time;
        self.records.counters.events += 1;
        self.records.business.count(self.now);
        self.records.counters.queue_peak = self.records.counters.queue_peak.max(self.queue.len() as u64);
        let event = match next.key {
            Scheduled::Expiry(collider) => self.expire(collider),
            Scheduled::Check(_) => self.check(self.pairs.in_slot(next.slot))?,
            Scheduled::Tick(clock) => Event::Tick(self.tick(clock)),
            Scheduled::Control(controller) => self.timed(Phase::Control, |w| w.control(controller)),
            Scheduled::Sample(clock) => Event::Sample(self.tick(clock)),
        };
        self.close_energy();
        self.records.hash.add_event(&event, self.now);
        self.records.stopwatch.enter(if matches!(event, Event::Tick(_)) { Phase::Control } else { Phase::Outside });
        Ok(Some(event))
    }

    /// Runs all events up to a time, that time included. Comes back earlier after a clock's tick, and, with a budget, after
    /// that many events; call it again to go on.
    pub fn run_until(&mut self, time: f64, budget: Option<u64>) -> Result<StopReason, RunError> {
        let mut left = budget.unwrap_or(u64::MAX);
        while self.queue.peek().is_some_and(|next| next.time <= time) {
            if left == 0 {
                return Ok(StopReason::Budget);
            }
            left -= 1;
            match self.step()? {
                Some(Event::Tick(tick)) => return Ok(StopReason::Tick(tick)),
                Some(Event::Sample(tick)) => return Ok(StopReason::Sample(tick)),
                Some(
                    Event::Checked(..)
                    | Event::Impact(_)
                    | Event::Hop(..)
                    | Event::Carried(..)
                    | Event::Boxed(_)
                    | Event::Stop(_)
                    | Event::Control(_),
                )
                | None => {}
            }
        }
        self.now = self.now.max(time);
        Ok(StopReason::Reached)
    }

    /// A box has expired: a new one, and checks for the pairs it forms. Or what carries a body does so no longer as it did.
    fn expire(&mut self, collider: ColliderIndex) -> Event {
        self.records.counters.expiries += 1;
        if let Some(event) = self.expired_link(collider) {
            return event;
        }
        if let Some(carriage) = self.ended_carriage(collider) {
            let ids = self.ids([collider, carriage.surface]);
            self.timed(Phase::Response, |w| w.go_on(collider, carriage));
            self.renew_changed();
            return Event::Carried(ids[0], ids[1]);
        }
        // A flight is one path from impact to impact; other motions have ends of their own.
        if !self.member(collider).flies() {
            self.timed(Phase::Motion, |w| {
                let (group, pose) = (w.colliders[collider].group, w.member(collider).pose_at(w.now));
                w.observe(group, &pose);
            });
        }
        self.renew_expired(collider);
        Event::Boxed(self.colliders[collider].id)
    }

    /// A pair's time has come: it collides, hops, or is looked at again later.
    fn check(&mut self, pair: PairIndex) -> Result<Event, RunError> {
        self.records.counters.checks += 1;
        let colliders = self.pairs[pair].colliders;
        debug_assert!(
            colliders.iter().all(|&c| self.has_current_track(c)),
            "a body whose motion changes is boxed anew"
        );
        let [first, second] = self.ids(colliders);
        let nearest = self.measure(pair, self.now);
        if nearest.overlapping {
            return Err(self.overlap(colliders));
        }
        let urgency = self.urgency(pair, &nearest);
        if urgency == Urgency::Endless {
            return Err(self.endless(colliders));
        }
        let Some(striking) = self.striking_point(pair, nearest) else {
            self.schedule(pair);
            return Ok(Event::Checked(first, second));
        };
        colliders.iter().for_each(|&c| self.let_go(c));
        if let Some(hop) = self.lasting(pair, &striking) {
            self.timed(Phase::Response, |w| w.hop(pair, &nearest, hop))?;
            return Ok(Event::Hop(first, second));
        }
        self.wake(&colliders);
        let impact = self.timed(Phase::Response, |w| w.strike(pair, &striking, urgency))?;
        self.renew_changed();
        Ok(Event::Impact(impact))
    }

    /// Counts an event of a pair, and says how urgent it is to end what it repeats.
    fn urgency(&mut self, pair: PairIndex, measured: &Measured) -> Urgency {
        let Pair { colliders, touch_distance, .. } = self.pairs[pair];
        let speeds = [0, 1].map(|side| self.colliders[colliders[side]].surface_speed(&measured.states[side]));
        let fall = (2.0 * self.settings.gravity.length() * touch_distance).sqrt();
        // A pair that does not move at all has all the time in the world: a second will do.
        let stay = (touch_distance / (speeds[0] + speeds[1] + fall)).min(1.0);
        let urgency = self.progress.count(pair, [self.now, self.now + stay]);
        // What is too near was pressed on by others: one blow after the other would not part it from all of them.
        let is_crowded = self.is_too_near(pair, measured.distance) && urgency == Urgency::Ordinary;
        if is_crowded { Urgency::Together } else { urgency }
    }

    fn has_current_track(&self, collider: ColliderIndex) -> bool {
        let track = &self.tracks[collider.0 as usize];
        track.is_current(&self.colliders[collider], self.member(collider), self.settings.gravity)
    }
}
