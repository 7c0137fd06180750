//! Scenes: scripts that describe whole scenes, and files that describe parts, read into plain data and the engine's types.

pub mod part;
pub mod builtin;
pub mod scene;
pub mod world;

pub use builtin::{BUILTIN_SCENES, BuiltinScene};
pub use part::{Format, Part, PartError, parse_part, read_part};
pub use scene::{SceneDescription, SceneError, SceneSettings, SceneSource, load_scene};
pub use world::{SceneWorldError, build_world};
