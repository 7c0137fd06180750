//! When a run was busiest: storms of events show here first.

use serde::{Deserialize, Serialize};

/// Tenths of a second in a second.
pub(crate) const TENTHS: f64 = 10.0;

/// The tenth of a second in which most events happened.
///
/// ```
/// use impulse::prelude::*;
/// use impulse::world::Busiest;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// builder.add_material(Material { friction: 0.2, restitution: 0.8, law: Law::Stronge })?;
/// builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
/// builder.add_body(BodySpec::free("ball", Sphere::new(0.05)?).at(DVec3::Z).mass(1.0))?;
/// let mut world = builder.build()?;
/// world.run_to(5.0)?;
/// let Busiest { from, events, .. } = world.busiest_tenth();
/// assert!(from >= 0.4 && events > 0 && events <= world.counters().events); // not while it fell
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Busiest {
    /// When it began, s: a multiple of 0.1.
    pub from: f64,
    /// Events in it.
    pub events: u64,
}

/// Counts events by tenths of a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Business {
    /// The present tenth, counted from time 0.
    tenth: f64,
    /// Events in it so far.
    events: u64,
    /// The busiest, and the events in it.
    pub(crate) busiest: (f64, u64),
}

impl Business {
    /// Counts an event at a time, s.
    pub(crate) fn count(&mut self, time: f64) {
        let tenth = libm::floor(time * TENTHS);
        if tenth > self.tenth {
            (self.tenth, self.events) = (tenth, 0);
        }
        self.events += 1;
        if self.events > self.busiest.1 {
            self.busiest = (self.tenth, self.events);
        }
    }

    /// Whether no counter is close to overflow.
    pub(crate) fn is_plausible(&self) -> bool {
        self.tenth.is_finite() && self.busiest.0.is_finite() && self.events.max(self.busiest.1) < u64::MAX / 2
    }
}
