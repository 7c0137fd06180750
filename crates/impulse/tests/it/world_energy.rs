//! The record of energy from nothing (sections 3.5, 8.1) against energies summed over bodies, and when a run was busiest.

use crate::world_support::{floor, free, placed, slab, surface, wall};
use impulse::body::Cycle;
use impulse::geometry::{Cuboid, Cylinder, Shape, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, ImpactRecord, Settings, Surface, World, WorldBuilder};
use impulse::{DQuat, DVec3};

fn builder() -> WorldBuilder {
    WorldBuilder::new(Settings { record_impacts: true, ..Settings::default() }).unwrap()
}

/// A box, a cylinder and a ball, turned and thrown, above what is there.
fn throw(b: &mut WorldBuilder, material: impulse::world::MaterialId) -> Vec<BodyId> {
    let shapes: [Shape; 3] = [
        Cuboid::new(DVec3::new(0.1, 0.06, 0.04)).unwrap().into(),
        Cylinder::new(0.03, 0.07).unwrap().into(),
        Sphere::new(0.03).unwrap().into(),
    ];
    let mut ids = Vec::new();
    for (k, shape) in shapes.into_iter().enumerate() {
        let rotation = DQuat::from_rotation_x(0.4 + k as f64);
        let at = Pose { rotation, translation: DVec3::new(0.05 * k as f64, 0.0, 0.1 + 0.15 * k as f64) };
        let body = free(&format!("{k}"), shape, DVec3::ZERO, DVec3::ZERO, material);
        ids.push(b.add_body(placed(body, at, DVec3::new(0.2, 0.1 * k as f64, 0.0), DVec3::Z)).unwrap());
    }
    ids
}

/// Work that a scripted body does on a free one in an impact, J.
fn work(world: &World, record: &ImpactRecord) -> f64 {
    let scripted = |side: usize| {
        let body = world.body(record.bodies[side]).unwrap();
        if body.is_scripted() { record.impulse.dot(body.point_velocity(record.point)) } else { 0.0 }
    };
    scripted(1) - scripted(0)
}

/// Runs a world and compares its record with the energies of its bodies after every event, of which what `done` says is taken off.
fn assert_recorded(world: &mut World, until: f64, mut done: impl FnMut(&World) -> f64) {
    let (mut driven, mut largest) = (0.0, world.energy().abs());
    let (mut least, mut rise) = (world.energy() - done(world), 0.0f64);
    while world.next_event().is_some_and(|t| t <= until) {
        world.step().unwrap();
        let records = world.take_impacts();
        driven += records.iter().map(|record| work(world, record)).sum::<f64>();
        let energy = world.energy() - driven - done(world);
        largest = largest.max(world.energy().abs());
        least = least.min(energy);
        rise = rise.max(energy - least);
        let recorded = world.energy_rise();
        assert!((recorded - rise).abs() <= 1e-11 * largest, "t = {}: {recorded:e}, {rise:e}", world.time());
    }
    assert!(rise > 0.0 && world.counters().events > 100, "{rise} {:?}", world.counters());
}

