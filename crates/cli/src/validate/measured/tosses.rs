//! Measured tosses of a cube: poses at 148 Hz.

use anyhow::{Context, ensure};
use glam::{DQuat, DVec3};
use std::path::Path;

/// Samples per second.
pub(super) const RATE: f64 = 148.0;

/// A pose of the cube, with velocities where they are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// The middle of the cube, m.
    pub(super) place: DVec3,
    /// Body to world.
    pub(super) attitude: DQuat,
    pub(super) velocity: DVec3,
    /// Body frame, rad/s.
    pub(super) spin: DVec3,
}

/// A toss: its number and its samples.
pub(super) type Toss = (u32, Vec<Sample>);

/// Reads `tosses.csv` in a folder, or in its folder `cube_tosses`.
pub(super) fn read(folder: &Path) -> anyhow::Result<Vec<Toss>> {
    let inner = folder.join("cube_tosses").join("tosses.csv");
    let path = if inner.is_file() { inner } else { folder.join("tosses.csv") };
    let text = std::fs::read_to_string(&path).with_context(|| format!("--data: cannot read {}", path.display()))?;
    let mut tosses: Vec<Toss> = Vec::new();
    for (line, row) in text.lines().enumerate().skip(1) {
        let place = || {
            format!("{}:{}: not the 15 numbers toss,t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz", path.display(), line + 1)
        };
        let numbers: Vec<f64> =
            row.split(',').map(|x| x.trim().parse()).collect::<Result<_, _>>().with_context(place)?;
        let sample = sample(&numbers).with_context(place)?;
        let toss = numbers[0] as u32;
        match tosses.last_mut().filter(|(number, _)| *number == toss) {
            Some((_, samples)) => samples.push(sample),
            None => tosses.push((toss, vec![sample])),
        }
    }
    ensure!(!tosses.is_empty(), "{} has no tosses", path.display());
    Ok(tosses)
}

fn sample(numbers: &[f64]) -> Option<Sample> {
    let &[_, _, x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = numbers else { return None };
    numbers.iter().all(|x| x.is_finite()).then(|| Sample {
        place: DVec3::new(x, y, z),
        attitude: DQuat::from_xyzw(qx, qy, qz, qw),
        velocity: DVec3::new(vx, vy, vz),
        spin: DVec3::new(wx, wy, wz),
    })
}
