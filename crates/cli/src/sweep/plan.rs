//! What a study is: kept in its folder, so that nothing else is added to it.

use super::Arguments;
use anyhow::{Context, bail, ensure};
use impulse::world::Settings;
use impulse_lab::sweep::{Design, Task, Vary};
use impulse_scenes::scene::{ParamValue, SceneSettings, Script};
use impulse_scenes::{SceneDescription, SceneSource};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A study as the user describes it: options, or a file in TOML.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Plan {
    /// Version of the engine.
    pub(super) impulse: String,
    pub(super) scene: String,
    /// Hash of the script with all that it includes.
    pub(super) script: String,
    pub(super) vary: Pairs,
    pub(super) set: Pairs,
    pub(super) samples: Option<u64>,
    pub(super) trials: u64,
    pub(super) seed: u64,
    pub(super) paired: bool,
    pub(super) until: Option<f64>,
    pub(super) limit: u64,
    /// Seconds of a trial; what takes longer cannot be repeated to the bit.
    pub(super) timeout: Option<f64>,
    /// Names of the reports.
    pub(super) reports: Vec<String>,
    /// `i/n` where this is only a part.
    pub(super) shard: Option<String>,
}

/// Names and values in the order of a file or of options.
pub(super) type Pairs = toml::map::Map<String, toml::Value>;

/// Most events of a trial unless the user says otherwise: some minutes.
pub(super) const LIMIT: u64 = 100_000_000;

impl Default for Plan {
    fn default() -> Self {
        Self {
            impulse: env!("CARGO_PKG_VERSION").to_owned(),
            scene: String::new(),
            script: String::new(),
            vary: Pairs::new(),
            set: Pairs::new(),
            samples: None,
            trials: 1,
            seed: 0,
            paired: false,
            until: None,
            limit: LIMIT,
            timeout: None,
            reports: Vec::new(),
            shard: None,
        }
    }
}

/// A plan, checked and ready to be run.
pub(super) struct Study {
    pub(super) plan: Plan,
    pub(super) design: Design,
    pub(super) task: Task,
}

impl Plan {
    /// From the command line, or from a file that ends in `.toml` with options added.
    pub(super) fn new(arguments: &Arguments) -> anyhow::Result<Self> {
        let given = arguments.scene.as_deref().context("give a scene, or a plan in TOML")?;
        let mut plan = Self { scene: given.to_owned(), ..Self::default() };
        if given.ends_with(".toml") {
            plan = Self::read(Path::new(given))?;
        }
        for (name, value) in &arguments.vary {
            ensure!(!plan.vary.contains_key(name), "`{name}` is varied twice: give all its values at once");
            plan.vary.insert(name.clone(), value.clone().into());
        }
        plan.set.extend(arguments.set.iter().map(|(name, value)| (name.clone(), value.clone().into())));
        plan.samples = arguments.samples.or(plan.samples);
        plan.trials = arguments.trials.unwrap_or(plan.trials);
        plan.seed = arguments.seed.unwrap_or(plan.seed);
        plan.paired |= arguments.paired;
        plan.until = arguments.until.or(plan.until);
        plan.limit = arguments.limit.unwrap_or(plan.limit);
        plan.timeout = arguments.timeout.or(plan.timeout);
        plan.shard = arguments.shard.map(|(i, n)| format!("{i}/{n}"));
        Ok(plan)
    }

