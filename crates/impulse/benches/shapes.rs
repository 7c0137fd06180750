//! Distances between shapes of every kind and to a large static mesh (section 2.2), and what convex decomposition reports.
//!
//!     cargo bench --bench shapes                     times and steps
//!     cargo bench --bench shapes -- instructions [FIRST]   instructions per query, counted by callgrind (needs valgrind)
//!     cargo bench --bench shapes -- decompose        pieces and errors of an L, a ring and a housing
//!     cargo bench --bench shapes -- count FIRST SECOND N   runs one case N times, for a profiler
//!
//! Between two queries the second shape turns by one degree and moves by a hundredth of its size, a few hundredths away from the
//! first: the memory of one query serves the next. Rows name the first shape, columns the second.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a bench stops where it cannot go on, and makes no trajectories"
)]

#[path = "../tests/it/samples.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod samples;

use impulse::geometry::closest::{PairCache, closest};
use impulse::geometry::{
    Capsule, Compound, Cone, ConvexPolyhedron, Cuboid, Cylinder, DecomposeSettings, Ellipsoid, Piece, RoundedCuboid,
    Shape, Sphere, StaticMesh, TriangleMesh, decompose, icosphere,
};
use impulse::math::Pose;
use impulse::{DQuat, DVec3};
use samples::{L, RING, blocks, housing};
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

const KINDS: [&str; 11] =
    ["sphere", "capsule", "cuboid", "rounded", "cylinder", "cone", "ellipsoid", "hull", "ball1280", "compound", "mesh"];

/// Relative poses of one case, half a turn.
const POSES: usize = 180;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let word = |i: usize| arguments.get(i).map_or("", String::as_str);
    match word(0) {
        "count" => {
            let runs: usize = word(3).parse().unwrap();
            println!("{}", Case::new(word(1), word(2), runs.min(POSES)).run(runs).distance);
        }
        "instructions" => table("instructions per query", word(1), &instructions),
        "decompose" => reports(),
        _ => {
            table("ns per query (steps)", "", &nanoseconds);
            reports();
        }
    }
}

/// Prints what `measure` says about every pair of kinds, or in one row; distances are symmetric, so half of the table will do.
fn table(title: &str, row: &str, measure: &dyn Fn(&Case<'_>) -> String) {
    println!("{title}\n{:>10}{}", "", KINDS[..10].iter().map(|k| format!("{k:>14}")).collect::<String>());
    for (i, first) in KINDS.iter().enumerate().filter(|(_, kind)| kind.contains(row)) {
        print!("{first:>10}");
        for second in KINDS.iter().take(i + 1).take(10) {
            print!("{:>14}", measure(&Case::new(first, second, POSES)));
        }
        println!();
    }
}

fn nanoseconds(case: &Case<'_>) -> String {
    let mut runs = 256;
    loop {
        let start = Instant::now();
        let total = case.run(runs);
        let elapsed = start.elapsed();
        if elapsed > Duration::from_millis(40) {
            let per_query = elapsed.as_nanos() as f64 / runs as f64;
            return format!("{per_query:.0} ({:.1})", total.steps / runs as f64);
        }
        runs *= 2;
    }
}

/// Instructions of two rounds over the poses less those of one, from callgrind.
fn instructions(case: &Case<'_>) -> String {
    let counted = |runs: usize| -> f64 {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(std::env::current_exe().unwrap());
        command.args(["count", case.names[0], case.names[1], &runs.to_string()]);
        let report = String::from_utf8_lossy(&command.output().expect("valgrind is needed").stderr).into_owned();
        let line = report.lines().find_map(|l| l.split("Collected :").nth(1)).expect("a count in callgrind's report");
        line.trim().parse().unwrap()
    };
    format!("{:.0}", (counted(2 * POSES) - counted(POSES)) / POSES as f64)
}

/// Prints how well decompositions fit.
fn reports() {
    println!("\nconvex decomposition, lengths in m");
    println!(
        "{:>10}{:>8}{:>14}{:>12}{:>12}{:>12}{:>10}",
        "part", "pieces", "volume error", "hausdorff", "spacing", "limit", "seconds"
    );
    for (name, solid) in [("L", blocks(&L)), ("ring", blocks(&RING)), ("housing", housing())] {
        let start = Instant::now();
        let report = decompose(&solid, &DecomposeSettings::default()).unwrap().report;
        println!(
            "{name:>10}{:>8}{:>14.2e}{:>12.2e}{:>12.2e}{:>12.2e}{:>10.2}",
            report.pieces,
            report.volume_error,
            report.hausdorff,
            report.sample_spacing,
            report.limit,
            start.elapsed().as_secs_f64()
        );
    }
}

struct Case<'a> {
    names: [&'a str; 2],
    first: Shape,
    second: Shape,
    poses: Vec<Pose>,
}

#[derive(Default)]
struct Total {
    steps: f64,
    distance: f64,
}

impl<'a> Case<'a> {
    fn new(first: &'a str, second: &'a str, poses: usize) -> Self {
        let names = [first, second];
        let (first, second) = (shape(first), shape(second));
        let radius = second.bounding_radius(DVec3::ZERO);
        let turn = |i: usize| {
            let spin = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), (i as f64).to_radians());
            spin * DQuat::from_axis_angle(DVec3::new(0.3, 0.5, 0.8).normalize(), 0.7)
        };
        // Over a mesh back and forth above the middle, otherwise around the first shape.
        let mut cache = PairCache::default();
        let pose = |i: usize| {
            let angle = 0.01 * i as f64;
            let (towards, start) = if names[0] == "mesh" {
                (DVec3::Z, DVec3::new(2.0 * angle.sin(), 1.5 * (0.7 * angle).cos(), 3.0 * radius + 1.0))
            } else {
                let outward = DVec3::new(angle.cos(), angle.sin(), 0.4 * (0.6 * angle).sin()).normalize();
                (outward, outward * 2.0 * (radius + first.bounding_radius(DVec3::ZERO)))
            };
            lowered([&first, &second], Pose::new(turn(i), start).unwrap(), towards, &mut cache)
        };
        let poses = (0..poses).map(pose).collect();
        Self { names, first, second, poses }
    }

    fn run(&self, runs: usize) -> Total {
        let mut cache = PairCache::default();
        let mut total = Total::default();
        for pose in self.poses.iter().cycle().take(runs) {
            let found = black_box(closest(&self.first, &self.second, black_box(pose), &mut cache));
            total.steps += f64::from(found.steps);
            total.distance += found.distance;
        }
        total
    }
}

