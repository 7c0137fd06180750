//! Friction and restitution of two surfaces (thesis 3.1).

use super::restitution::Law;
use serde::{Deserialize, Serialize};

/// Friction and restitution of a pair of surfaces, as impacts need them.
///
/// ```
/// use impulse::respond::{Law, Material};
///
/// let rubber_on_steel = Material { friction: 0.8, restitution: 0.7, law: Law::Stronge };
/// assert_eq!(rubber_on_steel.law, Law::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Coulomb's coefficient of friction (Assumption 3), at least 0.
    pub friction: f64,
    /// Coefficient of restitution, within [0, 1].
    pub restitution: f64,
    /// The law of restitution that the coefficient belongs to.
    pub law: Law,
}
