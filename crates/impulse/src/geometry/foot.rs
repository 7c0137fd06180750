//! The smooth part of its surface on which a shape stands: where the lowest point is, and how it wanders when the shape turns
//! (section 3.5).

use super::primitives::{Cone, Cylinder};
use super::{Compound, ConvexPolyhedron, Piece, Shape};
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

/// Told of what is not smoothly connected with a foot: how far above the lowest point it is, m, and how fast that changes as the shape turns at
/// most, m/rad (infinity where that is not known).
pub(crate) type Seen<'a> = dyn FnMut(f64, f64) + 'a;

impl Stand {
    /// How a convex shape in a body's frame stands where the unit vector `down` points down; `None` for what is not convex.
    pub fn of(shape: &Shape, body_from_shape: &Pose, down: DVec3) -> Option<Self> {
        let mut clearance = f64::INFINITY;
        let foot = Self::look_around(shape, body_from_shape, down, &mut |height, _| clearance = clearance.min(height))?;
        Some(Self { foot, clearance })
    }

    /// The foot alone, and what else there is.
    pub(crate) fn look_around(shape: &Shape, body_from_shape: &Pose, down: DVec3, seen: &mut Seen<'_>) -> Option<Foot> {
        Some(Self::in_shape(shape, body_from_shape.inverse_vector(down), seen)?.placed(body_from_shape))
    }

    /// How a shape in a body's frame stands on a straight line of its surface: the middle of the line, half of the way from its one end to the
    /// other (m), and how far above it the rest is; `None` for what has no straight lines.
    pub fn on_line(shape: &Shape, body_from_shape: &Pose, down: DVec3) -> Option<(Self, DVec3)> {
        let mut clearance = f64::INFINITY;
        let mut seen = |height: f64, _| clearance = clearance.min(height);
        let (foot, half) = Self::look_along(shape, body_from_shape, down, &mut seen)?;
        Some((Self { foot, clearance }, half))
    }

    /// The middle of such a line and half of it alone, and what else there is.
    pub(crate) fn look_along(
        shape: &Shape,
        body_from_shape: &Pose,
        down: DVec3,
        seen: &mut Seen<'_>,
    ) -> Option<(Foot, DVec3)> {
        let (foot, half) = Self::line_in_shape(shape, body_from_shape.inverse_vector(down), seen)?;
        Some((foot.placed(body_from_shape), body_from_shape.vector(half)))
    }

    fn line_in_shape(shape: &Shape, down: DVec3, seen: &mut Seen<'_>) -> Option<(Foot, DVec3)> {
        Some(match shape {
            Shape::Capsule(capsule) => {
                let half = DVec3::Z * (0.5 * capsule.length());
                (Foot::Ball { centre: DVec3::ZERO, radius: capsule.radius() }, half)
            }
            Shape::Cylinder(cylinder) => {
                let foot = Foot::Rim { centre: DVec3::ZERO, axis: DVec3::Z, radius: cylinder.radius() };
                (foot, DVec3::Z * (0.5 * cylinder.height()))
            }
            Shape::Cuboid(cuboid) => Self::edge_of_box(cuboid.half_size(), 0.0, down, seen),
            Shape::RoundedCuboid(rounded) => Self::edge_of_box(rounded.core_half_size(), rounded.radius(), down, seen),
            Shape::Convex(polyhedron) => Self::edge_of_polyhedron(polyhedron, down, seen),
            Shape::Compound(compound) => return Self::line_of_compound(compound, down, seen),
            Shape::Sphere(_) | Shape::Ellipsoid(_) | Shape::Cone(_) | Shape::HalfSpace(_) | Shape::Mesh(_) => {
                return None;
            }
        })
    }

    fn edge_of_box(half: DVec3, radius: f64, down: DVec3, seen: &mut Seen<'_>) -> (Foot, DVec3) {
        let heights = (half * down).abs().to_array();
        let k = (0..3).min_by(|&i, &j| heights[i].total_cmp(&heights[j])).expect("there are three axes");
        [(k + 1) % 3, (k + 2) % 3].into_iter().for_each(|i| seen(2.0 * heights[i], 2.0 * half[i]));
        let centre = half.copysign(down) * (DVec3::ONE - DVec3::AXES[k]);
        (Foot::Ball { centre, radius }, DVec3::AXES[k] * half[k])
    }

