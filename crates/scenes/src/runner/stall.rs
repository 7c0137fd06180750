//! Detects that simulated time has stopped advancing, so that a run ends with an error instead of never.

/// Events at one instant after which a run counts as stalled.
const EVENTS: u64 = 1_000_000;

/// Further events at one instant that each body is allowed.
const EVENTS_PER_BODY: u64 = 100;

/// Counts the events since time last advanced.
#[derive(Clone, Debug)]
pub struct Stall {
    time: f64,
    events: u64,
    limit: u64,
}

impl Stall {
    /// For a world of so many bodies.
    pub fn new(bodies: usize) -> Self {
        Self { time: f64::NEG_INFINITY, events: 0, limit: EVENTS + EVENTS_PER_BODY * bodies as u64 }
    }

    /// Counts some more events, after which the world is at `time`. Returns whether it is stalled there.
    pub fn count(&mut self, events: u64, time: f64) -> bool {
        if time > self.time {
            (self.time, self.events) = (time, 0);
        } else {
            self.events += events;
        }
        self.events > self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::Stall;

    #[test]
    fn advancing_time_is_no_stall() {
        let mut stall = Stall::new(10);
        assert!((0..100).all(|k| !stall.count(900_000, f64::from(k) * 1e-9)));
    }

    #[test]
    fn many_events_at_one_instant_are_a_stall() {
        let mut stall = Stall::new(10);
        assert!(!stall.count(5_000_000, 1.0));
        assert!(!stall.count(1_001_000, 1.0));
        assert!(stall.count(1, 1.0));
        assert!(!stall.count(1, 1.0_f64.next_up()));
    }
}
