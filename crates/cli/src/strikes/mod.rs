//! `impulse strikes`: the thesis' bowling experiments (section 7.1, figure 7.10), which compare straight and hooking balls.

mod throw;
mod page;

use crate::progress::Progress;
use anyhow::Context;
use clap::Args;
use impulse_lab::sweep::{Task, Worker};
use impulse_lab::{Control, Trials, run_chunks};
use page::Study;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use throw::{Delivery, Throw, drift, task, throw};

/// Width of the window on the pin line that the throws cover, m (section 7.1).
const WINDOW: f64 = 0.4;

/// Throw straight and hooking bowling balls and count the pins that fall.
///
/// As in the thesis, the balls cross the pin line at equal intervals within 40 cm around the head pin. Writes strikes.csv with a row
/// for every throw, strikes.svg and strikes.md. 320 throws of each kind take some minutes.
#[derive(Args)]
#[command(after_help = "Example:
  impulse strikes --throws 80 --out out/strikes")]
pub(crate) struct Arguments {
    /// Number of throws of each kind
    #[arg(long, value_name = "N", default_value_t = 320, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    throws: u32,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Folder for the files
    #[arg(long, value_name = "DIR", default_value = "out/strikes")]
    out: PathBuf,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let study = Study { throws: throw_all(&plan(arguments.throws)?, arguments)? };
    let folder = &arguments.out;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let files = [("strikes.csv", study.csv()), ("strikes.svg", study.picture()), ("strikes.md", study.page())];
    let mut out = std::io::stdout().lock();
    if !arguments.quiet {
        write!(out, "{}", study.table())?;
    }
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        if !arguments.quiet {
            writeln!(out, "wrote {}", path.display())?;
        }
    }
    Ok(())
}

/// Delivery and start of every throw. The start compensates for the ball's drift.
fn plan(throws: u32) -> anyhow::Result<Vec<(Delivery, f64)>> {
    let mut plan = Vec::new();
    for delivery in Delivery::ALL {
        let drift = drift(delivery)?;
        for i in 0..throws {
            let crossing = WINDOW * ((f64::from(i) + 0.5) / f64::from(throws) - 0.5);
            plan.push((delivery, crossing - drift));
        }
    }
    Ok(plan)
}

/// All throws in the order of the plan, whichever thread runs them.
fn throw_all(plan: &[(Delivery, f64)], arguments: &Arguments) -> anyhow::Result<Vec<Throw>> {
    let (task, control) = (task(), Control::default());
    let progress = Mutex::new(Progress::new(arguments.quiet));
    let throws = Throws { plan, task: &task, control: &control, progress, done: Mutex::new(Vec::new()) };
    let chunks: Vec<Range<u64>> = (0..plan.len() as u64).map(|i| i..i + 1).collect();
    run_chunks(&throws, &chunks, arguments.threads as usize, &control)?;
    let mut done = throws.done.into_inner().expect("no thread panicked");
    done.sort_by_key(|(i, _)| *i);
    Ok(done.into_iter().map(|(_, throw)| throw).collect())
}

/// The throws as they are made.
struct Throws<'a> {
    plan: &'a [(Delivery, f64)],
    task: &'a Task,
    control: &'a Control,
    progress: Mutex<Progress>,
    done: Mutex<Vec<(u64, Throw)>>,
}

impl<'a> Trials for Throws<'a> {
    type State = Worker<'a>;
    type Output = anyhow::Result<Throw>;
    type Error = anyhow::Error;

    fn begin(&self) -> Worker<'a> {
        Worker::new(self.task)
    }

    fn run(&self, worker: &mut Worker<'a>, i: u64) -> anyhow::Result<Throw> {
        let (delivery, start) = self.plan[i as usize];
        let name = || format!("the {} throw that starts {start} m right of the middle", delivery.name());
        if let Ok(mut progress) = self.progress.try_lock() {
            progress.at(|| format!("{} of {} throws", self.control.done(), self.plan.len()));
        }
        throw(worker, delivery, start).with_context(name)
    }

    fn is_due(&self, _: &Worker<'a>) -> bool {
        false
    }

    fn put(&self, _: &mut Worker<'a>, first: u64, results: Vec<anyhow::Result<Throw>>) -> anyhow::Result<()> {
        let mut done = self.done.lock().expect("no thread panics while it holds the throws");
        for (i, throw) in (first..).zip(results) {
            done.push((i, throw?));
        }
        Ok(())
    }
}
