//! Collision detection that knows no bodies (thesis 2.3-2.5): numbers, boxes and ids in, events and close pairs out.
//!
//! [`EventQueue`] is the collision heap; [`BroadPhase`] says which pairs belong in it.

mod queue;
mod pairs;
mod buckets;
mod cells;
mod hash;
mod broad_phase;
mod toi_spheres;
mod toi_flat;
mod toi_axis;
mod toi_march;
mod toi_parts;
mod toi;

pub(crate) use broad_phase::SavedBroadPhase;
pub use broad_phase::{BroadPhase, Changes, Mobility, Work};
pub use pairs::{ClosePair, Partner};
pub use queue::{Event, EventQueue};
pub use toi::{Mover, Mover as MovingShape, Moving, Prediction, Search, Trajectory, Vectors, time_of_impact};
pub use toi_march::AIM;
