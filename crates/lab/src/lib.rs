//! Experiments: many trials in parallel, and statistics of how parts land (thesis section 7.5).
//!
//! [`Part`] is what is dropped, [`Landscape`] the height of its centre of mass over the direction that points down: which poses
//! exist and what it takes to leave each. [`quasi_static`] and [`perturbed`] estimate from the landscape alone.

mod part;
mod landscape;
mod quasi_static;

pub use landscape::{Landscape, Pass, Pose};
pub use part::{Part, PartError};
pub use quasi_static::quasi_static;
