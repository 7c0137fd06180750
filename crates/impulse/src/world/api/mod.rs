//! What a user says, does and asks: building a world, acting on bodies, queries, clocks.

pub(super) mod make;
mod enter;
mod hand_over;
pub(super) mod build;
mod act;
mod clocks;
mod run;
mod query;
pub(super) mod body_ref;
pub(super) mod bulk;
pub(super) mod cast;
pub(super) mod inspect;
