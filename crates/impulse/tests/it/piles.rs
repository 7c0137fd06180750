//! Many bodies in contact with each other (section 8.1): piles and pyramids settle, stand frozen, and answer when struck.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, surface, wall};
use impulse::geometry::{Cuboid, Shape, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, Counters, MassSpec, MotionSpec, Settings, Surface, World, WorldBuilder};
use impulse::{DQuat, DVec3};

/// Balls of this radius, m.
const RADIUS: f64 = 0.05;

fn builder(hop_height: f64) -> WorldBuilder {
    WorldBuilder::new(Settings { hop_height, ..Settings::default() }).unwrap()
}

/// Boxes in layers of four above a tray, turned in many ways.
fn pile(count: usize, hop_height: f64) -> (World, Vec<BodyId>) {
    let mut b = builder(hop_height);
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    for (i, side) in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].into_iter().enumerate() {
        b.add_body(wall(&format!("side {i}"), side, -0.16, m)).unwrap();
    }
    let boxes = (0..count).map(|i| {
        let (k, turn) = (i as f64, 0.7 * i as f64);
        let place = DVec3::new(
            0.08 * (1.0 - 2.0 * (k % 2.0)),
            0.08 * (1.0 - (k % 4.0 - k % 2.0)),
            0.15 + 0.15 * (i / 4) as f64,
        );
        let rotation = DQuat::from_rotation_x(turn) * DQuat::from_rotation_z(1.3 * turn);
        let shape = Cuboid::new(DVec3::new(0.1, 0.08, 0.06)).unwrap();
        let upright = free(&format!("box {i}"), shape, place, DVec3::ZERO, m);
        b.add_body(BodySpec { world_from_shape: Pose { rotation, translation: place }, ..upright }).unwrap()
    });
    let boxes = boxes.collect();
    (b.build().unwrap(), boxes)
}

/// A pyramid of balls on a square of `side` balls in a frame; if it is to be struck, with a smaller ball shot at the topmost.
fn pyramid(side: usize, strikes: bool) -> (World, Vec<BodyId>) {
    let mut b = builder(1e-4);
    let m = b
        .add_material(Surface { rolling_resistance: 1e-4, spinning_resistance: 1e-4, ..surface(0.5, 0.3).into() })
        .unwrap();
    b.add_body(floor(m)).unwrap();
    let half = side as f64 * RADIUS * (1.0 + 1e-4);
    for (i, direction) in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].into_iter().enumerate() {
        b.add_body(wall(&format!("side {i}"), direction, -half, m)).unwrap();
    }
    let mut balls = Vec::new();
    for layer in 0..side {
        let row = side - layer;
        for k in 0..row * row {
            let place = |i: usize| (2.0 * i as f64 - (row as f64 - 1.0)) * RADIUS;
            let height = RADIUS * (1.0 + layer as f64 * 2f64.sqrt());
            // Not quite touching: rounding must not decide who overlaps.
            let centre = DVec3::new(place(k % row), place(k / row), height) * (1.0 + 1e-6);
            let ball = free(&format!("ball {layer}.{k}"), Sphere::new(RADIUS).unwrap(), centre, DVec3::ZERO, m);
            balls.push(b.add_body(ball).unwrap());
        }
    }
    if strikes {
        let apex = RADIUS * (1.0 + 2f64.sqrt() * (side as f64 - 1.0));
        let (beside, velocity) = (DVec3::new(0.85 * RADIUS - half, 0.0, apex), DVec3::X * 5.0);
        b.add_body(free("bullet", Sphere::new(0.8 * RADIUS).unwrap(), beside, velocity, m)).unwrap();
    }
    (b.build().unwrap(), balls)
}

fn run(world: &mut World, until: f64) {
    assert!(world.run_until(until, Some(200_000)).unwrap().reached(), "a storm at {} s", world.time());
}

