//! The world: bodies in flight, the event loop, and what it records (sections 1.2 and 2.4.3).
//!
//! [`World::step`] takes the earliest pending event and does what it asks: its path through the code is one straight line. The
//! invariant that replaces the thesis' lockstep: at queue time `t` every moving body has a box that contains it until the box
//! expires; expiries are events; every two boxes that overlap have a check queued no later than their bodies' first possible
//! contact; and a body whose motion changed has a new box and new checks before the next event is taken.

mod settings;
mod error;
mod material;
mod body;
mod rest;
mod clock;
mod record;
mod watch;
mod window;
mod stopwatch;
mod pair;
mod track;
mod measure;
mod predict;
mod collide;
mod lasting;
mod site;
mod island;
mod hop;
mod look_ahead;
mod laws;
mod freeze;
mod contacts;
mod schedule;
mod make;
mod enter;
mod build;
mod step;
mod act;
mod ask;
mod snapshot;
mod restore;

pub use body::{BodyId, BodySpec, MassSpec, MotionSpec};
pub use build::WorldBuilder;
pub use clock::{ClockId, ClockKind, ClockSpec, Stroke};
pub use contacts::{ContactMode, LastingContact};
pub use error::{ActError, BuildError, RunError, SnapshotError};
pub use material::{MaterialId, Surface, combine};
pub use record::{Counters, Happened, ImpactRecord, Stopped};
pub use settings::{ContactRule, Settings};
pub use snapshot::Snapshot;
pub use step::World;
pub use stopwatch::PhaseTimes;
pub use watch::{ContactSum, WatchId};
pub use window::{MeanMotion, MotionWindow};
