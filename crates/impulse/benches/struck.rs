//! Random impacts at two to eight points at once (`respond::resolve_together`): what they cost, how many could not be followed to
//! their end, and whether any gained energy or left a point approaching.
//!
//! `cargo bench --bench struck -- N SEED` takes N impacts of each kind.

#![expect(clippy::print_stdout, reason = "a bench reports, and stops where it cannot go on")]

#[path = "support/random.rs"]
mod random;

use glam::{DMat3, DQuat, DVec3};
use impulse::respond::{StruckBody, StruckOutcome, StruckPoint, StruckScratch, resolve_together};
use random::Stream;
use std::time::Instant;

type Kind = (&'static str, fn(&mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>));

const KINDS: [Kind; 9] = [
    ("box flat", flat_box),
    ("box flat, spinning", spinning_box),
    ("hull on a floor", hull),
    ("rod on two posts", posts),
    ("box in a wedge", wedge),
    ("ball in a corner", corner),
    ("two boxes face to face", two_boxes),
    ("any points of one body", any_points),
    ("any points of two bodies", any_points_of_two),
];

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let (count, seed) = (numbers.first().copied().unwrap_or(2000), numbers.get(1).copied().unwrap_or(1));
    println!("{count} impacts of each kind, seed {seed}\n");
    println!(
        "{:26} {:>10} {:>7} {:>6} {:>8} {:>8} {:>9} {:>9}",
        "kind", "incomplete", "steps", "worst", "us", "worst", "gain", "approach"
    );
    let mut whole = Tally::default();
    for (name, kind) in KINDS {
        let mut random = Stream(seed);
        let mut tally = Tally::default();
        for _ in 0..count {
            let (bodies, points) = kind(&mut random);
            tally.add(&bodies, &points);
        }
        tally.print(name);
        whole.merge(&tally);
    }
    whole.print("all");
}

/// What is counted.
#[derive(Default)]
struct Tally {
    scratch: StruckScratch,
    count: u64,
    incomplete: u64,
    steps: usize,
    most_steps: usize,
    time: f64,
    longest: f64,
    /// Largest gain of energy, relative to the energy.
    gain: f64,
    /// Largest approach left, relative to the fastest point.
    approach: f64,
}

impl Tally {
    fn add(&mut self, bodies: &[StruckBody], points: &[StruckPoint]) {
        let start = Instant::now();
        let Ok(outcome) = resolve_together(&mut self.scratch, bodies, points) else { return };
        let time = start.elapsed().as_secs_f64();
        let before: Vec<_> = bodies.iter().map(|body| (body.velocity, body.spin)).collect();
        let (from, to) = (energy(bodies, &before), energy(bodies, &outcome.velocities));
        let fastest = points.iter().map(|p| relative(p, &before).length()).fold(0.0, f64::max);
        let left = points.iter().map(|p| -relative(p, &outcome.velocities).dot(p.normal)).fold(0.0, f64::max);
        self.gain = self.gain.max((to - from) / from);
        self.approach = self.approach.max(left / fastest);
        assert!(is_finite(outcome), "not finite: {bodies:?} {points:?}");
        let (steps, complete) = (outcome.steps, outcome.complete);
        self.count(steps, complete, time);
    }

    fn count(&mut self, steps: usize, complete: bool, time: f64) {
        self.count += 1;
        self.incomplete += u64::from(!complete);
        self.steps += steps;
        self.most_steps = self.most_steps.max(steps);
        self.time += time;
        self.longest = self.longest.max(time);
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.incomplete += other.incomplete;
        self.steps += other.steps;
        self.most_steps = self.most_steps.max(other.most_steps);
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
        self.gain = self.gain.max(other.gain);
        self.approach = self.approach.max(other.approach);
    }

    fn print(&self, name: &str) {
        let count = self.count as f64;
        println!(
            "{name:26} {:>10} {:7.0} {:6} {:8.1} {:8.0} {:9.1e} {:9.1e}",
            format!("{}/{}", self.incomplete, self.count),
            self.steps as f64 / count,
            self.most_steps,
            1e6 * self.time / count,
            1e6 * self.longest,
            self.gain,
            self.approach,
        );
    }
}

fn is_finite(outcome: &StruckOutcome) -> bool {
    outcome.velocities.iter().all(|(v, w)| v.is_finite() && w.is_finite())
        && outcome.impulses.iter().all(|p| p.is_finite())
        && outcome.point_losses.iter().all(|loss| loss.is_finite())
}

fn relative(point: &StruckPoint, velocities: &[(DVec3, DVec3)]) -> DVec3 {
    let at =
        |body: Option<usize>, arm: DVec3| body.map_or(DVec3::ZERO, |b| velocities[b].0 + velocities[b].1.cross(arm));
    at(point.bodies[0], point.arms[0]) - at(point.bodies[1], point.arms[1])
}

fn energy(bodies: &[StruckBody], velocities: &[(DVec3, DVec3)]) -> f64 {
    let of_one =
        |(body, &(v, w)): (&StruckBody, &(DVec3, DVec3))| 0.5 * (body.mass * v.dot(v) + w.dot(body.inertia * w));
    bodies.iter().zip(velocities).map(of_one).sum()
}

