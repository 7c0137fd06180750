//! The trials of a study as they run: each timed, the results put in place every few seconds.

use super::folder::{Done, Folder};
use super::plan::Study;
use crate::progress::Progress;
use cpu_time::ThreadTime;
use impulse_lab::sweep::Worker;
use impulse_lab::{Control, Trials};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time after which results are put in place even if more are to come: what a killed process loses.
const KEEP: Duration = Duration::from_secs(5);

/// A study being run.
pub(super) struct Job<'a> {
    pub(super) study: &'a Study,
    pub(super) folder: &'a Folder,
    pub(super) control: &'a Control,
    /// Trials to be run.
    pub(super) total: u64,
    pub(super) begun: Instant,
    pub(super) progress: Mutex<Progress>,
}

/// What a thread has for itself.
pub(super) struct Bench<'a> {
    worker: Worker<'a>,
    kept: Instant,
}

impl<'a> Trials for Job<'a> {
    type State = Bench<'a>;
    type Output = Done;
    type Error = anyhow::Error;

    fn begin(&self) -> Bench<'a> {
        Bench { worker: Worker::new(&self.study.task), kept: Instant::now() }
    }

    fn run(&self, bench: &mut Bench<'a>, trial: u64) -> Done {
        let (cpu, begun) = (ThreadTime::now(), Instant::now());
        let timeout = self.study.plan.timeout;
        let late = || timeout.is_some_and(|most| begun.elapsed().as_secs_f64() > most);
        let mut row = bench.worker.run(trial, self.study.design.point(trial), &late);
        match row.end.as_str() {
            "limit" => row.error = format!("more than {} events", self.study.plan.limit),
            "timeout" => row.error = format!("more than {} s; not repeatable", timeout.unwrap_or_default()),
            _ => {}
        }
        if !row.error.is_empty() {
            // One line, so that tables can be read line by line.
            let first = row.error.lines().next().unwrap_or_default();
            row.error = format!("{first}; repeat it: {}", self.study.plan.repeat(row.seed, &row.values));
        }
        if let Ok(mut progress) = self.progress.try_lock() {
            progress.at(|| self.so_far());
        }
        Done { row, cpu_s: cpu.elapsed().as_secs_f64() }
    }

    fn is_due(&self, bench: &Bench<'a>) -> bool {
        bench.kept.elapsed() > KEEP
    }

    fn put(&self, bench: &mut Bench<'a>, first: u64, results: Vec<Done>) -> anyhow::Result<()> {
        bench.kept = Instant::now();
        self.folder.put(first, &results)
    }
}

impl Job<'_> {
    fn so_far(&self) -> String {
        let (done, elapsed) = (self.control.done(), self.begun.elapsed().as_secs_f64());
        let left = elapsed * (self.total - done.min(self.total)) as f64 / done.max(1) as f64;
        format!("{done} of {} trials, {} left", self.total, crate::run::duration(left))
    }
}
