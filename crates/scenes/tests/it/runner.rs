//! The runner: however a scene is run, the same happens.

use impulse::world::{ClockSpec, Event, Settings};
use impulse_scenes::runner::{Pause, RunnerError};
use impulse_scenes::{BuiltScene, Runner, SceneDescription, SceneSettings, SceneSource, load_scene};
use std::sync::Arc;

/// Scenes and runners may go to other threads.
const _: () = {
    const fn assert_send_and_sync<T: Send + Sync>() {}
    assert_send_and_sync::<SceneDescription>();
    assert_send_and_sync::<BuiltScene>();
    assert_send_and_sync::<Runner>();
};

const END: f64 = 0.8;

fn described(name: &str) -> SceneDescription {
    load_scene(&SceneSource::Builtin(name.to_owned()), &SceneSettings::default()).unwrap()
}

fn runner(name: &str) -> Runner {
    Runner::new(&Arc::new(BuiltScene::new(described(name)).unwrap()), Settings::default()).unwrap()
}

/// Trace hash and number of events of a plain run.
fn reference(name: &str) -> (u64, u64) {
    let mut runner = runner(name);
    runner.run_until(END).unwrap();
    outcome(&runner)
}

fn outcome(runner: &Runner) -> (u64, u64) {
    assert_eq!(runner.world().time(), END);
    (runner.world().trace_hash(), runner.world().counters().events)
}

#[test]
fn samples_come_at_multiples_of_the_period_and_change_nothing() {
    let mut runner = runner("block_drop");
    runner.sample_every(0.1).unwrap();
    let mut times = Vec::new();
    loop {
        match runner.advance(END, None).unwrap() {
            Pause::Sample(sample) => {
                assert_eq!((sample.time, sample.number), (runner.world().time(), times.len() as u64));
                times.push(sample.time);
            }
            pause => {
                assert_eq!(pause, Pause::Reached);
                break;
            }
        }
    }
    assert_eq!(times, (0..=8).map(|k| f64::from(k) * 0.1).collect::<Vec<_>>());
    assert_eq!(outcome(&runner), reference("block_drop"));
}

#[test]
fn a_budget_interrupts_and_changes_nothing() {
    let mut runner = runner("block_drop");
    let mut pauses = 0;
    while runner.advance(END, Some(7)).unwrap() == Pause::Budget {
        pauses += 1;
    }
    let (_, events) = outcome(&runner);
    assert_eq!(pauses, events.saturating_sub(1) / 7);
    assert_eq!(outcome(&runner), reference("block_drop"));
}

/// An impact is one event however many points are struck, and each of them a collision; no other event has any.
#[test]
fn every_event_is_handed_out_once() {
    let settings = Settings { record_impacts: true, ..Settings::default() };
    let mut runner = Runner::of(described("block_drop"), settings).unwrap();
    let (mut events, mut several) = (0, 0);
    loop {
        let before = runner.world().counters().collisions;
        let Some(event) = runner.step(END).unwrap() else { break };
        events += 1;
        let now = runner.world().time();
        let struck = runner.world_mut().take_impacts();
        let points = struck.iter().filter(|record| !record.micro).count() as u64;
        assert_eq!(runner.world().counters().collisions - before, points, "{event:?}");
        match event {
            Event::Impact(record) => assert!(!record.micro && struck.contains(&record) && points > 0, "{record:?}"),
            _ => assert_eq!(points, 0, "{event:?}"),
        }
        assert!(struck.iter().all(|record| record.time == now));
        several += u32::from(points > 1);
    }
    assert_eq!(runner.advance(END, Some(0)).unwrap(), Pause::Reached);
    assert_eq!(events, runner.world().counters().events);
    assert!(several > 0, "blocks land on several points");
    assert_eq!(outcome(&runner), reference("block_drop"));
}

#[test]
fn events_stop_at_samples() {
    let mut runner = runner("block_drop");
    runner.sample_every(0.25).unwrap();
    let mut samples = 0;
    loop {
        let stop = f64::from(samples) * 0.25;
        assert!(runner.events(END).all(|event| event.is_ok()));
        assert!(runner.world().time() <= stop);
        match runner.advance(END, Some(0)).unwrap() {
            Pause::Sample(_) => samples += 1,
            Pause::Reached => break,
            pause => panic!("{pause:?}"),
        }
    }
    assert_eq!(samples, 4);
    assert_eq!(outcome(&runner), reference("block_drop"));
}

#[test]
fn a_clone_continues_alone_and_alike() {
    let mut original = runner("block_drop");
    original.run_until(0.3).unwrap();
    let mut copy = original.clone();
    copy.run_until(END).unwrap();
    assert_eq!(original.world().time(), 0.3);
    original.run_until(END).unwrap();
    assert_eq!(outcome(&original), outcome(&copy));
    assert_eq!(outcome(&copy), reference("block_drop"));
}

#[test]
fn clocks_of_the_world_interrupt() {
    let mut runner = runner("bounce");
    runner.world_mut().add_clock(ClockSpec::tick(0.3)).unwrap();
    let mut strokes = Vec::new();
    while let Pause::Clock(stroke) = runner.advance(END, None).unwrap() {
        strokes.push(stroke.time);
    }
    assert_eq!(strokes, [0.0, 0.3, 0.6]);
    assert_eq!(runner.world().time(), END);
}

#[test]
fn the_next_collision_is_found_or_there_is_none() {
    let mut runner = runner("bounce");
    runner.sample_every(0.1).unwrap();
    let first = runner.next_collision(END).unwrap().unwrap();
    assert_eq!(first.time, runner.world().time());
    // It falls from a height of 1 m.
    assert!((first.time - (2.0 / 9.81_f64).sqrt()).abs() < 1e-6, "{}", first.time);
    assert_eq!(runner.next_collision(0.5).unwrap(), None);
    assert_eq!(runner.world().time(), 0.5);
}

#[test]
fn periods_that_are_not_positive_are_refused() {
    let mut runner = runner("bounce");
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = runner.sample_every(period).unwrap_err();
        assert!(matches!(error, RunnerError::SamplePeriod(_)), "{error}");
    }
}
