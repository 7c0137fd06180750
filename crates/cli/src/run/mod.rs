//! `impulse run`: runs a scene and writes what happened.

mod tables;

use anyhow::{Context, bail};
use clap::Args;
use impulse::world::{Happened, Settings, World};
use impulse_scenes::scene::ParamValue;
use impulse_scenes::{SceneDescription, SceneSettings, SceneSource, build_world, load_scene};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tables::{ImpactTable, TrajectoryTable};

/// Run a scene.
///
/// Prints a short account of what happened. Files are written only where they are asked for; with --out all of them go there.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse run bounce --set restitution=0.9
  impulse run my_scene.rhai --until 5 --every 0.01 --csv trajectory.csv --impacts impacts.csv --summary summary.json")]
pub(crate) struct Arguments {
    /// Name of a built-in scene (see `impulse list`) or path of a .rhai script
    scene: String,
    /// Simulated seconds; the scene's own duration where none are given
    #[arg(long, value_name = "T", value_parser = not_negative)]
    until: Option<f64>,
    /// Seconds between two samples of the trajectory
    #[arg(long, value_name = "DT", default_value_t = 0.01, value_parser = super::mass::positive)]
    every: f64,
    /// Sets a parameter of the scene
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// What random numbers in the scene begin with
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Folder for trajectory.csv, impacts.csv and summary.json
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Writes the trajectory
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Writes every impact
    #[arg(long, value_name = "FILE")]
    impacts: Option<PathBuf>,
    /// Writes counted work, energies and the trace hash as JSON
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err("must be a finite number that is not negative".to_owned()),
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let params = arguments.set.iter().map(|(name, value)| (name.clone(), ParamValue::Text(value.clone()))).collect();
    let settings = SceneSettings { params, seed: arguments.seed };
    let scene = load_scene(&SceneSource::named(&arguments.scene), &settings)?;
    let mut world = build_world(&scene, Settings::default())?;
    let until = arguments.until.unwrap_or(scene.duration);
    let mut files = Files::open(arguments)?;
    let (start, energy) = (Instant::now(), world.energy());
    simulate(&mut world, until, arguments.every, &mut files)?;
    let summary = Summary::new(&arguments.scene, until, start.elapsed().as_secs_f64(), energy, &world);
    files.finish(&summary)?;
    writeln!(std::io::stdout().lock(), "{}", summary.account(&scene))?;
    Ok(())
}

/// Runs to the end, sampling at every multiple of `every` and at the end.
fn simulate(world: &mut World, until: f64, every: f64, files: &mut Files) -> anyhow::Result<()> {
    let mut k = 0u64;
    loop {
        let sample = (k as f64 * every).min(until);
        while world.next_event().is_some_and(|t| t <= sample) {
            if let Some(Happened::Impact(record)) = world.step()?
                && let Some(table) = &mut files.impacts
            {
                table.write(world, &record)?;
            }
        }
        world.run_until(sample, None)?;
        if let Some(table) = &mut files.trajectory {
            table.write(world, sample)?;
        }
        if sample >= until {
            return Ok(());
        }
        k += 1;
    }
}

/// The files that were asked for.
struct Files {
    trajectory: Option<TrajectoryTable>,
    impacts: Option<ImpactTable>,
    summary: Option<PathBuf>,
}

impl Files {
    fn open(arguments: &Arguments) -> anyhow::Result<Self> {
        let path = |given: &Option<PathBuf>, name: &str| {
            given.clone().or_else(|| arguments.out.as_ref().map(|folder| folder.join(name)))
        };
        let trajectory = path(&arguments.csv, "trajectory.csv").map(|p| TrajectoryTable::create(&p)).transpose()?;
        let impacts = path(&arguments.impacts, "impacts.csv").map(|p| ImpactTable::create(&p)).transpose()?;
        Ok(Self { trajectory, impacts, summary: path(&arguments.summary, "summary.json") })
    }

    fn finish(self, summary: &Summary) -> anyhow::Result<()> {
        self.trajectory.map(TrajectoryTable::finish).transpose()?;
        self.impacts.map(ImpactTable::finish).transpose()?;
        if let Some(path) = self.summary {
            let text = serde_json::to_string_pretty(summary)? + "\n";
            parent(&path)?;
            std::fs::write(&path, text).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

/// Makes the folder a file is to be written in.
fn parent(path: &Path) -> anyhow::Result<()> {
    match path.parent() {
        Some(folder) => std::fs::create_dir_all(folder).with_context(|| folder.display().to_string()),
        None => bail!("{} is not a file", path.display()),
    }
}

/// What a run came to.
#[derive(Serialize)]
struct Summary {
    scene: String,
    simulated_s: f64,
    cpu_s: f64,
    events: u64,
    checks: u64,
    measurements: u64,
    collisions: u64,
    microcollisions: u64,
    energy_initial: f64,
    energy_final: f64,
    /// Null where no pair was ever measured.
    min_separation: Option<f64>,
    trace_hash: String,
}

impl Summary {
    fn new(scene: &str, until: f64, seconds: f64, energy: f64, world: &World) -> Self {
        let c = world.counters();
        Self {
            scene: scene.to_owned(),
            simulated_s: until,
            cpu_s: seconds,
            events: c.events,
            checks: c.checks,
            measurements: c.measurements,
            collisions: c.collisions,
            microcollisions: c.microcollisions,
            energy_initial: energy,
            energy_final: world.energy(),
            min_separation: Some(world.min_separation()).filter(|d| d.is_finite()),
            trace_hash: format!("{:016x}", world.trace_hash()),
        }
    }

    fn account(&self, scene: &SceneDescription) -> String {
        let log: String = scene.log.iter().map(|line| format!("{line}\n")).collect();
        format!(
            "{log}{}: {} bodies, {} s simulated in {:.3} s\n  {} collisions and {} microcollisions; {} events, {} checks\n  \
             energy {:.6e} J at the start, {:.6e} J at the end\n  trace hash {}",
            self.scene,
            scene.bodies.len(),
            self.simulated_s,
            self.cpu_s,
            self.collisions,
            self.microcollisions,
            self.events,
            self.checks,
            self.energy_initial,
            self.energy_final,
            self.trace_hash
        )
    }
}
