//! Ticks and samples (section 5.4): at exact times, in a fixed order, after the impacts of the same instant.

use crate::world::gas;
use crate::world_support::{free, surface};
use impulse::DVec3;
use impulse::geometry::Sphere;
use impulse::world::{ActError, ClockKind, ClockSpec, Event, Settings, StopReason, World, WorldBuilder};

#[test]
fn strokes_are_at_multiples_of_the_period() {
    let mut world = gas(Settings::default(), 2);
    let tick = world.add_clock(ClockSpec::tick(0.1)).unwrap();
    let sample = world.add_clock(ClockSpec { start: 0.05, ..ClockSpec::sample(0.3) }).unwrap();
    let mut seen = Vec::new();
    loop {
        match world.run_until(2.0, None).unwrap() {
            StopReason::Tick(stroke) | StopReason::Sample(stroke) => {
                assert_eq!(stroke.time, world.time());
                seen.push((stroke.clock, stroke.count, stroke.time));
            }
            StopReason::Reached => break,
            StopReason::Budget => panic!("there was no budget"),
        }
    }
    let of = |clock| seen.iter().filter(move |s| s.0 == clock);
    assert!(of(tick).enumerate().all(|(k, s)| s.1 == k as u64 && s.2 == k as f64 * 0.1));
    assert!(of(sample).enumerate().all(|(k, s)| s.1 == k as u64 && s.2 == 0.05 + k as f64 * 0.3));
    assert_eq!((of(tick).count(), of(sample).count()), (21, 7));
    assert_eq!(world.counters().ticks, 28);
}

/// Clocks are no part of the trace.
#[test]
fn clocks_change_no_impact() {
    let mut plain = gas(Settings::default(), 3);
    plain.run_to(1.0).unwrap();
    let mut sampled = gas(Settings::default(), 3);
    sampled.add_clock(ClockSpec::sample(0.01)).unwrap();
    while !sampled.run_until(1.0, None).unwrap().reached() {}
    assert_eq!(plain.trace_hash(), sampled.trace_hash());
}

/// Two balls 1.5 m apart that close at 2 m/s: they touch at about 0.75 s.
fn two_balls() -> World {
    let mut builder = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
    let m = builder.add_material(surface(0.0, 1.0)).unwrap();
    let ball = Sphere::new(0.25).unwrap();
    builder.add_body(free("a", ball, DVec3::ZERO, DVec3::X * 2.0, m)).unwrap();
    builder.add_body(free("b", ball, DVec3::X * 2.0, DVec3::ZERO, m)).unwrap();
    builder.build().unwrap()
}

/// At the very instant of an impact the impact comes first, then the tick, then the sample, whatever was added first.
#[test]
fn at_equal_times_impacts_then_ticks_then_samples() {
    let mut rehearsal = two_balls();
    let impact = loop {
        if let Event::Impact(record) = rehearsal.step().unwrap().unwrap() {
            break record.time;
        }
    };
    let mut world = two_balls();
    let at = |kind| ClockSpec { kind, start: impact, period: 10.0 };
    world.add_clock(at(ClockKind::Sample)).unwrap();
    world.add_clock(at(ClockKind::Tick)).unwrap();
    let mut order = Vec::new();
    while world.next_event().is_some_and(|t| t <= impact) {
        let happened = world.step().unwrap().unwrap();
        if world.time() == impact && !matches!(happened, Event::Boxed(_) | Event::Checked(..)) {
            order.push(happened);
        }
    }
    assert!(matches!(order[..], [Event::Impact(_), Event::Tick(_), Event::Sample(_)]), "{order:?}");
}

/// What a tick does is in the sample of the same instant.
#[test]
fn a_tick_acts_before_the_sample_looks() {
    let mut world = two_balls();
    let a = world.find("a").unwrap();
    world.add_clock(ClockSpec::sample(0.125)).unwrap();
    world.add_clock(ClockSpec::tick(0.125)).unwrap();
    let mut samples = 0;
    loop {
        match world.run_until(0.5, None).unwrap() {
            StopReason::Tick(s) => world.set_velocity(a, DVec3::Y * (1.0 + s.count as f64), DVec3::ZERO).unwrap(),
            StopReason::Sample(s) => {
                assert_eq!(world.principal_state_at(a, s.time).unwrap().velocity.y, 1.0 + s.count as f64);
                samples += 1;
            }
            StopReason::Reached => break,
            StopReason::Budget => panic!("there was no budget"),
        }
    }
    assert_eq!(samples, 5);
}

#[test]
fn clocks_can_be_stopped_and_bad_ones_are_refused() {
    let mut world = two_balls();
    for (start, period) in [(0.0, 0.0), (0.0, -1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (1e17, 1e-3)] {
        let refused = world.add_clock(ClockSpec { kind: ClockKind::Tick, start, period });
        assert!(matches!(refused, Err(ActError::Clock { .. })), "{start} {period}");
    }
    let clock = world.add_clock(ClockSpec::tick(0.5)).unwrap();
    assert!(matches!(world.run_until(0.2, None), Ok(StopReason::Tick(_))));
    world.remove_clock(clock).unwrap();
    assert_eq!(world.remove_clock(clock), Err(ActError::NoSuchClock));
    assert_eq!(world.run_until(5.0, None), Ok(StopReason::Reached));
    // One that begins in the past strikes next at the first multiple to come.
    let late = world.add_clock(ClockSpec::sample(0.75)).unwrap();
    assert!(matches!(world.run_until(9.0, None), Ok(StopReason::Sample(s)) if s.clock == late && s.count == 7));
    assert_eq!(world.time(), 5.25);
    assert_ne!(late, clock);
}
