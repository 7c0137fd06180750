//! The event loop (section 1.2, figure 2.14).

use super::body::Body;
use super::clock::Clock;
use super::error::RunError;
use super::island::Island;
use super::material::Materials;
use super::pair::Pair;
use super::record::{Counters, Happened, ImpactRecord, TraceHash};
use super::settings::Settings;
use super::stopwatch::{Phase, Stopwatch};
use super::track::Track;
use super::watch::Watch;
use crate::body::Motion;
use crate::detect::{BroadPhase, Changes, EventQueue};

/// Bodies, and everything that is going to happen to them.
///
/// Nothing is called back from inside: [`World::step`] does one event and says what it was, [`World::run_until`] comes back at
/// every stroke of a clock, and in between bodies can be looked at, pushed, added and removed.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{HalfSpace, Sphere};
/// use impulse::math::Pose;
/// use impulse::respond::{Law, Material};
/// use impulse::world::{BodySpec, ClockSpec, MassSpec, MotionSpec, Settings, Stopped, WorldBuilder};
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// let steel = builder.material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
/// let floor = builder.body(BodySpec {
///     name: "floor".into(),
///     shape: HalfSpace::new(DVec3::Z, 0.0)?.into(),
///     world_from_shape: Pose::IDENTITY,
///     material: steel,
///     motion: MotionSpec::Fixed,
/// })?;
/// let ball = builder.body(BodySpec {
///     name: "ball".into(),
///     shape: Sphere::new(0.05)?.into(),
///     world_from_shape: Pose::from_translation(DVec3::new(0.0, 0.0, 0.25)),
///     material: steel,
///     motion: MotionSpec::Free { mass: MassSpec::Density(7800.0), velocity: DVec3::ZERO, spin: DVec3::ZERO },
/// })?;
/// let mut world = builder.build()?;
///
/// world.add_clock(ClockSpec::sample(0.1))?;
/// let mut heights = Vec::new();
/// while let Stopped::Sample(stroke) = world.run_until(2.0, None)? {
///     heights.extend(world.state_at(ball, stroke.time).map(|state| state.world_from_body.translation.z));
/// }
/// assert_eq!(heights.len(), 21);
/// assert_eq!(world.settled(ball), Some(true));
///
/// // It presses on the floor with its weight.
/// let watch = world.watch_contact(ball, floor)?;
/// while !world.run_until(2.5, None)?.reached() {}
/// let force = world.contact_sum(watch).and_then(|sum| sum.mean_force()).unwrap_or_default();
/// let weight = 9.81 * world.mass(ball).map_or(0.0, |mass| mass.mass());
/// assert!((force.z / weight - 1.0).abs() < 1e-2);
///
/// // Without the floor it falls, and its snapshot falls like it.
/// world.remove(floor)?;
/// let mut copy = impulse::world::World::restore(world.snapshot())?;
/// for world in [&mut world, &mut copy] {
///     while !world.run_until(3.0, None)?.reached() {}
/// }
/// assert_eq!(world.state_at(ball, 3.0), copy.state_at(ball, 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    pub(super) settings: Settings,
    pub(super) materials: Materials,
    pub(super) bodies: Vec<Body>,
    /// Where the balls among them fly.
    pub(super) tracks: Vec<Track>,
    pub(super) pairs: Vec<Pair>,
    /// The pair whose check is in a slot of the queue.
    pub(super) pair_of_slot: Vec<u32>,
    pub(super) broad: BroadPhase,
    pub(super) queue: EventQueue<Pending>,
    pub(super) now: f64,
    pub(super) counters: Counters,
    pub(super) min_separation: f64,
    /// Time of bodies in lasting contact, in advance, s.
    pub(super) lasting_counted: f64,
    pub(super) hash: TraceHash,
    pub(super) impacts: Vec<ImpactRecord>,
    /// Places of removed bodies, taken again from the end.
    pub(super) vacant: Vec<u32>,
    pub(super) clocks: Vec<Option<Clock>>,
    pub(super) watches: Vec<Option<Watch>>,
    /// Where time goes, if anybody wants to know.
    pub(super) stopwatch: Stopwatch,
    /// Room for what the broad phase reports, kept from call to call.
    pub(super) changes: Changes,
    /// Room for the pairs of a struck body and the times of their checks, kept from call to call.
    pub(super) partners: Vec<(u32, f64)>,
    /// Room for the neighbours of bodies that are woken, kept from call to call.
    pub(super) neighbours: Vec<u32>,
    /// Room for bodies around one, and for those that are woken, kept from call to call.
    pub(super) around: Vec<u32>,
    pub(super) woken: Vec<u32>,
    /// Room for bodies in lasting contact, kept from call to call.
    pub(super) island: Island,
}

