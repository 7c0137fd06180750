//! Lasting contact (sections 3.5 and 8.1, done differently): impulses at all near points of touching bodies, found together.
//!
//! Bodies in lasting contact hop: an impulse at every contact point sends them on a short flight, at whose end all gaps are
//! what they were, with zero mean slip where friction holds. The flights are so short that they look like rest, rolling or
//! sliding. Everything here is plain data; the world decides which bodies hop and when.

mod problem;
mod flat;
mod tie;
mod cone;
mod sweep;
mod order;
mod block;
mod pattern;
mod jointed;
mod sparse;
mod general;
mod resist;
mod ties;
mod mixing;
mod newton;
mod second_order_cone;
mod inside_bound;
mod interior;
mod law;
mod joint;
mod rough;
mod direct;
mod solve;
mod reconcile;
mod ball_on_plane;
mod flat_on_plane;
mod point_on_plane;
mod guide;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod jointed_tests;

pub use ball_on_plane::{BallOnPlane, BallVelocities, Landing, Phase, Stop};
pub use flat_on_plane::{FlatLanding, FlatOnPlane, Slide};
pub(crate) use guide::bisect;
pub use guide::{Guide, Piece};
pub use point_on_plane::{Ahead, Carpet, Grip, Held, Hinge, Mode, PointOnPlane};
pub use problem::{ContactPoint, Mover, MoverIndex};
pub use resist::Resistance;
pub use solve::{JointSolver, Problem, Solved};
pub use tie::{Bound, Tie, Velocity};
pub use ties::Ties;
