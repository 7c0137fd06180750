//! Non-convex bodies: unions of convex pieces under a tree of hulls (section 2.2.2).

use super::box_tree::{Below, BoxTree};
use super::shape::{Ball, Compound, Piece, Shape, Wrapping};
use super::{Aabb, ConvexPolyhedron, NotConvex, Solid, TriangleMesh, VolumeIntegrals};
use crate::math::Pose;
use glam::{DMat3, DVec3};

/// Why some pieces do not make a compound. Pieces are numbered from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompoundError {
    /// No pieces.
    #[error("a compound needs at least one piece")]
    Empty,
    /// A piece without bounds or without volume.
    #[error("piece {piece} is a half-space or a static mesh; pieces must be bounded solids")]
    NotSolid {
        /// The piece.
        piece: usize,
    },
    /// The hull of some pieces cannot be built.
    #[error("the hull of the pieces cannot be built: {0}")]
    Hull(#[from] NotConvex),
}

/// Deviation of tessellated curved pieces from the true ones in hulls, relative to the size of the piece. Smaller values give
/// tighter hulls with more vertices; the margin accounts for the deviation.
const TESSELLATION: f64 = 0.01;

/// Room in the balls around pieces for rounding, relative to their radii.
const BALL_ROOM: f64 = 1e-6;

impl Compound {
    /// The union of some pieces; compounds among them are replaced by their pieces.
    ///
    /// The volume integrals are the sum over the pieces: where pieces overlap, the common part counts more than once.
    pub fn new(pieces: Vec<Piece>) -> Result<Self, CompoundError> {
        let mut flat = Vec::with_capacity(pieces.len());
        for (number, piece) in pieces.into_iter().enumerate() {
            match &piece.shape {
                Shape::Compound(inner) => flat.extend(inner.pieces.iter().map(|part| Piece {
                    shape: part.shape.clone(),
                    compound_from_piece: piece.compound_from_piece * part.compound_from_piece,
                })),
                shape if shape.volume_integrals().is_some() => flat.push(piece),
                _ => return Err(CompoundError::NotSolid { piece: number }),
            }
        }
        if flat.is_empty() {
            return Err(CompoundError::Empty);
        }
        let boxes: Vec<Aabb> = flat.iter().map(|piece| piece.shape.aabb(&piece.compound_from_piece)).collect();
        let tree = BoxTree::new(&boxes);
        let hulls = wrap(&tree, &flat)?;
        let integrals = sum_of_integrals(&flat);
        let balls = flat.iter().zip(&boxes).map(|(piece, bounds)| ball_around(piece, bounds.centre())).collect();
        Ok(Self { pieces: flat, balls, tree, hulls, integrals })
    }

    /// The same shape with known volume integrals, for pieces that only approximate a body or overlap.
    #[must_use]
    pub fn with_integrals(self, integrals: VolumeIntegrals) -> Self {
        Self { integrals, ..self }
    }

    /// The convex pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// What no point of a piece is higher than along a vector of the given length, m times that length.
    pub(super) fn highest(&self, number: usize, direction: DVec3, length: f64) -> f64 {
        let Ball { centre, radius } = self.balls[number];
        centre.dot(direction) + radius * length
    }

    pub(super) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// The hull of all pieces below an inner node of the tree.
    pub(super) fn wrapping(&self, node: u32) -> Option<&Wrapping> {
        self.hulls[node as usize].as_ref()
    }

    fn solids(&self) -> impl Iterator<Item = (&dyn Solid, &Pose)> {
        self.pieces.iter().map(|piece| {
            let solid = piece.shape.as_solid().expect("pieces are checked to be solids");
            (solid, &piece.compound_from_piece)
        })
    }
}

