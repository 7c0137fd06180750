//! Hands in a run: what they do is part of it, obeys the law of a spring, never passes bodies through each other, and all energy that
//! comes in is theirs.

use glam::DVec3;
use impulse::world::{BodyRef, Settings};
use impulse_scenes::acts::{Act, Deed, NewShape, Recording, RecordingError};
use impulse_scenes::runner::{Pause, RunnerError};
use impulse_scenes::scene::ParamValue;
use impulse_scenes::{Random, Runner, SceneSettings, SceneSource, load_scene};
use std::sync::Arc;

/// In empty space, without gravity: the hand's work is all that there is.
const SPACE: &str = r#"
    gravity(0, 0, 0);
    body("ball", sphere(0.1), #{ mass: 2 });
    body("rod", cuboid(0.5, 0.1, 0.1), #{ at: [3, 0, 0], mass: 1, spin: [0, 2, 0] });
    body("wall", cuboid(0.1, 4, 4), #{ at: [6, 0, 0], fixed: true });
"#;

fn runner(source: &SceneSource, set: &[(&str, f64)]) -> Runner {
    let params = set.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Number(*value))).collect();
    let scene = load_scene(source, &SceneSettings { params, seed: 0 }).unwrap();
    Runner::of(scene, Settings::default()).unwrap()
}

fn space() -> Runner {
    runner(&SceneSource::Text { name: "space.rhai".to_owned(), text: SPACE.to_owned() }, &[])
}

fn builtin(name: &str, set: &[(&str, f64)]) -> Runner {
    runner(&SceneSource::Builtin(name.to_owned()), set)
}

fn act(t: f64, deed: Deed) -> Act {
    Act { t, deed }
}

fn grab(body: &str, at: [f64; 3], to: [f64; 3]) -> Deed {
    Deed::Grab { body: body.to_owned(), at, to }
}

fn with(mut runner: Runner, acts: Vec<Act>) -> Runner {
    runner.set_acts(&Arc::new(acts));
    runner
}

fn body<'r>(runner: &'r Runner, name: &str) -> BodyRef<'r> {
    runner.world().body(runner.world().find(name).unwrap()).unwrap()
}

/// `x = x0 (1 + w t) exp(-w t)` for a point mass at rest that is pulled by a critically damped spring; impulses at ticks come close.
#[test]
fn a_held_ball_follows_the_critically_damped_spring() {
    let mut runner = with(space(), vec![act(0.5, grab("ball", [0.0; 3], [0.1, 0.0, 0.0]))]);
    let mut farthest: f64 = 0.0;
    for k in 0..200 {
        let t = 0.5 + 0.005 * f64::from(k);
        runner.run_until(t).unwrap();
        let x = body(&runner, "ball").centre_of_mass().x;
        let wt = 30.0 * (t - 0.5);
        assert!((x - 0.1 * (1.0 - (1.0 + wt) * libm::exp(-wt))).abs() < 3e-3, "{t} {x}");
        farthest = farthest.max(x);
    }
    assert!((farthest - 0.1).abs() < 1e-6, "{farthest}");
}

#[test]
fn the_hand_is_not_stronger_than_thirty_times_gravity() {
    let mut runner = with(space(), vec![act(0.0, grab("ball", [0.0; 3], [0.0, 1000.0, 0.0]))]);
    runner.run_until(0.1).unwrap();
    let speed = body(&runner, "ball").velocity().length();
    assert!((29.9..=30.7).contains(&speed), "{speed}");
}

/// Kinetic energy is the hand's work to rounding, also off the centre of mass and for pushes.
#[test]
fn work_of_hands_is_the_energy_gained() {
    let push = Deed::Push { body: "rod".to_owned(), at: [3.2, 0.03, 0.01], impulse: [0.3, -2.0, 0.7] };
    let hold = grab("rod", [0.24, 0.04, -0.05], [3.4, 0.5, 0.2]);
    let away = Deed::Move { to: [3.0, -0.6, 0.4] };
    let acts = vec![act(0.1, push), act(0.2, hold), act(0.6, away), act(1.1, Deed::Release)];
    let mut runner = with(space(), acts);
    let before = runner.world().energy();
    for k in 1..=15 {
        runner.run_until(0.1 * f64::from(k)).unwrap();
        let gained = runner.world().energy() - before;
        assert!((gained - runner.work_of_hands()).abs() < 1e-12 * runner.world().energy().max(1.0), "{k} {gained}");
    }
    assert!(runner.held().is_none() && runner.work_of_hands() != 0.0);
}

