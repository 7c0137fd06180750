//! Cost of impacts (thesis chapter 3) in instructions, counted by callgrind, beside a plain Runge-Kutta of the thesis' scheme.
//!
//! `cargo bench --bench impact` runs itself once under valgrind, which dumps the counts of every call of [`counted`].

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a bench reports, and stops where it cannot go on")]

use glam::{DMat3, DVec3};
use impulse::respond::{Impact, Law, Material, Mode, Outcome, resolve};
use serde_json::Value;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const VECTORS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/impact_vectors.jsonl"));

/// Error in the final velocity, relative to the larger of both, at which the Runge-Kutta is compared.
const EQUAL_ERROR: f64 = 1e-10;

struct Case {
    class: String,
    impact: Impact,
    wanted: Option<DVec3>,
}

fn main() {
    let cases = cases();
    if std::env::args().any(|a| a == "--counted") {
        for case in &cases {
            dumped(|| resolve(black_box(&case.impact)).is_ok());
            if let Some(steps) = runge_kutta_steps(case) {
                dumped(|| runge_kutta(black_box(&case.impact), steps));
            }
        }
        return;
    }
    let start = Instant::now();
    let repeats = 200;
    for _ in 0..repeats {
        for case in &cases {
            black_box(resolve(black_box(&case.impact))).unwrap();
        }
    }
    let each = start.elapsed().as_secs_f64() / (repeats * cases.len()) as f64;
    println!("time per impact, all classes: {:.2} us", 1e6 * each);
    match counts() {
        Some(counts) => report(&cases, &counts),
        None => println!("instructions: not counted, valgrind is not installed"),
    }
}

/// After each call of this callgrind dumps its counts: it takes one order per function.
#[inline(never)]
fn dumped<T>(work: impl FnOnce() -> T) -> T {
    black_box(counted(work))
}

/// What callgrind counts; everything else is outside.
#[inline(never)]
fn counted<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// The instruction counts of all calls of [`counted`] in a child process, in order.
fn counts() -> Option<Vec<u64>> {
    let folder = std::env::temp_dir().join(format!("impulse-bench-impact-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=impact::counted*"])
        .args(["--dump-after=impact::dumped*", "--combine-dumps=no", "--callgrind-out-file=dump"])
        .arg(std::env::current_exe().unwrap())
        .arg("--counted")
        .current_dir(&folder)
        .output();
    let counts = done.ok().filter(|out| out.status.success()).map(|_| read_dumps(&folder));
    std::fs::remove_dir_all(&folder).unwrap();
    counts
}

/// Dumps are numbered from 1; the last one holds what came after the last call.
fn read_dumps(folder: &Path) -> Vec<u64> {
    (1..)
        .map_while(|i| std::fs::read_to_string(folder.join(format!("dump.{i}"))).ok())
        .filter(|text| text.contains("Trigger: --dump-after"))
        .map(|text| {
            let total = text.lines().find_map(|line| line.strip_prefix("totals: ")).unwrap();
            total.trim().parse().unwrap()
        })
        .collect()
}

fn report(cases: &[Case], counts: &[u64]) {
    let mut next = counts.iter().copied();
    let measured: Vec<(&Case, u64, Option<u64>)> = cases
        .iter()
        .map(|case| {
            let ours = next.next().unwrap();
            let theirs = runge_kutta_steps(case).map(|_| next.next().unwrap());
            (case, ours, theirs)
        })
        .collect();
    println!("{:16} {:>6} {:>10} {:>10}", "class", "count", "mean", "worst");
    let mut classes: Vec<&str> = Vec::new();
    for case in cases {
        if !classes.contains(&case.class.as_str()) {
            classes.push(&case.class);
        }
    }
    for class in classes {
        let all: Vec<u64> = measured.iter().filter(|(case, ..)| case.class == class).map(|&(_, n, _)| n).collect();
        println!("{class:16} {:>6} {:>10} {:>10}", all.len(), mean(&all), all.iter().max().unwrap());
    }
    println!("worst of all: {}", measured.iter().map(|&(_, n, _)| n).max().unwrap());
    let both: Vec<(u64, u64)> = measured.iter().filter_map(|&(_, ours, theirs)| Some((ours, theirs?))).collect();
    let (ours, theirs): (Vec<u64>, Vec<u64>) = both.into_iter().unzip();
    println!(
        "random_rigid impacts that slide all along, {} of them: {} here, {} by Runge-Kutta at {EQUAL_ERROR:e}",
        ours.len(),
        mean(&ours),
        mean(&theirs)
    );
}

fn mean(all: &[u64]) -> u64 {
    all.iter().sum::<u64>() / all.len() as u64
}

