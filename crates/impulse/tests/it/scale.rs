//! No length and no time is special: a world scaled by powers of two does the same, to the bit (compare section 3.5, whose
//! tolerances are lengths).
//!
//! All lengths times 4^k and all times times 2^k leave accelerations as they are; velocities take 2^k, spins 2^-k.

use crate::world_support::{free, surface, wall};
use impulse::geometry::{Capsule, ConvexPolyhedron, Cuboid, Cylinder, Ellipsoid, Shape, Sphere};
use impulse::math::Pose;
use impulse::world::{BodySpec, Event, ImpactRecord, MassSpec, MaterialId, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

/// Lengths are multiplied by `length`, times by `time`.
#[derive(Clone, Copy)]
struct Scale {
    length: f64,
    time: f64,
}

impl Scale {
    const ONE: Self = Self { length: 1.0, time: 1.0 };

    fn binary(k: i32) -> Self {
        Self { length: libm::exp2(f64::from(2 * k)), time: libm::exp2(f64::from(k)) }
    }
}

/// Balls, tumbling boxes, rods and more above a floor, between two slanted walls.
fn world(scale: Scale, restitution: f64) -> World {
    let gravity = DVec3::new(0.0, 0.0, -9.81) * (scale.length / (scale.time * scale.time));
    let mut builder = WorldBuilder::new(Settings { gravity, ..Settings::default() }).unwrap();
    let m = builder.add_material(surface(0.4, restitution)).unwrap();
    builder.add_body(wall("floor", DVec3::Z, 0.0, m)).unwrap();
    builder.add_body(wall("left", DVec3::new(3.0, 0.0, 1.0), -0.8 * scale.length, m)).unwrap();
    builder.add_body(wall("right", DVec3::new(-3.0, 0.5, 1.0), -0.8 * scale.length, m)).unwrap();
    for k in 0..12 {
        builder.add_body(body(k, scale, m)).unwrap();
    }
    builder.build().unwrap()
}

fn body(k: u32, scale: Scale, material: MaterialId) -> BodySpec {
    let size = (0.06 + 0.004 * f64::from(k)) * scale.length;
    let shape: Shape = match k % 6 {
        0 => Sphere::new(0.5 * size).unwrap().into(),
        1 => Cuboid::new(DVec3::new(1.0, 0.8, 0.6) * size).unwrap().into(),
        2 => Capsule::new(0.1 * size, 1.5 * size).unwrap().into(),
        3 => Cylinder::new(0.4 * size, 0.3 * size).unwrap().into(),
        4 => Ellipsoid::new(DVec3::new(0.5, 0.4, 0.3) * size).unwrap().into(),
        _ => octahedron(0.5 * size),
    };
    let wave = |phase: f64| libm::sin(f64::from(k) * 12.9898 + phase);
    let place = DVec3::new(f64::from(k % 3) - 1.0, f64::from(k / 3 % 2) - 0.5, 1.0 + f64::from(k / 6));
    let rotation = DQuat::from_xyzw(wave(0.3), wave(1.1), wave(2.9), wave(4.4));
    let velocity = DVec3::new(wave(0.0), wave(2.0), wave(4.0)) * (scale.length / scale.time);
    let spin = DVec3::new(wave(1.0), wave(3.0), wave(5.0)) * (10.0 / scale.time);
    BodySpec {
        world_from_shape: Pose::new(rotation, place * (0.2 * scale.length)).unwrap(),
        motion: MotionSpec::Free { mass: MassSpec::Mass(0.1 + 0.05 * f64::from(k)), velocity, spin },
        ..free(&format!("body {k}"), shape, DVec3::ZERO, DVec3::ZERO, material)
    }
}

fn octahedron(reach: f64) -> Shape {
    let corners: Vec<DVec3> = DVec3::AXES.into_iter().flat_map(|a| [a * reach, a * -0.8 * reach]).collect();
    ConvexPolyhedron::hull(&corners).unwrap().into()
}

/// Everything that can be seen of all bodies, in units of the unscaled world.
fn states(world: &World, scale: Scale) -> Vec<[f64; 13]> {
    let speed = scale.length / scale.time;
    let seen = |id| {
        let s = world.principal_state_at(id, world.time()).unwrap();
        let (x, q) = (s.world_from_body.translation / scale.length, s.world_from_body.rotation);
        let (v, w) = (s.velocity / speed, s.spin * scale.time);
        [x.x, x.y, x.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]
    };
    world.bodies().map(seen).collect()
}

fn assert_scaled(k: i32, restitution: f64, until: f64) {
    let scale = Scale::binary(k);
    let (mut one, mut other) = (world(Scale::ONE, restitution), world(scale, restitution));
    for step in 1..=20 {
        let t = until * f64::from(step) / 20.0;
        assert!(
            one.run_until(t, Some(2_000_000)).unwrap().reached()
                && other.run_until(t * scale.time, Some(2_000_000)).unwrap().reached()
        );
        for (i, (a, b)) in states(&one, Scale::ONE).iter().zip(states(&other, scale)).enumerate() {
            assert_eq!(a.map(f64::to_bits), b.map(f64::to_bits), "4^{k}, body {i} at {t}: {a:?} {b:?}");
        }
    }
    assert_eq!(one.counters(), other.counters());
    assert!(one.counters().collisions > 40, "{:?}", one.counters());
}

#[test]
fn real_impacts_scale_to_the_bit() {
    for k in [-5, 2] {
        assert_scaled(k, 0.9, 1.0);
    }
}

#[test]
fn microcollisions_scale_to_the_bit() {
    for k in [-5, 2] {
        assert_scaled(k, 0.3, 0.7);
    }
}

fn first_impacts(scale: Scale, count: usize) -> Vec<ImpactRecord> {
    let gravity = DVec3::new(0.0, 0.0, -9.81) * (scale.length / (scale.time * scale.time));
    let mut builder = WorldBuilder::new(Settings { gravity, ..Settings::default() }).unwrap();
    let m = builder.add_material(surface(0.4, 0.7)).unwrap();
    builder.add_body(wall("floor", DVec3::Z, 0.0, m)).unwrap();
    builder.add_body(body(1, scale, m)).unwrap();
    let mut world = builder.build().unwrap();
    let mut impacts = Vec::new();
    while impacts.len() < count {
        if let Event::Impact(record) = world.step().unwrap().expect("a box comes down") {
            impacts.push(record);
        }
    }
    impacts
}

/// Other factors round differently, and a tumbling box doubles differences at every impact.
#[test]
fn a_tumbling_box_scales_by_any_factor() {
    let wanted = first_impacts(Scale::ONE, 5);
    for (length, time) in [(1e-3, 0.7), (0.37, 3.3), (12.3, 11.0)] {
        let scale = Scale { length, time };
        let speed = length / time;
        for (n, (a, b)) in wanted.iter().zip(first_impacts(scale, 5)).enumerate() {
            let errors = [
                (b.time / time - a.time) / a.time,
                (b.point / length - a.point).length() / 0.1,
                (b.impulse / speed - a.impulse).length() / a.impulse.length(),
                (b.after / speed - a.after).length() / a.before.length(),
            ];
            assert!(errors.iter().all(|e| e.abs() < 1e-9), "{length} {time}, impact {n}: {errors:?}");
        }
    }
}
