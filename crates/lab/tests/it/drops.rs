//! Drops end where they are decided to, and mean the same whatever they cost.

use crate::support::{cuboid, hull, landscape, prism, random_part};
use glam::DVec3;
use impulse::geometry::icosphere;
use impulse_lab::{Conditions, Control, Fall, From, Reason, Spread, Start, Study, run_trials};
use impulse_scenes::Random;

const QUANTILE: f64 = 1.96;

fn study<'a>(part: &'a impulse_lab::Part, landscape: &'a impulse_lab::Landscape, drops: u64) -> Study<'a> {
    let conditions = Conditions::default();
    Study { part, landscape, conditions, seed: 3, drops, precision: None, quantile: QUANTILE, threads: 2 }
}

#[test]
fn a_part_settles_where_it_was_decided_to() {
    let trial = |i: u64| -> Result<(), String> {
        let part = random_part(i);
        let landscape = landscape(&part);
        let random = &mut Random::of_trial(11, i);
        let conditions = Conditions {
            friction: random.between(0.05, 1.5),
            restitution: random.between(0.0, 0.9),
            height: Spread { low: 0.0, high: 0.3 },
            speed: Spread { low: 0.0, high: 1.0 },
            spin: Spread { low: 0.0, high: 30.0 },
            ..Conditions::default()
        };
        let fall = Fall::new(&part, &landscape, &conditions);
        let [decided, settled] = fall.drop_to_rest(&Start::uniform(&conditions, random))?;
        assert!(decided.pose.is_some() && decided.time <= settled.time, "{i}: {decided:?}");
        assert_eq!(settled.pose.unwrap_or(usize::MAX), decided.pose.unwrap(), "{i}: {decided:?} {settled:?}");
        Ok(())
    };
    let results: Vec<Result<(), String>> = run_trials(0..400, 2, &Control::default(), trial);
    assert!(results.iter().all(Result::is_ok), "{:?}", results.iter().find(|r| r.is_err()));
}

/// A box that slides fast on its face has energy for every pass, but sliding cannot tip it.
#[test]
fn sliding_fast_decides_nothing_else() {
    let part = cuboid(0.1, 0.08, 0.06);
    let landscape = landscape(&part);
    for (friction, reason) in [(0.3, Reason::Sliding), (1.5, Reason::Energy)] {
        let conditions = Conditions { friction, speed: Spread::exactly(3.0), ..Conditions::default() };
        let fall = Fall::new(&part, &landscape, &conditions);
        let flat = Start { rotation: glam::DQuat::IDENTITY, height: 1e-6, speed: 3.0, spin: DVec3::ZERO };
        let outcome = fall.drop(&flat).unwrap();
        assert_eq!(outcome.reason, reason, "{outcome:?}");
        if reason == Reason::Sliding {
            assert!(outcome.time < 0.05 && landscape.poses[outcome.pose.unwrap()].down.z < -0.99);
        }
    }
}

#[test]
fn a_drop_onto_a_face_stays_there() {
    let part = cuboid(0.1, 0.08, 0.06);
    let landscape = landscape(&part);
    let conditions = Conditions { height: Spread::exactly(0.01), ..Conditions::default() };
    let fall = Fall::new(&part, &landscape, &conditions);
    for (i, pose) in landscape.poses.iter().enumerate() {
        let start = Start::lying(pose.down, &conditions, &mut Random::new(i as u64));
        assert_eq!(fall.drop(&start).unwrap().pose, Some(i));
    }
}

/// Trials share scenes and send worlds from thread to thread.
#[test]
fn worlds_and_scenes_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<impulse::world::World>();
    crosses::<impulse_scenes::SceneDescription>();
}

#[test]
fn results_do_not_depend_on_threads() {
    let part = prism(6, 0.02, 0.03);
    let landscape = landscape(&part);
    let outcomes = |threads: usize| {
        let study = Study { threads, ..study(&part, &landscape, 60) };
        study.run(From::Uniform, &Control::default(), |_| Vec::new()).outcomes
    };
    let one = outcomes(1);
    assert_eq!(one.len(), 60);
    assert_eq!([one == outcomes(2), one == outcomes(7)], [true; 2]);
}

