//! Random scenes of everyday things, of many kinds (sections 1.3, 3.5): what must always hold, and the failing ones made small.
//!
//! `cargo bench --bench random_scenes -- N SEED [--kind K] [--time T] [--cpu S] [--events E] [--unsolved U] [--kept MASK]
//! [--envelope H] [--out DIR] [--threads N]` runs N scenes, of all kinds in turn or of one, for T seconds (10) or E events, each with at most S
//! seconds of processor time (20) and U unsolved hops (any number); what bounces well, and does not rest yet, for longer. Scenes that fail are reduced, and written as scripts into a
//! folder. A mask has a bit for every body that is there.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod reduce;
mod shared;
mod simplified;
mod table;

use reduce::reduced;
use shared::failure::{Failure, Report};
use shared::kinds::{KINDS, drawn};
use shared::scene::Scene;
use shared::watched::{Limits, check};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use table::Table;

/// Scenes of each kind with one fault that are reduced at most: that takes longer than to find them.
const REDUCED: usize = 2;

/// What is asked for on the command line.
struct Asked {
    count: u64,
    seed: u64,
    kind: Option<usize>,
    time: f64,
    cpu: f64,
    events: u64,
    unsolved: u64,
    kept: u64,
    envelope: Option<f64>,
    out: Option<PathBuf>,
    threads: usize,
}

impl Asked {
    fn read() -> Result<Self, String> {
        let mut asked = Self {
            count: 68,
            seed: 0,
            kind: None,
            time: 10.0,
            cpu: 20.0,
            events: u64::MAX,
            unsolved: u64::MAX,
            kept: u64::MAX,
            envelope: None,
            out: None,
            threads: 2,
        };
        let mut numbers = Vec::new();
        let mut given = std::env::args().skip(1).filter(|argument| argument != "--bench");
        while let Some(argument) = given.next() {
            if let Ok(number) = argument.parse::<u64>() {
                numbers.push(number);
                continue;
            }
            let value = given.next().ok_or_else(|| format!("{argument} needs a value"))?;
            asked.set(&argument, &value)?;
        }
        asked.count = numbers.first().copied().unwrap_or(asked.count);
        asked.seed = numbers.get(1).copied().unwrap_or(asked.seed);
        Ok(asked)
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        let wrong = || format!("{option} cannot be {value}");
        let number = || value.parse::<f64>().ok().filter(|x| *x > 0.0).ok_or_else(wrong);
        match option {
            "--kind" => self.kind = Some(KINDS.iter().position(|(name, _)| *name == value).ok_or_else(wrong)?),
            "--time" => self.time = number()?,
            "--cpu" => self.cpu = number()?,
            "--events" => self.events = number()? as u64,
            "--unsolved" => self.unsolved = value.parse().map_err(|_| wrong())?,
            "--kept" => self.kept = value.parse().map_err(|_| wrong())?,
            "--envelope" => self.envelope = Some(number()?),
            "--out" => self.out = Some(value.into()),
            "--threads" => self.threads = number()? as usize,
            _ => return Err(format!("{option} is unknown")),
        }
        Ok(())
    }

    /// A scene by its number among those asked for.
    fn scene(&self, number: u64) -> Scene {
        let kinds = KINDS.len() as u64;
        let (kind, seed) = match self.kind {
            Some(kind) => (kind, self.seed + number),
            None => ((number % kinds) as usize, self.seed + number / kinds),
        };
        let mut scene = drawn(kind, seed, self.time);
        scene.kept &= self.kept;
        scene.envelope = self.envelope;
        scene
    }

    fn limits(&self) -> Limits {
        Limits { cpu: self.cpu, events: self.events, unsolved: self.unsolved, rest: self.time >= 10.0 }
    }
}

fn main() -> ExitCode {
    let asked = match Asked::read() {
        Ok(asked) => asked,
        Err(wrong) => {
            println!("{wrong}");
            return ExitCode::FAILURE;
        }
    };
    let reports = in_parallel(asked.count, asked.threads, |number| {
        let scene = asked.scene(number);
        let report = check(&scene, asked.limits());
        (scene, report)
    });
    let mut table = Table::default();
    reports.iter().for_each(|(scene, report)| table.add(scene, report));
    println!("{table}");
    for (scene, failure) in reports.iter().filter_map(|(scene, report)| Some((scene, report.failure.as_ref()?))) {
        println!("{} {}: {failure}", scene.kind, scene.seed);
    }
    println!("\nreduced:");
    let failed = worth_reducing(&reports);
    in_parallel(failed.len() as u64, asked.threads, |i| {
        let (scene, failure) = &failed[i as usize];
        println!("{}", tell(scene, failure, &asked));
    });
    if reports.iter().any(|(_, report)| report.failure.as_ref().is_some_and(Failure::is_failure)) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// The failing scenes, of each kind and fault only some.
fn worth_reducing(reports: &[(Scene, Report)]) -> Vec<(&Scene, &Failure)> {
    let mut chosen: Vec<(&Scene, &Failure)> = Vec::new();
    for (scene, report) in reports {
        let Some(failure) = report.failure.as_ref().filter(|failure| failure.is_failure()) else { continue };
        let alike = chosen.iter().filter(|(s, f)| s.kind == scene.kind && f.fault == failure.fault).count();
        if alike < REDUCED {
            chosen.push((scene, failure));
        }
    }
    chosen
}

/// Reduces a failing scene, writes it as a script and says how to run it again.
fn tell(scene: &Scene, failure: &Failure, asked: &Asked) -> String {
    let (least, now) = reduced(scene, failure, asked.limits());
    let (kind, seed) = (scene.kind, scene.seed);
    let again = format!("-- 1 {seed} --kind {kind} --time {} --kept {}", asked.time, least.kept);
    let mut text = format!("{kind} {seed}: {failure}\n  {again}: {now}");
    if let Some(folder) = &asked.out {
        let [file, whole] = ["", "_whole"].map(|what| folder.join(format!("{kind}_{seed}{what}.rhai")));
        let script = least.script(&format!("{now}. Random scene {again}"));
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&file, script))
            .and_then(|()| std::fs::write(&whole, scene.script(&failure.to_string())));
        text +=
            &written.map_or_else(|e| format!("\n  {}: {e}", file.display()), |()| format!("\n  {}", file.display()));
    }
    text
}

/// Does something for every number below a count, on several threads; results in the order of the numbers.
fn in_parallel<T: Send>(count: u64, threads: usize, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let (next, done) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let result = work(number);
                    done.lock().expect("no thread panics while it holds the lock").push((number, result));
                }
            });
        }
    });
    let mut all = done.into_inner().expect("no thread panics while it holds the lock");
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, result)| result).collect()
}
