//! The measurements as text: table cells, and the page `docs/benchmarks.md`.

use super::measure::Measured;
use super::shares::Shares;
use super::thesis::table_7_2;

/// Column headings.
pub(super) const COLUMNS: [&str; 15] = [
    "scene",
    "simulated",
    "CPU time",
    "slowdown",
    "thesis",
    "times 1996",
    "events",
    "checks",
    "collisions",
    "micro",
    "hops",
    "unsolved",
    "in contact",
    "events/s",
    "memory",
];

/// Column headings of the shares.
pub(super) const SHARES: [&str; 5] = ["scene", "detection", "response", "motion", "control"];

/// The cells of a scene's row.
pub(super) fn cells(measured: &Measured) -> [String; COLUMNS.len()] {
    let Measured { simulated_s, cpu_s, slowdown, thesis_slowdown, times_1996, peak_memory_bytes, .. } = measured;
    let none = || "-".to_owned();
    [
        measured.name.clone(),
        format!("{simulated_s} s"),
        format!("{:.2} ms", 1e3 * cpu_s),
        format!("{slowdown:.5}"),
        thesis_slowdown.map_or_else(none, |slowdown| format!("{slowdown:.1}")),
        times_1996.map_or_else(none, |times| format!("{times:.0}")),
        measured.events.to_string(),
        measured.checks.to_string(),
        measured.collisions.to_string(),
        measured.microcollisions.to_string(),
        measured.hops.to_string(),
        measured.unsolved_hops.to_string(),
        format!("{:.1} s", measured.lasting_contact_s),
        format!("{:.0}", measured.events_per_cpu_s),
        peak_memory_bytes.map_or_else(none, |bytes| format!("{:.1} MB", bytes as f64 / 1e6)),
    ]
}

/// Rows of shares in percent: our scenes, then the examples of the thesis.
pub(super) fn share_rows(scenes: &[Measured]) -> Vec<[String; SHARES.len()]> {
    let row = |name: String, shares: Option<Shares>| {
        let cells = shares.map_or_else(|| [(); 4].map(|()| "-".to_owned()), |s| s.percent().map(|x| format!("{x:.1}")));
        let [detection, response, motion, control] = cells;
        [name, detection, response, motion, control]
    };
    let ours = scenes.iter().map(|measured| row(measured.name.clone(), measured.shares));
    let theirs = table_7_2().into_iter().map(|(example, shares)| row(format!("thesis: {example}"), Some(shares)));
    ours.chain(theirs).collect()
}

/// A table in Markdown: names left-aligned, numbers right-aligned.
fn table<const N: usize>(columns: [&str; N], rows: &[[String; N]]) -> String {
    let line = |cells: &[String; N]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|---|{}\n", "---:|".repeat(N - 1));
    [line(&columns.map(str::to_owned)), rule].into_iter().chain(rows.iter().map(line)).collect()
}

/// The whole page.
pub(super) fn page(scenes: &[Measured], runs: u32) -> String {
    let rows: Vec<_> = scenes.iter().map(cells).collect();
    let (times, shares) = (table(COLUMNS, &rows), table(SHARES, &share_rows(scenes)));
    let processor = processor().unwrap_or_else(|| "unknown".to_owned());
    format!(
        "# Benchmarks

Written by `impulse bench --markdown`. Processor: {processor}, one thread; the smallest CPU time of {runs} runs.

{times}
- **CPU time** is the engine's, without reading the scene and building the world. **Slowdown** is CPU time divided by simulated time;
  below 1 is faster than real time.
- **thesis** is the slowdown in table 7.1 of the thesis, on a 200 MHz R4400. The thesis describes its scenes only in words, so ours
  differ in sizes, coefficients and duration. **times 1996** is that slowdown divided by ours.
- **events** are those taken from the queue; **checks** are the events that measured one pair; **collisions** are impacts except
  microcollisions (**micro**); **hops** are those of bodies in lasting contact, each with one or more microcollisions;
  **unsolved** are those whose impulses were not found to the tolerance.
- **in contact** is the total time that all bodies were in lasting contact, hopping or at rest.
- **memory** is the peak of a process that runs only this scene, including the program itself.

## Shares of time

In percent, as in table 7.2 of the thesis, whose examples are listed below ours.

{shares}
- **detection**: broad phase, distances, times of impact including the states they need, the queue. **response**: impulses of impacts,
  and the joint impulses of hops. **motion**: states and bounding boxes of bodies, new trajectories, and whether bodies rest; forward
  dynamics in the thesis. **control**: controllers, and behaviours of scripts.
- The engine has no clock of its own. For an additional run it is lent one, which is read whenever the phase changes. Reading it takes
  time too, relatively most where events are cheap.
"
    )
}

/// Name of the processor, if known (Linux).
pub(super) fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
