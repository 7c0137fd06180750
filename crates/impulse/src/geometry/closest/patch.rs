//! The contact patch of a convex part, as seen from another one in contact with it: a point, a segment or a polygon (section
//! 3.5).

use super::core::Core;
use super::rounded::Rounded;
use glam::{DMat3, DVec3};

/// Corners of the polygon that approximates the flat round face of a cylinder or cone.
const RIM_CORNERS: u32 = 8;

/// Tilts of a round face below this share of the slack count as rounding: the corners then keep their places in the body.
const LEVEL_TILT: f64 = 1e-3;

/// The points of a part that are nearly farthest along a direction: one, two, or the corners of a convex polygon in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Patch {
    /// In the frame of the part.
    pub(super) corners: Vec<DVec3>,
    /// How a corner moves over the surface as the direction turns: the matrix of the radii of curvature, m.
    pub(super) bend: DMat3,
    /// Whether the corners stand for a round rim.
    pub(super) is_round: bool,
}

/// What of a part is farthest along a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Feature {
    Corner,
    /// Unit vector along it.
    Edge(DVec3),
    #[default]
    Face,
}

impl Patch {
    /// What is farthest along a unit vector, to within `level` metres; of a curved part, all that is shown of it.
    pub(super) fn feature(&self, d: DVec3, level: f64) -> Feature {
        let is_shown_by_points = self.bend != DMat3::ZERO || self.is_round;
        let top = self.corners.iter().map(|c| c.dot(d)).fold(f64::NEG_INFINITY, f64::max);
        let mut farthest = self.corners.iter().filter(|c| is_shown_by_points || c.dot(d) >= top - level);
        match [(); 3].map(|()| farthest.next()) {
            [Some(_), None, _] => Feature::Corner,
            [Some(a), Some(b), None] => Feature::Edge((*b - *a).normalize()),
            _ => Feature::Face,
        }
    }

    /// Finds the points of a part within `slack` metres of its farthest one along the unit vector `direction`.
    pub(super) fn find(&mut self, part: &Rounded<'_>, direction: DVec3, slack: f64) {
        self.corners.clear();
        let d = direction;
        self.bend = part.core.show(d, slack, &mut self.corners);
        self.is_round = self.corners.len() > 2 && matches!(part.core, Core::Cylinder { .. } | Core::Cone { .. });
        if part.radius > 0.0 {
            for corner in &mut self.corners {
                *corner += d * part.radius;
            }
            let across = DMat3::IDENTITY - DMat3::from_cols(d * d.x, d * d.y, d * d.z);
            self.bend += across * part.radius;
        }
    }
}

impl Core<'_> {
    /// Adds the points within `slack` of the farthest along `d`; returns their bend.
    fn show(&self, d: DVec3, slack: f64, out: &mut Vec<DVec3>) -> DMat3 {
        let top = self.highest(d, 0);
        match *self {
            Self::Block { half, .. } => show_block(half, d, slack, out),
            Self::Cylinder { radius, half } => {
                if 2.0 * radius * d.truncate().length() <= slack {
                    show_rim(radius, half.copysign(d.z), d, slack, out);
                    return DMat3::ZERO;
                }
                out.push(self.point(top, d));
                if 2.0 * half * d.z.abs() <= slack {
                    out.push(self.point(1 - top, d));
                }
            }
            Self::Cone { radius, half } => {
                if d.z < 0.0 && 2.0 * radius * d.truncate().length() <= slack {
                    show_rim(radius, -half, d, slack, out);
                    return DMat3::ZERO;
                }
                let (point, other) = (self.point(top, d), self.point(1 - top, d));
                out.push(point);
                if (point - other).dot(d) <= slack {
                    out.push(other);
                }
                // The rim is curved; on the side of the cone the apex moves along with it.
                return self.bend_matrix(if out.len() == 2 { 0 } else { top }, d);
            }
            Self::Ellipsoid(_) => out.push(self.point(top, d)),
            Self::Polyhedron(polyhedron) => show_polyhedron(polyhedron, top, (d, slack), out),
            Self::Triangle(corners) => {
                let height = corners[top as usize].dot(d) - slack;
                out.extend(corners.iter().filter(|c| c.dot(d) >= height));
            }
        }
        self.bend_matrix(top, d)
    }

    fn bend_matrix(&self, piece: u32, d: DVec3) -> DMat3 {
        DMat3::from_cols(self.bend(piece, d, DVec3::X), self.bend(piece, d, DVec3::Y), self.bend(piece, d, DVec3::Z))
    }
}

/// The corner, edge or face of a block.
fn show_block(half: DVec3, d: DVec3, slack: f64, out: &mut Vec<DVec3>) {
    let level = |i: usize| half[i] > 0.0 && 2.0 * half[i] * d[i].abs() <= slack;
    // Level axes always begin at the same end, so that points keep their order from hop to hop despite rounding.
    let sign = |i: usize| if level(i) { 1.0 } else { 1f64.copysign(d[i]) };
    let corner = half * DVec3::new(sign(0), sign(1), sign(2));
    out.push(corner);
    let mut flipped = [0, 1, 2].into_iter().filter(|&i| level(i));
    let (first, second) = (flipped.next(), flipped.next());
    let across = |p: DVec3, i: usize| p - 2.0 * p * DVec3::AXES[i];
    // A block smaller than the slack is level along all axes: a face will do.
    match (first, second) {
        (Some(i), Some(j)) => {
            out.extend([across(corner, i), across(across(corner, i), j), across(corner, j)]);
        }
        (Some(i), None) => out.push(across(corner, i)),
        (None, _) => {}
    }
}

/// Points around the rim of a round face, the farthest first.
fn show_rim(radius: f64, z: f64, d: DVec3, slack: f64, out: &mut Vec<DVec3>) {
    let tilt = d.truncate();
    let length = tilt.length();
    let first = if 2.0 * radius * length <= LEVEL_TILT * slack { glam::DVec2::X } else { tilt / length };
    for k in 0..RIM_CORNERS {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(RIM_CORNERS));
        out.push((radius * glam::DVec2::new(cos, sin).rotate(first)).extend(z));
    }
}

/// The vertex, edge or face of a polyhedron.
fn show_polyhedron(
    polyhedron: &crate::geometry::ConvexPolyhedron,
    top: u32,
    (d, slack): (DVec3, f64),
    out: &mut Vec<DVec3>,
) {
    let vertices = polyhedron.vertices();
    let position = |v: u32| vertices[v as usize];
    let height = position(top).dot(d) - slack;
    let surface = polyhedron.surface();
    let sides = polyhedron.spokes_of(top).iter().map(|spoke| polyhedron.edges()[spoke.edge as usize]);
    let faces = sides.clone().flat_map(|edge| [edge.left, edge.right]);
    let level = |face: u32| surface.faces().get(face as usize).iter().all(|&v| position(v).dot(d) >= height);
    let slope = |face: u32| surface.planes()[face as usize].normal.dot(d);
    if let Some(face) = faces.filter(|&f| level(f)).max_by(|&a, &b| slope(a).total_cmp(&slope(b))) {
        out.extend(surface.faces().get(face as usize).iter().map(|&v| position(v)));
        return;
    }
    out.push(position(top));
    let ends = polyhedron.spokes_of(top).iter().map(|spoke| position(spoke.to));
    out.extend(ends.filter(|p| p.dot(d) >= height).max_by(|a, b| a.dot(d).total_cmp(&b.dot(d))));
}
