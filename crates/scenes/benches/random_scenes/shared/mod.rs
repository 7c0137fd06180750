//! Random scenes of everyday things, and what must hold in every one of them (sections 1.3, 3.5): shared by bench and tests.
//!
//! A scene is drawn from its kind and seed, written as a script and read back, so that whatever fails can be handed on as a file.

#[path = "../../../../impulse/benches/support/cpu.rs"]
pub(crate) mod cpu;
#[path = "../../../../impulse/benches/support/random.rs"]
mod random;
mod chance;
mod form;
pub(crate) mod scene;
mod places;
mod singles;
mod stacks;
mod piles;
mod driven;
pub(crate) mod kinds;
pub(crate) mod failure;
mod meetings;
pub(crate) mod watched;