/// Runs to rest; energy must not grow from tenth to tenth of a second beyond what hops lift. Gives when nothing was left to do.
fn settle(world: &mut World, until: f64, allowance: f64) -> f64 {
    let mut energy = world.energy();
    let mut time = 0.0;
    while world.next_event().is_some() {
        time += 0.1;
        assert!(time <= until, "not at rest after {until} s: {:?}", world.counters());
        run(world, time);
        assert!(world.energy() <= energy + allowance, "{} J after {energy} J at {time} s", world.energy());
        energy = world.energy().min(energy);
    }
    time
}

/// Frozen bodies stay where they are for a minute, without any event.
fn assert_stands(world: &mut World, bodies: &[BodyId]) {
    let pose = |world: &World, body: BodyId| world.principal_state_at(body, world.time()).unwrap().world_from_body;
    let before: Vec<_> = bodies.iter().map(|&body| pose(world, body)).collect();
    let (events, now) = (world.counters().events, world.time());
    run(world, now + 60.0);
    assert_apart(world);
    assert_eq!(world.counters().events, events);
    for (&body, before) in bodies.iter().zip(&before) {
        assert!(pose(world, body).translation.distance(before.translation) < 1e-9);
        assert_eq!(world.settled(body), Some(true));
    }
}

/// Dropped boxes come to rest on each other, twice in the same way.
#[test]
fn a_pile_of_boxes_comes_to_rest() {
    let hashes = [0, 1].map(|_| assert_comes_to_rest(12, 1e-3));
    assert_eq!(hashes[0], hashes[1]);
}

/// So do many that hop higher, whose impulses are found from nowhere near most of the time.
#[test]
fn large_piles_of_boxes_come_to_rest() {
    for count in [34, 36, 38] {
        assert_comes_to_rest(count, 1e-3);
    }
}

/// Gives the hash of the trace.
fn assert_comes_to_rest(count: usize, hop_height: f64) -> u64 {
    let (mut world, boxes) = pile(count, hop_height);
    let mass: f64 = boxes.iter().map(|&body| world.principal_mass(body).unwrap().mass()).sum();
    let height = hop_height * 0.5 * DVec3::new(0.1, 0.08, 0.06).length();
    settle(&mut world, 6.0, mass * 9.81 * height);
    assert_stands(&mut world, &boxes);
    world.trace_hash()
}

/// Balls in a pyramid stand where they were put; floor and frame carry their weight.
#[test]
fn a_pyramid_of_balls_stands() {
    let (mut world, balls) = pyramid(3, false);
    let top = *balls.last().unwrap();
    let apex = world.principal_state_at(top, 0.0).unwrap().world_from_body.translation;
    let mass: f64 = balls.iter().map(|&body| world.principal_mass(body).unwrap().mass()).sum();
    settle(&mut world, 4.0, mass * 9.81 * 1e-4 * RADIUS);
    assert_stands(&mut world, &balls);
    let moved = world.principal_state_at(top, world.time()).unwrap().world_from_body.translation - apex;
    // The frame is wider by a ten-thousandth: its balls may part that far, and those above sink.
    assert!(moved.length() < 1e-3 * RADIUS, "{moved}");
    // Friction on the frame carries a part.
    let carried: f64 = balls
        .iter()
        .flat_map(|&body| world.lasting_contacts(body))
        .filter_map(|contact| {
            let side = contact.bodies.iter().position(|body| !balls.contains(body))?;
            Some(if side == 1 { contact.force.z } else { -contact.force.z })
        })
        .sum();
    assert!((carried / (9.81 * mass) - 1.0).abs() < 1e-3, "{carried} N for {} N", 9.81 * mass);
}

