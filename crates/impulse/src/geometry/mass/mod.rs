//! Mass properties of bodies of uniform parts (thesis chapter 6).

mod integrals;
#[doc(hidden)] // Public for the benchmark of the integrals alone.
pub mod projection;
mod properties;

pub use integrals::VolumeIntegrals;
pub use properties::{MassError, MassProperties, PointMass, PrincipalFrame};
