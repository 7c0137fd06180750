//! Contact that lasts: hops in which all points of an island get their impulses together (section 3.5, done jointly; 8.1).
//!
//! [`lasting`] says which contacts last, [`gather`] collects the bodies that hang together, [`target`] says how each point is to
//! set out, [`attempt`] finds the impulses, [`launch`] sends the bodies on their way, [`freeze`] stops what repeats itself,
//! [`carried`] spares balls on planes their hops.

pub(super) mod course;
mod loads;
pub(super) mod island;
pub(super) mod linkages;
pub(super) mod lasting;
pub(super) mod gather;
pub(super) mod target;
pub(super) mod flight;
mod locked;
pub(super) mod phase;
pub(super) mod sweeping;
pub(super) mod look_ahead;
pub(super) mod laws;
mod keep_apart;
pub(super) mod reversal;
pub(super) mod freeze;
pub(super) mod energy;
mod pay;
mod face;
pub(super) mod carried;
pub(super) mod guided;
mod lying;
pub(super) mod attempt;
pub(super) mod launch;
