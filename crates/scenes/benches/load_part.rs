//! How long a part file takes to load, and the memory it needs: spheres of 20 thousand to 1.3 million facets.
//!
//! `cargo bench --bench load_part`

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/it/shapes.rs"]
mod shapes;

use impulse::geometry::Solid;
use impulse_scenes::part::{read_part, write_obj};
use std::path::Path;
use std::time::Instant;

fn main() {
    println!(
        "{:>10} {:>6} {:>9} {:>12} {:>14} {:>12}",
        "facets", "file", "seconds", "ns per facet", "peak memory MB", "volume"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for n in [50, 100, 200, 403] {
        let path = folder.join("sphere.stl");
        std::fs::write(&path, shapes::stl_bytes(shapes::sphere(n))).expect("the target folder can be written");
        measure(&path, "stl");
    }
    let sphere = read_part(&folder.join("sphere.stl"), 1.0).expect("the sphere is closed").polyhedron;
    let path = folder.join("sphere.obj");
    let file = std::fs::File::create(&path).expect("the target folder can be written");
    write_obj(&sphere, std::io::BufWriter::new(file)).expect("the target folder can be written");
    drop(sphere);
    measure(&path, "obj");
}

fn measure(path: &Path, kind: &str) {
    let start = Instant::now();
    let part = read_part(path, 1.0).expect("the sphere is closed");
    let seconds = start.elapsed().as_secs_f64();
    assert!(part.report.notes.is_empty(), "{:?}", part.report.notes);
    let facets = part.report.facets;
    let volume = part.polyhedron.volume_integrals().volume;
    let per_facet = 1e9 * seconds / facets as f64;
    println!("{facets:>10} {kind:>6} {seconds:>9.3} {per_facet:>12.0} {:>14.0} {volume:>12.8}", peak_megabytes());
}

/// Most memory this process ever had, as Linux counts it; not a number elsewhere.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}
