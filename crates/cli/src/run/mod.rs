//! `impulse run`: runs a scene and writes the results.

mod acts;
mod tables;
mod contacts;
mod joint_plot;
mod joints;
mod meshes;
mod poses;
mod settings;
mod plot;
mod files;
mod state;
mod summary;

use crate::progress::Progress;
use acts::Replay;
use anyhow::{Context, bail};
use clap::{ArgGroup, Args, ValueHint};
use cpu_time::ThreadTime;
use files::Files;
use impulse::world::{Event, Settings};
use impulse_scenes::runner::{End, Looks, Pause, RunnerError};
use impulse_scenes::scene::{ParamValue, ReadScene, Reported, Reports, Script};
use impulse_scenes::{Runner, SceneSettings, SceneSource};
use settings::EngineSettings;
use state::Saved;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use summary::{Highlights, Summary};

/// Events between two updates of files and progress.
const BATCH: usize = 1000;

/// Most samples of one run.
const MAX_SAMPLES: f64 = 1e9;

/// What a saved run goes on with as it began.
const FIXED_BY_STATE: [&str; 12] = [
    "scene",
    "set",
    "seed",
    "acts",
    "envelope",
    "hop_turn",
    "contact",
    "gravity",
    "touch_distance",
    "box_travel",
    "settle_distance",
    "settle_time",
];

/// Run a scene.
///
/// Prints a short report. Files are written only on request; --out writes all of them into one folder.
#[derive(Args)]
#[command(group(ArgGroup::new("trajectory").args(["csv", "out"]).multiple(true)))]
#[command(after_help = "Examples:
  impulse run bounce --set restitution=0.9
  impulse run my_scene.rhai --until 5 --every 0.01 --csv trajectory.csv --impacts impacts.csv --summary summary.json")]
pub(crate) struct Arguments {
    /// Name of a built-in scene (see `impulse list`), path to a .rhai script, or a .urdf file, which is dropped on a floor
    #[arg(value_hint = ValueHint::FilePath, required_unless_present_any = ["acts", "from"])]
    scene: Option<String>,
    /// Replay a recording of the page: its scene, its parameters, its seed, and what was done by hand; fails if the run ends with
    /// another hash
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath, conflicts_with_all = ["scene", "set", "seed"])]
    acts: Option<PathBuf>,
    /// Go on with a run that was saved with --save-state: its scene, its parameters, its seed, and its state
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath, conflicts_with_all = FIXED_BY_STATE)]
    from: Option<PathBuf>,
    /// Save the state at the end of the run, with the scene and all its files; --from goes on from there, to the bit
    #[arg(long, value_name = "FILE.json")]
    save_state: Option<PathBuf>,
    /// Simulated time in seconds [default: the scene's own duration]
    #[arg(long, value_name = "T", value_parser = not_negative, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Time between samples of the trajectory in seconds: rows at 0, DT, 2 DT, ... and at the end
    #[arg(long, value_name = "DT", default_value_t = 0.01, value_parser = super::mass::positive, allow_negative_numbers = true)]
    every: f64,
    /// Set a parameter of the scene
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    settings: EngineSettings,
    /// Folder for all files: trajectory.csv, impacts.csv, contacts.csv, joints.csv where there are joints, animation.glb, plot.svg and
    /// summary.json
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the trajectory; `-` is standard output, and the report goes to standard error
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// In the trajectory, write the velocities of bodies in lasting contact as means since the last sample
    ///
    /// Bodies that rest, roll or slide do so in tiny hops, and the velocity at one instant is that of a hop. The mean velocity is the
    /// displacement since the last sample divided by the time, and the mean angular velocity is that of a steady rotation between
    /// the two orientations. Rows of bodies in flight, and the first row of every body, are not affected.
    #[arg(long, requires = "trajectory")]
    mean_velocities: bool,
    /// Write every impact; `-` is standard output, and the report goes to standard error
    ///
    /// All vectors are in the world frame, SI units: the point `x,y,z`; the unit normal `nx,ny,nz` from body2 to body1; the impulse
    /// `px,py,pz` on body1 (body2 gets its opposite); the velocity of body1 relative to body2 at the point, before (`ux0,uy0,uz0`) and
    /// after (`ux1,uy1,uz1`). `mode` is the path of the impact, such as `slide>stick`, or `hop`; `micro` tells impacts of lasting contact. A joint
    /// that comes to its stop has the mode `stop`, body2 and body1 as its first and second body (none for the ground), and the axis as normal;
    /// of hinges and sockets impulse and velocities are angular.
    #[arg(long, value_name = "FILE")]
    impacts: Option<PathBuf>,
    /// Write the contacts at every sample; `-` is standard output, and the report goes to standard error
    ///
    /// One row per point: the point `x,y,z`, the unit normal `nx,ny,nz` from body2 to body1, and the mean force `fx,fy,fz` on body1 since
    /// the last sample (body2 gets its opposite), all in the world frame. `mode` is `rest`, `roll` or `slide`, or `open` for bodies that have
    /// pushed each other since the last sample and no longer touch. Bodies at rest are listed too.
    #[arg(long, value_name = "FILE")]
    contacts: Option<PathBuf>,
    /// Write the joints at every sample; `-` is standard output, and the report goes to standard error
    ///
    /// One row per freedom `i`: the coordinate `q` (rad, m), its `rate` and the `force` along it (N m, N) of springs, damping, friction and stops.
    /// Coordinates are those of the joint's second body relative to the first, zero at the start. A socket has the three components of a
    /// rotation vector in axes of the first body; its rates and forces are in world axes.
    #[arg(long, value_name = "FILE")]
    joints: Option<PathBuf>,
    /// Write an animation of the samples as glTF, which most 3D programs open
    #[arg(long, value_name = "FILE.glb")]
    gltf: Option<PathBuf>,
    /// Plot energies and the rates of checks and collisions over time
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Plot positions, rates and forces of joints over time
    #[arg(long, value_name = "FILE.svg")]
    joint_plot: Option<PathBuf>,
    /// A joint that --joint-plot shows; may be given several times [default: the first eight that move]
    #[arg(long, value_name = "NAME", requires = "joint_plot")]
    joint: Vec<String>,
    /// Write counted work, energies and the trace hash as JSON
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err("must be finite and not negative".to_owned()),
    }
}

