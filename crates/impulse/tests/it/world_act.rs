//! Pushes, forces and torques on bodies of a running world, against closed forms (sections 1.3, 2.5, 5.4).

use crate::world_support::{floor, free, surface};
use impulse::body::{Keyframe, Keyframes};
use impulse::geometry::{Cuboid, Sphere};
use impulse::math::Pose;
use impulse::world::{ActError, BodyId, BodySpec, Event, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

const SIZE: DVec3 = DVec3::new(0.1, 0.2, 0.3);

/// One box of 6 kg at the origin, at rest.
fn one_box(gravity: DVec3) -> (World, BodyId) {
    let mut builder = WorldBuilder::new(Settings { gravity, ..Settings::default() }).unwrap();
    let m = builder.add_material(surface(0.3, 0.5)).unwrap();
    let id = builder.add_body(free("box", Cuboid::new(SIZE).unwrap(), DVec3::ZERO, DVec3::ZERO, m)).unwrap();
    (builder.build().unwrap(), id)
}

#[test]
fn an_impulse_changes_both_momenta_by_what_it_is() {
    let (mut world, id) = one_box(DVec3::new(0.0, 0.0, -9.81));
    world.set_velocity(id, DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, -5.0, 6.0)).unwrap();
    assert!((world.spin_at(id, 0.0).unwrap() - DVec3::new(4.0, -5.0, 6.0)).length() < 1e-14);
    world.run_to(0.3).unwrap();
    let (p, l, e) = (world.momentum(), world.angular_momentum(), world.kinetic_energy());
    let centre = world.principal_state_at(id, 0.3).unwrap().world_from_body.translation;
    let (point, impulse) = (centre + DVec3::new(0.03, -0.05, 0.1), DVec3::new(0.7, -0.2, 0.9));
    let before = world.principal_state_at(id, 0.3).unwrap().point_velocity(point);
    world.apply_impulse(id, point, impulse).unwrap();
    let after = world.principal_state_at(id, 0.3).unwrap().point_velocity(point);
    assert!((world.momentum() - p - impulse).length() < 1e-13);
    assert!((world.angular_momentum() - l - point.cross(impulse)).length() < 1e-13);
    let work = 0.5 * impulse.dot(before + after);
    assert!((world.kinetic_energy() - e - work).abs() < 1e-13 * e, "{}", world.kinetic_energy() - e - work);
}

#[test]
fn a_constant_force_makes_a_parabola_and_does_its_work() {
    let (mut world, id) = one_box(DVec3::new(0.0, 0.0, -9.81));
    let (v, force) = (DVec3::new(1.0, 0.5, 4.0), DVec3::new(3.0, -2.0, 100.0));
    world.set_velocity(id, v, DVec3::new(1.0, 2.0, 3.0)).unwrap();
    world.run_to(0.25).unwrap();
    world.set_force(id, force).unwrap();
    let start = world.principal_state_at(id, 0.25).unwrap();
    let energy = world.energy();
    world.run_to(1.75).unwrap();
    let s = world.principal_state_at(id, 1.75).unwrap();
    let acceleration = DVec3::new(0.0, 0.0, -9.81) + force / 6.0;
    let way = start.velocity * 1.5 + 0.5 * acceleration * 1.5 * 1.5;
    let moved = s.world_from_body.translation - start.world_from_body.translation;
    assert!((moved - way).length() < 1e-14 * way.length(), "{moved} {way}");
    assert!((world.energy() - energy - force.dot(way)).abs() < 1e-13 * world.energy());
    // Without the force the flight is what it was.
    world.set_force(id, DVec3::ZERO).unwrap();
    world.run_to(2.0).unwrap();
    let velocity = world.principal_state_at(id, 2.0).unwrap().velocity;
    assert!((velocity - s.velocity - DVec3::new(0.0, 0.0, -9.81 * 0.25)).length() < 1e-13);
}

/// About a principal axis the angle is `torque t^2 / (2 I)`, for many turns and many steps ahead.
#[test]
fn torque_about_a_principal_axis_makes_a_quadratic_angle() {
    let (mut world, id) = one_box(DVec3::ZERO);
    let torque = 0.5;
    let moment = 6.0 / 12.0 * (SIZE.x * SIZE.x + SIZE.y * SIZE.y);
    world.set_torque(id, DVec3::new(0.0, 0.0, torque)).unwrap();
    for k in 1..=40 {
        let t = 0.1 * f64::from(k);
        assert!(world.run_until(t, Some(100_000)).unwrap().reached());
        let angle = 0.5 * torque / moment * t * t;
        let s = world.principal_state_at(id, t).unwrap();
        assert!((s.spin - DVec3::Z * (torque / moment * t)).length() < 1e-12 * (1.0 + t));
        let wanted = DQuat::from_rotation_z(angle);
        assert!(s.world_from_body.rotation.dot(wanted).abs() > 1.0 - 1e-14, "{t}: {}", s.world_from_body.rotation);
        let work = torque * angle;
        assert!((world.kinetic_energy() - work).abs() < 1e-12 * work);
    }
    assert!(world.counters().expiries > 10, "the trajectory is extended as time goes on: {:?}", world.counters());
    // Without torque the spin stays.
    world.set_torque(id, DVec3::ZERO).unwrap();
    let spin = world.principal_state_at(id, 4.0).unwrap().spin;
    assert!(world.run_until(1e3, Some(100)).unwrap().reached());
    assert_eq!(world.principal_state_at(id, 1e3).unwrap().spin, spin);
}

