//! Scene scripts: a small interpreted language in which bodies, materials and motions are described (thesis section 8.3 wishes
//! for one), read into plain data.
//!
//! [`load_scene`] is the way in. Scripts are Rhai with our own functions ([`functions`]); they see nothing of the machine but
//! part files and scripts below their own folder, and they end in time. The modules stand in reading order.

mod description;
mod suggest;
mod random;
mod folder;
mod error;
mod program;
mod values;
mod stage;
mod numbers;
mod layout;
mod chance;
mod shapes;
mod walls;
mod surfaces;
mod motions;
mod mass;
mod color;
mod bodies;
mod language;
mod reference;
mod faults;

pub use description::{
    BodyDescription, ContactDescription, MaterialDescription, MaterialId, MotionDescription, ParamDescription,
    ParamValue, PartDescription, SceneDescription, ShapeDescription, SolidDescription,
};
pub use error::{Fault, Place, SceneError};
pub use folder::FileError;
pub use reference::{Function, REFERENCE_PAGE, functions, functions_beside};

use crate::builtin::BUILTIN_SCENES;
use folder::{Folder, read_limited};
use program::{MAX_BYTES, Program};
use rhai::Scope;
use stage::Stage;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use suggest::similar;

/// Where a scene comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneSource {
    /// One of [`BUILTIN_SCENES`], by name.
    Builtin(String),
    /// A script; it may read files below its folder.
    Path(PathBuf),
    /// A text without a folder.
    Text {
        /// What messages call it.
        name: String,
        /// The script.
        text: String,
    },
}

/// What is decided outside the script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneSettings {
    /// Parameters by name; texts are read as what the parameter's default is.
    pub params: Vec<(String, ParamValue)>,
    /// What random numbers begin with.
    pub seed: u64,
}

impl SceneSource {
    /// A path if it ends in `.rhai` or names a folder on the way, else the name of a built-in scene.
    pub fn named(argument: &str) -> Self {
        let is_path = argument.ends_with(".rhai") || argument.contains(['/', '\\']);
        if is_path { Self::Path(PathBuf::from(argument)) } else { Self::Builtin(argument.to_owned()) }
    }

    fn read(&self) -> Result<(String, String, Folder), SceneError> {
        match self {
            Self::Builtin(name) => {
                let known = BUILTIN_SCENES.iter().find(|scene| scene.name == name);
                let scene = known.ok_or_else(|| SceneError::UnknownScene {
                    name: name.clone(),
                    similar: similar(name, BUILTIN_SCENES.iter().map(|scene| scene.name)),
                })?;
                Ok((format!("{name}.rhai"), scene.text.to_owned(), Folder::NONE))
            }
            Self::Path(path) => read_scene(path),
            Self::Text { name, text } => Ok((name.clone(), text.clone(), Folder::NONE)),
        }
    }
}

/// Runs a scene's script and gives what it described.
///
/// ```
/// use impulse_scenes::scene::{SceneSettings, SceneSource, load_scene};
/// let scene = load_scene(&SceneSource::Builtin("bounce".to_owned()), &SceneSettings::default())?;
/// assert_eq!(scene.bodies.len(), 2);
/// # Ok::<(), impulse_scenes::scene::SceneError>(())
/// ```
pub fn load_scene(source: &SceneSource, settings: &SceneSettings) -> Result<SceneDescription, SceneError> {
    let (name, text, folder) = source.read()?;
    let program = Program::new(&name, &text, &folder)?;
    let params = settings.params.iter().cloned().collect();
    let stage = Rc::new(RefCell::new(Stage::new(params, settings.seed, folder)));
    run(&program, &stage)?;
    let stage = Rc::into_inner(stage).expect("the engine that shared the stage is gone").into_inner();
    if let Some(name) = stage.unknown_setting() {
        let known: Vec<String> = stage.scene.params.iter().map(|param| param.name.clone()).collect();
        let similar = similar(name, known.iter().map(String::as_str));
        return Err(SceneError::UnknownParam { name: name.to_owned(), similar, known });
    }
    Ok(stage.scene)
}

fn run(program: &Program, stage: &stage::SharedStage) -> Result<(), SceneError> {
    let engine = language::engine(stage);
    // Only what the parser needs to know of the constants; running finds them in a module, inside functions too.
    let mut constants = Scope::new();
    for (name, value) in numbers::CONSTANTS {
        constants.push_constant(name, value);
    }
    let script = engine.compile_with_scope(&constants, &program.text);
    let script = script.map_err(|error| faults::of_parsing(&error, program))?;
    engine.run_ast(&script).map_err(|error| faults::of_running(*error, program))
}

fn read_scene(path: &Path) -> Result<(String, String, Folder), SceneError> {
    let failed = |error| SceneError::Read { path: path.to_owned(), error: Arc::new(error) };
    let text = read_limited(path, MAX_BYTES).map_err(failed)?;
    Ok((path.display().to_string(), text, Folder::new(path.parent().unwrap_or(Path::new("")))))
}
