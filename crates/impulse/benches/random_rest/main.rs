//! Random bodies dropped into a tray until they rest, and a minute more (sections 1.3, 3.5): what must always hold.
//!
//! `cargo bench --bench random_rest -- N SEED` runs N scenes from a seed on, and a third number says which of their bodies are
//! there, a bit for each. Every scene is run twice: once looked at often, once
//! not at all, which must make no difference. Scenes that fail are reduced to the fewest bodies that still fail in the same way.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "../support/random.rs"]
mod random;
mod scene;
#[path = "../support/mod.rs"]
mod support;
mod watched;

use scene::Scene;
use std::mem::discriminant;
use std::process::ExitCode;
use support::cpu_seconds;
use watched::{Failure, Watched};

/// Scenes that are reduced at most: that takes longer than to find them.
const REDUCED: usize = 10;

fn main() -> ExitCode {
    let given: Vec<u64> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let [count, first, kept] =
        [(0, 50), (1, 0), (2, u64::MAX)].map(|(i, usual)| given.get(i).copied().unwrap_or(usual));
    let begin = cpu_seconds();
    let (mut total, mut failures) = (Account::default(), Vec::new());
    for seed in first..first + count {
        let scene = Scene { seed, kept };
        match check(&scene) {
            Ok(account) => total.add(&account),
            Err(failure) => failures.push((scene, failure)),
        }
    }
    println!("scenes  settled  simulated hours      events  failures  CPU s  most events per hop (seed)");
    println!(
        "{count:6} {:8} {:16.3} {:11} {:9} {:6.0} {:20.2} ({})",
        total.settled,
        total.simulated / 3600.0,
        total.events,
        failures.len(),
        cpu_seconds() - begin,
        total.busiest.0,
        total.busiest.1,
    );
    let code = if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    for (i, (scene, failure)) in failures.into_iter().enumerate() {
        println!("seed {}: {failure}", scene.seed);
        let least = if i < REDUCED { reduced(scene, &failure) } else { scene };
        if let (true, Err(failure)) = (i < REDUCED, check(&least)) {
            println!("  -- 1 {} {}: {} alone: {failure}", least.seed, least.kept, least.names().join(", "));
        }
    }
    code
}

/// What good scenes add up to.
#[derive(Default)]
struct Account {
    settled: u64,
    /// Seconds.
    simulated: f64,
    events: u64,
    /// Most events between two looks, in hops that all bodies could do in that time, and the seed.
    busiest: (f64, u64),
}

impl Account {
    fn add(&mut self, other: &Self) {
        self.settled += other.settled;
        self.simulated += other.simulated;
        self.events += other.events;
        if other.busiest.0 > self.busiest.0 {
            self.busiest = other.busiest;
        }
    }
}

/// Runs a scene twice.
fn check(scene: &Scene) -> Result<Account, Failure> {
    let mut looked = Watched::new(scene);
    let settled = looked.settle()?;
    if settled {
        looked.rest()?;
    }
    let time = looked.world.time();
    let (mut unseen, _) = scene.build(false);
    unseen.run_to(time).map_err(|e| Failure::Error(e.to_string()))?;
    let counters = looked.world.counters();
    if (unseen.trace_hash(), unseen.counters()) != (looked.world.trace_hash(), counters) {
        return Err(Failure::NotRepeated);
    }
    Ok(Account {
        settled: settled.into(),
        simulated: time,
        events: counters.events,
        busiest: (looked.rate, scene.seed),
    })
}

/// Without the bodies that a failure of the same kind does not need.
fn reduced(scene: Scene, failure: &Failure) -> Scene {
    let mut least = Scene { kept: scene.kept & ((1 << scene::MOST) - 1), ..scene };
    for i in 0..scene::MOST {
        let fewer = Scene { kept: least.kept & !(1 << i), ..least };
        if check(&fewer).err().is_some_and(|other| discriminant(&other) == discriminant(failure)) {
            least = fewer;
        }
    }
    least
}
