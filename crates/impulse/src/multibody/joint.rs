//! Kinds of joints and where they sit in the links they join (section 4.2).

use crate::math::Pose;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A joint as it is placed in the world at the start, where all its coordinates are zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum JointPlace {
    /// Turns about an axis.
    Hinge {
        /// Direction of the axis.
        axis: DVec3,
        /// A point on it, m.
        through: DVec3,
    },
    /// Moves along an axis.
    Slider {
        /// Direction of the axis.
        axis: DVec3,
    },
    /// Turns in any way about a point.
    Socket {
        /// The point, m.
        through: DVec3,
    },
    /// Moves and turns in a plane.
    Planar {
        /// Direction across the plane.
        normal: DVec3,
    },
    /// Does not give way at all.
    Weld,
}

impl JointPlace {
    /// The axes of a plane with a unit normal, along which a planar joint counts: the first two of a right-handed frame.
    pub fn plane_axes(normal: DVec3) -> [DVec3; 2] {
        let (first, second) = normal.any_orthonormal_pair();
        [first, second]
    }
}

/// What a joint lets a link do relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// The link floats: six freedoms. Coordinates: position of the centre of mass, attitude (x, y, z, w).
    Floating,
    /// One angle, rad.
    Hinge,
    /// One length, m.
    Slider,
    /// Three freedoms. Coordinates: attitude of the link in the world (x, y, z, w). Rates: relative angular velocity in world axes.
    Socket,
    /// Three freedoms: two lengths, m, along axes that the parent carries ([`JointPlace::plane_axes`]), and an angle about its axis, rad.
    Planar,
    /// None.
    Weld,
}

impl JointKind {
    /// Number of coordinates.
    pub fn coordinates(self) -> usize {
        match self {
            Self::Floating => 7,
            Self::Hinge | Self::Slider => 1,
            Self::Planar => 3,
            Self::Socket => 4,
            Self::Weld => 0,
        }
    }

    /// Number of rates.
    pub fn freedoms(self) -> usize {
        match self {
            Self::Floating => 6,
            Self::Hinge | Self::Slider => 1,
            Self::Socket | Self::Planar => 3,
            Self::Weld => 0,
        }
    }
}

/// A joint between a link and its parent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// What it lets the link do.
    pub kind: JointKind,
    /// Unit vector along which, or about which, the link moves, or across the plane in which it does; parent's frame.
    pub axis: DVec3,
    /// The pivot, or the place of the link's centre of mass for sliders, planar joints and welds, in the parent's frame, m.
    pub on_parent: DVec3,
    /// The same point in the link's frame, m.
    pub on_link: DVec3,
    /// The link's attitude in the parent's frame at zero.
    pub parent_from_link: DQuat,
}

impl Joint {
    /// Of a link that floats.
    pub const FLOATING: Self = Self {
        kind: JointKind::Floating,
        axis: DVec3::Z,
        on_parent: DVec3::ZERO,
        on_link: DVec3::ZERO,
        parent_from_link: DQuat::IDENTITY,
    };

    /// The joint between a parent and a link that are in these poses at zero.
    pub fn new(place: &JointPlace, world_from_parent: &Pose, world_from_link: &Pose) -> Self {
        let own = world_from_link.translation;
        let (kind, axis, pivot) = match *place {
            JointPlace::Hinge { axis, through } => (JointKind::Hinge, axis.normalize(), through),
            JointPlace::Slider { axis } => (JointKind::Slider, axis.normalize(), own),
            JointPlace::Socket { through } => (JointKind::Socket, DVec3::Z, through),
            JointPlace::Planar { normal } => (JointKind::Planar, normal.normalize(), own),
            JointPlace::Weld => (JointKind::Weld, DVec3::Z, own),
        };
        Self {
            kind,
            axis: world_from_parent.inverse_vector(axis),
            on_parent: world_from_parent.inverse_point(pivot),
            on_link: world_from_link.inverse_point(pivot),
            parent_from_link: world_from_parent.rotation.conjugate() * world_from_link.rotation,
        }
    }
}
