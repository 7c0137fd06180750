//! Linkages in the world: how joints become trees, and how impulses, steps and stops change them (chapters 4 and 5).

pub(super) mod spec;
pub(super) mod linked;
pub(super) mod assemble;
pub(super) mod join;
pub(super) mod relaunch;
pub(super) mod strike;
pub(super) mod joints;
#[cfg(test)]
mod tests;
