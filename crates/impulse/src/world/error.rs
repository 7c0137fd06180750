//! What can go wrong when a world is built and when it runs.

use crate::geometry::MassError;

/// Why a world cannot be built. Bodies are named.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// Two bodies have one name.
    #[error("two bodies are named \"{0}\"; names must differ")]
    DuplicateName(String),
    /// Mass properties that no body has.
    #[error("body \"{name}\": {error}")]
    Mass {
        /// The body.
        name: String,
        /// What is wrong.
        error: MassError,
    },
    /// A number that is NaN or infinite, or a rotation without direction.
    #[error("body \"{name}\": {what} is not finite; give finite numbers")]
    NotFinite {
        /// The body.
        name: String,
        /// Which quantity.
        what: &'static str,
    },
    /// A shape without volume or bounds in a body that is to move.
    #[error("body \"{0}\" is a half-space or a static mesh, which cannot move; make it fixed")]
    CannotMove(String),
    /// A material that was never added.
    #[error("body \"{0}\" has a material that this world does not know; add the material first")]
    UnknownMaterial(String),
    /// A coefficient of a surface out of range.
    #[error("{what} is {value}; {remedy}")]
    Surface {
        /// Which coefficient.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What it may be.
        remedy: &'static str,
    },
    /// Two bodies start inside each other.
    #[error("bodies \"{first}\" and \"{second}\" overlap at the start by about {depth:.3e} m; move them apart")]
    Overlap {
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// How deep, m.
        depth: f64,
    },
    /// A setting out of range.
    #[error("setting {name} is {value}; give a positive finite number")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// Hops as high as bodies.
    #[error(
        "setting hop_height is {value} of a body's radius, which would leave nothing at rest; give at most {largest}"
    )]
    Coarse {
        /// What was given.
        value: f64,
        /// What is allowed.
        largest: f64,
    },
}

/// Why something cannot be done to a world that runs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ActError {
    /// The id names no body.
    #[error("there is no such body: it was removed, or belongs to another world")]
    NoSuchBody,
    /// The body cannot be moved.
    #[error("body \"{0}\" is fixed or scripted: only free bodies can be pushed, pulled or set going")]
    NotFree(String),
    /// A number that is NaN or infinite.
    #[error("body \"{name}\": {what} is not finite; give finite numbers")]
    NotFinite {
        /// The body.
        name: String,
        /// Which quantity.
        what: &'static str,
    },
    /// A clock that does not go.
    #[error(
        "a clock with start {start} s and period {period} s does not go; the period must be positive, finite, and not lost in the rounding of the time"
    )]
    Clock {
        /// First stroke, s.
        start: f64,
        /// Time between strokes, s.
        period: f64,
    },
    /// The id names no clock.
    #[error("there is no such clock: it was removed, or belongs to another world")]
    NoSuchClock,
    /// The id names no watch.
    #[error("there is no such watch: it ended, or belongs to another world")]
    NoSuchWatch,
}

/// Why a run cannot go on. Each is a broken invariant: please report it with the scene.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// Two bodies were found inside each other.
    #[error(
        "event {event}, t = {time} s: bodies \"{first}\" and \"{second}\" overlap, which must never happen; please report this scene"
    )]
    Overlap {
        /// Number of the event.
        event: u64,
        /// Simulated time, s.
        time: f64,
        /// One body.
        first: String,
        /// The other.
        second: String,
    },
    /// An impact could not be resolved.
    #[error("event {event}, t = {time} s: the impact of \"{first}\" and \"{second}\" cannot be resolved: {error}")]
    Impact {
        /// Number of the event.
        event: u64,
        /// Simulated time, s.
        time: f64,
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// Why.
        error: crate::respond::ImpactError,
    },
}

/// Why a snapshot gives no world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SnapshotError {
    /// Another version of the library wrote it.
    #[error("the snapshot has version {found}, and this library reads version {known}; run the scene again")]
    Version {
        /// What it says.
        found: u32,
        /// What is understood.
        known: u32,
    },
    /// Settings or materials out of range.
    #[error("the snapshot is damaged: {0}")]
    Setting(#[from] BuildError),
    /// A shape that is none.
    #[error("the snapshot is damaged: shape {shape} (from 0): {why}")]
    Shape {
        /// Which.
        shape: usize,
        /// What is wrong.
        why: String,
    },
    /// A body that cannot be.
    #[error("the snapshot is damaged: body {body} (from 0): {what}")]
    Body {
        /// Which.
        body: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// Anything else that contradicts itself.
    #[error("the snapshot is damaged: {0}")]
    Damaged(&'static str),
}