    /// A plan in TOML; a scene's path is relative to it.
    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut plan: Self = toml::from_str(&text).with_context(|| path.display().to_string())?;
        ensure!(!plan.scene.is_empty(), "{}: name the scene: scene = \"box_drop\"", path.display());
        ensure!(
            plan.script.is_empty() && plan.reports.is_empty() && plan.shard.is_none(),
            "{}: script, reports and shard are not yours to set",
            path.display()
        );
        if let (SceneSource::Path(scene), Some(folder)) = (SceneSource::named(&plan.scene), path.parent()) {
            plan.scene = folder.join(scene).display().to_string();
        }
        Ok(plan)
    }

    /// Reads the scene and checks everything.
    pub(super) fn study(mut self) -> anyhow::Result<Study> {
        let source = SceneSource::named(&self.scene);
        let script = Script::open(&source)?;
        let set: Vec<(String, ParamValue)> =
            self.set.iter().map(|(name, value)| (name.clone(), ParamValue::Text(plain(value)))).collect();
        let read = script.read(&SceneSettings { params: set.clone(), seed: 0 })?;
        ensure!(!read.scene.bodies.is_empty(), "{}: the scene has no bodies", self.scene);
        let design = self.design(&read.scene)?;
        let varied: Vec<String> = self.vary.keys().cloned().collect();
        // The first trial says what all report: an unknown parameter is found here, too.
        let first = design.point(0);
        let params = set.iter().cloned().chain(varied.iter().cloned().zip(first.values)).collect();
        let scene = script.read(&SceneSettings { params, seed: first.seed })?.scene;
        self.script = format!("{:016x}", fnv(script.all_text().as_bytes()));
        self.reports = scene.reports;
        self.refuse_shared_names()?;
        let (until, limit, settings) = (self.until, self.limit, Settings::default());
        let task = Task { source, set, varied, reports: self.reports.clone(), until, limit, settings };
        Ok(Study { plan: self, design, task })
    }

    fn design(&self, scene: &SceneDescription) -> anyhow::Result<Design> {
        let mut axes = Vec::new();
        for (name, value) in &self.vary {
            ensure!(!self.set.contains_key(name), "`{name}` is both set and varied: leave one of them out");
            let text = plain(value);
            let vary = Vary::parse(&text).with_context(|| format!("--vary {name}={text}"))?;
            let known = scene.params.iter().find(|param| param.name == *name);
            // An unknown one is refused by the script, with what may be meant.
            axes.push((name.clone(), vary, known.map_or(ParamValue::Number(0.0), |param| param.default.clone())));
        }
        let Self { trials, seed, paired, .. } = *self;
        let design = Design { axes, samples: self.samples.unwrap_or(1), trials, seed, paired };
        design.check(self.samples)?;
        ensure!(design.samples > 0 && trials > 0, "a study needs at least one trial");
        Ok(design)
    }

    /// Columns of a table need different names.
    fn refuse_shared_names(&self) -> anyhow::Result<()> {
        let own = ["trial", "seed", "end", "error", "trace_hash"];
        for name in self.reports.iter().chain(self.vary.keys()) {
            ensure!(
                !own.contains(&name.as_str()),
                "`{name}` is the name of a column of every study: rename it in the script"
            );
        }
        if let Some(name) = self.reports.iter().find(|name| self.vary.contains_key(*name)) {
            bail!("`{name}` is both a parameter that is varied and a report: rename one of them in the script");
        }
        Ok(())
    }

    /// The first thing in which another plan differs from this one, in words.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        let [a, b] = [self, other].map(|plan| serde_json::to_value(plan).unwrap_or_default());
        let names = a.as_object().into_iter().flatten().map(|(name, _)| name);
        names.clone().find(|name| a[*name] != b[*name]).map(|name| match name.as_str() {
            "script" => "its script differs (a blank is enough)".to_owned(),
            "impulse" => format!("it was made by Impulse {}, and this is {}", self.impulse, other.impulse),
            _ => format!("its `{name}` is {}, not {}", a[name], b[name]),
        })
    }

    /// The command that runs one trial alone.
    pub(super) fn repeat(&self, seed: u64, values: &[ParamValue]) -> String {
        let mut words = vec!["impulse run".to_owned(), quoted(&self.scene)];
        let set = self.set.iter().map(|(name, value)| (name, plain(value)));
        let varied = self.vary.keys().zip(values.iter().map(ToString::to_string));
        words.extend(set.chain(varied).map(|(name, value)| format!("--set {}", quoted(&format!("{name}={value}")))));
        words.extend(self.until.map(|until| format!("--until {until:?}")));
        words.push(format!("--seed {seed}"));
        words.join(" ")
    }
}

/// A value as text: lists with commas between.
pub(super) fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "=._-/+:,".contains(c);
    if word.chars().all(safe) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// G. Fowler, L. C. Noll and K.-P. Vo's hash, FNV-1a.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
