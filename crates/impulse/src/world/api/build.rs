//! Building a world: everything that is given is checked before it starts (section 1.2).

use super::super::collider::ColliderSpec;
use super::super::data::World;
use super::super::error::BuildError;
use super::super::index::BodyId;
use super::super::material::{MaterialId, Materials, Surface};
use super::super::settings::Settings;
use super::super::spec::BodySpec;
use super::make::Surroundings;
use crate::body::Motion;
use std::collections::BTreeSet;

/// Collects materials and bodies, and makes a [`World`] of them.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// builder.add_material(Material { friction: 0.3, restitution: 0.5, law: Law::Stronge })?;
/// builder.add_body(BodySpec::free("a", Sphere::new(1.0)?))?;
/// builder.add_body(BodySpec::free("b", Sphere::new(1.0)?).at(DVec3::X))?;
/// let refused = builder.build();
/// assert!(matches!(refused, Err(BuildError::Overlap { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "call `build` to get the world"]
pub struct WorldBuilder {
    settings: Settings,
    materials: Materials,
    bodies: Vec<(ColliderSpec, Motion)>,
    names: BTreeSet<String>,
}

impl WorldBuilder {
    /// An empty world with the given settings.
    pub fn new(settings: Settings) -> Result<Self, BuildError> {
        settings.check()?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Adds a material: a [`crate::respond::Material`], or a [`Surface`] with optional laws of lasting contact.
    pub fn add_material(&mut self, surface: impl Into<Surface>) -> Result<MaterialId, BuildError> {
        self.materials.add(surface.into())
    }

    /// Gives two materials coefficients of their own where they meet.
    pub fn add_contact(&mut self, a: MaterialId, b: MaterialId, surface: impl Into<Surface>) -> Result<(), BuildError> {
        self.materials.set_pair(a, b, surface.into())
    }

    /// Adds a body.
    pub fn add_body(&mut self, spec: impl Into<BodySpec>) -> Result<BodyId, BuildError> {
        let spec = spec.into();
        if self.names.contains(&spec.name) {
            return Err(BuildError::DuplicateName(spec.name));
        }
        let id = BodyId { slot: self.bodies.len() as u32, generation: 0 };
        let surroundings = Surroundings { materials: &self.materials, gravity: self.settings.gravity, now: 0.0 };
        let body = surroundings.make(spec, id)?;
        self.names.insert(body.0.name.clone());
        self.bodies.push(body);
        Ok(id)
    }

    /// The world at time 0, if no two bodies start inside each other.
    pub fn build(self) -> Result<World, BuildError> {
        let mut world = World::empty(self.settings, self.materials);
        let colliders: Vec<_> = self.bodies.into_iter().map(|(spec, motion)| world.insert(spec, motion)).collect();
        for collider in colliders {
            world.enter(collider)?;
        }
        Ok(world)
    }
}
