//! Fifteen creature wars (thesis section 7.3): 3, 6 and 12 bugs, five seeds each. The rover must push every bug over the edge and stay.
//!
//! `cargo bench --bench creature_war` writes `docs/creature_war.md`, and fails where a war is lost.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use cpu_time::ThreadTime;
use impulse::world::Settings;
use impulse_scenes::Runner;
use impulse_scenes::runner::Ended;
use impulse_scenes::scene::{ParamValue, SceneSettings, SceneSource, Script};
use std::fmt::Write;
use std::path::Path;

/// States of the rover in the table.
const STATES: [&str; 5] = ["fwd", "spin", "push", "rev", "home"];

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Fallible<()> {
    let mut rows = String::new();
    let mut lost = 0;
    for bugs in [3, 6, 12] {
        for seed in 0..5 {
            let (row, is_won) = war(bugs, seed)?;
            println!("{row}");
            writeln!(rows, "{row}")?;
            lost += u32::from(!is_won);
        }
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::fs::write(docs.join("creature_war.md"), format!("{HEAD}{rows}{TAIL}"))?;
    if lost > 0 { Err(format!("{lost} wars were lost").into()) } else { Ok(()) }
}

/// Runs a war; its row of the table, and whether it was won.
fn war(bugs: i64, seed: u64) -> Fallible<(String, bool)> {
    let script = Script::open(&SceneSource::Builtin("creature_war".to_owned()))?;
    let params = vec![("bugs".to_owned(), ParamValue::Integer(bugs))];
    let read = script.read(&SceneSettings { params, seed })?;
    let until = read.scene.duration;
    let mut runner = Runner::of(read.scene, Settings::default())?;
    let begun = ThreadTime::now();
    let ended = runner.run_reporting(until, read.reports)?;
    let cpu = begun.elapsed().as_secs_f64();
    let (world, fallen) = (runner.world(), told(&ended, "bugs fallen"));
    let stays = told(&ended, "rover on the world");
    let is_sound = world.energy_rise() <= world.energy_allowance() && world.min_separation() > 0.0;
    let is_won = fallen == ParamValue::Integer(bugs) && stays == ParamValue::Flag(true) && is_sound;
    let (counters, time) = (world.counters(), world.time());
    let states = runner.states().find(|(name, _)| *name == "rover.control").map(|(_, states)| states.until(time));
    let spent = |state: &str| states.as_ref().and_then(|all| all.get(state)).map_or(0.0, |(_, seconds)| *seconds);
    let shares: Vec<String> = STATES.iter().map(|state| format!("{:.1}", spent(state))).collect();
    let unsolved = 100.0 * counters.unconverged as f64 / counters.hops as f64;
    let row = format!(
        "| {bugs} | {seed} | {fallen} | {} | {time:.1} | {cpu:.1} | {:.2} | {} | {} | {unsolved:.1} |",
        if stays == ParamValue::Flag(true) { "yes" } else { "NO" },
        cpu / time,
        shares.join(" | "),
        counters.hops,
    );
    Ok((row, is_won))
}

fn told(ended: &Ended, name: &str) -> ParamValue {
    let found = ended.reported.iter().find(|report| report.name == name);
    found.and_then(|report| report.value.clone().ok().flatten()).unwrap_or(ParamValue::Flag(false))
}

const HEAD: &str = "# Fifteen creature wars

Written by `cargo xtask bench creature_war`. In the scene `creature_war` (thesis section 7.3) a rover hunts bugs on a square of 8 m and pushes them over its
edge. Here it does so with 3, 6 and 12 bugs, which stand at random, five seeds each. `impulse run creature_war --set bugs=12 --seed 4` is the last of them.

| bugs | seed | fallen | rover stays | simulated, s | CPU, s | slowdown | fwd, s | spin, s | push, s | rev, s | home, s | hops | unsolved, % |
|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
";

const TAIL: &str = "
- A war is over when no bug is left and the rover is back in the middle. **slowdown** is CPU time on one thread divided by simulated time; the thesis' war took 40.
- **fwd**, **spin**, **push**, **rev**: seconds in the states of figure 7.26, as the rover's behaviour tells them (`me.state`); **home**: away from the edge.
- **hops** of bodies in lasting contact; **unsolved** are those whose impulses were not found to the tolerance. Energy never rose by more than it may, and
  nothing overlapped: the bench fails otherwise.
";
