//! What the cases of linkages measure.

use super::trial::{Answer, Running, Trial};
use anyhow::Context;
use glam::{DMat3, DVec3};
use std::f64::consts::{FRAC_PI_6, TAU};

/// The change of energy of a double pendulum that is farthest from zero, relative to its largest kinetic energy.
pub(super) fn double_pendulum(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let start = run.world().energy();
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    for k in 1..=1000 {
        run.run(run.duration * f64::from(k) / 1000.0)?;
        let change = run.world().energy() - start;
        largest = largest.max(run.world().kinetic_energy());
        if change.abs() > worst.abs() {
            worst = change;
        }
    }
    Ok(run.answer(worst / largest, 0.0))
}

/// The tilt of the top that is farthest from that at the start, rad.
pub(super) fn top_tilt(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let mut worst = FRAC_PI_6;
    for k in 1..=1000 {
        run.run(run.duration * f64::from(k) / 1000.0)?;
        let axis = axis(&run)?;
        let tilt = axis.truncate().length().atan2(axis.z);
        if (tilt - FRAC_PI_6).abs() > (worst - FRAC_PI_6).abs() {
            worst = tilt;
        }
    }
    Ok(run.answer(worst, FRAC_PI_6))
}

/// The angle by which the top's axis goes round, divided by the time, rad/s.
pub(super) fn top_precession(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let (mut turned, mut last) = (0.0, axis(&run)?);
    for k in 1..=100 {
        run.run(run.duration * f64::from(k) / 100.0)?;
        let next = axis(&run)?;
        let step = next.truncate().to_angle() - last.truncate().to_angle();
        turned += step - TAU * (step / TAU).round();
        last = next;
    }
    // A = 6e-3 and C = 5e-4 kg m^2, 300 rad/s, 0.5 kg at 0.1 m, 30 degrees.
    let (a, c, weight) = (6e-3 * FRAC_PI_6.cos(), 5e-4 * 300.0, 0.5 * run.gravity * 0.1);
    let exact = 2.0 * weight / (c + (c * c - 4.0 * a * weight).sqrt());
    Ok(run.answer(turned / run.duration, exact))
}

/// The axis of the top now.
fn axis(run: &Running) -> anyhow::Result<DVec3> {
    let centre = run.now("top")?.world_from_body.translation;
    Ok(centre.normalize())
}

/// The growth rate of the weave of a bicycle that nobody steers, 1/s.
pub(super) fn bicycle_weave(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let (run, modes) = bicycle(trial)?;
    Ok(run.answer(modes.weave[0], -0.77534))
}

/// Its angular frequency, rad/s.
pub(super) fn bicycle_frequency(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let (run, modes) = bicycle(trial)?;
    Ok(run.answer(modes.weave[1], 4.46487))
}

/// The growth rate of its capsize at 7 m/s, 1/s.
pub(super) fn bicycle_capsize(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let (run, modes) = bicycle(trial)?;
    Ok(run.answer(modes.capsize, 0.10268))
}

/// Motions of a bicycle that grow or die out by themselves.
struct Modes {
    /// Growth rate, 1/s.
    capsize: f64,
    /// Growth rate, 1/s, and angular frequency, rad/s.
    weave: [f64; 2],
}

/// The modes in the lean of the bicycle, after castering has died out: each lean follows linearly from the three before it (Prony).
fn bicycle(trial: &Trial<'_>) -> anyhow::Result<(Running, Modes)> {
    const STEP: f64 = 0.1;
    let mut run = trial.open(0)?;
    let mut leans = Vec::new();
    for k in 5..=30 {
        run.run(STEP * f64::from(k))?;
        let frame = run.world().find("frame").and_then(|id| run.world().body(id)).context("the scene has no frame")?;
        leans.push((frame.pose().rotation * DVec3::Y).z.asin());
    }
    let (mut matrix, mut right) = (DMat3::ZERO, DVec3::ZERO);
    for x in leans.windows(4) {
        let row = DVec3::new(x[0], x[1], x[2]);
        matrix += DMat3::from_cols(row * row.x, row * row.y, row * row.z);
        right -= row * x[3];
    }
    let c = matrix.inverse() * right;
    // A real root near one, and a pair of others.
    let mut z = 1.0;
    for _ in 0..50 {
        z -= (((z + c.z) * z + c.y) * z + c.x) / ((3.0 * z + 2.0 * c.z) * z + c.y);
    }
    let (p, q) = (c.z + z, c.y + z * (c.z + z));
    let weave = [0.5 * q.ln() / STEP, (-0.5 * p / q.sqrt()).acos() / STEP];
    Ok((run, Modes { capsize: z.ln() / STEP, weave }))
}
