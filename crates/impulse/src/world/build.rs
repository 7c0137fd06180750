//! Building a world: everything that is given is checked before it starts (section 1.2).

use super::body::{Body, BodyId, BodySpec};
use super::error::BuildError;
use super::island::Island;
use super::make::Surroundings;
use super::material::{MaterialId, Materials, Surface};
use super::record::{Counters, TraceHash};
use super::settings::Settings;
use super::step::World;
use super::stopwatch::Stopwatch;
use super::track::Track;
use crate::detect::{BroadPhase, Changes, EventQueue};
use std::collections::BTreeSet;

/// Collects materials and bodies.
#[derive(Clone, Debug, Default)]
pub struct WorldBuilder {
    settings: Settings,
    materials: Materials,
    bodies: Vec<Body>,
    names: BTreeSet<String>,
}

impl WorldBuilder {
    /// An empty world with the given settings.
    pub fn new(settings: Settings) -> Result<Self, BuildError> {
        settings.check()?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Adds a material: a [`crate::respond::Material`], or a [`Surface`] with optional laws of lasting contact.
    pub fn material(&mut self, surface: impl Into<Surface>) -> Result<MaterialId, BuildError> {
        self.materials.add(surface.into())
    }

    /// Gives two materials coefficients of their own where they meet.
    pub fn contact(&mut self, a: MaterialId, b: MaterialId, surface: impl Into<Surface>) -> Result<(), BuildError> {
        self.materials.set_pair(a, b, surface.into())
    }

    /// Adds a body.
    pub fn body(&mut self, spec: BodySpec) -> Result<BodyId, BuildError> {
        if !self.names.insert(spec.name.clone()) {
            return Err(BuildError::DuplicateName(spec.name));
        }
        let id = BodyId { slot: self.bodies.len() as u32, generation: 0 };
        let surroundings = Surroundings { materials: &self.materials, gravity: self.settings.gravity, now: 0.0 };
        let body = surroundings.make(spec, id)?;
        self.bodies.push(body);
        Ok(id)
    }

    /// The world at time 0, if no two bodies start inside each other.
    pub fn build(self) -> Result<World, BuildError> {
        let mut world = World::empty(self.settings, self.materials);
        world.tracks = self.bodies.iter().map(|b| Track::new(b, self.settings.gravity)).collect();
        world.bodies = self.bodies;
        for body in 0..world.bodies.len() as u32 {
            world.enter(body)?;
        }
        Ok(world)
    }
}

impl World {
    /// A world without bodies at time 0.
    pub(super) fn empty(settings: Settings, materials: Materials) -> Self {
        Self {
            settings,
            materials,
            bodies: Vec::new(),
            tracks: Vec::new(),
            pairs: Vec::new(),
            pair_of_slot: Vec::new(),
            broad: if settings.naive_broad_phase { BroadPhase::naive() } else { BroadPhase::hashed() },
            queue: EventQueue::default(),
            now: 0.0,
            counters: Counters::default(),
            min_separation: f64::INFINITY,
            lasting_counted: 0.0,
            hash: TraceHash::default(),
            impacts: Vec::new(),
            vacant: Vec::new(),
            clocks: Vec::new(),
            watches: Vec::new(),
            stopwatch: Stopwatch::NONE,
            changes: Changes::default(),
            partners: Vec::new(),
            neighbours: Vec::new(),
            around: Vec::new(),
            woken: Vec::new(),
            island: Island::default(),
        }
    }
}
