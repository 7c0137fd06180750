//! Whether drops end where they are decided to: random parts under random conditions, run on until they have settled.
//!
//! `cargo bench -p impulse-lab --bench decisions -- [--parts N] [--first I]`: one drop each of N random parts (10000).
#![expect(clippy::print_stdout, reason = "a bench reports on standard output")]

#[path = "shared/random_part.rs"]
mod random_part;

use impulse_lab::{Conditions, Control, Fall, Landscape, Outcome, Reason, Spread, Start, run_trials};
use impulse_scenes::Random;
use random_part::random_part;

fn main() {
    let parts = option("--parts").unwrap_or(10_000);
    let first = option("--first").unwrap_or(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let results = run_trials(first..first + parts, threads, &Control::default(), trial);
    let mut sums = [0_u64; 4];
    let (mut exceptions, mut unsettled, mut failed) = (0, 0, 0);
    for (i, result) in (first..).zip(&results) {
        match result {
            Err(error) => {
                println!("part {i} failed: {error}");
                failed += 1;
            }
            Ok(Verdict { decided, settled, conditions }) => {
                sums[decided.reason as usize] += 1;
                if settled.pose.is_none() {
                    unsettled += 1;
                } else if decided.pose.is_some() && decided.pose != settled.pose {
                    println!("part {i}: decided {decided:?}, settled {settled:?}, {conditions:?}");
                    exceptions += 1;
                }
            }
        }
    }
    let [energy, sliding, rest, limit] = sums;
    println!(
        "{parts} drops: decided by energy {energy}, by sliding {sliding}, by rest {rest}, undecided {limit}; {failed} failed"
    );
    println!("{exceptions} exceptions; {unsettled} had not settled at the time limit");
    if exceptions + failed > 0 {
        std::process::exit(1);
    }
}

struct Verdict {
    decided: Outcome,
    settled: Outcome,
    conditions: Conditions,
}

fn trial(i: u64) -> Result<Verdict, String> {
    let random = &mut Random::of_trial(1, i);
    let part = random_part(random);
    let landscape = Landscape::new(&part, 0.01);
    let conditions = Conditions {
        friction: random.between(0.05, 1.5),
        restitution: random.between(0.0, 0.9),
        height: Spread::exactly(random.between(0.0, 10.0) * part.radius),
        speed: Spread { low: 0.0, high: 1.0 },
        spin: Spread { low: 0.0, high: 30.0 },
        time_limit: 60.0,
        ..Conditions::default()
    };
    let fall = Fall::new(&part, &landscape, &conditions);
    let [decided, settled] = fall.drop_to_rest(&Start::uniform(&conditions, random))?;
    debug_assert!(decided.reason != Reason::TimeLimit || decided.pose.is_none());
    Ok(Verdict { decided, settled, conditions })
}

fn option(name: &str) -> Option<u64> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)?.parse().ok()
}
