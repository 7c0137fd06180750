//! Collision checks per collision (section 2.3, table of checks in chapter 7's manner): counted work, no times.
//!
//!     cargo bench --bench checks
//!
//! Pairs of bodies 0.1 m in size, thrown at each other or dropped on a plane with 5 or 30 rad/s about random axes. `checks` are
//! events of the queue that measured the pair up to and including its first impact; `distances` are all measurements, those of
//! predictions included; `steps` are what predictions marched with support functions alone. `thesis` is the number of checks the
//! bound (2.2)-(2.5) needs to the same touch distance, 1e-9 of the smaller body's radius, and to 1e-3 of it.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a bench stops where it cannot go on")]

#[path = "../tests/it/samples.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod samples;
#[path = "../tests/it/toi_support.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod toi_support;

use impulse::DVec3;
use impulse::body::{Drive, Launch, Motion, PrincipalMass, State};
use impulse::detect::Search;
use impulse::geometry::{Capsule, Cuboid, Ellipsoid, HalfSpace, MassProperties, Shape, Sphere};
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodySpec, Event, MassSpec, MotionSpec, Settings, World, WorldBuilder};
use samples::Numbers;
use toi_support::Encounter;

/// Encounters that end in a collision, per line.
const COLLISIONS: u32 = 400;

/// Encounters that have come to nothing by then are left out, s.
const LIMIT: f64 = 2.0;

/// Checks after which the thesis' bound is not followed any further.
const MOST: u32 = 5000;

fn main() {
    println!("per collision             rad/s  checks  distances   steps     thesis  thesis to 1e-3");
    let lines: [(&str, Shape, bool); 7] = [
        ("ball - ball", ball(), false),
        ("ball - plane", ball(), true),
        ("box - plane", cuboid(), true),
        ("rod - plane", rod(), true),
        ("ellipsoid - plane", Ellipsoid::new(DVec3::new(0.06, 0.04, 0.03)).unwrap().into(), true),
        ("box - box", cuboid(), false),
        ("rod - rod", rod(), false),
    ];
    for (name, shape, is_over_plane) in &lines {
        for spin in [5.0, 30.0] {
            let mut numbers = Numbers(7);
            let mut sum = Sum::default();
            while sum.collisions < COLLISIONS {
                let case =
                    if *is_over_plane { drop(shape, spin, &mut numbers) } else { throw(shape, spin, &mut numbers) };
                sum.add(&case);
            }
            sum.print(name, spin);
        }
    }
}

fn ball() -> Shape {
    Sphere::new(0.05).unwrap().into()
}

fn cuboid() -> Shape {
    Cuboid::new(DVec3::new(0.10, 0.08, 0.06)).unwrap().into()
}

fn rod() -> Shape {
    Capsule::new(0.005, 0.2).unwrap().into()
}

/// Two bodies about to meet; the first may be a plane.
struct Case {
    shapes: [Shape; 2],
    starts: [State; 2],
    gravity: DVec3,
}

/// A body that falls on a plane from about half a metre.
fn drop(shape: &Shape, spin: f64, numbers: &mut Numbers) -> Case {
    let at = DVec3::new(0.0, 0.0, numbers.between(0.3, 0.8));
    let velocity = DVec3::new(numbers.between(-1.0, 1.0), numbers.between(-1.0, 1.0), 0.0);
    let falling = thrown(at, velocity, spin, numbers);
    let plane = HalfSpace::new(DVec3::Z, 0.0).unwrap().into();
    Case {
        shapes: [plane, shape.clone()],
        starts: [State::resting(Pose::IDENTITY), falling],
        gravity: DVec3::NEG_Z * 9.81,
    }
}

