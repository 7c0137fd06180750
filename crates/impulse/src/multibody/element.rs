//! Passive elements of joints (section 5.4.1) and their stops: what acts inside a linkage without anybody's doing.

use serde::{Deserialize, Serialize};

/// What acts in a joint by itself. Units: N m and rad for hinges and sockets, N and m for sliders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Elements {
    /// Force per rate, against it.
    pub damping: f64,
    /// A spring along the joint's one coordinate.
    pub spring: Option<Spring>,
    /// Constant friction against the rate of a joint with one freedom; a joint at rest is stuck up to this force.
    pub friction: f64,
    /// Stops.
    pub limits: Option<Limits>,
    /// Inertia of the joint's drive, kg m^2 or kg.
    pub armature: f64,
}

/// A spring in a joint (section 5.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Spring {
    /// Force `-k (q - q_0)`.
    Linear {
        /// `k`.
        stiffness: f64,
        /// `q_0`.
        rest: f64,
    },
    /// A sealed cylinder, which repels: force `+c / (q - q_n)` (sign corrected).
    Hard {
        /// `c`.
        strength: f64,
        /// `q_n`, which the coordinate never reaches.
        end: f64,
    },
}

/// Where a joint ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Between what it stays.
    pub range: LimitRange,
    /// Share of the rate with which it comes back from a stop.
    pub restitution: f64,
}

/// The room of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LimitRange {
    /// The coordinate of a hinge or slider stays between two values.
    Interval([f64; 2]),
    /// The axis of a socket's child, from the socket to its centre of mass, stays within an angle (rad) of where it was at zero as
    /// seen from the parent.
    Cone(f64),
}

impl Spring {
    /// Force at a coordinate.
    pub fn force(&self, q: f64) -> f64 {
        match *self {
            Self::Linear { stiffness, rest } => -stiffness * (q - rest),
            Self::Hard { strength, end } => strength / (q - end),
        }
    }

    /// Potential energy at a coordinate, J; of a hard spring relative to unit distance from its end.
    pub fn energy(&self, q: f64) -> f64 {
        match *self {
            Self::Linear { stiffness, rest } => 0.5 * stiffness * (q - rest) * (q - rest),
            Self::Hard { strength, end } => -strength * libm::log((q - end).abs()),
        }
    }
}

/// What a joint with one freedom does that is not free to move as it likes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Hold {
    /// Nothing holds it.
    #[default]
    Free,
    /// Friction acts against motion in the positive direction ...
    Forth,
    /// ... or in the negative one.
    Back,
    /// Friction holds it.
    Stuck,
    /// It is pressed on its lower stop ...
    Lower,
    /// ... or on its upper one.
    Upper,
}

impl Hold {
    /// Whether the joint does not move.
    pub(crate) fn holds(self) -> bool {
        matches!(self, Self::Stuck | Self::Lower | Self::Upper)
    }

    /// The forces that can hold it, given its friction.
    pub(crate) fn range(self, friction: f64) -> [f64; 2] {
        match self {
            Self::Stuck => [-friction, friction],
            Self::Lower => [-friction, f64::INFINITY],
            Self::Upper => [f64::NEG_INFINITY, friction],
            Self::Free | Self::Forth | Self::Back => [0.0; 2],
        }
    }

    /// Force of friction.
    pub(crate) fn friction(self, friction: f64) -> f64 {
        match self {
            Self::Forth => -friction,
            Self::Back => friction,
            Self::Free | Self::Stuck | Self::Lower | Self::Upper => 0.0,
        }
    }
}
