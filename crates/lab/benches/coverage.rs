//! Whether intervals contain the truth as often as they say, and whether the belt's matrix agrees with the thesis' feedback.
//!
//! `cargo bench -p impulse-lab --bench coverage -- [--truth N] [--studies N] [--feedback N]`
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench reports on standard output")]

use glam::DVec3;
use impulse::geometry::ConvexPolyhedron;
use impulse_lab::{Belt, Conditions, Control, Fall, From, Landscape, Part, Spread, Start, Study, normal_quantile};
use impulse_scenes::Random;

/// Drops of a study.
const DROPS: u64 = 300;

fn main() {
    let solid = ConvexPolyhedron::cuboid(DVec3::new(0.01, 0.008, 0.006)).unwrap();
    let part = Part::from_polyhedron("box", solid.surface(), 1000.0).unwrap();
    let landscape = Landscape::new(&part, 0.01);
    let study = Study {
        part: &part,
        landscape: &landscape,
        conditions: Conditions::default(),
        seed: 0,
        drops: DROPS,
        precision: None,
        quantile: normal_quantile(0.025),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
    };
    coverage(&study, option("--truth").unwrap_or(1_000_000), option("--studies").unwrap_or(1000));
    belt(&study, option("--feedback").unwrap_or(100_000));
}

/// Repeated studies against one of a million drops.
fn coverage(study: &Study<'_>, truth: u64, studies: u64) {
    let shares = |study: &Study<'_>| {
        let sample = study.run(From::Uniform, &Control::default(), |_| Vec::new());
        study.shares(&sample)
    };
    let exact = shares(&Study { drops: truth, ..*study });
    println!("{truth} drops: {:?}", exact.iter().map(|e| e.probability).collect::<Vec<_>>());
    let mut hits = vec![0; exact.len()];
    for seed in 1..=studies {
        let found = shares(&Study { seed, ..*study });
        for (hit, (estimate, truth)) in hits.iter_mut().zip(found.iter().zip(&exact)) {
            let [low, high] = estimate.interval;
            *hit += u64::from((low..=high).contains(&truth.probability));
        }
    }
    let all = hits.iter().sum::<u64>() as f64 / (studies * hits.len() as u64) as f64;
    println!("{studies} studies of {DROPS} drops: {:.2} % of 95 % intervals contain it; by pose {hits:?}", 100.0 * all);
}

/// Matrix and feedback with as many drops each.
fn belt(study: &Study<'_>, drops: u64) {
    // High enough that parts leave every pose: from 12 cm this box keeps lying on its large faces.
    let conditions =
        Conditions { height: Spread::exactly(0.3), spin: Spread { low: 5.0, high: 20.0 }, ..study.conditions };
    let study = Study { drops, conditions, ..*study };
    let belt = Belt::new(&study, &study.run(From::Poses, &Control::default(), |_| Vec::new()));
    let fall = Fall::new(study.part, study.landscape, &study.conditions);
    let mut ends: Vec<usize> = Vec::new();
    for i in 0..drops {
        let random = &mut Random::of_trial(77, i);
        // Section 7.5.3: the first 20 drops start from any attitude, the others from ends so far.
        let start = if i < 20 {
            Start::uniform(&study.conditions, random)
        } else {
            let from = ends[random.whole(0, ends.len() as i64 - 1) as usize];
            Start::lying(study.landscape.poses[from].down, &study.conditions, random)
        };
        ends.extend(fall.drop(&start).unwrap().pose);
    }
    println!("belt, {drops} drops each: matrix with interval, feedback");
    for (i, estimate) in belt.estimates.iter().enumerate() {
        let [low, high] = estimate.interval;
        let share = ends.iter().filter(|&&end| end == i).count() as f64 / ends.len() as f64;
        println!("  pose {}: {:.4} in {low:.4} to {high:.4}, {share:.4}", i + 1, estimate.probability);
    }
}

fn option(name: &str) -> Option<u64> {
    std::env::args().skip_while(|argument| argument != name).nth(1)?.parse().ok()
}
