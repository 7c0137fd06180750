//! Contact that lasts (sections 3.5, 8.1): rest, sliding, rolling and stacks against closed forms and published integrations.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, placed, slab, surface, wall};
use impulse::body::Cycle;
use impulse::geometry::{Compound, Cuboid, Cylinder, Ellipsoid, MassProperties, Piece, Shape, Sphere};
use impulse::math::Pose;
use impulse::world::{
    BodyId, BodySpec, ContactMode, ContactRule, MassSpec, MaterialId, MotionSpec, Settings, World, WorldBuilder,
};
use impulse::{DMat3, DQuat, DVec3};

const G: f64 = 9.81;

fn builder() -> WorldBuilder {
    WorldBuilder::new(Settings::default()).unwrap()
}

fn run(world: &mut World, until: f64) {
    let stopped = world.run_until(until, Some(2_000_000)).unwrap();
    assert!(stopped.reached(), "an event storm at {} s: {:?}", world.time(), world.counters());
}

fn position(world: &World, body: BodyId) -> DVec3 {
    world.principal_state_at(body, world.time()).unwrap().world_from_body.translation
}

fn ramp(friction: f64, speed: f64, rule: ContactRule) -> (World, BodyId, DVec3) {
    let angle = 30f64.to_radians();
    let mut b = WorldBuilder::new(Settings { contact: rule, ..Settings::default() }).unwrap();
    let m = b.add_material(surface(friction, 0.3)).unwrap();
    let up = DVec3::new(angle.sin(), 0.0, angle.cos());
    let downhill = DVec3::new(angle.cos(), 0.0, -angle.sin());
    b.add_body(wall("ramp", up, 0.0, m)).unwrap();
    let at = Pose { rotation: DQuat::from_rotation_y(angle), translation: up * 0.05 };
    let block = free("block", Cuboid::new(DVec3::splat(0.1)).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let id = b.add_body(placed(block, at, downhill * speed, DVec3::ZERO)).unwrap();
    (b.build().unwrap(), id, downhill)
}

/// A block sliding down a ramp stops after `v^2 / (2 g (mu cos a - sin a))`, and stays there.
#[test]
fn a_block_on_a_ramp_stops_where_coulomb_says() {
    let angle = 30f64.to_radians();
    for (friction, speed, until) in [(0.9, 5.48, 2.2), (0.6, 0.3, 1.8), (0.578, 0.3, 56.0)] {
        let (mut world, block, downhill) = ramp(friction, speed, ContactRule::Joint);
        let start = position(&world, block);
        run(&mut world, until);
        let stopped = position(&world, block);
        let wanted = speed * speed / (2.0 * G * (friction * angle.cos() - angle.sin()));
        let error = (stopped - start).dot(downhill) - wanted;
        assert!(error.abs() < 1e-6, "mu = {friction}: off by {error:e} of {wanted} m");
        let events = world.counters().events;
        run(&mut world, until + 60.0);
        assert!(position(&world, block).distance(stopped) < 1e-9 && world.settled(block) == Some(true));
        assert_eq!(world.counters().events, events, "mu = {friction}: it is frozen");
    }
}

/// The thesis' own rules creep on the same ramp, which is why they are not the default.
#[test]
fn the_thesis_rules_creep() {
    let (mut world, block, downhill) = ramp(0.9, 0.0, ContactRule::Thesis);
    let start = position(&world, block);
    run(&mut world, 1.0);
    let creep = (position(&world, block) - start).dot(downhill);
    assert!(creep > 1e-6 && creep < 0.1, "{creep}");
}

/// `v = (5 v0 + 2 r w0) / 7` once a ball rolls, with top spin, back spin and none; and then for ever.
#[test]
fn a_sliding_ball_ends_up_rolling() {
    let r = 0.05;
    for spin in [0.0, 60.0, -60.0] {
        let mut b = builder();
        let m = b.add_material(surface(0.2, 0.5)).unwrap();
        b.add_body(floor(m)).unwrap();
        let ball = free("ball", Sphere::new(r).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
        let at = Pose::from_translation(DVec3::Z * r);
        let ball = b.add_body(placed(ball, at, DVec3::X, DVec3::Y * spin)).unwrap();
        let mut world = b.build().unwrap();
        run(&mut world, 1.5);
        let rolling = world.principal_state_at(ball, 1.5).unwrap().velocity.x;
        let wanted = (5.0 + 2.0 * r * spin) / 7.0;
        assert!((rolling - wanted).abs() < 1e-6, "{rolling} instead of {wanted}");
        let until = if spin == 0.0 { 61.5 } else { 2.5 };
        run(&mut world, until);
        let still = world.principal_state_at(ball, until).unwrap().velocity.x;
        assert!((still - rolling).abs() < 1e-9, "lost {:e}", still - rolling);
    }
}

/// A ball rolling on a spinning platter goes in circles at 2/7 of its rate (Lewis & Murray, figure 7.11).
#[test]
fn a_ball_on_a_platter_orbits_at_two_sevenths() {
    let (rate, r, radius) = (6.0, 0.025, 0.3);
    let mut b = builder();
    let m = b.add_material(surface(0.8, 0.3)).unwrap();
    let centre = Pose::from_translation(DVec3::Z * -0.01);
    let script = Cycle::spinner(centre, DVec3::Z, DVec3::ZERO, rate).unwrap();
    let motion = MotionSpec::Scripted { script: script.into(), centre: DVec3::ZERO };
    b.add_body(BodySpec {
        name: "platter".into(),
        shape: Cylinder::new(1.0, 0.02).unwrap().into(),
        motion,
        ..floor(m)
    })
    .unwrap();
    let orbit = 2.0 / 7.0 * rate;
    let ball = free("ball", Sphere::new(r).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let at = Pose::from_translation(DVec3::new(radius, 0.0, r));
    let rolling = DVec3::X * ((rate - orbit) * radius / r);
    let ball = b.add_body(placed(ball, at, DVec3::Y * (orbit * radius), rolling)).unwrap();
    let mut world = b.build().unwrap();
    let period = std::f64::consts::TAU / orbit;
    run(&mut world, 5.0 * period);
    let p = position(&world, ball);
    assert!((p.truncate().length() / radius - 1.0).abs() < 1e-5, "{p}");
    assert!((p.y.atan2(p.x) / (5.0 * std::f64::consts::TAU)).abs() < 1e-5, "{p}");
}

/// Mean of a body's angular velocity about z over its next flight, by Simpson's rule: contact makes the instant one jump.
fn mean_yaw(world: &World, body: BodyId) -> (f64, f64) {
    let (now, next) = (world.time(), world.next_event().unwrap());
    let yaw = |t: f64| world.principal_state_at(body, t).unwrap().angular_velocity().z;
    let middle = 0.5 * (now + next);
    (middle, (yaw(now) + 4.0 * yaw(middle) + yaw(next)) / 6.0)
}

/// The rattleback of Kane and Levinson (1982): rolling without slip, integrated to 1e-9, reverses at 2.761 s and spins at
/// +1.372 rad/s at 3.4 s.
#[test]
fn the_rattleback_reverses() {
    let mut b = builder();
    let m = b.add_material(surface(1.0, 0.0)).unwrap();
    b.add_body(floor(m)).unwrap();
    let shape: Shape = Ellipsoid::new(DVec3::new(0.2, 0.03, 0.02)).unwrap().into();
    let tilt = 0.5f64.to_radians();
    let rotation = DQuat::from_rotation_x(tilt) * DQuat::from_rotation_y(tilt);
    let lowest = shape.support(rotation.conjugate() * -DVec3::Z).unwrap();
    let inertia = DMat3::from_cols_array(&[2e-4, -0.2e-4, 0.0, -0.2e-4, 16e-4, 0.0, 0.0, 0.0, 17e-4]);
    let com = DVec3::new(0.0, 0.0, -0.01);
    let spin = DVec3::Z * -5.0;
    let motion = MotionSpec::Free {
        mass: MassSpec::Properties(MassProperties { mass: 1.0, com, inertia }),
        velocity: -spin.cross(rotation * (lowest - com)),
        spin: rotation.conjugate() * spin,
    };
    let at = Pose { rotation, translation: DVec3::Z * -(rotation * lowest).z };
    let top = b.add_body(BodySpec { name: "top".into(), shape, world_from_shape: at, material: m, motion }).unwrap();
    let mut world = b.build().unwrap();
    let (mut reversal, mut at_3_4, mut last) = (None, None, mean_yaw(&world, top));
    while last.0 < 3.41 {
        world.step().unwrap();
        let here = mean_yaw(&world, top);
        let crossing = last.0 + (here.0 - last.0) * -last.1 / (here.1 - last.1);
        if last.1 < 0.0 && here.1 >= 0.0 {
            reversal = reversal.or(Some(crossing));
        }
        if last.0 < 3.4 && here.0 >= 3.4 {
            at_3_4 = Some(here.1);
        }
        last = here;
    }
    let (reversal, spin) = (reversal.unwrap(), at_3_4.unwrap());
    assert!((reversal / 2.761 - 1.0).abs() < 0.005, "{reversal}");
    assert!((spin / 1.372 - 1.0).abs() < 0.03, "{spin}");
}

/// A coin rolling on its rim keeps its energy.
#[test]
fn a_coin_rolls_without_loss() {
    let mut b = builder();
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    let shape: Shape = Cylinder::new(0.012, 0.002).unwrap().into();
    let rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2 - 0.3);
    let lowest = shape.support(rotation.conjugate() * -DVec3::Z).unwrap();
    let rate = -0.5 / (rotation * DVec3::Z).cross(rotation * lowest).x;
    let at = Pose { rotation, translation: DVec3::Z * -(rotation * lowest).z };
    let coin = free("coin", shape, DVec3::ZERO, DVec3::ZERO, m);
    b.add_body(placed(coin, at, DVec3::X * 0.5, DVec3::Z * rate)).unwrap();
    let mut world = b.build().unwrap();
    let start = world.energy();
    run(&mut world, 3.0);
    assert!((world.energy() / start - 1.0).abs() < 1e-4, "{:e}", world.energy() / start - 1.0);
    assert_eq!(world.counters().collisions, 0);
}

/// Coins that roll and fall onto each other shot off, or were found inside each other: where faces turn, the way of a rim over
/// them was left out of the gap's acceleration.
#[test]
fn coins_on_coins_neither_overlap_nor_gain_energy() {
    let mut b = builder();
    let m = b.add_material(surface(0.2, 0.5)).unwrap();
    b.add_body(floor(m)).unwrap();
    let (radius, thickness, speed) = (0.01213, 0.00175, 0.4);
    let coin: Shape = Cylinder::new(radius, thickness).unwrap().into();
    for i in 0..4u8 {
        let heading = std::f64::consts::TAU * (f64::from(i) + 0.1) / 4.0;
        let forward = DVec3::new(heading.cos(), heading.sin(), 0.0);
        let lean = 3f64.to_radians();
        let rotation = DQuat::from_rotation_z(heading) * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2 - lean);
        let height = radius * lean.cos() + 0.5 * thickness * lean.sin();
        let rolling = Pose { rotation, translation: forward * -0.15 + DVec3::Z * height };
        let spec = free(&format!("rolling {i}"), coin.clone(), DVec3::ZERO, DVec3::ZERO, m);
        b.add_body(placed(spec, rolling, forward * speed, DVec3::Z * (-speed / radius))).unwrap();
        let tilted = DQuat::from_axis_angle(forward, 30f64.to_radians());
        let tossed = Pose { rotation: tilted, translation: forward * 0.03 + DVec3::Z * (0.1 + 0.03 * f64::from(i)) };
        let spec = free(&format!("tossed {i}"), coin.clone(), DVec3::ZERO, DVec3::ZERO, m);
        b.add_body(placed(spec, tossed, DVec3::ZERO, DVec3::new(20.0, 5.0, 0.0))).unwrap();
    }
    let mut world = b.build().unwrap();
    // What a hop lifts each coin by.
    let mass: f64 = world.bodies().filter_map(|id| world.principal_mass(id)).map(|mass| mass.mass()).sum();
    let lift = mass * G * Settings::default().hop_height * radius;
    let mut least = world.energy();
    for k in 1..=23 {
        run(&mut world, 0.02 * f64::from(k));
        let gained = world.energy() - least;
        assert!(gained <= lift, "{gained:e} J, more than {lift:e} J, at {} s", world.time());
        least = least.min(world.energy());
    }
    assert_apart(&world);
}

/// A box on a tray that shakes at 30 Hz: it sticks while friction can hold it and slides otherwise.
#[test]
fn a_box_on_a_shaking_tray_sticks_and_slips() {
    let (amplitude, friction) = (1e-4, 0.3);
    let rate = std::f64::consts::TAU * 30.0;
    let mut b = builder();
    let m = b.add_material(surface(friction, 0.2)).unwrap();
    let centre = Pose::from_translation(DVec3::Z * -0.01);
    let script = Cycle::oscillator(centre, DVec3::X * amplitude, rate).unwrap();
    let motion = MotionSpec::Scripted { script: script.into(), centre: DVec3::ZERO };
    let plate = Cuboid::new(DVec3::new(1.0, 1.0, 0.02)).unwrap();
    b.add_body(BodySpec { name: "tray".into(), shape: plate.into(), motion, ..floor(m) }).unwrap();
    let block = Cuboid::new(DVec3::new(0.1, 0.1, 0.02)).unwrap();
    let block = b.add_body(free("block", block, DVec3::Z * 0.01, DVec3::ZERO, m)).unwrap();
    let mut world = b.build().unwrap();
    let (mut x, mut v, step) = (0.0f64, 0.0f64, 1e-6);
    for k in 1..=200_000u32 {
        let t = f64::from(k - 1) * step;
        let (tray, pull) = (amplitude * rate * (rate * t).cos(), -amplitude * rate * rate * (rate * t).sin());
        let sticks = (tray - v).abs() <= 1.01 * friction * G * step && pull.abs() <= friction * G;
        let next = amplitude * rate * (rate * (t + step)).cos();
        v = if sticks { next } else { v + friction * G * (tray - v).signum() * step };
        x += v * step;
        if k % 20_000 == 0 {
            run(&mut world, f64::from(k) * step);
            let found = position(&world, block).x;
            assert!((found - x).abs() < 2e-6, "at {} s: {found} instead of {x}", world.time());
        }
    }
}

fn stack(count: usize, gap: f64) -> (World, Vec<BodyId>) {
    let mut b = builder();
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    let cube = Cuboid::new(DVec3::splat(0.1)).unwrap();
    let at = |i: usize| DVec3::new(1e-3 * (i % 2) as f64, 0.0, 0.05 + gap + (0.1 + gap) * i as f64);
    let body = |i: usize| free(&format!("cube {i}"), cube.clone(), at(i), DVec3::ZERO, m);
    let ids = (0..count).map(|i| b.add_body(body(i)).unwrap()).collect();
    (b.build().unwrap(), ids)
}

/// Stacks stand for a minute without drift or tilt, frozen.
#[test]
fn stacks_stand() {
    for count in [2, 10] {
        let (mut world, ids) = stack(count, 0.0);
        run(&mut world, 0.5);
        let settled: Vec<_> =
            ids.iter().map(|&id| world.principal_state_at(id, 0.5).unwrap().world_from_body).collect();
        let events = world.counters().events;
        run(&mut world, 60.0);
        for (i, (&id, before)) in ids.iter().zip(&settled).enumerate() {
            let now = world.principal_state_at(id, 60.0).unwrap().world_from_body;
            assert!(now.translation.distance(before.translation) < 1e-9, "cube {i}");
            assert!((now.translation.z - (0.05 + 0.1 * i as f64)).abs() < 1e-5 && now.rotation.xyz().length() < 1e-9);
        }
        assert_eq!(world.counters().events, events, "frozen");
        assert_apart(&world);
    }
}

/// Ten cubes dropped a millimetre onto each other come to rest as a stack.
#[test]
fn a_dropped_stack_settles() {
    let (mut world, ids) = stack(10, 1e-3);
    let start = world.energy();
    run(&mut world, 2.0);
    for (i, &id) in ids.iter().enumerate() {
        let p = position(&world, id);
        assert!((p.z - (0.05 + 0.1 * i as f64)).abs() < 1e-5 && world.settled(id) == Some(true), "cube {i}: {p}");
    }
    assert!(world.energy() < start);
    assert_apart(&world);
}

/// Struck in the middle, a stack at rest wakes: the cube that was hit slides out, those above fall, nothing gains energy.
#[test]
fn a_struck_stack_answers() {
    let (mut world, ids) = stack(5, 0.0);
    run(&mut world, 0.5);
    let mass = world.principal_mass(ids[2]).unwrap().mass();
    let centre = position(&world, ids[2]);
    world.apply_impulse(ids[2], centre, DVec3::Y * (3.0 * mass)).unwrap();
    let energy = world.energy();
    // Two thousand events: bodies left approaching each other would make a storm of them.
    assert!(world.run_until(3.0, Some(10_000)).unwrap().reached(), "a storm at {} s", world.time());
    assert!(world.energy() < energy);
    let moved = position(&world, ids[2]) - centre;
    assert!(moved.y > 0.1, "{moved}");
    assert!(position(&world, ids[4]).z < 0.42, "what was above it came down");
    assert!(position(&world, ids[0]).truncate().length() < 0.05, "the lowest cube hardly moved");
    assert!(ids.iter().all(|&id| world.settled(id) == Some(true)));
}

/// A stack falls when what it stands on is taken away.
#[test]
fn removing_the_support_wakes_what_rests_on_it() {
    let (mut world, ids) = stack(3, 0.0);
    run(&mut world, 0.5);
    world.remove_body(ids[0]).unwrap();
    run(&mut world, 2.0);
    assert!((position(&world, ids[1]).z - 0.05).abs() < 1e-5 && (position(&world, ids[2]).z - 0.15).abs() < 1e-5);
}

fn plank(name: &str, side: f64, m: MaterialId) -> BodySpec {
    let (length, thickness, angle) = (0.4, 0.02, 70f64.to_radians());
    let half_width = 0.5 * (length * angle.cos() + thickness * angle.sin());
    let height = 0.5 * (length * angle.sin() + thickness * angle.cos());
    let rotation = DQuat::from_rotation_y(side * (std::f64::consts::FRAC_PI_2 - angle));
    let at = Pose { rotation, translation: DVec3::new(-side * half_width * (1.0 + 1e-9), 0.0, height) };
    let spec = free(name, Cuboid::new(DVec3::new(thickness, 0.1, length)).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    placed(spec, at, DVec3::ZERO, DVec3::ZERO)
}

/// Two planks that lean against each other at rest: the world, the left one and the right one.
pub(crate) fn leaning_planks() -> (World, [BodyId; 2]) {
    let mut b = builder();
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    let planks = [("left", 1.0), ("right", -1.0)].map(|(name, side)| b.add_body(plank(name, side, m)).unwrap());
    let mut world = b.build().unwrap();
    run(&mut world, 1.0);
    (world, planks)
}

/// Two planks lean against each other; without its partner the other one falls.
#[test]
fn two_planks_hold_each_other() {
    let (mut world, [left, right]) = leaning_planks();
    let (before, events) = (position(&world, right), world.counters().events);
    run(&mut world, 60.0);
    assert!(position(&world, right).distance(before) < 1e-9 && world.counters().events == events);
    world.remove_body(left).unwrap();
    run(&mut world, 62.0);
    assert!(position(&world, right).z < 0.02, "{}", position(&world, right));
}

/// The table of figure 1.3: the floor carries its weight, and it does not move.
#[test]
fn a_table_stands_on_its_legs() {
    let mut b = builder();
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    let part = |size: DVec3, at: DVec3| Piece {
        shape: Cuboid::new(size).unwrap().into(),
        compound_from_piece: Pose::from_translation(at),
    };
    let mut pieces = vec![part(DVec3::new(1.0, 0.8, 0.04), DVec3::Z * 0.72)];
    for (x, y) in [(-0.4, -0.3), (0.4, -0.3), (0.4, 0.3), (-0.4, 0.3)] {
        pieces.push(part(DVec3::new(0.05, 0.05, 0.7), DVec3::new(x, y, 0.35)));
    }
    let table = b.add_body(free("table", Compound::new(pieces).unwrap(), DVec3::ZERO, DVec3::ZERO, m)).unwrap();
    let mut world = b.build().unwrap();
    let ground = world.find("floor").unwrap();
    let watch = world.watch_contact(table, ground).unwrap();
    run(&mut world, 1.0);
    world.restart_watch(watch).unwrap();
    run(&mut world, 60.0);
    let weight = world.principal_mass(table).unwrap().mass() * G;
    let force = world.contact_sum(watch).unwrap().mean_force().unwrap();
    assert!((force - DVec3::Z * weight).length() < 1e-7 * weight, "{force} of {weight}");
    let legs = world.lasting_contacts(table);
    let mean = |x: f64, y: f64| -> f64 {
        legs.iter().filter(|c| c.point.x * x > 0.0 && c.point.y * y > 0.0).map(|c| c.force.z).sum()
    };
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        assert!((mean(x, y).abs() / weight - 0.25).abs() < 1e-6, "{} of {weight}", mean(x, y));
    }
    assert!(position(&world, table).truncate().length() < 1e-9);
}

/// A resting box hops at the rate that its height allows, and not at all once it is frozen.
#[test]
fn rest_is_cheap() {
    let radius = 0.05 * 3f64.sqrt();
    let mut b =
        WorldBuilder::new(Settings { hop_height: 1e-5 / radius, hop_turn: None, ..Settings::default() }).unwrap();
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(slab(0.0, m)).unwrap();
    let cube = Cuboid::new(DVec3::splat(0.1)).unwrap();
    b.add_body(free("cube", cube, DVec3::Z * 0.05, DVec3::ZERO, m)).unwrap();
    let mut world = b.build().unwrap();
    run(&mut world, 0.001);
    let before = world.counters().events;
    run(&mut world, 0.021);
    let events = world.counters().events - before;
    assert!(events >= 5 && events as f64 / 0.02 < 400.0, "{events} events in 0.02 s");
    run(&mut world, 1.0);
    let events = world.counters().events;
    run(&mut world, 100.0);
    assert_eq!(world.counters().events, events);
}

/// A block slides, then rests; a ball slides, then rolls: the contacts say so, and carry the weight.
#[test]
fn contacts_say_how_they_move() {
    let (mut world, block, _) = ramp(0.9, 1.0, ContactRule::Joint);
    let modes = |world: &World, body: BodyId| -> Vec<ContactMode> {
        world.lasting_contacts(body).iter().map(|contact| contact.mode).collect()
    };
    run(&mut world, 0.1);
    let sliding = modes(&world, block);
    assert!(!sliding.is_empty() && sliding.iter().all(|&m| m == ContactMode::Slide), "{sliding:?}");
    run(&mut world, 1.0);
    let resting = modes(&world, block);
    assert!(resting.len() >= 3 && resting.iter().all(|&m| m == ContactMode::Rest), "{resting:?}");
    let force: DVec3 = world.lasting_contacts(block).iter().map(|contact| contact.force).sum();
    let weight = world.principal_mass(block).unwrap().mass() * G;
    assert!((force.abs() - DVec3::Z * weight).length() < 1e-6 * weight, "{force}");

    let mut b = builder();
    let m = b.add_material(surface(0.2, 0.5)).unwrap();
    b.add_body(floor(m)).unwrap();
    let ball = free("ball", Sphere::new(0.05).unwrap(), DVec3::Z * 0.05, DVec3::X, m);
    let ball = b.add_body(ball).unwrap();
    let mut world = b.build().unwrap();
    run(&mut world, 0.05);
    assert_eq!(modes(&world, ball), [ContactMode::Slide]);
    run(&mut world, 1.0);
    assert_eq!(modes(&world, ball), [ContactMode::Roll]);
}

/// A world saved between hops, and one saved frozen, go on to the bit.
#[test]
fn lasting_contact_survives_a_snapshot() {
    let (mut world, ids) = stack(3, 1e-3);
    for until in [0.02, 0.05, 2.0] {
        run(&mut world, until);
        let text = serde_json::to_string(&world.snapshot()).unwrap();
        let mut other = World::restore(serde_json::from_str(&text).unwrap()).unwrap();
        let mut same = world.clone();
        for w in [&mut same, &mut other] {
            w.apply_impulse(ids[1], position(w, ids[1]), DVec3::Y * 0.3).unwrap();
            run(w, until + 0.2);
        }
        assert!(same.counters().hops > world.counters().hops);
        assert_eq!((same.trace_hash(), same.counters()), (other.trace_hash(), other.counters()), "at {until} s");
    }
}
