//! The smooth part of its surface on which a shape stands: where the lowest point is, and how it wanders when the shape turns
//! (section 3.5).

use super::convex::Spoke;
use super::primitives::{Cone, Cylinder};
use super::{Compound, ConvexPolyhedron, Shape};
use crate::math::Pose;
use glam::{DMat3, DVec3};

/// A part of a surface whose lowest point moves smoothly as the body turns; in the frame of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Foot {
    /// A ball, or a corner where the radius is zero.
    Ball {
        /// Its centre, m.
        centre: DVec3,
        /// Metres.
        radius: f64,
    },
    /// A sharp circular edge.
    Rim {
        /// Its centre, m.
        centre: DVec3,
        /// Unit vector across its plane.
        axis: DVec3,
        /// Metres.
        radius: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Its centre, m.
        centre: DVec3,
        /// The directions of its axes.
        axes: DMat3,
        /// Half of its size along them, m.
        semi_axes: DVec3,
    },
}

impl Foot {
    /// Its lowest point, where the unit vector `down` points down, m.
    pub fn lowest(&self, down: DVec3) -> DVec3 {
        match *self {
            Self::Ball { centre, radius } => centre + down * radius,
            Self::Rim { centre, axis, radius } => centre + (down - axis * down.dot(axis)).normalize_or_zero() * radius,
            Self::Ellipsoid { centre, axes, semi_axes } => {
                let down = axes.transpose() * down;
                let reach = (semi_axes * down).length();
                centre + axes * (semi_axes * semi_axes * down / reach)
            }
        }
    }

    /// How the lowest point wanders over the body when the unit vector `down` changes at a rate (1/s), m/s.
    pub fn wandering(&self, down: DVec3, rate: DVec3) -> DVec3 {
        match *self {
            Self::Ball { radius, .. } => rate * radius,
            Self::Rim { axis, radius, .. } => {
                let [across, turning] = [down, rate].map(|v| v - axis * v.dot(axis));
                let length = across.length();
                let towards = across / length;
                (turning - towards * turning.dot(towards)) * (radius / length)
            }
            Self::Ellipsoid { axes, semi_axes, .. } => {
                let [down, rate] = [down, rate].map(|v| axes.transpose() * v);
                let (squares, reach) = (semi_axes * semi_axes, (semi_axes * down).length());
                let shrinking = (squares * down).dot(rate) / (reach * reach);
                axes * (squares * (rate - down * shrinking) / reach)
            }
        }
    }

    /// The same part of a shape that is placed in another frame.
    fn placed(self, pose: &Pose) -> Self {
        match self {
            Self::Ball { centre, radius } => Self::Ball { centre: pose.point(centre), radius },
            Self::Rim { centre, axis, radius } => {
                Self::Rim { centre: pose.point(centre), axis: pose.vector(axis), radius }
            }
            Self::Ellipsoid { centre, axes, semi_axes } => {
                let axes = DMat3::from_quat(pose.rotation) * axes;
                Self::Ellipsoid { centre: pose.point(centre), axes, semi_axes }
            }
        }
    }
}

/// A foot, and how far above its lowest point the rest of the shape is at least, m: what is not smoothly connected with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// Where the shape stands.
    pub foot: Foot,
    /// Metres.
    pub clearance: f64,
}

impl Stand {
    /// How a convex shape in a body's frame stands where the unit vector `down` points down; `None` for what is not convex.
    pub fn of(shape: &Shape, body_from_shape: &Pose, down: DVec3) -> Option<Self> {
        let stand = Self::in_shape(shape, body_from_shape.inverse_vector(down))?;
        Some(Self { foot: stand.foot.placed(body_from_shape), ..stand })
    }

    /// How far above its lowest point the rest of such a shape is, m: what is asked for more often than where that point is.
    pub(crate) fn clearance_of(shape: &Shape, body_from_shape: &Pose, down: DVec3) -> Option<f64> {
        Self::in_shape(shape, body_from_shape.inverse_vector(down)).map(|stand| stand.clearance)
    }

    /// How a shape in a body's frame stands on a straight line of its surface: the middle of the line, half of the way from its one end to the
    /// other (m), and how far above it the rest is; `None` for what has no straight lines.
    pub fn on_line(shape: &Shape, body_from_shape: &Pose, down: DVec3) -> Option<(Self, DVec3)> {
        let (stand, half) = Self::line_in_shape(shape, body_from_shape.inverse_vector(down))?;
        Some((Self { foot: stand.foot.placed(body_from_shape), ..stand }, body_from_shape.vector(half)))
    }

