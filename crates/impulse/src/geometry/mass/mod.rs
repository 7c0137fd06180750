//! Mass properties of bodies of uniform parts (thesis chapter 6).

pub mod integrals;
pub mod projection;
pub mod properties;

pub use integrals::VolumeIntegrals;
pub use properties::{MassError, MassProperties, PointMass, PrincipalFrame};
