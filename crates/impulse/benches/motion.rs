//! Cost of bringing one body to a time, by kind of motion (section 2.3.3), of starting one, and of its bounds.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use impulse::body::{Cycle, Drive, Launch, Motion, PrincipalMass, Range, State};
use impulse::math::Pose;
use impulse::{DQuat, DVec3};
use std::hint::black_box;
use std::time::Instant;

/// Evaluations per timed run, and runs of which the fastest counts: noise only ever adds.
const EVALUATIONS: u32 = 20_000;
const RUNS: u32 = 50;

fn main() {
    println!("nanoseconds per call              state   start  swept box\n");
    for (name, motion) in motions() {
        let state = fastest(|i| motion.state_at(f64::from(i) * 1e-4));
        let launch = Launch { time: 0.0, state: motion.state_at(0.01) };
        let start = motion.mass().map(|_| {
            fastest(|_| {
                let mut again = motion.clone();
                again.relaunch(black_box(launch));
                again
            })
        });
        let swept = fastest(|i| motion.swept_box(0.1, Range::new(f64::from(i) * 1e-4, 2.0)));
        let start = start.map_or("-".to_owned(), |ns| format!("{ns:.1}"));
        println!("{name:30} {state:8.1} {start:>7} {swept:10.1}");
    }
    println!("\nbytes per motion: {}", size_of::<Motion>());
}

fn motions() -> Vec<(&'static str, Motion)> {
    let free = |moments: [f64; 3], spin: [f64; 3], torque: DVec3| {
        let mass = PrincipalMass::new(1.0, DVec3::from_array(moments)).expect("a body's moments");
        let pose = Pose::new(DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9), DVec3::ONE).expect("a pose");
        let state = State { world_from_body: pose, velocity: DVec3::X, spin: DVec3::from_array(spin) };
        Motion::free(mass, Launch { time: 0.0, state }, Drive { acceleration: DVec3::NEG_Z, torque })
    };
    let none = DVec3::ZERO;
    let mut driven = free([1.0, 2.0, 2.5], [3.0, 2.0, 1.0], DVec3::new(0.1, -0.2, 0.3));
    if let Motion::Driven(driven) = &mut driven {
        driven.keep(Range::new(0.0, 2.1));
    }
    let spinner = Cycle::spinner(Pose::IDENTITY, DVec3::Z, DVec3::X, 3.0).expect("an axis");
    vec![
        ("sphere", free([1.0; 3], [3.0, 2.0, 1.0], none)),
        ("symmetric", free([1.0, 1.0, 1.6], [3.0, 2.0, 1.0], none)),
        ("triaxial", free([1.0, 2.0, 2.5], [3.0, 0.5, 1.0], none)),
        ("triaxial near the separatrix", free([1.0, 2.0, 2.5], [0.01, 2.0, 0.01], none)),
        ("driven", driven),
        ("spinner", Motion::Scripted(spinner.into())),
    ]
}

fn fastest<T>(call: impl Fn(u32) -> T) -> f64 {
    let timed = |_| {
        let start = Instant::now();
        for i in 0..EVALUATIONS {
            black_box(call(black_box(i)));
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(EVALUATIONS)
    };
    (0..RUNS).map(timed).fold(f64::MAX, f64::min)
}
