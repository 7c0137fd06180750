//! Dice y x y x x against counted rolls (Budden, The Mathematical Gazette 97.16, 2013): the error over a grid of friction and
//! restitution.
//!
//! `cargo bench -p impulse-lab --bench dice -- [--height H] [--speed V] [--spin W] [--size Y] [--drops N]`
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench reports on standard output")]

use glam::DVec3;
use impulse::geometry::ConvexPolyhedron;
use impulse_lab::{Conditions, Control, From, Landscape, Part, Spread, Study, normal_quantile, quasi_static};

/// x over y, and the share of rolls with a square face (y x y) up.
const ROLLS: [(f64, f64); 3] = [(0.63, 0.738), (0.97, 0.385), (1.44, 0.052)];

fn main() {
    let size = option("--size").unwrap_or(0.02);
    let drops = option("--drops").unwrap_or(5000.0) as u64;
    let launch = Conditions {
        height: spread("--height").unwrap_or(Spread::exactly(0.1)),
        speed: spread("--speed").unwrap_or(Spread::exactly(2.0)),
        spin: spread("--spin").unwrap_or(Spread::exactly(40.0)),
        ..Conditions::default()
    };
    let dice: Vec<(Part, f64)> = ROLLS.iter().map(|&(ratio, p)| (die(size, ratio), p)).collect();
    let still = dice.iter().map(|(part, p)| {
        let landscape = Landscape::new(part, 0.01);
        (square(&landscape, &quasi_static(&landscape)) - p).abs()
    });
    println!("quasi-static: mean error {:.3}", still.sum::<f64>() / 3.0);
    println!("friction restitution  x/y 0.63   0.97   1.44   mean error; of the dice: 0.738  0.385  0.052");
    for friction in list("--friction", &[0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.9]) {
        for restitution in list("--restitution", &[0.1, 0.3, 0.5, 0.6, 0.7, 0.8]) {
            let conditions = Conditions { friction, restitution, ..launch };
            let found: Vec<f64> = dice.iter().map(|(part, _)| rolled(part, conditions, drops)).collect();
            let error: f64 = found.iter().zip(&dice).map(|(a, (_, p))| (a - p).abs()).sum::<f64>() / 3.0;
            println!(
                "{friction:8} {restitution:11}  {:.3}      {:.3}  {:.3}  {error:.4}",
                found[0], found[1], found[2]
            );
        }
    }
}

fn die(size: f64, ratio: f64) -> Part {
    let solid = ConvexPolyhedron::cuboid(0.5 * size * DVec3::new(1.0, 1.0, ratio)).unwrap();
    Part::from_polyhedron("die", solid.surface(), 7800.0).unwrap()
}

fn rolled(part: &Part, conditions: Conditions, drops: u64) -> f64 {
    let landscape = Landscape::new(part, 0.01);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let quantile = normal_quantile(0.025);
    let study = Study { part, landscape: &landscape, conditions, seed: 1, drops, precision: None, quantile, threads };
    let sample = study.run(From::Uniform, &Control::default(), |_| Vec::new());
    let shares: Vec<f64> = study.shares(&sample).iter().map(|e| e.probability).collect();
    square(&landscape, &shares)
}

/// The share of the two square faces.
fn square(landscape: &Landscape, shares: &[f64]) -> f64 {
    let poses = landscape.poses.iter().zip(shares);
    poses.filter(|(pose, _)| pose.down.z.abs() > 0.5).map(|(_, p)| p).sum()
}

fn text(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn option(name: &str) -> Option<f64> {
    text(name)?.parse().ok()
}

fn list(name: &str, default: &[f64]) -> Vec<f64> {
    text(name).map_or(default.to_vec(), |text| text.split(',').filter_map(|x| x.parse().ok()).collect())
}

fn spread(name: &str) -> Option<Spread> {
    let text = text(name)?;
    let (low, high) = text.split_once("..").unwrap_or((&text, &text));
    Some(Spread { low: low.parse().ok()?, high: high.parse().ok()? })
}