impl Stream {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn index(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector(1.0);
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    /// Restitution from 0 to 1, ends included; friction from 0 to 10, mostly below 1.
    fn coefficients(&mut self) -> (f64, f64) {
        let restitution = match self.index(6) {
            0 => 0.0,
            1 => 1.0,
            _ => self.next(),
        };
        let friction = match self.index(6) {
            0 => 0.0,
            1 => self.between(0.0, 10.0),
            _ => self.next(),
        };
        (friction, restitution)
    }

    fn half_sides(&mut self) -> DVec3 {
        DVec3::new(self.between(0.02, 0.1), self.between(0.02, 0.1), self.between(0.02, 0.1))
    }

    /// A box of any mass that moves downwards.
    fn falling(&mut self, half: DVec3, spin: f64) -> StruckBody {
        let mass = libm::exp(self.between(-5.0, 5.0));
        let square = half * half * (mass / 3.0);
        let inertia = DMat3::from_diagonal(DVec3::new(square.y + square.z, square.x + square.z, square.x + square.y));
        let velocity = self.vector(1.0) - 1.5 * DVec3::Z;
        StruckBody { mass, inertia, velocity, spin: self.vector(spin) }
    }
}

fn point(arm: DVec3, normal: DVec3, (friction, restitution): (f64, f64)) -> StruckPoint {
    let arms = [arm, DVec3::ZERO];
    StruckPoint { bodies: [Some(0), None], arms, surface_velocity: DVec3::ZERO, normal, friction, restitution }
}

fn corners(half: DVec3, coefficients: (f64, f64)) -> Vec<StruckPoint> {
    let corner = |x: f64, y: f64| point(half * DVec3::new(x, y, -1.0), DVec3::Z, coefficients);
    vec![corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)]
}

fn flat_box(random: &mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    let half = random.half_sides();
    (vec![random.falling(half, 0.0)], corners(half, random.coefficients()))
}

fn spinning_box(random: &mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    let half = random.half_sides();
    (vec![random.falling(half, 5.0)], corners(half, random.coefficients()))
}

fn hull(random: &mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    let half = random.half_sides();
    let coefficients = random.coefficients();
    let count = 2 + random.index(7);
    let mut vertex =
        || point(half * (random.vector(1.0) * DVec3::new(1.0, 1.0, 0.0) - DVec3::Z), DVec3::Z, coefficients);
    let points = (0..count).map(|_| vertex()).collect();
    (vec![random.falling(half, 5.0)], points)
}

fn posts(random: &mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    let half = DVec3::new(0.2, 0.01, 0.01);
    let [a, b] = [random.next(), -random.next()];
    let points = [a, b].map(|x| point(DVec3::new(0.2 * x, 0.0, -0.01), DVec3::Z, random.coefficients()));
    (vec![random.falling(half, 5.0)], points.to_vec())
}

/// Two corners against each of two walls that lean outwards.
fn wedge(random: &mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    let half = random.half_sides();
    let coefficients = random.coefficients();
    let lean = [random.between(0.1, 1.4), random.between(0.1, 1.4)];
    let mut points = corners(half, coefficients);
    for point in &mut points {
        let (side, lean) = if point.arms[0].x > 0.0 { (-1.0, lean[0]) } else { (1.0, lean[1]) };
        point.normal = DVec3::new(side * libm::cos(lean), 0.0, libm::sin(lean));
    }
    let mut body = random.falling(half, 2.0);
    body.velocity.z -= 2.0;
    (vec![body], points)
}

fn corner(random: &mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    let mut body = random.falling(DVec3::splat(0.05), 20.0);
    body.inertia = DMat3::from_diagonal(DVec3::splat(0.4 * body.mass * 0.0025));
    let coefficients = random.coefficients();
    let count = 2 + random.index(2);
    let mut wall = || {
        let mut normal = random.direction();
        normal.z = normal.z.abs() + 0.2;
        let normal = normal.normalize();
        point(-0.05 * normal, normal, coefficients)
    };
    let points = (0..count).map(|_| wall()).collect();
    body.velocity.z -= 2.0;
    (vec![body], points)
}

/// Masses differ up to 1e4 times.
fn two_boxes(random: &mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    let half = random.half_sides();
    let mut points = corners(half, random.coefficients());
    for point in &mut points {
        point.bodies[1] = Some(1);
        point.arms[1] = DVec3::new(point.arms[0].x, point.arms[0].y, half.z);
    }
    let (upper, mut lower) = (random.falling(half, 2.0), random.falling(half, 2.0));
    lower.velocity = random.vector(0.5);
    (vec![upper, lower], points)
}

fn any_points(random: &mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    any(random, None)
}

fn any_points_of_two(random: &mut Stream) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    any(random, Some(1))
}

/// Points and normals anywhere, most of which approach: wedged and jammed in every way.
fn any(random: &mut Stream, other: Option<usize>) -> (Vec<StruckBody>, Vec<StruckPoint>) {
    let mut body = || {
        let half = random.half_sides();
        let body = random.falling(half, 10.0);
        let turned = DMat3::from_quat(DQuat::from_scaled_axis(random.vector(2.0)));
        StruckBody { inertia: turned * body.inertia * turned.transpose(), velocity: random.vector(1.0), ..body }
    };
    let bodies: Vec<_> = (0..=other.map_or(0, |_| 1)).map(|_| body()).collect();
    let before: Vec<_> = bodies.iter().map(|body| (body.velocity, body.spin)).collect();
    let count = 2 + random.index(7);
    let mut any = |i: usize| {
        let mut point = point(random.vector(0.1), random.direction(), random.coefficients());
        (point.bodies[1], point.arms[1]) = (other, random.vector(0.1));
        if (i % 4 != 3) && relative(&point, &before).dot(point.normal) > 0.0 {
            point.normal = -point.normal;
        }
        point
    };
    let points = (0..count).map(&mut any).collect();
    (bodies, points)
}
