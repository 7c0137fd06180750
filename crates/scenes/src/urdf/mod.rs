//! Robots from files in the Unified Robot Description Format (URDF): links, joints, shapes and inertias, as plain data.
//!
//! [`parse`] reads the XML, [`Skeleton`] merges what fixed joints hold together. Scripts put robots into scenes with `robot(file)`. The
//! modules stand in reading order.

mod error;
#[cfg(feature = "urdf")]
mod xml;
mod model;
#[cfg(feature = "urdf")]
mod frames;
#[cfg(feature = "urdf")]
mod links;
#[cfg(feature = "urdf")]
mod joints;
#[cfg(feature = "urdf")]
mod tree;
#[cfg(feature = "urdf")]
mod read;
mod skeleton;
mod doubts;

pub use doubts::{Doubt, doubts};
pub use error::{UrdfError, UrdfFault};
pub use model::{Dynamics, Form, Geometry, Inertial, Joint, JointType, Link, MAX_BYTES, Robot};
#[cfg(feature = "urdf")]
pub use read::parse;
pub use skeleton::{Member, Moving, Rigid, Skeleton};
