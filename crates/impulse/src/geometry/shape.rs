//! The shapes of bodies as one type (section 2.2), and compounds, which are made of shapes again.

use super::box_tree::BoxTree;
use super::polyhedron::{farthest, scan_support};
use super::primitives::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, RoundedCuboid, Sphere};
use super::{Aabb, ConvexPolyhedron, Solid, StaticMesh, TriangleMesh, VolumeIntegrals};
use crate::math::Pose;
use glam::DVec3;
use std::sync::Arc;

/// A shape in its own frame. Clones share the data of large shapes.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{Cuboid, HalfSpace, Shape};
///
/// let shapes: [Shape; 2] = [Cuboid::new(DVec3::ONE)?.into(), HalfSpace::new(DVec3::Z, 0.0)?.into()];
/// assert_eq!(shapes.map(|shape| shape.is_bounded()), [true, false]);
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Shape {
    /// A ball.
    Sphere(Sphere),
    /// A box.
    Cuboid(Cuboid),
    /// A box with rounded edges and corners.
    RoundedCuboid(RoundedCuboid),
    /// A segment with a radius.
    Capsule(Capsule),
    /// A circular cylinder.
    Cylinder(Cylinder),
    /// A circular cone.
    Cone(Cone),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A convex polyhedron.
    Convex(Arc<ConvexPolyhedron>),
    /// A union of convex pieces.
    Compound(Arc<Compound>),
    /// Everything on one side of a plane; the only unbounded shape.
    HalfSpace(HalfSpace),
    /// A surface without volume, which no impulse moves.
    Mesh(Arc<StaticMesh>),
}

/// A union of convex pieces.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{Compound, Cuboid, Piece, Shape, Solid, Sphere};
/// use impulse::math::Pose;
///
/// // A lollipop: a stick and a ball at its upper end.
/// let stick = Cuboid::new(DVec3::new(0.004, 0.004, 0.1))?;
/// let ball = Sphere::new(0.01)?;
/// let lollipop = Compound::new(vec![
///     Piece { shape: Shape::from(stick), compound_from_piece: Pose::IDENTITY },
///     Piece { shape: Shape::from(ball), compound_from_piece: Pose::from_translation(DVec3::new(0.0, 0.0, 0.06)) },
/// ])?;
/// assert!(lollipop.volume_integrals().centroid.z > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compound {
    pub(super) pieces: Vec<Piece>,
    /// Balls around the pieces.
    pub(super) balls: Vec<Ball>,
    pub(super) tree: BoxTree,
    /// The hull of every inner node of the tree; leaves have none.
    pub(super) hulls: Vec<Option<Wrapping>>,
    pub(super) integrals: VolumeIntegrals,
}

/// A bounded convex shape in the frame of the compound.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The shape.
    pub shape: Shape,
    /// Its pose in the compound.
    pub compound_from_piece: Pose,
}

/// Centre (in the frame of the compound) and radius of a ball, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub(super) centre: DVec3,
    pub(super) radius: f64,
}

/// A convex body around all pieces below a node: everything within `margin` of a polyhedron.
#[derive(Clone, Debug)]
pub(super) struct Wrapping {
    pub(super) hull: ConvexPolyhedron,
    /// How far curved pieces may reach beyond the hull, m.
    pub(super) margin: f64,
}

impl Shape {
    /// Whether the shape is bounded: all but half-spaces are.
    pub fn is_bounded(&self) -> bool {
        !matches!(self, Self::HalfSpace(_))
    }

    /// Whether nothing of its surface is round.
    pub(crate) fn is_angular(&self) -> bool {
        match self {
            Self::HalfSpace(_) | Self::Cuboid(_) | Self::Convex(_) | Self::Mesh(_) => true,
            Self::Compound(compound) => compound.pieces().iter().all(|piece| piece.shape.is_angular()),
            Self::Sphere(_)
            | Self::RoundedCuboid(_)
            | Self::Capsule(_)
            | Self::Cylinder(_)
            | Self::Cone(_)
            | Self::Ellipsoid(_) => false,
        }
    }

    /// The point farthest along `direction`, see [`Solid::support`]; `None` for a half-space.
    pub fn support(&self, direction: DVec3) -> Option<DVec3> {
        match self {
            Self::Mesh(mesh) => Some(scan_support(&mesh.mesh().vertices, direction)),
            _ => self.as_solid().map(|solid| solid.support(direction)),
        }
    }

    /// Radius of the smallest ball about `centre` that contains the shape, metres; infinite for a half-space.
    pub fn bounding_radius(&self, centre: DVec3) -> f64 {
        match self {
            Self::Mesh(mesh) => farthest(&mesh.mesh().vertices, centre),
            _ => self.as_solid().map_or(f64::INFINITY, |solid| solid.bounding_radius(centre)),
        }
    }

    /// The smallest axis-aligned box around the posed shape; that of a half-space is unbounded.
    pub fn aabb(&self, world_from_shape: &Pose) -> Aabb {
        match self {
            Self::HalfSpace(half_space) => half_space.aabb(world_from_shape),
            Self::Mesh(mesh) => Aabb::of_points(mesh.mesh().vertices.iter().map(|&v| world_from_shape.point(v))),
            _ => self.as_solid().map_or(Aabb::EMPTY, |solid| solid.aabb(world_from_shape)),
        }
    }

    /// Whether it is made of parts: a compound or a static mesh.
    pub fn has_parts(&self) -> bool {
        matches!(self, Self::Compound(_) | Self::Mesh(_))
    }

    /// The ten volume integrals (6.1) about the origin of the shape's frame; `None` for half-spaces and static meshes.
    pub fn volume_integrals(&self) -> Option<VolumeIntegrals> {
        self.as_solid().map(Solid::volume_integrals)
    }

    /// A triangle mesh, closed except for static meshes, see [`Solid::tessellate`]; `None` for a half-space, of which
    /// [`HalfSpace::patch`] shows a piece.
    pub fn tessellate(&self, deviation: f64) -> Option<TriangleMesh> {
        match self {
            Self::Mesh(mesh) => Some(mesh.mesh().clone()),
            _ => self.as_solid().map(|solid| solid.tessellate(deviation)),
        }
    }

    /// The shape as a bounded solid; `None` for half-spaces and static meshes.
    pub fn as_solid(&self) -> Option<&dyn Solid> {
        match self {
            Self::Sphere(s) => Some(s),
            Self::Cuboid(s) => Some(s),
            Self::RoundedCuboid(s) => Some(s),
            Self::Capsule(s) => Some(s),
            Self::Cylinder(s) => Some(s),
            Self::Cone(s) => Some(s),
            Self::Ellipsoid(s) => Some(s),
            Self::Convex(s) => Some(s.as_ref()),
            Self::Compound(s) => Some(s.as_ref()),
            Self::HalfSpace(_) | Self::Mesh(_) => None,
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

macro_rules! impl_from_shared {
    ($($kind:ident => $variant:ident),*) => {
        $(impl From<$kind> for Shape {
            fn from(shape: $kind) -> Self {
                Self::$variant(Arc::new(shape))
            }
        })*
    };
}

impl_from_shared!(ConvexPolyhedron => Convex, Compound => Compound, StaticMesh => Mesh);
