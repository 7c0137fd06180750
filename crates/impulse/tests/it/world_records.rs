//! What a run leaves behind (sections 1.3, 7.4): impacts handed over, motion in the mean, time in contact, where time goes.

use crate::world_support::{floor, free, slab, surface};
use impulse::geometry::{Cuboid, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, ClockSpec, Event, MotionSpec, Settings, StopReason, World, WorldBuilder};
use impulse::{DQuat, DVec3};
use std::cell::Cell;

const G: f64 = 9.81;

fn run(world: &mut World, until: f64) {
    assert!(world.run_until(until, Some(1_000_000)).unwrap().reached());
}

/// Steps to the next hop after a time: there bodies in lasting contact are where contact holds them.
fn hop_after(world: &mut World, time: f64) {
    while !matches!(world.step().unwrap(), Some(Event::Hop(..)) if world.time() >= time) {}
}

/// Boxes of 0.1 m side by side on a floor, and balls above them.
fn drops(settings: Settings, boxes: usize, balls: usize) -> (World, Vec<BodyId>) {
    let mut b = WorldBuilder::new(settings).unwrap();
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    let mut ids = Vec::new();
    for k in 0..boxes.max(balls) {
        let (cube, ball) = (Cuboid::new(DVec3::splat(0.1)).unwrap(), Sphere::new(0.04).unwrap());
        let x = k as f64 * 0.3;
        if k < boxes {
            let at = DVec3::new(x, 0.0, 0.05);
            ids.push(b.add_body(free(&format!("box {k}"), cube, at, DVec3::ZERO, m)).unwrap());
        }
        if k < balls {
            let at = DVec3::new(x + 0.01, 0.02, 0.4);
            ids.push(b.add_body(free(&format!("ball {k}"), ball, at, DVec3::ZERO, m)).unwrap());
        }
    }
    (b.build().unwrap(), ids)
}

/// A block that slides down a ramp of 30 degrees.
fn ramp(friction: f64, speed: f64) -> (World, BodyId, DVec3) {
    let (sine, cosine) = libm::sincos(30f64.to_radians());
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(friction, 0.3)).unwrap();
    let (up, downhill) = (DVec3::new(sine, 0.0, cosine), DVec3::new(cosine, 0.0, -sine));
    b.add_body(slab(30f64.to_radians(), m)).unwrap();
    let block = free("block", Cuboid::new(DVec3::splat(0.1)).unwrap(), DVec3::ZERO, downhill * speed, m);
    let at = Pose { rotation: DQuat::from_rotation_y(30f64.to_radians()), translation: up * 0.05 };
    let block = b.add_body(BodySpec { world_from_shape: at, ..block }).unwrap();
    (b.build().unwrap(), block, downhill)
}

#[test]
fn impacts_are_handed_over_and_forgotten() {
    let settings = Settings { record_impacts: true, ..Settings::default() };
    let (mut kept, _) = drops(settings, 3, 3);
    let mut streamed = kept.clone();
    run(&mut kept, 1.0);
    let (mut taken, mut most) = (Vec::new(), 0);
    while !streamed.run_until(1.0, Some(10)).unwrap().reached() {
        most = most.max(streamed.impacts().len());
        taken.extend(streamed.take_impacts());
        assert!(streamed.impacts().is_empty());
    }
    taken.extend(streamed.take_impacts());
    assert_eq!(taken, kept.impacts());
    // Ten events of at most seven bodies with four points each, of thousands in all.
    assert!(most <= 10 * 7 * 4 && taken.len() > 4 * most, "{most} of {}", taken.len());
    assert_eq!(streamed.trace_hash(), kept.trace_hash());
}

/// From hop to hop the mean velocity of a block on a ramp is that of Coulomb's law in the middle of the window; places are known
/// to a few touch distances, 3e-10 m.
#[test]
fn the_mean_velocity_on_a_ramp_is_that_of_the_closed_form() {
    let (friction, speed) = (0.9, 3.0);
    let (mut world, block, downhill) = ramp(friction, speed);
    let (sine, cosine) = libm::sincos(30f64.to_radians());
    let acceleration = G * (sine - friction * cosine);
    for from in [0.05, 0.5] {
        hop_after(&mut world, from);
        let window = world.motion_window(block).unwrap();
        assert_eq!(world.mean_motion(&window), None);
        let instant = world.principal_state_at(block, world.time()).unwrap().velocity;
        hop_after(&mut world, from + 0.45);
        let mean = world.mean_motion(&window).unwrap();
        let wanted = downhill * (speed + acceleration * 0.5 * (window.from + world.time()));
        assert!(mean.velocity.distance(wanted) < 1e-9, "{} instead of {wanted}", mean.velocity);
        // Nor do its corners turn faster than that.
        assert!(mean.spin.length() * 0.05 * 3f64.sqrt() < 1e-9, "{}", mean.spin);
        // The velocity of an instant is that of a hop.
        let there = downhill * (speed + acceleration * window.from);
        assert!(instant.distance(there) > 1e-3, "{instant}");
        assert_eq!(world.in_lasting_contact(block), Some(true));
    }
}

