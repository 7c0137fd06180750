//! What a drop costs, and what a second thread brings: `cargo bench -p impulse-lab --bench drops`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench reports on standard output")]

use cpu_time::ProcessTime;
use glam::DVec3;
use impulse::geometry::{ConvexPolyhedron, Polyhedron, TriangleMesh};
use impulse_lab::{Conditions, Control, From, Landscape, Part, Reason, Spread, Study, normal_quantile};
use std::f64::consts::TAU;
use std::time::Instant;

fn main() {
    let solid = ConvexPolyhedron::cuboid(DVec3::new(0.05, 0.04, 0.03)).unwrap();
    let box_ = Part::from_polyhedron("box 10 x 8 x 6 cm", solid.surface(), 1000.0).unwrap();
    let ring = (0..50).map(|i| {
        let (s, c) = libm::sincos(TAU * f64::from(i) / 50.0);
        [0.04 + 0.015 * c, 0.015 * s]
    });
    let cap = [[0.02, 0.0], [0.022, 0.03], [0.018, 0.03], [0.016, 0.004], [0.001, 0.004], [0.001, 0.0]];
    let cup = revolved("ring-shaped cup", &cap, 400);
    for part in [box_, revolved("torus", &ring.collect::<Vec<_>>(), 50), cup] {
        measure(&part);
    }
}

/// A closed outline of (radius, height), counter-clockwise, turned about the z axis.
fn revolved(name: &str, outline: &[[f64; 2]], sections: u32) -> Part {
    let count = outline.len() as u32;
    let mut mesh = TriangleMesh::default();
    for k in 0..sections {
        let (s, c) = libm::sincos(TAU * f64::from(k) / f64::from(sections));
        mesh.vertices.extend(outline.iter().map(|&[r, z]| DVec3::new(r * c, r * s, z)));
        for i in 0..count {
            let corner = |dk: u32, di: u32| (k + dk) % sections * count + (i + di) % count;
            mesh.triangles.push([corner(0, 0), corner(1, 0), corner(1, 1)]);
            mesh.triangles.push([corner(0, 0), corner(1, 1), corner(0, 1)]);
        }
    }
    let solid = Polyhedron::from_triangles(&mesh).unwrap();
    Part::from_polyhedron(&format!("{name}, {} triangles", mesh.triangles.len()), &solid, 1000.0).unwrap()
}

fn measure(part: &Part) {
    let landscape = Landscape::new(part, 0.01);
    let conditions = Conditions { height: Spread::exactly(0.3), speed: Spread::exactly(0.0), ..Conditions::default() };
    let (drops, quantile) = (4000, normal_quantile(0.025));
    let study =
        Study { part, landscape: &landscape, conditions, seed: 1, drops, precision: None, quantile, threads: 1 };
    let mut walls = Vec::new();
    for threads in [1, 2] {
        let (cpu, wall) = (ProcessTime::now(), Instant::now());
        let study = Study { threads, ..study };
        let sample = study.run(From::Uniform, &Control::default(), |_| Vec::new());
        let per_drop = |seconds: f64| 1e3 * seconds / drops as f64;
        walls.push(wall.elapsed().as_secs_f64());
        let by = |reason: Reason| sample.outcomes.iter().flatten().filter(|o| o.reason == reason).count();
        println!(
            "{}: {threads} threads, {:.3} ms of CPU per drop, {:.3} ms of time; decided by energy {}, sliding {}, rest {}; undecided {}",
            part.name,
            per_drop(cpu.elapsed().as_secs_f64()),
            per_drop(wall.elapsed().as_secs_f64()),
            by(Reason::Energy),
            by(Reason::Sliding),
            by(Reason::Rest),
            by(Reason::TimeLimit),
        );
    }
    println!("  two threads are {:.2} times as fast as one", walls[0] / walls[1]);
}
