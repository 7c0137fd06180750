//! The optional laws of lasting contact (beside section 3.5) against closed forms: rolling and spinning resistance, static friction.

use crate::world_support::{floor, free, surface, wall};
use impulse::body::Cycle;
use impulse::geometry::{Cuboid, Cylinder, Shape, Sphere};
use impulse::math::Pose;
use impulse::respond::Material;
use impulse::world::{BodyId, BodySpec, BuildError, MassSpec, MotionSpec, Settings, Surface, World, WorldBuilder, combine};
use impulse::{DQuat, DVec3};

const G: f64 = 9.81;
const RADIUS: f64 = 0.05;

fn builder() -> WorldBuilder {
    WorldBuilder::new(Settings::default()).unwrap()
}

/// Friction 0.5, restitution 0.3, and so much resistance, m.
fn resisting(rolling_resistance: f64, spinning_resistance: f64) -> Surface {
    Surface { rolling_resistance, spinning_resistance, ..surface(0.5, 0.3).into() }
}

/// Friction 0.6 at rest and 0.3 in motion.
fn gripping() -> Surface {
    Surface { static_friction: 0.6, ..surface(0.3, 0.3).into() }
}

/// Puts a body elsewhere, turned, with a velocity and a spin in its own axes.
fn placed(spec: BodySpec, at: Pose, velocity: DVec3, spin: DVec3) -> BodySpec {
    let motion = match spec.motion {
        MotionSpec::Free { mass, .. } => MotionSpec::Free { mass, velocity, spin },
        other => other,
    };
    BodySpec { world_from_shape: at, motion, ..spec }
}

fn run(world: &mut World, until: f64) {
    let stopped = world.run_until(until, Some(2_000_000)).unwrap();
    assert!(stopped.reached(), "an event storm at {} s: {:?}", world.time(), world.counters());
    assert!(world.min_separation() >= 0.0);
}

fn position(world: &World, body: BodyId) -> DVec3 {
    world.state_at(body, world.time()).unwrap().world_from_body.translation
}

/// It is frozen: nothing happens any more.
#[track_caller]
fn assert_frozen(world: &mut World, body: BodyId) {
    let (at, events) = (position(world, body), world.counters().events);
    run(world, world.time() + 100.0);
    assert_eq!((position(world, body), world.counters().events), (at, events));
    assert_eq!(world.settled(body), Some(true));
}

/// A slope that falls along x by an angle, and the downhill direction.
fn slope(b: &mut WorldBuilder, angle: f64, surface: Surface) -> (impulse::world::MaterialId, Pose, DVec3) {
    let m = b.material(surface).unwrap();
    let up = DVec3::new(angle.sin(), 0.0, angle.cos());
    b.body(wall("slope", up, 0.0, m)).unwrap();
    let at = Pose { rotation: DQuat::from_rotation_y(angle), translation: up * RADIUS };
    (m, at, DVec3::new(angle.cos(), 0.0, -angle.sin()))
}

/// A ball on a slope, rolling downhill.
fn rolling_ball(angle: f64, speed: f64, surface: Surface) -> (World, BodyId, DVec3) {
    let mut b = builder();
    let (m, at, downhill) = slope(&mut b, angle, surface);
    let ball = free("ball", Sphere::new(RADIUS).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let ball = b.body(placed(ball, at, downhill * speed, DVec3::Y * (speed / RADIUS))).unwrap();
    (b.build().unwrap(), ball, downhill)
}

/// About the contact a ball has the moment of inertia `7/5 m r^2`, and the moment `c m g` brakes it: `a = 5/7 g c / r`, so that it
/// stops after `v^2 / (2 a)`.
#[test]
fn a_rolling_ball_stops_where_its_resistance_says() {
    for (resistance, speed) in [(1e-3, 0.5), (1e-2, 1.0), (1e-4, 0.1)] {
        let (mut world, ball, _) = rolling_ball(0.0, speed, resisting(resistance, 0.0));
        let braking = 5.0 / 7.0 * G * resistance / RADIUS;
        let (stop, way) = (speed / braking, speed * speed / (2.0 * braking));
        let mut energy = world.energy();
        for k in 1..=10 {
            run(&mut world, stop * f64::from(k) / 10.0);
            assert!(world.energy() < energy, "{} after {energy}", world.energy());
            energy = world.energy();
        }
        run(&mut world, stop + 0.1);
        let error = position(&world, ball).x / way - 1.0;
        eprintln!("{error:e}");
        assert!(error.abs() < 1e-4, "{resistance} m: off by {error:e}");
        assert_frozen(&mut world, ball);
    }
}
