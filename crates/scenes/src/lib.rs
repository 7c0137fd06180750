//! Scenes: scripts that describe whole scenes and files that describe parts, read into plain data, built into the engine's types
//! and run.

pub mod part;
mod random;
mod suggest;
pub mod urdf;
pub mod builtin;
pub mod scene;
mod build_error;
mod workshop;
mod warnings;
pub mod built;
pub mod acts;
mod added;
pub mod runner;
mod saved_run;
mod workbench;
pub mod look;
pub mod rows;
pub mod survey;

pub use built::{BuiltScene, SceneBuildError};
pub use builtin::{BUILTIN_CREATURES, BUILTIN_SCENES, BuiltinCreature, BuiltinScene};
pub use part::{Format, Part, PartError, parse_part, read_part};
pub use random::Random;
pub use runner::{Runner, Stall};
pub use saved_run::{SavedRun, SavedRunError};
pub use scene::{SceneDescription, SceneError, SceneSettings, SceneSource, Script, load_scene};
pub use survey::{Survey, survey};
pub use warnings::{Warning, looks_like_millimetres};
pub use workbench::Workbench;
pub use workshop::{MeshFit, MeshUse};
