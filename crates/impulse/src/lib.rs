//! Impulse: rigid bodies in which every contact is a collision (Mirtich, *Impulse-based Dynamic Simulation of Rigid Body
//! Systems*, Berkeley 1996, "the thesis" throughout).
//!
//! The modules stand in reading order; each imports only the ones above it. SI units, `f64`, right-handed frames. The library
//! does no input or output, starts no threads, reads no clock, and gives the same bits on every machine.

pub mod math;
pub mod geometry;
pub mod detect;
pub mod respond;
pub mod body;
pub mod multibody;
pub mod control;
pub mod contact;
pub mod world;
pub mod prelude;

pub use glam::{DMat3, DQuat, DVec3};

/// The README's examples, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
