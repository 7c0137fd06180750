//! The measurements as text: cells of a table, and the page `docs/benchmarks.md`.

use super::measure::Measured;

/// What the cells of a row are.
pub(super) const COLUMNS: [&str; 12] = [
    "scene",
    "simulated",
    "CPU time",
    "slowdown",
    "thesis",
    "events",
    "checks",
    "collisions",
    "micro",
    "hops",
    "events/s",
    "memory",
];

/// A scene's row.
pub(super) fn cells(measured: &Measured) -> [String; COLUMNS.len()] {
    let Measured { simulated_s, cpu_s, slowdown, thesis_slowdown, peak_memory_bytes, .. } = measured;
    let none = || "-".to_owned();
    [
        measured.name.clone(),
        format!("{simulated_s} s"),
        format!("{:.2} ms", 1e3 * cpu_s),
        format!("{slowdown:.5}"),
        thesis_slowdown.map_or_else(none, |slowdown| format!("{slowdown:.1}")),
        measured.events.to_string(),
        measured.checks.to_string(),
        measured.collisions.to_string(),
        measured.microcollisions.to_string(),
        measured.hops.to_string(),
        format!("{:.0}", measured.events_per_cpu_s),
        peak_memory_bytes.map_or_else(none, |bytes| format!("{:.1} MB", bytes as f64 / 1e6)),
    ]
}

/// The page.
pub(super) fn page(scenes: &[Measured], runs: u32) -> String {
    let line = |cells: &[String; COLUMNS.len()]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|---|{}\n", "---:|".repeat(COLUMNS.len() - 1));
    let mut table = line(&COLUMNS.map(str::to_owned)) + rule.as_str();
    scenes.iter().for_each(|measured| table += &line(&cells(measured)));
    let processor = processor().unwrap_or_else(|| "unknown".to_owned());
    format!(
        "# Benchmarks

Written by `impulse bench --markdown`. Processor: {processor}, one thread; the least CPU time of {runs} runs.

{table}
- **CPU time** is that of the engine: neither reading the scene nor building the world. **Slowdown** is CPU time by simulated time; below 1
  is faster than real time.
- **thesis** is the slowdown in table 7.1 of the thesis, on a 200 MHz R4400. Its scenes are described in words only, so ours differ in
  sizes, coefficients and duration.
- **events** are taken from the queue; **checks** are those that measured one pair; **collisions** are impacts that were no
  microcollisions (**micro**); **hops** are those of bodies in lasting contact, each with one or more microcollisions.
- **memory** is the peak of a process that runs nothing but this scene, the program itself included.

The engine reads no clocks, so that the same scene gives the same run; shares of detection, response and motion are for a profiler.
"
    )
}

/// What the system calls its processor, where it tells (Linux).
pub(super) fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
