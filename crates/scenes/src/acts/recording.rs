//! A recording: a scene, what was done to it, and the hash that the run ended with. A few kB of JSON that anybody can replay.

use super::Act;
use crate::scene::{ParamValue, SceneFiles};
use crate::{SceneSettings, SceneSource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// Most acts of one recording: a body held for hours.
const MOST: usize = 1_000_000;

/// A run that can be repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// [`FORMAT`].
    pub impulse_recording: u32,
    /// The version of the engine that made it.
    pub version: String,
    /// A built-in scene by name, or which of the files is the script.
    pub scene: String,
    /// Texts of the scene's files by path; empty for a built-in scene.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Parameters that were set.
    #[serde(default)]
    pub params: BTreeMap<String, String>,
    /// The random seed.
    #[serde(default)]
    pub seed: u64,
    /// Simulated time, s.
    pub until: f64,
    /// What was done, by time.
    pub acts: Vec<Act>,
    /// The trace hash at the end.
    pub hash: String,
}

/// Why a text is no recording that can be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// It is no recording.
    #[error("this is no recording: {0}; save one with the page of `impulse view`")]
    Syntax(String),
    /// It is of another format.
    #[error(
        "the recording has format {0}, this version reads format {FORMAT}; replay it with the version that made it"
    )]
    Format(u32),
    /// Acts that cannot be: the number is that of the first, from 1.
    #[error("act {0} is out of order, after the end, or has numbers that are not finite; the recording is damaged")]
    Act(usize),
    /// More than can be meant.
    #[error("the recording has {0} acts, at most {MOST} can be replayed")]
    Many(usize),
}

impl Recording {
    /// Reads a recording and checks it.
    pub fn parse(text: &str) -> Result<Self, RecordingError> {
        let read: Self = serde_json::from_str(text).map_err(|error| RecordingError::Syntax(error.to_string()))?;
        if read.impulse_recording != FORMAT {
            return Err(RecordingError::Format(read.impulse_recording));
        }
        if read.acts.len() > MOST {
            return Err(RecordingError::Many(read.acts.len()));
        }
        let mut last = 0.0;
        for (number, act) in read.acts.iter().enumerate() {
            if !(act.t >= last && act.t <= read.until && act.deed.is_finite()) {
                return Err(RecordingError::Act(number + 1));
            }
            last = act.t;
        }
        Ok(read)
    }

    /// Where its scene comes from.
    pub fn source(&self) -> SceneSource {
        if self.files.is_empty() {
            return SceneSource::Builtin(self.scene.clone());
        }
        let files: SceneFiles =
            self.files.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect();
        SceneSource::Files { main: self.scene.clone(), files: Arc::new(files) }
    }

    /// Its parameters and seed.
    pub fn settings(&self) -> SceneSettings {
        let params = self.params.iter().map(|(name, value)| (name.clone(), ParamValue::Text(value.clone()))).collect();
        SceneSettings { params, seed: self.seed }
    }

    /// What to say where the hash of a replay is another one.
    pub fn difference(&self, hash: &str, version: &str) -> Option<String> {
        if self.hash == hash {
            return None;
        }
        let remedy = if self.version == version {
            "the scene, its files or the acts were changed since".to_owned()
        } else {
            format!("it was made by version {}, this is {version}", self.version)
        };
        Some(format!("the replay ends with the hash {hash}, the recording with {}: {remedy}", self.hash))
    }
}