pub(crate) fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let replay = arguments.acts.as_deref().map(Replay::read).transpose()?;
    let saved = arguments.from.as_deref().map(Saved::read).transpose()?;
    let (source, settings, name) = match &saved {
        Some(saved) => saved.wanted(),
        None => arguments.wanted(replay.as_ref()),
    };
    let (mut runner, reports) = match &saved {
        Some(saved) => saved.restored(arguments)?,
        None => arguments.begun(&source, &settings, &name)?,
    };
    let until = arguments.until.unwrap_or(replay.as_ref().map_or(runner.scene().duration, Replay::until));
    if let Some(replay) = &replay {
        replay.play(&mut runner);
    }
    state::check_time(&runner, until)?;
    let mut run = Run::new(runner, reports, until);
    arguments.check_samples(until)?;
    let mut files = Files::open(arguments, run.runner.scene())?;
    if !arguments.quiet {
        run.runner.built().warnings().iter().for_each(|warning| eprintln!("warning: {warning}"));
    }
    let failed = match run.simulate(arguments, &mut files) {
        Ok(()) => None,
        Err(error) => Some(run.fail(error, &mut files)?),
    };
    let summary = Summary::new(&name, settings.seed, &run);
    let mut written = files.finish(run.runner.scene(), &summary)?;
    if let (Some(path), None) = (&arguments.save_state, &failed) {
        state::save(&run.runner, &source, &settings, path)?;
        written.push(path.clone());
    }
    let replayed = replay.map(|replay| replay.check(&run.runner, until));
    if !arguments.quiet {
        arguments.report(&run, &summary, &written)?;
    }
    if let Some(words) = replayed.transpose()?
        && !arguments.quiet
    {
        writeln!(arguments.out(), "  {words}")?;
    }
    failed.or_else(|| run.failed_report()).map_or(Ok(()), Err)
}

