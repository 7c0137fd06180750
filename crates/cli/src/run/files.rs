//! The files a run writes.

use super::Arguments;
use super::contacts::ContactTable;
use super::joint_plot::JointPlot;
use super::joints::JointTable;
use super::plot::Plot;
use super::summary::Summary;
use super::tables::{ImpactTable, TrajectoryTable};
use crate::gltf::Film;
use anyhow::{Context, bail};
use impulse::world::World;
use impulse_scenes::SceneDescription;
use std::fs;
use std::path::{Path, PathBuf};

/// The requested files.
pub(super) struct Files {
    trajectory: Option<TrajectoryTable>,
    impacts: Option<ImpactTable>,
    contacts: Option<ContactTable>,
    joints: Option<JointTable>,
    film: Option<(PathBuf, Film)>,
    plot: Option<(PathBuf, Plot)>,
    joint_plot: Option<(PathBuf, JointPlot)>,
    summary: Option<PathBuf>,
    written: Vec<PathBuf>,
}

impl Files {
    /// Opens the requested files, so that one that cannot be written is an error before the run.
    pub(super) fn open(arguments: &Arguments, scene: &SceneDescription) -> anyhow::Result<Self> {
        let chosen = arguments.joint_plot.as_ref().map(|_| JointPlot::new(scene, &arguments.joint)).transpose()?;
        let mut written = Vec::new();
        let mut wanted = |given: &Option<PathBuf>, name: &str| -> anyhow::Result<Option<PathBuf>> {
            let path = given.clone().or_else(|| arguments.out.as_ref().map(|folder| folder.join(name)));
            if let Some(path) = path.as_ref().filter(|path| !is_stdout(path)) {
                written.push(path.clone());
            }
            Ok(path)
        };
        let trajectory = wanted(&arguments.csv, "trajectory.csv")?;
        let impacts = wanted(&arguments.impacts, "impacts.csv")?;
        let contacts = wanted(&arguments.contacts, "contacts.csv")?;
        let joints = match (&arguments.joints, scene.joints.is_empty()) {
            (None, true) => None,
            (given, _) => wanted(given, "joints.csv")?,
        };
        let film = wanted(&arguments.gltf, "animation.glb")?;
        let plot = wanted(&arguments.plot, "plot.svg")?;
        let summary = wanted(&arguments.summary, "summary.json")?;
        let joint_plot = arguments.joint_plot.clone();
        written.extend(joint_plot.clone());
        let state = &arguments.save_state;
        refuse_shared([&trajectory, &impacts, &contacts, &joints, &film, &plot, &summary, &joint_plot, state])?;
        written.iter().try_for_each(|path| make_folder(path))?;
        [&film, &plot, &summary, &joint_plot].into_iter().flatten().try_for_each(|path| claim(path))?;
        state.as_deref().map_or(Ok(()), try_to_write)?;
        Ok(Self {
            trajectory: trajectory.map(|path| TrajectoryTable::create(&path, arguments.mean_velocities)).transpose()?,
            impacts: impacts.map(|path| ImpactTable::create(&path)).transpose()?,
            contacts: contacts.map(|path| ContactTable::create(&path)).transpose()?,
            joints: joints.map(|path| JointTable::create(&path)).transpose()?,
            film: film.map(|path| (path, Film::new(scene))),
            plot: plot.map(|path| (path, Plot::default())),
            joint_plot: joint_plot.zip(chosen),
            summary,
            written,
        })
    }

    /// Whether any of the files needs samples.
    pub(super) fn want_samples(&self) -> bool {
        let tables = self.trajectory.is_some() || self.contacts.is_some() || self.joints.is_some();
        tables || self.film.is_some() || self.plot.is_some() || self.joint_plot.is_some()
    }

    /// Adds a sample: the current states of all bodies. All impacts up to now must have been taken.
    pub(super) fn sample(&mut self, world: &World) -> anyhow::Result<()> {
        if let Some((_, film)) = &mut self.film {
            film.sample(world);
        }
        if let Some((_, plot)) = &mut self.plot {
            plot.sample(world);
        }
        if let Some((_, plot)) = &mut self.joint_plot {
            plot.sample(world);
        }
        self.contacts.as_mut().map_or(Ok(()), |table| table.write(world))?;
        self.joints.as_mut().map_or(Ok(()), |table| table.write(world))?;
        self.trajectory.as_mut().map_or(Ok(()), |table| table.write(world))
    }