/// Bodies fall, strike each other, rest and are frozen.
#[test]
fn energy_rise_is_that_of_the_energies() {
    let mut b = builder();
    let m = b.add_material(surface(0.4, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    throw(&mut b, m);
    let mut world = b.build().unwrap();
    assert_recorded(&mut world, 2.0, |_| 0.0);
    assert!(world.energy_rise() <= world.energy_allowance());
    assert!(world.body_refs().any(impulse::world::BodyRef::is_frozen));
}

/// What a shaker puts in is its work.
#[test]
fn energy_rise_leaves_out_the_work_of_scripts() {
    let mut b = builder();
    let m = b.add_material(surface(0.4, 0.6)).unwrap();
    let script =
        Cycle::oscillator(Pose::from_translation(DVec3::Z * -0.05), DVec3::new(1e-3, 0.0, 3e-3), 150.0).unwrap();
    b.add_body(BodySpec::scripted("shaker", Cuboid::new(DVec3::new(4.0, 4.0, 0.1)).unwrap(), script).material(m))
        .unwrap();
    throw(&mut b, m);
    let mut world = b.build().unwrap();
    let start = world.energy();
    assert_recorded(&mut world, 1.0, |_| 0.0);
    assert!(world.kinetic_energy() > 1e3 * world.energy_rise(), "it is shaken: {start}");
}

/// Couples that resist rolling take energy too.
#[test]
fn energy_rise_knows_rolling_resistance() {
    let mut b = builder();
    let m = b.add_material(Surface { rolling_resistance: 1e-3, ..surface(0.5, 0.3).into() }).unwrap();
    b.add_body(wall("slope", DVec3::new(0.02, 0.0, 1.0), 0.0, m)).unwrap();
    throw(&mut b, m);
    let mut world = b.build().unwrap();
    assert_recorded(&mut world, 1.0, |_| 0.0);
}

/// A constant force does work along the way.
#[test]
fn energy_rise_leaves_out_applied_forces() {
    let mut b = builder();
    let m = b.add_material(surface(0.3, 0.5)).unwrap();
    b.add_body(floor(m)).unwrap();
    let pushed = throw(&mut b, m)[0];
    let mut world = b.build().unwrap();
    let force = DVec3::new(3.0, 1.0, 0.5);
    world.set_force(pushed, force).unwrap();
    let start = world.body(pushed).unwrap().centre_of_mass();
    assert_recorded(&mut world, 1.0, |world| force.dot(world.body(pushed).unwrap().centre_of_mass() - start));
}

/// A box that is frozen and woken again and again gains nothing by it.
#[test]
fn rest_and_waking_add_nothing() {
    let mut b = builder();
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(slab(0.0, m)).unwrap();
    let cube = free("cube", Cuboid::new(DVec3::splat(0.1)).unwrap(), DVec3::Z * 0.06, DVec3::ZERO, m);
    let cube = b.add_body(cube).unwrap();
    let mut world = b.build().unwrap();
    for k in 1..=40 {
        world.run_to(f64::from(k)).unwrap();
        assert!(world.body(cube).unwrap().is_frozen());
        world.set_velocity(cube, DVec3::ZERO, DVec3::ZERO).unwrap();
        assert!(!world.body(cube).unwrap().is_frozen());
    }
    let (rise, allowance) = (world.energy_rise(), world.energy_allowance());
    assert!(rise < 0.5 * allowance, "{rise:e} of {allowance:e}");
    // 1 kg, hops of at most 1e-3 of 5 cm times the root of three; nothing moves faster than in the first fall. One body hops lower.
    let expected = 20.0 * 9.81 * 1e-3 * 0.05 * 3f64.sqrt();
    assert!(rise < 0.05 * allowance, "{rise:e} of {allowance:e}");
    assert!((allowance - expected).abs() <= 1e-12, "{allowance:e} {expected:e}");
}

/// Records go on in a restored world, and the busiest tenth is that of the events counted one by one.
#[test]
fn records_of_energy_and_business_go_on_after_a_snapshot() {
    let mut b = builder();
    let m = b.add_material(surface(0.4, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    throw(&mut b, m);
    let mut world = b.build().unwrap();
    let mut again = World::restore(world.snapshot()).unwrap();
    world.run_to(0.25).unwrap();
    let mut copy = World::restore(world.snapshot()).unwrap();
    world.run_to(1.0).unwrap();
    let mut tenths = [0u64; 11];
    copy.run_to(1.0).unwrap();
    let told = |world: &World| (world.energy_rise(), world.energy_allowance(), world.busiest_tenth());
    assert_eq!(told(&copy), told(&world));
    while again.next_event().is_some_and(|t| t <= 1.0) {
        again.step().unwrap();
        tenths[(again.time() * 10.0) as usize] += 1;
    }
    let busiest = world.busiest_tenth();
    let most = (0..11).rev().max_by_key(|&k| tenths[k]).unwrap();
    assert_eq!((busiest.from, busiest.events), (0.1 * most as f64, tenths[most]));
}
