//! The simulator behind the viewer's page: a scene runs once, ahead of whoever looks, and any instant of it can be gone to, in either
//! direction, with the bits of a run that went straight there.
//!
//! [`Timeline`] is the run and what is remembered of it, [`Cursor`] the instant that is looked at, [`Session`] both of them with
//! the answers that a page asks for. The module `exports` gives them to JavaScript: calls take numbers, and leave texts and numbers in memory.

mod allocation;
mod request;
mod keyframes;
mod notes;
mod samples;
mod timeline;
mod cursor;
mod planes;
mod scene;
mod views;
mod session;
mod study;
#[cfg(target_family = "wasm")]
mod exchange;
#[cfg(target_family = "wasm")]
mod exports;
#[cfg(target_family = "wasm")]
mod exports_play;

pub use cursor::Cursor;
pub use keyframes::Keyframes;
pub use notes::{Note, Notes};
pub use request::{Ghosts, OpenError, Request};
pub use samples::{Sampled, Samples};
pub use scene::{builtin_scenes, reference};
pub use session::Session;
pub use study::study;
pub use timeline::{Progress, Timeline};
pub use views::{BODY_NUMBERS, FRAME_NUMBERS, IMPACT_NUMBERS};
