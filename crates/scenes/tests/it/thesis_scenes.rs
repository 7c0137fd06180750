//! The built-in scenes of thesis section 7.1 run, and show what they are there to show.

use crate::judged::assert_apart;
use glam::DVec3;
use impulse::body::State;
use impulse::world::{Settings, World};
use impulse_scenes::scene::{ParamValue, SceneSettings, SceneSource};
use impulse_scenes::{BuiltScene, load_scene};
use std::f64::consts::TAU;

pub(crate) fn scene(name: &str, params: &[(&str, f64)]) -> World {
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Number(*value))).collect();
    let source = SceneSource::Builtin(name.to_owned());
    let scene = load_scene(&source, &SceneSettings { params, seed: 0 }).unwrap_or_else(|e| panic!("{e}"));
    BuiltScene::new(scene).unwrap().world(Settings { record_impacts: true, ..Settings::default() }).unwrap()
}

pub(crate) fn run(world: &mut World, until: f64) {
    assert!(world.run_until(until, None).unwrap().reached());
    assert_apart(world);
}

#[track_caller]
pub(crate) fn state(world: &World, body: &str) -> State {
    world.principal_state_at(world.find(body).unwrap(), world.time()).unwrap()
}

#[track_caller]
pub(crate) fn place(world: &World, body: &str) -> DVec3 {
    state(world, body).world_from_body.translation
}

/// Where a vector of the shape's frame points.
pub(crate) fn direction(world: &World, body: &str, v: DVec3) -> DVec3 {
    world.pose_at(world.find(body).unwrap(), world.time()).unwrap().vector(v)
}

pub(crate) fn rests(world: &World, body: &str) -> bool {
    world.settled(world.find(body).unwrap()).unwrap()
}

#[track_caller]
fn assert_near(got: f64, wanted: f64, tolerance: f64) {
    assert!((got - wanted).abs() <= tolerance, "{got} instead of {wanted}, off by {:e}", got - wanted);
}

#[test]
fn block_on_ramp_stops_where_and_when_theory_says() {
    let mut world = scene("block_on_ramp", &[]);
    let slope = 30_f64.to_radians();
    let (speed, braking) = (5.48, 9.81 * (0.9 * slope.cos() - slope.sin()));
    let (stop, way) = (speed / braking, speed * speed / (2.0 * braking));
    assert_near(stop, 1.9992, 5e-5);
    assert_near(way, 5.4777, 5e-5);
    let start = place(&world, "block");
    let downhill = DVec3::new(slope.cos(), 0.0, -slope.sin());
    for t in [0.5, 1.0, 1.5, stop - 0.05, stop + 1e-3] {
        run(&mut world, t);
        let left = (stop - t).max(0.0);
        assert_near((place(&world, "block") - start).dot(downhill), way - 0.5 * braking * left * left, 3e-6);
    }
    run(&mut world, 3.0);
    assert_near((place(&world, "block") - start).dot(downhill), way, 5e-7);
    assert!(rests(&world, "block"));
}

#[test]
fn block_drop_ends_in_a_stack() {
    let mut world = scene("block_drop", &[]);
    run(&mut world, 4.0);
    for (block, height) in [("lower", 0.05), ("upper", 0.15)] {
        assert!(rests(&world, block));
        assert_near(place(&world, block).z, height, 1e-5);
        assert_near(direction(&world, block, DVec3::Z).z, 1.0, 1e-8);
    }
    assert!((place(&world, "upper") - place(&world, "lower")).truncate().length() < 0.1);
}

#[test]
fn chain_of_balls_passes_the_impulse_on() {
    let mut world = scene("chain_of_balls", &[]);
    let speed = |world: &World, body: &str| state(world, body).velocity.x;
    // Rolling at 1 m/s, the striker arrives after 0.25 m; the gaps are closed in microseconds.
    run(&mut world, 0.2501);
    for (body, wanted) in [("striker", 0.0), ("ball 1", 0.0), ("ball 2", 0.0), ("ball 3", 0.0), ("ball 4", 1.0)] {
        assert_near(speed(&world, body), wanted, 1e-3);
    }
    // Sliding becomes rolling at 5/7 of the speed.
    run(&mut world, 0.6);
    assert_near(speed(&world, "ball 4"), 5.0 / 7.0, 1e-3);
    // Up the ramp, back, and through the chain from behind.
    run(&mut world, 4.0);
    assert!(speed(&world, "striker") < -0.4 && speed(&world, "ball 4").abs() < 0.1);
}

