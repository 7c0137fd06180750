//! Distance between any two shapes (section 2.2): which method serves which pair.

use super::closed::{Points, closest_points};
use super::half_space::{half_space_and_convex, half_spaces};
use super::search::{Rounded, SearchCache, closest_convex};
use super::{Core, Proximity};
use crate::geometry::Shape;
use crate::math::Pose;
use glam::DVec3;

/// What is remembered about a pair of shapes between two questions about it. Any value is valid; a good one saves time.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairCache {
    search: SearchCache,
}

/// Distance and closest points of two shapes, the second posed in the frame of the first.
pub fn closest(first: &Shape, second: &Shape, first_from_second: &Pose, cache: &mut PairCache) -> Proximity {
    match (first, second) {
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => half_spaces(a, b, first_from_second),
        (Shape::HalfSpace(a), _) => half_space_and_convex(a, &rounded(second), first_from_second),
        (_, Shape::HalfSpace(b)) => {
            half_space_and_convex(b, &rounded(first), &first_from_second.inverse()).swapped(first_from_second)
        }
        _ => closest_rounded(&rounded(first), &rounded(second), first_from_second, &mut cache.search),
    }
}

/// Two bounded convex bodies.
fn closest_rounded(
    first: &Rounded<'_>,
    second: &Rounded<'_>,
    first_from_second: &Pose,
    cache: &mut SearchCache,
) -> Proximity {
    match closest_points(&first.core, &second.core, first_from_second) {
        Some(points) => grown(points, first.radius, second.radius),
        None => closest_convex(first, second, first_from_second, cache),
    }
}

/// The answer for two bodies from the closest points of their cores.
fn grown(Points { a, b }: Points, first_radius: f64, second_radius: f64) -> Proximity {
    let length = a.distance(b);
    // Cores that meet are deep inside, in no particular direction.
    let normal = if length > 0.0 { (a - b) / length } else { DVec3::X };
    let distance = length - first_radius - second_radius;
    Proximity {
        distance: distance.max(0.0),
        on_first: a - normal * first_radius,
        on_second: b + normal * second_radius,
        normal,
        overlapping: distance <= 0.0,
        steps: 1,
    }
}

fn rounded(shape: &Shape) -> Rounded<'_> {
    let (core, radius) = match shape {
        Shape::Sphere(s) => (Core::Block(DVec3::ZERO), s.radius()),
        Shape::Cuboid(s) => (Core::Block(s.half_size()), 0.0),
        Shape::RoundedCuboid(s) => (Core::Block(s.core_half_size()), s.radius()),
        Shape::Capsule(s) => (Core::Block(DVec3::new(0.0, 0.0, 0.5 * s.length())), s.radius()),
        Shape::Cylinder(s) => (Core::Cylinder { radius: s.radius(), half: 0.5 * s.height() }, 0.0),
        Shape::Cone(s) => (Core::Cone { radius: s.radius(), half: 0.5 * s.height() }, 0.0),
        Shape::Ellipsoid(s) => (Core::Ellipsoid(s.semi_axes()), 0.0),
        Shape::Convex(s) => (Core::Polyhedron(s), 0.0),
        Shape::HalfSpace(_) => (Core::Block(DVec3::ZERO), 0.0),
    };
    Rounded { core, radius }
}

impl Proximity {
    /// The same answer with the roles of the shapes exchanged: from the frame of the first shape to that of the second.
    pub(super) fn swapped(self, second_from_first: &Pose) -> Self {
        Self {
            on_first: second_from_first.point(self.on_second),
            on_second: second_from_first.point(self.on_first),
            normal: -second_from_first.vector(self.normal),
            ..self
        }
    }
}
