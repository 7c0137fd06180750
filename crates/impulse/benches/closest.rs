//! Closest features (section 2.2.1) beside parry3d-f64: thesis figure 2.5 again, two boxes, and the long run of the oracle.
//!
//!     cargo bench --bench closest                        times and steps
//!     cargo bench --bench closest -- instructions        instructions per query, counted by callgrind (needs valgrind)
//!     cargo bench --bench closest -- oracle 1000000 [SEED]   random poses proven right, see tests/it/closest_oracle.rs
//!     cargo bench --bench closest -- count CASE N        runs one case N times, for a profiler; without N lists the cases
//!
//! Spheres of 320 to 20480 facets turn by 1 to 20 degrees between queries on an axis parallel to the nearest face of a fixed cube.
//! `tracked` is this crate's search; `seeded` is parry's GJK begun with its last simplex, on supports that climb from the last
//! vertex; `distance` is parry's own query.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench stops where it cannot go on, and makes no trajectories"
)]

#[path = "../tests/it/closest_oracle.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod closest_oracle;

use closest_oracle::corners;
use impulse::geometry::{ConvexPolyhedron, FeaturePair, closest_polyhedra, icosphere};
use impulse::math::Pose;
use impulse::{DQuat, DVec3};
use parry3d_f64::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};
use parry3d_f64::shape::{ConvexPolyhedron as ParryPolyhedron, Cuboid, Shape, SupportMap};
use parry3d_f64::{math, query};
use std::cell::Cell;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

const DEGREES: [u32; 5] = [1, 2, 5, 10, 20];
const HALVINGS: [u32; 4] = [2, 3, 4, 5];
const METHODS: [&str; 3] = ["tracked", "seeded", "distance"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let word = |i: usize| arguments.get(i).map_or("", String::as_str);
    match word(0) {
        "oracle" => {
            let (poses, seed) = (word(1).parse().unwrap_or(100_000), word(2).parse().unwrap_or(1));
            println!("{:#?}", closest_oracle::examine(poses, seed));
        }
        "count" => count(word(1), word(2).parse().ok()),
        "instructions" => table("instructions per query", &instructions),
        _ => table("ns per query (steps, distance summed over the poses)", &nanoseconds),
    }
}

/// Prints what `measure` says about every case, methods side by side.
fn table(title: &str, measure: &dyn Fn(&Case) -> String) {
    println!("{title}\n{:>16} {:>28} {:>28} {:>28}", "case", METHODS[0], METHODS[1], METHODS[2]);
    for names in cases().chunk_by(|a, b| a.0 == b.0) {
        let cells: Vec<_> = names.iter().map(|(bodies, method)| measure(&Case::new(bodies, method))).collect();
        println!("{:>16} {:>28} {:>28} {:>28}", names[0].0, cells[0], cells[1], cells[2]);
    }
}

/// All cases: bodies and motion, and method.
fn cases() -> Vec<(String, &'static str)> {
    let spheres = HALVINGS.iter().flat_map(|h| DEGREES.iter().map(move |d| format!("{}/{d}", 20 << (2 * h))));
    let boxes = DEGREES.iter().map(|d| format!("box/{d}"));
    spheres.chain(boxes).flat_map(|bodies| METHODS.map(|method| (bodies.clone(), method))).collect()
}

fn nanoseconds(case: &Case) -> String {
    let mut runs = 64;
    loop {
        let start = Instant::now();
        let total = case.run(runs);
        let elapsed = start.elapsed();
        if elapsed > Duration::from_millis(40) {
            let nanoseconds = elapsed.as_nanos() as f64 / f64::from(runs);
            return format!("{nanoseconds:.0} ({:.2}, {:.5})", total.steps / f64::from(runs), case.run(360).distance);
        }
        runs *= 2;
    }
}

/// Instructions of `2 N` runs less those of `N`, from callgrind.
fn instructions(case: &Case) -> String {
    let runs = if case.method == "distance" && case.bodies != "box" { 40 } else { 2000 };
    let counted = |runs: u32| -> f64 {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(std::env::current_exe().unwrap());
        let output = command.args(["count", &case.name(), &runs.to_string()]).output().expect("valgrind is needed");
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = report.lines().find_map(|l| l.split("Collected :").nth(1)).expect("a count in callgrind's report");
        line.trim().parse().unwrap()
    };
    format!("{:.0}", (counted(2 * runs) - counted(runs)) / f64::from(runs))
}

fn count(name: &str, runs: Option<u32>) {
    let (Some((bodies, method)), Some(runs)) = (name.rsplit_once('/'), runs) else {
        return cases().iter().for_each(|(bodies, method)| println!("{bodies}/{method}"));
    };
    println!("{}", Case::new(bodies, method).run(runs).distance);
}

struct Case {
    bodies: String,
    degrees: u32,
    method: String,
    fixed: ConvexPolyhedron,
    turning: ConvexPolyhedron,
    /// Relative poses of one turn.
    poses: Vec<Pose>,
}

