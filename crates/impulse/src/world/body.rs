//! A body of the world: a shape on a motion (section 2.5).

use super::material::MaterialId;
use crate::body::{Motion, Scripted};
use crate::geometry::{MassProperties, Plane, Shape};
use crate::math::Pose;
use glam::DVec3;

/// A body of a world: its number, given in the order of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(super) u32);

impl BodyId {
    /// The number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a body is made of and how it starts.
#[derive(Clone, Debug)]
pub struct BodySpec {
    /// A name that no other body has.
    pub name: String,
    /// The shape, in its own frame.
    pub shape: Shape,
    /// Where that frame starts.
    pub world_from_shape: Pose,
    /// What the surface is made of.
    pub material: MaterialId,
    /// How it moves.
    pub motion: MotionSpec,
}

/// How a body moves.
#[derive(Clone, Debug)]
pub enum MotionSpec {
    /// Not at all.
    Fixed,
    /// Freely, from a start.
    Free {
        /// Mass properties.
        mass: MassSpec,
        /// Velocity of the centre of mass, world frame, m/s.
        velocity: DVec3,
        /// Angular velocity in the shape's frame, rad/s.
        spin: DVec3,
    },
    /// On an unalterable trajectory.
    Scripted {
        /// The trajectory of the frame whose origin is the centre and whose axes are the shape's.
        script: Scripted,
        /// That centre in the shape's frame, m.
        centre: DVec3,
    },
}

/// Where a free body's mass properties come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MassSpec {
    /// From the shape, at this density, kg/m^3.
    Density(f64),
    /// From the shape, scaled to this mass, kg.
    Mass(f64),
    /// As given, in the shape's frame.
    Properties(MassProperties),
}

/// A body in the world. In this order, so that what pairs ask for shares a cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Body {
    /// When its box expires, s.
    pub(super) expiry: f64,
    /// The queue's slot of that.
    pub(super) expiry_slot: u32,
    pub(super) material: MaterialId,
    /// Bounding radius about the centre of mass, m; infinite for half-spaces.
    pub(super) radius: f64,
    /// Radius, if the shape is a ball about the centre of mass.
    pub(super) ball: Option<f64>,
    pub(super) motion: Motion,
    /// Its boundary in the world frame, if the body is a half-space.
    pub(super) wall: Option<Plane>,
    /// Where the shape sits in the body frame, whose origin is the centre of mass.
    pub(super) body_from_shape: Pose,
    /// Largest coordinates of the shape in the body frame, in absolute value, m.
    pub(super) extents: DVec3,
    pub(super) shape: Shape,
    pub(super) name: String,
    /// Until when its last hop makes it one in lasting contact, s.
    pub(super) lasting_until: f64,
    /// Where it was in its last hop, and in how many hops it has not moved from there.
    pub(super) stillness: Stillness,
}

/// How long a body in lasting contact has been where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stillness {
    /// `world_from_body`.
    pub(super) pose: Pose,
    /// Hops.
    pub(super) hops: u32,
}

impl Body {
    /// Whether it rests until something touches it.
    pub(super) fn is_frozen(&self) -> bool {
        matches!(self.motion, Motion::Resting(_))
    }

    /// Whether it does not move as things are.
    pub(super) fn stands(&self) -> bool {
        self.is_fixed() || self.is_frozen()
    }

    /// Whether nothing ever moves it.
    pub(super) fn is_fixed(&self) -> bool {
        matches!(self.motion, Motion::Fixed(_))
    }

    /// Whether impulses move it.
    pub(super) fn is_free(&self) -> bool {
        self.motion.mass().is_some()
    }

    /// Until when it pays to predict its encounters, s: where flight is a closed form, for ever.
    pub(super) fn horizon(&self) -> f64 {
        if matches!(self.motion, Motion::Driven(_)) { self.expiry } else { f64::INFINITY }
    }
}