impl Arguments {
    /// A new run of a scene, and its reports.
    fn begun(&self, source: &SceneSource, settings: &SceneSettings, name: &str) -> anyhow::Result<(Runner, Reports)> {
        let ReadScene { mut scene, reports } = Script::open(source)?.read(settings)?;
        if scene.bodies.is_empty() {
            bail!("{name}: the scene has no bodies; add some with body(\"name\", shape, #{{ ... }})");
        }
        scene.gravity = self.settings.gravity().unwrap_or(scene.gravity);
        scene.envelope = self.settings.envelope().or(scene.envelope);
        Ok((Runner::of(scene, self.settings()).with_context(|| name.to_owned())?, reports))
    }

    /// The scene, its settings and its name.
    fn wanted(&self, replay: Option<&Replay>) -> (SceneSource, SceneSettings, String) {
        if let Some(replay) = replay {
            return (replay.source(), replay.settings(), replay.scene().to_owned());
        }
        let params = self.set.iter().map(|(name, value)| (name.clone(), ParamValue::Text(value.clone()))).collect();
        let name = self.scene.clone().unwrap_or_default();
        (SceneSource::named(&name), SceneSettings { params, seed: self.seed }, name)
    }

    /// Where the report goes.
    fn out(&self) -> Box<dyn Write> {
        if self.write_to_stdout() { Box::new(std::io::stderr()) } else { Box::new(std::io::stdout().lock()) }
    }

    fn report(&self, run: &Run, summary: &Summary, written: &[PathBuf]) -> anyhow::Result<()> {
        let mut out = self.out();
        for line in &run.runner.scene().log {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{}", summary.account(run)?)?;
        for path in written {
            writeln!(out, "  wrote {}", path.display())?;
        }
        Ok(())
    }

    fn settings(&self) -> Settings {
        let record_impacts = [&self.impacts, &self.contacts, &self.out].into_iter().any(Option::is_some);
        Settings { record_impacts, ..self.settings.engine() }
    }

    /// Refuses too many samples before any file is touched.
    fn check_samples(&self, until: f64) -> anyhow::Result<()> {
        let sampled = [&self.csv, &self.contacts, &self.joints, &self.gltf, &self.plot, &self.joint_plot, &self.out]
            .into_iter()
            .any(Option::is_some);
        if sampled && until / self.every > MAX_SAMPLES {
            bail!("--every {} makes more than {MAX_SAMPLES} samples in {until} s; give a larger one", self.every);
        }
        Ok(())
    }

    /// Whether a table is written to standard output.
    fn write_to_stdout(&self) -> bool {
        [&self.csv, &self.impacts, &self.contacts, &self.joints]
            .into_iter()
            .flatten()
            .any(|path| files::is_stdout(path))
    }
}

/// A run in progress, and what is reported about it.
struct Run {
    runner: Runner,
    until: f64,
    energy_initial: f64,
    begun: Instant,
    /// CPU time spent in the engine.
    busy: Duration,
    highlights: Highlights,
    looks: Looks,
    /// What the script wants to know; none once it is told.
    reports: Option<Reports>,
    reported: Vec<Reported>,
    end: End,
}

impl Run {
    fn new(runner: Runner, reports: Reports, until: f64) -> Self {
        let energy_initial = runner.world().energy();
        let (begun, busy, highlights) = (Instant::now(), Duration::ZERO, Highlights::default());
        let (looks, end) = (Looks::new(&reports, runner.world().time()), End::Duration);
        let (reports, reported) = (Some(reports), Vec::new());
        Self { runner, until, energy_initial, begun, busy, highlights, looks, reports, reported, end }
    }

    /// Runs to the end, with a sample at every multiple of `--every` and at the end, and asks for the reports.
    fn simulate(&mut self, arguments: &Arguments, files: &mut Files) -> anyhow::Result<()> {
        if files.want_samples() {
            self.runner.sample_every(arguments.every)?;
        }
        let mut progress = Progress::new(arguments.quiet);
        let mut sampled = None;
        loop {
            let pause = self.batch();
            files.keep_up(self.runner.world_mut())?;
            progress.at(|| self.so_far());
            match pause? {
                Pause::Sample(sample) => {
                    files.sample(self.runner.world())?;
                    sampled = Some(sample.time);
                }
                Pause::Reached | Pause::Finished if self.is_over() => break,
                Pause::Reached | Pause::Finished | Pause::Budget | Pause::Clock(_) => {}
            }
        }
        if files.want_samples() && sampled != Some(self.until) {
            files.sample(self.runner.world())?;
        }
        Ok(())
    }

