//! Links that rest, roll and slide (section 3.5 for chapter 5) against statics and closed forms.

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
