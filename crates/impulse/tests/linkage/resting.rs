//! Links that rest, roll and slide (section 3.5 for chapter 5) against statics and closed forms.

use impulse::body::{Keyframe, Keyframes};
use impulse::prelude::*;

const GRAVITY: f64 = 9.81;

fn builder(friction: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    builder.add_material(Material { friction, restitution: 0.0, law: Law::Stronge }).unwrap();
    builder
}

/// A rod of 1 m and 1 kg as a thin capsule, with one end of its segment at a place; its other end is in a direction.
fn rod(name: &str, from: DVec3, direction: DVec3) -> FreeBodySpec {
    let along = direction.normalize();
    BodySpec::free(name, Capsule::new(RADIUS, 1.0).unwrap())
        .at(from + 0.5 * along)
        .rotated(DQuat::from_rotation_arc(DVec3::Z, along))
        .mass(1.0)
}

const RADIUS: f64 = 0.01;

/// Height of contact under a body's surface that counts as touching, m.
const CLOSE: f64 = 1e-7;

fn hinge(name: &str, bodies: [Option<BodyId>; 2], axis: DVec3, through: DVec3) -> JointSpec {
    JointSpec::new(name, bodies, JointPlace::Hinge { axis, through })
}

fn force_on(world: &World, name: &str) -> DVec3 {
    let body = world.find(name).unwrap();
    let mut sum = DVec3::ZERO;
    for contact in world.lasting_contacts(body) {
        sum += if contact.bodies[0] == body { contact.force } else { -contact.force };
    }
    sum
}

/// The rod leans at 60 degrees on a smooth wall whose normal is turned by an angle out of the rod's plane: moments about the hinge
/// give the force. After 60 s it is where it was, and frozen.
#[test]
fn a_rod_leans_on_a_wall() {
    for (turn, wanted) in [(0.0f64, 2.83190), (20.0, 3.01365)] {
        let mut builder = builder(0.0);
        let normal = DVec3::new(-turn.to_radians().cos(), turn.to_radians().sin(), 0.0);
        let end = DVec3::new(0.5, 0.0, 0.75f64.sqrt());
        let offset = normal.dot(end) - RADIUS - CLOSE;
        builder.add_body(BodySpec::fixed("wall", HalfSpace::new(normal, offset).unwrap())).unwrap();
        let body = builder.add_body(rod("rod", DVec3::ZERO, end)).unwrap();
        builder.add_joint(hinge("foot", [None, Some(body)], DVec3::Y, DVec3::ZERO)).unwrap();
        let mut world = builder.build().unwrap();
        world.run_to(0.5).unwrap();
        let pose = world.body(body).unwrap().pose();
        world.run_to(60.0).unwrap();
        let drift = world.body(body).unwrap().pose().translation.distance(pose.translation);
        let force = force_on(&world, "rod").dot(normal);
        let frozen = world.body(body).unwrap().is_frozen();
        println!(
            "wall turned by {turn} degrees: {force:.6} N, wanted {wanted}; drift {drift:e} m in 59.5 s; frozen {frozen}; {} hops",
            world.counters().hops
        );
        assert!((force - wanted).abs() < 1e-4, "{force} instead of {wanted} N");
        assert!(frozen && drift < 1e-12 && world.counters().hops < 1000, "{drift:e}");
    }
}

/// A rod on a hinge above a belt on which its end slides, 30 degrees below the horizontal; the belt runs away from the hinge or towards it.
fn on_belt(velocity: f64, friction: f64) -> (World, BodyId) {
    let mut builder = builder(friction);
    let at =
        |time: f64| Keyframe { time, world_from_body: Pose::from_translation(DVec3::new(velocity * time, 0.0, -0.05)) };
    let belt = Keyframes::new(&[at(-1.0), at(4.0)]).unwrap();
    builder.add_body(BodySpec::scripted("belt", Cuboid::new(DVec3::new(8.0, 1.0, 0.1)).unwrap(), belt)).unwrap();
    let from = DVec3::new(0.0, 0.0, 0.5 + RADIUS + CLOSE);
    let body = builder.add_body(rod("rod", from, DVec3::new(0.75f64.sqrt(), 0.0, -0.5))).unwrap();
    // The hinge is as far below the rod's upper end as the belt is below its lower one: the arm of all forces is 1 m.
    let through = from - DVec3::Z * RADIUS;
    builder.add_joint(hinge("pivot", [None, Some(body)], DVec3::Y, through)).unwrap();
    (builder.build().unwrap(), body)
}

/// Friction that pulls the rod away from its hinge lifts it, friction the other way presses it down.
#[test]
fn a_rod_slides_on_a_belt() {
    for (velocity, wanted) in [(0.5, 3.80623), (-0.5, 6.89558)] {
        let (mut world, _) = on_belt(velocity, 0.5);
        world.run_to(1.0).unwrap();
        let force = force_on(&world, "rod");
        println!("belt at {velocity} m/s: {:.6} N, wanted {wanted}", force.z);
        assert!((force.z - wanted).abs() < 1e-4, "{force} instead of {wanted} N");
        assert!((force.x.abs() - 0.5 * force.z).abs() < 1e-4 && force.x * velocity > 0.0, "{force}");
    }
}

/// With much friction a belt that runs towards the hinge jams: that is an error which names both, at once.
#[test]
fn a_rod_that_jams_on_a_belt_is_told() {
    let (mut world, _) = on_belt(-0.5, 2.0);
    let told = world.run_to(1.0).unwrap_err().to_string();
    println!("{told}");
    assert!(told.contains("\"belt\"") && told.contains("\"rod\""), "{told}");
    assert!(world.counters().events < 100, "{}", world.counters().events);
}

