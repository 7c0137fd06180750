//! A part dropped into a scene: `mesh("part")` in the script is the part, and bodies named `part`, `part 1`, ... are what is told of.

use super::arguments::Arguments;
use anyhow::{Context, bail, ensure};
use glam::DVec3;
use impulse::world::{BodyRef, Settings};
use impulse_lab::{Control, Landscape, Part, Trials, guarded, normal_quantile, run_chunks, wilson};
use impulse_scenes::part::write_obj;
use impulse_scenes::scene::{SceneFiles, SceneSettings, Script};
use impulse_scenes::{Random, Runner, SceneSource, read_part};
use serde::Serialize;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Angle between a part at rest and the nearest pose on a flat floor above which it leans, degrees.
const LEANING: f64 = 3.0;

/// Most bytes of a scene's folder that are read.
const MOST_BYTES: u64 = 1 << 28;

/// How one part ended.
#[derive(Clone, Debug, Serialize)]
struct Landing {
    run: u64,
    seed: u64,
    body: String,
    /// `rests`, `leans` or `moves`.
    state: &'static str,
    /// The pose that it is in or nearest to, counted from 1.
    pose: usize,
    /// The centre of mass, m.
    at: [f64; 3],
    /// The direction that points down, in the part's frame.
    down: [f64; 3],
}

/// What came of all runs.
#[derive(Serialize)]
pub(super) struct Landings {
    part: String,
    scene: String,
    runs: u64,
    seed: u64,
    poses: Vec<PoseShare>,
    leaning: u64,
    moving: u64,
    /// Runs that failed, and why the first did.
    failed: u64,
    error: Option<String>,
    parts: Vec<Landing>,
}

#[derive(Serialize)]
struct PoseShare {
    pose: usize,
    down: [f64; 3],
    count: u64,
    probability: f64,
    interval: [f64; 2],
}

/// Drops a part into a scene many times.
pub(super) fn drop_into(
    scene: &Path,
    file: &Path,
    arguments: &Arguments,
    control: &Control,
) -> anyhow::Result<Landings> {
    let part = Part::load(file, arguments.scale, arguments.density)?;
    let landscape = Landscape::new(&part, arguments.merge);
    let source = source(scene, file, arguments.scale)?;
    // What is wrong with the script is said once, before any run.
    let names = Script::open(&source)?.read(&SceneSettings::default())?.scene;
    ensure!(
        names.bodies.iter().any(|body| is_part(&body.name)),
        "{}: no body is named `part` or `part 1`, ...: write body(\"part\", mesh(\"part\"), #{{ ... }})",
        scene.display()
    );
    let runs = Runs { source: &source, landscape: &landscape, seed: arguments.seed, done: Mutex::new(Vec::new()) };
    let chunks: Vec<Range<u64>> = (0..arguments.drops()).map(|i| i..i + 1).collect();
    run_chunks(&runs, &chunks, arguments.threads(), control)?;
    let mut done = runs.done.into_inner().expect("no thread panicked");
    done.sort_by_key(|(i, _)| *i);
    let names = [file, scene].map(|path| path.display().to_string());
    Ok(Landings::new(names, arguments, &landscape, done))
}

/// The scene's folder in memory, with the part in metres.
fn source(scene: &Path, file: &Path, scale: f64) -> anyhow::Result<SceneSource> {
    let main = scene.file_name().and_then(|name| name.to_str()).context("--scene: give a path to a .rhai script")?;
    let folder = scene.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files = SceneFiles::new();
    gather(folder, "", &mut files, &mut 0)?;
    ensure!(files.contains_key(main), "cannot read {}: check the name; it must end in .rhai", scene.display());
    files.retain(|name, _| name != "part.stl");
    let mut text = Vec::new();
    let read = read_part(file, scale).context("with --scene a part is an STL or OBJ file")?;
    write_obj(&read.polyhedron, &mut text)?;
    files.insert("part.obj".to_owned(), text);
    Ok(SceneSource::Files { main: main.to_owned(), files: Arc::new(files) })
}

/// Scripts and parts in a folder and below.
fn gather(folder: &Path, prefix: &str, files: &mut SceneFiles, bytes: &mut u64) -> anyhow::Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let (path, name) = (entry.path(), format!("{prefix}{}", entry.file_name().to_string_lossy()));
        let known =
            path.extension().is_some_and(|extension| ["rhai", "stl", "obj"].iter().any(|known| extension == *known));
        if entry.file_type()?.is_dir() {
            gather(&path, &format!("{name}/"), files, bytes)?;
        } else if known {
            *bytes += entry.metadata()?.len();
            if *bytes > MOST_BYTES {
                bail!(
                    "{} holds more than 256 MB of scripts and parts: put the scene into a folder of its own",
                    folder.display()
                );
            }
            files.insert(name, std::fs::read(&path)?);
        }
    }
    Ok(())
}

fn is_part(name: &str) -> bool {
    name == "part" || name.starts_with("part ")
}

/// How the parts of a run ended, or why it failed.
type Ended = Result<Vec<Landing>, String>;