    /// The line between two corners of one radius.
    fn between(ends: [DVec3; 2], radius: f64) -> (Foot, DVec3) {
        (Foot::Ball { centre: 0.5 * (ends[0] + ends[1]), radius }, 0.5 * (ends[1] - ends[0]))
    }

    fn edge_of_polyhedron(polyhedron: &ConvexPolyhedron, down: DVec3, seen: &mut Seen<'_>) -> (Foot, DVec3) {
        let lowest = polyhedron.summit(down);
        let at = |vertex: u32| polyhedron.vertices()[vertex as usize];
        let depth = |vertex: u32| at(vertex).dot(down);
        let around = |vertex: u32| polyhedron.spokes_of(vertex).iter().map(|spoke| spoke.to);
        let next = around(lowest).max_by(|&a, &b| depth(a).total_cmp(&depth(b))).expect("corners have neighbours");
        for other in around(lowest).chain(around(next)).filter(|&vertex| vertex != lowest && vertex != next) {
            seen((at(next) - at(other)).dot(down), at(next).distance(at(other)));
        }
        Self::between([at(lowest), at(next)], 0.0)
    }

    /// What stands on a plane is the hull of all pieces: its edge is one of the lowest piece, or goes from a corner of that to one of the next.
    fn line_of_compound(compound: &Compound, down: DVec3, seen: &mut Seen<'_>) -> Option<(Foot, DVec3)> {
        let mut depths = [f64::NEG_INFINITY; 3];
        let mut lowest = [0; 2];
        for (i, piece) in compound.pieces().iter().enumerate() {
            let foot = Self::look_around(&piece.shape, &piece.compound_from_piece, down, &mut |_, _| {})?;
            let depth = foot.lowest(down).dot(down);
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
            seen(depths[0] - depths[1], f64::INFINITY);
            return Self::look_along(&pieces[0].shape, &pieces[0].compound_from_piece, down, seen);
        }
        let (Foot::Ball { centre: a, radius: r }, Foot::Ball { centre: b, radius: s }) = (first.foot, second.foot)
        else {
            return None;
        };
        let rest = (depths[0] - depths[2]).min(first.clearance).min(depths[0] - depths[1] + second.clearance);
        seen(rest, f64::INFINITY);
        (r == s).then(|| Self::between([a, b], r))
    }

    fn in_shape(shape: &Shape, down: DVec3, seen: &mut Seen<'_>) -> Option<Foot> {
        Some(match shape {
            Shape::Sphere(ball) => Foot::Ball { centre: DVec3::ZERO, radius: ball.radius() },
            Shape::Ellipsoid(ellipsoid) => {
                let semi_axes = ellipsoid.semi_axes();
                Foot::Ellipsoid { centre: DVec3::ZERO, axes: DMat3::IDENTITY, semi_axes }
            }
            Shape::Capsule(capsule) => {
                let half = DVec3::Z * (0.5 * capsule.length());
                seen(capsule.length() * down.z.abs(), capsule.length());
                Foot::Ball { centre: half.copysign(DVec3::splat(down.z)), radius: capsule.radius() }
            }
            Shape::Cylinder(cylinder) => Self::of_cylinder(cylinder, down, seen),
            Shape::Cone(cone) => Self::of_cone(cone, down, seen),
            Shape::Cuboid(cuboid) => Self::of_box(cuboid.half_size(), 0.0, down, seen),
            Shape::RoundedCuboid(rounded) => Self::of_box(rounded.core_half_size(), rounded.radius(), down, seen),
            Shape::Convex(polyhedron) => Self::of_polyhedron(polyhedron, down, seen),
            Shape::Compound(compound) => return Self::of_compound(compound, down, seen),
            Shape::HalfSpace(_) | Shape::Mesh(_) => return None,
        })
    }

    /// A box, or everything within a radius of it.
    fn of_box(half: DVec3, radius: f64, down: DVec3, seen: &mut Seen<'_>) -> Foot {
        (0..3).for_each(|i| seen(2.0 * half[i] * down[i].abs(), 2.0 * half[i]));
        Foot::Ball { centre: half.copysign(down), radius }
    }