/// Whether contact is coarse or fine: the faces are the same but for few drops.
#[test]
fn a_coarse_envelope_changes_few_drops() {
    let part = cuboid(0.1, 0.08, 0.06);
    let landscape = landscape(&part);
    let poses = |envelope: f64| -> Vec<Option<usize>> {
        let mut study = study(&part, &landscape, 500);
        study.conditions = Conditions { envelope, height: Spread::exactly(0.3), ..study.conditions };
        let sample = study.run(From::Uniform, &Control::default(), |_| Vec::new());
        sample.outcomes.into_iter().map(|outcome| outcome.unwrap().pose).collect()
    };
    let differ = poses(1e-3).iter().zip(poses(1e-5)).filter(|(a, b)| **a != *b).count();
    assert!(differ <= 2, "{differ} of 500");
}

#[test]
fn a_study_stops_when_it_is_precise() {
    let part = cuboid(0.1, 0.08, 0.06);
    let landscape = landscape(&part);
    let study = Study { precision: Some(0.03), ..study(&part, &landscape, 100_000) };
    let sample = study.run(From::Uniform, &Control::default(), |sample| study.shares(sample));
    let widest = study.shares(&sample).iter().map(impulse_lab::Estimate::half_width).fold(0.0, f64::max);
    assert!(widest <= 0.03 && sample.outcomes.len().is_multiple_of(500), "{widest} {}", sample.outcomes.len());
    // (7.3), corrected, is the bound for a probability of one half.
    assert!(sample.outcomes.len() as u64 <= impulse_lab::trials_needed(0.03, 0.05) + 500);
}

#[test]
fn a_stopped_study_keeps_the_first_drops() {
    let control = Control::default();
    let stop_in_trial_20 = |i: u64| -> Result<u64, String> {
        if i == 20 {
            control.stop();
        }
        Ok(i)
    };
    let done = run_trials(0..1000, 3, &control, stop_in_trial_20);
    assert!((21..=60).contains(&done.len()), "{}", done.len());
    assert!((0..).zip(&done).all(|(i, result)| *result == Ok(i)));
}

#[test]
fn a_trial_that_panics_is_an_error_among_results() {
    let trial =
        |i: u64| if i == 3 { None.ok_or("no three").map_err(String::from) } else { Ok([1, 2][(i % 5) as usize]) };
    let results: Vec<Result<i32, String>> = run_trials(0..6, 2, &Control::default(), trial);
    assert_eq!(results[0], Ok(1));
    assert!(results[2].as_ref().is_err_and(|error| error.contains("index out of bounds")), "{results:?}");
    assert_eq!(results[3], Err("no three".to_owned()));
}

/// A ball with a flat spot rolls on until something stops it.
#[test]
fn a_dented_ball_is_undecided_without_rolling_resistance() {
    let cut = |v: &DVec3| if v.z > 0.93 { v.with_z(0.93) } else { *v };
    let points: Vec<DVec3> = icosphere(3).vertices.iter().map(|v| 0.03 * cut(v)).collect();
    let part = hull(&points);
    let landscape = impulse_lab::Landscape::new(&part, 1e-3);
    assert!(landscape.poses.len() >= 2);
    let undecided = |rolling_resistance: f64| {
        let mut study = study(&part, &landscape, 20);
        study.conditions =
            Conditions { rolling_resistance, time_limit: 2.0, speed: Spread::exactly(0.5), ..study.conditions };
        study.run(From::Uniform, &Control::default(), |_| Vec::new()).undecided()
    };
    let [free, resisted] = [undecided(0.0), undecided(1e-3)];
    assert!(free > resisted && resisted <= 2, "{free} {resisted}");
}

/// The first rotation of every trial's own stream: directions fill equal parts of the sphere equally.
#[test]
fn starts_of_many_trials_are_uniform() {
    let conditions = Conditions::default();
    let (mut cells, trials) = ([0.0; 96], 300_000);
    for i in 0..trials {
        let start = Start::uniform(&conditions, &mut Random::of_trial(0, i));
        // Which way is down, which way is along, by equal areas: 8 bands of height, 12 of azimuth.
        let down = start.rotation.conjugate() * -DVec3::Z;
        let band = (4.0 * (down.z + 1.0)).min(7.0) as usize;
        let azimuth = libm::atan2(down.y, down.x) / std::f64::consts::TAU + 0.5;
        cells[12 * band + (12.0 * azimuth).min(11.0) as usize] += 1.0;
    }
    let expected = trials as f64 / 96.0;
    let chi_squared: f64 = cells.iter().map(|n| (n - expected) * (n - expected) / expected).sum();
    // 95 degrees of freedom: standard deviation 13.8.
    assert!((chi_squared - 95.0).abs() < 4.0 * 13.8, "{chi_squared}");
}
