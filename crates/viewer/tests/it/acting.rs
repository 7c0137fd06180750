//! What is done by hand in the page: part of the run, whichever way one goes through it, and the same as in a plain run.

use impulse::world::Settings;
use impulse_scenes::acts::{Deed, NewShape, Recording};
use impulse_scenes::scene::SceneFiles;
use impulse_scenes::{Runner, load_scene};
use impulse_viewer::{Progress, Request, Session, reference, study};
use std::sync::Arc;

fn open(scene: &str, until: f64) -> Session {
    let request = Request { scene: scene.to_owned(), until: Some(until), ..Request::default() };
    Session::open(&request, &Arc::new(SceneFiles::new())).unwrap()
}

fn run(session: &mut Session) {
    while session.advance(200) == Progress::Underway {
        session.keep();
    }
}

fn text(words: &str) -> String {
    words.to_owned()
}

/// A hold as the page makes one: the run waits for the hand.
fn throw(session: &mut Session, from: f64) {
    session.go(from, 0.0).unwrap();
    session.act(Deed::Grab { body: text("cube 10"), at: [0.0; 3], to: [0.0, 0.0, 2.0] }).unwrap();
    session.set_limit(from);
    for k in 1..=20 {
        let time = from + 0.016 * f64::from(k);
        session.act(Deed::Move { to: [0.05 * f64::from(k), 0.0, 2.0] }).unwrap();
        session.set_limit(time);
        while session.advance(100) == Progress::Underway {}
        assert_eq!(session.timeline().time(), time);
        session.go(time, 0.0).unwrap();
    }
    session.act(Deed::Release).unwrap();
    session.set_limit(f64::INFINITY);
}

fn replayed(session: &Session) -> (Recording, String) {
    let recording = Recording::parse(&session.recording().unwrap()).unwrap();
    let scene = load_scene(&recording.source(), &recording.settings()).unwrap();
    let mut runner = Runner::of(scene, Settings::default()).unwrap();
    runner.set_acts(&Arc::new(recording.acts.clone()));
    runner.run_until(recording.until).unwrap();
    let hash = format!("{:016x}", runner.world().trace_hash());
    (recording, hash)
}

#[test]
fn acts_are_part_of_the_run() {
    let mut session = open("stack", 1.5);
    run(&mut session);
    throw(&mut session, 0.3);
    let time = session.timeline().time();
    session.go(time, 0.0).unwrap();
    let like = NewShape::Like(text("cube 1"));
    let added = Deed::Add { body: text("new"), shape: like, at: [2.0, 0.0, 1.0], velocity: [-4.0, 0.0, 0.0] };
    assert!(session.act(added).unwrap());
    session.act(Deed::Remove { body: text("cube 3") }).unwrap();
    run(&mut session);
    let (recording, hash) = replayed(&session);
    assert_eq!(recording.hash, hash);
    assert_eq!(recording.acts.len(), 24);
    for time in [1.4, 0.2, 0.9, 0.61, 0.0, 1.5] {
        session.go(time, 0.05).unwrap();
        let mut numbers = Vec::new();
        session.frame(&mut numbers);
        assert_eq!(numbers.len(), impulse_viewer::FRAME_NUMBERS + 12 * impulse_viewer::BODY_NUMBERS);
    }
    assert_eq!(session.hash(), hash);
}

/// Doing something else at an earlier time forgets what came after.
#[test]
fn another_act_before_replaces_what_came_after() {
    let mut session = open("stack", 1.0);
    run(&mut session);
    throw(&mut session, 0.3);
    run(&mut session);
    session.go(0.1, 0.0).unwrap();
    session.act(Deed::Push { body: text("cube 5"), at: [0.0, 0.0, 0.5], impulse: [1.0, 0.0, 0.0] }).unwrap();
    run(&mut session);
    let (recording, hash) = replayed(&session);
    assert_eq!((recording.acts.len(), recording.hash), (1, hash));
    let before = session.timeline().time();
    assert!(session.act(Deed::Remove { body: text("nobody") }).is_err());
    assert_eq!(session.timeline().time(), before);
}

#[test]
fn the_reference_and_a_part_are_told() {
    assert!(reference().as_array().is_some_and(|all| all.iter().any(|one| one["name"] == "param")));
    let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    let found = study("cube.obj", cube.as_bytes(), 1.0, 500.0).unwrap();
    assert_eq!(found["weight"]["mass"], 500.0);
    assert_eq!(found["poses"].as_array().map(Vec::len), Some(6));
    assert!((found["poses"][0]["probability"].as_f64().unwrap() - 1.0 / 6.0).abs() < 1e-12);
    assert!(study("cube.obj", b"v 0 0 0\n", 1.0, 1.0).is_err());
}
