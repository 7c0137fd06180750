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
