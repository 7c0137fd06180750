//! Distance between any two shapes (section 2.2): which method serves which pair.

use super::assembly::{Assemblies, Assembly, PiecePair};
use super::closed::{Points, closest_points};
use super::half_space::{half_space_and_convex, half_spaces};
use super::search::{Rounded, SearchCache, closest_convex};
use super::{Core, FeaturePair, Proximity, closest_polyhedra};
use crate::geometry::{HalfSpace, Shape};
use crate::math::Pose;
use glam::DVec3;

/// What is remembered about a pair of shapes between two questions about it. Any value is valid; a good one saves time.
///
/// Shapes of many parts remember the last few pairs of parts that were near.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairCache {
    entries: [Entry; PARTS],
    /// The entry that is given up next.
    oldest: u8,
}

/// Pairs of parts remembered: a body at rest touches in about three.
const PARTS: usize = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The pair of parts plus one; zero means none.
    key: (u32, u32),
    memory: Memory,
}

/// What is remembered about a pair of parts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    search: SearchCache,
    features: FeaturePair,
}

/// Two shapes, the second posed in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub struct ShapePair<'a> {
    /// The first shape.
    pub first: &'a Shape,
    /// The second shape.
    pub second: &'a Shape,
    /// Where the second shape is.
    pub first_from_second: &'a Pose,
}

/// Distance and closest points of two shapes, the second posed in the frame of the first.
///
/// Shapes of many parts: the pair of parts with the smallest distance, or some pair that overlaps.
pub fn closest(first: &Shape, second: &Shape, first_from_second: &Pose, cache: &mut PairCache) -> Proximity {
    if let (Some(a), Some(b)) = (convex(first), convex(second)) {
        return closest_parts(&a, &b, first_from_second, &mut cache.entries[0].memory);
    }
    let pair = ShapePair { first, second, first_from_second };
    nearest(|visit| visit_near(&pair, f64::INFINITY, cache, visit)).1
}

/// The part of a bounded shape nearest to a point, and the answer with the point as second body.
pub(in crate::geometry) fn nearest_part(shape: &Shape, point: DVec3, cache: &mut PairCache) -> (u32, Proximity) {
    let assemblies = Assemblies::with_point(shape, point);
    let (pair, found) = nearest(|visit| assemblies.visit_near(f64::INFINITY, cache, visit));
    (pair.first, found)
}

/// The nearest of all pairs that a traversal visits.
fn nearest(traverse: impl FnOnce(&mut dyn FnMut(PiecePair, Proximity) -> f64)) -> (PiecePair, Proximity) {
    let mut nearest = None;
    let mut steps = 0;
    traverse(&mut |pair, found| {
        steps += found.steps;
        nearest = Some((pair, found));
        // What overlaps cannot be beaten: nothing has a negative bound.
        if found.overlapping { -1.0 } else { found.distance }
    });
    let (pair, found) = nearest.expect("the nearest part of a surface is nearer than all others");
    (pair, Proximity { steps, ..found })
}

/// Calls `visit` with every pair of parts (pieces, triangles) whose distance does not exceed `limit` metres, in no particular
/// order. Contacts with static meshes come with the surface's normals, and a point may come once for each triangle it is in.
pub fn for_each_within(
    pair: &ShapePair<'_>,
    limit: f64,
    cache: &mut PairCache,
    mut visit: impl FnMut(PiecePair, &Proximity),
) {
    visit_near(pair, limit, cache, &mut |parts, found| {
        visit(parts, &found);
        limit
    });
}

/// Visits near pairs of parts; the visitor gives the limit for the rest.
fn visit_near(
    pair: &ShapePair<'_>,
    limit: f64,
    cache: &mut PairCache,
    visit: &mut dyn FnMut(PiecePair, Proximity) -> f64,
) {
    let ShapePair { first, second, first_from_second } = *pair;
    match (first, second) {
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => {
            let found = half_spaces(a, b, first_from_second);
            if found.distance <= limit {
                visit(PiecePair { first: 0, second: 0 }, found);
            }
        }
        (Shape::HalfSpace(a), _) => visit_half_space(a, second, first_from_second, limit, visit),
        (_, Shape::HalfSpace(b)) => {
            let mut swapped = |pair: PiecePair, found: Proximity| {
                visit(PiecePair { first: pair.second, second: pair.first }, found.swapped(first_from_second))
            };
            visit_half_space(b, first, &first_from_second.inverse(), limit, &mut swapped);
        }
        _ => Assemblies::new(first, second, first_from_second).visit_near(limit, cache, visit),
    }
}