/// Windows that end anywhere know the place to the height of a hop and to what gravity does along the ramp within one.
#[test]
fn windows_of_any_length_are_true_to_a_hop() {
    let (friction, speed) = (0.9, 3.0);
    let (mut world, block, downhill) = ramp(friction, speed);
    let (sine, cosine) = libm::sincos(30f64.to_radians());
    let acceleration = G * (sine - friction * cosine);
    let hop = 1e-5 * 0.1 * 0.75f64.sqrt();
    for k in 1..50 {
        let window = world.motion_window(block).unwrap();
        run(&mut world, f64::from(k) * 0.02);
        let mean = world.mean_motion(&window).unwrap();
        let wanted = downhill * (speed + acceleration * 0.5 * (window.from + world.time()));
        assert!(mean.velocity.distance(wanted) < 2.0 * hop / 0.02, "{} instead of {wanted}", mean.velocity);
    }
}

#[test]
fn a_resting_box_does_not_move_in_the_mean() {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    b.add_body(slab(0.0, m)).unwrap();
    let cube = Cuboid::new(DVec3::splat(0.1)).unwrap();
    let cube = b.add_body(free("cube", cube, DVec3::Z * 0.05, DVec3::ZERO, m)).unwrap();
    let mut world = b.build().unwrap();
    hop_after(&mut world, 1e-3);
    let window = world.motion_window(cube).unwrap();
    let instant = world.principal_state_at(cube, world.time()).unwrap().velocity;
    hop_after(&mut world, 4e-3);
    let mean = world.mean_motion(&window).unwrap();
    assert!(instant.z > 1e-3, "it hops: {instant}");
    assert!(mean.velocity.length() < 1e-9 && mean.spin.length() < 1e-9, "{mean:?}");
}

/// Steady spin about an axis of the shape, many turns in a window, in the shape's own axes.
#[test]
fn whole_turns_are_counted() {
    let mut b = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
    let m = b.add_material(surface(0.5, 0.3)).unwrap();
    let mut spec = free("top", Cuboid::new(DVec3::new(0.1, 0.1, 0.2)).unwrap(), DVec3::ZERO, DVec3::X, m);
    let wanted = DVec3::new(0.0, 0.0, -70.0);
    if let MotionSpec::Free { spin, .. } = &mut spec.motion {
        *spin = wanted;
    }
    let top = b.add_body(BodySpec {
        world_from_shape: Pose::new(DQuat::from_xyzw(0.3, -0.5, 0.2, 0.8), DVec3::Y).unwrap(),
        ..spec
    });
    let (top, mut world) = (top.unwrap(), b.build().unwrap());
    let window = world.motion_window(top).unwrap();
    run(&mut world, 1.0);
    let mean = world.mean_motion(&window).unwrap();
    assert!(mean.spin.distance(wanted) < 1e-11 && mean.velocity.distance(DVec3::X) < 1e-14, "{mean:?}");
    assert_eq!(world.in_lasting_contact(top), Some(false));
    world.remove_body(top).unwrap();
    assert_eq!((world.mean_motion(&window), world.motion_window(top)), (None, None));
}

/// Three flights of a hop: for so long a body that has left is taken to be in contact still.
const SLACK: f64 = 4e-3;

/// Boxes lie from the start, balls from when they have come to rest; a kick ends it for as long as the flight takes.
#[test]
fn time_in_contact_is_that_of_all_bodies_that_lie() {
    let (mut world, ids) = drops(Settings::default(), 2, 0);
    run(&mut world, 1.0);
    assert!((world.lasting_time() - 2.0).abs() < SLACK, "{}", world.lasting_time());
    let speed = 1.0;
    world.set_velocity(ids[0], DVec3::Z * speed, DVec3::ZERO).unwrap();
    run(&mut world, 1.0 + speed / G);
    let flying = world.lasting_time();
    assert!((flying - (2.0 + speed / G)).abs() < 2.0 * SLACK, "{flying}");
    let mut copy = World::restore(world.snapshot()).unwrap();
    run(&mut world, 2.0);
    run(&mut copy, 2.0);
    assert_eq!(world.lasting_time().to_bits(), copy.lasting_time().to_bits());
    // A body that is taken away lies no longer, and what it lay is not forgotten.
    let before = world.lasting_time();
    world.remove_body(ids[1]).unwrap();
    assert!((world.lasting_time() - before).abs() < 1e-12);
    run(&mut world, 3.0);
    assert!((world.lasting_time() - before - 1.0).abs() < 1e-12, "{}", world.lasting_time() - before);
}

