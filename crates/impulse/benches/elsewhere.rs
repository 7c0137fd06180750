//! A ball is thrown up and falls, alone and beside 10,000 boxes at rest (sections 3.5, 8.1): what happens elsewhere must not cost more.
//!
//! `cargo bench --bench elsewhere` prints counted work and processor time; `-- N` runs one size, for profilers: what is to be
//! counted there is `elsewhere::throw`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod support;

use impulse::DVec3;
use impulse::geometry::{Cuboid, HalfSpace};
use impulse::world::{BodyId, BodySpec, Settings, World, WorldBuilder};
use support::{cpu_seconds, free, surface};

/// Throws, one after the other.
const THROWS: u32 = 2_000;
/// Time from one to the next, s.
const BETWEEN: f64 = 1.0;

fn main() {
    let given: Vec<u32> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![0, 100, 10_000] } else { given };
    println!(
        "a ball is thrown up {THROWS} times, bounces and comes to rest; microseconds of processor time per throw\n"
    );
    println!("  boxes at rest   events   checks  impacts     hops     time");
    for boxes in sizes {
        let (mut world, ball) = resting(boxes);
        let (before, start) = (world.counters(), cpu_seconds());
        (0..THROWS).for_each(|_| throw(&mut world, ball));
        let (after, time) = (world.counters(), cpu_seconds() - start);
        println!(
            "{boxes:15} {:8} {:8} {:8} {:8} {:8.1}",
            after.events - before.events,
            after.checks - before.checks,
            after.collisions - before.collisions,
            after.hops - before.hops,
            1e6 * time / f64::from(THROWS),
        );
    }
}

/// A ball, and so many boxes far away, that have come to rest.
fn resting(boxes: u32) -> (World, BodyId) {
    let mut builder = WorldBuilder::new(Settings::default()).expect("good settings");
    let material = builder.add_material(surface(0.5, 0.3)).expect("a material");
    let floor = HalfSpace::new(DVec3::Z, 0.0).expect("a floor");
    builder.add_body(BodySpec::fixed("floor", floor)).expect("a floor");
    let at = DVec3::new(-3.0, 0.0, 0.05);
    let ball = builder.add_body(free("ball".to_owned(), 0.05, at, DVec3::ZERO, material)).expect("a ball");
    let shape = Cuboid::new(DVec3::new(0.1, 0.08, 0.06)).expect("a box");
    for k in 0..boxes {
        let at = DVec3::new(0.15 * f64::from(k % 100), 0.15 * f64::from(k / 100), 0.03);
        builder.add_body(BodySpec::free(format!("{k}"), shape.clone()).at(at).density(1000.0)).expect("a box");
    }
    let mut world = builder.build().expect("nothing overlaps");
    world.run_to(1.0).expect("boxes come to rest");
    (world, ball)
}

/// Throws the ball up and waits until it rests again.
#[inline(never)]
fn throw(world: &mut World, ball: BodyId) {
    world.set_velocity(ball, DVec3::Z, DVec3::ZERO).expect("the ball");
    world.run_to(world.time() + BETWEEN).expect("a ball falls");
}