fn mixed() -> Vec<Act> {
    let text = str::to_owned;
    let push = Deed::Push { body: text("cube 4"), at: [0.05, 0.0, 0.45], impulse: [0.0, 0.4, 0.0] };
    let add = Deed::Add {
        body: text("thrown"),
        shape: NewShape::Like(text("cube 1")),
        at: [0.0, -1.0, 0.6],
        velocity: [0.0, 4.0, 1.0],
    };
    let ball =
        Deed::Add { body: text("ball"), shape: NewShape::Ball(0.05), at: [1.0, 0.0, 0.2], velocity: [-3.0, 0.0, 0.0] };
    vec![
        act(0.25, grab("cube 9", [0.0, 0.0, 0.05], [0.3, 0.0, 1.2])),
        act(0.4, Deed::Move { to: [0.5, 0.1, 1.0] }),
        act(0.6, Deed::Release),
        act(0.6, push),
        act(0.7, Deed::Remove { body: text("cube 2") }),
        act(0.8, add),
        act(0.8, ball),
        act(0.9, Deed::Gravity { to: [3.0, 0.0, -9.81] }),
    ]
}

/// In one go, by samples, event by event, in budgets, from a clone in the middle: the same bits.
#[test]
fn acts_give_the_same_bits_however_a_run_is_stopped() {
    let outcome = |runner: &Runner| (runner.world().trace_hash(), runner.world().counters().events);
    let fresh = || with(builtin("stack", &[]), mixed());
    let mut straight = fresh();
    straight.run_until(1.2).unwrap();
    let mut sampled = fresh();
    sampled.sample_every(0.01).unwrap();
    sampled.run_until(1.2).unwrap();
    let mut stepped = fresh();
    while stepped.step(1.2).unwrap().is_some() {}
    stepped.advance(1.2, Some(0)).unwrap();
    let mut budgeted = fresh();
    while budgeted.advance(1.2, Some(7)).unwrap() == Pause::Budget {}
    let mut parent = fresh();
    parent.run_until(0.6).unwrap();
    let mut child = parent.clone();
    child.set_acts(&Arc::new(mixed()));
    child.run_until(1.2).unwrap();
    for other in [&sampled, &stepped, &budgeted, &child] {
        assert_eq!(outcome(other), outcome(&straight));
    }
    let mut untouched = builtin("stack", &[]);
    untouched.run_until(1.2).unwrap();
    assert_ne!(outcome(&untouched), outcome(&straight));
    assert_eq!(straight.descriptions().count(), straight.scene().bodies.len() + 2);
    assert_eq!(straight.numbered(straight.number_of(body(&straight, "ball").id())), straight.world().find("ball"));
    assert!(straight.world().find("cube 2").is_none());
}

/// Drags a random body about at up to 20 m/s for a while.
fn drags(runner: &Runner, count: usize, random: &mut Random) -> Vec<Act> {
    let free: Vec<_> = runner.world().body_refs().filter(|body| body.is_free()).collect();
    let mut acts = Vec::new();
    for k in 0..count {
        let (begin, held) = (0.1 * k as f64, free[random.whole(0, free.len() as i64 - 1) as usize]);
        let mut to = held.centre_of_mass();
        let velocity = random.direction() * random.between(1.0, 20.0);
        acts.push(act(begin, grab(held.name(), [0.0; 3], to.to_array())));
        for step in 1..5 {
            to += velocity * 0.02;
            acts.push(act(begin + 0.02 * f64::from(step), Deed::Move { to: to.to_array() }));
        }
    }
    acts
}

