//! Scene scripts: a small interpreted language in which bodies, materials and motions are described (thesis section 8.3 wishes
//! for one), read into plain data.
//!
//! [`load_scene`] is the entry point. Scripts are Rhai with our own functions ([`functions`]). They see nothing of the machine
//! but part files and scripts in their own folder, and they end after a limited number of steps. The modules stand in reading
//! order.

mod description;
mod suggest;
mod identity;
mod folder;
mod error;
mod source;
mod program;
mod values;
mod steps;
mod params;
mod stage;
mod numbers;
mod layout;
mod chance;
mod meshes;
mod shapes;
mod walls;
mod surfaces;
mod motions;
mod mass;
mod color;
mod bodies;
mod joints;
mod language;
mod reference;
mod faults;

pub use description::{
    BodyDescription, ContactDescription, JointDescription, MaterialDescription, MaterialId, MotionDescription,
    ParamDescription, ParamHints, ParamValue, PartDescription, PartFileDescription, PolyhedronDescription,
    SceneDescription, ShapeDescription, SolidDescription,
};
pub use error::{Fault, Place, SceneError};
pub use folder::{FileError, SceneFiles};
pub use identity::ShapeIdentity;
pub use reference::{Function, REFERENCE_PAGE, functions, functions_beside};
pub use source::SceneSource;

pub(crate) use identity::SolidIdentity;

use program::Program;
use rhai::Scope;
use stage::Stage;
use std::cell::RefCell;
use std::rc::Rc;
use suggest::similar;

/// What the caller chooses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneSettings {
    /// Parameters by name. A text is converted to the type of the parameter's default.
    pub params: Vec<(String, ParamValue)>,
    /// The random seed.
    pub seed: u64,
}

/// Runs a scene's script and returns what it described.
///
/// ```
/// use impulse_scenes::scene::{SceneSettings, SceneSource, load_scene};
/// let scene = load_scene(&SceneSource::Builtin("bounce".to_owned()), &SceneSettings::default())?;
/// assert_eq!(scene.bodies.len(), 2);
/// # Ok::<(), impulse_scenes::scene::SceneError>(())
/// ```
pub fn load_scene(source: &SceneSource, settings: &SceneSettings) -> Result<SceneDescription, SceneError> {
    let opened = source.open()?;
    let program = Program::new(&opened)?;
    let params = settings.params.iter().cloned().collect();
    let stage = Rc::new(RefCell::new(Stage::new(params, settings.seed, opened.folder)));
    run(&program, &stage)?;
    let mut stage = Rc::into_inner(stage).expect("the engine that shared the stage is gone").into_inner();
    stage.scene.included = program.included().to_vec();
    if let Some(name) = stage.unknown_setting() {
        let known: Vec<String> = stage.scene.params.iter().map(|param| param.name.clone()).collect();
        let similar = similar(name, known.iter().map(String::as_str));
        return Err(SceneError::UnknownParam { name: name.to_owned(), similar, known });
    }
    Ok(stage.scene)
}

fn run(program: &Program, stage: &stage::SharedStage) -> Result<(), SceneError> {
    let engine = language::engine(stage);
    // These constants are for the parser only. At run time they come from a module, so that functions see them too.
    let mut constants = Scope::new();
    for (name, value) in numbers::CONSTANTS {
        constants.push_constant(name, value);
    }
    let script = engine.compile_with_scope(&constants, &program.text);
    let script = script.map_err(|error| faults::of_parsing(&error, program))?;
    engine.run_ast(&script).map_err(|error| faults::of_running(*error, program))
}
