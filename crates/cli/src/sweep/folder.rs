//! The folder of a study: its plan, the trials that are done, and a lock.
//!
//! Trials are in files of lines of JSON that are put in place by renaming, so that each is whole or not there. Their names say which
//! trials they hold.

use super::plan::Plan;
use anyhow::{Context, bail, ensure};
use impulse_lab::sweep::Row;
use impulse_scenes::scene::ParamValue;
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A study's folder that nobody else writes to while this is kept.
pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

/// A trial with what differs from run to run.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) row: Row,
    /// CPU time, s.
    pub(super) cpu_s: f64,
}

impl Folder {
    /// A new study, or with `resume` the one that is there.
    pub(super) fn open(path: &Path, plan: &Plan, resume: bool) -> anyhow::Result<Self> {
        let folder = Self::lock(path)?;
        let known = folder.plan()?;
        match (known, resume) {
            (Some(known), true) => {
                if let Some(difference) = known.difference(plan) {
                    bail!("{} holds another study: {difference}; give another --out", path.display());
                }
            }
            (Some(_), false) => {
                bail!("{} holds a study already: go on with it by --resume, or give another --out", path.display())
            }
            (None, _) => folder.write("plan.json", &(serde_json::to_string_pretty(plan)? + "\n"))?,
        }
        Ok(folder)
    }

    /// Locks a folder, which is made if need be.
    pub(super) fn lock(path: &Path) -> anyhow::Result<Self> {
        let shards = path.join("shards");
        fs::create_dir_all(&shards).with_context(|| format!("cannot create the folder {}", shards.display()))?;
        let name = path.join("lock");
        let lock = OpenOptions::new().create(true).append(true).open(&name);
        let lock = lock.with_context(|| format!("cannot write {}", name.display()))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => {
                bail!("{}: another process is writing this study; wait for it, or give another --out", path.display())
            }
            Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", name.display())),
        }
    }

    /// The plan that is kept in the folder.
    pub(super) fn plan(&self) -> anyhow::Result<Option<Plan>> {
        read_plan(&self.path)
    }

    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a whole file, or none.
    pub(super) fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        self.make(name, |file| Ok(file.write_all(text.as_bytes())?))
    }

    /// Makes a whole file, or none.
    pub(super) fn make(&self, name: &str, fill: impl FnOnce(&mut File) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let (path, unfinished) = (self.path.join(name), self.path.join(format!("{name}.unfinished")));
        let made = File::create(&unfinished).map_err(anyhow::Error::from).and_then(|mut file| {
            fill(&mut file)?;
            file.sync_all()?;
            Ok(fs::rename(&unfinished, &path)?)
        });
        made.inspect_err(|_| drop(fs::remove_file(&unfinished)))
            .with_context(|| format!("cannot write {} (what is done stays: go on with --resume)", path.display()))
    }

    /// Puts trials that follow each other in place.
    pub(super) fn put(&self, first: u64, done: &[Done]) -> anyhow::Result<()> {
        let mut text = String::new();
        for trial in done {
            text += &(written(trial).to_string() + "\n");
        }
        self.write(&format!("shards/{first:012}-{:012}.jsonl", first + done.len() as u64), &text)
    }

    /// The trials that are done, by file, in order.
    pub(super) fn shards(&self) -> anyhow::Result<Vec<(Range<u64>, PathBuf)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.path.join("shards"))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with(".unfinished") {
                fs::remove_file(&path)?;
                continue;
            }
            let range = name.strip_suffix(".jsonl").and_then(|name| name.split_once('-'));
            let range = range.and_then(|(first, end)| Some(first.parse().ok()?..end.parse().ok()?));
            found.push((
                range.with_context(|| format!("{} is not a file of a study: remove it", path.display()))?,
                path,
            ));
        }
        found.sort_by_key(|(range, _): &(Range<u64>, _)| range.start);
        for pair in found.windows(2) {
            ensure!(
                pair[0].0.end <= pair[1].0.start,
                "{} and {} hold the same trials: remove one",
                pair[0].1.display(),
                pair[1].1.display()
            );
        }
        Ok(found)
    }

    /// The trials of `all` that are not done.
    pub(super) fn missing(&self, all: Range<u64>) -> anyhow::Result<Vec<Range<u64>>> {
        let (mut missing, mut next) = (Vec::new(), all.start);
        for (range, _) in self.shards()? {
            if range.start > next {
                missing.push(next..range.start.min(all.end));
            }
            next = next.max(range.end);
        }
        if next < all.end {
            missing.push(next..all.end);
        }
        Ok(missing)
    }

    /// Hands out all trials in order, one after the other.
    pub(super) fn read(&self, mut each: impl FnMut(Done) -> anyhow::Result<()>) -> anyhow::Result<()> {
        for (_, path) in self.shards()? {
            let file = BufReader::new(File::open(&path)?);
            for (line, text) in file.lines().enumerate() {
                let place =
                    || format!("{}:{}: not a trial; remove the file and use --resume", path.display(), line + 1);
                let value: Value = serde_json::from_str(&text?).with_context(place)?;
                each(trial(&value).with_context(place)?)?;
            }
        }
        Ok(())
    }
}

/// The plan of a folder.
pub(super) fn read_plan(path: &Path) -> anyhow::Result<Option<Plan>> {
    let path = path.join("plan.json");
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn written(done: &Done) -> Value {
    let Row { trial, seed, values, reports, end, error, trace_hash } = &done.row;
    let values: Vec<Value> = values.iter().map(|value| json_of(Some(value))).collect();
    let reports: Vec<Value> = reports.iter().map(|value| json_of(value.as_ref())).collect();
    json!([trial, seed, values, reports, end, error, trace_hash, done.cpu_s])
}

fn trial(line: &Value) -> Option<Done> {
    let items = line.as_array()?;
    let text = |i: usize| Some(items.get(i)?.as_str()?.to_owned());
    let values = |i: usize| Some(items.get(i)?.as_array()?.iter().map(value_of));
    let row = Row {
        trial: items.first()?.as_u64()?,
        seed: items.get(1)?.as_u64()?,
        values: values(2)?.collect::<Option<_>>()?,
        reports: values(3)?.collect(),
        end: text(4)?,
        error: text(5)?,
        trace_hash: text(6)?,
    };
    Some(Done { row, cpu_s: items.get(7)?.as_f64()? })
}

fn json_of(value: Option<&ParamValue>) -> Value {
    match value {
        None => Value::Null,
        Some(ParamValue::Integer(whole)) => (*whole).into(),
        Some(ParamValue::Number(number)) => (*number).into(),
        Some(ParamValue::Flag(flag)) => (*flag).into(),
        Some(ParamValue::Text(text)) => text.clone().into(),
    }
}

fn value_of(value: &Value) -> Option<ParamValue> {
    match value {
        Value::Number(number) => number.as_i64().map(ParamValue::Integer).or(number.as_f64().map(ParamValue::Number)),
        Value::Bool(flag) => Some(ParamValue::Flag(*flag)),
        Value::String(text) => Some(ParamValue::Text(text.clone())),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
