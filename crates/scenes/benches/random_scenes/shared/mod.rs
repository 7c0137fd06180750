//! Random scenes of everyday things, and what must hold in every one of them (sections 1.3, 3.5): shared by bench and tests.
//!
//! A scene is drawn from its kind and seed, written as a script and read back, so that whatever fails can be handed on as a file.

#[path = "../../../../impulse/benches/support/cpu.rs"]
mod cpu;
#[path = "../../../../impulse/benches/support/random.rs"]
mod random;
mod chance;
mod form;
mod scene;
mod places;
mod singles;
mod stacks;
mod piles;
mod driven;
mod kinds;
mod failure;
mod meetings;
mod watched;

pub(crate) use cpu::cpu_seconds;
pub(crate) use failure::{FAULTS, Failure, Report};
pub(crate) use kinds::{KINDS, drawn};
pub(crate) use scene::{Scene, Thing, UPRIGHT, Way};
pub(crate) use watched::{Limits, check};
