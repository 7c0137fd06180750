//! What a user says, does and asks: building a world, acting on bodies, queries, clocks.

pub(super) mod make;
mod enter;
pub(super) mod build;
mod act;
mod clocks;
mod query;
