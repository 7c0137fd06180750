//! `impulse run --save-state` and `--from`: runs that are put aside and gone on with.

use super::Arguments;
use super::acts::VERSION;
use super::files::write;
use anyhow::{Context, bail};
use impulse_scenes::scene::Reports;
use impulse_scenes::{Runner, SavedRun, SceneSettings, SceneSource};
use std::path::Path;

/// A saved run with the name of its file.
pub(super) struct Saved {
    file: String,
    run: SavedRun,
}

impl Saved {
    /// Reads a saved run.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| file.clone())?;
        let run = SavedRun::parse(&text).with_context(|| file.clone())?;
        Ok(Self { file, run })
    }

    /// Its scene, the scene's settings and its name.
    pub(super) fn wanted(&self) -> (SceneSource, SceneSettings, String) {
        (self.run.source(), self.run.settings(), self.run.scene().to_owned())
    }

    /// The run as it was.
    pub(super) fn restored(&self, arguments: &Arguments) -> anyhow::Result<(Runner, Reports)> {
        let versions = || {
            let saved = self.run.version();
            if saved == VERSION { self.file.clone() } else { format!("{} (saved by version {saved})", self.file) }
        };
        let (mut runner, reports) = self.run.restored().with_context(versions)?;
        runner.world_mut().record_impacts(arguments.settings().record_impacts);
        Ok((runner, reports))
    }
}

/// Refuses an end before the beginning.
pub(super) fn check_time(runner: &Runner, until: f64) -> anyhow::Result<()> {
    let now = runner.world().time();
    if until < now {
        bail!("the saved run is at {now} s already; give a later end, for example --until {}", now + 1.0);
    }
    Ok(())
}

/// Writes a run into a file.
pub(super) fn save(runner: &Runner, source: &SceneSource, settings: &SceneSettings, path: &Path) -> anyhow::Result<()> {
    let saved = SavedRun::new(runner, source, settings, VERSION)?.to_json()?;
    write(path, saved.as_bytes())
}
