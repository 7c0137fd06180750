//! Friction and restitution of two surfaces (thesis 3.1).

use super::restitution::Law;
use serde::{Deserialize, Serialize};

/// What two surfaces do to each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Coulomb's coefficient of friction (Assumption 3), at least 0.
    pub friction: f64,
    /// Coefficient of restitution, within [0, 1].
    pub restitution: f64,
    /// The law the coefficient of restitution belongs to.
    pub law: Law,
}