#[derive(Default)]
struct Total {
    steps: f64,
    distance: f64,
}

impl Case {
    fn new(name: &str, method: &str) -> Self {
        let (bodies, degrees) = name.split_once('/').unwrap();
        let degrees: u32 = degrees.parse().unwrap();
        let (turning, axis, at) = if bodies == "box" {
            // Above an edge of the cube, so that faces, edges and corners come closest in turn.
            (corners(DVec3::new(0.5, 0.7, 0.9)), DVec3::new(1.0, 2.0, 0.5), DVec3::new(0.4, 1.6, 1.9))
        } else {
            let halvings = (bodies.parse::<u32>().unwrap() / 20).ilog2() / 2;
            (icosphere(halvings).vertices, DVec3::new(1.0, 0.3, 0.0), DVec3::new(0.1, 0.05, 2.1))
        };
        // Not from the symmetric position, and not over the same poses in every turn.
        let pose = |i: u32| {
            let turn = DQuat::from_axis_angle(axis.normalize(), f64::from(i * degrees).to_radians() + 0.1);
            Pose::new(turn * DQuat::from_axis_angle(DVec3::new(0.3, 0.5, 0.8).normalize(), 0.7), at).unwrap()
        };
        Self {
            bodies: bodies.to_owned(),
            degrees,
            method: method.to_owned(),
            fixed: ConvexPolyhedron::hull(&corners(DVec3::ONE)).unwrap(),
            turning: ConvexPolyhedron::hull(&turning).unwrap(),
            poses: (0..360).map(pose).collect(),
        }
    }

    fn name(&self) -> String {
        format!("{}/{}/{}", self.bodies, self.degrees, self.method)
    }

    fn run(&self, runs: u32) -> Total {
        let poses = self.poses.iter().cycle().take(runs as usize);
        match self.method.as_str() {
            "tracked" => self.run_tracked(poses),
            "seeded" => self.run_seeded(poses),
            _ => self.run_distance(poses),
        }
    }

    fn run_tracked<'a>(&self, poses: impl Iterator<Item = &'a Pose>) -> Total {
        let mut cache = FeaturePair::default();
        let mut total = Total::default();
        for pose in poses {
            let answer = black_box(closest_polyhedra(&self.fixed, &self.turning, black_box(pose), &mut cache));
            total.steps += f64::from(answer.steps);
            total.distance += answer.distance;
        }
        total
    }

    fn run_seeded<'a>(&self, poses: impl Iterator<Item = &'a Pose>) -> Total {
        let (fixed, turning) = (Climber::new(&self.fixed), Climber::new(&self.turning));
        let mut simplex = VoronoiSimplex::new();
        let mut last = parry(&self.poses[0]);
        simplex.reset(CsoPoint::from_shapes(&last, &fixed, &turning, -last.translation.normalize()));
        let mut total = Total::default();
        for pose in poses {
            let pose = parry(black_box(pose));
            let moved = pose * last.inverse();
            simplex.modify_pnts(&|p| *p = CsoPoint::new(p.orig1, moved * p.orig2));
            last = pose;
            let answer = gjk::closest_points(&pose, &fixed, &turning, f64::MAX, true, &mut simplex);
            if let GJKResult::ClosestPoints(a, b, _) = black_box(answer) {
                total.distance += a.distance(b);
            }
        }
        total
    }

    fn run_distance<'a>(&self, poses: impl Iterator<Item = &'a Pose>) -> Total {
        let fixed = Cuboid::new(DVec3::ONE);
        let turning: Box<dyn Shape> = if self.bodies == "box" {
            Box::new(Cuboid::new(DVec3::new(0.5, 0.7, 0.9)))
        } else {
            Box::new(ParryPolyhedron::from_convex_hull(self.turning.vertices()).unwrap())
        };
        let mut total = Total::default();
        for pose in poses {
            let pose = parry(black_box(pose));
            let answer = query::distance(&math::Pose::IDENTITY, &fixed, &pose, turning.as_ref());
            total.distance += black_box(answer.unwrap().distance);
        }
        total
    }
}

fn parry(pose: &Pose) -> math::Pose {
    math::Pose { rotation: pose.rotation, translation: pose.translation }
}

/// A body whose support points are looked for from the last one.
struct Climber<'a> {
    body: &'a ConvexPolyhedron,
    last: Cell<u32>,
}

impl<'a> Climber<'a> {
    fn new(body: &'a ConvexPolyhedron) -> Self {
        Self { body, last: Cell::new(0) }
    }
}

impl SupportMap for Climber<'_> {
    fn local_support_point(&self, direction: DVec3) -> DVec3 {
        let vertex = self.body.climb(self.last.get(), direction);
        self.last.set(vertex);
        self.body.vertices()[vertex as usize]
    }
}
