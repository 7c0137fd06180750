//! An impact of a body in lasting contact does not depend on how far its hop has come (beside section 3.5).

use crate::world_support::{free, placed, slab, surface};
use impulse::DVec3;
use impulse::body::State;
use impulse::geometry::{Cuboid, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, Event, Settings, World, WorldBuilder};

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
