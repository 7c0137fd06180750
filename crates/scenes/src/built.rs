//! A scene ready to run: its shapes are built once, and any number of worlds is made from it (thesis section 1.2).

use crate::scene::{
    BodyDescription, MotionDescription, SceneDescription, ShapeDescription, ShapeIdentity, SolidDescription,
    SolidIdentity,
};
use impulse::geometry::{
    Compound, CompoundError, DecomposeError, DecomposeSettings, Piece, Polyhedron, Shape, decompose,
};
use impulse::math::Pose;
use impulse::world::{BodySpec, BuildError, MassSpec, MaterialId, MotionSpec, Settings, World, WorldBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why a world cannot be built from a scene.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SceneBuildError {
    /// The engine's builder refused something.
    #[error(transparent)]
    World(#[from] BuildError),
    /// A half-space is part of a compound.
    #[error("body \"{0}\": a half-space cannot be part of a compound; use a large cuboid instead")]
    HalfSpacePart(String),
    /// The parts do not form a compound.
    #[error("body \"{name}\": {error}")]
    Compound {
        /// The body.
        name: String,
        /// The reason.
        error: CompoundError,
    },
    /// A mesh cannot be decomposed into convex pieces.
    #[error("body \"{name}\": {error}")]
    Decompose {
        /// The body.
        name: String,
        /// The reason.
        error: DecomposeError,
    },
}

/// A scene with the collision shapes of its bodies. Worlds made from it share the shapes.
#[derive(Clone, Debug)]
pub struct BuiltScene {
    description: SceneDescription,
    /// By body.
    shapes: Vec<Shape>,
}

impl BuiltScene {
    /// Builds all shapes. Bodies with equal shapes share one, and equal meshes are decomposed once.
    pub fn new(description: SceneDescription) -> Result<Self, SceneBuildError> {
        let mut workshop = Workshop::default();
        let shapes = description.bodies.iter().map(|body| workshop.shape(body)).collect::<Result<_, _>>()?;
        Ok(Self { description, shapes })
    }

    /// The scene as its script described it.
    pub fn description(&self) -> &SceneDescription {
        &self.description
    }

    /// The collision shape of each body, in the order of [`SceneDescription::bodies`].
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// A new world at time zero. The scene's gravity replaces that of the settings.
    pub fn world(&self, settings: Settings) -> Result<World, SceneBuildError> {
        let scene = &self.description;
        let mut builder = WorldBuilder::new(Settings { gravity: scene.gravity, ..settings })?;
        let mut materials: Vec<MaterialId> = Vec::with_capacity(scene.materials.len());
        for material in &scene.materials {
            materials.push(builder.add_material(material.surface)?);
        }
        for contact in &scene.contacts {
            let [a, b] = contact.pair.map(|m| materials[m.0]);
            builder.add_contact(a, b, contact.surface)?;
        }
        for (body, shape) in scene.bodies.iter().zip(&self.shapes) {
            builder.add_body(BodySpec {
                name: body.name.clone(),
                shape: shape.clone(),
                world_from_shape: body.world_from_shape,
                material: materials[body.material.0],
                motion: motion(body),
            })?;
        }
        Ok(builder.build()?)
    }
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

/// The shapes built so far for one scene.
#[derive(Default)]
struct Workshop {
    unions: BTreeMap<ShapeIdentity, Shape>,
    decompositions: BTreeMap<SolidIdentity, Shape>,
}

impl Workshop {
    /// The shape of a body: a single convex solid as it is, anything else as a union of convex pieces.
    fn shape(&mut self, body: &BodyDescription) -> Result<Shape, SceneBuildError> {
        if let [part] = body.shape.parts.as_slice()
            && let (SolidDescription::Convex(shape), true) = (&part.solid, part.shape_from_part == Pose::IDENTITY)
        {
            return Ok(shape.clone());
        }
        let identity = body.shape.identity();
        if let Some(known) = self.unions.get(&identity) {
            return Ok(known.clone());
        }
        let union = self.union(&body.name, &body.shape)?;
        self.unions.insert(identity, union.clone());
        Ok(union)
    }

    fn union(&mut self, name: &str, shape: &ShapeDescription) -> Result<Shape, SceneBuildError> {
        let mut pieces = Vec::with_capacity(shape.parts.len());
        for part in &shape.parts {
            let shape = match &part.solid {
                SolidDescription::Convex(shape) if shape.is_bounded() => shape.clone(),
                SolidDescription::Convex(_) => return Err(SceneBuildError::HalfSpacePart(name.to_owned())),
                SolidDescription::Polyhedron(polyhedron) => self
                    .decomposition(polyhedron, part.solid.identity())
                    .map_err(|error| SceneBuildError::Decompose { name: name.to_owned(), error })?,
            };
            pieces.push(Piece { shape, compound_from_piece: part.shape_from_part });
        }
        let compound =
            Compound::new(pieces).map_err(|error| SceneBuildError::Compound { name: name.to_owned(), error })?;
        Ok(Shape::from(compound))
    }

    fn decomposition(
        &mut self,
        polyhedron: &Arc<Polyhedron>,
        identity: SolidIdentity,
    ) -> Result<Shape, DecomposeError> {
        if let Some(known) = self.decompositions.get(&identity) {
            return Ok(known.clone());
        }
        let cut = Shape::from(decompose(polyhedron, &DecomposeSettings::default())?.compound);
        self.decompositions.insert(identity, cut.clone());
        Ok(cut)
    }
}
