//! Robots from files in the Unified Robot Description Format (URDF): links, joints, shapes and inertias, as plain data.
//!
//! [`parse`] reads the XML, [`Skeleton`] merges what fixed joints hold together. Scripts put robots into scenes with `robot(file)`. The
//! modules stand in reading order.

mod error;
mod xml;
mod model;
mod frames;
mod links;
mod joints;
mod tree;
mod read;
mod skeleton;
mod doubts;

pub use doubts::{Doubt, doubts};
pub use error::{UrdfError, UrdfFault};
pub use model::{Dynamics, Form, Geometry, Inertial, Joint, JointType, Link, Robot};
pub use read::{MAX_BYTES, parse};
pub use skeleton::{Member, Moving, Rigid, Skeleton};
