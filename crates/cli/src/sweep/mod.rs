//! `impulse sweep`: any scene, many times, with parameters varied.

mod plan;
mod folder;
mod job;
mod parquet;
mod tables;
mod quantity;
mod page;

use crate::interrupt::stop_at_interrupt;
use crate::progress::Progress;
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueHint};
use folder::{Folder, read_plan};
use impulse_lab::sweep::Worker;
use impulse_lab::{Control, run_chunks};
use job::Job;
use plan::{Plan, Study};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Run a scene many times with parameters varied, every trial a row.
///
/// Parameters are varied over ranges LO..HI:N and lists a,b,c, all combined, and drawn from uniform(a,b) (also LO..HI), normal(m,s) and
/// log_uniform(a,b), as Latin hypercubes of --samples N points. The folder gets trials.csv and trials.parquet with the columns trial,
/// seed, parameters, reports of the script, end, error and trace_hash; study.html, which shows what matters; and timing.csv. Tables are
/// the same to the byte at any number of threads, and after any interruption. Ctrl-C stops; --resume goes on.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse sweep box_drop --vary height=0.1..0.5:5 --vary friction=0.2,0.4 --trials 20 --out out/drops
  impulse sweep feeder --vary frequency=20..50 --vary lift=0.2..1 --samples 100 --out out/feeder
  impulse sweep study.toml --out out/study --resume
  impulse sweep study.toml --shard 2/8 --out out/part2
  impulse sweep --merge out/part1 out/part2 --out out/study

A plan in TOML:
  scene = \"box_drop\"
  trials = 20            # also: samples, seed, paired, until, limit, timeout
  [vary]
  height = \"0.1..0.5:5\"
  friction = [0.2, 0.4]
  [set]
  restitution = 0.3")]
pub(crate) struct Arguments {
    /// Name of a built-in scene, path to a .rhai script, or a plan that ends in .toml
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "merge")]
    scene: Option<String>,
    /// Vary a parameter of the scene
    #[arg(long, value_name = "NAME=VALUES", value_parser = super::run::assignment)]
    vary: Vec<(String, String)>,
    /// Set a parameter in all trials
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = super::run::assignment)]
    set: Vec<(String, String)>,
    /// Points of the Latin hypercube over everything that is drawn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    /// Trials at every point, which differ in their seeds [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    trials: Option<u64>,
    /// The number from which all seeds and draws follow [default: 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Give all points the same seeds, to compare them
    #[arg(long)]
    paired: bool,
    /// Simulated time of a trial in seconds [default: the scene's own duration]
    #[arg(long, value_name = "T", value_parser = super::mass::positive)]
    until: Option<f64>,
    /// Events after which a trial is given up [default: 100000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Seconds after which a trial is given up: its row cannot be repeated to the bit
    #[arg(long, value_name = "S", value_parser = super::mass::positive)]
    timeout: Option<f64>,
    /// Number of threads [default: all that the machine has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Folder of the study
    #[arg(long, value_name = "DIR", default_value = "out/sweep")]
    out: PathBuf,
    /// Go on with the study in the folder
    #[arg(long)]
    resume: bool,
    /// Run only part I of N of the trials, counted from 1, in a folder of its own
    #[arg(long, value_name = "I/N", value_parser = part)]
    shard: Option<(u64, u64)>,
    /// Put the parts of a study together in the folder --out
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["scene", "vary", "shard", "resume"])]
    merge: Vec<PathBuf>,
    /// Say how many trials there are and how long they will take, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// The report by which trials are best and worst on the page [default: the first that is a number]
    #[arg(long, value_name = "REPORT")]
    goal: Option<String>,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Trials that are tried to say how long a study takes, and for how many seconds at most.
const TRIED: (u64, f64) = (20, 5.0);

fn part(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts.filter(|&(i, n)| 1 <= i && i <= n).ok_or_else(|| "write I/N with I from 1 to N, such as 2/8".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if !arguments.merge.is_empty() {
        return merge(arguments);
    }
    let study = Plan::new(arguments)?.study()?;
    if let Some(goal) = &arguments.goal {
        ensure!(
            study.plan.reports.contains(goal),
            "the scene has no report `{goal}`; it has {}",
            listed(&study.plan.reports)
        );
    }
    let all = share(arguments.shard, study.design.total());
    if arguments.dry_run {
        return dry_run(&study, &all, arguments);
    }
    let folder = Folder::open(&arguments.out, &study.plan, arguments.resume)?;
    let missing = folder.missing(all.clone())?;
    check_same_engine(&folder, &study)?;
    let done = run_missing(&study, &folder, &missing, arguments)?;
    if !done {
        bail!("stopped; what is done stays: go on with --resume");
    }
    if arguments.shard.is_none() {
        return finish(&folder, &study.plan, arguments);
    }
    if !arguments.quiet {
        writeln!(std::io::stdout(), "this part is done; when all are: impulse sweep --merge DIR... --out DIR")?;
    }
    Ok(())
}

/// The trials of a part: parts follow each other, and none is larger than another by more than one.
fn share(shard: Option<(u64, u64)>, total: u64) -> Range<u64> {
    let (i, n) = shard.unwrap_or((1, 1));
    let edge = |i: u64| (u128::from(total) * u128::from(i) / u128::from(n)) as u64;
    edge(i - 1)..edge(i)
}

/// Runs what is missing. Returns whether all is done.
fn run_missing(study: &Study, folder: &Folder, missing: &[Range<u64>], arguments: &Arguments) -> anyhow::Result<bool> {
    let control = Arc::new(Control::default());
    stop_at_interrupt(&control);
    let total = missing.iter().map(|range| range.end - range.start).sum();
    let threads =
        arguments.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |n| n as usize);
    let job = Job {
        study,
        folder,
        control: &control,
        total,
        begun: Instant::now(),
        progress: Mutex::new(Progress::new(arguments.quiet)),
    };
    run_chunks(&job, &chunks(missing, total, threads), threads, &control)?;
    Ok(control.done() >= total)
}

