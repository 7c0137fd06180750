//! What must not be, and what is told of a scene.

use std::fmt;

/// What must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The scene cannot be built.
    Build,
    /// The engine ended with an error or a panic.
    Abort,
    /// The scene is impossible, and the engine says so: a scripted body crushes another. That is no failure.
    Crushed,
    /// Too many events in a tenth of a second.
    Stall,
    /// Too much processor time.
    Slow,
    /// Two bodies overlap, as the judge sees it.
    Overlap,
    /// More energy from nothing than the allowance.
    Energy,
    /// Momentum changed in free space.
    Momentum,
    /// Restitution 1 without friction, and energy was lost or contact lasted.
    Elastic,
    /// A body does not rest, for no reason.
    Restless,
    /// The same, where hops were not solved.
    Unsolved,
}

/// All faults in the order of the table, with the heads of their columns.
pub(crate) const FAULTS: [(Fault, &str); 11] = [
    (Fault::Build, "build"),
    (Fault::Abort, "abort"),
    (Fault::Crushed, "crushed"),
    (Fault::Stall, "stall"),
    (Fault::Slow, "slow"),
    (Fault::Overlap, "overlap"),
    (Fault::Energy, "energy"),
    (Fault::Momentum, "moment."),
    (Fault::Elastic, "elastic"),
    (Fault::Restless, "restless"),
    (Fault::Unsolved, "unsolved"),
];

/// A fault, when it was seen, and what there was to see.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    /// Simulated time, s.
    pub(crate) time: f64,
    pub(crate) what: String,
}

impl Failure {
    /// Whether the engine is to blame.
    pub(crate) fn is_failure(&self) -> bool {
        self.fault != Fault::Crushed
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {} s: {}", self.fault, self.time, self.what)
    }
}

/// What is told of a scene that was run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub(crate) failure: Option<Failure>,
    /// Energy rise relative to its allowance.
    pub(crate) energy_ratio: f64,
    pub(crate) hops: u64,
    pub(crate) unsolved: u64,
    /// Bodies frozen, and bodies that move for a reason.
    pub(crate) frozen: u32,
    pub(crate) excused: u32,
    pub(crate) cpu: f64,
}
