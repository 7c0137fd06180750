//! Newton's law (3.1): the normal velocity ends at `-e` times that of approach.

use super::goal::NormalGoal;

pub(super) fn goal(e: f64, approach: f64) -> NormalGoal {
    NormalGoal::Velocity(-e * approach)
}
