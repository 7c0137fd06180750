//! From a scene's description to a world that runs (thesis section 1.2).

use crate::scene::{BodyDescription, MotionDescription, SceneDescription, ShapeDescription, SolidDescription};
use impulse::geometry::{Compound, CompoundError, DecomposeError, DecomposeSettings, Piece, Shape, decompose};
use impulse::math::Pose;
use impulse::world::{BodySpec, BuildError, MassSpec, MaterialId, MotionSpec, Settings, World, WorldBuilder};

/// Why a scene does not make a world.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SceneWorldError {
    /// What the world's builder refuses.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A half-space among several parts.
    #[error("body \"{0}\": a half-space cannot be a part of a compound")]
    HalfSpacePart(String),
    /// Parts that do not make a compound.
    #[error("body \"{name}\": {error}")]
    Compound {
        /// The body.
        name: String,
        /// Why.
        error: CompoundError,
    },
    /// A mesh that cannot be cut into convex pieces.
    #[error("body \"{name}\": {error}")]
    Decompose {
        /// The body.
        name: String,
        /// Why.
        error: DecomposeError,
    },
}

/// Builds the world that a scene describes; the scene's gravity replaces that of the settings.
pub fn build_world(scene: &SceneDescription, settings: Settings) -> Result<World, SceneWorldError> {
    let mut builder = WorldBuilder::new(Settings { gravity: scene.gravity, ..settings })?;
    let mut materials: Vec<MaterialId> = Vec::with_capacity(scene.materials.len());
    for material in &scene.materials {
        materials.push(builder.add_material(material.surface)?);
    }
    for contact in &scene.contacts {
        let [a, b] = contact.pair.map(|m| materials[m.0]);
        builder.add_contact(a, b, contact.surface)?;
    }
    for body in &scene.bodies {
        builder.add_body(BodySpec {
            name: body.name.clone(),
            shape: shape(body)?,
            world_from_shape: body.world_from_shape,
            material: materials[body.material.0],
            motion: motion(body),
        })?;
    }
    Ok(builder.build()?)
}

fn motion(body: &BodyDescription) -> MotionSpec {
    match &body.motion {
        MotionDescription::Fixed => MotionSpec::Fixed,
        MotionDescription::Scripted(script) => MotionSpec::Scripted { script: script.clone(), centre: body.com },
        MotionDescription::Free { mass, velocity, spin } => {
            MotionSpec::Free { mass: MassSpec::Properties(*mass), velocity: *velocity, spin: *spin }
        }
    }
}

/// One convex shape as it is; anything else as a union of convex pieces.
fn shape(body: &BodyDescription) -> Result<Shape, SceneWorldError> {
    let ShapeDescription { parts, .. } = &body.shape;
    if let [part] = parts.as_slice()
        && let (SolidDescription::Convex(shape), true) = (&part.solid, part.shape_from_part == Pose::IDENTITY)
    {
        return Ok(shape.clone());
    }
    let mut pieces = Vec::new();
    for part in parts {
        let shape = match &part.solid {
            SolidDescription::Convex(shape) if shape.is_bounded() => shape.clone(),
            SolidDescription::Convex(_) => return Err(SceneWorldError::HalfSpacePart(body.name.clone())),
            SolidDescription::Polyhedron(polyhedron) => {
                let cut = decompose(polyhedron, &DecomposeSettings::default())
                    .map_err(|error| SceneWorldError::Decompose { name: body.name.clone(), error })?;
                Shape::from(cut.compound)
            }
        };
        pieces.push(Piece { shape, compound_from_piece: part.shape_from_part });
    }
    let compound =
        Compound::new(pieces).map_err(|error| SceneWorldError::Compound { name: body.name.clone(), error })?;
    Ok(Shape::from(compound))
}