/// Angular momentum grows by torque times time about any axis, and kicks in between are kept.
#[test]
fn torque_changes_the_angular_momentum_steadily() {
    let (mut world, id) = one_box(DVec3::ZERO);
    let torque = DVec3::new(0.3, -0.1, 0.2);
    world.set_velocity(id, DVec3::ZERO, DVec3::new(0.1, 7.0, 0.2)).unwrap();
    let start = world.angular_momentum();
    world.set_torque(id, torque).unwrap();
    let (mut kicks, impulse) = (DVec3::ZERO, DVec3::new(0.02, 0.01, -0.03));
    for k in 1..=20 {
        let t = 0.1 * f64::from(k);
        assert!(world.run_until(t, Some(100_000)).unwrap().reached());
        let got = world.angular_momentum();
        assert!((got - start - torque * t - kicks).length() < 1e-12, "{t}: {}", got - start - torque * t - kicks);
        let point = world.principal_state_at(id, t).unwrap().world_from_body.point(DVec3::new(0.05, 0.0, 0.1));
        world.apply_impulse(id, point, impulse).unwrap();
        kicks += point.cross(impulse);
    }
}

/// A pushed ball hits what is in its way when it must.
#[test]
fn a_body_set_going_strikes_at_the_right_time() {
    let mut builder = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
    let m = builder.add_material(surface(0.0, 1.0)).unwrap();
    builder.add_body(floor(m)).unwrap();
    let ball =
        builder.add_body(free("ball", Sphere::new(0.1).unwrap(), DVec3::new(0.0, 0.0, 3.1), DVec3::ZERO, m)).unwrap();
    let mut world = builder.build().unwrap();
    assert_eq!(world.next_event(), None);
    world.run_to(1.0).unwrap();
    // 3 m from rest at 1.5 m/s^2: two seconds, at the end 3 m/s.
    let mass = world.principal_mass(ball).unwrap().mass();
    world.set_force(ball, DVec3::Z * (-1.5 * mass)).unwrap();
    let record = loop {
        if let Event::Impact(record) = world.step().unwrap().unwrap() {
            break record;
        }
    };
    assert!((record.time - 3.0).abs() < 1e-8 && (record.before.z.abs() - 3.0).abs() < 1e-8, "{record:?}");
}

/// A body that its keyframes keep at rest at first strikes all the same when it begins to move.
#[test]
fn keyframes_after_a_rest_are_not_overlooked() {
    let mut builder = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
    let m = builder.add_material(surface(0.0, 1.0)).unwrap();
    let at = |time: f64, x: f64| Keyframe { time, world_from_body: Pose::from_translation(DVec3::X * x) };
    let script = Keyframes::new(&[at(1.0, 0.0), at(2.0, 5.0)]).unwrap().into();
    let shape = Sphere::new(0.1).unwrap();
    let pusher = BodySpec {
        name: "pusher".into(),
        motion: MotionSpec::Scripted { script, centre: DVec3::ZERO },
        ..free("", shape, DVec3::ZERO, DVec3::ZERO, m)
    };
    builder.add_body(pusher).unwrap();
    let ball = builder.add_body(free("ball", shape, DVec3::X * 3.0, DVec3::ZERO, m)).unwrap();
    let mut world = builder.build().unwrap();
    assert!(world.run_until(3.0, Some(10_000)).unwrap().reached());
    let speed = world.principal_state_at(ball, 3.0).unwrap().velocity.x;
    // The cubic from rest to rest, 5 (3 s^2 - 2 s^3), is at 2.8 m at s = 0.5401...; the ball leaves twice as fast.
    let s = 0.540_085_884_173_06;
    assert!((5.0 * (3.0 * s * s - 2.0 * s * s * s) - 2.8_f64).abs() < 1e-11);
    assert!((speed - 2.0 * 30.0 * s * (1.0 - s)).abs() < 1e-7, "{speed}");
}

#[test]
fn what_cannot_be_done_is_refused() {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    let m = builder.add_material(surface(0.3, 0.5)).unwrap();
    let ground = builder.add_body(floor(m)).unwrap();
    let ball = builder.add_body(free("ball", Sphere::new(0.1).unwrap(), DVec3::Z, DVec3::ZERO, m)).unwrap();
    let mut world = builder.build().unwrap();
    assert_eq!(world.set_force(ground, DVec3::X), Err(ActError::NotFree("floor".into())));
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    let refused = |what| Err(ActError::NotFinite { name: "ball".into(), what });
    assert_eq!(world.set_torque(ball, nan), refused("the torque"));
    assert_eq!(world.set_velocity(ball, DVec3::ZERO, DVec3::INFINITY), refused("the spin"));
    assert_eq!(world.apply_impulse(ball, nan, DVec3::X), refused("the point"));
    world.remove_body(ball).unwrap();
    assert_eq!(world.set_force(ball, DVec3::X), Err(ActError::NoSuchBody));
    assert_eq!(world.principal_state_at(ball, 0.0), None);
}
