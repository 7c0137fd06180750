//! The laws of restitution (3.1): when an impact ends. One law, one file.

mod goal;
mod stronge;
mod poisson;
mod newton;
mod law;

pub(super) use goal::{Normal, NormalGoal};
pub use law::Law;
