//! Convex bodies for the generic search (section 2.2): a core made of pieces, and a ball swept over it.
//!
//! The highest point of a body along a direction depends smoothly on the direction as long as it stays on one *piece*: a
//! vertex, the rim of a disc, a whole ellipsoid. At edges, faces and the ruled sides of cylinders and cones the support
//! function changes from one piece to another.

use crate::geometry::convex::SCAN_LIMIT;
use crate::geometry::{Aabb, ConvexPolyhedron};
use glam::{DVec2, DVec3};

/// A convex body, in its own frame, whose support function is smooth on each of its pieces.
#[derive(Clone, Copy, Debug)]
pub(super) enum Core<'a> {
    /// An axis-aligned box. Its pieces are its corners.
    Block {
        /// Half sizes, m, any of which may be zero: a point, a segment, a rectangle.
        half: DVec3,
        /// The same box as a polyhedron, whose features can be tracked.
        polyhedron: Option<&'a ConvexPolyhedron>,
    },
    /// A cylinder about the z-axis. Its pieces are the lower rim (0) and the upper rim (1).
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Half the height, m.
        half: f64,
    },
    /// A cone about the z-axis, base down. Its pieces are the rim (0) and the apex (1).
    Cone {
        /// Radius of the base, m.
        radius: f64,
        /// Half the height, m.
        half: f64,
    },
    /// An ellipsoid with these semi-axes, one piece.
    Ellipsoid(DVec3),
    /// A polyhedron. Its pieces are its vertices.
    Polyhedron(&'a ConvexPolyhedron),
    /// A triangle without thickness. Its pieces are its corners.
    Triangle(&'a [DVec3; 3]),
}

/// A flat round face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    /// Height of its plane along the z-axis, with the sign of its outward normal.
    pub(super) z: f64,
    /// Radius, m.
    pub(super) radius: f64,
}

impl<'a> Core<'a> {
    /// A box with these half sizes, metres, any of which may be zero.
    pub(super) fn block(half: DVec3) -> Self {
        Self::Block { half, polyhedron: None }
    }

    /// The body as a polyhedron, if it is one.
    pub(super) fn polyhedron(&self) -> Option<&'a ConvexPolyhedron> {
        match *self {
            Self::Polyhedron(polyhedron) => Some(polyhedron),
            Self::Block { polyhedron, .. } => polyhedron,
            _ => None,
        }
    }

    /// The smallest box around the body.
    pub(super) fn bounds(&self) -> Aabb {
        let half = match *self {
            Self::Block { half, .. } | Self::Ellipsoid(half) => half,
            Self::Cylinder { radius, half } | Self::Cone { radius, half } => DVec3::new(radius, radius, half),
            Self::Polyhedron(polyhedron) => return polyhedron.bounds(),
            Self::Triangle(corners) => return Aabb::of_points(*corners),
        };
        Aabb { min: -half, max: half }
    }

    /// Upper bound on how far the body reaches from the centre of its box along the unit vector `direction` or against it, m.
    pub(super) fn extent(&self, direction: DVec3) -> f64 {
        let of_box = |half: DVec3| direction.abs().dot(half);
        match *self {
            Self::Block { half, .. } => of_box(half),
            Self::Cylinder { radius, half } | Self::Cone { radius, half } => {
                radius * direction.truncate().length() + half * direction.z.abs()
            }
            Self::Ellipsoid(semi_axes) => (semi_axes * direction).length(),
            Self::Polyhedron(polyhedron) => {
                let bounds = polyhedron.bounds();
                let of_ball = polyhedron.radius() + direction.dot(polyhedron.centre() - bounds.centre()).abs();
                of_box(0.5 * bounds.size()).min(of_ball)
            }
            Self::Triangle(_) => of_box(0.5 * self.bounds().size()),
        }
    }

    /// The piece that reaches highest along `direction`; `hint` is a piece that may be near it.
    pub(super) fn highest(&self, direction: DVec3, hint: u32) -> u32 {
        match *self {
            // Along axes without extent there is only one corner.
            Self::Block { half, .. } => {
                let positive = direction.cmpgt(DVec3::ZERO) & half.cmpgt(DVec3::ZERO);
                positive.bitmask()
            }
            Self::Cylinder { .. } => u32::from(direction.z > 0.0),
            Self::Cone { radius, half } => u32::from(2.0 * half * direction.z > radius * direction.truncate().length()),
            Self::Ellipsoid(_) => 0,
            Self::Polyhedron(polyhedron) => highest_vertex(polyhedron, direction, hint),
            Self::Triangle(corners) => {
                let height = corners.map(|c| c.dot(direction));
                if height[0] >= height[1] && height[0] >= height[2] { 0 } else { 1 + u32::from(height[2] > height[1]) }
            }
        }
    }

    /// The highest point of a piece along a direction.
    pub(super) fn point(&self, piece: u32, direction: DVec3) -> DVec3 {
        match *self {
            Self::Block { half, .. } => {
                let sign = |bit: u32| if piece >> bit & 1 == 1 { 1.0 } else { -1.0 };
                half * DVec3::new(sign(0), sign(1), sign(2))
            }
            Self::Cylinder { radius, half } => rim_point(radius, if piece == 1 { half } else { -half }, direction),
            Self::Cone { half, .. } if piece == 1 => DVec3::new(0.0, 0.0, half),
            Self::Cone { radius, half } => rim_point(radius, -half, direction),
            Self::Ellipsoid(semi_axes) => {
                let scaled = semi_axes * direction;
                semi_axes * (scaled / scaled.length())
            }
            Self::Polyhedron(polyhedron) => polyhedron.vertices()[piece as usize],
            Self::Triangle(corners) => corners[piece as usize],
        }
    }

    /// How the highest point of a piece moves as the unit direction turns along `turn`: the matrix of the radii of curvature
    /// (the Hessian of the piece's support function) times `turn`.
    pub(super) fn bend(&self, piece: u32, direction: DVec3, turn: DVec3) -> DVec3 {
        match *self {
            Self::Cylinder { radius, .. } => rim_bend(radius, direction, turn),
            Self::Cone { radius, .. } if piece == 0 => rim_bend(radius, direction, turn),
            Self::Ellipsoid(semi_axes) => {
                let (scaled, moved) = (semi_axes * direction, semi_axes * turn);
                let squared = scaled.length_squared();
                semi_axes * (moved - scaled * (scaled.dot(moved) / squared)) / squared.sqrt()
            }
            Self::Block { .. } | Self::Cone { .. } | Self::Polyhedron(_) | Self::Triangle(_) => DVec3::ZERO,
        }
    }

    /// Whether a piece is a point, so that turning the direction does not move it.
    pub(super) fn is_point(&self, piece: u32) -> bool {
        match self {
            Self::Cylinder { .. } | Self::Ellipsoid(_) => false,
            Self::Cone { .. } => piece == 1,
            Self::Block { .. } | Self::Polyhedron(_) | Self::Triangle(_) => true,
        }
    }

    /// Whether `piece` exists: a cache may hold anything.
    pub(super) fn has_piece(&self, piece: u32) -> bool {
        match self {
            Self::Block { half, .. } => piece & !half.cmpgt(DVec3::ZERO).bitmask() == 0,
            Self::Cylinder { .. } | Self::Cone { .. } => piece < 2,
            Self::Ellipsoid(_) => piece == 0,
            Self::Polyhedron(polyhedron) => (piece as usize) < polyhedron.vertices().len(),
            Self::Triangle(_) => piece < 3,
        }
    }

    /// The flat round face on the side that `direction` points to.
    pub(super) fn disc(&self, direction: DVec3) -> Option<Disc> {
        match *self {
            Self::Cylinder { radius, half } => Some(Disc { z: half.copysign(direction.z), radius }),
            Self::Cone { radius, half } if direction.z < 0.0 => Some(Disc { z: -half, radius }),
            _ => None,
        }
    }
}