    fn line_in_shape(shape: &Shape, down: DVec3) -> Option<(Self, DVec3)> {
        let edge = |half: DVec3, radius: f64| {
            let heights = (half * down).abs().to_array();
            let k = (0..3).min_by(|&i, &j| heights[i].total_cmp(&heights[j])).expect("there are three axes");
            let line = DVec3::AXES[k] * half[k];
            let rest = heights[(k + 1) % 3].min(heights[(k + 2) % 3]);
            (Self::on_corner(half.copysign(down) * (DVec3::ONE - DVec3::AXES[k]), radius, 2.0 * rest), line)
        };
        Some(match shape {
            Shape::Capsule(capsule) => {
                let half = DVec3::Z * (0.5 * capsule.length());
                (Self::on_corner(DVec3::ZERO, capsule.radius(), f64::INFINITY), half)
            }
            Shape::Cylinder(cylinder) => {
                let foot = Foot::Rim { centre: DVec3::ZERO, axis: DVec3::Z, radius: cylinder.radius() };
                (Self { foot, clearance: f64::INFINITY }, DVec3::Z * (0.5 * cylinder.height()))
            }
            Shape::Cuboid(cuboid) => edge(cuboid.half_size(), 0.0),
            Shape::RoundedCuboid(rounded) => edge(rounded.core_half_size(), rounded.radius()),
            Shape::Convex(polyhedron) => Self::edge_of_polyhedron(polyhedron, down),
            Shape::Compound(compound) => return Self::line_of_compound(compound, down),
            Shape::Sphere(_) | Shape::Ellipsoid(_) | Shape::Cone(_) | Shape::HalfSpace(_) | Shape::Mesh(_) => {
                return None;
            }
        })
    }

    /// The line between two corners of one radius.
    fn between(ends: [DVec3; 2], radius: f64, clearance: f64) -> (Self, DVec3) {
        (Self::on_corner(0.5 * (ends[0] + ends[1]), radius, clearance), 0.5 * (ends[1] - ends[0]))
    }

    fn edge_of_polyhedron(polyhedron: &ConvexPolyhedron, down: DVec3) -> (Self, DVec3) {
        let lowest = polyhedron.summit(down);
        let at = |vertex: u32| polyhedron.vertices()[vertex as usize];
        let depth = |vertex: u32| at(vertex).dot(down);
        let around = |vertex: u32| polyhedron.spokes_of(vertex).iter().map(|spoke| spoke.to);
        let next = around(lowest).max_by(|&a, &b| depth(a).total_cmp(&depth(b))).expect("corners have neighbours");
        let others = around(lowest).chain(around(next)).filter(|&vertex| vertex != lowest && vertex != next);
        let deepest = others.map(depth).fold(f64::NEG_INFINITY, f64::max);
        Self::between([at(lowest), at(next)], 0.0, depth(next) - deepest)
    }

    /// What stands on a plane is the hull of all pieces: its edge is one of the lowest piece, or goes from a corner of that to one of the next.
    fn line_of_compound(compound: &Compound, down: DVec3) -> Option<(Self, DVec3)> {
        let mut depths = [f64::NEG_INFINITY; 3];
        let mut lowest = [0; 2];
        for (i, piece) in compound.pieces().iter().enumerate() {
            let stand = Self::of(&piece.shape, &piece.compound_from_piece, down)?;
            let depth = stand.foot.lowest(down).dot(down);
            if depth > depths[0] {
                (depths, lowest) = ([depth, depths[0], depths[1]], [i, lowest[0]]);
            } else if depth > depths[1] {
                (depths, lowest[1]) = ([depths[0], depth, depths[1]], i);
            } else {
                depths[2] = depths[2].max(depth);
            }
        }
        let pieces = lowest.map(|i| &compound.pieces()[i]);
        let stand = |k: usize| Self::of(&pieces[k].shape, &pieces[k].compound_from_piece, down);
        let (first, second) = (stand(0)?, stand(1)?);
        if compound.pieces().len() == 1 || first.clearance < depths[0] - depths[1] {
            let (line, half) = Self::on_line(&pieces[0].shape, &pieces[0].compound_from_piece, down)?;
            return Some((Self { clearance: line.clearance.min(depths[0] - depths[1]), ..line }, half));
        }
        let (Foot::Ball { centre: a, radius: r }, Foot::Ball { centre: b, radius: s }) = (first.foot, second.foot)
        else {
            return None;
        };
        let rest = (depths[0] - depths[2]).min(first.clearance).min(depths[0] - depths[1] + second.clearance);
        (r == s).then(|| Self::between([a, b], r, rest))
    }

