//! What the cases of linkages measure.

use super::trial::{Answer, Running, Trial};
use glam::DVec3;
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