fn highest_vertex(polyhedron: &ConvexPolyhedron, direction: DVec3, hint: u32) -> u32 {
    let vertices = polyhedron.vertices();
    if vertices.len() > SCAN_LIMIT {
        let is_known = hint > 0 && (hint as usize) < vertices.len();
        return if is_known { polyhedron.climb(hint, direction) } else { polyhedron.summit(direction) };
    }
    let (mut best, mut best_height) = (0, f64::NEG_INFINITY);
    for (vertex, position) in (0..).zip(vertices) {
        let height = position.dot(direction);
        if height > best_height {
            (best, best_height) = (vertex, height);
        }
    }
    best
}

fn rim_point(radius: f64, z: f64, direction: DVec3) -> DVec3 {
    let across = direction.truncate();
    let length = across.length();
    // Along the axis all points of the rim are equally high.
    let outward = if length > 0.0 { across / length } else { DVec2::X };
    (radius * outward).extend(z)
}

fn rim_bend(radius: f64, direction: DVec3, turn: DVec3) -> DVec3 {
    let across = direction.truncate();
    let length = across.length();
    if length == 0.0 {
        return DVec3::ZERO;
    }
    let tangent = across.perp() / length;
    (tangent * (radius * tangent.dot(turn.truncate()) / length)).extend(0.0)
}

#[cfg(test)]
mod tests {
    use super::Core;
    use glam::DVec3;

    /// Pieces bend as their highest points move: compare with differences.
    #[test]
    fn bend_is_the_derivative_of_the_point() {
        let direction = DVec3::new(0.3, -0.5, 0.8).normalize();
        let turn = DVec3::new(0.7, 0.2, -0.4).reject_from_normalized(direction);
        let step = 1e-5;
        for core in [
            Core::Cylinder { radius: 0.7, half: 1.1 },
            Core::Cone { radius: 0.4, half: 0.9 },
            Core::Ellipsoid(DVec3::new(1.0, 0.4, 2.0)),
        ] {
            let ahead = core.point(0, (direction + step * turn).normalize());
            let behind = core.point(0, (direction - step * turn).normalize());
            let difference = (ahead - behind) / (2.0 * step);
            assert!((core.bend(0, direction, turn) - difference).length() < 1e-9, "{core:?}");
        }
    }
}
