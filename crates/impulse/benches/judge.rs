//! The long run of the judge of overlaps against exact separating axes (Moore and Wilhelms 1988, section 2.2, corrected).
//!
//!     cargo bench --bench judge [-- PAIRS [SEED]]    100,000 pairs of lattice polyhedra, see tests/it/judge_lattice.rs
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a bench stops where it cannot go on")]

#[path = "../tests/it/samples.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod samples;
#[path = "../tests/it/judge_lattice.rs"]
mod judge_lattice;

use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let pairs = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(100_000);
    let seed = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(1);
    let start = Instant::now();
    println!("{:#?}", judge_lattice::examine(pairs, seed));
    println!("{pairs} pairs in {:.1} s", start.elapsed().as_secs_f64());
}