#[test]
fn platter_carries_a_ball_around_at_two_sevenths() {
    let mut world = scene("platter", &[]);
    for t in [1.0, 2.5, 5.0] {
        run(&mut world, t);
        let (at, angle) = (place(&world, "ball"), 2.0 / 7.0 * 6.0 * t);
        assert_near(at.x, 0.15 * angle.cos(), 1e-6);
        assert_near(at.y, 0.15 * angle.sin(), 1e-6);
    }
}

/// One that starts slipping, off the circle about the axis, ends on another circle with the same period.
#[test]
fn platter_period_does_not_depend_on_the_start() {
    let mut world = scene("platter", &[("rate", 3.0), ("distance", 0.2)]);
    let period = TAU / (2.0 / 7.0 * 3.0);
    let ball = world.find("ball").unwrap();
    world.set_velocity(ball, DVec3::new(0.02, 0.1, 0.0), DVec3::ZERO).unwrap();
    run(&mut world, 0.5);
    let after_slipping = place(&world, "ball");
    run(&mut world, 0.5 + 0.5 * period);
    assert!(place(&world, "ball").distance(after_slipping) > 0.05);
    run(&mut world, 0.5 + period);
    assert!(place(&world, "ball").distance(after_slipping) < 1e-4, "{}", place(&world, "ball"));
}

#[test]
fn pool_break_passes_momentum_on_and_stays_on_the_table() {
    let mut world = scene("pool_break", &[]);
    let ball = world.find("cue").unwrap();
    let mass = world.principal_mass(ball).unwrap().mass();
    // Only the cloth has acted until the break is over: at most friction times weight, on all sixteen.
    let (before, after) = (0.154, 0.156);
    run(&mut world, before);
    let momentum = world.momentum();
    // Friction comes in hops, which last 0.5 ms.
    assert_near(momentum.x / mass, 8.0 - 0.2 * 9.81 * before, 0.2 * 9.81 * 5e-4);
    run(&mut world, after);
    assert!(state(&world, "cue").velocity.x < 4.0);
    assert!((world.momentum() - momentum).truncate().length() / mass < 16.0 * 0.2 * 9.81 * (after - before) * 1.5);
    run(&mut world, 3.0);
    let moved = (1..=15).filter(|i| state(&world, &format!("ball {i}")).velocity.length() > 1e-3).count();
    assert_eq!(moved, 15);
    for body in world.bodies().filter(|&body| world.principal_mass(body).is_some()) {
        let at = world.principal_state_at(body, world.time()).unwrap().world_from_body.translation;
        assert!(at.x > -1.905 && at.x < 0.635 && at.y.abs() < 0.635, "{at}");
    }
}

/// The thesis: by its spin the cue ball draws back or rolls forward after it has struck the rack.
#[test]
fn pool_break_obeys_the_spin() {
    let cue = |spin: f64| {
        let mut world = scene("pool_break", &[("spin", spin), ("speed", 4.0)]);
        run(&mut world, 0.75);
        state(&world, "cue").velocity.x
    };
    let (draw, follow) = (cue(-250.0), cue(250.0));
    assert!(draw < -0.3 && follow > 0.3, "{draw} m/s after draw, {follow} m/s after follow");
}

#[test]
fn dominos_fall_one_after_the_other_and_come_to_rest() {
    let mut world = scene("dominos", &[]);
    run(&mut world, 3.0);
    let struck: Vec<f64> = (1..7)
        .map(|i| {
            let pair = [format!("domino {i}"), format!("domino {}", i + 1)].map(|name| world.find(&name).unwrap());
            world.impacts().iter().find(|record| record.bodies == pair).unwrap().time
        })
        .collect();
    assert!(struck.is_sorted() && struck[5] > struck[0] + 0.1, "{struck:?}");
    for i in 1..=7 {
        let name = format!("domino {i}");
        assert!(rests(&world, &name), "{name}");
        let upright = direction(&world, &name, DVec3::Z);
        assert!(upright.z < 0.6 && upright.x > 0.8, "{name} points to {upright}");
    }
}

