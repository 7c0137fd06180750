//! The optional laws of lasting contact (beside section 3.5) against closed forms: rolling and spinning resistance, static friction.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, placed, surface, wall};
use impulse::body::Cycle;
use impulse::geometry::{Capsule, Cuboid, Cylinder, Shape, Sphere};
use impulse::math::Pose;
use impulse::respond::Material;
use impulse::world::{BodyId, BodySpec, BuildError, MotionSpec, Settings, Surface, World, WorldBuilder, combine};
use impulse::{DQuat, DVec3};

const G: f64 = 9.81;
const RADIUS: f64 = 0.05;

fn builder() -> WorldBuilder {
    WorldBuilder::new(Settings::default()).unwrap()
}

/// Friction 0.5, restitution 0.3, and so much resistance, m.
fn resisting(rolling_resistance: f64, spinning_resistance: f64) -> Surface {
    Surface { rolling_resistance, spinning_resistance, ..surface(0.5, 0.3).into() }
}

/// Friction 0.6 at rest and 0.3 in motion.
fn gripping() -> Surface {
    Surface { static_friction: 0.6, ..surface(0.3, 0.3).into() }
}

fn run(world: &mut World, until: f64) {
    let stopped = world.run_until(until, Some(2_000_000)).unwrap();
    assert!(stopped.reached(), "an event storm at {} s: {:?}", world.time(), world.counters());
    assert_apart(world);
}

fn position(world: &World, body: BodyId) -> DVec3 {
    world.principal_state_at(body, world.time()).unwrap().world_from_body.translation
}

/// It is frozen: nothing happens any more.
#[track_caller]
fn assert_frozen(world: &mut World, body: BodyId) {
    let (at, events) = (position(world, body), world.counters().events);
    run(world, world.time() + 100.0);
    assert_eq!((position(world, body), world.counters().events), (at, events));
    assert_eq!(world.settled(body), Some(true));
}

/// A slope that falls along x by an angle, and the downhill direction.
fn slope(b: &mut WorldBuilder, angle: f64, surface: Surface) -> (impulse::world::MaterialId, Pose, DVec3) {
    let m = b.add_material(surface).unwrap();
    let up = DVec3::new(angle.sin(), 0.0, angle.cos());
    b.add_body(wall("slope", up, 0.0, m)).unwrap();
    let at = Pose { rotation: DQuat::from_rotation_y(angle), translation: up * RADIUS };
    (m, at, DVec3::new(angle.cos(), 0.0, -angle.sin()))
}

