//! Keyframes, going by time and by event, and what is remembered of a run.

use impulse::world::Settings;
use impulse_scenes::scene::SceneFiles;
use impulse_scenes::{Runner, SceneSettings, SceneSource, load_scene};
use impulse_viewer::{BODY_NUMBERS, FRAME_NUMBERS, IMPACT_NUMBERS, Progress, Request, Session};
use std::sync::Arc;

fn session(scene: &str, until: f64, memory: usize) -> Session {
    let request = Request { scene: scene.to_owned(), until: Some(until), memory: Some(memory), ..Request::default() };
    let mut session = Session::open(&request, &Arc::new(SceneFiles::new())).unwrap();
    while session.advance(100) == Progress::Underway {
        session.keep();
    }
    session
}

/// A run that never looks back.
fn straight(scene: &str) -> Runner {
    let scene = load_scene(&SceneSource::Builtin(scene.to_owned()), &SceneSettings::default()).unwrap();
    Runner::of(scene, Settings::default()).unwrap()
}

fn hash_of(runner: &Runner) -> String {
    format!("{:016x}", runner.world().trace_hash())
}

#[test]
fn any_instant_has_the_bits_of_a_straight_run() {
    let mut session = session("coins", 0.8, 32 << 20);
    assert!(session.timeline().time() == 0.8);
    let times: Vec<f64> = (0..=20).map(|k| 0.04 * f64::from(k)).collect();
    let mut runner = straight("coins");
    let expected: Vec<String> = times
        .iter()
        .map(|&time| {
            runner.run_until(time).unwrap();
            hash_of(&runner)
        })
        .collect();
    let orders: [Vec<usize>; 3] = [(0..21).collect(), (0..21).rev().collect(), (0..21).map(|k| 8 * k % 21).collect()];
    for (order, window) in orders.iter().zip([0.0, 0.05, 0.01]) {
        for &k in order {
            session.go(times[k], window).unwrap();
            assert_eq!(session.hash(), expected[k], "at {}", times[k]);
        }
    }
}

#[test]
fn events_are_visited_on_and_back() {
    let mut session = session("bowling", 3.0, 32 << 20);
    let last = session.timeline().frontier().world().counters().events;
    let mut seen = Vec::new();
    for event in 0..last.min(900) {
        session.go_to_event(event, 0.0).unwrap();
        seen.push((session.hash(), session.cursor().runner().world().time()));
    }
    let mut runner = straight("bowling");
    for (event, (hash, time)) in seen.iter().enumerate().skip(1) {
        assert!(runner.step(f64::INFINITY).unwrap().is_some());
        assert_eq!((hash_of(&runner), runner.world().time()), (hash.clone(), *time), "event {event}");
    }
    for event in (0..seen.len()).rev().step_by(7) {
        session.go_to_event(event as u64, 0.01).unwrap();
        assert_eq!((session.hash(), session.cursor().runner().world().time()), seen[event], "event {event}");
    }
}

#[test]
fn impacts_in_the_window_are_all_of_them_however_one_came() {
    let mut session = session("coins", 0.6, 8 << 20);
    let scene = load_scene(&SceneSource::Builtin("coins".to_owned()), &SceneSettings::default()).unwrap();
    let mut runner = Runner::of(scene, Settings { record_impacts: true, ..Settings::default() }).unwrap();
    runner.run_until(0.6).unwrap();
    let all = runner.world().impacts();
    for (time, window) in [(0.5, 0.1), (0.3, 0.02), (0.55, 0.3), (0.2, 0.1), (0.21, 0.1), (0.21, 0.15), (0.0, 0.1)] {
        session.go(time, window).unwrap();
        let mut numbers = Vec::new();
        session.impacts(window, &mut numbers);
        let times: Vec<f64> = numbers.chunks(IMPACT_NUMBERS).map(|row| row[1]).collect();
        let expected: Vec<f64> = all.iter().map(|r| r.time).filter(|&t| t > time - window && t <= time).collect();
        assert_eq!(times, expected, "{window} s before {time}");
    }
    // By event, the window is complete too.
    let last = session.timeline().frontier().world().counters().events;
    session.go_to_event(last - 5, 0.1).unwrap();
    let now = session.cursor().runner().world().time();
    let shown = session.cursor().impacts(0.1).count();
    let expected = all.iter().filter(|r| r.time > now - 0.1 && r.time < now).count();
    assert!(shown >= expected && expected > 10);
}

#[test]
fn keyframes_stay_within_their_memory_and_answers_stay_the_same() {
    let limit = 300_000;
    let mut session = session("coins", 0.8, limit);
    let keyframes = session.timeline();
    let mut frame = Vec::new();
    session.frame(&mut frame);
    assert_eq!(frame.len(), FRAME_NUMBERS + BODY_NUMBERS * keyframes.frontier().world().len());
    let [count, bytes] = [frame[10], frame[11]];
    assert!(bytes <= limit as f64 && bytes > 0.3 * limit as f64 && count >= 3.0, "{count} keyframes, {bytes} bytes");
    session.go(0.8, 0.0).unwrap();
    let last = session.hash();
    session.go(0.1, 0.0).unwrap();
    session.go(0.8, 0.0).unwrap();
    assert_eq!(session.hash(), last);
}

#[test]
fn what_is_remembered_agrees_with_the_counters() {
    let session = session("feeder", 1.0, 32 << 20);
    let counters = session.timeline().frontier().world().counters();
    let mut densities = Vec::new();
    session.densities(0.0, 1.0, 10, &mut densities);
    let sum = |at: usize| densities.chunks(3).map(|part| part[at]).sum::<f64>();
    assert_eq!([sum(0), sum(1)], [counters.collisions as f64, counters.microcollisions as f64]);
    let mut samples = Vec::new();
    session.samples(0, &mut samples);
    let last = samples.chunks(7).next_back().unwrap();
    assert_eq!(last[0], 1.0);
    assert_eq!(
        [last[3], last[5], last[6]],
        [counters.events, counters.collisions, counters.microcollisions].map(|n| n as f64)
    );
    assert_eq!(samples.len() / 7, 1001);
}

#[test]
fn times_outside_the_run_are_its_ends() {
    let mut session = session("bounce", 1.0, 1 << 20);
    for (asked, got) in [(-3.0, 0.0), (7.0, 1.0), (0.25, 0.25)] {
        session.go(asked, 0.1).unwrap();
        assert_eq!(session.cursor().runner().world().time(), got);
    }
    session.go_to_event(u64::MAX, 0.0).unwrap();
    assert!(session.cursor().runner().world().time() <= 1.0);
}