    fn of_cylinder(cylinder: &Cylinder, down: DVec3, seen: &mut Seen<'_>) -> Foot {
        let (radius, height) = (cylinder.radius(), cylinder.height());
        seen(2.0 * radius * down.truncate().length(), 2.0 * radius);
        seen(height * down.z.abs(), height);
        Foot::Rim { centre: DVec3::Z * (0.5 * height).copysign(down.z), axis: DVec3::Z, radius }
    }

    fn of_cone(cone: &Cone, down: DVec3, seen: &mut Seen<'_>) -> Foot {
        let (radius, height) = (cone.radius(), cone.height());
        let across = down.truncate().length();
        // How far the apex is below the lowest point of the rim.
        let apex_below = height * down.z - radius * across;
        seen(apex_below.abs(), libm::hypot(height, radius));
        if apex_below > 0.0 {
            return Foot::Ball { centre: DVec3::Z * (0.5 * height), radius: 0.0 };
        }
        seen(2.0 * radius * across, 2.0 * radius);
        Foot::Rim { centre: DVec3::Z * (-0.5 * height), axis: DVec3::Z, radius }
    }

    fn of_polyhedron(polyhedron: &ConvexPolyhedron, down: DVec3, seen: &mut Seen<'_>) -> Foot {
        let lowest = polyhedron.summit(down);
        let corner = polyhedron.vertices()[lowest as usize];
        // The next corner is a neighbour: heights have one minimum on a convex body.
        for spoke in polyhedron.spokes_of(lowest) {
            let edge = corner - polyhedron.vertices()[spoke.to as usize];
            seen(edge.dot(down), edge.length());
        }
        Foot::Ball { centre: corner, radius: 0.0 }
    }

    /// What stands on a plane is the hull of all pieces.
    fn of_compound(compound: &Compound, down: DVec3, seen: &mut Seen<'_>) -> Option<Foot> {
        let depth = |piece: &Piece| {
            let foot = Self::look_around(&piece.shape, &piece.compound_from_piece, down, &mut |_, _| {})?;
            Some(foot.lowest(down).dot(down))
        };
        let (mut lowest, mut deepest, mut next) = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (i, piece) in compound.pieces().iter().enumerate() {
            if compound.highest(i, down, 1.0) < next {
                continue;
            }
            let depth = depth(piece)?;
            if depth > deepest {
                (lowest, deepest, next) = (i, depth, deepest);
            } else {
                next = next.max(depth);
            }
        }
        seen(deepest - next, f64::INFINITY);
        let piece = &compound.pieces()[lowest];
        Self::look_around(&piece.shape, &piece.compound_from_piece, down, seen)
    }
}

#[cfg(test)]
mod tests {
    use super::{Foot, Stand};
    use crate::geometry::{Compound, Cone, ConvexPolyhedron, Cuboid, Cylinder, Piece, RoundedCuboid, Shape};
    use crate::math::Pose;
    use glam::{DQuat, DVec3};
    use proptest::prelude::*;

    fn stone() -> ConvexPolyhedron {
        let corner = |k: i32| {
            let (u, v) = (0.7 * f64::from(k), f64::from(k * k % 7));
            DVec3::new(libm::cos(u), libm::sin(u), 0.3 * (v - 3.0)).normalize() * (1.0 + 0.05 * v)
        };
        ConvexPolyhedron::hull(&(0..24).map(corner).collect::<Vec<_>>()).unwrap()
    }

    fn pile_of_pieces() -> Compound {
        let at = |x: f64, z: f64| Pose {
            rotation: DQuat::from_xyzw(0.0, libm::sin(0.2 * x), 0.0, libm::cos(0.2 * x)),
            translation: DVec3::new(x, 0.1, z),
        };
        let piece = |shape: Shape, pose: Pose| Piece { shape, compound_from_piece: pose };
        let pieces = vec![
            piece(Cuboid::new(DVec3::new(1.0, 0.4, 0.2)).unwrap().into(), at(-1.0, 0.3)),
            piece(stone().into(), at(0.5, 0.0)),
            piece(Cuboid::new(DVec3::splat(0.5)).unwrap().into(), at(1.5, -0.4)),
        ];
        Compound::new(pieces).unwrap()
    }