/// All parts of a shape over a half-space.
fn visit_half_space(
    half_space: &HalfSpace,
    shape: &Shape,
    pose: &Pose,
    mut limit: f64,
    visit: &mut dyn FnMut(PiecePair, Proximity) -> f64,
) {
    let assembly = Assembly::new(shape);
    for number in 0..assembly.len() {
        let part = assembly.part(number);
        let pose = part.pose.map_or(*pose, |inner| *pose * inner);
        let found = half_space_and_convex(half_space, &part.body, &pose);
        if found.distance <= limit {
            limit = visit(PiecePair { first: 0, second: number }, found);
        }
    }
}

/// Two bounded convex bodies.
pub(super) fn closest_parts(
    first: &Rounded<'_>,
    second: &Rounded<'_>,
    first_from_second: &Pose,
    memory: &mut Memory,
) -> Proximity {
    if let (Core::Polyhedron(a), Core::Polyhedron(b)) = (&first.core, &second.core) {
        let found = closest_polyhedra(a, b, first_from_second, &mut memory.features);
        return found.grown(first.radius, second.radius);
    }
    match closest_points(&first.core, &second.core, first_from_second) {
        Some(points) => between(&points).grown(first.radius, second.radius),
        None => closest_convex(first, second, first_from_second, &mut memory.search),
    }
}

/// The answer for cores whose closest points are known.
fn between(&Points { a, b }: &Points) -> Proximity {
    let distance = a.distance(b);
    // Cores that meet are deep inside, in no particular direction.
    let normal = if distance > 0.0 { (a - b) / distance } else { DVec3::X };
    Proximity { distance, on_first: a, on_second: b, normal, overlapping: distance == 0.0, steps: 1 }
}

/// A convex shape as a core with a radius.
fn convex(shape: &Shape) -> Option<Rounded<'_>> {
    let (core, radius) = match shape {
        Shape::Sphere(s) => (Core::Block(DVec3::ZERO), s.radius()),
        Shape::Cuboid(s) => (Core::Block(s.half_size()), 0.0),
        Shape::RoundedCuboid(s) => (Core::Block(s.core_half_size()), s.radius()),
        Shape::Capsule(s) => (Core::Block(DVec3::new(0.0, 0.0, 0.5 * s.length())), s.radius()),
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

impl PairCache {
    /// What is remembered about a pair of parts; room is made for a pair that is not known.
    pub(super) fn entry(&mut self, pair: PiecePair) -> &mut Memory {
        let key = (pair.first + 1, pair.second + 1);
        let known = self.entries.iter().position(|entry| entry.key == key);
        let index = known.unwrap_or_else(|| {
            let index = usize::from(self.oldest) % PARTS;
            self.oldest = (index as u8 + 1) % PARTS as u8;
            self.entries[index] = Entry { key, memory: Memory::default() };
            index
        });
        &mut self.entries[index].memory
    }
}

impl Proximity {
    /// The same answer with the roles of the shapes exchanged: from the frame of the first shape to that of the second.
    fn swapped(self, second_from_first: &Pose) -> Self {
        Self { on_first: self.on_second, on_second: self.on_first, normal: -self.normal, ..self }
            .moved(second_from_first)
    }

    /// The same answer in another frame.
    pub(super) fn moved(self, pose: &Pose) -> Self {
        Self {
            on_first: pose.point(self.on_first),
            on_second: pose.point(self.on_second),
            normal: pose.vector(self.normal),
            ..self
        }
    }

    /// The answer for bodies grown by a ball each.
    fn grown(self, first: f64, second: f64) -> Self {
        let distance = self.distance - first - second;
        Self {
            distance: distance.max(0.0),
            on_first: self.on_first - self.normal * first,
            on_second: self.on_second + self.normal * second,
            overlapping: self.overlapping || distance < 0.0 || (distance == 0.0 && first + second > 0.0),
            ..self
        }
    }
}
