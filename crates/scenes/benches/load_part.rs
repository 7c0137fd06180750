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
        "{:>10} {:>9} {:>8} {:>13} {:>15} {:>11}",
        "facets", "file", "seconds", "ns per facet", "peak memory MB", "volume"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let stl = folder.join("sphere.stl");
    for n in [50, 100, 200, 403] {
        write(&stl, &shapes::stl_bytes(shapes::sphere(n)));
        measure(&stl, "stl");
    }
    // Facets in no order at all, which no cache likes.
    let mut bytes = shapes::stl_bytes(shapes::sphere(403));
    shuffle(bytes[84..].as_chunks_mut::<50>().0);
    write(&stl, &bytes);
    drop(bytes);
    measure(&stl, "shuffled");
    let obj = folder.join("sphere.obj");
    let sphere = read_part(&stl, 1.0).expect("the sphere is closed").polyhedron;
    let mut text = Vec::new();
    write_obj(&sphere, &mut text).expect("memory can be written");
    write(&obj, &text);
    drop((sphere, text));
    measure(&obj, "obj");
}

fn write(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("the target folder can be written");
}

/// Exchanges each facet with an earlier one, chosen by a linear congruence.
fn shuffle(facets: &mut [[u8; 50]]) {
    let mut random = 1u64;
    for i in 1..facets.len() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        facets.swap(i, (random >> 33) as usize % (i + 1));
    }
}

fn measure(path: &Path, kind: &str) {
    // Linux then counts the peak from here on.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let start = Instant::now();
    let part = read_part(path, 1.0).expect("the sphere is closed");
    let seconds = start.elapsed().as_secs_f64();
    let peak = peak_megabytes();
    assert!(part.report.notes.is_empty(), "{:?}", part.report.notes);
    let facets = part.report.facets;
    let volume = part.polyhedron.volume_integrals().volume;
    let per_facet = 1e9 * seconds / facets as f64;
    println!("{facets:>10} {kind:>9} {seconds:>8.3} {per_facet:>13.0} {peak:>15.0} {volume:>11.8}");
}

/// Most memory this process had, as Linux counts it; not a number elsewhere.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}
