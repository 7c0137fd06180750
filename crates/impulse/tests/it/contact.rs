//! Contact that lasts (sections 3.5, 8.1): rest, sliding and rolling against closed forms.

use impulse::geometry::{Cuboid, HalfSpace, Shape, Sphere};
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodyId, BodySpec, MassSpec, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

const G: f64 = 9.81;

fn builder(envelope: f64) -> WorldBuilder {
    WorldBuilder::new(Settings { envelope, ..Settings::default() }).unwrap()
}

fn fixed(name: &str, shape: impl Into<Shape>, at: Pose, material: impulse::world::MaterialId) -> BodySpec {
    BodySpec { name: name.into(), shape: shape.into(), world_from_shape: at, material, motion: MotionSpec::Fixed }
}

fn free(name: &str, shape: impl Into<Shape>, at: Pose, material: impulse::world::MaterialId) -> BodySpec {
    let mass = MassSpec::Density(1000.0);
    let motion = MotionSpec::Free { mass, velocity: DVec3::ZERO, spin: DVec3::ZERO };
    BodySpec { name: name.into(), shape: shape.into(), world_from_shape: at, material, motion }
}

fn surface(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution, law: Law::Stronge }
}

fn ramp(friction: f64, speed: f64) -> (World, BodyId, DVec3) {
    let angle = 30f64.to_radians();
    let mut b = builder(1e-5);
    let m = b.material(surface(friction, 0.3)).unwrap();
    let n = DVec3::new(angle.sin(), 0.0, angle.cos());
    let downhill = DVec3::new(angle.cos(), 0.0, -angle.sin());
    b.body(fixed("ramp", HalfSpace::new(n, 0.0).unwrap(), Pose::IDENTITY, m)).unwrap();
    let size = DVec3::new(0.1, 0.1, 0.1);
    let turn = DQuat::from_rotation_y(angle);
    let at = Pose { rotation: turn, translation: n * 0.05 };
    let mut spec = free("block", Cuboid::new(size).unwrap(), at, m);
    if let MotionSpec::Free { velocity, .. } = &mut spec.motion {
        *velocity = downhill * speed;
    }
    let id = b.body(spec).unwrap();
    (b.build().unwrap(), id, downhill)
}

#[test]
fn a_block_on_a_ramp_stops_where_coulomb_says() {
    let angle = 30f64.to_radians();
    for (friction, speed, until) in [(0.9, 5.48, 3.0), (0.6, 0.3, 3.0), (0.578, 0.3, 70.0)] {
        let (mut world, id, downhill) = ramp(friction, speed);
        let start = world.state_at(id, 0.0).world_from_body.translation;
        world.run_until(until, Some(10_000_000)).unwrap();
        let travelled = (world.state_at(id, until).world_from_body.translation - start).dot(downhill);
        let wanted = speed * speed / (2.0 * G * (friction * angle.cos() - angle.sin()));
        let c = world.counters();
        println!("mu {friction}: {travelled} of {wanted}, error {:e}; {c:?}", travelled - wanted);
    }
}

#[test]
fn a_box_rests() {
    let mut b = builder(1e-5);
    let m = b.material(surface(0.2, 0.8)).unwrap();
    b.body(fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap(), Pose::IDENTITY, m)).unwrap();
    let at = Pose::from_translation(DVec3::new(0.0, 0.0, 1.0));
    let id = b.body(free("cube", Cuboid::new(DVec3::splat(0.1)).unwrap(), at, m)).unwrap();
    let mut world = b.build().unwrap();
    for k in 1..=20 {
        let done = world.run_until(0.25 * f64::from(k), Some(100_000)).unwrap();
        let s = world.state_at(id, world.time());
        println!("{} {done} {} {} {:?}", world.time(), s.world_from_body.translation, s.spin, world.counters());
        if !done { break; }
    }
}

#[test]
fn a_ball_slides_then_rolls() {
    let mut b = builder(1e-5);
    let m = b.material(surface(0.2, 0.5)).unwrap();
    b.body(fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap(), Pose::IDENTITY, m)).unwrap();
    let mut spec = free("ball", Sphere::new(0.05).unwrap(), Pose::from_translation(DVec3::Z * 0.05), m);
    if let MotionSpec::Free { velocity, .. } = &mut spec.motion {
        *velocity = DVec3::X;
    }
    let id = b.body(spec).unwrap();
    let mut world = b.build().unwrap();
    for t in [0.1, 0.2, 1.0, 10.0] {
        world.run_until(t, Some(1_000_000)).unwrap();
        let s = world.state_at(id, t);
        println!("{t} {} {} {:?}", s.velocity, s.spin, world.counters());
    }
}
