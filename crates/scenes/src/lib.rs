//! Scenes: files that describe parts (and, with later work, whole scenes) read into the engine's types.

pub mod part;

pub use part::{Format, Part, PartError, parse_part, read_part};
