//! An impact of a body in lasting contact does not depend on how far its hop has come (beside section 3.5).

use crate::world_support::{free, placed, slab, surface};
use impulse::body::State;
use impulse::geometry::{Cuboid, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, Event, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

const G: f64 = 9.81;
const RADIUS: f64 = 0.02;
/// Velocity of the ball when it strikes, m/s.
const VELOCITY: DVec3 = DVec3::new(0.2, 0.0, -0.5);
/// Where it strikes the top of the block, m.
const TARGET: DVec3 = DVec3::new(0.02, 0.01, 0.1);

/// A block that has been put on a floor, and a ball that strikes it at about a time.
fn world(strikes_at: f64) -> (World, [BodyId; 2]) {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(0.3, 0.5)).unwrap();
    b.add_body(slab(0.0, m)).unwrap();
    let block = free("block", Cuboid::new(DVec3::splat(0.1)).unwrap(), DVec3::Z * 0.05, DVec3::ZERO, m);
    let block = b.add_body(block).unwrap();
    let fall = DVec3::Z * (0.5 * G * strikes_at * strikes_at);
    let start = TARGET + DVec3::Z * RADIUS - (VELOCITY + DVec3::Z * (G * strikes_at)) * strikes_at + fall;
    let ball = free("ball", Sphere::new(RADIUS).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let velocity = VELOCITY + DVec3::Z * (G * strikes_at);
    let ball = b.add_body(placed(ball, Pose::from_translation(start), velocity, DVec3::ZERO)).unwrap();
    (b.build().unwrap(), [block, ball])
}

/// Times of the hops of the block, s.
fn hops() -> Vec<f64> {
    let (mut world, _) = world(0.1);
    let mut times = Vec::new();
    while times.len() < 8 {
        if let Some(Event::Hop(..)) = world.step().unwrap() {
            times.push(world.time());
        }
    }
    times
}

/// States of block and ball after the ball's impact at a time.
fn struck(time: f64) -> [State; 2] {
    let (mut world, bodies) = world(time);
    loop {
        match world.step().unwrap() {
            Some(Event::Impact(record)) if record.bodies.contains(&bodies[1]) => break,
            _ => assert!(world.time() < time + 1e-3),
        }
    }
    bodies.map(|id| world.principal_state_at(id, world.time()).unwrap())
}

#[test]
fn a_blow_on_a_block_that_hops_does_not_depend_on_the_phase() {
    let times = hops();
    let [start, end] = [times[5], times[6]];
    // In the flight it has up to this velocity.
    let hop = 0.5 * G * (end - start);
    let outcomes: Vec<[State; 2]> =
        (0..10).map(|k| struck(start + (end - start) * (f64::from(k) + 0.5) / 10.0)).collect();
    // It also strikes up to a hop higher, a little slower: by 2e-5 of its velocity.
    let allowed = 1e-4 * VELOCITY.length();
    assert!(hop > 50.0 * allowed, "{hop}");
    let [block, ball] = &outcomes[0];
    for [other_block, other_ball] in &outcomes[1..] {
        for (one, other, size) in [(ball, other_ball, RADIUS), (block, other_block, 0.05)] {
            let off = one.velocity.distance(other.velocity);
            let turned = size * one.angular_velocity().distance(other.angular_velocity());
            assert!(off < allowed && turned < allowed, "{off} m/s and {turned} m/s of {hop}");
        }
    }
}

/// Share of its energy that a block of 0.1 m by 0.4 m has left after it changed edges for the first time, let go at a lean (rad); and how often it
/// hopped.
fn kept_by_a_rocking_block(lean: f64) -> (f64, u64) {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(2.0, 0.0)).unwrap();
    b.add_body(slab(0.0, m)).unwrap();
    let rotation = DQuat::from_rotation_y(lean);
    // It stands on the edge at the origin.
    let centre = rotation * DVec3::new(-0.05, 0.0, 0.2);
    let block = free("block", Cuboid::new(DVec3::new(0.1, 0.2, 0.4)).unwrap(), centre, DVec3::ZERO, m);
    let block = b.add_body(placed(block, Pose { rotation, translation: centre }, DVec3::ZERO, DVec3::ZERO)).unwrap();
    let mut world = b.build().unwrap();
    let mass = world.principal_mass(block).unwrap().mass();
    let lying = mass * Settings::default().gravity.length() * 0.2;
    let first = world.energy() - lying;
    while world.energy() > lying + 0.9 * first || world.time() < 0.3 {
        assert!(world.step().unwrap().is_some() && world.time() < 1.0, "it falls on its other edge");
    }
    ((world.energy() - lying) / first, world.counters().hops)
}

/// The blow of one edge, while the block hops on the other, falls on every phase of a hop. Housner: 1 - 3/2 sin^2(alpha) of the angular velocity is left.
#[test]
fn a_rocking_block_changes_edges_at_any_phase() {
    let ratio = 1.0 - 1.5 * (0.1 * 0.1) / (0.1 * 0.1 + 0.4 * 0.4);
    let mut hops = 0;
    for k in 0..60 {
        let (kept, hopped) = kept_by_a_rocking_block((8.3_f64 + 0.004 * f64::from(k)).to_radians());
        assert!((kept / (ratio * ratio) - 1.0).abs() < 2e-3, "{k}: {kept} instead of {}", ratio * ratio);
        hops += hopped;
    }
    assert!(hops > 240, "{hops}");
}
