//! Which bodies of a scene have the same shape, so that it is built, tessellated and stored once.

use super::description::{PartDescription, PolyhedronDescription, ShapeDescription, SolidDescription};
use impulse::geometry::Shape;
use impulse::math::Pose;
use std::sync::Arc;

/// Equal for equal shapes of one scene. Large solids are compared by address, so an identity is meaningful only as long as the
/// scene it was taken from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeIdentity(Vec<(SolidIdentity, [u64; 7])>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SolidIdentity {
    /// Address of a solid that clones share.
    Shared(usize),
    /// Address of a solid that is decomposed, and the limits: the relative error's bits, and the number of pieces.
    Decomposed(usize, u64, usize),
    /// All numbers of a primitive, as text that reads back exactly.
    Primitive(String),
}

impl ShapeDescription {
    /// What distinguishes this shape from the others of its scene. Densities and point masses do not count.
    pub fn identity(&self) -> ShapeIdentity {
        let part = |part: &PartDescription| (part.solid.identity(), bits(&part.shape_from_part));
        ShapeIdentity(self.parts.iter().map(part).collect())
    }
}

impl SolidDescription {
    pub(crate) fn identity(&self) -> SolidIdentity {
        match self {
            Self::Polyhedron(PolyhedronDescription { polyhedron, limits, .. }) => {
                let address = Arc::as_ptr(polyhedron).addr();
                SolidIdentity::Decomposed(address, limits.limit.to_bits(), limits.max_pieces)
            }
            Self::Convex(Shape::Convex(polyhedron)) => SolidIdentity::Shared(Arc::as_ptr(polyhedron).addr()),
            Self::Convex(shape) => SolidIdentity::Primitive(format!("{shape:?}")),
        }
    }
}

fn bits(pose: &Pose) -> [u64; 7] {
    let ([qx, qy, qz, qw], [x, y, z]) = (pose.rotation.to_array(), pose.translation.to_array());
    [qx, qy, qz, qw, x, y, z].map(f64::to_bits)
}
