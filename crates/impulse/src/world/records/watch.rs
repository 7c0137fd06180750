//! Time-averaged contact forces (section 1.3): the impulse two bodies exchanged in a window of time, divided by its duration.

use super::super::index::BodyId;
use super::event::ImpactRecord;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A watched contact. The id of a watch that ended is never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WatchId(pub(crate) u32);

/// The impulse that one body got from another in a window of time.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// builder.add_material(Material { friction: 0.5, restitution: 0.5, law: Law::Stronge })?;
/// let floor = builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
/// let ball = builder.add_body(BodySpec::free("ball", Sphere::new(0.1)?).at(DVec3::Z * 0.1).mass(3.0))?;
/// let mut world = builder.build()?;
/// world.run_to(0.5)?;
///
/// let watch: WatchId = world.watch_contact(ball, floor)?;
/// world.run_to(1.5)?;
/// let sum = world.contact_sum(watch).ok_or("it is watched")?;
/// assert_eq!((sum.from, sum.to), (0.5, 1.5));
/// assert!(sum.mean_force().is_some_and(|force| (force.z / (3.0 * 9.81) - 1.0).abs() < 0.01));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
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
    /// Mean force on the first body of the watch, world frame, N; `None` for a window without duration.
    #[must_use]
    pub fn mean_force(&self) -> Option<DVec3> {
        let duration = self.to - self.from;
        (duration > 0.0).then(|| self.impulse / duration)
    }
}

/// A watch in the world.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Watch {
    pub(crate) bodies: [BodyId; 2],
    pub(crate) impulse: DVec3,
    pub(crate) impacts: u64,
    pub(crate) from: f64,
    /// Up to when the force between bodies at rest, and of surfaces that carry bodies, has been added, s.
    pub(crate) rested_until: f64,
}

impl Watch {
    /// Begins a window now.
    pub(crate) fn new(bodies: [BodyId; 2], now: f64) -> Self {
        Self { bodies, impulse: DVec3::ZERO, impacts: 0, from: now, rested_until: now }
    }

    /// Adds an impact, if it is one between the two bodies.
    pub(crate) fn note(&mut self, record: &ImpactRecord) {
        let [first, second] = record.bodies;
        let sign = match self.bodies {
            pair if pair == [first, second] => 1.0,
            pair if pair == [second, first] => -1.0,
            _ => return,
        };
        // Of a push that lasts, what was not added before.
        let missed = (record.time - self.rested_until).min(record.duration);
        let share = if record.duration > 0.0 { missed / record.duration } else { 1.0 };
        self.impulse += sign * share * record.impulse;
        self.impacts += 1;
    }

    /// Whether it can have been made by `now` in a world that knows some bodies.
    pub(crate) fn is_plausible(&self, now: f64, knows: impl Fn(BodyId) -> bool) -> bool {
        let in_order = self.from <= self.rested_until && self.rested_until <= now;
        in_order && self.impulse.is_finite() && self.from.is_finite() && self.bodies.into_iter().all(knows)
    }
}
