//! Shapes made of many convex parts under a tree (section 2.2.2), and the distance of two parts.

use super::convex_pair::closest_parts;
use super::core::Core;
use super::memory::Memory;
use super::part_pair::PartPair;
use super::proximity::Proximity;
use super::rounded::{Rounded, rounded};
use crate::geometry::box_tree::Below;
use crate::geometry::{Aabb, Compound, Shape, StaticMesh};
use crate::math::Pose;
use glam::DVec3;

/// A shape as a tree of parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Assembly<'a> {
    /// One part, and the box around its core.
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
    /// The assembly of a bounded shape.
    pub(super) fn new(shape: &'a Shape) -> Self {
        match shape {
            Shape::Compound(compound) => Self::Compound(compound),
            Shape::Mesh(mesh) => Self::Mesh(mesh),
            _ => Self::single(rounded(shape)),
        }
    }

    fn single(body: Rounded<'a>) -> Self {
        Self::Single(body, body.core.bounds())
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

    /// What no point of a part is higher than along a unit vector, m, where that is at hand.
    pub(super) fn highest(&self, number: u32, direction: DVec3) -> Option<f64> {
        match self {
            Self::Compound(compound) => Some(compound.highest(number as usize, direction, 1.0)),
            Self::Single(..) | Self::Mesh(_) => None,
        }
    }

    pub(super) fn below(&self, node: u32) -> Below {
        match self {
            Self::Single(..) => Below::Item(0),
            Self::Compound(compound) => compound.tree().below(node),
            Self::Mesh(mesh) => mesh.tree().below(node),
        }
    }

    /// The box around everything below a node, for a single part without its radius.
    pub(super) fn bounds(&self, node: u32) -> &Aabb {
        match self {
            Self::Single(_, bounds) => bounds,
            Self::Compound(compound) => compound.tree().bounds(node),
            Self::Mesh(mesh) => mesh.tree().bounds(node),
        }
    }

    /// How far parts may reach beyond [`Self::bounds`], m.
    pub(super) fn margin(&self) -> f64 {
        match self {
            Self::Single(body, _) => body.radius,
            Self::Compound(_) | Self::Mesh(_) => 0.0,
        }
    }

    /// A convex body around everything below a node: the part itself or a hull. Inner nodes of meshes have none.
    pub(super) fn wrapping(&self, node: u32) -> Option<Part<'a>> {
        match (*self, self.below(node)) {
            (_, Below::Item(item)) => Some(self.part(item)),
            (Self::Compound(compound), Below::Nodes(_)) => compound.wrapping(node).map(|wrapping| {
                let body = Rounded { core: Core::Polyhedron(&wrapping.hull), radius: wrapping.margin };
                Part { body, pose: None }
            }),
            (Self::Single(..) | Self::Mesh(_), Below::Nodes(_)) => None,
        }
    }
}

/// Two assemblies, the second posed in the frame of the first.
pub(super) struct Assemblies<'a> {
    pub(super) first: Assembly<'a>,
    pub(super) second: Assembly<'a>,
    pub(super) first_from_second: Pose,
}

impl<'a> Assemblies<'a> {
    pub(super) fn new(first: &'a Shape, second: &'a Shape, first_from_second: &Pose) -> Self {
        let (first, second) = (Assembly::new(first), Assembly::new(second));
        Self { first, second, first_from_second: *first_from_second }
    }

    /// A shape and a point in its frame.
    pub(super) fn with_point(shape: &'a Shape, point: DVec3) -> Self {
        let second = Assembly::single(Rounded { core: Core::block(DVec3::ZERO), radius: 0.0 });
        Self { first: Assembly::new(shape), second, first_from_second: Pose::from_translation(point) }
    }

    /// Whether this pair exists: a cache may hold anything.
    pub(super) fn holds(&self, pair: PartPair) -> bool {
        pair.first < self.first.len() && pair.second < self.second.len()
    }

    /// Distance of two parts; `None` if it exceeds `limit`.
    pub(super) fn measure(&self, a: &Part<'_>, b: &Part<'_>, limit: f64, memory: &mut Memory) -> Option<Proximity> {
        let found = closest_parts(&a.body, &b.body, &self.pose_of(a, b), limit, memory)?;
        let found = a.pose.map_or(found, |pose| found.moved(&pose));
        (found.distance <= limit).then_some(found)
    }

    /// Part `b` of the second assembly in the frame of part `a` of the first.
    fn pose_of(&self, a: &Part<'_>, b: &Part<'_>) -> Pose {
        let second = b.pose.map_or(self.first_from_second, |pose| self.first_from_second * pose);
        a.pose.map_or(second, |pose| pose.inverse() * second)
    }
}
