//! The bodies and points of an impact at several points, and their validation.

use crate::respond::collision_matrix::ContactBody;
use crate::respond::error::ImpactError;
use crate::respond::resolve::check_coefficients;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// A movable body that is struck; all vectors are in world axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StruckBody {
    /// Mass, kg.
    pub mass: f64,
    /// Inertia tensor about the centre of mass, kg m^2.
    pub inertia: DMat3,
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// Angular velocity, rad/s.
    pub spin: DVec3,
}

/// A point at which two bodies touch; all vectors are in world axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StruckPoint {
    /// Indices of the bodies a and b; `None` stands for an immovable body.
    pub bodies: [Option<usize>; 2],
    /// From the centres of mass of a and b to the point, m; that of an immovable body does not matter.
    pub arms: [DVec3; 2],
    /// What an immovable body that is on the move contributes to the velocity of a relative to b at the point, m/s; zero
    /// for one at rest.
    #[serde(default)]
    pub drift: DVec3,
    /// Unit normal, from b to a.
    pub normal: DVec3,
    /// Coulomb's coefficient of friction, at least 0.
    pub friction: f64,
    /// Stronge's coefficient of restitution, within [0, 1].
    pub restitution: f64,
}

/// Checks everything that does not need the velocities at the points.
pub(super) fn check(bodies: &[StruckBody], points: &[StruckPoint]) -> Result<(), ImpactError> {
    for body in bodies {
        ContactBody { mass: body.mass, inertia: body.inertia, arm: DVec3::ZERO }.share()?;
        if !(body.velocity.is_finite() && body.spin.is_finite()) {
            return Err(ImpactError::NotFinite { what: "velocity of a body" });
        }
    }
    points.iter().try_for_each(|point| check_point(bodies.len(), point))
}

fn check_point(bodies: usize, point: &StruckPoint) -> Result<(), ImpactError> {
    let StruckPoint { friction, restitution, normal, .. } = *point;
    if let Some(&body) = point.bodies.iter().flatten().find(|&&body| body >= bodies) {
        return Err(ImpactError::NoSuchBody { body });
    }
    if !point.arms.iter().all(|arm| arm.is_finite()) {
        return Err(ImpactError::NotFinite { what: "arm to the contact point" });
    }
    if !point.drift.is_finite() {
        return Err(ImpactError::NotFinite { what: "drift of a contact point" });
    }
    if !normal.is_finite() || (normal.length_squared() - 1.0).abs() > UNIT {
        return Err(ImpactError::Normal { length: normal.length() });
    }
    check_coefficients(friction, restitution)
}

/// Error of the squared length of a normal that counts as rounding.
const UNIT: f64 = 1e-6;