/// A smaller ball shot at the topmost one of a pyramid knocks it out of its place and takes it: it ends between the four below.
#[test]
fn a_ball_knocks_another_from_the_top() {
    let (mut world, balls) = pyramid(3, true);
    let mass: f64 = balls.iter().map(|&body| world.principal_mass(body).unwrap().mass()).sum();
    settle(&mut world, 3.0, mass * 9.81 * 1e-4 * RADIUS);
    let bullet = world.find("bullet").unwrap();
    assert_stands(&mut world, &[&balls[..], &[bullet]].concat());
    let place = |body: BodyId| world.principal_state_at(body, world.time()).unwrap().world_from_body.translation;
    assert!(place(balls[13]).x > RADIUS, "the ball that was at the top is at {}", place(balls[13]));
    // 1.8 radii from the centres of four balls that lie root 2 radii beside it.
    let height = RADIUS * (1.0 + 2f64.sqrt() + (1.8f64 * 1.8 - 2.0).sqrt());
    let found = place(bullet);
    assert!(found.truncate().length() < 1e-3 * RADIUS && (found.z - height).abs() < 1e-3 * RADIUS, "{found}");
}

/// Ten thousand boxes at rest, perhaps, and far from them a ball that falls on a box; and what happens once it is let go.
fn impact_elsewhere(boxes: u32) -> (Counters, u64) {
    let mut b = builder(1e-5);
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    let shape = Cuboid::new(DVec3::new(0.1, 0.08, 0.06)).unwrap();
    let mut add = |name: &str, shape: Shape, at: DVec3| b.add_body(free(name, shape, at, DVec3::ZERO, m)).unwrap();
    add("struck", shape.clone().into(), DVec3::new(-3.0, 0.0, 0.03));
    for k in 0..boxes {
        let at = DVec3::new(0.15 * f64::from(k % 100), 0.15 * f64::from(k / 100), 0.03);
        add(&format!("box {k}"), shape.clone().into(), at);
    }
    let mut world = b.build().unwrap();
    world.run_to(1.0).unwrap();
    let before = world.counters();
    let ball = Sphere::new(RADIUS).unwrap();
    world.add_body(free("ball", ball, DVec3::new(-3.02, 0.01, 0.5), DVec3::ZERO, m)).unwrap();
    world.run_to(3.0).unwrap();
    let after = world.counters();
    let work = Counters {
        events: after.events - before.events,
        checks: after.checks - before.checks,
        measurements: after.measurements - before.measurements,
        marches: after.marches - before.marches,
        collisions: after.collisions - before.collisions,
        hops: after.hops - before.hops,
        sweeps: after.sweeps - before.sweeps,
        expiries: after.expiries - before.expiries,
        cell_updates: after.cell_updates - before.cell_updates,
        ..Counters::default()
    };
    (work, before.events)
}

/// What rests has no part in what happens elsewhere.
#[test]
fn an_impact_beside_ten_thousand_boxes_at_rest_costs_what_it_costs_alone() {
    let (alone, _) = impact_elsewhere(0);
    let (beside, settling) = impact_elsewhere(10_000);
    assert!(alone.collisions > 0 && alone.hops > 0 && settling > 10_000, "{alone:?} {settling}");
    let counted = |c: &Counters| {
        [c.events, c.checks, c.measurements, c.marches, c.collisions, c.hops, c.sweeps, c.expiries, c.cell_updates]
    };
    for (alone, beside) in counted(&alone).into_iter().zip(counted(&beside)) {
        assert!(5 * beside <= 6 * alone, "{alone} became {beside}");
    }
}

/// Balls of unlike masses with friction so strong that they jam between the walls: they must not hop on for ever, point by point.
#[test]
fn balls_that_jam_come_to_rest() {
    let mut b = builder(1e-5);
    let m = b.add_material(surface(10.0, 0.0)).unwrap();
    b.add_body(floor(m)).unwrap();
    for (i, side) in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].into_iter().enumerate() {
        b.add_body(wall(&format!("side {i}"), side, -2.3 * RADIUS, m)).unwrap();
    }
    let mut balls = Vec::new();
    for i in 0..12 {
        let k = f64::from(i);
        let place = DVec3::new(1.2 - 2.4 * (k % 2.0), 1.2 - 1.2 * (k % 4.0 - k % 2.0), 1.3 + 2.4 * (k / 4.0).floor());
        let shape = Sphere::new(RADIUS * (0.8 + 0.03 * (k % 7.0))).unwrap();
        let velocity = DVec3::new((5.0 * k) % 3.0 - 1.0, (7.0 * k) % 3.0 - 1.0, 0.0) * 0.3;
        let density = [30.0, 8000.0, 1000.0][i as usize % 3];
        let ball = free(&format!("ball {i}"), shape, place * RADIUS, velocity, m);
        let motion = MotionSpec::Free { mass: MassSpec::Density(density), velocity, spin: DVec3::ZERO };
        balls.push(b.add_body(BodySpec { motion, ..ball }).unwrap());
    }
    let mut w = b.build().unwrap();
    run(&mut w, 4.0);
    let c = w.counters();
    assert!(balls.iter().all(|&ball| w.settled(ball) == Some(true)), "{c:?}");
    assert!(5 * c.unconverged < c.hops, "{c:?}");
    assert!(w.energy_rise() <= w.energy_allowance(), "{}", w.energy_rise());
    assert_apart(&w);
}