    fn shapes() -> Vec<Shape> {
        vec![
            Cuboid::new(DVec3::new(1.0, 2.0, 0.5)).unwrap().into(),
            RoundedCuboid::new(DVec3::new(1.0, 2.0, 0.5), 0.1).unwrap().into(),
            Cylinder::new(1.0, 0.1).unwrap().into(),
            Cone::new(0.7, 1.0).unwrap().into(),
            stone().into(),
            pile_of_pieces().into(),
        ]
    }

    fn direction() -> impl Strategy<Value = DVec3> {
        let component = -1.0..1.0;
        [component.clone(), component.clone(), component]
            .prop_map(DVec3::from_array)
            .prop_filter("a direction", |v| v.length() > 0.1)
            .prop_map(DVec3::normalize)
    }

    /// The heights of all corners of a polyhedron above the lowest, in order.
    fn corner_heights(polyhedron: &ConvexPolyhedron, pose: &Pose, down: DVec3) -> Vec<f64> {
        polyhedron.vertices().iter().map(|&v| -pose.point(v).dot(down)).collect()
    }

    proptest! {
        /// Clearances of polyhedra, and of compounds of them, are those of all their corners looked at one by one.
        #[test]
        fn clearances_are_those_of_all_corners(down in direction()) {
            let compound = pile_of_pieces();
            let of_piece = |piece: &Piece| {
                let polyhedron = match &piece.shape {
                    Shape::Convex(polyhedron) => ConvexPolyhedron::clone(polyhedron),
                    Shape::Cuboid(cuboid) => {
                        let half = cuboid.half_size();
                        let corner = |k: u32| {
                            let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                            DVec3::new(sign(0), sign(1), sign(2)) * half
                        };
                        ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
                    }
                    _ => unreachable!("all pieces have flat faces"),
                };
                corner_heights(&polyhedron, &piece.compound_from_piece, down)
            };
            let mut alone = corner_heights(&stone(), &Pose::IDENTITY, down);
            let mut together: Vec<f64> = compound.pieces().iter().flat_map(of_piece).collect();
            for (shape, heights) in [(Shape::from(stone()), &mut alone), (compound.clone().into(), &mut together)] {
                heights.sort_by(f64::total_cmp);
                let stand = Stand::of(&shape, &Pose::IDENTITY, down).unwrap();
                prop_assert!((stand.clearance - (heights[1] - heights[0])).abs() < 1e-12);
                prop_assert!((stand.foot.lowest(down).dot(down) + heights[0]).abs() < 1e-12);
            }
        }

        /// What is seen above a foot stays above it while the shape tilts by less than the levers tell.
        #[test]
        fn levers_bound_how_heights_change(down in direction(), way in direction(), share in 0.0..1.0f64, left in 0.0..0.9f64) {
            for shape in shapes() {
                let (mut above, mut seen) = (f64::INFINITY, Vec::new());
                let mut see = |height: f64, lever: f64| {
                    above = above.min(height);
                    seen.push((height, lever));
                };
                let before = Stand::look_around(&shape, &Pose::IDENTITY, down, &mut see).unwrap();
                let limit = left * above;
                let tilt = |&(height, lever): &(f64, f64)| (height - limit) / lever.min(2.0 * shape.bounding_radius(DVec3::ZERO));
                let most = seen.iter().map(tilt).fold(f64::INFINITY, f64::min);
                let Some(axis) = down.cross(way).try_normalize() else { continue };
                let angle = (share * most).min(3.0);
                let tilted = libm::cos(angle) * down + libm::sin(angle) * axis.cross(down);
                let after = Stand::of(&shape, &Pose::IDENTITY, tilted).unwrap();
                prop_assert!(after.clearance >= limit - 1e-9, "{shape:?}: {} of {limit}", after.clearance);
                let same = match (before, after.foot) {
                    (Foot::Ball { centre, .. }, Foot::Ball { centre: other, .. })
                    | (Foot::Rim { centre, .. }, Foot::Rim { centre: other, .. }) => centre == other,
                    _ => false,
                };
                prop_assert!(same, "{shape:?} stands on something else");
            }
        }
    }
}
