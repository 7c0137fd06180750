//! What happens in a world, event by event.

use super::super::clock::ClockTick;
use super::super::control::spec::ControllerId;
use super::super::index::BodyId;
use super::super::linkage::linked::StopRecord;
use crate::respond::Modes;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What one step of the event loop did.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
/// builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
/// builder.add_body(BodySpec::free("ball", Sphere::new(0.05)?).at(DVec3::Z))?;
/// let mut world = builder.build()?;
/// let impact = loop {
///     if let Some(Event::Impact(impact)) = world.step()? {
///         break impact;
///     }
/// };
/// assert!((impact.time - (2.0 * 0.95 / 9.81f64).sqrt()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A pair was measured and does not collide yet.
    Checked(BodyId, BodyId),
    /// Two bodies collided.
    Impact(ImpactRecord),
    /// Bodies in lasting contact, these two among them, hopped.
    Hop(BodyId, BodyId),
    /// A body slid or rolled on a surface, the second one, and now does so in another way, rests, or flies.
    Carried(BodyId, BodyId),
    /// A joint came to its stop.
    Stop(StopRecord),
    /// A body got a new box.
    Boxed(BodyId),
    /// A clock for controllers ticked.
    Tick(ClockTick),
    /// Controllers acted, this one and all others that were due.
    Control(ControllerId),
    /// A clock for observers ticked.
    Sample(ClockTick),
}

/// Why [`World::run_until`](crate::world::World::run_until) came back.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut world = WorldBuilder::new(Settings::default())?.build()?;
/// let control = world.add_clock(ClockSpec::tick(0.25))?;
/// let mut ticks = 0;
/// loop {
///     match world.run_until(1.0, Some(1000))? {
///         StopReason::Reached => break,
///         StopReason::Tick(tick) if tick.clock == control => ticks += 1, // push bodies here
///         StopReason::Tick(_) | StopReason::Sample(_) | StopReason::Budget => {}
///     }
/// }
/// assert_eq!(ticks, 5); // at 0, 0.25, 0.5, 0.75 and 1 s
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "the run may have come back before the time was reached; call `run_to` to run through"]
pub enum StopReason {
    /// The time was reached.
    Reached,
    /// The budget of events was used up.
    Budget,
    /// A clock for controllers ticked.
    Tick(ClockTick),
    /// A clock for observers ticked.
    Sample(ClockTick),
}

impl StopReason {
    /// Whether the time was reached.
    #[must_use]
    pub fn reached(&self) -> bool {
        *self == Self::Reached
    }
}

/// An impact, in the world frame.
///
/// ```
/// use impulse::prelude::*;
///
/// let settings = Settings { record_impacts: true, ..Settings::default() };
/// let mut builder = WorldBuilder::new(settings)?;
/// builder.add_material(Material { friction: 0.0, restitution: 0.5, law: Law::Newton })?;
/// builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
/// builder.add_body(BodySpec::free("ball", Sphere::new(0.05)?).at(DVec3::Z).mass(2.0))?;
/// let mut world = builder.build()?;
/// world.run_to(0.6)?;
/// let [first, ..] = world.impacts() else { return Err("the ball has landed".into()) };
/// assert!((first.after.z / first.before.z - -0.5).abs() < 1e-9);
/// assert!((first.impulse.length() - 2.0 * (first.after - first.before).length()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ImpactRecord {
    /// Time of the impact, s.
    pub time: f64,
    /// The two bodies.
    pub bodies: [BodyId; 2],
    /// Point of contact, m.
    pub point: DVec3,
    /// Unit vector from the second body to the first.
    pub normal: DVec3,
    /// Impulse on the first body, N s.
    pub impulse: DVec3,
    /// Velocity of the first body relative to the second at the contact before, m/s.
    pub before: DVec3,
    /// The same after, m/s.
    pub after: DVec3,
    /// Kinetic energy lost, J; negative where a microcollision lifted.
    pub energy_lost: f64,
    /// How the contact moved; `None` for a reversing microcollision.
    pub modes: Option<Modes>,
    /// Whether it was a microcollision (section 3.5).
    pub micro: bool,
    /// For how long it acted up to that time, s: zero but for the push of a surface that carried a body.
    pub duration: f64,
}

impl ImpactRecord {
    /// A microcollision: when and between whom, its point and normal, its impulse and the velocities before and after it.
    pub(crate) fn micro(
        (time, bodies): (f64, [BodyId; 2]),
        [point, normal]: [DVec3; 2],
        [impulse, before, after]: [DVec3; 3],
    ) -> Self {
        let energy_lost = -0.5 * impulse.dot(before + after);
        Self {
            time,
            bodies,
            point,
            normal,
            impulse,
            before,
            after,
            energy_lost,
            modes: None,
            micro: true,
            duration: 0.0,
        }
    }
}
