//! A run as plain data: script, parameters, what behaviours remember, random numbers, what hands did, and the world. Restored it goes on to
//! the bit.

use super::hands::{Hands, SavedHands};
use super::sampling::Sampling;
use super::{Runner, Stall};
use crate::built::{BuiltScene, SceneBuildError};
use crate::scene::{ParamValue, SavedConduct, SceneDescription};
use impulse::world::{BodyId, Settings, Snapshot, SnapshotError, World};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The version of the format.
const FORMAT: u32 = 1;

/// A run at an instant.
///
/// ```
/// use impulse::world::Settings;
/// use impulse_scenes::{BuiltScene, Runner, SceneSettings, SceneSource, load_scene};
/// use std::sync::Arc;
///
/// let scene = load_scene(&SceneSource::Builtin("bounce".to_owned()), &SceneSettings::default())?;
/// let scene = Arc::new(BuiltScene::new(scene)?);
/// let mut runner = Runner::new(&scene, Settings::default())?;
/// runner.run_until(0.7)?;
/// let written = serde_json::to_string(&runner.snapshot())?;
/// let mut restored = Runner::restore(&scene, serde_json::from_str(&written)?)?;
/// runner.run_until(2.0)?;
/// restored.run_until(2.0)?;
/// assert_eq!(runner.world().trace_hash(), restored.world().trace_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunnerSnapshot {
    format: u32,
    /// The scene's script with all that it includes, then the files of creatures.
    scripts: Vec<String>,
    params: Vec<(String, ParamValue)>,
    behaviours: Option<SavedConduct>,
    hands: SavedHands,
    sampling: Option<Sampling>,
    world: Snapshot,
}

/// Why a run cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// It is of another format.
    #[error("the state has format {0}, this version reads format {FORMAT}; use the version that saved it")]
    Format(u32),
    /// It is a run of another scene.
    #[error("the state is of another scene: {0} differ; load the scene with which it was saved")]
    Scene(&'static str),
    /// The scene cannot be built.
    #[error(transparent)]
    Build(#[from] SceneBuildError),
    /// The world cannot be restored.
    #[error(transparent)]
    World(#[from] SnapshotError),
    /// It was changed.
    #[error("the state is damaged: {0}")]
    Damaged(&'static str),
}

impl RunnerSnapshot {
    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.world.time()
    }

    /// The settings of its world.
    pub fn settings(&self) -> &Settings {
        self.world.settings()
    }
}

impl Runner {
    /// The run as it is, see [`Runner::restore`]. What reports have seen so far is no part of it.
    pub fn snapshot(&self) -> RunnerSnapshot {
        let (scripts, params) = identity(self.scene());
        RunnerSnapshot {
            format: FORMAT,
            scripts,
            params,
            behaviours: self.conduct.as_ref().map(crate::scene::Conduct::saved),
            hands: self.hands.saved(),
            sampling: self.sampling.clone(),
            world: self.world.snapshot(),
        }
    }

    /// The run of a snapshot. It goes on as the one that the snapshot was taken of, to the bit. The scene must be the same, with the
    /// same parameters and seed.
    pub fn restore(scene: &Arc<BuiltScene>, snapshot: RunnerSnapshot) -> Result<Self, RestoreError> {
        if snapshot.format != FORMAT {
            return Err(RestoreError::Format(snapshot.format));
        }
        let (scripts, params) = identity(scene.description());
        if scripts != snapshot.scripts {
            return Err(RestoreError::Scene("the scripts"));
        }
        if params != snapshot.params {
            return Err(RestoreError::Scene("the parameters"));
        }
        let fresh = Self::new(scene, *snapshot.settings())?;
        let conduct = match (fresh.conduct, snapshot.behaviours) {
            (Some(conduct), Some(saved)) => Some(conduct.restored(saved)),
            (None, None) => None,
            _ => Some(None),
        };
        let conduct = conduct.map(|known| known.ok_or(RestoreError::Scene("the behaviours"))).transpose()?;
        let hands = Hands::restored(snapshot.hands, scene);
        let hands = hands.ok_or(RestoreError::Damaged("what was done by hand cannot have been done"))?;
        let world = World::restore(snapshot.world)?;
        let is_other = |(number, body): (usize, &crate::scene::BodyDescription)| {
            world.name(BodyId::from_bits(number as u64)).is_some_and(|name| name != body.name)
        };
        if scene.description().bodies.iter().enumerate().any(is_other) {
            return Err(RestoreError::Scene("the bodies"));
        }
        let stall = Stall::new(world.len());
        Ok(Self { scene: scene.clone(), world, sampling: snapshot.sampling, stall, hands, conduct })
    }
}

/// What makes a scene the one that it is.
fn identity(scene: &SceneDescription) -> (Vec<String>, Vec<(String, ParamValue)>) {
    let params = scene.params.iter().map(|param| (param.name.clone(), param.value.clone())).collect();
    (scene.scripts().map(str::to_owned).collect(), params)
}
