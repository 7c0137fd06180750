//! Bodies that come and go while the world runs (section 2.4.3).

use crate::world::gas;
use crate::world_support::{floor, free, surface};

use impulse::geometry::{Cuboid, Ellipsoid, Sphere};
use impulse::math::Pose;
use impulse::world::{
    ActError, BodySpec, BuildError, Event, ImpactRecord, MaterialId, MotionSpec, Settings, World, WorldBuilder,
};
use impulse::{DQuat, DVec3};

/// A floor, a plate above it and a ball on the plate.
fn ball_on_plate() -> (World, MaterialId) {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    let m = builder.add_material(surface(0.3, 0.5)).unwrap();
    builder.add_body(floor(m)).unwrap();
    let plate = Cuboid::new(DVec3::new(1.0, 1.0, 0.1)).unwrap();
    let up = Pose::from_translation(DVec3::Z * 0.95);
    builder.add_body(BodySpec { name: "plate".into(), shape: plate.into(), world_from_shape: up, ..floor(m) }).unwrap();
    builder.add_body(free("ball", Sphere::new(0.1).unwrap(), DVec3::Z * 1.1, DVec3::ZERO, m)).unwrap();
    (builder.build().unwrap(), m)
}

fn next_impact(world: &mut World) -> ImpactRecord {
    loop {
        if let Event::Impact(record) = world.step().unwrap().expect("something falls") {
            return record;
        }
    }
}

#[test]
fn what_rested_on_a_removed_body_falls() {
    let (mut world, _) = ball_on_plate();
    assert!(world.run_until(0.5, Some(100_000)).unwrap().reached());
    let (plate, ball) = (world.find("plate").unwrap(), world.find("ball").unwrap());
    let height = world.principal_state_at(ball, 0.5).unwrap().world_from_body.translation.z - 0.1;
    let speed = world.principal_state_at(ball, 0.5).unwrap().velocity.z;
    assert!((height - 1.0).abs() < 1e-5);
    world.remove_body(plate).unwrap();
    assert_eq!((world.len(), world.find("plate"), world.name(plate)), (2, None, None));
    assert_eq!(world.remove_body(plate), Err(ActError::NoSuchBody));
    let record = next_impact(&mut world);
    let fall = (speed + (speed * speed + 2.0 * 9.81 * height).sqrt()) / 9.81;
    assert!((record.time - 0.5 - fall).abs() < 1e-9, "{} {fall}", record.time);
    assert_eq!(record.bodies, [world.find("floor").unwrap(), ball]);
}

#[test]
fn a_body_put_in_the_way_is_hit() {
    let (mut world, m) = ball_on_plate();
    let plate = world.find("plate").unwrap();
    world.remove_body(plate).unwrap();
    world.run_to(0.2).unwrap();
    let block = Cuboid::new(DVec3::splat(0.2)).unwrap();
    let id = world.add_body(free("block", block, DVec3::Z * 0.11, DVec3::ZERO, m)).unwrap();
    assert_ne!(id, plate, "ids are not given twice");
    assert_eq!(id.index(), plate.index(), "places are");
    let ball = world.find("ball").unwrap();
    let struck = std::iter::from_fn(|| Some(next_impact(&mut world))).find(|r| r.bodies.contains(&ball)).unwrap();
    assert!(struck.bodies.contains(&id));
    assert_eq!((world.name(id), world.name(plate), world.contains(plate)), (Some("block"), None, false));
}

