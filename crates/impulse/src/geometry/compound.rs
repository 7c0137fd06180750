//! Non-convex bodies: unions of convex pieces under a tree of hulls (section 2.2.2).

use super::box_tree::{Below, BoxTree};
use super::{Aabb, ConvexPolyhedron, NotConvex, Shape, Solid, TriangleMesh, VolumeIntegrals};
use crate::math::Pose;
use glam::{DMat3, DVec3};

/// A union of convex pieces.
#[derive(Clone, Debug)]
pub struct Compound {
    pieces: Vec<Piece>,
    tree: BoxTree,
    /// By node of the tree; leaves have none.
    hulls: Vec<Option<Wrapping>>,
    integrals: VolumeIntegrals,
}

/// A bounded convex shape in the frame of the compound.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The shape.
    pub shape: Shape,
    /// Its place.
    pub compound_from_piece: Pose,
}

/// A convex body around all pieces below a node: everything within `margin` of a polyhedron.
#[derive(Clone, Debug)]
pub(super) struct Wrapping {
    pub(super) hull: ConvexPolyhedron,
    /// How far curved pieces may reach beyond the hull, m.
    pub(super) margin: f64,
}

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

/// Departure of the hulls' tessellated curved pieces from the true ones, relative to the piece's size. Smaller values give
/// tighter hulls with more vertices; the margin makes up for the rest.
const TESSELLATION: f64 = 0.01;

impl Compound {
    /// The union of some pieces; compounds among them are taken apart.
    ///
    /// The volume integrals are the sum over the pieces: where pieces overlap, their common part counts for each of them.
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
        Ok(Self { pieces: flat, tree, hulls, integrals })
    }

    /// The same shape with known volume integrals, for pieces that only approximate a body or overlap.
    pub fn with_integrals(self, integrals: VolumeIntegrals) -> Self {
        Self { integrals, ..self }
    }

    /// The convex pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
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
        let points = self.solids().map(|(solid, pose)| pose.point(solid.support(pose.inverse_vector(direction))));
        points.max_by(|p, q| p.dot(direction).total_cmp(&q.dot(direction))).expect("a compound has pieces")
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        self.solids().map(|(solid, pose)| solid.bounding_radius(pose.inverse_point(centre))).fold(0.0, f64::max)
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        self.integrals
    }

    /// The closed meshes of the pieces, one after the other: where pieces touch or overlap, so do these.
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

/// The hulls of the pieces below every inner node.
fn wrap(tree: &BoxTree, pieces: &[Piece]) -> Result<Vec<Option<Wrapping>>, NotConvex> {
    let mut hulls: Vec<Option<Wrapping>> = vec![None; tree.len()];
    // Children come after their parents: from the end on, a node's children are done before it.
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

/// Adds points whose hull comes near the piece's; gives how far the piece may reach beyond it.
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
    // About a point among the pieces nothing cancels.
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