/// What waits in the queue; at equal times in this order, then by bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pending {
    /// A body's box expires.
    Expiry(u32),
    /// A pair may touch.
    Check([u32; 2]),
    /// A clock for controllers strikes.
    Tick(u32),
    /// A clock for observers strikes.
    Sample(u32),
}

impl World {
    /// Takes the earliest pending event and does what it asks. `None` where nothing is going to happen any more.
    pub fn step(&mut self) -> Result<Option<Happened>, RunError> {
        let Some(event) = self.queue.peek() else { return Ok(None) };
        self.stopwatch.enter(Phase::Detection);
        self.now = event.time;
        self.counters.events += 1;
        self.counters.queue_peak = self.counters.queue_peak.max(self.queue.len() as u64);
        let happened = match event.key {
            Pending::Expiry(body) => self.renew(body),
            Pending::Check(_) => self.check(self.pair_of_slot[event.slot as usize])?,
            Pending::Tick(clock) => Happened::Tick(self.strike(clock)),
            Pending::Sample(clock) => Happened::Sample(self.strike(clock)),
        };
        self.stopwatch.enter(if matches!(happened, Happened::Tick(_)) { Phase::Control } else { Phase::Outside });
        Ok(Some(happened))
    }

    /// A box has expired: a new one, and checks for the pairs it forms.
    fn renew(&mut self, body: u32) -> Happened {
        self.counters.expiries += 1;
        let motion = &self.bodies[body as usize].motion;
        // A flight is one path from impact to impact; other motions have ends of their own.
        if !matches!(motion, Motion::Ballistic(_)) {
            self.timed(Phase::Motion, |w| w.observe(body, &w.bodies[body as usize].motion.pose_at(w.now)));
        }
        self.rebox(body);
        Happened::Boxed(self.bodies[body as usize].id)
    }

    /// A pair's time has come: it strikes, or is looked at again later.
    fn check(&mut self, pair: u32) -> Result<Happened, RunError> {
        self.counters.checks += 1;
        let items = self.pairs[pair as usize].items;
        debug_assert!(
            items
                .map(|i| i as usize)
                .iter()
                .all(|&i| self.tracks[i].is_current(&self.bodies[i], self.settings.gravity)),
            "a body whose motion changes is boxed anew"
        );
        let nearest = self.measure(pair, self.now);
        if nearest.overlapping {
            return Err(self.overlap(items));
        }
        let Some(measured) = self.touching(pair, nearest) else {
            self.schedule(pair);
            let [first, second] = items.map(|i| self.bodies[i as usize].id);
            return Ok(Happened::Checked(first, second));
        };
        if let Some(length) = self.lasting(pair, &measured) {
            self.island.measured = Some((pair, nearest));
            return self.timed(Phase::Response, |w| w.hop(pair, length));
        }
        self.timed(Phase::Motion, |w| {
            for (body, state) in items.into_iter().zip(&measured.states) {
                w.observe(body, &state.world_from_body);
            }
        });
        self.wake(&items);
        let record = self.timed(Phase::Response, |w| w.collide(pair, &measured))?;
        self.remember(&record);
        self.restart(items);
        Ok(Happened::Impact(record))
    }

    pub(super) fn overlap(&self, [first, second]: [u32; 2]) -> RunError {
        RunError::Overlap {
            event: self.counters.events,
            time: self.now,
            first: self.bodies[first as usize].name.clone(),
            second: self.bodies[second as usize].name.clone(),
        }
    }

    pub(super) fn remember(&mut self, record: &ImpactRecord) {
        if record.micro {
            self.counters.microcollisions += 1;
        } else {
            self.counters.collisions += 1;
        }
        self.hash.add(record);
        self.note_impact(record);
        if self.settings.record_impacts {
            self.impacts.push(*record);
        }
    }
}
