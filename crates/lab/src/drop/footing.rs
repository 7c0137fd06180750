//! How firmly a part lies on each of its faces: what sliding can do to it.

use super::conditions::GRAVITY;
use crate::landscape::Landscape;
use crate::outline::outline;
use crate::part::Part;
use glam::{DMat3, DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// Corners this close to the plane of a face, relative to the radius, stand on the floor with it: part files have seven digits.
const COPLANAR: f64 = 1e-6;

/// A stable face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footing {
    /// Height of the centre of mass, m.
    pub(super) height: f64,
    /// Distance of its foot from the nearest side of the polygon that touches the floor, m.
    margin: f64,
    /// Moment about a horizontal axis that a vertical spin of 1 rad/s takes, N m.
    gyration: f64,
    /// N.
    weight: f64,
}

impl Footing {
    /// The footings of all stable faces of a part.
    pub(super) fn all(part: &Part, landscape: &Landscape) -> BTreeMap<u32, Self> {
        let faces = landscape.poses.iter().flat_map(|pose| &pose.faces);
        faces.map(|&face| (face, Self::new(part, face))).collect()
    }

    fn new(part: &Part, face: u32) -> Self {
        let hull = &part.hull;
        let down = hull.surface().planes()[face as usize].normal;
        let first = hull.surface().faces().get(face as usize)[0];
        let height = down.dot(hull.vertices()[first as usize] - part.mass.com);
        let standing = grown(part, face, down, height);
        Self {
            height,
            margin: margin(&standing, down),
            gyration: gyration(part.mass.inertia, down),
            weight: part.mass.mass * GRAVITY,
        }
    }

    /// Whether friction and spin about the vertical (rad/s) cannot tip a part that lies on this face.
    pub(super) fn holds(&self, friction: f64, spin: f64) -> bool {
        friction * self.weight * self.height + spin * spin * self.gyration < self.weight * self.margin
    }
}

/// The corners that touch the floor, seen from the foot of the centre of mass: those of the face and of neighbours in its plane.
fn grown(part: &Part, face: u32, down: DVec3, height: f64) -> Vec<DVec3> {
    let hull = &part.hull;
    let foot = part.mass.com + down * height;
    let mut open = hull.surface().faces().get(face as usize).to_vec();
    let mut seen: BTreeSet<u32> = open.iter().copied().collect();
    while let Some(vertex) = open.pop() {
        for spoke in hull.spokes_of(vertex) {
            let above = down.dot(foot - hull.vertices()[spoke.to as usize]);
            if above <= COPLANAR * part.radius && seen.insert(spoke.to) {
                open.push(spoke.to);
            }
        }
    }
    seen.iter().map(|&v| hull.vertices()[v as usize] - foot).collect()
}

/// Distance of the origin from the boundary of the polygon that some points in a plane span; negative where it is outside.
fn margin(points: &[DVec3], normal: DVec3) -> f64 {
    let (x, y) = normal.any_orthonormal_pair();
    let outline = outline(points.iter().map(|p| DVec2::new(p.dot(x), p.dot(y))).collect());
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    sides.map(|(a, b)| a.perp_dot(*b) / a.distance(*b)).fold(f64::INFINITY, f64::min)
}

/// Horizontal part of I n: the gyroscopic moment n x I n of a spin of 1 rad/s about n.
fn gyration(inertia: DMat3, normal: DVec3) -> f64 {
    normal.cross(inertia * normal).length()
}

#[cfg(test)]
mod tests {
    use super::{DVec3, gyration, margin};
    use glam::DMat3;

    #[test]
    fn the_margin_is_the_distance_to_the_nearest_side() {
        let corner = |x: f64, y: f64| DVec3::new(x, y, 0.0);
        let rectangle = [corner(-1.0, -3.0), corner(2.0, -3.0), corner(2.0, 4.0), corner(-1.0, 4.0)];
        assert!((margin(&rectangle, DVec3::Z) - 1.0).abs() < 1e-15);
        let doubled = [rectangle, rectangle].concat();
        assert!((margin(&doubled, DVec3::Z) - 1.0).abs() < 1e-15);
        let triangle = [corner(0.0, 2.0), corner(-2.0, 0.0), corner(2.0, -2.0)];
        assert!((margin(&triangle, DVec3::Z) - 0.8_f64.sqrt()).abs() < 1e-12, "{}", margin(&triangle, DVec3::Z));
    }

    #[test]
    fn a_spin_about_a_principal_axis_takes_no_moment() {
        let inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 4.0));
        assert_eq!(gyration(inertia, DVec3::Y), 0.0);
        let tilted = DVec3::new(0.6, 0.0, 0.8);
        assert!((gyration(inertia, tilted) - 0.48 * 3.0).abs() < 1e-15);
    }
}