/// Two equal bodies half a metre apart that fly towards each other at 2 m/s.
fn throw(shape: &Shape, spin: f64, numbers: &mut Numbers) -> Case {
    let towards = numbers.direction();
    let aside = numbers.direction().reject_from_normalized(towards) * 0.04;
    let first = thrown(DVec3::ZERO, towards, spin, numbers);
    let second = thrown(towards * 0.5 + aside, -towards, spin, numbers);
    Case { shapes: [shape.clone(), shape.clone()], starts: [first, second], gravity: DVec3::NEG_Z * 9.81 }
}

fn thrown(at: DVec3, velocity: DVec3, spin: f64, numbers: &mut Numbers) -> State {
    let world_from_body = Pose { rotation: numbers.rotation(), translation: at };
    State { world_from_body, velocity, spin: numbers.direction() * spin }
}

#[derive(Default)]
struct Sum {
    collisions: u32,
    checks: u64,
    measurements: u64,
    marches: u64,
    thesis: u64,
    thesis_coarse: u64,
}

impl Sum {
    /// Follows a case to its first impact, if there is one.
    fn add(&mut self, case: &Case) {
        let mut world = case.world();
        let counted = loop {
            // What is predicted after the impact is not part of it.
            let before = world.counters();
            match world.step().unwrap() {
                Some(Event::Impact(_)) => break before,
                Some(_) if world.time() < LIMIT => {}
                _ => return,
            }
        };
        self.collisions += 1;
        self.checks += counted.checks + 1;
        self.measurements += counted.measurements + 1;
        self.marches += counted.marches;
        let encounter = case.encounter();
        let thesis = |touch: f64| {
            encounter.thesis_checks(
                &Search { from: 0.0, limit: LIMIT, touch_distance: touch, velocity_tolerance: 0.0 },
                MOST,
            )
        };
        self.thesis += u64::from(thesis(encounter.touch()));
        self.thesis_coarse += u64::from(thesis(1e6 * encounter.touch()));
    }

    fn print(&self, name: &str, spin: f64) {
        let per = |n: u64| n as f64 / f64::from(self.collisions);
        println!(
            "{name:25} {spin:5} {:7.2} {:10.2} {:7.2} {:10.1} {:15.1}",
            per(self.checks),
            per(self.measurements),
            per(self.marches),
            per(self.thesis),
            per(self.thesis_coarse)
        );
    }
}

impl Case {
    fn mass(&self, i: usize) -> Option<MassProperties> {
        self.shapes[i].volume_integrals().map(|v| MassProperties::from_density(&v, 1000.0).unwrap())
    }

    fn world(&self) -> World {
        let mut builder = WorldBuilder::new(Settings { gravity: self.gravity, ..Settings::default() }).unwrap();
        let material = builder.add_material(Material { friction: 0.3, restitution: 0.5, law: Law::Stronge }).unwrap();
        for (i, State { world_from_body, velocity, spin }) in self.starts.into_iter().enumerate() {
            let motion = match self.mass(i) {
                Some(mass) => MotionSpec::Free { mass: MassSpec::Properties(mass), velocity, spin },
                None => MotionSpec::Fixed,
            };
            let (name, shape) = (i.to_string(), self.shapes[i].clone());
            builder.add_body(BodySpec { name, shape, world_from_shape: world_from_body, material, motion }).unwrap();
        }
        builder.build().unwrap()
    }

    /// The same without a world; all these shapes have their centre of mass and their principal axes as frame.
    fn encounter(&self) -> Encounter {
        let motions = [0, 1].map(|i| match self.mass(i) {
            Some(mass) => {
                let moments = mass.inertia * DVec3::ONE;
                let mass = PrincipalMass::new(mass.mass, moments).unwrap();
                let drive = Drive { acceleration: self.gravity, torque: DVec3::ZERO };
                Motion::free(mass, Launch { time: 0.0, state: self.starts[i] }, drive)
            }
            None => Motion::Fixed(self.starts[i].world_from_body),
        });
        Encounter { shapes: self.shapes.clone(), motions, body_from_shape: [Pose::IDENTITY; 2] }
    }
}
