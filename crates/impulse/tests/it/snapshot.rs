//! Snapshots (sections 1.2, 2.4): a restored world goes on to the bit, and damaged ones are refused.

use crate::world_support::surface;
use crate::zoo::{Habitat, Stream};
use impulse::DVec3;
use impulse::geometry::{Cuboid, Shape};
use impulse::math::Pose;
use impulse::world::{BodySpec, ClockSpec, MotionSpec, RunError, Settings, Snapshot, World, WorldBuilder};
use serde_json::Value;

/// Everything that lives, with guests gone, clocks and watches.
fn busy_world(seed: u64, naive: bool) -> World {
    let settings = Settings { record_impacts: true, naive_broad_phase: naive, ..Settings::default() };
    let zoo = Habitat { seed, bodies: 27, closed: true, mixed: true, convex: false, settings }.build();
    let mut world = zoo.world;
    world.add_clock(ClockSpec::sample(1e-3)).unwrap();
    let gone = world.add_clock(ClockSpec::tick(1e-3)).unwrap();
    world.remove_clock(gone).unwrap();
    let free: Vec<_> = zoo.shapes.iter().filter(|(_, _, free)| *free).map(|(id, ..)| *id).collect();
    let floor = world.find("wall 2").unwrap();
    free.iter().take(3).for_each(|&id| _ = world.watch_contact(id, floor).unwrap());
    world.remove_body(free[4]).unwrap();
    world.remove_body(free[7]).unwrap();
    world
}

/// Everything that can be seen.
fn view(world: &World) -> String {
    let states: Vec<_> = world.bodies().map(|b| (world.name(b), world.principal_state_at(b, world.time()))).collect();
    let (counters, separation) = (world.counters(), world.min_separation());
    let last = world.impacts().last();
    let settled: Vec<_> = world.bodies().map(|b| world.settled(b)).collect();
    format!("{} {:x} {counters:?} {separation:?} {last:?} {states:?} {settled:?}", world.time(), world.trace_hash())
}

/// Up to that many events, and what ended them early.
fn run(world: &mut World, events: u64) -> Option<RunError> {
    (0..events).find_map(|_| world.step().err())
}

fn by_json(world: &World) -> World {
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    World::restore(serde_json::from_str(&text).unwrap()).unwrap()
}

fn by_bytes(world: &World) -> World {
    let bytes = postcard::to_stdvec(&world.snapshot()).unwrap();
    World::restore(postcard::from_bytes(&bytes).unwrap()).unwrap()
}

#[test]
fn a_restored_world_goes_on_to_the_bit() {
    for seed in 0..4 {
        let mut world = busy_world(seed, seed == 3);
        for events in [0, 1, 7, 50, 200, 400] {
            run(&mut world, events);
            let (mut json, mut bytes) = (by_json(&world), by_bytes(&world));
            assert_eq!(view(&json), view(&world));
            let mut original = world.clone();
            let ends = [&mut original, &mut json, &mut bytes].map(|world| run(world, 300));
            assert_eq!((&ends[0], &ends[0]), (&ends[1], &ends[2]));
            assert_eq!(view(&json), view(&original), "seed {seed}");
            assert_eq!(view(&bytes), view(&original), "seed {seed}");
            assert_eq!(json.impacts(), original.impacts());
        }
        assert!(world.counters().collisions > 5, "{:?}", world.counters());
    }
}

/// Between events, many times in a row, and with things done to both afterwards.
#[test]
fn chains_of_snapshots_change_nothing() {
    let mut original = busy_world(5, false);
    let mut copy = original.clone();
    for k in 1..40 {
        let t = 3e-4 * f64::from(k);
        for world in [&mut original, &mut copy] {
            while !world.run_until(t, Some(2_000)).unwrap().reached() {}
            let body = world.bodies().filter(|&b| world.principal_mass(b).is_some()).nth(k as usize % 7).unwrap();
            world.set_velocity(body, DVec3::new(0.1, 0.2, -0.3), DVec3::Y).unwrap();
            if k == 20 {
                world.remove_body(body).unwrap();
            }
        }
        copy = by_bytes(&copy);
    }
    assert_eq!(view(&original), view(&copy));
}