#[test]
fn rattleback_turns_back() {
    let mut world = scene("rattleback", &[]);
    let mut spin = |t: f64| {
        run(&mut world, t);
        let state = state(&world, "rattleback");
        state.world_from_body.vector(state.spin).z
    };
    assert!(spin(1.0) < -2.0 && spin(2.0) < -1.0);
    // Rolling without slip, integrated to 1e-9, reverses at 2.761 s; after that the spin is as below.
    let reversal = (0..).map(|k| 2.7 + 1e-3 * f64::from(k)).find(|&t| spin(t) >= 0.0).unwrap();
    assert_near(reversal, 2.761, 0.003);
    for (t, wanted) in [(3.07, 0.433), (3.4, 1.372), (4.0, 2.825)] {
        assert_near(spin(t), wanted, 0.01 * wanted);
    }
}

#[test]
fn bowling_ball_slides_then_fells_pins() {
    let mut world = scene("bowling", &[]);
    // The United States Bowling Congress wants the centre of mass between 5 40/64 and 5 60/64 inches high.
    let height = place(&world, "pin 7").z / 0.0254;
    assert!((5.0 + 40.0 / 64.0..=5.0 + 60.0 / 64.0).contains(&height), "{height} inches");
    run(&mut world, 2.5);
    let braking = 0.08 * 9.81;
    assert_near(state(&world, "ball").velocity.x, 8.0 - braking * 2.5, 1e-3);
    assert_near(place(&world, "ball").x, 8.0 * 2.5 - 0.5 * braking * 2.5 * 2.5, 1e-3);
    let pins = |world: &World| (1..=10).map(|i| direction(world, &format!("pin {i}"), DVec3::Z).z).collect::<Vec<_>>();
    assert!(pins(&world).iter().all(|&upright| upright > 1.0 - 1e-8));
    run(&mut world, 5.0);
    // Between the head pin and the next, where both thesis and bowlers aim.
    let felled = pins(&world).iter().filter(|&&upright| upright < 0.5).count();
    assert!(felled >= 5, "{felled} pins felled");
    assert!(place(&world, "ball").x > 18.288 + 1.0);
}

/// A sliding ball with side spin is pulled aside by the lane's friction, along the slip of its lowest point.
#[test]
fn bowling_ball_hooks() {
    let mut world = scene("bowling", &[("side", 12.0), ("angle", -2.0)]);
    let radius = 0.10795;
    let angle = -2_f64.to_radians();
    let slip = DVec3::new(8.0 * angle.cos(), 8.0 * angle.sin() - 12.0 * radius, 0.0);
    run(&mut world, 1.0);
    let pull = -0.08 * 9.81 * slip.normalize();
    let wanted = DVec3::new(8.0 * angle.cos(), 8.0 * angle.sin(), 0.0) + pull;
    assert!((state(&world, "ball").velocity - wanted).truncate().length() < 2e-3, "{}", state(&world, "ball").velocity);
    assert!(pull.y > 0.1);
}

/// Nothing happens any more.
#[track_caller]
fn assert_frozen(world: &mut World) {
    let events = world.counters().events;
    run(world, world.time() + 100.0);
    assert_eq!(world.counters().events, events);
}

/// Flat on the plate, leaning on one another, or upright on the width of its edge, on which one rolls on; none on its rim, none below the plate, none gone.
#[test]
fn coins_come_to_rest() {
    let mut world = scene("coins", &[]);
    let start = world.energy();
    run(&mut world, 6.0);
    assert!(world.energy() < start);
    for name in ["rolling", "tossed"].iter().flat_map(|kind| (1..=4).map(move |i| format!("{kind} {i}"))) {
        assert!(rests(&world, &name), "{name}");
        let (at, leaning) = (place(&world, &name), direction(&world, &name, DVec3::Z).z.abs());
        assert!(!(1e-6..=0.7).contains(&leaning), "{name} stands on its rim: {leaning}");
        assert!(at.z > 0.000875 - 1e-6 && at.z < 0.015 && at.truncate().length() < 0.8, "{name} is at {at}");
    }
    assert_frozen(&mut world);
}

#[test]
fn dish_gathers_six_balls_around_one() {
    let mut world = scene("dish", &[]);
    run(&mut world, 8.0);
    let places: Vec<DVec3> = (1..=7).map(|i| place(&world, &format!("ball {i}"))).collect();
    let middle = places.iter().min_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
    let around = places.iter().filter(|p| *p != middle).map(|p| (p - middle).truncate().length());
    assert!(middle.truncate().length() < 1e-3);
    assert!(around.into_iter().all(|distance| (distance - 0.04).abs() < 1e-4), "{places:?}");
    assert!((1..=7).all(|i| rests(&world, &format!("ball {i}"))));
    assert_frozen(&mut world);
}
