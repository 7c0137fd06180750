//! How rigid bodies move between events (sections 2.3.3 and 2.5, appendix A.3).
//!
//! [`Motion`] is the closed enum of the ways to move and answers everything the rest asks. Free rotation is exact
//! ([`FreeRotation`]); a driven body's trajectory is a chain of Taylor polynomials ([`Driven`]); scripts are closed forms;
//! a body that a surface carries ([`Carried`]) moves as under a constant force and torque, or as integrated ahead ([`Guided`]); so does a link of a linkage
//! ([`LinkPath`]).

mod state;
mod launch;
mod bounds;
mod principal;
mod rotation;
mod polhode;
mod parabola;
mod ballistic;
mod driven;
mod script_error;
mod cycle;
mod keyframes;
mod scripted;
mod guided;
mod carried;
mod link;
mod motion;
mod trajectory;
mod member;
mod saved;
pub mod thesis;

pub use ballistic::Ballistic;
pub use bounds::{Range, SpinBounds};
pub use carried::Carried;
pub use cycle::{Cycle, ScriptClock};
pub use driven::Driven;
pub use guided::{GaussValues, Guided};
pub use keyframes::{Keyframe, Keyframes};
pub use launch::{Drive, Launch};
pub use link::{LinkNodes, LinkPath, LinkPiece};
pub(crate) use member::Member;
pub use motion::{Motion, PointOnBody, Resting};
pub use principal::{InverseMass, PrincipalMass};
pub use rotation::{Attitude, FreeRotation};
pub(crate) use saved::SavedMotion;
pub use script_error::ScriptError;
pub use scripted::Scripted;
pub use state::{Acceleration, State};