/// A cart of 4 kg on four discs of 0.5 kg, on a plane that is level while gravity is turned by 10 degrees.
fn cart(friction_of_axles: f64) -> World {
    let tilt = 10f64.to_radians();
    let gravity = DVec3::new(tilt.sin(), 0.0, -tilt.cos()) * GRAVITY;
    let mut builder = WorldBuilder::new(Settings { gravity, ..Settings::default() }).unwrap();
    builder.add_material(Material { friction: 0.8, restitution: 0.0, law: Law::Stronge }).unwrap();
    builder.add_body(BodySpec::fixed("slope", HalfSpace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let chassis = Cuboid::new(DVec3::new(0.6, 0.3, 0.1)).unwrap();
    let chassis = builder.add_body(BodySpec::free("cart", chassis).at(DVec3::Z * 0.1).mass(4.0)).unwrap();
    for (i, (x, y)) in [(-0.2, -0.2), (-0.2, 0.2), (0.2, -0.2), (0.2, 0.2)].into_iter().enumerate() {
        let at = DVec3::new(x, y, 0.1);
        let wheel = BodySpec::free(format!("wheel {i}"), Cylinder::new(0.1, 0.04).unwrap()).at(at).mass(0.5);
        let wheel = builder.add_body(wheel.rotated(DQuat::from_rotation_arc(DVec3::Z, DVec3::Y))).unwrap();
        let elements = Elements { friction: friction_of_axles, ..Elements::default() };
        let axle = hinge(&format!("axle {i}"), [Some(chassis), Some(wheel)], DVec3::Y, at).elements(elements);
        builder.add_joint(axle).unwrap();
    }
    builder.build().unwrap()
}

/// Six kilograms that four quarters of a kilogram of turning add to: 6/7 of what slides without friction.
#[test]
fn a_cart_rolls_down_a_slope() {
    let mut world = cart(0.0);
    let chassis = world.find("cart").unwrap();
    world.run_to(0.5).unwrap();
    let start = world.body(chassis).unwrap().pose().translation.x;
    world.run_to(2.5).unwrap();
    let way = world.body(chassis).unwrap().pose().translation.x - start;
    let acceleration = 2.0 * way / (2.5 * 2.5 - 0.5 * 0.5);
    let wheel = world.body(world.find("wheel 0").unwrap()).unwrap();
    let slip = wheel.point_velocity(wheel.pose().translation - DVec3::Z * 0.1).length();
    println!("cart: {acceleration:.8} m/s^2, slip within a hop {slip:e} m/s");
    assert!((acceleration - 1.460133).abs() < 1e-6, "{acceleration}");
    assert!(slip < 2e-3 && world.lasting_contacts(wheel.id()).iter().all(|c| c.mode != ContactMode::Slide));
}

/// Friction in its axles locks the wheels: the cart stands, and is frozen.
#[test]
fn a_cart_with_locked_wheels_stands() {
    let mut world = cart(5.0);
    let chassis = world.find("cart").unwrap();
    world.run_to(10.0).unwrap();
    let way = world.body(chassis).unwrap().pose().translation.x;
    println!("locked: {way:e} m in 10 s, {} hops", world.counters().hops);
    assert!(world.body(chassis).unwrap().is_frozen() && way.abs() < 1e-9, "{way:e}");
    // On the wheels, what the axles carry balances their weight and what the slope does to them.
    let loads: DVec3 = world.joints().map(|j| world.joint(j).unwrap().load().force).sum();
    let tilt = 10f64.to_radians();
    let weight = 2.0 * GRAVITY * DVec3::new(tilt.sin(), 0.0, -tilt.cos());
    let slope: DVec3 = (0..4).map(|i| force_on(&world, &format!("wheel {i}"))).sum();
    assert!((loads + weight + slope).length() < 1e-3, "{loads} {weight} {slope}");
}

/// Axles whose friction is less than the slope asks for turn, and friction takes its share: `m a = F - 4 f / r`.
#[test]
fn a_cart_with_rubbing_axles_is_slower() {
    let friction = 0.1;
    let mut world = cart(friction);
    let chassis = world.find("cart").unwrap();
    world.run_to(2.0).unwrap();
    let way = world.body(chassis).unwrap().pose().translation.x;
    let wanted = 0.5 * 4.0 * (6.0 * GRAVITY * 10f64.to_radians().sin() - 4.0 * friction / 0.1) / 7.0;
    println!("rubbing axles: {way} m in 2 s, wanted {wanted}");
    assert!((way / wanted - 1.0).abs() < 2e-3, "{way} instead of {wanted} m");
}

/// A frozen linkage is woken by what strikes it, and a world that is saved meanwhile goes on to the bit.
#[test]
fn what_is_frozen_wakes_and_is_saved() {
    let mut world = cart(5.0);
    world.run_to(1.0).unwrap();
    let ball = BodySpec::free("ball", Sphere::new(0.05).unwrap()).at(DVec3::new(-0.6, 0.0, 0.12)).mass(3.0);
    world.add_body(ball.velocity(DVec3::new(3.0, 0.0, 0.3))).unwrap();
    let chassis = world.find("cart").unwrap();
    assert!(world.body(chassis).unwrap().is_frozen());
    let mut copy = World::restore(world.snapshot()).unwrap();
    for world in [&mut world, &mut copy] {
        world.run_to(1.3).unwrap();
        assert!(!world.body(chassis).unwrap().is_frozen() || world.body(chassis).unwrap().pose().translation.x > 1e-4);
        world.run_to(4.0).unwrap();
    }
    assert_eq!(world.trace_hash(), copy.trace_hash());
    println!("struck: at {:?}", world.body(chassis).unwrap().pose().translation);
}
