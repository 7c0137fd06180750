//! The world (sections 1.2, 2.3-2.5): exactness, the four invariants, and what the builder refuses.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, surface, wall};
use impulse::geometry::{Cuboid, Sphere};
use impulse::math::Pose;
use impulse::world::{BodySpec, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

pub(crate) fn gas(settings: Settings, per_side: i32) -> World {
    let mut builder = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..settings }).unwrap();
    let m = builder.add_material(surface(0.0, 1.0)).unwrap();
    let side = f64::from(per_side) * 0.3;
    for (i, (n, d)) in
        [(DVec3::X, 0.0), (DVec3::Y, 0.0), (DVec3::Z, 0.0), (-DVec3::X, -side), (-DVec3::Y, -side), (-DVec3::Z, -side)]
            .into_iter()
            .enumerate()
    {
        builder.add_body(wall(&format!("wall {i}"), n, d, m)).unwrap();
    }
    let ball = Sphere::new(0.1).unwrap();
    for k in 0..per_side * per_side * per_side {
        let cell =
            DVec3::new(f64::from(k % per_side), f64::from(k / per_side % per_side), f64::from(k / per_side / per_side));
        let wave = |phase: f64| libm::sin(f64::from(k) * 12.9898 + phase);
        let velocity = DVec3::new(wave(0.0), wave(1.7), wave(4.1)) * 2.0;
        builder.add_body(free(&format!("ball {k}"), ball, (cell + 0.5) * 0.3, velocity, m)).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn an_elastic_gas_keeps_its_energy() {
    let mut world = gas(Settings::default(), 5);
    let before = world.energy();
    assert!(world.run_until(5.0, Some(1_000_000)).unwrap().reached());
    let collisions = world.counters().collisions;
    assert!(collisions > 500, "{collisions}");
    assert!((world.energy() / before - 1.0).abs() < 1e-12, "{}", world.energy() / before - 1.0);
    assert_apart(&world);
}

/// The same input gives the same trace, whatever finds the pairs.
#[test]
fn hash_and_naive_broad_phase_agree_to_the_bit() {
    let run = |naive: bool| {
        let mut world = gas(Settings { naive_broad_phase: naive, ..Settings::default() }, 4);
        world.run_to(2.0).unwrap();
        (world.trace_hash(), world.counters().collisions)
    };
    assert_eq!(run(false), run(true));
    assert_eq!(run(false), run(false));
}

/// A box tumbles, bounces and comes to rest on a face, never overlapping the floor and never gaining energy.
#[test]
fn a_dropped_box_comes_to_rest() {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    let m = builder.add_material(surface(0.4, 0.4)).unwrap();
    builder.add_body(floor(m)).unwrap();
    let size = DVec3::new(0.10, 0.08, 0.06);
    let mut spec = free("box", Cuboid::new(size).unwrap(), DVec3::new(0.0, 0.0, 0.3), DVec3::new(0.5, 0.2, 0.0), m);
    spec.world_from_shape =
        Pose::new(DQuat::from_xyzw(0.3, -0.5, 0.2, 0.8), spec.world_from_shape.translation).unwrap();
    if let MotionSpec::Free { spin, .. } = &mut spec.motion {
        *spin = DVec3::new(3.0, -7.0, 5.0);
    }
    let id = builder.add_body(spec).unwrap();
    let mut world = builder.build().unwrap();
    let mass = 1000.0 * size.element_product();
    let slack = 4.0 * mass * 9.81 * 1e-5 * size.length();
    let mut energy = world.energy();
    for k in 1..=200 {
        assert!(
            world.run_until(f64::from(k) * 0.01, Some(2_000_000)).unwrap().reached(),
            "an event storm at {}",
            world.time()
        );
        assert!(world.energy() <= energy + slack, "energy grew at {}", world.time());
        energy = energy.min(world.energy());
    }
    let height = world.principal_state_at(id, 2.0).unwrap().world_from_body.translation.z;
    let faces = [0.03, 0.04, 0.05];
    let near = faces.iter().map(|f| (height - f).abs()).fold(f64::MAX, f64::min);
    let c = world.counters();
    assert!(near < 1e-4, "height {height}, {c:?}");
    assert_apart(&world);
}

/// A ball that has come to rest by microcollisions keeps bouncing at the touch distance: no bounce brings it closer.
#[test]
fn rest_does_not_sink() {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    let m = builder.add_material(surface(0.3, 0.5)).unwrap();
    builder.add_body(floor(m)).unwrap();
    let ball =
        builder.add_body(free("ball", Sphere::new(0.05).unwrap(), DVec3::new(0.0, 0.0, 0.05), DVec3::ZERO, m)).unwrap();
    let mut world = builder.build().unwrap();
    assert!(world.run_until(5.0, Some(200_000)).unwrap().reached(), "{:?}", world.counters());
    let height = world.principal_state_at(ball, 5.0).unwrap().world_from_body.translation.z - 0.05;
    assert!(height > 0.0 && height < 1e-5 * 0.05 * 1.1, "{height}");
    assert!(world.min_separation() > 1e-12, "{}", world.min_separation());
}

/// Bodies that nothing can move may overlap; a free one may not start inside another.
#[test]
fn overlap_at_the_start() {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    let m = builder.add_material(surface(0.3, 0.5)).unwrap();
    builder.add_body(floor(m)).unwrap();
    let plate = Cuboid::new(DVec3::new(1.0, 1.0, 0.02)).unwrap();
    let fixed = BodySpec { name: "plate".into(), shape: plate.into(), ..floor(m) };
    builder.add_body(fixed).unwrap();
    assert!(builder.clone().build().is_ok());
    builder.add_body(free("ball", Sphere::new(0.05).unwrap(), DVec3::new(3.0, 0.0, 0.04), DVec3::ZERO, m)).unwrap();
    let error = builder.build().unwrap_err().to_string();
    assert!(error.contains("floor") && error.contains("ball") && error.contains("1.000e-2"), "{error}");
}
