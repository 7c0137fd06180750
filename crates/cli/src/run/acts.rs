//! `impulse run --acts`: replays what somebody did to a scene, and says whether it came out the same.

use anyhow::{Context, bail};
use impulse_scenes::acts::Recording;
use impulse_scenes::{Runner, SceneSettings, SceneSource};
use std::path::Path;
use std::sync::Arc;

/// The version that replays and saves.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A recording with the name of its file.
pub(super) struct Replay {
    file: String,
    recording: Recording,
}

impl Replay {
    /// Reads a recording.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| file.clone())?;
        let recording = Recording::parse(&text).with_context(|| file.clone())?;
        Ok(Self { file, recording })
    }

    /// Its scene.
    pub(super) fn source(&self) -> SceneSource {
        self.recording.source()
    }

    /// What its scene is called.
    pub(super) fn scene(&self) -> &str {
        &self.recording.scene
    }

    /// Its parameters and seed.
    pub(super) fn settings(&self) -> SceneSettings {
        self.recording.settings()
    }

    /// Its simulated time, s.
    pub(super) fn until(&self) -> f64 {
        self.recording.until
    }

    /// Lets the acts happen in a run.
    pub(super) fn play(&self, runner: &mut Runner) {
        runner.set_acts(&Arc::new(self.recording.acts.clone()));
    }

    /// Compares the end of the run.
    pub(super) fn check(&self, runner: &Runner, until: f64) -> anyhow::Result<String> {
        let hash = format!("{:016x}", runner.world().trace_hash());
        if until != self.recording.until {
            return Ok(format!("replayed {} up to {until} s of {} s", self.file, self.recording.until));
        }
        match self.recording.difference(&hash, VERSION) {
            Some(difference) => bail!("{}: {difference}", self.file),
            None => Ok(format!("replayed {}: the hash is that of the recording", self.file)),
        }
    }
}