/// A refused body leaves no trace.
#[test]
fn overlap_is_refused_and_undone() {
    let (mut world, m) = ball_on_plate();
    assert!(world.run_until(0.3, Some(100_000)).unwrap().reached());
    let mut other = world.clone();
    let block = |at: f64| free("block", Cuboid::new(DVec3::splat(0.2)).unwrap(), DVec3::Z * at, DVec3::ZERO, m);
    let error = world.add_body(block(1.05)).unwrap_err();
    assert!(matches!(&error, BuildError::Overlap { depth, .. } if *depth > 0.04), "{error}");
    assert!(matches!(world.add_body(free("ball", Sphere::new(0.1).unwrap(), DVec3::X * 9.0, DVec3::ZERO, m)),
        Err(BuildError::DuplicateName(name)) if name == "ball"));
    let nan = BodySpec { world_from_shape: Pose::from_translation(DVec3::NAN), ..block(5.0) };
    assert!(matches!(world.add_body(nan), Err(BuildError::NotFinite { .. })));
    let (len, counters) = (world.len(), world.counters());
    assert_eq!((len, counters.events, counters.measurements), {
        let counters = other.counters();
        (other.len(), counters.events, counters.measurements)
    });
    for world in [&mut world, &mut other] {
        assert!(world.run_until(0.4, Some(100_000)).unwrap().reached());
    }
    assert_eq!(world.trace_hash(), other.trace_hash());
    assert_eq!(world.min_separation(), other.min_separation());
    // At the touch distance it is welcome.
    world.add_body(block(0.1)).unwrap();
    assert!(world.run_until(0.5, Some(100_000)).unwrap().reached());
}

/// What comes and goes far away changes no bit of the others' impacts.
#[test]
fn strangers_change_nothing() {
    let settings = Settings { record_impacts: true, ..Settings::default() };
    // Open on one side: walls are half-spaces, and strangers need room.
    let open = || {
        let mut world = gas(settings, 3);
        let wall = world.find("wall 3").unwrap();
        world.remove_body(wall).unwrap();
        world
    };
    let mut alone = open();
    alone.run_to(2.0).unwrap();
    let mut visited = open();
    let places = alone.len() + 1;
    let m = visited.add_material(surface(0.1, 0.9)).unwrap();
    let stranger = |k: i32| {
        let at = DVec3::new(100.0 + f64::from(k), 0.45, 0.45);
        free(&format!("stranger {k}"), Sphere::new(0.3).unwrap(), at, DVec3::X, m)
    };
    for k in 0..20 {
        visited.run_to(0.1 * f64::from(k)).unwrap();
        let id = visited.add_body(stranger(k)).unwrap();
        if k % 3 == 0 {
            visited.remove_body(id).unwrap();
        }
    }
    visited.run_to(2.0).unwrap();
    assert!(alone.impacts().len() > 50 && visited.len() > places, "{}", alone.impacts().len());
    assert_eq!(visited.impacts(), alone.impacts());
}

/// A body added on its way meets the others as one that was there from the start and came the same way.
#[test]
fn late_is_as_good_as_early() {
    let run = |from: f64| {
        let settings = Settings { gravity: DVec3::ZERO, record_impacts: true, ..Settings::default() };
        let mut builder = WorldBuilder::new(settings).unwrap();
        let m = builder.add_material(surface(0.3, 0.8)).unwrap();
        for k in 0..4 {
            let at = DVec3::new(1.0, 0.5 * f64::from(k), 0.03 * f64::from(k));
            builder
                .add_body(free(&k.to_string(), Cuboid::new(DVec3::splat(0.3)).unwrap(), at, DVec3::ZERO, m))
                .unwrap();
        }
        let mut world = builder.build().unwrap();
        world.run_to(from).unwrap();
        let (start, v) = (DVec3::new(-3.0, -0.8, 0.0), DVec3::new(4.0, 1.0, 0.1));
        world.add_body(free("late", Sphere::new(0.125).unwrap(), start + v * from, v, m)).unwrap();
        assert!(world.run_until(4.0, Some(100_000)).unwrap().reached());
        world.impacts().to_vec()
    };
    let (early, late) = (run(0.0), run(0.75));
    assert!(early.len() >= 2 && early.len() == late.len(), "{} {}", early.len(), late.len());
    for (a, b) in early.iter().zip(&late) {
        assert_eq!(a.bodies, b.bodies);
        assert!((a.time - b.time).abs() < 1e-9 && (a.impulse - b.impulse).length() < 1e-6 * a.impulse.length());
    }
}

