//! The chords of the simple solids.

use super::chord::{Chord, interval};
use super::line::Ray;
use crate::geometry::{Cone, Ellipsoid, Plane, Shape};
use glam::DVec3;

/// What a line has in common with a simple solid; `None` for compounds and meshes too.
pub(super) fn chord(shape: &Shape, ray: &Ray) -> Option<Chord> {
    match shape {
        Shape::Sphere(s) => ball(ray, DVec3::ZERO, s.radius()),
        Shape::Cuboid(s) => cuboid(ray, s.half_size()),
        Shape::RoundedCuboid(s) => rounded_box(ray, s.core_half_size(), s.radius()),
        Shape::Capsule(s) => rounded_box(ray, DVec3::Z * (0.5 * s.length()), s.radius()),
        Shape::Cylinder(s) => {
            let end = 0.5 * s.height();
            tube(ray, DVec3::ZERO, 2, s.radius()).and_then(|chord| slab(ray, 2, end, chord))
        }
        Shape::Cone(s) => cone(ray, s),
        Shape::Ellipsoid(s) => ellipsoid(ray, s),
        Shape::Convex(s) => s.surface().planes().iter().try_fold(Chord::LINE, |chord, &plane| chord.below(plane, ray)),
        Shape::HalfSpace(s) => Chord::LINE.below(s.plane(), ray),
        Shape::Compound(_) | Shape::Mesh(_) => None,
    }
}

/// Where `from + t along` is within `radius` of the origin. `along` need not be a unit vector, and may be zero.
fn within(from: DVec3, along: DVec3, radius: f64) -> Option<[f64; 2]> {
    let (a, b, length) = (along.length_squared(), from.dot(along), from.length());
    let c = (length - radius) * (length + radius);
    if a == 0.0 {
        return interval(0.0, 0.0, c, 0.0);
    }
    // The discriminant b^2 - a c, from the distance at which the line passes the origin.
    let passing = from.cross(along).length() / a.sqrt();
    let discriminant = a * ((radius - passing) * (radius + passing));
    if discriminant >= 0.0 { interval(a, b, c, discriminant.sqrt()) } else { None }
}

fn ball(ray: &Ray, centre: DVec3, radius: f64) -> Option<Chord> {
    let from = ray.origin - centre;
    let [enter, leave] = within(from, ray.direction, radius)?;
    Some(Chord { enter, leave, normal: (from + ray.direction * enter).normalize_or_zero() })
}

/// An infinite circular cylinder about the line through `centre` along an axis.
fn tube(ray: &Ray, centre: DVec3, axis: usize, radius: f64) -> Option<Chord> {
    let (mut from, mut along) = (ray.origin - centre, ray.direction);
    (from[axis], along[axis]) = (0.0, 0.0);
    let [enter, leave] = within(from, along, radius)?;
    let normal = if enter.is_finite() { (from + along * enter).normalize_or_zero() } else { DVec3::ZERO };
    Some(Chord { enter, leave, normal })
}

/// The part of a chord in which a coordinate is at most `half` in absolute value.
fn slab(ray: &Ray, axis: usize, half: f64, chord: Chord) -> Option<Chord> {
    let normal = DVec3::AXES[axis];
    chord.below(Plane { normal, offset: half }, ray)?.below(Plane { normal: -normal, offset: half }, ray)
}

fn cuboid(ray: &Ray, half: DVec3) -> Option<Chord> {
    (0..3).try_fold(Chord::LINE, |chord, axis| slab(ray, axis, half[axis], chord))
}

fn ellipsoid(ray: &Ray, ellipsoid: &Ellipsoid) -> Option<Chord> {
    // The unit ball, stretched.
    let axes = ellipsoid.semi_axes();
    let (from, along) = (ray.origin / axes, ray.direction / axes);
    let [enter, leave] = within(from, along, 1.0)?;
    Some(Chord { enter, leave, normal: ((from + along * enter) / axes).normalize_or_zero() })
}

fn cone(ray: &Ray, cone: &Cone) -> Option<Chord> {
    let (radius, height, d) = (cone.radius(), cone.height(), ray.direction);
    let inside_heights = slab(ray, 2, 0.5 * height, Chord::LINE)?;
    // From the apex, the double cone is x^2 + y^2 <= (k z)^2.
    let (from, k) = (ray.origin - DVec3::Z * (0.5 * height), radius / height);
    let (across, along) = (d.truncate().length(), k * d.z);
    let (rho, reach) = (from.truncate().length(), (k * from.z).abs());
    let a = (across - along) * (across + along);
    let b = from.truncate().dot(d.truncate()) - k * from.z * along;
    let c = (rho - reach) * (rho + reach);
    // b^2 - a c without cancellation, from the moment of the line about the apex.
    let moment = from.cross(d);
    let (steep, level) = (k * moment.truncate().length(), moment.z.abs());
    let discriminant = (steep - level) * (steep + level);
    let side = |enter: f64, leave: f64| {
        let outward = (from + d * enter).truncate().normalize_or_zero();
        let normal = (outward * height).extend(radius).normalize();
        Chord { enter, leave, normal: if enter.is_finite() { normal } else { DVec3::ZERO } }
    };
    if a >= 0.0 {
        let [enter, leave] = if discriminant >= 0.0 { interval(a, b, c, discriminant.sqrt())? } else { return None };
        return inside_heights.and(side(enter, leave));
    }
    // A steep line leaves one half of the double cone and enters the other; it always meets both.
    let [first, last] = interval(-a, -b, -c, discriminant.max(0.0).sqrt())?;
    inside_heights.and(if d.z < 0.0 { side(last, f64::INFINITY) } else { side(f64::NEG_INFINITY, first) })
}

/// All points within `radius` of a box, which may be flat, a segment or a point: the union of three boxes, of cylinders about
/// the edges and of balls about the corners. It is convex, so that its chord runs from the first entry to the last exit.
fn rounded_box(ray: &Ray, half: DVec3, radius: f64) -> Option<Chord> {
    cuboid(ray, half + radius)?;
    let boxes = DVec3::AXES.map(|axis| cuboid(ray, half + axis * radius));
    let corners = signed(half).into_iter().map(|corner| ball(ray, corner, radius));
    let edges = (0..3).flat_map(|axis| {
        let mut across = half;
        across[axis] = 0.0;
        let edge = move |at: DVec3| tube(ray, at, axis, radius).and_then(|chord| slab(ray, axis, half[axis], chord));
        signed(across).into_iter().map(edge)
    });
    let ends = boxes.into_iter().chain(corners).chain(edges).flatten().map(|chord| [chord.enter, chord.leave]);
    let [enter, leave] = ends.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])?;
    let point = ray.at(enter);
    let normal = (point - point.clamp(-half, half)).normalize_or(-ray.direction);
    Some(Chord { enter, leave, normal })
}

/// The vectors with these coordinates and any signs.
fn signed(v: DVec3) -> [DVec3; 8] {
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    std::array::from_fn(|i| v * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2)))
}
