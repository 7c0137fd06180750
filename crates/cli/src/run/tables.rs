//! Trajectories and impacts as CSV, written as they happen. Numbers are the shortest that read back exactly.

use anyhow::Context;
use impulse::respond::{Mode, Modes};
use impulse::world::{ImpactRecord, World};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// One row per body per sample.
pub(super) struct TrajectoryTable(Table);

/// One row per impact, microcollisions included.
pub(super) struct ImpactTable {
    table: Table,
    /// How many of the world's impacts are written.
    written: usize,
}

impl TrajectoryTable {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self(Table::create(path, "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz")?))
    }

    /// The states of all bodies now.
    pub(super) fn write(&mut self, world: &World) -> anyhow::Result<()> {
        let t = world.time();
        for body in world.bodies() {
            let states = (world.state_at(body, t), world.shape_pose_at(body, t), world.shape_spin_at(body, t));
            let (Some(state), Some(pose), Some(w)) = states else { continue };
            let (x, q, v) = (state.world_from_body.translation, pose.rotation, state.velocity);
            let numbers = [x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
            self.0.row(&format!("{t:?},{},{}", quoted(world.name(body).unwrap_or_default()), joined(&numbers)))?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.0.finish()
    }
}

impl ImpactTable {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let header = "t,body1,body2,x,y,z,nx,ny,nz,px,py,pz,ux0,uy0,uz0,ux1,uy1,uz1,energy_lost,mode,micro";
        Ok(Self { table: Table::create(path, header)?, written: 0 })
    }

    /// The impacts since the last call.
    pub(super) fn write_new(&mut self, world: &World) -> anyhow::Result<()> {
        for record in &world.impacts()[self.written..] {
            self.write(world, record)?;
        }
        self.written = world.impacts().len();
        Ok(())
    }

    fn write(&mut self, world: &World, record: &ImpactRecord) -> anyhow::Result<()> {
        let [first, second] = record.bodies.map(|b| quoted(world.name(b).unwrap_or_default()));
        let vectors = [record.point, record.normal, record.impulse, record.before, record.after];
        let numbers = vectors.map(|v| v.to_array()).concat();
        let mode = record.modes.as_ref().map_or_else(|| "hop".to_owned(), mode_path);
        let (t, lost, micro) = (record.time, record.energy_lost, record.micro);
        self.table.row(&format!("{t:?},{first},{second},{},{lost:?},{mode},{micro}", joined(&numbers)))
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.table.finish()
    }
}

fn mode_path(modes: &Modes) -> String {
    let name = |mode: Mode| match mode {
        Mode::Slide => "slide",
        Mode::Stick => "stick",
        Mode::SlipAlongRay => "slip_along_ray",
    };
    modes.as_slice().iter().map(|m| name(m.mode)).collect::<Vec<_>>().join(">")
}

fn joined(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(",")
}

/// A name as a CSV field.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

struct Table {
    path: PathBuf,
    out: BufWriter<File>,
}

impl Table {
    fn create(path: &Path, header: &str) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        let mut table = Self { path: path.to_owned(), out: BufWriter::new(file) };
        table.row(header)?;
        Ok(table)
    }

    fn row(&mut self, text: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{text}").with_context(|| self.path.display().to_string())
    }

    fn finish(mut self) -> anyhow::Result<()> {
        self.out.flush().with_context(|| self.path.display().to_string())
    }
}
