//! An elastic gas (sections 2.3-2.4): work, processor time and memory per collision and per body as the number of balls grows.
//!
//! `cargo bench --bench gas` runs 1,000, 10,000 and 100,000 balls of equal density; `-- N` runs one size, for profilers.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "support/random.rs"]
mod random;
mod support;

use impulse::DVec3;
use impulse::geometry::HalfSpace;
use impulse::world::{BodySpec, MotionSpec, Settings, World, WorldBuilder};
use random::Stream;
use std::time::Instant;
use support::{cpu_seconds, free, surface};

const RADIUS: f64 = 0.1;
/// Distance of the centres at the start: balls fill 16 % of the room.
const SPACING: f64 = 3.0 * RADIUS;
/// Collisions per ball before and during the measurement.
const WARM_UP: u64 = 4;
const MEASURED: u64 = 6;
/// Parts of the measurement of which the fastest counts: noise only ever adds.
const SLICES: u64 = 50;
/// Collisions measured at least, so that small gases are measured as long as large ones.
const LEAST: u64 = 400_000;

fn main() {
    let given: Vec<u32> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let least = if given.is_empty() { LEAST } else { 0 };
    let sizes = if given.is_empty() { vec![1_000, 10_000, 100_000] } else { given };
    println!("elastic balls without friction or weight in a closed room, 16 % of it filled;");
    println!("microseconds of processor time per collision in the mean, and of real time in the fastest slice\n");
    println!(
        "  balls  collisions  events/c  checks/c  expiries/c     mean  fastest  collisions/s  bytes/ball  pairs/ball              hash"
    );
    let times: Vec<f64> = sizes.iter().map(|&count| measure(count, least)).collect();
    if let [first, .., last] = times[..] {
        println!("\ngrowth of the time per collision from the smallest to the largest: {:.2}", last / first);
    }
}

/// Microseconds per collision: processor time in the mean or real time in the fastest slice, whichever is less disturbed.
fn measure(count: u32, least: u64) -> f64 {
    let before = resident_bytes();
    let mut world = gas(count);
    run(&mut world, WARM_UP * u64::from(count) / 2);
    let bytes = resident_bytes().saturating_sub(before) as f64 / f64::from(count);
    let counted = world.counters();
    let slice = (MEASURED * u64::from(count) / 2).max(least) / SLICES;
    let (mut best, begin) = (f64::INFINITY, cpu_seconds());
    for _ in 0..SLICES {
        let start = Instant::now();
        run(&mut world, slice);
        best = best.min(start.elapsed().as_secs_f64() / slice as f64);
    }
    let done = world.counters();
    let collisions = (done.collisions - counted.collisions) as f64;
    let mean = (cpu_seconds() - begin) / collisions;
    let rate = 1.0 / best.min(mean);
    println!(
        "{count:7} {collisions:11} {:9.2} {:9.2} {:11.2} {:8.2} {:8.2} {:13.0} {bytes:11.0} {:11.1}  {:016x}",
        (done.events - counted.events) as f64 / collisions,
        (done.checks - counted.checks) as f64 / collisions,
        (done.expiries - counted.expiries) as f64 / collisions,
        1e6 * mean,
        1e6 * best,
        rate,
        world.close_pairs() as f64 / f64::from(count),
        world.trace_hash(),
    );
    1e6 / rate
}

fn run(world: &mut World, collisions: u64) {
    let end = world.counters().collisions + collisions;
    while world.counters().collisions < end {
        world.step().expect("balls never overlap").expect("a gas never comes to rest");
    }
}

fn gas(count: u32) -> World {
    let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
    let mut builder = WorldBuilder::new(settings).expect("good settings");
    let material = builder.add_material(surface(0.0, 1.0)).expect("a material");
    let per_side = (1..).find(|n| n * n * n >= count).expect("a cube that large");
    let side = f64::from(per_side) * SPACING;
    for (i, axis) in DVec3::AXES.into_iter().enumerate() {
        for (normal, offset) in [(axis, 0.0), (-axis, -side)] {
            let shape = HalfSpace::new(normal, offset).expect("a wall").into();
            let name = format!("wall {i} {offset}");
            let at = DVec3::ZERO;
            let wall = BodySpec { shape, motion: MotionSpec::Fixed, ..free(name, RADIUS, at, at, material) };
            builder.add_body(wall).expect("a wall");
        }
    }
    let mut random = Stream(count.into());
    for k in 0..count {
        let cell = [k % per_side, k / per_side % per_side, k / per_side / per_side].map(f64::from);
        let at = (DVec3::from_array(cell) + 0.5) * SPACING;
        builder.add_body(free(format!("{k}"), RADIUS, at, random.velocity(1.0), material)).expect("a ball");
    }
    builder.build().expect("nothing overlaps")
}

/// Memory that this process occupies, bytes; 0 where the system does not tell.
fn resident_bytes() -> usize {
    let told = std::fs::read_to_string("/proc/self/status").ok();
    let line = told.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("VmRSS:")));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.map_or(0, |k| 1024 * k)
}

impl Stream {
    /// With components from -1 to 1 times `size`.
    fn velocity(&mut self, size: f64) -> DVec3 {
        2.0 * size * (DVec3::new(self.next(), self.next(), self.next()) - 0.5)
    }
}
