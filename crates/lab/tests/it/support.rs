//! Parts for tests.

use glam::DVec3;
use impulse::geometry::{ConvexPolyhedron, MassProperties, Solid};
use impulse_lab::{Landscape, Part};
use impulse_scenes::Random;
use std::f64::consts::TAU;

/// The share of the radius below which poses are one, where nothing else is said.
pub(crate) const MERGE: f64 = 0.01;

/// A uniform convex part.
pub(crate) fn hull(points: &[DVec3]) -> Part {
    let solid = ConvexPolyhedron::hull(points).unwrap();
    Part::from_polyhedron("part", solid.surface(), 1000.0).unwrap()
}

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Part {
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
    let corners = (0..8).map(|i| DVec3::new(x * sign(i, 0), y * sign(i, 1), z * sign(i, 2)));
    hull(&corners.collect::<Vec<_>>())
}

/// A prism over a regular polygon with corners on a circle.
pub(crate) fn prism(sides: u32, radius: f64, height: f64) -> Part {
    let rim = |z: f64| {
        (0..sides).map(move |i| {
            let (s, c) = libm::sincos(TAU * f64::from(i) / f64::from(sides));
            DVec3::new(radius * c, radius * s, z)
        })
    };
    hull(&rim(-0.5 * height).chain(rim(0.5 * height)).collect::<Vec<_>>())
}

/// The hull of some random points, with its centre of mass somewhere inside.
pub(crate) fn random_part(seed: u64) -> Part {
    let random = &mut Random::new(seed);
    let count = random.whole(4, 24);
    let size = DVec3::new(random.between(0.2, 1.0), random.between(0.2, 1.0), random.between(0.2, 1.0));
    let points: Vec<DVec3> = (0..count).map(|_| 0.05 * size * random.direction() * random.between(0.7, 1.0)).collect();
    let solid = ConvexPolyhedron::hull(&points).unwrap();
    let mut mass = MassProperties::from_density(&solid.volume_integrals(), 1000.0).unwrap();
    let towards = points[random.whole(0, count - 1) as usize];
    mass.com = mass.com.lerp(towards, random.between(0.0, 0.5));
    Part::new("random", solid.tessellate(0.0), mass).unwrap()
}

pub(crate) fn landscape(part: &Part) -> Landscape {
    Landscape::new(part, MERGE)
}
