//! The break of a rack of balls: many impacts at almost the same place and time (section 2.3), with and without weight.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod support;

use impulse::DVec3;
use impulse::geometry::HalfSpace;
use impulse::world::{BodySpec, MotionSpec, Settings, World, WorldBuilder};
use support::{cpu_seconds, free, surface};

const RADIUS: f64 = 0.0286;
const GAP: f64 = 1e-4;
const CUE: f64 = 8.0;
const UNTIL: f64 = 0.05;
/// Runs that are timed together: the clock is coarse.
const RUNS: u32 = 300;

fn main() {
    println!("15 balls in a triangle, {GAP} m apart, struck by one at {CUE} m/s; until {UNTIL} s\n");
    println!("weight    events    checks  measurements  collisions  microcollisions  milliseconds");
    for (name, gravity) in [("none", 0.0), ("normal", -9.81)] {
        let built = rack(DVec3::Z * gravity);
        let mut world = built.clone();
        let start = cpu_seconds();
        for _ in 0..RUNS {
            world = built.clone();
            world.run_to(UNTIL).expect("balls never overlap");
        }
        let each = (cpu_seconds() - start) / f64::from(RUNS);
        let c = world.counters();
        println!(
            "{name:6} {:9} {:9} {:13} {:11} {:16} {:13.3}",
            c.events,
            c.checks,
            c.measurements,
            c.collisions,
            c.microcollisions,
            1e3 * each
        );
    }
}

fn rack(gravity: DVec3) -> World {
    let mut builder = WorldBuilder::new(Settings { gravity, ..Settings::default() }).expect("good settings");
    let ball = builder.add_material(surface(0.0, 0.95)).expect("a material");
    let cloth = builder.add_material(surface(0.0, 0.5)).expect("a material");
    let shape = HalfSpace::new(DVec3::Z, 0.0).expect("a table").into();
    let still = DVec3::ZERO;
    let table = BodySpec { shape, motion: MotionSpec::Fixed, ..free("table".into(), RADIUS, still, still, cloth) };
    builder.add_body(table).expect("a table");
    let step = 2.0 * RADIUS + GAP;
    let head = DVec3::new(-0.1, 0.0, RADIUS);
    builder.add_body(free("cue".into(), RADIUS, head, DVec3::X * CUE, ball)).expect("a ball");
    for row in 0..5 {
        for place in 0..=row {
            let (along, across) = (f64::from(row) * step * 0.75_f64.sqrt(), f64::from(2 * place - row) * 0.5 * step);
            let at = DVec3::new(along, across, RADIUS);
            builder.add_body(free(format!("{row} {place}"), RADIUS, at, still, ball)).expect("a ball");
        }
    }
    builder.build().expect("nothing overlaps")
}
