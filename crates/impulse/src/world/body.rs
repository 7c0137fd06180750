//! A body of the world: a shape on a motion (section 2.5).

use super::material::MaterialId;
use super::rest::Rest;
use crate::body::{Motion, Scripted};
use crate::geometry::{MassProperties, Plane, Shape};
use crate::math::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A body of a world. The id of a body that was removed is never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyId {
    pub(super) slot: u32,
    /// How many bodies were in that place before.
    pub(super) generation: u32,
}

impl BodyId {
    /// A number from 0, given in the order of adding. Those of removed bodies are given again.
    pub fn index(self) -> usize {
        self.slot as usize
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
    pub(super) id: BodyId,
    /// Whether there is a body in this place; all the rest is void where there is none.
    pub(super) present: bool,
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
    /// Where its hops begin and end, and how many have.
    pub(super) stillness: Stillness,
    /// Where it has stayed.
    pub(super) rest: Rest,
}

/// How long a body in lasting contact has been where it is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Stillness {
    /// `world_from_body`.
    pub(super) pose: Pose,
    /// When it was there last, s.
    pub(super) time: f64,
    /// Hops that ended there.
    pub(super) hops: u32,
    /// Hops since the last of them.
    pub(super) away: u32,
}

/// What a body is made from.
pub(super) struct Given {
    pub(super) id: BodyId,
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) material: MaterialId,
    pub(super) motion: Motion,
    pub(super) body_from_shape: Pose,
}

impl Body {
    /// A body that is not yet in the broad phase and the queue.
    pub(super) fn new(given: Given, now: f64) -> Self {
        let Given { id, name, shape, material, motion, body_from_shape } = given;
        let centre = body_from_shape.inverse().translation;
        let bounds = shape.aabb(&body_from_shape);
        let ball = match &shape {
            // A ball that is fixed or scripted has its centre as the body's centre too.
            Shape::Sphere(s) if centre.length() <= 1e-15 * s.radius() => Some(s.radius()),
            _ => None,
        };
        let wall = match (&motion, &shape) {
            (Motion::Fixed(pose), Shape::HalfSpace(h)) => {
                let normal = pose.vector(h.normal()).normalize();
                Some(Plane { normal, offset: h.offset() + pose.translation.dot(normal) })
            }
            _ => None,
        };
        Self {
            id,
            present: true,
            radius: shape.bounding_radius(centre),
            extents: bounds.min.abs().max(bounds.max.abs()),
            rest: Rest::new(motion.pose_at(now), now),
            expiry: f64::INFINITY,
            expiry_slot: u32::MAX,
            name,
            shape,
            material,
            motion,
            body_from_shape,
            ball,
            wall,
            lasting_until: f64::NEG_INFINITY,
            stillness: Stillness { pose: Pose::IDENTITY, time: 0.0, hops: 0, away: 0 },
        }
    }

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

    /// Until when it pays to predict its encounters, s: where flight is a closed form, for ever. Bodies in lasting contact hop
    /// again soon.
    pub(super) fn horizon(&self, now: f64) -> f64 {
        match self.motion {
            Motion::Driven(_) => self.expiry,
            Motion::Ballistic(_) if self.lasting_until > now => self.lasting_until,
            _ => f64::INFINITY,
        }
    }
}
