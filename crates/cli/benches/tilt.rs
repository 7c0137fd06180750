//! How a box that lands almost flat bounces (beside section 3.3): its rise and its spin after the first landing, over the tilt.
//!
//! `cargo bench --bench tilt` writes `docs/tilt.md` and `docs/tilt.svg`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "../src/svg.rs"]
#[expect(dead_code, unused_imports, reason = "the command draws more than these plots")]
mod svg;

use glam::{DQuat, DVec2, DVec3};
use impulse::body::State;
use impulse::prelude::*;
use std::fmt::Write;
use std::path::Path;
use svg::{Picture, Stroke, file};

const G: f64 = 9.81;
const SIDE: f64 = 0.1;
/// Height of the fall, m.
const HEIGHT: f64 = 0.45;
/// A landing is over after this time without an impact, s.
const QUIET: f64 = 0.02;
/// Powers of ten of the tilts in rad.
const POWERS: [f64; 2] = [-6.0, -2.0];
const STEPS: u32 = 160;

/// How the box is tilted: name, the axis, colour.
const TILTS: [(&str, DVec3, &str); 2] =
    [("an edge first", DVec3::new(0.0, 1.0, 0.0), "#1f6fb4"), ("a corner first", DVec3::new(0.6, 0.8, 0.0), "#d1495b")];

const RESTITUTION: f64 = 0.5;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// What a landing leads to.
#[derive(Clone, Copy)]
struct Bounce {
    /// Logarithm to base ten of the tilt in rad.
    power: f64,
    /// Rise relative to `e^2 h`.
    rise: f64,
    /// Angular velocity, rad/s.
    spin: f64,
    /// Points struck.
    points: usize,
}

fn main() -> Fallible<()> {
    let mut curves = Vec::new();
    for (_, axis, _) in TILTS {
        let power = |k: u32| POWERS[0] + (POWERS[1] - POWERS[0]) * f64::from(k) / f64::from(STEPS);
        curves.push((0..=STEPS).map(|k| landed(axis, power(k))).collect::<Fallible<Vec<_>>>()?);
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let table = table(&curves);
    println!("{table}");
    std::fs::write(docs.join("tilt.svg"), picture(&curves))?;
    std::fs::write(docs.join("tilt.md"), page(&table))?;
    Ok(())
}

/// Drops a box with a tilt, and lets it land once.
fn landed(axis: DVec3, power: f64) -> Fallible<Bounce> {
    let mut builder = WorldBuilder::new(Settings { record_impacts: true, ..Settings::default() })?;
    builder.add_material(Material { friction: 0.4, restitution: RESTITUTION, law: Law::Stronge })?;
    builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
    let tilted = DQuat::from_axis_angle(axis, 10f64.powf(power));
    let at = DVec3::Z * (HEIGHT + 0.5 * SIDE);
    let body = BodySpec::free("box", Cuboid::new(DVec3::splat(SIDE))?).at(at).rotated(tilted).mass(1.0);
    let id = builder.add_body(body)?;
    let mut world = builder.build()?;
    let mut last = f64::INFINITY;
    while world.next_event().is_some_and(|next| next < last + QUIET) {
        if let Some(Event::Impact(impact)) = world.step()? {
            last = impact.time;
        }
    }
    let state = world.principal_state_at(id, world.time()).ok_or("there is a box")?;
    let points = world.impacts().len();
    Ok(Bounce { power, rise: apex(&state) / (RESTITUTION * RESTITUTION * HEIGHT), spin: state.spin.length(), points })
}

/// How high the middle of the box rises above where it is when the box lies, m.
fn apex(state: &State) -> f64 {
    let rising = state.velocity.z.max(0.0);
    state.world_from_body.translation.z - 0.5 * SIDE + rising * rising / (2.0 * G)
}

fn table(curves: &[Vec<Bounce>]) -> String {
    let mut text =
        "| tilt, rad | rise, edge first | spin, rad/s | points | rise, corner first | spin, rad/s | points |\n\
                    |---|---|---|---|---|---|---|\n"
            .to_owned();
    for k in (0..=STEPS as usize).step_by(STEPS as usize / 16) {
        let _ = write!(text, "| {:.1e} |", 10f64.powf(curves[0][k].power));
        for curve in curves {
            let Bounce { rise, spin, points, .. } = curve[k];
            let _ = write!(text, " {rise:.4} | {spin:.3} | {points} |");
        }
        text.push('\n');
    }
    text
}

fn picture(curves: &[Vec<Bounce>]) -> String {
    let panel = |name: &str, of: fn(&Bounce) -> f64| {
        let highest = curves.iter().flatten().map(of).fold(0.0, f64::max);
        let (min, max) = (DVec2::new(POWERS[0], 0.0), DVec2::new(POWERS[1], 1.1 * highest));
        let mut picture = Picture::new(DVec2::new(760.0, 280.0), min, max);
        for (curve, (_, _, colour)) in curves.iter().zip(TILTS) {
            let points: Vec<DVec2> = curve.iter().map(|bounce| DVec2::new(bounce.power, of(bounce))).collect();
            picture.line(&points, &Stroke { colour, width: 1.8, dashes: "" });
        }
        picture.caption(&TILTS.map(|(name, _, colour)| (colour, name)));
        picture.axes("tilt in rad, logarithm to base ten", name);
        picture
    };
    file(&[panel("rise / e^2 h", |bounce| bounce.rise), panel("spin, rad/s", |bounce| bounce.spin)])
}

/// The text before and after the table.
const PAGE: [&str; 2] = [
    "\
# A box that lands almost flat

Written by `cargo xtask bench tilt`. A cube of 0.1 m falls through 0.45 m on a floor, restitution 0.5, friction 0.4, tilted by a small
angle: about an edge, so that an edge lands first, or about an oblique axis, so that a corner does. Rise of its middle after the first
landing, relative to e^2 h, and its spin then; points that were struck.

![Rise and spin after the first landing over the tilt](tilt.svg)

",
    "
- Up to 6e-6 rad all corners come within the height of the lowest hops of the floor (8.7e-7 m) when the first one touches. They are struck together, and
  the box bounces like a ball.
- Above 1e-5 rad the edges are struck one after the other. The first impact sets the box spinning, and the second edge comes down faster
  than the box did. Without friction the box keeps 0.38 of its velocity, by hand, instead of 0.5: it rises to (0.38 / 0.5)^2 = 0.5776 of
  e^2 h and spins at 16 rad/s. Friction takes the spin.
- With a corner first, two or three corners are still within the hop height up to 1e-4 rad and are struck together, the others later or
  not at all: the rise falls in steps, and where a corner is not struck any more the box leaves with up to 17 rad/s.

The two limits of vanishing tilt differ: rigid bodies do not tell which is right, and a real box lies in between, by how far its corners
give way. The step is at the height of the lowest hops, 1e-5 of the bounding radius.
",
];

fn page(table: &str) -> String {
    PAGE.join(table)
}
