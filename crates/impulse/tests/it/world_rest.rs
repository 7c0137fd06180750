//! Rest and contact forces as averages over time (section 1.3).

use crate::world_support::{floor, free, surface};
use impulse::DVec3;
use impulse::body::{Keyframe, Keyframes};
use impulse::geometry::{Cuboid, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, MaterialId, MotionSpec, Settings, World, WorldBuilder};

fn on_floor(
    settings: Settings,
    friction: f64,
    restitution: f64,
    spec: impl Fn(BodySpec) -> BodySpec,
) -> (World, BodyId) {
    let mut builder = WorldBuilder::new(settings).unwrap();
    let m = builder.add_material(surface(friction, restitution)).unwrap();
    builder.add_body(floor(m)).unwrap();
    let ball = free("body", Sphere::new(0.05).unwrap(), DVec3::Z * 0.05, DVec3::ZERO, m);
    let id = builder.add_body(spec(ball)).unwrap();
    (builder.build().unwrap(), id)
}

fn moving(velocity: DVec3, spin: DVec3) -> impl Fn(BodySpec) -> BodySpec {
    move |mut spec| {
        if let MotionSpec::Free { velocity: v, spin: w, .. } = &mut spec.motion {
            (*v, *w) = (velocity, spin);
        }
        spec
    }
}

/// Whether it counts as settled at each of many times, at and between events.
fn answers(world: &mut World, body: BodyId, until: f64) -> Vec<bool> {
    (1..=200)
        .map(|k| {
            assert!(world.run_until(until * f64::from(k) / 200.0, Some(1_000_000)).unwrap().reached());
            world.settled(body).unwrap()
        })
        .collect()
}

/// Dropped from 0.2 m with e = 0.5 it bounces for `t (1 + 2 e + 2 e^2 + ...) = 3 t`, 0.61 s, and then counts as settled after
/// the time that takes, no earlier; a fixed body always does.
#[test]
fn a_dropped_ball_settles() {
    let drop = |mut spec: BodySpec| {
        spec.world_from_shape.translation.z = 0.25;
        spec
    };
    let (mut world, ball) = on_floor(Settings::default(), 0.3, 0.5, drop);
    assert_eq!(world.settled(world.find("floor").unwrap()), Some(true));
    let answers = answers(&mut world, ball, 2.0);
    let first = 0.01 * answers.iter().position(|&s| s).expect("it settles") as f64;
    assert!((0.6..0.85).contains(&first), "{first}");
    assert!(answers[100..].iter().all(|&s| s), "it stays settled");
    // A push ends that at once, as soon as it has moved a little.
    world.set_velocity(ball, DVec3::X, DVec3::ZERO).unwrap();
    world.run_to(2.01).unwrap();
    assert_eq!(world.settled(ball), Some(false));
}

/// Thrown up, at the summit, falling back through where it was: never settled.
#[test]
fn flight_is_no_rest() {
    for up in [0.1, 0.3, 0.7, 1.0, 2.0, 3.0] {
        let (mut world, ball) = on_floor(Settings::default(), 0.3, 1.0, moving(DVec3::Z * up, DVec3::ZERO));
        let period = 2.0 * up / 9.81;
        // Also in windows shorter than a flight.
        assert!(answers(&mut world, ball, 0.999 * period).iter().all(|&s| !s), "{up}");
    }
    let settings = Settings { settle_time: 1e-2, ..Settings::default() };
    let (mut world, ball) = on_floor(settings, 0.3, 1.0, moving(DVec3::Z * 0.5, DVec3::ZERO));
    assert!(answers(&mut world, ball, 0.101).iter().all(|&s| !s));
}

/// A box that slides slowly but steadily, and a ball that turns in its place, do not rest.
#[test]
fn slow_sliding_and_spinning_are_no_rest() {
    let slide = |spec: BodySpec| {
        let shape = Cuboid::new(DVec3::new(0.1, 0.1, 0.06)).unwrap().into();
        let mut spec = moving(DVec3::X * 2e-3, DVec3::ZERO)(BodySpec { shape, ..spec });
        spec.world_from_shape.translation.z = 0.03;
        spec
    };
    let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
    let (mut world, sliding) = on_floor(settings, 0.0, 0.5, slide);
    assert!(answers(&mut world, sliding, 2.0).iter().all(|&s| !s));
    let (mut world, spinning) = on_floor(settings, 0.0, 0.5, moving(DVec3::ZERO, DVec3::Z * 100.0));
    assert!(answers(&mut world, spinning, 2.0).iter().all(|&s| !s));
    // Ten times slower than the bound it counts as resting, until it is too far from where it began: a second later.
    let creep = moving(DVec3::X * 5e-5, DVec3::ZERO);
    let (mut world, creeping) = on_floor(settings, 0.0, 0.5, creep);
    let settled = answers(&mut world, creeping, 2.0);
    assert!(settled[..9].iter().all(|&s| !s) && settled[10..98].iter().all(|&s| s), "{settled:?}");
}

