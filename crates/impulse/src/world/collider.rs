//! What is detected: a shape, its place in a body, and its box (sections 2.4.3, 2.5).

use super::index::{BodyId, GroupIndex, MemberIndex};
use super::material::MaterialId;
use crate::body::{Member, State};
use crate::detect::{MovingShape, Vectors};
use crate::geometry::{Plane, Shape};
use crate::math::Pose;
use glam::DVec3;

/// The shape of a body in the world. In this order, so that what pairs ask for shares a cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Collider {
    pub(crate) id: BodyId,
    /// The group that moves it, and which of its members it is.
    pub(crate) group: GroupIndex,
    pub(crate) member: MemberIndex,
    /// The queue's slot of the box's expiry.
    pub(crate) expiry_slot: u32,
    /// When its box expires, s.
    pub(crate) expiry: f64,
    pub(crate) material: MaterialId,
    /// Bounding radius about the centre of mass, m; infinite for half-spaces.
    pub(crate) radius: f64,
    /// Radius, if the shape is a ball about the centre of mass.
    pub(crate) ball: Option<f64>,
    /// Its boundary in the world frame, if it is a half-space that stands still.
    pub(crate) wall: Option<Plane>,
    /// Where the shape sits in the body frame, whose origin is the centre of mass.
    pub(crate) body_from_shape: Pose,
    /// Largest coordinates of the shape in the body frame, in absolute value, m.
    pub(crate) extents: DVec3,
    pub(crate) shape: Shape,
    pub(crate) name: String,
}

/// What a collider is made from.
#[derive(Clone, Debug)]
pub(crate) struct ColliderSpec {
    pub(crate) id: BodyId,
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) material: MaterialId,
    pub(crate) body_from_shape: Pose,
}

impl Collider {
    /// A collider that is not yet in the broad phase and the queue.
    pub(crate) fn new(spec: ColliderSpec, group: GroupIndex, member: Member<'_>) -> Self {
        let ColliderSpec { id, name, shape, material, body_from_shape } = spec;
        let centre = body_from_shape.inverse().translation;
        let bounds = shape.aabb(&body_from_shape);
        let ball = match &shape {
            // A ball that is fixed or scripted has its centre as the body's centre too.
            Shape::Sphere(s) if centre.length() <= 1e-15 * s.radius() => Some(s.radius()),
            _ => None,
        };
        let wall = match &shape {
            Shape::HalfSpace(h) if member.is_fixed() => {
                let pose = member.pose_at(0.0);
                let normal = pose.vector(h.normal()).normalize();
                Some(Plane { normal, offset: h.offset() + pose.translation.dot(normal) })
            }
            _ => None,
        };
        Self {
            id,
            group,
            member: MemberIndex(0),
            expiry_slot: u32::MAX,
            expiry: f64::INFINITY,
            material,
            radius: shape.bounding_radius(centre),
            ball,
            wall,
            body_from_shape,
            extents: bounds.min.abs().max(bounds.max.abs()),
            shape,
            name,
        }
    }

    /// Speed that no point of the surface exceeds by much in a state, m/s.
    pub(crate) fn surface_speed(&self, state: &State) -> f64 {
        // Half-spaces do not turn.
        let turning = if state.spin == DVec3::ZERO { 0.0 } else { state.spin.length() * self.radius };
        state.velocity.abs().max_element() + turning
    }

    /// The shape on its trajectory, as the search for a time of impact sees it.
    pub(crate) fn moving<'a>(&'a self, member: Member<'a>) -> MovingShape<'a> {
        MovingShape {
            trajectory: member.trajectory(),
            shape: &self.shape,
            body_from_shape: self.body_from_shape,
            points: Vectors { extents: self.extents, length: self.radius },
            ball: self.ball,
        }
    }
}
