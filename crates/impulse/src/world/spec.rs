//! What a user says about a body (section 2.5).

use super::material::MaterialId;
use crate::body::Scripted;
use crate::geometry::{MassProperties, Shape};
use crate::math::Pose;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// What a body is made of and how it starts.
///
/// All of it is checked when the body is added. With serde it is read and written whole; shapes and scripts are checked already
/// while they are read.
///
/// ```
/// use impulse::prelude::*;
///
/// let table = BodySpec::fixed("table", Cuboid::new(DVec3::new(2.0, 1.0, 0.04))?).at(DVec3::new(0.0, 0.0, 0.7));
/// let die = BodySpec::free("die", Cuboid::new(DVec3::splat(0.016))?)
///     .at(DVec3::new(0.0, 0.0, 1.2))
///     .velocity(DVec3::new(0.5, 0.0, 0.0))
///     .spin(DVec3::new(0.0, 20.0, 3.0))
///     .mass(0.005);
/// # let mut builder = WorldBuilder::new(Settings::default())?;
/// # builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
/// builder.add_body(table)?;
/// builder.add_body(die)?;
/// # builder.build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use = "a body is in no world until it is added"]
pub struct BodySpec {
    /// A name that no other body has.
    pub name: String,
    /// The shape, in its own frame.
    pub shape: Shape,
    /// Where that frame starts.
    pub world_from_shape: Pose,
    /// What the surface is made of; the first material of the world where none is given.
    pub material: MaterialId,
    /// How it moves.
    pub motion: MotionSpec,
}

/// A free body in the making: all of [`BodySpec`], and what only free bodies have. It is written and read as a `BodySpec`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "BodySpec", try_from = "BodySpec")]
#[must_use = "a body is in no world until it is added"]
pub struct FreeBodySpec {
    body: BodySpec,
    mass: MassSpec,
    velocity: DVec3,
    spin: DVec3,
}

/// How a body moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum MotionSpec {
    /// Not at all.
    Fixed,
    /// Freely, from a start.
    Free {
        /// Mass properties.
        mass: MassSpec,
        /// Velocity of the centre of mass, world frame, m/s.
        velocity: DVec3,
        /// Angular velocity in the shape's frame, rad/s.
        spin: DVec3,
    },
    /// On a trajectory that nothing changes.
    Scripted {
        /// The trajectory of the frame whose origin is the centre and whose axes are the shape's.
        script: Scripted,
        /// That centre in the shape's frame, m.
        centre: DVec3,
    },
}

/// Where a free body's mass properties come from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum MassSpec {
    /// From the shape, at this density, kg/m^3.
    Density(f64),
    /// From the shape, scaled to this mass, kg.
    Mass(f64),
    /// As given, in the shape's frame.
    Properties(MassProperties),
}

/// Density of a free body whose mass is not given, kg/m^3: that of water.
const DEFAULT_DENSITY: f64 = 1000.0;

impl BodySpec {
    /// A body that never moves. Its frame is at the origin unless told otherwise.
    pub fn fixed(name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        let (name, shape) = (name.into(), shape.into());
        let (world_from_shape, material) = (Pose::IDENTITY, MaterialId::default());
        Self { name, shape, world_from_shape, material, motion: MotionSpec::Fixed }
    }

    /// A body that moves freely: at the origin, at rest, of density 1000 kg/m^3 unless told otherwise.
    pub fn free(name: impl Into<String>, shape: impl Into<Shape>) -> FreeBodySpec {
        let body = Self::fixed(name, shape);
        FreeBodySpec { body, mass: MassSpec::Density(DEFAULT_DENSITY), velocity: DVec3::ZERO, spin: DVec3::ZERO }
    }

    /// A body on a trajectory that nothing changes: that of its shape's frame.
    pub fn scripted(name: impl Into<String>, shape: impl Into<Shape>, script: impl Into<Scripted>) -> Self {
        let motion = MotionSpec::Scripted { script: script.into(), centre: DVec3::ZERO };
        Self { motion, ..Self::fixed(name, shape) }
    }

    /// Puts the origin of the shape's frame at a point, m. A scripted body is where its script says.
    pub fn at(mut self, position: DVec3) -> Self {
        self.world_from_shape.translation = position;
        self
    }

    /// Turns the shape's frame; the quaternion takes its axes to those of the world. A scripted body is turned by its script.
    pub fn rotated(mut self, rotation: DQuat) -> Self {
        self.world_from_shape.rotation = rotation;
        self
    }

    /// What its surface is made of.
    pub fn material(mut self, material: MaterialId) -> Self {
        self.material = material;
        self
    }
}

impl FreeBodySpec {
    /// Puts the origin of the shape's frame at a point, m.
    pub fn at(self, position: DVec3) -> Self {
        Self { body: self.body.at(position), ..self }
    }

    /// Turns the shape's frame; the quaternion takes its axes to those of the world.
    pub fn rotated(self, rotation: DQuat) -> Self {
        Self { body: self.body.rotated(rotation), ..self }
    }

    /// What its surface is made of.
    pub fn material(self, material: MaterialId) -> Self {
        Self { body: self.body.material(material), ..self }
    }

    /// Velocity of the centre of mass, world frame, m/s.
    pub fn velocity(self, velocity: DVec3) -> Self {
        Self { velocity, ..self }
    }

    /// Angular velocity in the shape's frame, rad/s.
    pub fn spin(self, spin: DVec3) -> Self {
        Self { spin, ..self }
    }

    /// Mass properties from the shape, at this density, kg/m^3.
    pub fn density(self, density: f64) -> Self {
        Self { mass: MassSpec::Density(density), ..self }
    }

    /// Mass properties from the shape, scaled to this mass, kg.
    pub fn mass(self, mass: f64) -> Self {
        Self { mass: MassSpec::Mass(mass), ..self }
    }

    /// Mass, centre of mass and inertia as given, in the shape's frame.
    pub fn mass_properties(self, properties: MassProperties) -> Self {
        Self { mass: MassSpec::Properties(properties), ..self }
    }
}

impl From<FreeBodySpec> for BodySpec {
    fn from(free: FreeBodySpec) -> Self {
        let FreeBodySpec { body, mass, velocity, spin } = free;
        Self { motion: MotionSpec::Free { mass, velocity, spin }, ..body }
    }
}

/// A body that is not free cannot be given a mass or a velocity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("body \"{name}\" is fixed or scripted, not free")]
#[non_exhaustive]
pub struct NotFree {
    /// The body.
    pub name: String,
}

impl TryFrom<BodySpec> for FreeBodySpec {
    type Error = NotFree;

    fn try_from(body: BodySpec) -> Result<Self, NotFree> {
        match body.motion {
            MotionSpec::Free { mass, velocity, spin } => {
                Ok(Self { body: BodySpec { motion: MotionSpec::Fixed, ..body }, mass, velocity, spin })
            }
            MotionSpec::Fixed | MotionSpec::Scripted { .. } => Err(NotFree { name: body.name }),
        }
    }
}
