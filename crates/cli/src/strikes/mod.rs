//! `impulse strikes`: the thesis' bowling experiments (section 7.1, figure 7.10), which compare straight and hooking balls.

mod throw;
mod page;

use crate::progress::Progress;
use anyhow::Context;
use clap::Args;
use page::Study;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use throw::{Delivery, Throw, drift, throw};

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
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(plan.len())));
    let progress = Mutex::new(Progress::new(arguments.quiet));
    let work = || {
        while let Some((i, &(delivery, start))) = take(plan, &next) {
            let name = || format!("the {} throw that starts {start} m right of the middle", delivery.name());
            let result = throw(delivery, start).with_context(name);
            let mut done = done.lock().expect("no thread panics while it holds the throws");
            done.push((i, result));
            let so_far = || format!("{} of {} throws", done.len(), plan.len());
            progress.lock().expect("no thread panics while it reports").at(so_far);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().expect("no thread panicked");
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The next item that no thread has taken, with its number.
fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    items.get(i).map(|item| (i, item))
}