/// The pose moved against `towards` until the shapes are a few hundredths of a metre apart.
fn lowered([first, second]: [&Shape; 2], mut pose: Pose, towards: DVec3, cache: &mut PairCache) -> Pose {
    for _ in 0..40 {
        let distance = closest(first, second, &pose, cache).distance;
        if distance < 0.05 {
            break;
        }
        pose.translation -= towards * (distance - 0.03);
    }
    pose
}

/// A shape of about a metre.
fn shape(kind: &str) -> Shape {
    let size = DVec3::new(0.8, 1.1, 1.4);
    match kind {
        "sphere" => Sphere::new(0.6).unwrap().into(),
        "capsule" => Capsule::new(0.3, 0.8).unwrap().into(),
        "cuboid" => Cuboid::new(size).unwrap().into(),
        "rounded" => RoundedCuboid::new(size, 0.1).unwrap().into(),
        "cylinder" => Cylinder::new(0.5, 1.1).unwrap().into(),
        "cone" => Cone::new(0.6, 1.2).unwrap().into(),
        "ellipsoid" => Ellipsoid::new(0.5 * size).unwrap().into(),
        "hull" => ConvexPolyhedron::hull(&icosphere(1).vertices.iter().map(|v| *v * 0.5 * size).collect::<Vec<_>>())
            .unwrap()
            .into(),
        "ball1280" => ConvexPolyhedron::hull(&icosphere(3).vertices).unwrap().into(),
        "compound" => ring_of_cuboids(),
        "mesh" => terrain(200),
        _ => panic!("there is no shape {kind}; there are {}", KINDS.join(", ")),
    }
}

/// Twelve boxes around a hole.
fn ring_of_cuboids() -> Shape {
    let piece = |i: u32| {
        let turn = DQuat::from_rotation_z(f64::from(i) * std::f64::consts::TAU / 12.0);
        Piece {
            shape: Cuboid::new(DVec3::new(0.25, 0.3, 0.2)).unwrap().into(),
            compound_from_piece: Pose::new(turn, turn * DVec3::new(0.6, 0.0, 0.0)).unwrap(),
        }
    };
    Compound::new((0..12).map(piece).collect()).unwrap().into()
}

/// Hills of `2 n^2` triangles, 10 m by 10 m, up to 0.4 m high.
fn terrain(n: u32) -> Shape {
    let mut mesh = TriangleMesh::default();
    let at = |i: u32| (f64::from(i) / f64::from(n) - 0.5) * 10.0;
    for i in 0..=n {
        for j in 0..=n {
            let (x, y) = (at(i), at(j));
            mesh.push(DVec3::new(x, y, 0.2 * (2.1 * x).sin() * (1.7 * y).cos() + 0.2 * (0.9 * x + 1.3 * y).sin()));
        }
    }
    for i in 0..n {
        for j in 0..n {
            let [a, b, c, d] = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| i * (n + 1) + j);
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    StaticMesh::new(mesh).unwrap().into()
}
