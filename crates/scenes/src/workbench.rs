//! Scenes of one script that are built one after the other share the shapes that do not change.

use crate::build_error::SceneBuildError;
use crate::built::BuiltScene;
use crate::runner::Runner;
use crate::scene::{BodyDescription, MotionDescription, SceneDescription, ShapeDescription, ShapeIdentity};
use crate::workshop::Workshop;
use impulse::geometry::Shape;
use impulse::world::Settings;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most shapes that are kept.
const MAX_SHAPES: usize = 4096;

/// The shapes built so far.
#[derive(Default)]
pub struct Workbench {
    /// By shape, and whether impulses move the body. The descriptions keep alive what identities are the addresses of.
    shapes: BTreeMap<(ShapeIdentity, bool), (Shape, ShapeDescription)>,
}

impl Workbench {
    /// Builds a scene, as [`Runner::of`] does.
    pub fn runner(&mut self, scene: SceneDescription, settings: Settings) -> Result<Runner, SceneBuildError> {
        let mut workshop = Workshop::default();
        let shapes = scene.bodies.iter().map(|body| self.shape(&mut workshop, body)).collect::<Result<_, _>>()?;
        Runner::new(&Arc::new(BuiltScene::with_shapes(scene, shapes, workshop.meshes)), settings)
    }

    fn shape(&mut self, workshop: &mut Workshop, body: &BodyDescription) -> Result<Shape, SceneBuildError> {
        let key = (body.shape.identity(), matches!(body.motion, MotionDescription::Free { .. }));
        if let Some((known, _)) = self.shapes.get(&key) {
            return Ok(known.clone());
        }
        if self.shapes.len() >= MAX_SHAPES {
            self.shapes.clear();
        }
        let shape = workshop.shape(body)?;
        self.shapes.insert(key, (shape.clone(), body.shape.clone()));
        Ok(shape)
    }
}
