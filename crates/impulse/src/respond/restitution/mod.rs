//! The laws of restitution (3.1): when an impact ends. One law, one file.

use serde::{Deserialize, Serialize};

mod stronge;
mod poisson;
mod newton;

/// A law of restitution; `e` is its coefficient in [0, 1]. With `e = 0` every law ends the impact at maximum compression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Law {
    /// Normal work, Assumption 2: W. J. Stronge, "Unraveling paradoxical theories for rigid body collisions", J. Appl. Mech.
    /// 58 (1991). Never adds energy.
    #[default]
    Stronge,
    /// Normal impulse: S. D. Poisson, *Traité de mécanique* (1811); with friction J. B. Keller, "Impact with friction", J. Appl.
    /// Mech. 53 (1986). Can add energy.
    Poisson,
    /// Normal velocity: I. Newton, *Principia* (1687). Can add energy.
    Newton,
}

/// The normal quantities of an impact so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Normal {
    /// Normal impulse `p_z`, N s.
    pub impulse: f64,
    /// Normal relative velocity `u_z`, m/s.
    pub velocity: f64,
    /// Work `W_z` of the normal impulse, J.
    pub work: f64,
}

/// What an impact has to reach next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// This normal impulse, N s.
    Impulse(f64),
    /// This normal velocity, m/s.
    Velocity(f64),
    /// This normal work, J.
    Work(f64),
}

impl Goal {
    /// How far `at` is beyond the goal: negative before it.
    pub(super) fn excess(self, at: &Normal) -> f64 {
        match self {
            Self::Impulse(goal) => at.impulse - goal,
            Self::Velocity(goal) => at.velocity - goal,
            Self::Work(goal) => at.work - goal,
        }
    }
}

impl Law {
    /// The end of the impact, known at maximum compression; `approach` is the normal velocity at the start, m/s.
    pub(super) fn goal(self, e: f64, compressed: &Normal, approach: f64) -> Goal {
        match self {
            Self::Stronge => stronge::goal(e, compressed),
            Self::Poisson => poisson::goal(e, compressed),
            Self::Newton => newton::goal(e, approach),
        }
    }
}