/// A ball on a slope, rolling downhill.
fn rolling_ball(angle: f64, speed: f64, surface: Surface) -> (World, BodyId, DVec3) {
    let mut b = builder();
    let (m, at, downhill) = slope(&mut b, angle, surface);
    let ball = free("ball", Sphere::new(RADIUS).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let ball = b.add_body(placed(ball, at, downhill * speed, DVec3::Y * (speed / RADIUS))).unwrap();
    (b.build().unwrap(), ball, downhill)
}

/// About the contact a ball has the moment of inertia `7/5 m r^2`, and the moment `c m g` brakes it: `a = 5/7 g c / r`, so that it
/// stops after `v^2 / (2 a)`.
#[test]
fn a_rolling_ball_stops_where_its_resistance_says() {
    for (resistance, speed) in [(1e-3, 0.5), (1e-2, 1.0), (1e-4, 0.1)] {
        let (mut world, ball, _) = rolling_ball(0.0, speed, resisting(resistance, 0.0));
        let braking = 5.0 / 7.0 * G * resistance / RADIUS;
        let (stop, way) = (speed / braking, speed * speed / (2.0 * braking));
        let mut energy = world.energy();
        for k in 1..=10 {
            run(&mut world, stop * f64::from(k) / 10.0);
            assert!(world.energy() < energy, "{} after {energy}", world.energy());
            energy = world.energy();
        }
        run(&mut world, stop + 0.1);
        let error = position(&world, ball).x / way - 1.0;
        assert!(error.abs() < 1e-4, "{resistance} m: off by {error:e}");
        assert_frozen(&mut world, ball);
    }
}

/// A ball stays on slopes of up to `tan a = c / r`, and rolls down steeper ones at `5/7 g (sin a - c/r cos a)`.
#[test]
fn a_ball_stays_on_slopes_up_to_its_resistance() {
    let resistance = 5e-3;
    for steepness in [0.5, 0.99] {
        let angle = (steepness * resistance / RADIUS).atan();
        let (mut world, ball, _) = rolling_ball(angle, 0.0, resisting(resistance, 0.0));
        let start = position(&world, ball);
        run(&mut world, 0.5);
        assert!(position(&world, ball).distance(start) < 1e-6, "it rolled from {start} to {}", position(&world, ball));
        assert_frozen(&mut world, ball);
    }
    for steepness in [1.01, 2.0] {
        let angle = (steepness * resistance / RADIUS).atan();
        let (mut world, ball, downhill) = rolling_ball(angle, 0.0, resisting(resistance, 0.0));
        let start = position(&world, ball);
        run(&mut world, 2.0);
        let wanted = 0.5 * 4.0 * 5.0 / 7.0 * G * (angle.sin() - resistance / RADIUS * angle.cos());
        let error = (position(&world, ball) - start).dot(downhill) / wanted - 1.0;
        assert!(error.abs() < 1e-5, "{steepness}: off by {error:e} of {wanted} m");
    }
}

/// A ball that spins on its lowest point has `I = 2/5 m r^2`, and the moment `c m g` stops it after `w I / (c m g)`.
#[test]
fn a_spinning_ball_stops_when_its_resistance_says() {
    let (resistance, rate) = (1e-3, 10.0);
    let mut b = builder();
    let m = b.add_material(resisting(0.0, resistance)).unwrap();
    b.add_body(floor(m)).unwrap();
    let ball = free("ball", Sphere::new(RADIUS).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let at = Pose::from_translation(DVec3::Z * RADIUS);
    let ball = b.add_body(placed(ball, at, DVec3::ZERO, DVec3::Z * rate)).unwrap();
    let mut world = b.build().unwrap();
    let braking = resistance * G / (0.4 * RADIUS * RADIUS);
    let stop = rate / braking;
    run(&mut world, 0.5 * stop);
    let half_way = world.principal_state_at(ball, world.time()).unwrap().spin.z;
    // It changes from hop to hop, which last 0.6 ms.
    assert!((half_way - 0.5 * rate).abs() < 1e-3 * braking, "{half_way}");
    run(&mut world, stop + 0.05);
    let q = world.principal_state_at(ball, world.time()).unwrap().world_from_body.rotation;
    let turned = (2.0 * q.z.atan2(q.w)).rem_euclid(std::f64::consts::TAU);
    let error = turned / (rate * rate / (2.0 * braking)) - 1.0;
    assert!(error.abs() < 1e-5, "off by {error:e}");
    assert!(position(&world, ball).truncate().length() < 1e-9);
    assert_frozen(&mut world, ball);
}

/// Each resistance minds its own rotation: one against spinning does not brake rolling, nor the other way round.
#[test]
fn rolling_and_spinning_are_resisted_apart() {
    for (surface, rolls, spins) in [(resisting(1e-3, 0.0), false, true), (resisting(0.0, 1e-3), true, false)] {
        let mut b = builder();
        let (m, at, _) = slope(&mut b, 0.0, surface);
        let ball = free("ball", Sphere::new(RADIUS).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
        let ball = b.add_body(placed(ball, at, DVec3::X * 0.1, DVec3::new(0.0, 0.1 / RADIUS, 5.0))).unwrap();
        let mut world = b.build().unwrap();
        run(&mut world, 1.5);
        let state = world.principal_state_at(ball, 1.5).unwrap();
        let (rolling, spinning) = (state.velocity.x, state.angular_velocity().z);
        assert!((rolling - if rolls { 0.1 } else { 0.0 }).abs() < 1e-9, "{rolling}");
        assert!((spinning - if spins { 5.0 } else { 0.0 }).abs() < 1e-9, "{spinning}");
    }
}

/// A coin that would ring for ever on its rim lies still in the end.
#[test]
fn a_tipped_coin_comes_to_rest() {
    for (tilt, spin) in [(0.4, DVec3::ZERO), (1.2, DVec3::new(3.0, 0.0, 8.0))] {
        let mut b = builder();
        let m = b.add_material(resisting(2e-4, 1e-3)).unwrap();
        b.add_body(floor(m)).unwrap();
        let coin: Shape = Cylinder::new(0.012, 0.002).unwrap().into();
        let at = Pose { rotation: DQuat::from_rotation_x(tilt), translation: DVec3::Z * 0.02 };
        let coin = b.add_body(placed(free("coin", coin, DVec3::ZERO, DVec3::ZERO, m), at, DVec3::ZERO, spin)).unwrap();
        let mut world = b.build().unwrap();
        run(&mut world, 3.0);
        let axis = world.principal_state_at(coin, 3.0).unwrap().world_from_body.vector(DVec3::Z);
        assert!(axis.z.abs() > 1.0 - 1e-9 && (position(&world, coin).z - 0.001).abs() < 1e-6, "tilt {tilt}: {axis}");
        assert_frozen(&mut world, coin);
    }
}

/// A block on a slope, set going.
fn block(angle: f64, speed: f64) -> (World, BodyId, DVec3) {
    let mut b = builder();
    let (m, at, downhill) = slope(&mut b, angle, gripping());
    let block = free("block", Cuboid::new(DVec3::splat(2.0 * RADIUS)).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let block = b.add_body(placed(block, at, downhill * speed, DVec3::ZERO)).unwrap();
    (b.build().unwrap(), block, downhill)
}

/// Between the two coefficients a block stays where it is put, and slides on with the kinetic one when it is pushed; on steeper
/// slopes it starts by itself; on flatter ones it stops, and stays.
#[test]
fn static_friction_holds_and_kinetic_friction_brakes() {
    let acceleration = |angle: f64| G * (angle.sin() - 0.3 * angle.cos());
    let between = 25f64.to_radians();
    let (mut world, resting, _) = block(between, 0.0);
    let start = position(&world, resting);
    run(&mut world, 0.5);
    assert!(position(&world, resting).distance(start) < 1e-6);
    assert_frozen(&mut world, resting);
    // A push wakes it.
    let mass = world.principal_mass(resting).unwrap().mass();
    let (before, now) = (position(&world, resting), world.time());
    let downhill = DVec3::new(between.cos(), 0.0, -between.sin());
    world.apply_impulse(resting, before, downhill * (0.1 * mass)).unwrap();
    run(&mut world, now + 1.0);
    let way = (position(&world, resting) - before).dot(downhill);
    assert!((way / (0.1 + 0.5 * acceleration(between)) - 1.0).abs() < 1e-3, "{way}");
    for (angle, speed, time) in [(between, 0.1, 1.0), (35f64.to_radians(), 0.0, 1.0)] {
        let (mut world, sliding, downhill) = block(angle, speed);
        let start = position(&world, sliding);
        run(&mut world, time);
        let wanted = speed * time + 0.5 * acceleration(angle) * time * time;
        let error = (position(&world, sliding) - start).dot(downhill) - wanted;
        assert!(error.abs() < 1e-5, "{angle}: off by {error:e} of {wanted} m");
    }
    let flat = 15f64.to_radians();
    let (mut world, stopping, downhill) = block(flat, 0.3);
    let start = position(&world, stopping);
    run(&mut world, 2.0);
    let error = (position(&world, stopping) - start).dot(downhill) - 0.09 / (-2.0 * acceleration(flat));
    assert!(error.abs() < 1e-6, "off by {error:e}");
    assert_frozen(&mut world, stopping);
}

/// A box on a tray that shakes: it breaks loose where static friction no longer holds it, slides with the kinetic one, and holds
/// again where both move alike. Beside a slow integration of that rule: it breaks loose at a hop, and one that is late by a hop
/// leaves a speed of `0.3 g T` until it holds again, some 30 ms later, six times in all.
#[test]
fn a_box_on_a_shaking_tray_breaks_loose() {
    let radius = 0.05 * (2.0f64 + 0.04).sqrt();
    for hop_height in [1e-5, 1e-7] {
        let hop = 0.5 * (8.0 * hop_height * radius / G).sqrt();
        let (error, tolerance) = (largest_error_on_a_tray(hop_height), 6.0 * 0.3 * G * hop * 0.03);
        assert!(error < tolerance, "hop_height {hop_height}: {error:e} m, of {tolerance:e}");
    }
}

fn largest_error_on_a_tray(hop_height: f64) -> f64 {
    let rate = std::f64::consts::TAU * 10.0;
    let amplitude = 0.7 * G / (rate * rate);
    let mut b = WorldBuilder::new(Settings { hop_height, ..Settings::default() }).unwrap();
    let m = b.add_material(gripping()).unwrap();
    let script = Cycle::oscillator(Pose::from_translation(DVec3::Z * -0.01), DVec3::X * amplitude, rate).unwrap();
    let motion = MotionSpec::Scripted { script: script.into(), centre: DVec3::ZERO };
    let plate = Cuboid::new(DVec3::new(1.0, 1.0, 0.02)).unwrap();
    b.add_body(BodySpec { name: "tray".into(), shape: plate.into(), motion, ..floor(m) }).unwrap();
    let block = Cuboid::new(DVec3::new(0.1, 0.1, 0.02)).unwrap();
    let block = b.add_body(free("block", block, DVec3::Z * 0.01, DVec3::X * (amplitude * rate), m)).unwrap();
    let mut world = b.build().unwrap();
    let (mut x, mut v, mut sticks, mut loose, step) = (0.0f64, amplitude * rate, true, 0, 1e-6);
    let mut worst = 0.0f64;
    for k in 1..=300_000u32 {
        let t = f64::from(k - 1) * step;
        let pull = -amplitude * rate * rate * (rate * t).sin();
        let (tray, next) = (amplitude * rate * (rate * t).cos(), amplitude * rate * (rate * (t + step)).cos());
        if sticks && pull.abs() > 0.6 * G {
            (sticks, loose) = (false, loose + 1);
        }
        let towards = if tray == v { pull } else { tray - v };
        let slid = v + 0.3 * G * towards.signum() * step;
        sticks = sticks || ((next - slid) * (tray - v) < 0.0 && pull.abs() <= 0.6 * G);
        v = if sticks { next } else { slid };
        x += v * step;
        if k % 20_000 == 0 {
            run(&mut world, f64::from(k) * step);
            worst = worst.max((position(&world, block).x - x).abs());
        }
    }
    assert!(loose >= 5, "{loose}");
    worst
}

/// Balls, coins, blocks and capsules dropped together lose energy all the way, and end frozen.
#[test]
fn resistance_never_adds_energy() {
    let mut b = builder();
    let m = b.add_material(Surface { static_friction: 0.7, ..resisting(1e-3, 1e-3) }).unwrap();
    b.add_body(floor(m)).unwrap();
    let shapes: [Shape; 4] = [
        Sphere::new(0.03).unwrap().into(),
        Cylinder::new(0.03, 0.01).unwrap().into(),
        Cuboid::new(DVec3::new(0.05, 0.04, 0.03)).unwrap().into(),
        Capsule::new(0.02, 0.04).unwrap().into(),
    ];
    let mut bodies = Vec::new();
    for (k, shape) in shapes.into_iter().enumerate() {
        let phase = k as f64;
        let at = Pose {
            rotation: DQuat::from_euler(glam::EulerRot::XYZ, phase, 2.0 * phase, 0.3),
            translation: DVec3::new(0.15 * phase, 0.0, 0.08),
        };
        let spec = free(&format!("body {k}"), shape, DVec3::ZERO, DVec3::ZERO, m);
        bodies.push(b.add_body(placed(spec, at, DVec3::new(0.4, 0.1, 0.0), DVec3::new(3.0, 5.0, -4.0))).unwrap());
    }
    let mut world = b.build().unwrap();
    let (start, mut energy) = (world.energy(), world.energy());
    for k in 1..=200 {
        run(&mut world, 0.025 * f64::from(k));
        assert!(world.energy() < energy + 1e-9 * start, "at {} s: {:e}", world.time(), world.energy() - energy);
        energy = world.energy();
    }
    for body in bodies {
        assert_frozen(&mut world, body);
    }
}

/// Laws of a material that nothing is made of, and laws without effect, change no bit.
#[test]
fn without_laws_nothing_changes() {
    let trace = |laws: bool| {
        let mut b = builder();
        let m = b.add_material(Surface { static_friction: 0.5, ..resisting(0.0, 0.0) }).unwrap();
        if laws {
            b.add_material(Surface { static_friction: 0.9, ..resisting(1e-3, 1e-3) }).unwrap();
        }
        b.add_body(floor(m)).unwrap();
        let coin = free("coin", Cylinder::new(0.03, 0.01).unwrap(), DVec3::Z * 0.05, DVec3::X, m);
        let tilted = Pose { rotation: DQuat::from_rotation_x(0.5), ..coin.world_from_shape };
        b.add_body(placed(coin, tilted, DVec3::X, DVec3::Y)).unwrap();
        b.add_body(free("ball", Sphere::new(RADIUS).unwrap(), DVec3::new(0.2, 0.0, RADIUS), DVec3::Y, m)).unwrap();
        let mut world = b.build().unwrap();
        run(&mut world, 1.0);
        (world.trace_hash(), world.counters())
    };
    assert_eq!(trace(false), trace(true));
}

/// Held by resistance and by static friction, on the way and frozen: a snapshot goes on to the bit.
#[test]
fn laws_survive_a_snapshot() {
    let (mut rolling, ball, _) = rolling_ball(0.05, 0.3, Surface { static_friction: 0.8, ..resisting(5e-3, 1e-3) });
    for until in [0.1, 2.0] {
        run(&mut rolling, until);
        let text = serde_json::to_string(&rolling.snapshot()).unwrap();
        let mut other = World::restore(serde_json::from_str(&text).unwrap()).unwrap();
        let mut same = rolling.clone();
        for w in [&mut same, &mut other] {
            w.apply_impulse(ball, position(w, ball), DVec3::Y * 0.01).unwrap();
            run(w, until + 0.5);
        }
        assert_eq!((same.trace_hash(), same.counters()), (other.trace_hash(), other.counters()), "at {until} s");
        assert_eq!(same.principal_state_at(ball, until + 0.5), other.principal_state_at(ball, until + 0.5));
    }
}

/// Every coefficient is looked at, and named where it is wrong.
#[test]
fn surfaces_are_checked() {
    let good = resisting(1e-3, 1e-3);
    let with = |friction: f64, restitution: f64| Material { friction, restitution, ..good.material };
    let bad = [
        (Surface { material: with(-0.1, 0.5), ..good }, "friction is -0.1"),
        (Surface { material: with(0.5, 1.5), ..good }, "restitution is 1.5"),
        (Surface { static_friction: 0.4, ..good }, "static friction is 0.4"),
        (Surface { static_friction: f64::INFINITY, ..good }, "static friction is inf"),
        (Surface { rolling_resistance: -1.0, ..good }, "rolling resistance is -1"),
        (Surface { rolling_resistance: f64::NAN, ..good }, "rolling resistance is NaN"),
        (Surface { spinning_resistance: f64::NAN, ..good }, "spinning resistance is NaN"),
    ];
    for (surface, complaint) in bad {
        let error = builder().add_material(surface).unwrap_err();
        assert!(matches!(error, BuildError::Surface { .. }) && error.to_string().starts_with(complaint), "{error}");
        let mut b = builder();
        let m = b.add_material(good).unwrap();
        assert!(b.add_contact(m, m, surface).is_err());
    }
}

#[test]
fn surfaces_combine() {
    let a = Surface { static_friction: 0.8, ..resisting(1e-3, 0.0) };
    let b = Surface { static_friction: 0.2, rolling_resistance: 3e-4, ..surface(0.125, 0.1).into() };
    let both = combine(&a, &b);
    assert_eq!((both.material.friction, both.material.restitution), (0.25, 0.1));
    assert!((both.static_friction - 0.4).abs() < 1e-15);
    assert_eq!((both.rolling_resistance, both.spinning_resistance), (1e-3, 0.0));
    assert_eq!(combine(&b, &a), both);
    assert_eq!(combine(&a, &a), a);
}
