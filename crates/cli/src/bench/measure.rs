//! One scene, measured.

use super::memory::Peak;
use super::shares::{Shares, nanoseconds};
use super::thesis::ThesisTime;
use crate::stall::Stall;
use cpu_time::ThreadTime;
use impulse::world::{Settings, World};
use impulse_scenes::{BuiltinScene, SceneDescription, SceneSettings, SceneSource, build_world, load_scene};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Events between two looks at whether time passes.
const BATCH: u64 = 10_000;

/// Time and counted work of a scene.
#[derive(Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) section: String,
    pub(super) bodies: usize,
    pub(super) simulated_s: f64,
    /// CPU time in the engine, s: the least of all runs.
    pub(super) cpu_s: f64,
    /// CPU time by simulated time.
    pub(super) slowdown: f64,
    /// Table 7.1; null where the scene is not of the thesis.
    pub(super) thesis_simulated_s: Option<f64>,
    pub(super) thesis_cpu_s: Option<f64>,
    pub(super) thesis_slowdown: Option<f64>,
    pub(super) events: u64,
    pub(super) checks: u64,
    pub(super) collisions: u64,
    pub(super) microcollisions: u64,
    pub(super) hops: u64,
    /// Time that bodies were in lasting contact, of all of them together, s.
    pub(super) lasting_contact_s: f64,
    pub(super) events_per_cpu_s: f64,
    /// Where the time went; null where nothing took any.
    pub(super) shares: Option<Shares>,
    /// Of the whole process while the scene was built and ran; null where the system does not tell.
    pub(super) peak_memory_bytes: Option<u64>,
    pub(super) trace_hash: String,
}

/// Runs a scene several times.
pub(super) fn measure(scene: &BuiltinScene, runs: u32) -> anyhow::Result<Measured> {
    let source = SceneSource::Builtin(scene.name.to_owned());
    let description = load_scene(&source, &SceneSettings::default())?;
    let peak = Peak::begin();
    let (world, mut cpu) = simulate(&description, None)?;
    for _ in 1..runs {
        cpu = cpu.min(simulate(&description, None)?.1);
    }
    // Memory first: the run with the clock is no part of it.
    let peak_memory_bytes = peak.and_then(|peak| peak.bytes());
    let (timed, _) = simulate(&description, Some(nanoseconds))?;
    let (counters, cpu_s, thesis) = (world.counters(), cpu.as_secs_f64(), ThesisTime::of(scene.name));
    Ok(Measured {
        name: scene.name.to_owned(),
        section: scene.section.to_owned(),
        bodies: world.len(),
        simulated_s: description.duration,
        cpu_s,
        slowdown: cpu_s / description.duration,
        thesis_simulated_s: thesis.map(|thesis| thesis.simulated_s),
        thesis_cpu_s: thesis.map(|thesis| thesis.computed_s),
        thesis_slowdown: thesis.map(|thesis| thesis.slowdown()),
        events: counters.events,
        checks: counters.checks,
        collisions: counters.collisions,
        microcollisions: counters.microcollisions,
        hops: counters.hops,
        lasting_contact_s: world.lasting_time(),
        shares: Shares::of(&timed.phase_times()),
        events_per_cpu_s: counters.events as f64 / cpu_s,
        peak_memory_bytes,
        trace_hash: format!("{:016x}", world.trace_hash()),
    })
}

/// The world after the scene's duration, and the CPU time it took.
fn simulate(scene: &SceneDescription, clock: Option<fn() -> u64>) -> anyhow::Result<(World, Duration)> {
    let mut world = build_world(scene, Settings::default())?;
    world.set_stopwatch(clock);
    let mut stall = Stall::new(world.len());
    let begun = ThreadTime::now();
    while !world.run_until(scene.duration, Some(BATCH))?.reached() {
        stall.check(&world)?;
    }
    Ok((world, begun.elapsed()))
}
