//! Building a world: everything that is given is checked before it starts (section 1.2).

use super::super::collider::ColliderSpec;
use super::super::data::World;
use super::super::error::BuildError;
use super::super::index::BodyId;
use super::super::linkage::join::Joining;
use super::super::linkage::linked::JointId;
use super::super::linkage::spec::{JointFault, JointSpec};
use super::super::material::{MaterialId, Materials, Surface};
use super::super::settings::Settings;
use super::super::spec::BodySpec;
use super::make::Surroundings;
use crate::body::Motion;
use crate::geometry::Shape;
use std::collections::{BTreeMap, BTreeSet};

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
    joining: Joining,
    ignored: Vec<[BodyId; 2]>,
    /// Boxes by the bits of their sizes.
    cuboids: BTreeMap<[u64; 3], Shape>,
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

    /// Adds a body. Boxes of equal sizes share their polyhedron; other shapes share what they own with their clones.
    pub fn add_body(&mut self, spec: impl Into<BodySpec>) -> Result<BodyId, BuildError> {
        let mut spec = spec.into();
        if self.names.contains(&spec.name) {
            return Err(BuildError::DuplicateName(spec.name));
        }
        let id = BodyId { slot: self.bodies.len() as u32, generation: 0 };
        let surroundings = Surroundings { materials: &self.materials, gravity: self.settings.gravity, now: 0.0 };
        if let Shape::Cuboid(cuboid) = &spec.shape {
            let size = cuboid.size().to_array().map(f64::to_bits);
            spec.shape = self.cuboids.entry(size).or_insert_with(|| spec.shape.clone()).clone();
        }
        let body = surroundings.make(spec, id)?;
        self.names.insert(body.0.name.clone());
        self.bodies.push(body);
        Ok(id)
    }

    /// Adds a joint between bodies that were added before. What floats begins at the body added first; velocities of links follow from the
    /// rates of their joints.
    pub fn add_joint(&mut self, spec: JointSpec) -> Result<JointId, BuildError> {
        let fault = |fault| Err(BuildError::Joint { name: spec.name.clone(), fault });
        if self.joining.joints.iter().any(|joint| joint.name == spec.name) {
            return fault(JointFault::DuplicateName);
        }
        if spec.bodies.iter().flatten().any(|body| body.generation > 0 || body.index() >= self.bodies.len()) {
            return fault(JointFault::NoSuchBody);
        }
        if let Err(wrong) = spec.check() {
            return fault(wrong);
        }
        self.joining.joints.push(spec);
        Ok(JointId(self.joining.joints.len() as u32 - 1))
    }

    /// Lets links of a joint's linkage collide with each other where they share no joint.
    pub fn collide_within(&mut self, joint: JointId) -> &mut Self {
        self.joining.meet_own.push(joint.0 as usize);
        self
    }

    /// Makes a free body without joints a linkage of one link that floats: it moves as before, by another way of computing it.
    pub fn float(&mut self, body: BodyId) -> &mut Self {
        self.joining.alone.push(body.index());
        self
    }

    /// Lets two bodies pass through each other.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) -> &mut Self {
        self.ignored.push([a, b]);
        self
    }

    /// The world at time 0, if no two bodies start inside each other.
    pub fn build(self) -> Result<World, BuildError> {
        let mut world = World::empty(self.settings, self.materials);
        let colliders: Vec<_> = self.bodies.into_iter().map(|(spec, motion)| world.insert(spec, motion)).collect();
        self.ignored.iter().for_each(|[a, b]| world.barred.bar(a.collider(), b.collider()));
        world.join(&self.joining)?;
        for collider in colliders {
            world.enter(collider)?;
        }
        Ok(world)
    }
}
