//! What a page asks to be run: a scene, its parameters, a seed.

use impulse::world::Settings;
use impulse_scenes::acts::Act;
use impulse_scenes::runner::Runner;
use impulse_scenes::scene::{ParamValue, SceneFiles};
use impulse_scenes::{SceneError, SceneSettings, SceneSource, load_scene};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A scene to be run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// A built-in scene by name, or the script among the files given.
    pub scene: String,
    /// Whether the scene is one of the files given, not a built-in one.
    pub from_files: bool,
    /// Parameters by name.
    pub params: BTreeMap<String, String>,
    /// The random seed.
    pub seed: u64,
    /// Simulated time, s; the scene's own if it is left out.
    pub until: Option<f64>,
    /// Memory for keyframes, bytes; a default if it is left out.
    pub memory: Option<usize>,
    /// What is done by hand.
    pub acts: Vec<Act>,
    /// What becomes of runs that are shown besides.
    pub ghost: Ghosts,
}

/// What becomes of the run before, and of runs that are shown besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ghosts {
    /// There are none.
    #[default]
    None,
    /// The run before stays.
    Last,
    /// Those that there are stay.
    Keep,
}

/// Why a scene cannot be run; the place is in its script.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OpenError {
    /// What is wrong, and the remedy.
    pub message: String,
    /// The script.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Character of the line, from 1.
    pub column: Option<usize>,
}

/// Longest run, s: numbers of this size still have microseconds.
const LONGEST: f64 = 1e9;

/// Longest line of a script, bytes: reading a word takes time with the square of its length where memory cannot be moved cheaply.
const LONGEST_LINE: usize = 20_000;

/// Most bodies that a page draws fluently enough.
const MOST_BODIES: usize = 4000;

impl Request {
    /// The main script must have lines that can be read in no time.
    fn check_lines(&self, files: &SceneFiles) -> Result<(), OpenError> {
        let text = files.get(&self.scene).filter(|_| self.from_files).map_or(&[][..], Vec::as_slice);
        let Some((number, line)) = text.split(|&byte| byte == b'\n').enumerate().find(|(_, l)| l.len() > LONGEST_LINE)
        else {
            return Ok(());
        };
        let (file, line, length) = (self.scene.clone(), number + 1, line.len());
        let message = format!("{file}:{line}: a line of {length} characters; break it, {LONGEST_LINE} are allowed");
        Err(OpenError { message, file: Some(file), line: Some(line), column: Some(1) })
    }

    /// Loads the scene and makes its world. Files are those that a scene may read.
    pub(crate) fn runner(&self, files: &Arc<SceneFiles>) -> Result<(Runner, f64), OpenError> {
        self.check_lines(files)?;
        let source = if self.from_files {
            SceneSource::Files { main: self.scene.clone(), files: files.clone() }
        } else {
            SceneSource::Builtin(self.scene.clone())
        };
        let params = self.params.iter().map(|(name, value)| (name.clone(), ParamValue::Text(value.clone()))).collect();
        let scene = load_scene(&source, &SceneSettings { params, seed: self.seed }).map_err(|e| OpenError::of(&e))?;
        if scene.bodies.is_empty() {
            return Err(OpenError::plain("the scene has no bodies; add some with body(\"name\", shape, #{ ... })"));
        }
        if scene.bodies.len() > MOST_BODIES {
            let count = scene.bodies.len();
            return Err(OpenError::plain(format!(
                "the scene has {count} bodies, the page shows up to {MOST_BODIES}: make fewer, or run it with `impulse run`"
            )));
        }
        let end = self.until.unwrap_or(scene.duration);
        if !(0.0..=LONGEST).contains(&end) {
            return Err(OpenError::plain(format!(
                "cannot run until {end} s: the time must be within 0 and {LONGEST} s"
            )));
        }
        let settings = Settings { record_impacts: true, ..Settings::default() };
        let mut runner = Runner::of(scene, settings).map_err(|e| OpenError::plain(e.to_string()))?;
        runner.set_acts(&Arc::new(self.acts.clone()));
        Ok((runner, end))
    }
}

impl OpenError {
    /// Without a place.
    pub(crate) fn plain(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    fn of(error: &SceneError) -> Self {
        let message = error.to_string();
        match error {
            SceneError::Script { place, .. } if place.line > 0 => {
                let (file, line, column) = (Some(place.file.clone()), Some(place.line), Some(place.column));
                Self { message, file, line, column }
            }
            _ => Self::plain(message),
        }
    }
}
