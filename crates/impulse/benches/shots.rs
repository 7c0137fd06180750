//! The guarantee of section 2.3 at full size: 100,000 shots at 1 to 1000 m/s at plates 0.1 to 10 mm thick, none of which passes.
//!
//!     cargo bench --bench shots [-- SHOTS [SEED]]
//!
//! Spheres, rods and boxes of 1 to 200 mm, tumbling with up to 100 rad/s, are aimed so that their straight path leads through the
//! plate. A miss is a shot that never struck its plate; an overlap a run that found bodies inside each other; `passed` counts
//! shots that were right behind a fixed plate in the end. Exit status 1 if there is any.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, reason = "a bench stops where it cannot go on")]

#[path = "../tests/it/samples.rs"]
#[expect(dead_code, clippy::panic, reason = "the tests use more of it")]
mod samples;
#[path = "../tests/it/toi_shots.rs"]
mod toi_shots;

use samples::Numbers;
use std::process::ExitCode;
use toi_shots::{PLATES, PROJECTILES, shoot};

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<u32>().ok());
    let shots = numbers.next().unwrap_or(100_000);
    let mut random = Numbers(numbers.next().unwrap_or(1).into());
    let each = shots.div_ceil((PROJECTILES.len() * PLATES.len()) as u32);
    println!("projectile   plate           shots  misses  overlaps  passed  impacts  checks/impact  distances/impact");
    let (mut total, mut failed) = (0, 0);
    for (i, projectile) in PROJECTILES.into_iter().enumerate() {
        for (j, plate) in PLATES.into_iter().enumerate() {
            let t = shoot(i, j, each, &mut random);
            let per = |n: u64| n as f64 / t.impacts as f64;
            println!(
                "{projectile:12} {plate:13} {:7} {:7} {:9} {:7} {:8} {:14.2} {:17.2}",
                t.shots,
                t.misses,
                t.overlaps,
                t.passed,
                t.impacts,
                per(t.checks),
                per(t.measurements)
            );
            total += t.shots;
            failed += t.misses + t.overlaps + t.passed;
        }
    }
    println!("{total} shots, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
