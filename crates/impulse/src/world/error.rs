//! What can go wrong when a world is built and when it runs.

use super::linkage::spec::JointFault;
use crate::geometry::MassError;

/// Why a world cannot be built. Bodies are named.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Two bodies have the same name.
    #[error("two bodies are named \"{0}\"; give each body a name of its own")]
    DuplicateName(String),
    /// Mass properties that no rigid body has.
    #[error("body \"{name}\": {error}")]
    Mass {
        /// The body.
        name: String,
        /// What is wrong.
        error: MassError,
    },
    /// A number that is NaN or infinite.
    #[error("body \"{name}\": {what} is not finite; give finite numbers")]
    NotFinite {
        /// The body.
        name: String,
        /// Which quantity.
        what: &'static str,
    },
    /// A rotation by a quaternion that is not a unit quaternion.
    #[error("body \"{name}\": the quaternion of its rotation has length {length}; normalise it")]
    NotUnit {
        /// The body.
        name: String,
        /// Length of the quaternion.
        length: f64,
    },
    /// A shape without bounds in a body that is to move.
    #[error("body \"{0}\" is a half-space, which cannot move; make it fixed, or a large box")]
    CannotMove(String),
    /// A surface without volume in a body that is to move freely.
    #[error(
        "body \"{0}\" is a triangle surface without volume, which cannot move freely; decompose it, or make it fixed or scripted"
    )]
    CannotBeFree(String),
    /// A material that was never added.
    #[error("body \"{0}\" has a material that is not in this world; add the material first")]
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
    /// A joint that cannot be.
    #[error("joint \"{name}\": {fault}")]
    Joint {
        /// The joint.
        name: String,
        /// What is wrong, and what to do.
        fault: JointFault,
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
    #[error("setting hop_height is {value} bounding radii, too high for anything to rest; give at most {largest}")]
    Coarse {
        /// What was given.
        value: f64,
        /// What is allowed.
        largest: f64,
    },
}

/// Why an action on a world was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ActError {
    /// The id names no body.
    #[error("no body has this id: it was removed, or belongs to another world")]
    NoSuchBody,
    /// The body cannot be moved.
    #[error("body \"{0}\" is fixed or scripted; only free bodies take impulses, velocities, forces and torques")]
    NotFree(String),
    /// A number that is NaN or infinite.
    #[error("body \"{name}\": {what} is not finite; give finite numbers")]
    NotFinite {
        /// The body.
        name: String,
        /// Which quantity.
        what: &'static str,
    },
    /// The body is a link of a linkage, or a linkage hangs on it.
    #[error("body \"{0}\" is joined to others: {1}")]
    Joined(String, &'static str),
    /// A fixed body follows no script, and cannot be given one.
    #[error("body \"{0}\" is fixed; only scripted and free bodies are released and scripted")]
    NotScripted(String),
    /// A surface without volume cannot move freely.
    #[error("body \"{0}\" is a triangle surface without volume, which cannot be released; make it of convex pieces")]
    CannotBeFree(String),
    /// Mass properties that no rigid body has.
    #[error("body \"{name}\": {error}")]
    Mass {
        /// The body.
        name: String,
        /// What is wrong.
        error: MassError,
    },
    /// A script that begins elsewhere than its body is.
    #[error(
        "body \"{name}\" would jump: its script is {distance:.3e} m away from it now; begin the script where the body is"
    )]
    Jump {
        /// The body.
        name: String,
        /// How far, m.
        distance: f64,
    },
    /// A body that is inside of another with which it would collide from now on.
    #[error(
        "body \"{name}\" overlaps \"{other}\" by about {depth:.3e} m, which only scripted bodies may; move them apart first"
    )]
    Overlap {
        /// The body.
        name: String,
        /// The other one.
        other: String,
        /// How deep, m.
        depth: f64,
    },
    /// The id names no joint.
    #[error("no joint has this id: it was removed, or belongs to another world")]
    NoSuchJoint,
    /// Not as many numbers as a joint has freedoms.
    #[error("joint \"{name}\" has {freedoms} freedoms, but {given} numbers were given")]
    JointFreedoms {
        /// The joint.
        name: String,
        /// How many numbers were given.
        given: usize,
        /// How many it takes.
        freedoms: usize,
    },
    /// A coordinate that a joint cannot be given.
    #[error("joint \"{name}\" cannot be put at {position}: only hinges and sliders can, within their limits")]
    JointPosition {
        /// The joint.
        name: String,
        /// What was given.
        position: f64,
    },
    /// A clock that would never tick, or tick again and again at one time.
    #[error(
        "a clock cannot start at {start} s with a period of {period} s: give a finite start and a positive, finite period that is not lost to rounding beside the time"
    )]
    Clock {
        /// Time of the first tick, s.
        start: f64,
        /// Time between ticks, s.
        period: f64,
    },
    /// The id names no clock.
    #[error("no clock has this id: it was removed, or belongs to another world")]
    NoSuchClock,
    /// A controller that cannot work.
    #[error("a controller cannot be made: {0}")]
    Controller(String),
    /// The id names no controller.
    #[error("no controller has this id: it or what it acted on was removed, or it belongs to another world")]
    NoSuchController,
    /// The id names no watch.
    #[error("no watch has this id: it ended, or belongs to another world")]
    NoSuchWatch,
}

/// Why a run cannot continue: the scene is impossible ([`RunError::Crushed`]), or an invariant is broken: please report that with
/// the scene.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
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
    /// A scripted body drives a free one against something that cannot give way.
    #[error(
        "event {event}, t = {time} s: \"{scripted}\" crushes \"{body}\" against \"{against}\", and none of them can give way; leave room for the body, lower the friction, or stop \"{scripted}\" before that time"
    )]
    Crushed {
        /// Number of the event.
        event: u64,
        /// Simulated time, s.
        time: f64,
        /// The scripted body.
        scripted: String,
        /// The body that it drives.
        body: String,
        /// What it drives it against.
        against: String,
    },
    /// Two bodies strike each other again and again without end.
    #[error(
        "event {event}, t = {time} s: the impacts of \"{first}\" and \"{second}\" do not end, which must never happen; please report this scene"
    )]
    Endless {
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

/// Why a snapshot cannot be restored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Another version of the library wrote it.
    #[error("the snapshot has version {found}, but this library reads version {known}; run the scene again")]
    Version {
        /// The snapshot's version.
        found: u32,
        /// The library's.
        known: u32,
    },
    /// Settings or materials out of range.
    #[error("the snapshot is damaged: {0}")]
    Setting(#[from] BuildError),
    /// An invalid shape.
    #[error("the snapshot is damaged: shape {shape} (from 0): {why}")]
    Shape {
        /// Number of the shape.
        shape: usize,
        /// What is wrong.
        why: String,
    },
    /// An invalid body.
    #[error("the snapshot is damaged: body {body} (from 0): {what}")]
    Body {
        /// Number of the body.
        body: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// Any other contradiction.
    #[error("the snapshot is damaged: {0}")]
    Damaged(&'static str),
}
