//! Rolls of steel dice y x y x x (Budden 2013): size, surface and throw are not described; one set of conditions for all
//! (docs/poses.md).

use super::{Bound, Row};
use anyhow::Context;
use glam::DVec3;
use impulse::geometry::ConvexPolyhedron;
use impulse_lab::{Conditions, Control, From, Landscape, Part, Spread, Study, normal_quantile, quasi_static};

const DATA: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/dice_rolls.csv"));

/// Drops of each die.
const DROPS: u64 = 3000;

/// Side y, m.
const SIZE: f64 = 0.02;

pub(super) fn rows() -> anyhow::Result<Vec<Row>> {
    let (mut dropped, mut still, mut dice) = (0.0, 0.0, 0.0);
    for line in DATA.lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        let &[ratio, share, _] = numbers.as_slice() else { anyhow::bail!("dice_rolls.csv: {line}") };
        let solid = ConvexPolyhedron::cuboid(0.5 * SIZE * DVec3::new(1.0, 1.0, ratio)).context("a die has a volume")?;
        let part = Part::from_polyhedron("die", solid.surface(), 7800.0)?;
        let landscape = Landscape::new(&part, 0.01);
        still += (square(&landscape, &quasi_static(&landscape)) - share).abs();
        dropped += (square(&landscape, &rolled(&part, &landscape)) - share).abs();
        dice += 1.0;
    }
    let quantity = "rolls of three steel dice: mean absolute error of the share of square faces, dropped";
    let estimate = "the same, quasi-static estimate";
    Ok(vec![
        Row::new("dice", quantity, dropped / dice, Some(Bound::AtMost(0.025))),
        Row::new("dice_quasi_static", estimate, still / dice, None).beside("what trimesh gives"),
    ])
}

fn rolled(part: &Part, landscape: &Landscape) -> Vec<f64> {
    let conditions = Conditions {
        friction: 0.55,
        restitution: 0.6,
        height: Spread::exactly(0.1),
        speed: Spread::exactly(2.0),
        spin: Spread::exactly(40.0),
        ..Conditions::default()
    };
    let (quantile, threads) = (normal_quantile(0.025), std::thread::available_parallelism().map_or(1, usize::from));
    let study = Study { part, landscape, conditions, seed: 1, drops: DROPS, precision: None, quantile, threads };
    let sample = study.run(From::Uniform, &Control::default(), |_| Vec::new());
    study.shares(&sample).iter().map(|estimate| estimate.probability).collect()
}

/// The share of the two square faces.
fn square(landscape: &Landscape, shares: &[f64]) -> f64 {
    let poses = landscape.poses.iter().zip(shares);
    poses.filter(|(pose, _)| pose.down.z.abs() > 0.5).map(|(_, share)| share).sum()
}
