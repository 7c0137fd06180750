//! Acts: what somebody does to a scene while it runs (thesis section 8.3), each with its time, so that it is part of the run.
//!
//! An act at a time comes after all events up to that time. A run with the same acts has the same bits, whoever repeats it, and
//! however it is stopped and looked at in between.

mod recording;

pub use recording::{FORMAT, Recording, RecordingError};

use serde::{Deserialize, Serialize};

/// Something done at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Act {
    /// When, s.
    pub t: f64,
    /// What.
    #[serde(flatten)]
    pub deed: Deed,
}

/// What can be done. Vectors are in the world frame unless it is said otherwise, SI units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Deed {
    /// Takes hold of a free body: a spring pulls a point of it towards another point. What was held before is let go.
    Grab {
        /// The body.
        body: String,
        /// The point, in the frame of the body's shape.
        at: [f64; 3],
        /// Where it is pulled.
        to: [f64; 3],
    },
    /// Pulls what is held to another point.
    Move {
        /// The point.
        to: [f64; 3],
    },
    /// Lets go.
    Release,
    /// Pushes a free body.
    Push {
        /// The body.
        body: String,
        /// Where.
        at: [f64; 3],
        /// N s.
        impulse: [f64; 3],
    },
    /// Turns gravity.
    Gravity {
        /// m/s^2.
        to: [f64; 3],
    },
    /// Takes a body away.
    Remove {
        /// The body.
        body: String,
    },
    /// Adds a free body.
    Add {
        /// Its name.
        body: String,
        /// Its shape.
        shape: NewShape,
        /// Origin of its shape.
        at: [f64; 3],
        /// Velocity of its centre of mass.
        velocity: [f64; 3],
    },
}

/// The shape of a body that is added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NewShape {
    /// A ball of this radius, m, with the density of water and the material of the scene's first free body.
    Ball(f64),
    /// A box with these sides, m, else as a ball.
    Box([f64; 3]),
    /// Another one of the scene's free bodies: its shape, mass, material and attitude at the start.
    Like(String),
}

impl Deed {
    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let all = |vectors: &[&[f64; 3]]| vectors.iter().all(|vector| vector.iter().all(|x| x.is_finite()));
        match self {
            Self::Grab { at, to, .. } => all(&[at, to]),
            Self::Move { to } | Self::Gravity { to } => all(&[to]),
            Self::Push { at, impulse, .. } => all(&[at, impulse]),
            Self::Add { shape: NewShape::Ball(radius), at, velocity, .. } => radius.is_finite() && all(&[at, velocity]),
            Self::Add { shape: NewShape::Box(sides), at, velocity, .. } => all(&[sides, at, velocity]),
            Self::Add { at, velocity, .. } => all(&[at, velocity]),
            Self::Release | Self::Remove { .. } => true,
        }
    }
}