/// 200 drags in all. Bodies that are dragged against others never pass through them, and no energy comes from elsewhere
/// but the lift of hops in lasting contact. The tray of the feeder stands still, since one that shakes gives energy too.
#[test]
fn a_held_body_never_passes_through_anything() {
    let still = [("lift", 0.0), ("shift", 0.0)];
    let mut random = Random::new(23);
    for (scene, set, count) in [("stack", &[][..], 70), ("dominos", &[], 70), ("feeder", &still, 60)] {
        for part in 0..count / 10 {
            let runner = builtin(scene, set);
            let acts = drags(&runner, 10, &mut random);
            let mut runner = with(runner, acts);
            let before = runner.world().energy();
            let mut largest = before.abs();
            for k in 1..=55 {
                runner.run_until(0.02 * f64::from(k)).unwrap();
                let energy = runner.world().energy();
                largest = largest.max(energy.abs()).max(runner.work_of_hands().abs());
                let surplus = energy - before - runner.work_of_hands();
                let allowed = 1e-6 * largest + runner.world().energy_allowance();
                assert!(surplus <= allowed, "{scene} {part}, {k}: {surplus} J beside {largest} J");
            }
            assert!(runner.world().min_separation() > 0.0, "{scene} {part}");
        }
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let refused = |deed: Deed| match with(space(), vec![act(0.5, deed)]).run_until(1.0) {
        Err(RunnerError::Act { time, reason }) => {
            assert_eq!(time, 0.5);
            reason
        }
        other => format!("{other:?}"),
    };
    assert!(refused(grab("wall", [0.0; 3], [0.0; 3])).contains("only free bodies can be held"));
    assert!(refused(grab("nobody", [0.0; 3], [0.0; 3])).contains("no body \"nobody\""));
    assert!(refused(Deed::Move { to: [0.0; 3] }).contains("grab a body first"));
    let add = |shape, at| Deed::Add { body: "new".to_owned(), shape, at, velocity: [0.0; 3] };
    assert!(refused(add(NewShape::Ball(-1.0), [0.0, 9.0, 0.0])).contains("positive size"));
    assert!(refused(add(NewShape::Ball(0.5), [0.0, 0.2, 0.0])).contains("ball"));
    assert!(refused(add(NewShape::Like("wall".to_owned()), [0.0, 9.0, 0.0])).contains("fixed"));
}

#[test]
fn a_recording_is_read_back_to_the_bit_and_a_damaged_one_refused() {
    let recording = Recording {
        impulse_recording: 1,
        version: "0.1.0".to_owned(),
        scene: "stack".to_owned(),
        files: std::collections::BTreeMap::new(),
        params: [("n".to_owned(), "5".to_owned())].into(),
        seed: 7,
        until: 2.0,
        acts: vec![act(0.1 + 0.2, grab("cube 1", [1.0 / 3.0, 0.0, -0.0], [1e-300, 2.0, 3.0])), act(0.5, Deed::Release)],
        hash: "00".to_owned(),
    };
    let text = serde_json::to_string(&recording).unwrap();
    assert_eq!(Recording::parse(&text).as_ref(), Ok(&recording));
    assert_eq!(recording.difference("00", "0.1.0"), None);
    assert!(recording.difference("01", "0.2.0").unwrap().contains("made by version 0.1.0"));
    let parsed = |from: &str, to: &str| Recording::parse(&text.replace(from, to));
    assert_eq!(parsed("recording\":1", "recording\":2"), Err(RecordingError::Format(2)));
    assert_eq!(parsed("\"t\":0.5", "\"t\":0.2"), Err(RecordingError::Act(2)));
    assert_eq!(parsed("\"t\":0.5", "\"t\":2.5"), Err(RecordingError::Act(2)));
    assert!(matches!(parsed("release", "relase"), Err(RecordingError::Syntax(_))));
    assert!(matches!(Recording::parse(&text[..40]), Err(RecordingError::Syntax(_))));
    let far = DVec3::splat(f64::MAX).to_array();
    assert!(grab("x", far, far).is_finite() && !Deed::Move { to: [f64::NAN, 0.0, 0.0] }.is_finite());
}
