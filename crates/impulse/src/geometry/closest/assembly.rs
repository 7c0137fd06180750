//! Shapes made of many convex parts: which pairs of parts are near (section 2.2.2).
//!
//! The distance of two unions is the smallest over their pairs of parts (2.1). Both trees are descended together; a pair of
//! nodes is unwrapped only if what it wraps may be nearer than the limit.

use super::pairs::{PairCache, closest_parts, rounded};
use super::{Core, Proximity, Rounded};
use crate::geometry::box_tree::{Below, MAX_DEPTH};
use crate::geometry::{Aabb, Compound, Shape, StaticMesh};
use crate::math::Pose;
use glam::{DMat3, DVec3};

/// A shape as a tree of parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Assembly<'a> {
    /// One part, and its box in its own frame.
    Single(Rounded<'a>, Aabb),
    Compound(&'a Compound),
    Mesh(&'a StaticMesh),
}

/// A convex body in the frame of its assembly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) body: Rounded<'a>,
    pub(super) pose: Option<Pose>,
}

impl<'a> Assembly<'a> {
    /// A bounded shape.
    pub(super) fn new(shape: &'a Shape) -> Self {
        match shape {
            Shape::Compound(compound) => Self::Compound(compound),
            Shape::Mesh(mesh) => Self::Mesh(mesh),
            _ => Self::Single(rounded(shape), shape.aabb(&Pose::IDENTITY)),
        }
    }

    /// Number of parts.
    pub(super) fn len(&self) -> u32 {
        match self {
            Self::Single(..) => 1,
            Self::Compound(compound) => compound.pieces().len() as u32,
            Self::Mesh(mesh) => mesh.mesh().triangles.len() as u32,
        }
    }

    pub(super) fn part(&self, number: u32) -> Part<'a> {
        match *self {
            Self::Single(body, _) => Part { body, pose: None },
            Self::Compound(compound) => {
                let piece = &compound.pieces()[number as usize];
                Part { body: rounded(&piece.shape), pose: Some(piece.compound_from_piece) }
            }
            Self::Mesh(mesh) => {
                Part { body: Rounded { core: Core::Triangle(mesh.corners(number)), radius: 0.0 }, pose: None }
            }
        }
    }

    fn below(&self, node: u32) -> Below {
        match self {
            Self::Single(..) => Below::Item(0),
            Self::Compound(compound) => compound.tree().below(node),
            Self::Mesh(mesh) => mesh.tree().below(node),
        }
    }

    fn bounds(&self, node: u32) -> &Aabb {
        match self {
            Self::Single(_, bounds) => bounds,
            Self::Compound(compound) => compound.tree().bounds(node),
            Self::Mesh(mesh) => mesh.tree().bounds(node),
        }
    }

    /// A convex body around everything below a node: its hull, or else its box.
    fn wrapping(&self, node: u32) -> Part<'a> {
        if let Below::Item(item) = self.below(node) {
            return self.part(item);
        }
        let hull = match *self {
            Self::Compound(compound) => compound.wrapping(node),
            _ => None,
        };
        if let Some(wrapping) = hull {
            let body = Rounded { core: Core::Polyhedron(&wrapping.hull), radius: wrapping.margin };
            return Part { body, pose: None };
        }
        let bounds = self.bounds(node);
        let body = Rounded { core: Core::Block(0.5 * bounds.size()), radius: 0.0 };
        Part { body, pose: Some(Pose::from_translation(bounds.centre())) }
    }
}

/// Two assemblies, the second posed in the frame of the first.
pub(super) struct Assemblies<'a> {
    pub(super) first: Assembly<'a>,
    pub(super) second: Assembly<'a>,
    pub(super) first_from_second: Pose,
    rotation: DMat3,
    spread: DMat3,
}

/// A pair of parts that may be near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PiecePair {
    /// Number of a piece or triangle of the first shape; 0 for shapes of one part.
    pub first: u32,
    /// Number of a piece or triangle of the second shape; 0 for shapes of one part.
    pub second: u32,
}

/// Each descent replaces a pair of nodes by two, so that the stack holds no more than one pair per level.
const STACK: usize = 2 * MAX_DEPTH + 2;

impl<'a> Assemblies<'a> {
    pub(super) fn new(first: &'a Shape, second: &'a Shape, first_from_second: &Pose) -> Self {
        Self::posed(Assembly::new(first), Assembly::new(second), first_from_second)
    }

    /// A shape and a point in its frame.
    pub(super) fn with_point(shape: &'a Shape, point: DVec3) -> Self {
        let body = Rounded { core: Core::Block(DVec3::ZERO), radius: 0.0 };
        let point_at_origin = Assembly::Single(body, Aabb { min: DVec3::ZERO, max: DVec3::ZERO });
        Self::posed(Assembly::new(shape), point_at_origin, &Pose::from_translation(point))
    }