/// Balls of 2 cm radius above a tray of a given half width (m), so many in a row.
fn balls_above_a_tray(law: impl Into<Surface>, [count, in_row]: [usize; 2], half_width: f64) -> World {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(law.into()).unwrap();
    b.add_body(floor(m)).unwrap();
    for (i, side) in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].into_iter().enumerate() {
        b.add_body(wall(&format!("side {i}"), side, -half_width, m)).unwrap();
    }
    for i in 0..count {
        let column = |k: usize| 0.05 - half_width + 0.044 * (k % in_row) as f64;
        let off = |k: usize| 1e-3 * (k * 7919 % 101) as f64 / 101.0;
        let height = 0.03 + 0.044 * (i / (in_row * in_row)) as f64;
        let place = DVec3::new(column(i) + off(i), column(i / in_row) + off(3 * i + 1), height);
        b.add_body(free(&format!("ball {i}"), Sphere::new(0.02).unwrap(), place, DVec3::ZERO, m)).unwrap();
    }
    b.build().unwrap()
}

/// Balls that fall into a tray roll over each other: those that fly past each other within a flight do not land on the way, or a hop of all
/// follows in a hundredth of one.
#[test]
fn balls_that_roll_over_each_other_hop_whole_flights() {
    let mut w = balls_above_a_tray(surface(0.3, 0.3), [130, 10], 0.25);
    run(&mut w, 0.25);
    let before = w.counters().hops;
    run(&mut w, 0.5);
    let hops = w.counters().hops - before;
    assert!(hops < 5000, "{hops}");
    assert_eq!(w.counters().unconverged, 0);
    assert!(w.energy_rise() <= w.energy_allowance());
    assert_apart(&w);
}

/// Balls whose rolling is resisted are solved as roughly while they move as those that roll freely: rounds, which begin with sweeps, are
/// dear there and do not always end.
#[test]
fn a_pile_of_balls_in_motion_is_solved_as_roughly_with_resistances() {
    let law = Surface { rolling_resistance: 1e-4, spinning_resistance: 1e-4, ..surface(0.3, 0.3).into() };
    let mut w = balls_above_a_tray(law, [55, 5], 0.125);
    run(&mut w, 0.75);
    let c = w.counters();
    assert!(c.hops > 1000 && 100 * c.sweeps < c.hops && 1000 * c.unconverged < c.hops, "{c:?}");
    assert!(w.energy_rise() <= w.energy_allowance());
    assert_apart(&w);
}

/// What bodies remember of how many they hop with goes into a snapshot: a restored pile goes on to the bit.
#[test]
fn a_pile_is_restored_to_the_bit() {
    let (mut world, boxes) = pile(16, Settings::default().hop_height);
    run(&mut world, 0.5);
    let mut copy = World::restore(world.snapshot()).unwrap();
    let before = world.counters().hops;
    for w in [&mut world, &mut copy] {
        run(w, 0.6);
    }
    assert!(world.counters().hops > before + 20, "{:?}", world.counters());
    for body in boxes {
        let places = [&world, &copy].map(|w| w.body(body).unwrap().centre_of_mass());
        assert_eq!(places[0], places[1], "{body:?}");
    }
}
