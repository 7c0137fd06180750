//! Cost of the ten volume integrals (section 6.4): sphere approximations up to 1.3 million facets, time and memory per facet.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use impulse::geometry::{Polyhedron, Solid, icosphere, mass::projection::polyhedron_integrals};
use std::hint::black_box;
use std::time::Instant;

/// Approximations 3 to 9 in the numbering of table 6.2.
const HALVINGS: std::ops::RangeInclusive<u32> = 2..=8;

fn main() {
    println!("Volume integrals of sphere approximations (table 6.2 continued)\n");
    println!("   facets      T_1       T_xx   integrals     per facet   checked and built    per facet   peak memory");
    let mut per_facet = Vec::new();
    for halvings in HALVINGS {
        let mesh = icosphere(halvings);
        let facets = mesh.triangles.len();
        let start = Instant::now();
        let solid = Polyhedron::from_triangles(&mesh).expect("an icosphere is closed");
        let built = start.elapsed().as_secs_f64();
        let time = fastest(facets, || polyhedron_integrals(black_box(solid.vertices()), solid.faces(), solid.planes()));
        let t = solid.volume_integrals();
        println!(
            "{facets:9}  {:.6}  {:.7}  {:8.3} ms  {:7.1} ns  {:14.3} ms  {:9.1} ns  {:>10}",
            t.volume,
            t.second().x_axis.x,
            time * 1e3,
            time * 1e9 / facets as f64,
            built * 1e3,
            built * 1e9 / facets as f64,
            peak_memory(),
        );
        per_facet.push(time / facets as f64);
    }
    let (least, most) = per_facet.iter().fold((f64::MAX, 0.0f64), |(a, b), &t| (a.min(t), b.max(t)));
    println!("\ntime per facet: largest / smallest = {:.3} (wanted: below 1.5)", most / least);
}

/// Seconds of the fastest of several runs: noise only ever adds.
fn fastest<T>(facets: usize, run: impl Fn() -> T) -> f64 {
    let runs = (20_000_000 / facets).clamp(5, 2000);
    let timed = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(timed).fold(f64::MAX, f64::min)
}

/// The process's largest memory so far, where the system tells.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |l| l.trim().to_owned())
}
