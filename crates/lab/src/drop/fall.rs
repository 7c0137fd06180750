//! A drop, simulated until its end is decided.
//!
//! A drop is decided when its energy is below the lowest pass out of its pose, since energy never grows; or when it lies on a face in
//! lasting contact and sliding cannot tip it. Contact may be coarse until then: what happens at small heights decides nothing.

use super::conditions::{Conditions, GRAVITY};
use super::footing::Footing;
use super::start::Start;
use crate::landscape::Landscape;
use crate::part::Part;
use glam::DVec3;
use impulse::body::State;
use impulse::geometry::{HalfSpace, Shape, Solid};
use impulse::math::Pose as RigidPose;
use impulse::respond::{Law, Material};
use impulse::world::{BodyId, BodySpec, Event, Settings, Surface, World, WorldBuilder};
use impulse_scenes::Stall;
use std::collections::BTreeMap;

/// Everything that drops of one part under the same conditions share.
#[derive(Clone, Debug)]
pub struct Fall<'a> {
    part: &'a Part,
    landscape: &'a Landscape,
    conditions: Conditions,
    footings: BTreeMap<u32, Footing>,
    /// Height over which the energy decides nothing, m.
    highest: f64,
    /// What contact may add to the height of the centre of mass, m.
    slack: f64,
}

/// How a drop ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The pose, if it was decided.
    pub pose: Option<usize>,
    /// The direction of the part that pointed down at the end, in its own frame.
    pub down: DVec3,
    /// When it was decided or given up, s.
    pub time: f64,
    /// Impacts up to then, microcollisions aside.
    pub impacts: u64,
    /// What decided it.
    pub reason: Reason,
}

/// What decides a drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The energy is below the lowest pass out of the pose.
    Energy,
    /// It lies on a face, and sliding cannot tip it.
    Sliding,
    /// It came to rest.
    Rest,
    /// Nothing: the time limit is reached.
    TimeLimit,
}

/// How far over the height of its face a part that lies on it may be, its motion other than sliding included: hops and what they
/// leave, in envelopes.
const LYING: f64 = 4.0;

/// Hops between two looks whether the part has settled.
const LOOK: u64 = 32;

impl<'a> Fall<'a> {
    /// Drops of a part with this landscape.
    pub fn new(part: &'a Part, landscape: &'a Landscape, conditions: &Conditions) -> Self {
        let levels = landscape.poses.iter().map(|pose| pose.height + pose.barrier);
        Self {
            part,
            landscape,
            conditions: *conditions,
            footings: Footing::all(part, landscape),
            highest: levels.fold(0.0, f64::max),
            slack: 2.0 * conditions.envelope * part.radius,
        }
    }

    /// Drops the part.
    pub fn drop(&self, start: &Start) -> Result<Outcome, String> {
        let (mut world, body) = self.world(start).map_err(|error| error.to_string())?;
        self.run(&mut world, body)
    }

    /// Drops the part, and lets it go on until it has settled or the time limit is reached. Returns what was decided and the
    /// outcome in the end.
    pub fn drop_to_rest(&self, start: &Start) -> Result<[Outcome; 2], String> {
        let (mut world, body) = self.world(start).map_err(|error| error.to_string())?;
        let decided = self.run(&mut world, body)?;
        let mut stall = Stall::new(2);
        while world.settled(body) != Some(true) && world.next_event().is_some_and(|t| t <= self.conditions.time_limit) {
            world.step().map_err(|error| error.to_string())?;
            if stall.count(1, world.time()) {
                return Err(stalled(&world));
            }
        }
        let settled = world.settled(body) == Some(true) || world.next_event().is_none();
        let reason = if settled { Reason::Rest } else { Reason::TimeLimit };
        let pose = settled.then(|| self.landscape.pose_of(down(&world, body)));
        Ok([decided, self.outcome(&world, body, pose, reason)])
    }

