//! The pieces that the path of an impact is made of (3.3).

use super::panel::Panel;
use super::progress::Stretch;
use super::straight::Straight;
use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// A point on the path of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PathPoint {
    /// Normal impulse so far, N s.
    pub normal_impulse: f64,
    /// Relative velocity, m/s.
    pub velocity: DVec3,
    /// Normal work so far, J.
    pub normal_work: f64,
}

/// A piece of the path.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathPiece<'a> {
    /// Sliding that turns.
    Turning(&'a Panel),
    /// Tangential velocity linear in `p_z`.
    Straight { stretch: &'a Straight, from: DVec2, rate: DVec2 },
}

impl PathPiece<'_> {
    pub(super) fn point(&self, s: f64) -> PathPoint {
        let (normal, tangential) = match self {
            Self::Turning(panel) => {
                let (_, sliding) = panel.state(s);
                (sliding.normal, sliding.direction * sliding.speed)
            }
            Self::Straight { stretch, from, rate } => (stretch.normal(s), *from + *rate * s),
        };
        PathPoint {
            normal_impulse: normal.impulse,
            velocity: tangential.extend(normal.velocity),
            normal_work: normal.work,
        }
    }
}
