//! Solid angles of the faces of a hull (7.1).

use glam::DVec3;
use impulse::geometry::ConvexPolyhedron;
use std::f64::consts::PI;

/// The share of the sphere about a point that each face covers (7.1).
///
/// The angle of a triangle is Van Oosterom and Strackee's (1983): unlike the sum of its angles less pi it loses no digits where the
/// triangle is small.
pub(super) fn solid_angles(hull: &ConvexPolyhedron, from: DVec3) -> Vec<f64> {
    let faces = hull.surface().faces().iter();
    let at = |vertex: u32| hull.vertices()[vertex as usize] - from;
    let share = |corners: &[u32]| {
        let fan = (1..corners.len() - 1).map(|i| triangle_angle([at(corners[0]), at(corners[i]), at(corners[i + 1])]));
        fan.sum::<f64>() / (4.0 * PI)
    };
    faces.map(share).collect()
}

/// The solid angle of a triangle seen from the origin, sr.
fn triangle_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let [la, lb, lc] = [a, b, c].map(DVec3::length);
    let volume = a.dot(b.cross(c));
    let scale = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * libm::atan2(volume, scale)
}
