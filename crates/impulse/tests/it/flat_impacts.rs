//! Boxes that land flat (beside section 3.3): corners struck at one instant are one impact, and the box bounces like a ball.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, placed, surface};
use impulse::body::State;
use impulse::geometry::Cuboid;
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, Event, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

const G: f64 = 9.81;
const SIDE: f64 = 0.1;
/// Height of the fall, m.
const HEIGHT: f64 = 0.45;

/// What a box falls on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ground {
    Floor,
    /// Two blocks with a gap between them below the middle of the box.
    Blocks,
}

/// A box that falls: on what, with which restitution, turned about the vertical, tilted about an oblique axis.
fn dropped(ground: Ground, restitution: f64, turn: f64, tilt: f64) -> (World, BodyId) {
    let mut b = WorldBuilder::new(Settings { record_impacts: true, ..Settings::default() }).unwrap();
    let m = b.add_material(surface(0.4, restitution)).unwrap();
    if ground == Ground::Floor {
        b.add_body(floor(m)).unwrap();
    } else {
        for (name, x) in [("left", -0.12), ("right", 0.12)] {
            let block = free(name, Cuboid::new(DVec3::new(0.2, 0.3, 0.1)).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
            let at = Pose::from_translation(DVec3::new(x, 0.0, -0.05));
            b.add_body(BodySpec { motion: MotionSpec::Fixed, world_from_shape: at, ..block }).unwrap();
        }
    }
    let tilted = DQuat::from_axis_angle(DVec3::new(0.6, 0.8, 0.0), tilt);
    let at = Pose { rotation: tilted * DQuat::from_rotation_z(turn), translation: DVec3::Z * (HEIGHT + 0.5 * SIDE) };
    let body = free("box", Cuboid::new(DVec3::splat(SIDE)).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let id = b.add_body(placed(body, at, DVec3::ZERO, DVec3::ZERO)).unwrap();
    (b.build().unwrap(), id)
}

/// Runs through the first impact; the state after it.
fn struck(world: &mut World, id: BodyId) -> State {
    while !matches!(world.step().unwrap(), Some(Event::Impact(_))) {}
    world.principal_state_at(id, world.time()).unwrap()
}

/// How high a state leads, m above where the box lies.
fn apex(state: &State) -> f64 {
    state.world_from_body.translation.z - 0.5 * SIDE + state.velocity.z * state.velocity.z / (2.0 * G)
}

#[track_caller]
fn assert_bounces(ground: Ground, restitution: f64, turn: f64, tilt: f64) {
    let (mut world, id) = dropped(ground, restitution, turn, tilt);
    let state = struck(&mut world, id);
    let (height, wanted) = (apex(&state), restitution * restitution * HEIGHT);
    let case = format!("{ground:?}, restitution {restitution}, turned by {turn}, tilted by {tilt}");
    assert!((height / wanted - 1.0).abs() < 1e-6, "{case}: {height} instead of {wanted}");
    // What the tilt brings in is all there is of other motion.
    let aside = state.velocity.truncate().length();
    let (spin, allowed) = (state.spin.length(), 1e-9 + 100.0 * tilt);
    assert!(spin < allowed && aside < 0.1 * allowed, "{case}: {spin} rad/s and {aside} m/s");
    assert_apart(&world);
}

const RESTITUTIONS: [f64; 4] = [0.2, 0.5, 0.8, 1.0];

#[test]
fn a_flat_box_bounces_like_a_ball() {
    for restitution in RESTITUTIONS {
        for ground in [Ground::Floor, Ground::Blocks] {
            assert_bounces(ground, restitution, 0.0, 0.0);
        }
    }
}

#[test]
fn it_does_so_however_it_is_turned() {
    for restitution in RESTITUTIONS {
        for k in 1..16 {
            let turn = 0.1 * f64::from(k) + 0.003;
            assert_bounces(Ground::Floor, restitution, turn, 0.0);
            assert_bounces(Ground::Blocks, restitution, turn, 0.0);
        }
    }
}

#[test]
fn a_tilt_below_the_hop_height_changes_nothing() {
    for restitution in RESTITUTIONS {
        for tilt in [1e-9, 1e-7] {
            for turn in [0.0, 0.4] {
                assert_bounces(Ground::Floor, restitution, turn, tilt);
                assert_bounces(Ground::Blocks, restitution, turn, tilt);
            }
        }
    }
}

/// Every point is recorded, all at one time, with equal shares; what they lose adds up to what the box loses.
#[test]
fn the_points_of_one_impact_share_time_and_loss() {
    for (ground, points) in [(Ground::Floor, 4), (Ground::Blocks, 8)] {
        let (mut world, id) = dropped(ground, 0.5, 0.0, 0.0);
        let state = struck(&mut world, id);
        let records = world.impacts();
        assert_eq!((records.len(), world.counters().collisions), (points, points as u64), "{ground:?}");
        let mass = world.principal_mass(id).unwrap().mass();
        let speed = (2.0 * G * HEIGHT).sqrt();
        for record in records {
            assert!(record.time == world.time() && !record.micro && record.bodies.contains(&id), "{record:?}");
            let share = 1.5 * speed * mass / points as f64;
            assert!((record.impulse.z.abs() / share - 1.0).abs() < 1e-6, "{record:?} of {share}");
        }
        let lost: f64 = records.iter().map(|record| record.energy_lost).sum();
        let before = mass * G * (HEIGHT + 0.5 * SIDE) - mass * G * state.world_from_body.translation.z;
        let after = world.kinetic_energy();
        assert!((lost / (before - after) - 1.0).abs() < 1e-9, "{lost} of {before} - {after}");
    }
}