    /// Runs some events, at most to the next sample, and notes the hardest collision among them.
    fn batch(&mut self) -> Result<Pause, RunnerError> {
        let begun = ThreadTime::now();
        let result = (|| {
            let stop = self.looks.next(self.until);
            for event in self.runner.events(stop).take(BATCH) {
                if let Event::Impact(record) = event? {
                    self.highlights.note(&record);
                    self.reports.as_mut().into_iter().for_each(|reports| reports.tally().note(&record));
                }
            }
            self.runner.advance(stop, Some(0))
        })();
        self.busy += begun.elapsed();
        result
    }

    /// Looks at the world for the script. At the end the script's reports are taken.
    fn is_over(&mut self) -> bool {
        let Some(reports) = &mut self.reports else { return true };
        let Some(end) = self.looks.look(&mut self.runner, reports, self.until) else { return false };
        (self.end, self.until) = (end, self.runner.world().time());
        if let Some(reports) = self.reports.take() {
            self.reported = self.runner.conclude(reports);
        }
        true
    }

    /// Where a behaviour of the scene failed, the files are completed with all that happened up to there. Gives the error back; other errors
    /// go on at once.
    fn fail(&mut self, error: anyhow::Error, files: &mut Files) -> anyhow::Result<anyhow::Error> {
        if !matches!(error.downcast_ref(), Some(RunnerError::Behaviour { .. })) {
            return Err(error);
        }
        (self.end, self.until) = (End::Failed, self.runner.world().time());
        if files.want_samples() {
            files.sample(self.runner.world())?;
        }
        if let Some(reports) = self.reports.take() {
            self.reported = self.runner.conclude(reports);
        }
        Ok(error)
    }

    /// The first report that failed.
    fn failed_report(&self) -> Option<anyhow::Error> {
        let failed = self.reported.iter().find_map(|report| Some((&report.name, report.value.as_ref().err()?)));
        failed.map(|(name, error)| anyhow::Error::new(error.clone()).context(format!("report `{name}`")))
    }

    fn so_far(&self) -> String {
        let world = self.runner.world();
        so_far(world.time(), self.until, world.counters().events, self.begun.elapsed())
    }
}

/// The progress of a run: simulated time, events per second, and the time left at this rate.
fn so_far(time: f64, until: f64, events: u64, elapsed: Duration) -> String {
    let elapsed = elapsed.as_secs_f64();
    let rate = events as f64 / elapsed.max(f64::MIN_POSITIVE);
    let left = if time > 0.0 { format!(", {} left", duration(elapsed * (until - time) / time)) } else { String::new() };
    // As many decimals as a thousandth of the run needs.
    let decimals = if until > 0.0 { (3.0 - until.log10().floor()).clamp(0.0, 20.0) as usize } else { 0 };
    format!("{time:.decimals$} of {until} s, {rate:.0} events/s{left}")
}

/// A duration in words, in at most two units.
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, min, s) => format!("{min} min {s} s"),
        (h, min, _) => format!("{h} h {min} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::{duration, so_far};
    use std::time::Duration;

    #[test]
    fn the_time_left_is_that_at_the_present_rate() {
        let told = so_far(0.5, 2.0, 40_000, Duration::from_secs(8));
        assert_eq!(told, "0.500 of 2 s, 5000 events/s, 24 s left");
        assert_eq!(so_far(0.0, 2.0, 10, Duration::from_secs(1)), "0.000 of 2 s, 10 events/s");
        assert!(so_far(1e-7, 2e-6, 10, Duration::from_secs(1)).starts_with("0.000000100 of 0.000002 s"));
    }

    #[test]
    fn durations_have_two_units() {
        let told = [0.2, 59.6, 61.0, 3599.0, 3600.0, 90_000.0].map(duration);
        assert_eq!(told, ["0 s", "1 min 0 s", "1 min 1 s", "59 min 59 s", "1 h 0 min", "25 h 0 min"]);
    }
}
