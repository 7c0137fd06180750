//! How rigid bodies move between events (sections 2.3.3 and 2.5, appendix A.3).

mod principal;
mod rotation;

pub use principal::{InverseMass, PrincipalMass};
pub use rotation::{Attitude, FreeRotation};
