//! Snapshots: a world as plain data, and a world from it.

mod linkages;
pub(super) mod save;
mod restore;
