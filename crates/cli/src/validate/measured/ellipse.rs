//! Single impacts of a planar ellipse on steel (Fazeli et al.).

use super::{Bound, Row, bootstrap};
use anyhow::Context;
use glam::{DMat3, DVec3};
use impulse::respond::{ContactBody, Impact, Law, Material, collision_matrix, resolve};

const DATA: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/ellipse_impacts.csv"));

/// kg, m.
const MASS: f64 = 0.0364;
const HALF_AXES: [f64; 2] = [0.035, 0.025];

/// Mean of sqrt(E(error) / E(before)), E the kinetic energy of a velocity, with one friction and one restitution for all.
pub(super) fn row() -> anyhow::Result<Row> {
    let mut errors = Vec::new();
    for line in DATA.lines().skip(1) {
        errors.extend(error(line).with_context(|| format!("ellipse_impacts.csv: {line}"))?);
    }
    let quantity =
        "impacts of an ellipse on steel: mean of sqrt(E(error) / E(before)), friction 0.18, restitution 0.54";
    Ok(Row::new("ellipse_impacts", quantity, bootstrap::mean(&errors), Some(Bound::AtMost(0.102)))
        .between(bootstrap::interval(&errors))
        .beside("rigid models with two parameters about 0.10; no impulse at that point below 0.040"))
}

/// The error of one impact; none if the contact does not approach.
fn error(line: &str) -> anyhow::Result<Option<f64>> {
    let numbers: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let &[vx0, vy0, w0, vx1, vy1, w1, rx, ry] = numbers.as_slice() else { anyhow::bail!("not eight columns") };
    let inertia = MASS * (HALF_AXES[0] * HALF_AXES[0] + HALF_AXES[1] * HALF_AXES[1]) / 4.0;
    let energy = |vx: f64, vy: f64, w: f64| 0.5 * (MASS * (vx * vx + vy * vy) + inertia * w * w);
    // The floor's normal is y: collision axes x, -z, y; the spin is about z.
    let velocity = DVec3::new(vx0 - w0 * ry, 0.0, vy0 + w0 * rx);
    if velocity.z >= 0.0 {
        return Ok(None);
    }
    let arm = DVec3::new(rx, 0.0, ry);
    let body = ContactBody { mass: MASS, inertia: DMat3::from_diagonal(DVec3::splat(inertia)), arm };
    let matrix = collision_matrix(Some(&body), None).context("the inertia is positive")?;
    let material = Material { friction: 0.18, restitution: 0.54, law: Law::Stronge };
    let p = resolve(&Impact { matrix, material, velocity })?.impulse;
    let after = [vx0 + p.x / MASS, vy0 + p.z / MASS, w0 + (rx * p.z - ry * p.x) / inertia];
    Ok(Some((energy(after[0] - vx1, after[1] - vy1, after[2] - w1) / energy(vx0, vy0, w0)).sqrt()))
}