/// A ball at rest presses on the floor with its weight; windows of any length say so, to the share of one microcollision.
#[test]
fn the_mean_contact_force_of_a_resting_ball_is_its_weight() {
    let (mut world, ball) = on_floor(Settings::default(), 0.3, 0.5, |spec| spec);
    let ground = world.find("floor").unwrap();
    let watch = world.watch_contact(ball, ground).unwrap();
    let reverse = world.watch_contact(ground, ball).unwrap();
    assert_eq!(world.contact_sum(watch).unwrap().mean_force(), None);
    let weight = DVec3::Z * 9.81 * world.principal_mass(ball).unwrap().mass();
    for k in 1..=5 {
        let from = world.time();
        let v = world.principal_state_at(ball, from).unwrap().velocity;
        assert!(world.run_until(0.4 * f64::from(k), Some(100_000)).unwrap().reached());
        let sum = world.restart_watch(watch).unwrap();
        assert_eq!((sum.from, sum.to), (from, world.time()));
        // After a while the ball is frozen: the force goes on without impacts.
        assert_eq!(sum.impacts > 0, k == 1);
        // The impulses make up for the weight and for the change of velocity, to the accuracy of the hop in which it froze.
        let gained =
            (world.principal_state_at(ball, sum.to).unwrap().velocity - v) * world.principal_mass(ball).unwrap().mass();
        let force = sum.mean_force().unwrap();
        assert!((force - weight - gained / (sum.to - sum.from)).length() < 1e-8 * weight.z, "{force} {weight}");
        assert!((force - weight).length() < 2e-3 * weight.z, "{force} {weight}");
    }
    let sum = world.contact_sum(reverse).unwrap();
    assert!((sum.mean_force().unwrap() + weight).length() < 1e-3 * weight.z);
    world.unwatch_contact(watch).unwrap();
    assert_eq!(world.contact_sum(watch), None);
    assert!(world.unwatch_contact(watch).is_err());
}

/// A box at rest that touches a spinning ball or a driven block, neither of which presses on it, is frozen all the same.
#[test]
fn what_only_touches_keeps_nothing_awake() {
    let side = 0.1;
    let ball = |m| {
        let ball = free("partner", Sphere::new(0.05).unwrap(), DVec3::new(0.10000000005, 0.0, 0.05), DVec3::ZERO, m);
        moving(DVec3::ZERO, DVec3::Z * 5.0)(ball)
    };
    let key = |time, x| Keyframe { time, world_from_body: Pose::from_translation(DVec3::new(x, 0.0, 0.06)) };
    let block = |m| {
        let script = Keyframes::new(&[key(0.2, 0.2), key(1.0, 0.08)]).unwrap();
        BodySpec::scripted("partner", Cuboid::new(DVec3::splat(side)).unwrap(), script).material(m)
    };
    for partner in [&ball as &dyn Fn(MaterialId) -> BodySpec, &block] {
        let mut b = WorldBuilder::new(Settings::default()).unwrap();
        let m = b.add_material(surface(0.4, 0.3)).unwrap();
        b.add_body(floor(m)).unwrap();
        let at = DVec3::Z * 0.5 * side;
        let cube = b.add_body(free("cube", Cuboid::new(DVec3::splat(side)).unwrap(), at, DVec3::ZERO, m)).unwrap();
        b.add_body(partner(m)).unwrap();
        let mut world = b.build().unwrap();
        world.run_to(2.0).unwrap();
        assert!(world.body(cube).unwrap().is_frozen(), "with a partner of {:?}", world.counters());
        let weight = world.principal_mass(cube).unwrap().mass() * 9.81;
        let carried: f64 = world.body(cube).unwrap().contacts().iter().map(|c| c.force.z).sum();
        assert!((carried / weight - 1.0).abs() < 1e-6, "{carried} of {weight} N");
    }
}
