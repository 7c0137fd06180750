//! The files a run writes.

use super::Arguments;
use super::plot::Plot;
use super::summary::Summary;
use super::tables::{ImpactTable, TrajectoryTable};
use crate::gltf::Film;
use anyhow::Context;
use impulse::world::World;
use impulse_scenes::SceneDescription;
use std::path::{Path, PathBuf};

/// The files that were asked for.
pub(super) struct Files {
    trajectory: Option<TrajectoryTable>,
    impacts: Option<ImpactTable>,
    film: Option<(PathBuf, Film)>,
    plot: Option<(PathBuf, Plot)>,
    summary: Option<PathBuf>,
    written: Vec<PathBuf>,
}

impl Files {
    /// Opens what the arguments ask for: files that cannot be written are known before the run.
    pub(super) fn open(arguments: &Arguments, scene: &SceneDescription) -> anyhow::Result<Self> {
        let mut written = Vec::new();
        let mut wanted = |given: &Option<PathBuf>, name: &str| -> anyhow::Result<Option<PathBuf>> {
            let path = given.clone().or_else(|| arguments.out.as_ref().map(|folder| folder.join(name)));
            if let Some(path) = &path {
                make_folder(path)?;
                written.push(path.clone());
            }
            Ok(path)
        };
        let trajectory = wanted(&arguments.csv, "trajectory.csv")?;
        let impacts = wanted(&arguments.impacts, "impacts.csv")?;
        let film = wanted(&arguments.gltf, "animation.glb")?;
        let plot = wanted(&arguments.plot, "plot.svg")?;
        let summary = wanted(&arguments.summary, "summary.json")?;
        Ok(Self {
            trajectory: trajectory.map(|path| TrajectoryTable::create(&path)).transpose()?,
            impacts: impacts.map(|path| ImpactTable::create(&path)).transpose()?,
            film: film.map(|path| (path, Film::new(scene))),
            plot: plot.map(|path| (path, Plot::default())),
            summary,
            written,
        })
    }

    /// Whether anything is to be written at samples.
    pub(super) fn want_samples(&self) -> bool {
        self.trajectory.is_some() || self.film.is_some() || self.plot.is_some()
    }

    /// Whether impacts are to be written.
    pub(super) fn want_impacts(&self) -> bool {
        self.impacts.is_some()
    }

    /// Takes in the states of all bodies now.
    pub(super) fn sample(&mut self, world: &World) -> anyhow::Result<()> {
        if let Some((_, film)) = &mut self.film {
            film.sample(world);
        }
        if let Some((_, plot)) = &mut self.plot {
            plot.sample(world);
        }
        self.trajectory.as_mut().map_or(Ok(()), |table| table.write(world))
    }

    /// Writes the impacts since the last call.
    pub(super) fn write_impacts(&mut self, world: &World) -> anyhow::Result<()> {
        self.impacts.as_mut().map_or(Ok(()), |table| table.write_new(world))
    }

    /// Completes all files and names them.
    pub(super) fn finish(self, scene: &SceneDescription, summary: &Summary) -> anyhow::Result<Vec<PathBuf>> {
        self.trajectory.map(TrajectoryTable::finish).transpose()?;
        self.impacts.map(ImpactTable::finish).transpose()?;
        if let Some((path, film)) = self.film {
            write(&path, &film.glb(summary.scene(), scene)?)?;
        }
        if let Some((path, plot)) = self.plot {
            write(&path, plot.svg(summary.scene()).as_bytes())?;
        }
        if let Some(path) = self.summary {
            write(&path, (serde_json::to_string_pretty(summary)? + "\n").as_bytes())?;
        }
        Ok(self.written)
    }
}

/// Makes the folder that a file is to be written in.
fn make_folder(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| path.display().to_string())
}