    fn posed(first: Assembly<'a>, second: Assembly<'a>, first_from_second: &Pose) -> Self {
        let rotation = first_from_second.matrix();
        let spread = DMat3::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs());
        Self { first, second, first_from_second: *first_from_second, rotation, spread }
    }

    /// Visits all pairs of parts whose distance does not exceed a limit that starts at `limit`; the visitor gives the next.
    pub(super) fn visit_near(
        &self,
        mut limit: f64,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(PiecePair, Proximity) -> f64,
    ) {
        let mut stack = [(0, 0, 0.0); STACK];
        let mut len = 1;
        while len > 0 {
            len -= 1;
            let (i, j, bound) = stack[len];
            if bound > limit {
                continue;
            }
            match self.unwrap(i, j) {
                Unwrapped::Parts(pair) => {
                    let found = self.measure(pair, cache);
                    if let Some(found) = found.filter(|found| found.distance <= limit) {
                        limit = visit(pair, found);
                    }
                }
                Unwrapped::Nodes(pairs) => {
                    let mut bounds = pairs.map(|(i, j)| (i, j, self.lower_bound(i, j, limit)));
                    // The nearer one is looked at first: it lowers the limit for the other.
                    bounds.sort_by(|x, y| y.2.total_cmp(&x.2));
                    stack[len..len + 2].copy_from_slice(&bounds);
                    len += 2;
                }
            }
        }
    }

    /// Distance of two parts; `None` where it is none of the surfaces they belong to.
    fn measure(&self, pair: PiecePair, cache: &mut PairCache) -> Option<Proximity> {
        let (a, b) = (self.first.part(pair.first), self.second.part(pair.second));
        let found = self.closest_of(&a, &b, pair, cache);
        super::surface::correct(self, pair, found)
    }

    fn closest_of(&self, a: &Part<'_>, b: &Part<'_>, pair: PiecePair, cache: &mut PairCache) -> Proximity {
        let second = b.pose.map_or(self.first_from_second, |pose| self.first_from_second * pose);
        let memory = cache.entry(pair);
        match a.pose {
            None => closest_parts(&a.body, &b.body, &second, memory),
            Some(pose) => closest_parts(&a.body, &b.body, &(pose.inverse() * second), memory).moved(&pose),
        }
    }

    /// The pairs of nodes that a pair wraps: the larger node is opened first.
    fn unwrap(&self, i: u32, j: u32) -> Unwrapped {
        let size = |bounds: &Aabb| bounds.size().length_squared();
        match (self.first.below(i), self.second.below(j)) {
            (Below::Item(first), Below::Item(second)) => Unwrapped::Parts(PiecePair { first, second }),
            (Below::Nodes(nodes), Below::Item(_)) => Unwrapped::Nodes(nodes.map(|i| (i, j))),
            (Below::Item(_), Below::Nodes(nodes)) => Unwrapped::Nodes(nodes.map(|j| (i, j))),
            (Below::Nodes(firsts), Below::Nodes(seconds)) => {
                if size(self.first.bounds(i)) >= size(self.second.bounds(j)) {
                    Unwrapped::Nodes(firsts.map(|i| (i, j)))
                } else {
                    Unwrapped::Nodes(seconds.map(|j| (i, j)))
                }
            }
        }
    }

    /// A lower bound on the distance of everything below two nodes: from their boxes, and if these are near from their hulls.
    fn lower_bound(&self, i: u32, j: u32, limit: f64) -> f64 {
        let bound = self.box_distance(i, j);
        let is_inner = |below| matches!(below, Below::Nodes(_));
        if bound > limit || !(is_inner(self.first.below(i)) || is_inner(self.second.below(j))) {
            return bound;
        }
        let (a, b) = (self.first.wrapping(i), self.second.wrapping(j));
        let found = self.closest_of(&a, &b, PiecePair { first: 0, second: 0 }, &mut PairCache::default());
        bound.max(found.distance * (1.0 - SLACK))
    }

    fn box_distance(&self, i: u32, j: u32) -> f64 {
        let (a, b) = (self.first.bounds(i), self.second.bounds(j));
        let centre = self.rotation * b.centre() + self.first_from_second.translation;
        let half = 0.5 * (a.size() + self.spread * b.size());
        ((centre - a.centre()).abs() - half).max(DVec3::ZERO).length() * (1.0 - SLACK)
    }
}

/// What rounding may add to a lower bound, relative.
const SLACK: f64 = 1e-12;

enum Unwrapped {
    Parts(PiecePair),
    Nodes([(u32, u32); 2]),
}
