//! The shapes a body may be made of, as one type (section 2.2).

use super::primitives::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, RoundedCuboid, Sphere};
use super::{Aabb, ConvexPolyhedron, Solid, TriangleMesh, VolumeIntegrals};
use crate::math::Pose;
use glam::DVec3;
use std::sync::Arc;

/// A convex shape in its own frame.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A ball.
    Sphere(Sphere),
    /// A box.
    Cuboid(Cuboid),
    /// A box with rounded edges and corners.
    RoundedCuboid(RoundedCuboid),
    /// A segment with thickness.
    Capsule(Capsule),
    /// A circular cylinder.
    Cylinder(Cylinder),
    /// A circular cone.
    Cone(Cone),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A convex polyhedron.
    Convex(Arc<ConvexPolyhedron>),
    /// Everything on one side of a plane; the only shape without bounds.
    HalfSpace(HalfSpace),
}

impl Shape {
    /// Whether the shape has bounds: only then does it have a volume, extreme points and a closed mesh.
    pub fn is_bounded(&self) -> bool {
        self.solid().is_ok()
    }

    /// The point farthest along `direction`, see [`Solid::support`]; `None` for a half-space.
    pub fn support(&self, direction: DVec3) -> Option<DVec3> {
        self.solid().ok().map(|solid| solid.support(direction))
    }

    /// Radius of the smallest ball about `centre` that contains the shape, metres; infinite for a half-space.
    pub fn bounding_radius(&self, centre: DVec3) -> f64 {
        self.solid().map_or(f64::INFINITY, |solid| solid.bounding_radius(centre))
    }

    /// The smallest axis-aligned box around the posed shape; that of a half-space is unbounded.
    pub fn aabb(&self, world_from_shape: &Pose) -> Aabb {
        match self.solid() {
            Ok(solid) => solid.aabb(world_from_shape),
            Err(half_space) => half_space.aabb(world_from_shape),
        }
    }

    /// The ten volume integrals (6.1) about the origin of the shape's frame; `None` for a half-space.
    pub fn volume_integrals(&self) -> Option<VolumeIntegrals> {
        self.solid().ok().map(Solid::volume_integrals)
    }

    /// A closed triangle mesh, see [`Solid::tessellate`]; `None` for a half-space, of which [`HalfSpace::patch`] shows a piece.
    pub fn tessellate(&self, deviation: f64) -> Option<TriangleMesh> {
        self.solid().ok().map(|solid| solid.tessellate(deviation))
    }

    /// The shape as a bounded solid, or the half-space that it is instead.
    fn solid(&self) -> Result<&dyn Solid, &HalfSpace> {
        match self {
            Self::Sphere(s) => Ok(s),
            Self::Cuboid(s) => Ok(s),
            Self::RoundedCuboid(s) => Ok(s),
            Self::Capsule(s) => Ok(s),
            Self::Cylinder(s) => Ok(s),
            Self::Cone(s) => Ok(s),
            Self::Ellipsoid(s) => Ok(s),
            Self::Convex(s) => Ok(s.as_ref()),
            Self::HalfSpace(h) => Err(h),
        }
    }
}

macro_rules! impl_from {
    ($($kind:ident),*) => {
        $(impl From<$kind> for Shape {
            fn from(shape: $kind) -> Self {
                Self::$kind(shape)
            }
        })*
    };
}

impl_from!(Sphere, Cuboid, RoundedCuboid, Capsule, Cylinder, Cone, Ellipsoid, HalfSpace);

impl From<ConvexPolyhedron> for Shape {
    fn from(shape: ConvexPolyhedron) -> Self {
        Self::Convex(Arc::new(shape))
    }
}
