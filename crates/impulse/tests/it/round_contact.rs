//! Lasting contact of round bodies: points that flat patches miss, contacts that jump from end to end (section 3.5).

use crate::world_support::{floor, free, placed, surface};
use impulse::geometry::Cylinder;
use impulse::math::Pose;
use impulse::world::{BodySpec, MotionSpec, Settings, WorldBuilder};
use impulse::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_8};

const G: f64 = 9.81;

/// A cylinder on its side comes down on the round face of another one with one end, which lies between the rim and the polygon that
/// stands for the face: the polygon's point is apart and rises, the end itself sinks.
#[test]
fn an_end_beside_the_polygon_of_a_round_face_is_pushed() {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(0.3, 0.0)).unwrap();
    let (face_radius, radius, length, slope) = (0.05, 0.02, 0.1, 4e-7);
    let face = free("face", Cylinder::new(face_radius, 0.1).unwrap(), DVec3::Z * -0.05, DVec3::ZERO, m);
    b.add_body(BodySpec { motion: MotionSpec::Fixed, ..face }).unwrap();
    // Seen along x, turned to the middle between two corners afterwards.
    let touch = Settings::default().touch_distance * face_radius;
    let (end, spin, approach) = (0.96 * face_radius, 3.0, 3e-3);
    let along = DVec3::new(1.0, 0.0, -slope);
    let centre = DVec3::new(end, 0.0, radius + 0.7 * touch) - along * (0.5 * length);
    let turned = DQuat::from_rotation_z(FRAC_PI_8);
    let rotation = turned * DQuat::from_rotation_y(FRAC_PI_2 + slope);
    let at = Pose { rotation, translation: turned * centre };
    let velocity = DVec3::Z * (spin * 0.5 * length - approach);
    let lying = free("lying", Cylinder::new(radius, length).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    b.add_body(placed(lying, at, velocity, DVec3::Y * spin)).unwrap();
    let mut world = b.build().unwrap();
    assert!(world.run_until(0.01, Some(1000)).unwrap().reached(), "a storm at {} s", world.time());
    assert!(world.counters().hops > 0, "it hops");
}

/// A cylinder hops on one end while the other one comes down, which strikes before the flight is over: that is no reason for the
/// first to hop higher.
#[test]
fn rocking_gains_no_energy() {
    // A torque of no account keeps it from being guided.
    for (slope, torque) in [1e-4, 2e-4, 3e-4].into_iter().flat_map(|slope| [(slope, 0.0), (slope, 1e-30)]) {
        let mut b = WorldBuilder::new(Settings::default()).unwrap();
        let m = b.add_material(surface(0.3, 0.3)).unwrap();
        b.add_body(floor(m)).unwrap();
        let (radius, length, spin, approach) = (0.03, 0.09, 1.0, 1.6e-3);
        let touch = Settings::default().touch_distance * radius;
        let rotation = DQuat::from_rotation_y(FRAC_PI_2 + slope);
        let height = radius * slope.cos() + 0.5 * length * slope.sin() + 0.7 * touch;
        let rocking = free("rocking", Cylinder::new(radius, length).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
        let at = Pose { rotation, translation: DVec3::Z * height };
        let velocity = DVec3::Z * (-0.5 * length * spin - approach);
        let body = b.add_body(placed(rocking, at, velocity, DVec3::NEG_Y * spin)).unwrap();
        let mut world = b.build().unwrap();
        world.set_torque(body, DVec3::Z * torque).unwrap();
        let bounding = (0.25 * length * length + radius * radius).sqrt();
        let lift = world.principal_mass(body).unwrap().mass() * G * Settings::default().hop_height * bounding;
        let mut least = world.energy();
        while world.time() < 0.1 && world.step().unwrap().is_some() {
            let gained = world.energy() - least;
            assert!(gained <= lift, "{gained:e} J, more than {lift:e} J, at {} s, slope {slope}", world.time());
            least = least.min(world.energy());
        }
        let least = if torque > 0.0 { 10 } else { 0 };
        assert!(world.counters().hops > least, "it hops");
    }
}