#[test]
fn shared_shapes_are_written_once() {
    let mut world = WorldBuilder::new(Settings::default()).unwrap().build().unwrap();
    let material = world.add_material(surface(0.1, 0.1)).unwrap();
    let mut spec = BodySpec {
        name: String::new(),
        shape: crate::zoo::shape(8, &mut Stream(1)),
        world_from_shape: Pose::IDENTITY,
        material,
        motion: MotionSpec::Fixed,
    };
    let mut bytes = Vec::new();
    for k in 0..3 {
        spec.name = format!("{k}");
        world.add_body(spec.clone()).unwrap();
        let document = serde_json::to_value(world.snapshot()).unwrap();
        // The compound and its three pieces, two of them simple.
        assert_eq!(document["shapes"].as_array().unwrap().len(), 4);
        bytes.push(postcard::to_stdvec(&world.snapshot()).unwrap().len());
    }
    assert!(bytes[2] - bytes[1] < bytes[0] / 2, "{bytes:?}");
}

/// Every box owned 4 kB.
#[test]
fn equal_boxes_share_one_polyhedron_also_when_restored() {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    builder.add_material(surface(0.1, 0.1)).unwrap();
    for k in 0..3 {
        let shape = Cuboid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap();
        builder.add_body(BodySpec::free(format!("{k}"), shape).at(DVec3::X * f64::from(k)).mass(1.0)).unwrap();
    }
    let world = builder.build().unwrap();
    let restored = by_bytes(&world);
    for world in [&world, &restored] {
        let shapes: Vec<&Shape> = world.bodies().map(|body| world.body(body).unwrap().shape()).collect();
        let [Shape::Cuboid(a), Shape::Cuboid(b), Shape::Cuboid(c)] = shapes[..] else { panic!("{shapes:?}") };
        let [a, b, c] = [a, b, c].map(|cuboid| cuboid.polyhedron().unwrap());
        assert!(std::ptr::eq(a, b) && std::ptr::eq(b, c));
    }
}

/// Every leaf of the document.
fn leaves(value: &Value, at: &mut Vec<String>, all: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(i, v)| {
            at.push(i.to_string());
            leaves(v, at, all);
            at.pop();
        }),
        Value::Object(map) => map.iter().for_each(|(key, v)| {
            at.push(key.clone());
            leaves(v, at, all);
            at.pop();
        }),
        _ => all.push(format!("/{}", at.join("/"))),
    }
}

/// Any number replaced by another: refused, or a world that runs or says why not. It never panics, and never hangs.
#[test]
fn damaged_snapshots_are_refused_or_run() {
    let mut world = busy_world(2, false);
    run(&mut world, 120);
    let document = serde_json::to_value(world.snapshot()).unwrap();
    let mut all = Vec::new();
    leaves(&document, &mut Vec::new(), &mut all);
    let mut random = Stream(11);
    let (mut refused, mut ran) = (0, 0);
    for _ in 0..600 {
        let mut damaged = document.clone();
        let path = &all[(random.next() * all.len() as f64) as usize];
        let values = [
            Value::from(0),
            Value::from(-1.5),
            Value::from(1e300),
            Value::from(u64::MAX),
            Value::from(4_000_000_000u32),
            Value::Null,
            Value::from(1),
        ];
        *damaged.pointer_mut(path).unwrap() = values[(random.next() * values.len() as f64) as usize].clone();
        let Ok(snapshot) = serde_json::from_value::<Snapshot>(damaged) else {
            refused += 1;
            continue;
        };
        let Ok(mut world) = World::restore(snapshot) else {
            refused += 1;
            continue;
        };
        ran += 1;
        for _ in 0..50 {
            if world.step().is_err() {
                break;
            }
        }
    }
    assert!(refused > 100 && ran > 20, "{refused} {ran}");
}
