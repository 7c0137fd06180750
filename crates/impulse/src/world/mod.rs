//! The world: bodies in flight, the event loop, and what it records (sections 1.2 and 2.4.3).
//!
//! [`World::step`] takes the earliest pending event and does what it asks: its path through the code is one straight line. The
//! invariant that replaces the thesis' lockstep: at queue time `t` every moving body has a box that contains it until the box
//! expires; expiries are events; every two boxes that overlap have a check queued no later than their bodies' first possible
//! contact; and a body whose motion changed has a new box and new checks before the next event is taken.

mod index;
mod slots;
mod settings;
mod error;
mod material;
mod spec;
mod scheduled;
mod clock;
mod collider;
mod group;
mod pair;
mod progress;
mod records;
mod pairs;
mod linkage;
mod control;
mod hop;
mod lent;
mod data;
mod impact;
mod struck;
mod impossible;
mod step;
mod api;
mod snapshot;

pub use api::body_ref::BodyRef;
pub use api::build::WorldBuilder;
pub use api::bulk::StateRow;
pub use api::cast::RayHit;
pub use api::inspect::{BodyBox, ClosestPoints, Pending};
pub use clock::{ClockId, ClockKind, ClockSpec, ClockTick};
pub use control::spec::{Controlled, ControllerId, ControllerSpec, Goal};
pub use data::World;
pub use error::{ActError, BuildError, RunError, SnapshotError};
pub use index::BodyId;
pub use linkage::joints::{JointLoad, JointRef};
pub use linkage::linked::{JointId, StopRecord};
pub use linkage::spec::{JointFault, JointSpec};
pub use material::{MaterialId, Surface, combine};
pub use records::busiest::Busiest;
pub use records::counters::Counters;
pub use records::event::{Event, ImpactRecord, StopReason};
pub use records::lasting_contacts::{ContactMode, LastingContact};
pub use records::stopwatch::PhaseTimes;
pub use records::watch::{ContactSum, WatchId};
pub use records::window::{MeanMotion, MotionWindow};
pub use settings::{ContactRule, Settings};
pub use snapshot::save::Snapshot;
pub use spec::{BodySpec, FreeBodySpec, MassSpec, MotionSpec, NotFree};
