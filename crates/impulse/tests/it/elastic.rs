//! Impacts that lose nothing, or lose so much that they follow each other faster and faster (sections 2.4, 3.3).

use crate::judged::assert_apart;
use crate::world_support::{free, placed, surface, wall};
use impulse::geometry::{Cuboid, Shape, Sphere};
use impulse::math::Pose;
use impulse::world::{MaterialId, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

/// Impacts of the gas.
const IMPACTS: u64 = 10_000;

fn closed_room(b: &mut WorldBuilder, half: f64, m: MaterialId) {
    for (i, normal) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
        for sign in [-1.0, 1.0] {
            b.add_body(wall(&format!("wall {i} {sign}"), sign * normal, -half, m)).unwrap();
        }
    }
}

/// Balls and boxes of different sizes that fly about in a closed room, with restitution 1 and no friction.
fn gas(gravity: f64) -> World {
    let settings = Settings { gravity: DVec3::Z * -gravity, ..Settings::default() };
    let mut b = WorldBuilder::new(settings).unwrap();
    let m = b.add_material(surface(0.0, 1.0)).unwrap();
    closed_room(&mut b, 0.3, m);
    for k in 0..27u32 {
        let cell = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) - 1.0;
        let number = |i: u32| f64::from((k * 7 + i * 13) % 19) / 9.5 - 1.0;
        let size = 0.02 + 0.01 * number(0).abs();
        let shape: Shape = match k % 2 {
            0 => Sphere::new(size).unwrap().into(),
            _ => Cuboid::new(DVec3::new(2.0, 1.5, 1.0) * size).unwrap().into(),
        };
        let rotation = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), f64::from(k));
        let at = Pose { rotation, translation: 0.18 * cell };
        let velocity = DVec3::new(number(1), number(2), number(3)) + 0.1;
        let body = free(&format!("body {k}"), shape, DVec3::ZERO, DVec3::ZERO, m);
        b.add_body(placed(body, at, velocity, 5.0 * DVec3::new(number(4), number(5), number(6)))).unwrap();
    }
    b.build().unwrap()
}

/// With restitution 1 and without friction energy is kept to rounding, and nothing ever lasts.
#[test]
fn a_gas_of_balls_and_boxes_keeps_its_energy() {
    for gravity in [0.0, 9.81] {
        let mut world = gas(gravity);
        let start = world.energy();
        let size = world.kinetic_energy() + world.potential_energy().abs();
        let mut worst = 0.0_f64;
        while world.counters().collisions < IMPACTS {
            world.step().unwrap().unwrap();
            worst = worst.max((world.energy() - start).abs());
        }
        assert!(worst <= 1e-12 * size, "{worst:e} of {size} J");
        let c = world.counters();
        assert_eq!((c.hops, c.microcollisions, c.unconverged), (0, 0, 0));
        assert!(world.energy_rise() <= world.energy_allowance());
        assert_apart(&world);
    }
}

/// Inelastic collapse: with restitution below 7 - 4 sqrt 3 = 0.072, three balls in a row collide without end in a finite time. What
/// remains is that they move together.
#[test]
fn impacts_without_end_are_ended() {
    for restitution in [0.0, 0.02, 0.05, 0.07] {
        let mut b = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        let m = b.add_material(surface(0.0, restitution)).unwrap();
        let ball = |name: &str, x: f64, speed: f64| {
            let shape = Sphere::new(0.05).unwrap();
            free(name, shape, DVec3::X * x, DVec3::X * speed, m)
        };
        let ids = [("left", -0.2, 1.0), ("middle", 0.0, 0.0), ("right", 0.3, -0.9)]
            .map(|(name, x, speed)| b.add_body(ball(name, x, speed)).unwrap());
        let mut world = b.build().unwrap();
        let (momentum, energy) = (world.momentum(), world.energy());
        let stopped = world.run_until(1.0, Some(100)).unwrap();
        assert!(stopped.reached(), "an event storm at {} s: {:?}", world.time(), world.counters());
        assert!(world.momentum().distance(momentum) < 1e-12 * momentum.length() + 1e-12 && world.energy() <= energy);
        let speeds = ids.map(|id| world.principal_state_at(id, 1.0).unwrap().velocity.x);
        let common = momentum.x / ids.iter().map(|&id| world.principal_mass(id).unwrap().mass()).sum::<f64>();
        assert!(speeds.iter().all(|speed| (speed - common).abs() < 1e-12), "{speeds:?} instead of {common}");
        assert_apart(&world);
    }
}