/// Coming and going give the same trace whatever finds the pairs.
#[test]
fn hash_and_naive_agree_on_guests() {
    let run = |naive: bool| {
        let mut world = gas(Settings { naive_broad_phase: naive, ..Settings::default() }, 3);
        let m = world.add_material(surface(0.2, 1.0)).unwrap();
        let mut added = 0;
        for k in 0..40 {
            assert!(world.run_until(0.05 * f64::from(k), Some(20_000)).unwrap().reached(), "{:?}", world.counters());
            let oldest = world.bodies().nth(6 + k as usize % 5).unwrap();
            world.remove_body(oldest).unwrap();
            let phase = f64::from(k);
            let at = DVec3::new(0.5 + 0.3 * phase.sin(), 0.5 + 0.3 * phase.cos(), 0.5);
            let egg = Ellipsoid::new(DVec3::new(0.02, 0.03, 0.04)).unwrap();
            let mut spec = free(&format!("guest {k}"), egg, at, -DVec3::X, m);
            spec.world_from_shape.rotation = DQuat::from_xyzw(0.1, 0.2, -0.3, 0.9).normalize();
            added += u32::from(world.add_body(spec).is_ok());
        }
        assert!(world.run_until(3.0, Some(20_000)).unwrap().reached(), "{:?}", world.counters());
        (added, world.trace_hash(), world.counters().collisions, world.len())
    };
    let hashed = run(false);
    assert_eq!(hashed, run(true));
    assert!(hashed.0 > 10, "{hashed:?}");
}

/// A fixed body may come down on nothing; a scripted one carries what is there already.
#[test]
fn a_fixed_body_may_be_added_beside_others() {
    let (mut world, m) = ball_on_plate();
    assert!(world.run_until(0.1, Some(100_000)).unwrap().reached());
    let block = Cuboid::new(DVec3::splat(0.2)).unwrap();
    let at = |z: f64| Pose::from_translation(DVec3::Z * z);
    let spec = |z: f64| BodySpec {
        name: "ceiling".into(),
        shape: block.clone().into(),
        world_from_shape: at(z),
        material: m,
        motion: MotionSpec::Fixed,
    };
    assert!(matches!(world.add_body(spec(1.2)), Err(BuildError::Overlap { .. })));
    let ceiling = world.add_body(spec(1.4)).unwrap();
    let ball = world.find("ball").unwrap();
    world.set_velocity(ball, DVec3::Z * 3.0, DVec3::ZERO).unwrap();
    assert!(next_impact(&mut world).bodies.contains(&ceiling));
}

/// Three balls over a floor: a pair and a check for each, and a box that expires.
#[test]
fn counters_say_what_is_there() {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    let m = builder.add_material(surface(0.0, 1.0)).unwrap();
    builder.add_body(floor(m)).unwrap();
    let ball = Sphere::new(0.1).unwrap();
    for (name, x) in [("a", 0.0), ("b", 0.5), ("c", 50.0)] {
        builder.add_body(free(name, ball, DVec3::new(x, 0.0, 0.15), DVec3::ZERO, m)).unwrap();
    }
    let mut world = builder.build().unwrap();
    let counters = world.counters();
    assert_eq!((counters.pairs, counters.queue, counters.queue_peak), (3, 6, 6));
    assert!(counters.cell_updates >= 3 && counters.events == 0);
    world.remove_body(world.find("b").unwrap()).unwrap();
    let counters = world.counters();
    assert_eq!((counters.pairs, counters.queue), (2, 4));
    world.run_to(1.0).unwrap();
    let counters = world.counters();
    assert_eq!(counters.events, counters.checks + counters.expiries);
    assert!(counters.queue_peak >= 4 && counters.collisions > 4);
}