    fn in_shape(shape: &Shape, down: DVec3) -> Option<Self> {
        let everywhere = |foot: Foot| Self { foot, clearance: f64::INFINITY };
        Some(match shape {
            Shape::Sphere(ball) => everywhere(Foot::Ball { centre: DVec3::ZERO, radius: ball.radius() }),
            Shape::Ellipsoid(ellipsoid) => everywhere(Foot::Ellipsoid {
                centre: DVec3::ZERO,
                axes: DMat3::IDENTITY,
                semi_axes: ellipsoid.semi_axes(),
            }),
            Shape::Capsule(capsule) => {
                let half = DVec3::Z * (0.5 * capsule.length());
                Self::on_corner(half.copysign(DVec3::splat(down.z)), capsule.radius(), capsule.length() * down.z.abs())
            }
            Shape::Cylinder(cylinder) => Self::of_cylinder(cylinder, down),
            Shape::Cone(cone) => Self::of_cone(cone, down),
            Shape::Cuboid(cuboid) => Self::of_box(cuboid.half_size(), 0.0, down),
            Shape::RoundedCuboid(rounded) => Self::of_box(rounded.core_half_size(), rounded.radius(), down),
            Shape::Convex(polyhedron) => Self::of_polyhedron(polyhedron, down),
            Shape::Compound(compound) => Self::of_compound(compound, down)?,
            Shape::HalfSpace(_) | Shape::Mesh(_) => return None,
        })
    }

    fn on_corner(centre: DVec3, radius: f64, clearance: f64) -> Self {
        Self { foot: Foot::Ball { centre, radius }, clearance }
    }

    /// A box, or everything within a radius of it.
    fn of_box(half: DVec3, radius: f64, down: DVec3) -> Self {
        let clearance = (2.0 * half * down.abs()).min_element();
        Self::on_corner(half.copysign(down), radius, clearance)
    }

    fn of_cylinder(cylinder: &Cylinder, down: DVec3) -> Self {
        let (radius, height) = (cylinder.radius(), cylinder.height());
        let centre = DVec3::Z * (0.5 * height).copysign(down.z);
        let level = 2.0 * radius * down.truncate().length();
        Self { foot: Foot::Rim { centre, axis: DVec3::Z, radius }, clearance: level.min(height * down.z.abs()) }
    }

    fn of_cone(cone: &Cone, down: DVec3) -> Self {
        let (radius, height) = (cone.radius(), cone.height());
        let across = down.truncate().length();
        // How far the apex is below the lowest point of the rim.
        let apex_below = height * down.z - radius * across;
        if apex_below > 0.0 {
            return Self::on_corner(DVec3::Z * (0.5 * height), 0.0, apex_below);
        }
        let foot = Foot::Rim { centre: DVec3::Z * (-0.5 * height), axis: DVec3::Z, radius };
        Self { foot, clearance: (-apex_below).min(2.0 * radius * across) }
    }

    fn of_polyhedron(polyhedron: &ConvexPolyhedron, down: DVec3) -> Self {
        let lowest = polyhedron.summit(down);
        let corner = polyhedron.vertices()[lowest as usize];
        let above = |spoke: &Spoke| (corner - polyhedron.vertices()[spoke.to as usize]).dot(down);
        // The next corner is a neighbour: heights have one minimum on a convex body.
        let clearance = polyhedron.spokes_of(lowest).iter().map(above).fold(f64::INFINITY, f64::min);
        Self::on_corner(corner, 0.0, clearance)
    }

    /// What stands on a plane is the hull of all pieces.
    fn of_compound(compound: &Compound, down: DVec3) -> Option<Self> {
        let mut lowest: Option<(f64, Self)> = None;
        let mut next = f64::NEG_INFINITY;
        for piece in compound.pieces() {
            let stand = Self::of(&piece.shape, &piece.compound_from_piece, down)?;
            let depth = stand.foot.lowest(down).dot(down);
            match &lowest {
                Some((deepest, _)) if depth <= *deepest => next = next.max(depth),
                _ => {
                    next = lowest.map_or(next, |(deepest, _)| next.max(deepest));
                    lowest = Some((depth, stand));
                }
            }
        }
        lowest.map(|(depth, stand)| Self { clearance: stand.clearance.min(depth - next), ..stand })
    }
}
