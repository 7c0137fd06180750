//! Snapshots: a world as plain data, and a world from it.

pub(super) mod save;
mod restore;
