//! Distance between any two shapes (section 2.2): convex pairs, shapes of many parts, half-spaces.

use super::assembly::{Assemblies, Assembly};
use super::bounds::Bounds;
use super::convex_pair::closest_parts;
use super::descent::{self, Triangles, nearest};
use super::half_space::{half_space_and_convex, half_spaces};
use super::memory::PairCache;
use super::part_pair::PartPair;
use super::proximity::Proximity;
use super::rounded::convex;
use crate::geometry::{HalfSpace, Shape};
use crate::math::Pose;
use glam::DVec3;

/// Two shapes, the second posed in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub struct ShapePair<'a> {
    /// The first shape.
    pub first: &'a Shape,
    /// The second shape.
    pub second: &'a Shape,
    /// The pose of the second shape.
    pub first_from_second: &'a Pose,
}

/// Distance and closest points of two shapes, the second posed in the frame of the first.
///
/// For shapes of many parts this is the pair of parts with the smallest distance, or some pair that overlaps.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::closest::{PairCache, closest};
/// use impulse::geometry::{Cuboid, Shape, Sphere};
/// use impulse::math::Pose;
///
/// let cube: Shape = Cuboid::new(DVec3::ONE)?.into();
/// let ball: Shape = Sphere::new(0.5)?.into();
/// let mut cache = PairCache::default();
/// let found = closest(&cube, &ball, &Pose::from_translation(DVec3::new(0.0, 0.0, 2.0)), &mut cache);
/// assert_eq!(found.distance, 1.0);
/// assert_eq!((found.on_first, found.on_second), (0.5 * DVec3::Z, 1.5 * DVec3::Z));
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
pub fn closest(first: &Shape, second: &Shape, first_from_second: &Pose, cache: &mut PairCache) -> Proximity {
    if let (Some(a), Some(b)) = (convex(first), convex(second)) {
        let found = closest_parts(&a, &b, first_from_second, f64::INFINITY, cache.only());
        return found.expect("no distance exceeds infinity");
    }
    let pair = ShapePair { first, second, first_from_second };
    if let Some(found) = nearest_to_half_space(&pair) {
        return found;
    }
    nearest(&Assemblies::new(first, second, first_from_second), cache).1
}

/// A lower bound on the distance of two shapes, of which one has parts, m, from the boxes around them. Zero for half-spaces,
/// and for shapes without parts, whose distance costs no more.
#[must_use]
pub fn least_distance(pair: &ShapePair<'_>) -> f64 {
    let ShapePair { first, second, first_from_second } = *pair;
    if !(first.has_parts() || second.has_parts()) || !(first.is_bounded() && second.is_bounded()) {
        return 0.0;
    }
    let bounds = Bounds::new(&Assemblies::new(first, second, first_from_second));
    (bounds.between(0, 0, None, f64::INFINITY) - bounds.rounding).max(0.0)
}

/// The part of a bounded shape nearest to a point, and the proximity with the point as second shape.
pub(in crate::geometry) fn nearest_part(shape: &Shape, point: DVec3, cache: &mut PairCache) -> (u32, Proximity) {
    let (pair, found) = nearest(&Assemblies::with_point(shape, point), cache);
    (pair.first, found)
}

/// Calls `visit` with every pair of parts (pieces, triangles) whose distance does not exceed `limit` metres, in no particular
/// order. Contacts with static meshes have the surface's normals, and a point may be visited once for each triangle it is in.
pub fn for_each_within(
    pair: &ShapePair<'_>,
    limit: f64,
    cache: &mut PairCache,
    mut visit: impl FnMut(PartPair, &Proximity),
) {
    let mut visit_near = |parts: PartPair, found: Proximity| {
        if found.distance <= limit {
            visit(parts, &found);
        }
        limit
    };
    if !for_each_over_half_space(pair, limit, &mut visit_near) {
        let assemblies = Assemblies::new(pair.first, pair.second, pair.first_from_second);
        let mut visit = |parts: PartPair, found: &Proximity| {
            visit(parts, found);
            limit
        };
        descent::for_each_within(&assemblies, limit, Triangles::OfSurface, cache, &mut visit);
    }
}

/// Calls `visit` with every pair of parts of two bounded shapes whose distance does not exceed `limit` metres, each part taken
/// as a body by itself: contacts of a triangle that belong to its neighbours are not left out. `visit` gives the limit to go on with.
pub fn for_each_part_within(
    pair: &ShapePair<'_>,
    limit: f64,
    cache: &mut PairCache,
    mut visit: impl FnMut(PartPair, &Proximity) -> f64,
) {
    let assemblies = Assemblies::new(pair.first, pair.second, pair.first_from_second);
    descent::for_each_within(&assemblies, limit, Triangles::Alone, cache, &mut visit);
}

/// The nearest part, or one that overlaps, if one of the shapes is a half-space.
fn nearest_to_half_space(pair: &ShapePair<'_>) -> Option<Proximity> {
    let mut nearest: Option<Proximity> = None;
    let mut steps = 0;
    for_each_over_half_space(pair, f64::INFINITY, &mut |_, found| {
        steps += found.steps;
        let least = nearest.map_or(f64::INFINITY, |nearest| nearest.distance);
        if nearest.is_none() || found.distance < least || found.overlapping {
            nearest = Some(found);
        }
        found.distance.min(least)
    });
    nearest.map(|nearest| Proximity { steps, ..nearest })
}

/// Visits the parts of a shape over a half-space whose distance does not exceed `limit`, and maybe others; returns false if neither shape
/// is one. Visits give the limit to go on with.
fn for_each_over_half_space(pair: &ShapePair<'_>, limit: f64, visit: Visit<'_>) -> bool {
    let ShapePair { first, second, first_from_second } = *pair;
    match (first, second) {
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => {
            visit(PartPair { first: 0, second: 0 }, half_spaces(a, b, first_from_second));
        }
        (Shape::HalfSpace(a), _) => for_each_part_over(a, (second, first_from_second), limit, visit),
        (_, Shape::HalfSpace(b)) => {
            for_each_part_over(b, (first, &first_from_second.inverse()), limit, &mut |pair, found| {
                visit(PartPair { first: pair.second, second: pair.first }, found.swapped(first_from_second))
            });
        }
        _ => return false,
    }
    true
}

/// Takes a pair of parts and their proximity; gives the distance of others that are worth a visit, m.
type Visit<'a> = &'a mut dyn FnMut(PartPair, Proximity) -> f64;

fn for_each_part_over(half_space: &HalfSpace, (shape, pose): (&Shape, &Pose), mut limit: f64, visit: Visit<'_>) {
    let assembly = Assembly::new(shape);
    let normal = half_space.normal();
    // In the frame of the shape.
    let (down, height) = (pose.inverse_vector(-normal), normal.dot(pose.translation) - half_space.offset());
    for number in 0..assembly.len() {
        if assembly.highest(number, down).is_some_and(|depth| height - depth > limit) {
            continue;
        }
        let part = assembly.part(number);
        let pose = part.pose.map_or(*pose, |inner| *pose * inner);
        limit = visit(PartPair { first: 0, second: number }, half_space_and_convex(half_space, &part.body, &pose));
    }
}