impl Solid for Compound {
    fn support(&self, direction: DVec3) -> DVec3 {
        let length = direction.length();
        let at = |number: usize| {
            let Piece { shape, compound_from_piece: pose } = &self.pieces[number];
            let solid = shape.as_solid().expect("pieces are checked to be solids");
            let point = pose.point(solid.support(pose.inverse_vector(direction)));
            (point.dot(direction), point)
        };
        // The one that may reach farthest first: few others may reach as far as it does.
        let numbers = 0..self.pieces.len();
        let bound = |number: usize| self.highest(number, direction, length);
        let mut best = numbers.clone().max_by(|&i, &j| bound(i).total_cmp(&bound(j))).expect("a compound has pieces");
        let first = best;
        let (mut highest, mut farthest) = at(first);
        for number in numbers.filter(|&number| number != first) {
            if bound(number) < highest {
                continue;
            }
            let (height, point) = at(number);
            // Of points as high as each other that of the last piece counts.
            if height.total_cmp(&highest).then(number.cmp(&best)).is_gt() {
                (best, highest, farthest) = (number, height, point);
            }
        }
        farthest
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        self.solids().map(|(solid, pose)| solid.bounding_radius(pose.inverse_point(centre))).fold(0.0, f64::max)
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        self.integrals
    }

    /// The closed meshes of the pieces, one after the other; they overlap where the pieces do.
    fn tessellate(&self, deviation: f64) -> TriangleMesh {
        let mut all = TriangleMesh::default();
        for (solid, pose) in self.solids() {
            let mesh = solid.tessellate(deviation);
            let offset = all.vertices.len() as u32;
            all.vertices.extend(mesh.vertices.iter().map(|&v| pose.point(v)));
            all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + offset)));
        }
        all
    }
}

/// The ball around a piece about a point of the compound.
fn ball_around(piece: &Piece, centre: DVec3) -> Ball {
    let radius = piece.shape.bounding_radius(piece.compound_from_piece.inverse_point(centre));
    Ball { centre, radius: radius * (1.0 + BALL_ROOM) }
}

/// The hulls of the pieces below every inner node.
fn wrap(tree: &BoxTree, pieces: &[Piece]) -> Result<Vec<Option<Wrapping>>, NotConvex> {
    let mut hulls: Vec<Option<Wrapping>> = vec![None; tree.len()];
    // Children come after their parents, so going backwards a node's children are done before it.
    for node in (0..tree.len() as u32).rev() {
        let Below::Nodes(children) = tree.below(node) else { continue };
        let (mut points, mut margin) = (Vec::new(), 0.0f64);
        for child in children {
            if let Some(wrapping) = &hulls[child as usize] {
                points.extend_from_slice(wrapping.hull.vertices());
                margin = margin.max(wrapping.margin);
            } else if let Below::Item(item) = tree.below(child) {
                margin = margin.max(push_outline(&pieces[item as usize], &mut points));
            }
        }
        hulls[node as usize] = Some(Wrapping { hull: ConvexPolyhedron::hull(&points)?, margin });
    }
    Ok(hulls)
}

/// Adds points whose hull approximates the piece; returns how far the piece may reach beyond that hull.
fn push_outline(piece: &Piece, points: &mut Vec<DVec3>) -> f64 {
    let pose = &piece.compound_from_piece;
    let deviation = TESSELLATION * piece.shape.bounding_radius(DVec3::ZERO);
    let is_exact = matches!(piece.shape, Shape::Cuboid(_) | Shape::Convex(_));
    if let Some(mesh) = piece.shape.tessellate(deviation) {
        points.extend(mesh.vertices.iter().map(|&v| pose.point(v)));
    }
    if is_exact { 0.0 } else { deviation }
}

fn sum_of_integrals(pieces: &[Piece]) -> VolumeIntegrals {
    let all = || pieces.iter().filter_map(|p| Some(p.shape.volume_integrals()?.transformed(&p.compound_from_piece)));
    // About a point near the pieces nothing cancels.
    let origin = all().next().map_or(DVec3::ZERO, |part| part.centroid);
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for part in all() {
        let near = part.transformed(&Pose::from_translation(-origin));
        volume += near.volume;
        first += near.first();
        second += near.second();
    }
    VolumeIntegrals::from_moments(origin, volume, first, second)
}
