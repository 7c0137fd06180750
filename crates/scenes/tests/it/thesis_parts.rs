//! The built-in scenes with non-convex bodies (thesis sections 7.1 and 1.2) run, and show what they are there to show.

use crate::thesis_scenes::{place, rests, run, scene, state};
use impulse::DVec3;

/// What two runs must have in common.
fn trace(name: &str, until: f64) -> (u64, u64) {
    let mut world = scene(name, &[]);
    run(&mut world, until);
    (world.trace_hash(), world.counters().events)
}

#[test]
fn exploding_text_keeps_its_energy_within_its_box() {
    let mut world = scene("text", &[]);
    // 22 letters, the hyphen, three dots; and six walls.
    assert_eq!(world.bodies().filter(|&body| world.principal_mass(body).is_some()).count(), 22 + 1 + 3);
    assert_eq!(world.len(), 26 + 6);
    let start = world.energy();
    let (mut momentum, mut changes) = (world.momentum(), 0);
    for k in 0..=8 {
        run(&mut world, 0.5 * f64::from(k));
        assert!((world.energy() / start - 1.0).abs() < 1e-10, "{} of {start} J", world.energy());
        changes += u32::from(world.momentum().distance(momentum) > 1e-3 * momentum.length());
        momentum = world.momentum();
    }
    // The walls take momentum all the time, and hold the letters.
    assert!(changes >= 6 && world.counters().collisions > 200);
    for body in world.bodies().filter(|&body| world.principal_mass(body).is_some()) {
        let at = world.principal_state_at(body, world.time()).unwrap().world_from_body.translation;
        assert!(at.abs().cmplt(DVec3::new(0.4, 0.2, 0.2)).all(), "{at}");
    }
}

#[test]
fn exploding_text_is_the_same_every_time() {
    assert_eq!(trace("text", 2.0), trace("text", 2.0));
}

#[test]
fn caps_slide_out_of_the_chute_and_come_to_rest() {
    let mut world = scene("chute", &[]);
    let caps: Vec<String> = (1..=6).map(|i| format!("cap {i}")).collect();
    let (start, mut least) = (world.energy(), f64::INFINITY);
    let mut on_the_tray = 0;
    for k in 0..=25 {
        run(&mut world, 0.2 * f64::from(k));
        // Contact that lasts lifts bodies by hops of a hundred-thousandth of their size.
        assert!(world.energy() < least + 1e-5 * start, "{} after {least} J", world.energy());
        least = least.min(world.energy());
        on_the_tray = on_the_tray.max(caps.iter().filter(|cap| place(&world, cap).z > 0.1 && k > 1).count());
    }
    assert!(on_the_tray >= 4, "{on_the_tray}");
    for cap in &caps {
        // The tray's lower end is 100 mm above the floor; a cap is 30 mm wide.
        assert!(place(&world, cap).z < 0.016 && rests(&world, cap), "{cap}: {}", place(&world, cap));
    }
    let collisions = world.counters().collisions;
    assert!(collisions > 100, "{collisions}");
}

#[test]
fn the_chute_is_the_same_every_time() {
    assert_eq!(trace("chute", 0.7), trace("chute", 0.7));
}

/// The tray's flat part ends at x = 0; behind it lie recesses 28.8 mm wide and 34.8 mm apart, in three rows.
#[test]
fn the_feeder_shakes_every_part_into_its_recess() {
    let mut world = scene("feeder", &[]);
    let parts: Vec<String> = (1..=3).map(|i| format!("part {i}")).collect();
    for k in 0..=60 {
        run(&mut world, 0.05 * f64::from(k));
        for part in &parts {
            // They fall by 9 mm, then the tray moves them at up to 0.104 m/s in each direction.
            let speed = state(&world, part).velocity.length();
            assert!(speed < 0.7, "{part}: {speed} m/s at {} s", world.time());
            assert!(k > 0 || place(&world, part).x < -0.01);
        }
    }
    for (part, row) in parts.iter().zip([-1.0, 0.0, 1.0]) {
        // A part of 24 mm has 4 mm of play, the tray's own motion included; its middle lies below the tray's upper side.
        let off = place(&world, part) - DVec3::new(0.0144, 0.0348 * row, 0.0);
        assert!(off.x.abs() < 0.004 && off.y.abs() < 0.004 && off.z < 0.0, "{part} is off by {off}");
    }
}

#[test]
fn the_feeder_is_the_same_every_time() {
    assert_eq!(trace("feeder", 0.5), trace("feeder", 0.5));
}
