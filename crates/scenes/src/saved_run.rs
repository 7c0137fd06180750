//! A run in a file: the scene with all its files, its parameters and its seed, and the state of the run.

use crate::built::BuiltScene;
use crate::runner::{RestoreError, Runner, RunnerSnapshot};
use crate::scene::{ParamValue, Reports, SceneError, SceneFiles, Script};
use crate::{SceneSettings, SceneSource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A run that can be gone on with anywhere: nothing outside of it is needed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRun {
    /// The version of the engine that saved it.
    version: String,
    /// A built-in scene by name, or which of the files is the script.
    scene: String,
    /// The scene's files by path; empty for a built-in scene.
    files: BTreeMap<String, Contents>,
    params: Vec<(String, ParamValue)>,
    seed: u64,
    state: RunnerSnapshot,
}

/// What is in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Contents {
    Text(String),
    Bytes(Vec<u8>),
}

/// Why a saved run cannot be made or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum SavedRunError {
    /// It is no saved run.
    #[error("this is no saved run: {0}; save one with `impulse run SCENE --save-state FILE`")]
    Syntax(String),
    /// The scene cannot be read.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The state does not belong to it.
    #[error(transparent)]
    Restore(#[from] RestoreError),
}

impl SavedRun {
    /// A run of a scene that was read with some settings.
    pub fn new(
        runner: &Runner,
        source: &SceneSource,
        settings: &SceneSettings,
        version: &str,
    ) -> Result<Self, SavedRunError> {
        let (scene, files) = source.gathered(runner.scene())?;
        let contents = |bytes: Vec<u8>| match String::from_utf8(bytes) {
            Ok(text) => Contents::Text(text),
            Err(error) => Contents::Bytes(error.into_bytes()),
        };
        let files = files.into_iter().map(|(name, bytes)| (name, contents(bytes))).collect();
        let SceneSettings { params, seed } = settings.clone();
        Ok(Self { version: version.to_owned(), scene, files, params, seed, state: runner.snapshot() })
    }

    /// Reads one from JSON.
    pub fn parse(text: &str) -> Result<Self, SavedRunError> {
        serde_json::from_str(text).map_err(|error| SavedRunError::Syntax(error.to_string()))
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Result<String, SavedRunError> {
        serde_json::to_string(self).map_err(|error| SavedRunError::Syntax(error.to_string()))
    }

    /// What its scene is called.
    pub fn scene(&self) -> &str {
        &self.scene
    }

    /// The version of the engine that saved it.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Where its scene comes from.
    pub fn source(&self) -> SceneSource {
        if self.files.is_empty() {
            return SceneSource::Builtin(self.scene.clone());
        }
        let bytes = |contents: &Contents| match contents {
            Contents::Text(text) => text.clone().into_bytes(),
            Contents::Bytes(bytes) => bytes.clone(),
        };
        let files: SceneFiles = self.files.iter().map(|(name, contents)| (name.clone(), bytes(contents))).collect();
        SceneSource::Files { main: self.scene.clone(), files: Arc::new(files) }
    }

    /// Its parameters and seed.
    pub fn settings(&self) -> SceneSettings {
        SceneSettings { params: self.params.clone(), seed: self.seed }
    }

    /// The run as it was, and the reports of its script, which have seen nothing yet.
    pub fn restored(&self) -> Result<(Runner, Reports), SavedRunError> {
        let mut read = Script::open(&self.source())?.read(&self.settings())?;
        // Gravity and envelope may have been set from outside.
        read.scene.gravity = self.state.settings().gravity;
        let settings = self.state.settings();
        read.scene.envelope = settings.hop_turn.is_none().then_some(settings.hop_height);
        let scene = BuiltScene::new(read.scene).map_err(RestoreError::from)?;
        Ok((Runner::restore(&Arc::new(scene), self.state.clone())?, read.reports))
    }
}
