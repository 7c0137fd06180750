//! A scene ready to run: its shapes are built once, and any number of worlds is made from it (thesis section 1.2).

pub use crate::build_error::SceneBuildError;
use crate::scene::{BodyDescription, MotionDescription, SceneDescription};
use crate::warnings::{Warning, warnings};
use crate::workshop::{MeshUse, Workshop};
use glam::DVec3;
use impulse::geometry::{Shape, StaticMesh, is_inside};
use impulse::world::{BodyId, BodySpec, MassSpec, MaterialId, MotionSpec, Settings, World, WorldBuilder};
use std::sync::Arc;

/// A scene with the collision shapes of its bodies. Worlds made from it share the shapes.
#[derive(Clone, Debug)]
pub struct BuiltScene {
    description: SceneDescription,
    /// By body.
    shapes: Vec<Shape>,
    meshes: Vec<MeshUse>,
}

impl BuiltScene {
    /// Builds all shapes. Bodies with equal shapes share one, and equal meshes are decomposed once.
    pub fn new(description: SceneDescription) -> Result<Self, SceneBuildError> {
        let mut workshop = Workshop::default();
        let shapes = description.bodies.iter().map(|body| workshop.shape(body)).collect::<Result<_, _>>()?;
        Ok(Self { description, shapes, meshes: workshop.meshes })
    }

    /// A scene whose shapes, by body, are built already.
    pub(crate) fn with_shapes(description: SceneDescription, shapes: Vec<Shape>, meshes: Vec<MeshUse>) -> Self {
        Self { description, shapes, meshes }
    }

    /// The scene as its script described it.
    pub fn description(&self) -> &SceneDescription {
        &self.description
    }

    /// The collision shape of each body, in the order of [`SceneDescription::bodies`].
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The solids that are not convex, in the order of first use, and what bodies collide with in their place.
    pub fn meshes(&self) -> &[MeshUse] {
        &self.meshes
    }

    /// What may not be as the script's author means it.
    pub fn warnings(&self) -> Vec<Warning> {
        warnings(&self.description, &self.meshes)
    }

    /// A new world at time zero. The scene's gravity, and its envelope if it has one, replace those of the settings; either may lock hops.
    pub fn world(&self, settings: Settings) -> Result<World, SceneBuildError> {
        let scene = &self.description;
        let mut builder = WorldBuilder::new(Settings {
            gravity: scene.gravity,
            hop_height: scene.envelope.unwrap_or(settings.hop_height),
            hop_turn: if scene.envelope.is_some() { None } else { settings.hop_turn },
            lock_hops: settings.lock_hops || scene.lock_hops,
            ..settings
        })?;
        let mut materials: Vec<MaterialId> = Vec::with_capacity(scene.materials.len());
        for material in &scene.materials {
            materials.push(builder.add_material(material.surface)?);
        }
        for contact in &scene.contacts {
            let [a, b] = contact.pair.map(|m| materials[m.0]);
            builder.add_contact(a, b, contact.surface)?;
        }
        self.refuse_buried()?;
        let mut ids = Vec::with_capacity(scene.bodies.len());
        for (body, shape) in scene.bodies.iter().zip(&self.shapes) {
            ids.push(builder.add_body(BodySpec {
                name: body.name.clone(),
                shape: shape.clone(),
                world_from_shape: body.world_from_shape,
                material: materials[body.material.0],
                motion: motion(body),
            })?);
        }
        let mut joints = Vec::with_capacity(scene.joints.len());
        for joint in &scene.joints {
            let id = builder.add_joint(joint.spec(|number| ids[number]))?;
            joints.push(id);
            if joint.collides {
                builder.collide_within(id);
            }
        }
        self.ignore(&mut builder, &ids);
        let mut world = builder.build()?;
        for controller in &scene.controllers {
            let added = world.add_controller(controller.spec(|joint| joints[joint], |body| ids[body]));
            added.map_err(|error| SceneBuildError::Controller { name: controller.name.clone(), error })?;
        }
        Ok(world)
    }

    /// Bars pairs that pass through each other: as the script says, and all with bodies that have nothing to collide with.
    fn ignore(&self, builder: &mut WorldBuilder, ids: &[BodyId]) {
        for [a, b] in &self.description.ignored {
            builder.ignore(ids[*a], ids[*b]);
        }
        for (ghost, _) in self.description.bodies.iter().enumerate().filter(|(_, body)| body.is_ghost()) {
            for &other in ids.iter().filter(|id| **id != ids[ghost]) {
                builder.ignore(ids[ghost], other);
            }
        }
    }

    /// Refuses free bodies inside meshes: the engine knows only surfaces there, and such bodies would be caught.
    fn refuse_buried(&self) -> Result<(), SceneBuildError> {
        let bodies = || self.description.bodies.iter().zip(&self.shapes);
        let is_free = |body: &BodyDescription| matches!(body.motion, MotionDescription::Free { .. });
        for (mesh, shape) in bodies() {
            let Shape::Mesh(surface) = shape else { continue };
            let bounds = shape.aabb(&mesh.world_from_shape);
            let is_buried = |body: &BodyDescription, shape: &Shape| {
                let point = body.world_from_shape.point(shape.support(DVec3::Z).unwrap_or_default());
                bounds.contains(point) && contains(surface, mesh, point)
            };
            if let Some((free, _)) = bodies().find(|(body, shape)| is_free(body) && is_buried(body, shape)) {
                return Err(SceneBuildError::Inside { free: free.name.clone(), mesh: mesh.name.clone() });
            }
        }
        Ok(())
    }
}

/// Whether the solid of a body contains a point of the world.
fn contains(surface: &Arc<StaticMesh>, body: &BodyDescription, point: DVec3) -> bool {
    is_inside(surface, body.world_from_shape.inverse_point(point))
}

/// How a body moves, as the engine wants it.
pub(crate) fn motion(body: &BodyDescription) -> MotionSpec {
    match &body.motion {
        MotionDescription::Fixed => MotionSpec::Fixed,
        MotionDescription::Scripted(script) => MotionSpec::Scripted { script: script.clone(), centre: body.com },
        MotionDescription::Free { mass, velocity, spin } => {
            MotionSpec::Free { mass: MassSpec::Properties(*mass), velocity: *velocity, spin: *spin }
        }
    }
}
