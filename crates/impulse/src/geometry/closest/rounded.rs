//! Convex shapes as cores with a radius (section 2.2).

use super::core::Core;
use crate::geometry::Shape;
use glam::DVec3;

/// A convex body: everything within `radius` of a core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounded<'a> {
    /// The body that the ball is swept over.
    pub(super) core: Core<'a>,
    /// Radius of the ball, m; may be zero.
    pub(super) radius: f64,
}

/// A convex shape as a core with a radius.
pub(super) fn convex(shape: &Shape) -> Option<Rounded<'_>> {
    let (core, radius) = match shape {
        Shape::Sphere(s) => (Core::block(DVec3::ZERO), s.radius()),
        Shape::Cuboid(s) => (Core::Block { half: s.half_size(), polyhedron: s.polyhedron() }, 0.0),
        Shape::RoundedCuboid(s) => (Core::block(s.core_half_size()), s.radius()),
        Shape::Capsule(s) => (Core::block(DVec3::new(0.0, 0.0, 0.5 * s.length())), s.radius()),
        Shape::Cylinder(s) => (Core::Cylinder { radius: s.radius(), half: 0.5 * s.height() }, 0.0),
        Shape::Cone(s) => (Core::Cone { radius: s.radius(), half: 0.5 * s.height() }, 0.0),
        Shape::Ellipsoid(s) => (Core::Ellipsoid(s.semi_axes()), 0.0),
        Shape::Convex(s) => (Core::Polyhedron(s), 0.0),
        Shape::Compound(_) | Shape::HalfSpace(_) | Shape::Mesh(_) => return None,
    };
    Some(Rounded { core, radius })
}

/// A shape known to be bounded and convex.
pub(super) fn rounded(shape: &Shape) -> Rounded<'_> {
    convex(shape).expect("parts of assemblies are bounded and convex")
}
