//! Scene scripts: a small interpreted language in which bodies, materials and motions are described (thesis section 8.3 wishes
//! for one), read into plain data.
//!
//! [`load_scene`] is the entry point. Scripts are Rhai with our own functions ([`functions`]). They see nothing of the machine
//! but part files and scripts in their own folder, and they end after a limited number of steps. The modules stand in reading
//! order.

use crate::suggest;

mod folder;
mod error;
mod source;
mod program;
mod values;
mod plain;
mod description;
mod identity;
mod steps;
mod reports;
mod params;
mod scope;
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
#[cfg(feature = "urdf")]
mod robot_forms;
#[cfg(feature = "urdf")]
mod robots;
#[cfg(not(feature = "urdf"))]
#[path = "no_robots.rs"]
mod robots;
mod controllers;
mod behaviours;
mod creatures;
mod tally;
mod view;
mod me;
mod native;
mod acting;
mod language;
mod reference;
mod faults;
mod looks;
mod conduct;
mod script;

pub use description::{
    BehaviourDescription, BodyDescription, ContactDescription, ControlDescription, ControllerDescription,
    CreatureDescription, JointDescription, MaterialDescription, MaterialId, MotionDescription, ParamDescription,
    ParamHints, ParamValue, PartDescription, PartFileDescription, PlaceDescription, PolyhedronDescription,
    RobotDescription, SceneDescription, ShapeDescription, SolidDescription,
};
pub use error::{Fault, Place, SceneError};
pub use folder::{FileError, SceneFiles};
pub use identity::ShapeIdentity;
pub use looks::{Look, Reported, Reports};
pub use me::{Blow, Me, States};
pub use native::{Behaviour, BehaviourError};
pub use plain::{Function as ScriptFunction, Plain};
pub use reference::{Function, REFERENCE_PAGE, functions, functions_beside};
pub use script::{ReadScene, Script};
pub use source::SceneSource;
pub use tally::Tally;

pub(crate) use conduct::{Conduct, SavedConduct};
pub(crate) use identity::SolidIdentity;

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
    Ok(Script::open(source)?.read(settings)?.scene)
}
