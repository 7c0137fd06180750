//! Bounces as exact as the place of an impact (sections 1.2, 2.3): heights, energy, and momentum handed on.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, surface, wall};
use impulse::DVec3;
use impulse::geometry::Sphere;
use impulse::world::{BodyId, BodySpec, Event, MassSpec, MotionSpec, Settings, World, WorldBuilder};

/// Heights of the bounces of a ball dropped from 1 m, as long as they are above 1 mm: `e^(2 n)`, but for half the touch distance, at
/// which impacts are aimed. Each is the height reached, not one computed from the impact.
#[test]
fn bounces_are_exact() {
    for e in [0.0, 0.3, 0.5, 0.8, 0.95, 1.0] {
        let mut builder = WorldBuilder::new(Settings::default()).unwrap();
        let m = builder.add_material(surface(0.3, e)).unwrap();
        builder.add_body(floor(m)).unwrap();
        let r = 0.05;
        let at = DVec3::new(0.0, 0.0, 1.0 + r);
        let ball = builder.add_body(free("ball", Sphere::new(r).unwrap(), at, DVec3::ZERO, m)).unwrap();
        let mut world = builder.build().unwrap();
        let touch = Settings::default().touch_distance * r;
        let mut bounces = 0;
        loop {
            let happened = world.step().unwrap().expect("a ball in the air comes down");
            let Event::Impact(record) = happened else { continue };
            bounces += 1;
            let wanted = e.powi(2 * bounces);
            if wanted < 1e-3 || bounces > 100 {
                assert!(world.energy() >= 0.0 && record.after.z < 0.2 || e == 1.0, "e = {e}: {}", record.after);
                break;
            }
            let top = world.time() + world.principal_state_at(ball, world.time()).unwrap().velocity.z / 9.81;
            let height = world.principal_state_at(ball, top).unwrap().world_from_body.translation.z - r;
            let off = height - wanted;
            assert!(off.abs() < 0.5 * touch + 1e-13, "e = {e}, bounce {bounces}: {off:e} m off {wanted} m");
        }
        assert!(bounces > [0, 2][usize::from(e > 0.0)], "e = {e}: {bounces} bounces");
    }
}

/// A ball struck into a row of five: the last one leaves with all the velocity.
#[test]
fn a_row_of_balls_passes_the_momentum_on() {
    let mut builder = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
    let m = builder.add_material(surface(0.0, 1.0)).unwrap();
    let r = 0.03;
    let step = 2.0 * r + 1e-4 * r;
    let ball = Sphere::new(r).unwrap();
    builder.add_body(free("cue", ball, DVec3::new(-1.0, 0.0, 0.0), DVec3::X, m)).unwrap();
    let ids: Vec<BodyId> = (0..5)
        .map(|i| {
            builder.add_body(free(&i.to_string(), ball, DVec3::X * (f64::from(i) * step), DVec3::ZERO, m)).unwrap()
        })
        .collect();
    let mut world = builder.build().unwrap();
    assert!(world.run_until(3.0, Some(10_000)).unwrap().reached());
    let speed = world.principal_state_at(ids[4], 3.0).unwrap().velocity;
    assert!((speed - DVec3::X).length() < 1e-12, "{speed}");
    assert_eq!(world.counters().collisions, 5);
}

/// Balls of 10 kg in layers, centres 0.21 m apart and out of line by up to 1 mm, inside four walls that they cannot leave.
fn dropped_balls([columns, rows, layers]: [u32; 3], lowest: f64) -> World {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    let m = builder.add_material(surface(0.0, 1.0)).unwrap();
    builder.add_body(floor(m)).unwrap();
    for (name, normal, offset) in [
        ("west", DVec3::X, 0.0),
        ("south", DVec3::Y, 0.0),
        ("east", -DVec3::X, -0.21 * f64::from(columns)),
        ("north", -DVec3::Y, -0.21 * f64::from(rows)),
    ] {
        builder.add_body(wall(name, normal, offset, m)).unwrap();
    }
    let ball = Sphere::new(0.1).unwrap();
    for k in 0..columns * rows * layers {
        let place = [k % columns, k / columns % rows, k / columns / rows].map(f64::from);
        let off = DVec3::from_array([0.0, 2.0, 4.0].map(|phase| (f64::from(k) * 12.9898 + phase).sin()));
        let at = DVec3::from_array(place) * 0.21 + DVec3::new(0.105, 0.105, lowest) + 1e-3 * off;
        let motion = MotionSpec::Free { mass: MassSpec::Mass(10.0), velocity: DVec3::ZERO, spin: DVec3::ZERO };
        builder.add_body(BodySpec { motion, ..free(&format!("ball {k}"), ball, at, DVec3::ZERO, m) }).unwrap();
    }
    builder.build().unwrap()
}

/// Energy after a run, relative to that before, less one; and the number of collisions.
fn energy_error(mut world: World, time: f64) -> (f64, u64) {
    let before = world.energy();
    assert!(world.run_until(time, Some(100_000_000)).unwrap().reached());
    assert_apart(&world);
    (world.energy() / before - 1.0, world.counters().collisions)
}

#[test]
fn forty_nine_balls_keep_their_energy() {
    let (error, collisions) = energy_error(dropped_balls([7, 7, 1], 1.1), 20.0);
    assert!(error.abs() < 1e-10 && collisions > 1000, "{error:e} after {collisions} collisions");
}

#[test]
fn two_hundred_and_sixteen_balls_keep_their_energy() {
    let (error, collisions) = energy_error(dropped_balls([6, 6, 6], 1.1), 20.0);
    assert!(error.abs() < 1e-10 && collisions > 10_000, "{error:e} after {collisions} collisions");
}