struct Runs<'a> {
    source: &'a SceneSource,
    landscape: &'a Landscape,
    seed: u64,
    done: Mutex<Vec<(u64, Ended)>>,
}

impl Trials for Runs<'_> {
    type State = Option<Script>;
    type Output = Ended;
    type Error = anyhow::Error;

    fn begin(&self) -> Option<Script> {
        Script::open(self.source).ok()
    }

    fn run(&self, script: &mut Option<Script>, i: u64) -> Ended {
        let script = script.as_ref().ok_or("the script cannot be compiled")?;
        guarded(|| self.drop_once(script, i)).flatten()
    }

    fn is_due(&self, _: &Option<Script>) -> bool {
        false
    }

    fn put(&self, _: &mut Option<Script>, first: u64, results: Vec<Self::Output>) -> anyhow::Result<()> {
        let mut done = self.done.lock().expect("no thread panics while it holds the results");
        done.extend((first..).zip(results));
        Ok(())
    }
}

impl Runs<'_> {
    fn drop_once(&self, script: &Script, i: u64) -> Ended {
        let seed = Random::of_trial(self.seed, i).whole(0, (1 << 53) - 1) as u64;
        let read = script.read(&SceneSettings { params: Vec::new(), seed }).map_err(|error| error.to_string())?;
        let (until, gravity) = (read.scene.duration, read.scene.gravity);
        let mut runner = Runner::of(read.scene, Settings::default()).map_err(|error| error.to_string())?;
        runner.run_reporting(until, read.reports).map_err(|error| error.to_string())?;
        let down = gravity.try_normalize().ok_or("the scene has no gravity, so that nothing is down")?;
        let parts = runner.world().body_refs().filter(|body| body.is_free() && is_part(body.name()));
        Ok(parts.map(|body| self.landing(i, seed, body, down)).collect())
    }

    fn landing(&self, run: u64, seed: u64, body: BodyRef<'_>, gravity: DVec3) -> Landing {
        let down = body.pose().inverse_vector(gravity);
        let pose = self.landscape.pose_of(down);
        let off = self.landscape.poses[pose].down.angle_between(down).to_degrees();
        let state = match body.settled() {
            false => "moves",
            true if off > LEANING => "leans",
            true => "rests",
        };
        let (body, at) = (body.name().to_owned(), body.centre_of_mass().to_array());
        Landing { run, seed, body, state, pose: pose + 1, at, down: down.to_array() }
    }
}

impl Landings {
    fn new([part, scene]: [String; 2], arguments: &Arguments, landscape: &Landscape, done: Vec<(u64, Ended)>) -> Self {
        let (runs, failed) = (done.len() as u64, done.iter().filter(|(_, result)| result.is_err()).count() as u64);
        let error = done.iter().find_map(|(_, result)| result.as_ref().err().cloned());
        let parts: Vec<Landing> = done.into_iter().filter_map(|(_, result)| result.ok()).flatten().collect();
        let count = |state: &str| parts.iter().filter(|landing| landing.state == state).count() as u64;
        let quantile = normal_quantile(0.5 * (1.0 - arguments.confidence));
        let pose = |(i, pose): (usize, &impulse_lab::Pose)| {
            let count = parts.iter().filter(|landing| landing.state == "rests" && landing.pose == i + 1).count() as u64;
            let probability = count as f64 / parts.len().max(1) as f64;
            let interval = wilson(probability, parts.len() as f64, quantile);
            PoseShare { pose: i + 1, down: pose.down.to_array(), count, probability, interval }
        };
        let poses = landscape.poses.iter().enumerate().map(pose).collect();
        let (leaning, moving) = (count("leans"), count("moves"));
        Self { part, scene, runs, seed: arguments.seed, poses, leaning, moving, failed, error, parts }
    }

    /// A table for a terminal.
    pub(super) fn text(&self) -> String {
        let all = self.parts.len();
        let mut text =
            format!("{} in {}: {} runs, {all} parts; seed {}\n", self.part, self.scene, self.runs, self.seed);
        let _ = writeln!(text, "  pose      share      interval             down");
        for PoseShare { pose, down, probability, interval: [low, high], .. } in &self.poses {
            let interval = format!("{:.2} % .. {:.2} %", 100.0 * low, 100.0 * high);
            let down = crate::mass::triple(*down, |x| crate::mass::significant(x, 4));
            let _ = writeln!(text, "  {pose:<6} {:>7.2} %   {interval:<20} {down}", 100.0 * probability);
        }
        let share = |count: u64| 100.0 * count as f64 / all.max(1) as f64;
        let _ = writeln!(
            text,
            "  leaning {:>6.2} % (at rest, more than {LEANING} degrees off every pose)",
            share(self.leaning)
        );
        let _ = writeln!(text, "  moving  {:>6.2} % at the end", share(self.moving));
        if let Some(error) = &self.error {
            let _ = writeln!(text, "  {} runs failed; the first: {error}", self.failed);
        }
        text
    }
}
