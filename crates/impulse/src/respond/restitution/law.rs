//! The choice of a law of restitution (3.1).

use super::goal::{Normal, NormalGoal};
use super::{newton, poisson, stronge};
use serde::{Deserialize, Serialize};

/// A law of restitution; `e` is its coefficient in [0, 1]. With `e = 0` every law ends the impact at maximum compression.
///
/// ```
/// use impulse::respond::{Impact, Law, Material, resolve};
/// use impulse::{DMat3, DVec3};
///
/// // Without friction the three laws agree: the ball leaves with half its velocity.
/// for law in [Law::Stronge, Law::Poisson, Law::Newton] {
///     let material = Material { friction: 0.0, restitution: 0.5, law };
///     let outcome = resolve(&Impact { matrix: DMat3::IDENTITY, material, velocity: -2.0 * DVec3::Z })?;
///     assert!((outcome.velocity.z - 1.0).abs() < 1e-12);
/// }
/// # Ok::<(), impulse::respond::ImpactError>(())
/// ```
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

impl Law {
    /// The goal that ends the impact, known at maximum compression; `approach` is the normal velocity at the start, m/s.
    pub(in crate::respond) fn goal(self, e: f64, compressed: &Normal, approach: f64) -> NormalGoal {
        match self {
            Self::Stronge => stronge::goal(e, compressed),
            Self::Poisson => poisson::goal(e, compressed),
            Self::Newton => newton::goal(e, approach),
        }
    }
}
