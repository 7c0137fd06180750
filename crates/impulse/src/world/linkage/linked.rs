//! A linkage among the bodies of a world.

use super::super::index::{BodyId, ColliderIndex, LinkageIndex};
use crate::multibody::{Linkage, StopBlow};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A linkage and its bodies.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    pub(crate) linkage: Linkage,
    /// The body of each link.
    pub(crate) colliders: Vec<ColliderIndex>,
    /// What the first link is joined to; none for the ground, or where it floats.
    pub(crate) base: Option<ColliderIndex>,
    /// Blows on stops at one instant.
    pub(crate) blows: Vec<StopBlow>,
    /// When it hopped last, s.
    pub(crate) kicked: f64,
    /// What acted within bounds in each link's joint then, N m s or N s.
    pub(crate) kicks: Vec<f64>,
}

/// The place of a body in its linkage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkPlace {
    pub(crate) linkage: LinkageIndex,
    pub(crate) link: u32,
    /// Whether links of this linkage that share no joint collide.
    pub(crate) meets_own: bool,
}

/// A joint of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JointId(pub(crate) u32);

/// A joint as it was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NamedJoint {
    pub(crate) name: String,
    pub(crate) bodies: [Option<BodyId>; 2],
    pub(crate) linkage: LinkageIndex,
    /// The link whose joint to its parent it is.
    pub(crate) link: u32,
    /// Whether the second body is the parent.
    pub(crate) reversed: bool,
}

/// A joint that has come to its stop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StopRecord {
    /// When, s.
    pub time: f64,
    /// The joint.
    pub joint: JointId,
    /// Its two bodies; none for the ground.
    pub bodies: [Option<BodyId>; 2],
    /// Where the joint is, m: the point through which a hinge or socket goes, or the centre of mass of what slides.
    pub point: DVec3,
    /// Axis of the joint, or of the turning that a cone stops, world frame.
    pub axis: DVec3,
    /// Rate of the second body relative to the first before, rad/s or m/s.
    pub before: f64,
    /// The same after.
    pub after: f64,
    /// Impulse on the second body along the axis, N m s or N s.
    pub impulse: f64,
    /// Kinetic energy lost, J.
    pub energy_lost: f64,
}