    /// The world at the start of a drop.
    pub fn world(&self, start: &Start) -> Result<(World, BodyId), impulse::world::BuildError> {
        let Conditions { friction, restitution, rolling_resistance, envelope, .. } = self.conditions;
        let settings = Settings {
            gravity: -GRAVITY * DVec3::Z,
            hop_height: envelope,
            hop_turn: None,
            settle_distance: Settings::default().settle_distance.max(SETTLED * envelope),
            ..Settings::default()
        };
        let mut builder = WorldBuilder::new(settings)?;
        let material = Material { friction, restitution, law: Law::Stronge };
        builder.add_material(Surface { rolling_resistance, ..Surface::from(material) })?;
        builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).expect("z is a direction")))?;
        let lowest = self.part.hull.support(start.rotation.conjugate() * -DVec3::Z);
        let height = start.height - (start.rotation * lowest).z;
        let body = BodySpec::free("part", Shape::Convex(self.part.hull.clone()))
            .at(height * DVec3::Z)
            .rotated(start.rotation)
            .velocity(start.speed * DVec3::X)
            .spin(start.rotation.conjugate() * start.spin)
            .mass_properties(self.part.mass);
        let body = builder.add_body(body)?;
        Ok((builder.build()?, body))
    }

    fn run(&self, world: &mut World, body: BodyId) -> Result<Outcome, String> {
        let mut stall = Stall::new(2);
        let mut hops = 0;
        if let Some((pose, reason)) = self.decision(world, body, false) {
            return Ok(self.outcome(world, body, Some(pose), reason));
        }
        while world.next_event().is_some_and(|time| time <= self.conditions.time_limit) {
            let lasting = match world.step().map_err(|error| error.to_string())? {
                Some(Event::Impact(_)) => false,
                Some(Event::Hop(..) | Event::Carried(..)) => true,
                Some(
                    Event::Checked(..)
                    | Event::Boxed(_)
                    | Event::Stop(_)
                    | Event::Tick(_)
                    | Event::Control(_)
                    | Event::Sample(_),
                )
                | None => {
                    if stall.count(1, world.time()) {
                        return Err(stalled(world));
                    }
                    continue;
                }
            };
            if let Some((pose, reason)) = self.decision(world, body, lasting) {
                return Ok(self.outcome(world, body, Some(pose), reason));
            }
            hops += u64::from(lasting);
            if lasting && hops % LOOK == 0 && world.settled(body) == Some(true) {
                break;
            }
        }
        let rests = world.settled(body) == Some(true) || world.next_event().is_none();
        let pose = rests.then(|| self.landscape.pose_of(down(world, body)));
        let reason = if rests { Reason::Rest } else { Reason::TimeLimit };
        Ok(self.outcome(world, body, pose, reason))
    }

    /// The pose that the part cannot leave any more, and why.
    fn decision(&self, world: &World, body: BodyId, lasting: bool) -> Option<(usize, Reason)> {
        let mass = world.principal_mass(body)?;
        let state = world.principal_state_at(body, world.time())?;
        let weight = mass.mass() * GRAVITY;
        let total = state.world_from_body.translation.z + mass.kinetic_energy(&state) / weight;
        if total + self.slack < self.highest {
            let pose = self.landscape.pose_of(down(world, body));
            let Level { height, barrier } = self.level(pose);
            if total + self.slack < height + barrier {
                return Some((pose, Reason::Energy));
            }
        }
        if !lasting {
            return None;
        }
        // All motion but sliding and turning about the vertical. Its product with the latter is no energy that it could lose.
        let angular = state.angular_velocity();
        let tilting = state.world_from_body.inverse_vector(angular.with_z(0.0));
        let rocking = State { velocity: state.velocity * DVec3::Z, spin: tilting, ..state };
        let height = state.world_from_body.translation.z + mass.kinetic_energy(&rocking) / weight;
        let down = down(world, body);
        let face = self.landscape.rest_of(down);
        let footing = self.footings.get(&face)?;
        let lies = height < footing.height + LYING * self.conditions.envelope * self.part.radius;
        (lies && footing.holds(self.conditions.friction, angular.z))
            .then(|| (self.landscape.pose_of(down), Reason::Sliding))
    }

    fn level(&self, pose: usize) -> Level {
        let pose = &self.landscape.poses[pose];
        Level { height: pose.height, barrier: pose.barrier }
    }

    fn outcome(&self, world: &World, body: BodyId, pose: Option<usize>, reason: Reason) -> Outcome {
        let impacts = world.counters().collisions;
        Outcome { pose, down: down(world, body), time: world.time(), impacts, reason }
    }
}

/// Distance within which a part counts as settled, in envelopes.
const SETTLED: f64 = 4.0;

struct Level {
    height: f64,
    barrier: f64,
}

/// The direction of the part that points down, in the part's frame.
fn down(world: &World, body: BodyId) -> DVec3 {
    let pose = world.pose_at(body, world.time()).unwrap_or(RigidPose::IDENTITY);
    pose.inverse_vector(-DVec3::Z)
}

fn stalled(world: &World) -> String {
    let (event, time) = (world.counters().events, world.time());
    format!(
        "event {event}, t = {time} s: simulated time has stopped advancing, which is a bug; please report this part"
    )
}
