//! Measures one scene.

use super::memory::Peak;
use super::shares::{Shares, nanoseconds};
use super::thesis::ThesisTime;
use cpu_time::ThreadTime;
use impulse::world::Settings;
use impulse_scenes::{BuiltScene, BuiltinScene, Runner, SceneSettings, SceneSource, load_scene};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// Time and counted work of a scene.
#[derive(Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) section: String,
    pub(super) bodies: usize,
    pub(super) simulated_s: f64,
    /// Smallest CPU time of all runs in the engine, s.
    pub(super) cpu_s: f64,
    /// CPU time divided by simulated time.
    pub(super) slowdown: f64,
    /// From table 7.1; null if the scene is not from the thesis.
    pub(super) thesis_simulated_s: Option<f64>,
    pub(super) thesis_cpu_s: Option<f64>,
    pub(super) thesis_slowdown: Option<f64>,
    /// That divided by ours.
    pub(super) times_1996: Option<f64>,
    pub(super) events: u64,
    pub(super) checks: u64,
    pub(super) collisions: u64,
    pub(super) microcollisions: u64,
    pub(super) hops: u64,
    /// Those whose impulses were not found to the tolerance.
    pub(super) unsolved_hops: u64,
    /// Total time of all bodies in lasting contact, s.
    pub(super) lasting_contact_s: f64,
    pub(super) events_per_cpu_s: f64,
    /// Shares of the phases; null if no time was measured.
    pub(super) shares: Option<Shares>,
    /// Of the whole process while the scene was built and run; null if unknown.
    pub(super) peak_memory_bytes: Option<u64>,
    pub(super) trace_hash: String,
}

/// Runs a scene several times.
pub(super) fn measure(scene: &BuiltinScene, runs: u32) -> anyhow::Result<Measured> {
    let source = SceneSource::Builtin(scene.name.to_owned());
    let description = load_scene(&source, &SceneSettings::default())?;
    let peak = Peak::begin();
    let built = Arc::new(BuiltScene::new(description)?);
    let (runner, mut cpu) = simulate(&built, None)?;
    for _ in 1..runs {
        cpu = cpu.min(simulate(&built, None)?.1);
    }
    // Memory is read before the timed run, which is not part of it.
    let peak_memory_bytes = peak.and_then(|peak| peak.bytes());
    let (timed, _) = simulate(&built, Some(nanoseconds))?;
    let shares = Shares::of(&timed.world().phase_times());
    Ok(Measured { shares, peak_memory_bytes, ..Measured::new(scene, &runner, cpu) })
}

/// Runs a scene for its duration. Returns it with the CPU time that took.
fn simulate(scene: &Arc<BuiltScene>, clock: Option<fn() -> u64>) -> anyhow::Result<(Runner, Duration)> {
    let mut runner = Runner::new(scene, Settings::default())?;
    runner.world_mut().set_stopwatch(clock);
    let begun = ThreadTime::now();
    runner.run_until(scene.description().duration)?;
    Ok((runner, begun.elapsed()))
}

impl Measured {
    /// All but the shares of time and the memory.
    fn new(scene: &BuiltinScene, runner: &Runner, cpu: Duration) -> Self {
        // A behaviour may have ended it early.
        let (world, simulated_s, cpu_s) = (runner.world(), runner.world().time(), cpu.as_secs_f64());
        let (counters, thesis) = (world.counters(), ThesisTime::of(scene.name));
        Self {
            name: scene.name.to_owned(),
            section: scene.section.to_owned(),
            bodies: world.len(),
            simulated_s,
            cpu_s,
            slowdown: cpu_s / simulated_s,
            thesis_simulated_s: thesis.map(|thesis| thesis.simulated_s),
            thesis_cpu_s: thesis.map(|thesis| thesis.computed_s),
            thesis_slowdown: thesis.map(|thesis| thesis.slowdown()),
            times_1996: thesis.map(|thesis| thesis.slowdown() * simulated_s / cpu_s),
            events: counters.events,
            checks: counters.checks,
            collisions: counters.collisions,
            microcollisions: counters.microcollisions,
            hops: counters.hops,
            unsolved_hops: counters.unconverged,
            lasting_contact_s: world.lasting_time(),
            events_per_cpu_s: counters.events as f64 / cpu_s,
            shares: None,
            peak_memory_bytes: None,
            trace_hash: format!("{:016x}", world.trace_hash()),
        }
    }
}
