//! How far an impact has come, and what it has to reach next (3.1).

/// The normal quantities of an impact so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::respond) struct Normal {
    /// Normal impulse `p_z`, N s.
    pub impulse: f64,
    /// Normal relative velocity `u_z`, m/s.
    pub velocity: f64,
    /// Work `W_z` of the normal impulse, J.
    pub work: f64,
}

/// What an impact has to reach before its next phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::respond) enum NormalGoal {
    /// This normal impulse, N s.
    Impulse(f64),
    /// This normal velocity, m/s.
    Velocity(f64),
    /// This normal work, J.
    Work(f64),
}

impl NormalGoal {
    /// How far `at` is beyond the goal; negative before it.
    pub(in crate::respond) fn excess(self, at: &Normal) -> f64 {
        match self {
            Self::Impulse(goal) => at.impulse - goal,
            Self::Velocity(goal) => at.velocity - goal,
            Self::Work(goal) => at.work - goal,
        }
    }
}
