//! Random hulls and parts.

use glam::DVec3;
use impulse::geometry::{ConvexPolyhedron, MassProperties, Solid};
use impulse_lab::Part;
use impulse_scenes::Random;
use std::f64::consts::TAU;

/// The hull of random points (boxes, prisms and blobs), with the centre of mass of a part that fills it unevenly.
pub(crate) fn random_part(random: &mut Random) -> Part {
    loop {
        let points = match random.whole(0, 3) {
            0 => blob(random),
            1 => prism(random),
            2 => cuboid(random),
            _ => slab(random),
        };
        let Ok(solid) = ConvexPolyhedron::hull(&points) else { continue };
        let Ok(mut mass) = MassProperties::from_density(&solid.volume_integrals(), 1000.0) else { continue };
        let towards = points[random.whole(0, points.len() as i64 - 1) as usize];
        if random.unit() < 0.5 {
            // A weight moves the centre and adds to the inertia about it.
            let share = random.between(0.0, 0.4);
            let weight = impulse::geometry::PointMass { mass: share * mass.mass, position: towards };
            mass = MassProperties::combined(&[mass], &[weight]).unwrap_or(mass);
        }
        if let Ok(part) = Part::new("random", solid.tessellate(0.0), mass) {
            return part;
        }
    }
}

fn size(random: &mut Random) -> DVec3 {
    0.05 * DVec3::new(random.between(0.2, 1.0), random.between(0.2, 1.0), random.between(0.2, 1.0))
}

fn blob(random: &mut Random) -> Vec<DVec3> {
    let (count, size) = (random.whole(4, 40), size(random));
    (0..count).map(|_| size * random.direction()).collect()
}

fn prism(random: &mut Random) -> Vec<DVec3> {
    let (sides, height, size) = (random.whole(3, 12), random.between(0.01, 0.1), size(random));
    let taper = random.between(0.5, 1.0);
    let rim = |z: f64, scale: f64| {
        (0..sides).map(move |i| {
            let (s, c) = libm::sincos(TAU * i as f64 / sides as f64);
            DVec3::new(scale * size.x * c, scale * size.y * s, z)
        })
    };
    rim(-0.5 * height, 1.0).chain(rim(0.5 * height, taper)).collect()
}

fn cuboid(random: &mut Random) -> Vec<DVec3> {
    let size = size(random);
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|i| size * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

fn slab(random: &mut Random) -> Vec<DVec3> {
    let (count, size) = (random.whole(5, 30), size(random) * DVec3::new(1.0, 1.0, 0.2));
    (0..count).map(|_| size * random.point(DVec3::NEG_ONE, DVec3::ONE)).collect()
}
