//! Trajectories and impacts as CSV, written during the run. Numbers have just enough digits to read back exactly.

use super::files::is_stdout;
use anyhow::Context;
use impulse::world::{BodyId, ImpactRecord, MotionWindow, StopRecord, World};
use impulse_scenes::rows::{body_row, impact_row, mode_path};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One row per body per sample.
pub(super) struct TrajectoryTable {
    table: Table,
    /// Poses at the last sample, if velocities in lasting contact are to be means since then.
    windows: Option<Vec<MotionWindow>>,
}

/// One row per impact, microcollisions included.
pub(super) struct ImpactTable(Table);

impl TrajectoryTable {
    pub(super) fn create(path: &Path, mean_velocities: bool) -> anyhow::Result<Self> {
        let table = Table::create(path, "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz")?;
        Ok(Self { table, windows: mean_velocities.then(Vec::new) })
    }

    /// Adds the current states of all bodies.
    pub(super) fn write(&mut self, world: &World) -> anyhow::Result<()> {
        let t = world.time();
        for (i, body) in world.bodies().enumerate() {
            let window = self.windows.as_ref().and_then(|windows| windows.get(i));
            let lasting = || world.in_lasting_contact(body) == Some(true);
            let mean = window.filter(|_| lasting()).and_then(|window| world.mean_motion(window));
            let Some(numbers) = body_row(world, body, mean) else { continue };
            self.table.row(&format!("{t:?},{},{}", quoted(world.name(body).unwrap_or_default()), joined(&numbers)))?;
        }
        if let Some(windows) = &mut self.windows {
            windows.clear();
            windows.extend(world.bodies().filter_map(|body| world.motion_window(body)));
        }
        Ok(())
    }

    /// Writes rows that have waited for long.
    pub(super) fn keep_up(&mut self) -> anyhow::Result<()> {
        self.table.keep_up()
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.table.flush()
    }
}

impl ImpactTable {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let header = "t,body1,body2,x,y,z,nx,ny,nz,px,py,pz,ux0,uy0,uz0,ux1,uy1,uz1,energy_lost,mode,micro";
        Ok(Self(Table::create(path, header)?))
    }

    /// Writes rows that have waited for long.
    pub(super) fn keep_up(&mut self) -> anyhow::Result<()> {
        self.0.keep_up()
    }

    /// Adds an impact.
    pub(super) fn write(&mut self, world: &World, record: &ImpactRecord) -> anyhow::Result<()> {
        let [first, second] = record.bodies.map(|b| quoted(world.name(b).unwrap_or_default()));
        let (numbers, mode) = (impact_row(record), mode_path(record.modes.as_ref()));
        let (t, lost, micro) = (record.time, record.energy_lost, record.micro);
        self.0.row(&format!("{t:?},{first},{second},{},{lost:?},{mode},{micro}", joined(&numbers)))
    }

    /// Adds a joint that has come to its stop.
    pub(super) fn write_stop(&mut self, world: &World, stop: &StopRecord) -> anyhow::Result<()> {
        let name = |body: Option<BodyId>| quoted(body.and_then(|body| world.name(body)).unwrap_or_default());
        let [first, second] = [name(stop.bodies[1]), name(stop.bodies[0])];
        let along = |x: f64| stop.axis * x;
        let vectors = [stop.point, stop.axis, along(stop.impulse), along(stop.before), along(stop.after)];
        let numbers = vectors.map(|v| v.to_array()).concat();
        let (t, lost) = (stop.time, stop.energy_lost);
        self.0.row(&format!("{t:?},{first},{second},{},{lost:?},stop,false", joined(&numbers)))
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.0.flush()
    }
}

/// Numbers as CSV fields.
pub(super) fn joined(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(",")
}

/// A name as a CSV field.
pub(super) fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

/// Most bytes of rows that wait to be written. A run that is killed loses them.
const KEPT: usize = 1 << 16;

/// Longest time that rows wait to be written.
const KEPT_FOR: Duration = Duration::from_secs(1);

/// A file that contains complete rows only, however the run ends.
pub(super) struct Table {
    path: PathBuf,
    file: File,
    /// Bytes in the file.
    written: u64,
    /// Rows that wait to be written.
    rows: Vec<u8>,
    /// When rows were last written.
    flushed: Instant,
}

/// Standard output as a file that is written without a buffer of its own.
#[cfg(unix)]
fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// Standard output as a file that is written without a buffer of its own.
#[cfg(windows)]
fn stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

impl Table {
    pub(super) fn create(path: &Path, header: &str) -> anyhow::Result<Self> {
        let file = if is_stdout(path) { stdout() } else { File::create(path) };
        let file = file.with_context(|| path.display().to_string())?;
        let mut table = Self { path: path.to_owned(), file, written: 0, rows: Vec::new(), flushed: Instant::now() };
        table.row(header)?;
        Ok(table)
    }

    pub(super) fn row(&mut self, text: &str) -> anyhow::Result<()> {
        self.rows.extend_from_slice(text.as_bytes());
        self.rows.push(b'\n');
        if self.rows.len() >= KEPT { self.flush() } else { Ok(()) }
    }

    /// Writes rows that have waited for long.
    pub(super) fn keep_up(&mut self) -> anyhow::Result<()> {
        let due = !self.rows.is_empty() && self.flushed.elapsed() >= KEPT_FOR;
        if due { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        let (taken, result) = write_most(&mut self.file, &self.rows);
        let whole = self.rows[..taken].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        self.written += whole as u64;
        if result.is_err() {
            // A full disk may have taken part of a row, which is removed. The length of a pipe or device cannot be set.
            let _ = self.file.set_len(self.written);
        }
        self.rows.clear();
        self.flushed = Instant::now();
        result.with_context(|| self.path.display().to_string())
    }
}

/// Writes as many bytes as possible. Returns how many, and the error if not all.
fn write_most(file: &mut File, bytes: &[u8]) -> (usize, io::Result<()>) {
    let mut taken = 0;
    while taken < bytes.len() {
        match file.write(&bytes[taken..]) {
            Ok(0) => return (taken, Err(io::ErrorKind::WriteZero.into())),
            Ok(more) => taken += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (taken, Err(error)),
        }
    }
    (taken, Ok(()))
}

impl Drop for Table {
    fn drop(&mut self) {
        // A failed run has reported its error; its rows are still worth keeping.
        let _ = self.flush();
    }
}
