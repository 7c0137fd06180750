//! Time must get ahead: pairs with event after event while their bodies hardly move are counted, so that what would go on for ever is
//! ended (jammed bodies, impacts that follow each other faster and faster).

use super::index::PairIndex;
use serde::{Deserialize, Serialize};

/// Impacts of a pair in one place after which everything that touches is struck together ...
const TOGETHER_AFTER: u32 = 16;

/// ... after which nothing bounces any more ...
const PLASTIC_AFTER: u32 = 64;

/// ... and events after which it is given up.
const GIVEN_UP_AFTER: u32 = 20_000;

/// How an impact is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// Points of the two bodies that are struck.
    Ordinary,
    /// All bodies that touch each other, free ones too.
    Together,
    /// All of them, and none bounces.
    Plastic,
    /// It does not end.
    Endless,
}

/// Events of pairs whose bodies hardly move meanwhile.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Progress {
    recent: Vec<Repeated>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Repeated {
    pair: PairIndex,
    /// Until when the bodies are still in the same place, s.
    until: f64,
    events: u32,
}

impl Progress {
    /// Counts an event of a pair at a time, whose bodies stay in the same place until another.
    pub(crate) fn count(&mut self, pair: PairIndex, [now, until]: [f64; 2]) -> Urgency {
        self.recent.retain(|repeated| repeated.until >= now);
        let events = match self.recent.iter_mut().find(|repeated| repeated.pair == pair) {
            Some(repeated) => {
                repeated.events += 1;
                repeated.events
            }
            None => {
                self.recent.push(Repeated { pair, until, events: 1 });
                1
            }
        };
        if events > GIVEN_UP_AFTER {
            Urgency::Endless
        } else if events > PLASTIC_AFTER {
            Urgency::Plastic
        } else if events > TOGETHER_AFTER {
            Urgency::Together
        } else {
            Urgency::Ordinary
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GIVEN_UP_AFTER, PLASTIC_AFTER, Progress, TOGETHER_AFTER, Urgency};
    use crate::world::index::PairIndex;

    #[test]
    fn only_events_in_one_place_are_urgent() {
        let mut progress = Progress::default();
        for k in 0..10 * GIVEN_UP_AFTER {
            let now = f64::from(k);
            assert_eq!(progress.count(PairIndex(0), [now, now + 0.5]), Urgency::Ordinary);
        }
        let urgencies: Vec<_> = (0..=GIVEN_UP_AFTER).map(|_| progress.count(PairIndex(1), [1.0, 1.0])).collect();
        assert_eq!(urgencies[TOGETHER_AFTER as usize - 1], Urgency::Ordinary);
        assert_eq!(urgencies[TOGETHER_AFTER as usize], Urgency::Together);
        assert_eq!(urgencies[PLASTIC_AFTER as usize], Urgency::Plastic);
        assert_eq!(urgencies[GIVEN_UP_AFTER as usize], Urgency::Endless);
    }
}
