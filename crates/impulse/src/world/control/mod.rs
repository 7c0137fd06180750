//! Controllers (section 5.4.2): they act at their ticks, and what they do stays the same in between.

pub(crate) mod spec;
pub(crate) mod controller;
mod act;
mod manage;
pub(crate) mod saved;