/// Pieces of what is missing: few, because each is a file that takes milliseconds to be safe on a disk, and small enough for the threads
/// to end together.
fn chunks(missing: &[Range<u64>], total: u64, threads: usize) -> Vec<Range<u64>> {
    let size = (total / (100 * threads.max(2) as u64)).clamp(8, 2000);
    let pieces = |range: &Range<u64>| {
        let range = range.clone();
        (range.start..range.end).step_by(size as usize).map(move |first| first..(first + size).min(range.end))
    };
    missing.iter().flat_map(pieces).collect()
}

/// A study that another engine began is not mixed with: the first trial that is done must repeat to the bit.
fn check_same_engine(folder: &Folder, study: &Study) -> anyhow::Result<()> {
    let mut known = None;
    let found = folder.read(|done| {
        if done.row.end == "timeout" {
            return Ok(());
        }
        known = Some(done.row);
        bail!("one is enough")
    });
    let Some(row) = known else { return found };
    let again = Worker::new(&study.task).run(row.trial, study.design.point(row.trial), &|| false);
    ensure!(
        (&again.trace_hash, &again.values, again.seed) == (&row.trace_hash, &row.values, row.seed),
        "{}: trial {} was run by another version of the engine or with other part files, and gives other results now; give another --out",
        folder.join("").display(),
        row.trial
    );
    Ok(())
}

/// Makes the tables and the page.
fn finish(folder: &Folder, plan: &Plan, arguments: &Arguments) -> anyhow::Result<()> {
    let totals = tables::write(folder, plan)?;
    page::write(folder, plan, arguments.goal.as_deref(), totals.trials)?;
    if arguments.quiet {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    let plural = if totals.trials == 1 { "" } else { "s" };
    writeln!(out, "{}: {} trial{plural}, {:.3} s of CPU time", plan.scene, totals.trials, totals.cpu_s)?;
    if totals.failed > 0 {
        writeln!(out, "  {} failed; the column `error` says why and how to repeat each alone", totals.failed)?;
        writeln!(out, "  the first: {}", totals.first_error)?;
    }
    for name in ["trials.csv", "trials.parquet", "timing.csv", "study.html"] {
        writeln!(out, "  wrote {}", folder.join(name).display())?;
    }
    ensure!(totals.failed < totals.trials, "all trials failed");
    Ok(())
}

fn dry_run(study: &Study, all: &Range<u64>, arguments: &Arguments) -> anyhow::Result<()> {
    let total = all.end - all.start;
    let (mut worker, begun, mut tried) = (Worker::new(&study.task), Instant::now(), 0);
    while tried < TRIED.0.min(total) && begun.elapsed().as_secs_f64() < TRIED.1 {
        // Spread over the whole study.
        let i = all.start + (u128::from(total) * u128::from(tried) / u128::from(TRIED.0.min(total))) as u64;
        worker.run(i, study.design.point(i), &|| false);
        tried += 1;
    }
    let each = begun.elapsed().as_secs_f64() / tried.max(1) as f64;
    let threads =
        arguments.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |n| n as usize);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{total} trials of {}", study.plan.scene)?;
    for (name, value) in &study.plan.vary {
        writeln!(out, "  {name} over {}", plan::plain(value))?;
    }
    writeln!(out, "  reports: {}", listed(&study.plan.reports))?;
    let seconds = each * total as f64 / threads as f64;
    writeln!(
        out,
        "  about {} on {threads} threads ({tried} trials took {:.3} ms each)",
        super::run::duration(seconds),
        1e3 * each
    )?;
    Ok(())
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Puts parts of a study together.
fn merge(arguments: &Arguments) -> anyhow::Result<()> {
    let mut plans = Vec::new();
    for path in &arguments.merge {
        let plan = read_plan(path)?.with_context(|| format!("{} holds no study", path.display()))?;
        plans.push(Plan { shard: None, ..plan });
    }
    let first = plans.first().context("name the folders to be merged")?.clone();
    for (path, plan) in arguments.merge.iter().zip(&plans) {
        if let Some(difference) = first.difference(plan) {
            bail!("{} is no part of the study in {}: {difference}", path.display(), arguments.merge[0].display());
        }
    }
    let folder = Folder::open(&arguments.out, &first, true)?;
    for path in &arguments.merge {
        copy_shards(path, &folder)?;
    }
    let study = first.clone().study()?;
    if let Some(difference) = first.difference(&study.plan) {
        bail!("the parts and the scene do not go together any more: {difference}");
    }
    let missing: u64 = folder.missing(0..study.design.total())?.iter().map(|range| range.end - range.start).sum();
    ensure!(missing == 0, "{missing} trials are missing: merge the other parts, or run them here with --resume");
    finish(&folder, &first, arguments)
}

fn copy_shards(from: &Path, to: &Folder) -> anyhow::Result<()> {
    let part = Folder::lock(from)?;
    for (_, path) in part.shards()? {
        let name = format!("shards/{}", path.file_name().unwrap_or_default().to_string_lossy());
        if !to.join(&name).exists() {
            to.write(&name, &std::fs::read_to_string(&path)?)?;
        }
    }
    Ok(())
}
