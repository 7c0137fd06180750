//! Studies of scenes: parameters varied over grids and distributions, every trial a row.

mod vary;
mod permutation;
mod design;
mod trial;

pub use design::{Design, DesignError, MAX_TRIALS, Point};
pub use trial::{Row, Task, Worker};
pub use vary::{Vary, VaryError};
