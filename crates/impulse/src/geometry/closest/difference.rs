//! The Minkowski difference of two posed convex bodies, whose distance from the origin is the distance of the bodies (section
//! 2.2).

use super::core::Core;
use crate::math::Pose;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// All points `a - b` with `a` in the first body and `b` in the second, in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference<'a> {
    pub(super) first: Core<'a>,
    pub(super) second: Core<'a>,
    /// Columns: the axes of the second body in the frame of the first.
    rotation: DMat3,
    translation: DVec3,
}

/// A piece of the first body and one of the second: a piece of the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DifferencePiece {
    pub(super) first: u32,
    pub(super) second: u32,
}

/// A point of the difference and where it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vertex {
    pub(super) piece: DifferencePiece,
    /// Point of the first body.
    pub(super) a: DVec3,
    /// Point of the second body.
    pub(super) b: DVec3,
    /// Their difference `a - b`.
    pub(super) w: DVec3,
}

impl<'a> Difference<'a> {
    pub(super) fn new(first: Core<'a>, second: Core<'a>, first_from_second: &Pose) -> Self {
        Self { first, second, rotation: first_from_second.matrix(), translation: first_from_second.translation }
    }

    /// Vector between the centres: the first search direction without a better guess.
    pub(super) fn centre(&self) -> DVec3 {
        -self.translation
    }

    /// The lowest point along the unit vector `n`, which points from the second body to the first.
    pub(super) fn lowest(&self, n: DVec3, hint: DifferencePiece) -> Vertex {
        let inward = self.in_second(n);
        let piece = DifferencePiece {
            first: self.first.highest(-n, hint.first),
            second: self.second.highest(inward, hint.second),
        };
        self.vertex(piece, n, inward)
    }

    /// The lowest point of one piece along `n`.
    pub(super) fn at(&self, piece: DifferencePiece, n: DVec3) -> Vertex {
        self.vertex(piece, n, self.in_second(n))
    }

    /// How the lowest point of a piece moves against `turn` as `n` turns along it (see [`Core::bend`]).
    pub(super) fn bend(&self, piece: DifferencePiece, n: DVec3, turn: DVec3) -> DVec3 {
        let mut bend = DVec3::ZERO;
        if !self.first.is_point(piece.first) {
            bend += self.first.bend(piece.first, -n, turn);
        }
        if !self.second.is_point(piece.second) {
            bend += self.rotation * self.second.bend(piece.second, self.in_second(n), self.in_second(turn));
        }
        bend
    }

    /// Whether the piece moves at all when the direction turns.
    pub(super) fn is_point(&self, piece: DifferencePiece) -> bool {
        self.first.is_point(piece.first) && self.second.is_point(piece.second)
    }

    /// Whether the piece exists.
    pub(super) fn has_piece(&self, piece: DifferencePiece) -> bool {
        self.first.has_piece(piece.first) && self.second.has_piece(piece.second)
    }

    /// The vertex of a point `a` of the first body and a point `b` (frame of the first) of the second.
    pub(super) fn joined(piece: DifferencePiece, a: DVec3, b: DVec3) -> Vertex {
        Vertex { piece, a, b, w: a - b }
    }

    pub(super) fn in_second(&self, v: DVec3) -> DVec3 {
        DVec3::new(self.rotation.x_axis.dot(v), self.rotation.y_axis.dot(v), self.rotation.z_axis.dot(v))
    }

    /// A direction of the second body's frame, in that of the first.
    pub(super) fn in_first(&self, v: DVec3) -> DVec3 {
        self.rotation * v
    }

    /// A point of the second body's frame, in that of the first.
    pub(super) fn point_in_first(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.translation
    }

    /// A point of the first body's frame, in that of the second.
    pub(super) fn point_in_second(&self, p: DVec3) -> DVec3 {
        self.in_second(p - self.translation)
    }

    fn vertex(&self, piece: DifferencePiece, n: DVec3, inward: DVec3) -> Vertex {
        let a = self.first.point(piece.first, -n);
        let b = self.point_in_first(self.second.point(piece.second, inward));
        Self::joined(piece, a, b)
    }
}
