//! What an impact at several points leaves behind.

use super::input::StruckPoint;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The outcome of an impact at several points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StruckOutcome {
    /// Linear and angular velocity of every body after the impact, m/s and rad/s, world axes.
    pub velocities: Vec<(DVec3, DVec3)>,
    /// Impulse on body `a` of every point, N s, world axes; body `b` receives its negative.
    pub impulses: Vec<DVec3>,
    /// Energy lost at every point, J.
    pub point_losses: Vec<f64>,
    /// Energy lost, J: the sum over the points. It is kinetic energy of the bodies and work of driven surfaces.
    pub energy_lost: f64,
    /// Whether the impact was followed to its natural end. Otherwise it took too many steps, as jammed points may, and it is
    /// plastic and without friction: no energy is gained, but neither restitution nor friction is what was asked.
    pub complete: bool,
    /// Steps of integration, 0 where a closed form holds.
    pub steps: usize,
}

/// Share of the largest velocity at which a point surely is left approaching.
const APPROACHING: f64 = 1e-6;

impl StruckOutcome {
    /// Whether all velocities are numbers.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.velocities.iter().all(|(velocity, spin)| velocity.is_finite() && spin.is_finite())
    }

    /// Whether a point still approaches: driven surfaces close in on a body from two sides, and nothing can stop them.
    #[must_use]
    pub fn left_approaching(&self, points: &[StruckPoint]) -> bool {
        let rate = |point: &StruckPoint| point.relative_velocity(&self.velocities).dot(point.normal);
        let speed =
            |point: &StruckPoint| point.velocities(&self.velocities).map(DVec3::length).into_iter().fold(0.0, f64::max);
        let fastest = points.iter().map(speed).fold(0.0, f64::max);
        points.iter().any(|point| rate(point) < -APPROACHING * fastest)
    }
}
