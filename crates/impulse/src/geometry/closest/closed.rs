//! Distances with closed forms (section 2.2): a point against a block, a cylinder, a cone or a triangle, and segments
//! against each other.
//!
//! Spheres are points and capsules are segments with a radius, so this covers spheres against all but ellipsoids and polyhedra,
//! and capsules against each other. Nothing here iterates or needs a cache.

use super::core::Core;
use super::simplex::triangle;
use crate::math::Pose;
use glam::{DVec2, DVec3};

/// Closest points of two cores, each in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points {
    pub(super) a: DVec3,
    pub(super) b: DVec3,
}

/// The closest points of two cores where there is a closed form; equal points where they overlap.
pub(super) fn closest_points(first: &Core<'_>, second: &Core<'_>, first_from_second: &Pose) -> Option<Points> {
    let is_point = |core: &Core<'_>| matches!(core, Core::Block { half, .. } if *half == DVec3::ZERO);
    if is_point(second) {
        let b = first_from_second.translation;
        return Some(Points { a: project(first, b)?, b });
    }
    if is_point(first) {
        let local = first_from_second.inverse_point(DVec3::ZERO);
        return Some(Points { a: DVec3::ZERO, b: first_from_second.point(project(second, local)?) });
    }
    match (first, second) {
        (Core::Block { half: a, .. }, Core::Block { half: b, .. })
            if a.truncate() == DVec2::ZERO && b.truncate() == DVec2::ZERO =>
        {
            Some(segments(a.z, b.z, first_from_second))
        }
        _ => None,
    }
}

/// The point of a core nearest to `p`, which is `p` itself where the core contains it.
fn project(core: &Core<'_>, p: DVec3) -> Option<DVec3> {
    match *core {
        Core::Block { half, .. } => Some(p.clamp(-half, half)),
        Core::Cylinder { radius, half } => {
            let across = p.truncate();
            let length = across.length();
            let inside = if length > radius { across * (radius / length) } else { across };
            Some(inside.extend(p.z.clamp(-half, half)))
        }
        Core::Cone { radius, half } => Some(project_on_cone(radius, half, p)),
        Core::Triangle(&[a, b, c]) => {
            let [u, v, w, _] = triangle(a - p, b - p, c - p);
            Some(a * u + b * v + c * w)
        }
        Core::Ellipsoid(_) | Core::Polyhedron(_) => None,
    }
}

/// In the half-plane through the axis and the point, a cone is a right triangle.
fn project_on_cone(radius: f64, half: f64, p: DVec3) -> DVec3 {
    let across = p.truncate();
    let rho = across.length();
    let from_rim = DVec2::new(rho - radius, p.z + half);
    let slant = DVec2::new(-radius, 2.0 * half);
    let nearest = if from_rim.y <= 0.0 {
        DVec2::new(rho.min(radius), 0.0)
    } else if slant.perp_dot(from_rim) < 0.0 {
        let t = (from_rim.dot(slant) / slant.length_squared()).clamp(0.0, 1.0);
        DVec2::new(radius, 0.0) + t * slant
    } else {
        return p;
    };
    let outward = if rho > 0.0 { across / rho } else { DVec2::X };
    (outward * nearest.x).extend(nearest.y - half)
}

/// Segments of half lengths `h` and `k` along the z-axes of their frames.
fn segments(h: f64, k: f64, first_from_second: &Pose) -> Points {
    let (centre, axis) = (first_from_second.translation, first_from_second.vector(DVec3::Z));
    // Points s z and centre + t axis; with c the cosine between the axes the squared distance has its minimum where
    // s - c t = centre_z and t - c s = -axis . centre.
    let (c, along) = (axis.z, axis.dot(centre));
    let sine_squared = axis.truncate().length_squared();
    let free = if sine_squared > 0.0 { (c * centre.z - along) / sine_squared } else { 0.0 };
    let s = (centre.z + c * free.clamp(-k, k)).clamp(-h, h);
    let t = (c * s - along).clamp(-k, k);
    // If clamping changed t, s must follow.
    let s = (centre.z + c * t).clamp(-h, h);
    Points { a: DVec3::new(0.0, 0.0, s), b: centre + axis * t }
}