thread_local!(static NOW: Cell<u64> = const { Cell::new(0) });

/// A clock that moves on whenever it is read.
fn clock() -> u64 {
    NOW.set(NOW.get() + 1);
    NOW.get()
}

#[test]
fn a_stopwatch_tells_all_phases_apart_and_changes_nothing() {
    let (mut plain, _) = drops(Settings::default(), 2, 2);
    let mut timed = plain.clone();
    timed.set_stopwatch(Some(clock));
    NOW.set(0);
    run(&mut plain, 0.5);
    run(&mut timed, 0.5);
    assert_eq!((plain.trace_hash(), plain.counters()), (timed.trace_hash(), timed.counters()));
    let (none, times) = (plain.phase_times(), timed.phase_times());
    assert_eq!(none.total(), 0);
    assert!(times.detection > 0 && times.response > 0 && times.motion > 0 && times.control == 0, "{times:?}");
    // Every reading ends a stretch of one tick; those between two steps are nobody's.
    assert_eq!(times.total(), NOW.get() - timed.counters().events);
}

#[test]
fn what_follows_a_tick_is_control() {
    let (mut world, _) = drops(Settings::default(), 1, 0);
    world.add_clock(ClockSpec::tick(0.1)).unwrap();
    world.add_clock(ClockSpec::sample(0.1)).unwrap();
    world.set_stopwatch(Some(clock));
    let mut ticks = 0;
    loop {
        match world.run_until(1.05, None).unwrap() {
            StopReason::Tick(_) => {
                NOW.set(NOW.get() + 1000);
                ticks += 1;
            }
            StopReason::Sample(_) => NOW.set(NOW.get() + 1_000_000),
            StopReason::Reached | StopReason::Budget => break,
        }
    }
    // One tick more for the reading itself.
    assert_eq!((ticks, world.phase_times().control), (11, 11 * 1001));
    assert!(world.phase_times().total() < 1_000_000);
}

/// A body that takes the slot of a watched one is another body: what it weighs must not be added to the watch.
#[test]
fn a_watch_does_not_pass_to_the_next_body_of_a_slot() {
    let (mut world, ids) = drops(Settings::default(), 1, 0);
    let ground = world.find("floor").unwrap();
    let watch = world.watch_contact(ids[0], ground).unwrap();
    run(&mut world, 2.0);
    world.remove_body(ids[0]).unwrap();
    let before = world.contact_sum(watch).unwrap();
    let m = world.add_material(surface(0.5, 0.3)).unwrap();
    let cube = Cuboid::new(DVec3::splat(0.1)).unwrap();
    let next = world.add_body(free("next", cube, DVec3::Z * 0.05, DVec3::ZERO, m)).unwrap();
    assert_eq!(next.index(), ids[0].index());
    run(&mut world, 4.0);
    assert_eq!(world.settled(next), Some(true));
    let after = world.contact_sum(watch).unwrap();
    assert_eq!((before.impulse, before.impacts), (after.impulse, after.impacts));
    assert!((before.impulse.z - 2.0 * G).abs() < 1e-2 * G, "{}", before.impulse);
}

/// An observer that copies the motions of the bodies that each step changed knows where they were at any time.
#[test]
fn changed_bodies_and_their_motions_make_an_exact_history() {
    let (mut world, ids) = drops(Settings::default(), 2, 2);
    let mut twin = world.clone();
    let mut history: Vec<(f64, BodyId, impulse::body::Motion)> =
        ids.iter().map(|&id| (0.0, id, world.motion(id).unwrap().clone())).collect();
    while world.next_event().is_some_and(|next| next <= 1.0) {
        world.step().unwrap();
        for &id in world.changed() {
            history.push((world.time(), id, world.motion(id).unwrap().clone()));
        }
    }
    for k in 1..100 {
        let time = 0.01 * f64::from(k);
        run(&mut twin, time);
        for &id in &ids {
            let last = history.iter().rev().find(|(from, body, _)| *body == id && *from <= time).unwrap();
            assert_eq!(Some(last.2.state_at(time)), twin.motion(id).map(|motion| motion.state_at(time)), "{time}");
        }
    }
}

/// Worlds go to threads and are read from several.
#[test]
fn worlds_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<World>();
    check::<impulse::world::Snapshot>();
}
