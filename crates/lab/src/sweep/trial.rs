//! One trial of a study: a scene read, built and run with its reports, and what came of it as a row.

use super::design::Point;
use crate::trials::guarded;
use impulse::world::Settings;
use impulse_scenes::runner::{Ended, RunnerError};
use impulse_scenes::scene::{ParamValue, Reported, SceneError, SceneSettings, SceneSource, Script};
use impulse_scenes::{Runner, SceneBuildError, Workbench};

/// What all trials of a study share.
#[derive(Clone, Debug)]
pub struct Task {
    /// The scene.
    pub source: SceneSource,
    /// Parameters that are the same in all trials.
    pub set: Vec<(String, ParamValue)>,
    /// The names of the parameters that are varied.
    pub varied: Vec<String>,
    /// The names of the reports.
    pub reports: Vec<String>,
    /// Simulated time, s; none: the scene's own.
    pub until: Option<f64>,
    /// Most events of a trial.
    pub limit: u64,
    /// The engine's settings.
    pub settings: Settings,
}

/// What came of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number.
    pub trial: u64,
    /// Its seed.
    pub seed: u64,
    /// The values of what was varied.
    pub values: Vec<ParamValue>,
    /// In the order of [`Task::reports`]; none where a condition never held or the trial failed.
    pub reports: Vec<Option<ParamValue>>,
    /// Why it ended: `duration`, `finished`, `limit`, `timeout` or `failed`.
    pub end: String,
    /// Why it failed; empty if it did not.
    pub error: String,
    /// Hash of all that happened; empty if it failed.
    pub trace_hash: String,
}

/// Why a trial failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error(transparent)]
    Build(#[from] SceneBuildError),
    #[error(transparent)]
    Run(#[from] RunnerError),
}

/// Runs trials, one after the other, on one thread: the script is compiled once, and shapes that do not change are made once.
pub struct Worker<'a> {
    task: &'a Task,
    script: Option<Script>,
    bench: Workbench,
}

impl<'a> Worker<'a> {
    /// For the trials of a task.
    pub fn new(task: &'a Task) -> Self {
        Self { task, script: None, bench: Workbench::default() }
    }

    /// Runs a trial; it fails where `stop` says so, which is asked now and then.
    pub fn run(&mut self, trial: u64, point: Point, stop: &dyn Fn() -> bool) -> Row {
        let done = guarded(|| self.attempt(&point, stop));
        let mut row = Row {
            trial,
            seed: point.seed,
            values: point.values,
            reports: vec![None; self.task.reports.len()],
            end: "failed".to_owned(),
            error: String::new(),
            trace_hash: String::new(),
        };
        match done {
            Ok(Ok((ended, hash))) => self.fill(&mut row, ended, hash),
            Ok(Err(error)) => row.error = error.to_string(),
            Err(panic) => {
                // What a panic left behind is not used again.
                (self.script, self.bench) = (None, Workbench::default());
                row.error = panic;
            }
        }
        row
    }

    fn attempt(&mut self, point: &Point, stop: &dyn Fn() -> bool) -> Result<(Ended, u64), Failure> {
        let script = match self.script.take() {
            Some(script) => script,
            None => Script::open(&self.task.source)?,
        };
        let varied = self.task.varied.iter().cloned().zip(point.values.iter().cloned());
        let params = self.task.set.iter().cloned().chain(varied).collect();
        let read = self.script.insert(script).read(&SceneSettings { params, seed: point.seed })?;
        let until = self.task.until.unwrap_or(read.scene.duration);
        let mut runner = self.bench.runner(read.scene, self.task.settings)?;
        let ended = runner.run_limited(until, read.reports, self.task.limit, stop)?;
        Ok((ended, hash(&runner)))
    }

    fn fill(&self, row: &mut Row, ended: Ended, hash: u64) {
        ended.end.word().clone_into(&mut row.end);
        row.trace_hash = format!("{hash:016x}");
        for Reported { name, value } in ended.reported {
            let column = self.task.reports.iter().position(|known| *known == name);
            let error = match (value, column) {
                (Ok(value), Some(column)) => {
                    row.reports[column] = value;
                    continue;
                }
                (Ok(_), None) => {
                    format!("report `{name}` is not among those of the first trial: report always the same names")
                }
                (Err(error), _) => format!("report `{name}`: {error}"),
            };
            if row.error.is_empty() {
                row.error = error;
            }
        }
    }
}

fn hash(runner: &Runner) -> u64 {
    runner.world().trace_hash()
}