/// The reference vectors, those that only stick as a class of their own, and central impacts of a ball.
fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = VECTORS.lines().map(|line| vector(&serde_json::from_str(line).unwrap())).collect();
    for (i, velocity) in
        [DVec3::new(0.0, 0.0, -1.0), DVec3::new(0.1, 0.2, -1.0), DVec3::new(3.0, -1.0, -1.0)].into_iter().enumerate()
    {
        let material = Material { friction: 0.1 + 0.2 * i as f64, restitution: 0.5, law: Law::Stronge };
        let matrix = DMat3::from_diagonal(DVec3::new(3.5, 3.5, 1.0));
        cases.push(Case { class: "central".into(), impact: Impact { matrix, material, velocity }, wanted: None });
    }
    cases
}

fn vector(data: &Value) -> Case {
    let number = |v: &Value| v.as_f64().unwrap();
    let triple = |v: &Value| DVec3::new(number(&v[0]), number(&v[1]), number(&v[2]));
    let law = match data["law"].as_str().unwrap() {
        "poisson" => Law::Poisson,
        "newton" => Law::Newton,
        _ => Law::Stronge,
    };
    let k = &data["K"];
    let impact = Impact {
        matrix: DMat3::from_cols(triple(&k[0]), triple(&k[1]), triple(&k[2])),
        material: Material { friction: number(&data["mu"]), restitution: number(&data["e"]), law },
        velocity: triple(&data["u0"]),
    };
    let outcome = resolve(&impact).unwrap();
    let class = if only(&outcome, Mode::Stick) { "sticking only" } else { data["cls"].as_str().unwrap() };
    let slides = class == "random_rigid" && law == Law::Stronge && only(&outcome, Mode::Slide);
    Case { class: class.into(), impact, wanted: slides.then(|| triple(&data["expected"]["u"])) }
}

fn only(outcome: &Outcome, mode: Mode) -> bool {
    outcome.modes.as_slice().iter().all(|m| m.mode == mode)
}

/// Steps per phase, doubled until the error is [`EQUAL_ERROR`]; `None` for impacts the scheme does not cover.
fn runge_kutta_steps(case: &Case) -> Option<usize> {
    let wanted = case.wanted?;
    let scale = wanted.length().max(case.impact.velocity.length());
    (2..16).map(|i| 1 << i).find(|&steps| (runge_kutta(&case.impact, steps) - wanted).length() <= EQUAL_ERROR * scale)
}

/// The thesis' scheme (3.3): compression and extension in `u_z` (3.8), restitution in `W_z` (3.9), Stronge's law, sliding only.
/// Returns the final velocity.
fn runge_kutta(impact: &Impact, steps: usize) -> DVec3 {
    let (k, mu, e) = (&impact.matrix, impact.material.friction, impact.material.restitution);
    let rates = |u: DVec3| {
        let r = (u.x * u.x + u.y * u.y).sqrt();
        *k * DVec3::new(-mu * u.x / r, -mu * u.y / r, 1.0)
    };
    // State (u_x, u_y, W_z) over u_z.
    let by_velocity = |uz: f64, y: DVec3| {
        let rate = rates(DVec3::new(y.x, y.y, uz));
        DVec3::new(rate.x, rate.y, uz) / rate.z
    };
    let u0 = impact.velocity;
    let y = integrate(by_velocity, u0.z, 0.0, DVec3::new(u0.x, u0.y, 0.0), steps);
    let returned = -e * e * y.z;
    if returned == 0.0 {
        return DVec3::new(y.x, y.y, 0.0);
    }
    // Lemma 3 with room: half the velocity that surely stays short of the end.
    let slowest = k.z_axis.z - mu * (k.z_axis.x * k.z_axis.x + k.z_axis.y * k.z_axis.y).sqrt();
    let extended = 0.5 * (2.0 * returned * slowest).sqrt();
    let end = (1.0 - e * e) * y.z;
    let y = integrate(by_velocity, 0.0, extended, y, steps);
    let by_work = |_: f64, u: DVec3| rates(u) / u.z;
    integrate(by_work, y.z, end, DVec3::new(y.x, y.y, extended), steps)
}

/// The classical fourth-order method with equal steps.
fn integrate(rate: impl Fn(f64, DVec3) -> DVec3, from: f64, to: f64, y: DVec3, steps: usize) -> DVec3 {
    let h = (to - from) / steps as f64;
    (0..steps).fold(y, |y, i| {
        let x = from + h * i as f64;
        let k1 = rate(x, y);
        let k2 = rate(x + 0.5 * h, y + 0.5 * h * k1);
        let k3 = rate(x + 0.5 * h, y + 0.5 * h * k2);
        let k4 = rate(x + h, y + h * k3);
        y + (k1 + 2.0 * k2 + 2.0 * k3 + k4) * (h / 6.0)
    })
}
