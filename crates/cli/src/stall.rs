//! Notices runs whose time stands still, so that they end with an error instead of never.

use anyhow::bail;
use impulse::world::World;

/// Events at one instant beyond which a run is stuck, and how many more every body may have.
const EVENTS: u64 = 1_000_000;
const EVENTS_PER_BODY: u64 = 100;

/// Events since time last passed.
pub(crate) struct Stall {
    time: f64,
    /// Number of events when it passed.
    events: u64,
    limit: u64,
}

impl Stall {
    pub(crate) fn new(bodies: usize) -> Self {
        Self { time: f64::NEG_INFINITY, events: 0, limit: EVENTS + EVENTS_PER_BODY * bodies as u64 }
    }

    /// An error if the world is stuck at its time.
    pub(crate) fn check(&mut self, world: &World) -> anyhow::Result<()> {
        let (time, events) = (world.time(), world.counters().events);
        if self.at(time, events) {
            bail!("event {events}, t = {time} s: time stands still, which must never happen; please report this scene");
        }
        Ok(())
    }

    /// Whether a run that has come to a time after so many events is stuck there.
    fn at(&mut self, time: f64, events: u64) -> bool {
        if time > self.time {
            (self.time, self.events) = (time, events);
        }
        events - self.events > self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::Stall;

    #[test]
    fn time_that_passes_is_no_stall() {
        let mut stall = Stall::new(10);
        assert!((0..100).all(|k| !stall.at(f64::from(k) * 1e-9, u64::from(k as u32) * 900_000)));
        assert!(!stall.at(99e-9, 99 * 900_000 + 1_001_000));
        assert!(stall.at(99e-9, 99 * 900_000 + 1_001_001));
    }
}
