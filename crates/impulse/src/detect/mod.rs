//! Collision detection that knows no bodies (thesis 2.3-2.5): numbers, boxes and ids in, events and close pairs out.
//!
//! [`EventQueue`] is the collision heap; [`BroadPhase`] says which pairs belong in it; [`time_of_impact`] says when they collide.

mod queue;
mod item;
mod pairs;
mod cells;
mod buckets;
mod hash;
mod broad_phase;
mod trajectory;
mod toi_search;
mod toi_convex;
mod toi_travel;
mod toi_spheres;
mod toi_flat;
mod toi_axis;
mod toi_march;
mod toi_measure;
mod toi_parts;
mod toi;

pub(crate) use broad_phase::SavedBroadPhase;
pub use broad_phase::{BroadPhase, Changes, Filtered, Work};
pub use item::Mobility;
pub use pairs::{ClosePair, Partner};
pub use queue::{Event, EventQueue};
pub use toi::time_of_impact;
pub(crate) use toi_march::AIM_SHARE;
pub use toi_search::{Prediction, Search};
pub use trajectory::{Moving, MovingShape, Trajectory, Vectors};