    /// Writes the impacts since the last call, and rows that have waited for long.
    pub(super) fn keep_up(&mut self, world: &mut World) -> anyhow::Result<()> {
        let mut stops = world.take_stops().into_iter().peekable();
        for record in world.take_impacts() {
            while let Some(stop) = stops.next_if(|stop| stop.time <= record.time) {
                self.impacts.as_mut().map_or(Ok(()), |table| table.write_stop(world, &stop))?;
            }
            self.contacts.iter_mut().for_each(|table| table.note(&record));
            self.impacts.as_mut().map_or(Ok(()), |table| table.write(world, &record))?;
        }
        for stop in stops {
            self.impacts.as_mut().map_or(Ok(()), |table| table.write_stop(world, &stop))?;
        }
        self.impacts.as_mut().map_or(Ok(()), ImpactTable::keep_up)?;
        self.joints.as_mut().map_or(Ok(()), JointTable::keep_up)?;
        self.contacts.as_mut().map_or(Ok(()), ContactTable::keep_up)?;
        self.trajectory.as_mut().map_or(Ok(()), TrajectoryTable::keep_up)
    }

    /// Completes all files and returns their paths.
    pub(super) fn finish(self, scene: &SceneDescription, summary: &Summary) -> anyhow::Result<Vec<PathBuf>> {
        self.trajectory.map(TrajectoryTable::finish).transpose()?;
        self.impacts.map(ImpactTable::finish).transpose()?;
        self.contacts.map(ContactTable::finish).transpose()?;
        self.joints.map(JointTable::finish).transpose()?;
        if let Some((path, film)) = self.film {
            write(&path, &film.glb(summary.scene(), scene)?)?;
        }
        if let Some((path, plot)) = self.plot {
            write(&path, plot.svg(summary.scene()).as_bytes())?;
        }
        if let Some((path, plot)) = self.joint_plot {
            write(&path, plot.svg(summary.scene()).as_bytes())?;
        }
        if let Some(path) = self.summary {
            write(&path, (serde_json::to_string_pretty(summary)? + "\n").as_bytes())?;
        }
        Ok(self.written)
    }
}

/// The option that each file belongs to, in the order of [`Files::open`].
const OPTIONS: [&str; 9] =
    ["--csv", "--impacts", "--contacts", "--joints", "--gltf", "--plot", "--summary", "--joint-plot", "--save-state"];

/// Refuses two outputs to one file: one would overwrite the other.
fn refuse_shared(paths: [&Option<PathBuf>; 9]) -> anyhow::Result<()> {
    for (i, path) in paths.iter().enumerate() {
        let same = paths[..i].iter().position(|other| path.is_some() && other == path);
        if let (Some(j), Some(path)) = (same, path) {
            bail!("{} and {} both write {}; give each a file of its own", OPTIONS[j], OPTIONS[i], path.display());
        }
    }
    Ok(())
}

/// Whether a path stands for standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Creates the folder of a file.
fn make_folder(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}

/// Makes sure that a file can be written at the end, and removes that of an earlier run, so that there is none until then.
fn claim(path: &Path) -> anyhow::Result<()> {
    let claimed = fs::File::create(path).and_then(|_| if is_file(path) { fs::remove_file(path) } else { Ok(()) });
    claimed.with_context(|| path.display().to_string())
}

/// Makes sure that a file can be written at the end. One that is there stays until then: the run may go on from it.
fn try_to_write(path: &Path) -> anyhow::Result<()> {
    make_folder(path)?;
    let part = path.with_added_extension("part");
    let tried = fs::File::create(&part).and_then(|_| fs::remove_file(&part));
    tried.with_context(|| path.display().to_string())
}

/// Writes a file atomically: it exists completely or not at all.
pub(super) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = path.with_added_extension("part");
    let written = if path.exists() && !is_file(path) {
        fs::write(path, bytes)
    } else {
        let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
        written.inspect_err(|_| drop(fs::remove_file(&part)))
    };
    written.with_context(|| path.display().to_string())
}

/// Whether the path is a regular file, neither a device nor a pipe.
fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}
