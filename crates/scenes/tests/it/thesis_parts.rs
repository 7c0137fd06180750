//! The built-in scenes with non-convex bodies (thesis sections 7.1 and 1.2) run, and show what they are there to show.

use crate::thesis_scenes::{run, scene};
use impulse::DVec3;
use impulse::geometry::closest::{PairCache, closest};
use impulse::math::Pose;
use impulse::world::World;
use impulse_scenes::scene::{BodyDescription, SceneSettings, SceneSource, SolidDescription};
use impulse_scenes::{SceneDescription, load_scene};

fn description(name: &str) -> SceneDescription {
    load_scene(&SceneSource::Builtin(name.to_owned()), &SceneSettings::default()).unwrap()
}

/// The distance of the two nearest bodies of which one is free, seen part by part and without the engine's memory.
fn least_distance(scene: &SceneDescription, world: &World) -> f64 {
    let mut least = f64::INFINITY;
    for (i, a) in scene.bodies.iter().enumerate() {
        for b in &scene.bodies[..i] {
            if is_free(world, a) || is_free(world, b) {
                least = least.min(distance(a, b, [a, b].map(|body| pose(world, body))));
            }
        }
    }
    least
}

fn is_free(world: &World, body: &BodyDescription) -> bool {
    world.mass(world.find(&body.name).unwrap()).is_some()
}

fn pose(world: &World, body: &BodyDescription) -> Pose {
    world.shape_pose_at(world.find(&body.name).unwrap(), world.time()).unwrap()
}

fn distance(a: &BodyDescription, b: &BodyDescription, poses: [Pose; 2]) -> f64 {
    let mut least = f64::INFINITY;
    for part_a in &a.shape.parts {
        for part_b in &b.shape.parts {
            let (SolidDescription::Convex(shape_a), SolidDescription::Convex(shape_b)) = (&part_a.solid, &part_b.solid)
            else {
                panic!("parts are convex")
            };
            let a_from_b = (poses[0] * part_a.shape_from_part).inverse() * poses[1] * part_b.shape_from_part;
            least = least.min(closest(shape_a, shape_b, &a_from_b, &mut PairCache::default()).distance);
        }
    }
    least
}

/// What two runs must have in common.
fn trace(name: &str, until: f64) -> (u64, u64) {
    let mut world = scene(name, &[]);
    run(&mut world, until);
    (world.trace_hash(), world.counters().events)
}

#[test]
fn exploding_text_keeps_its_energy_within_its_box() {
    let (described, mut world) = (description("text"), scene("text", &[]));
    // 22 letters, the hyphen, three dots; and six walls.
    assert_eq!(world.bodies().filter(|&body| world.mass(body).is_some()).count(), 22 + 1 + 3);
    assert_eq!(world.len(), 26 + 6);
    let start = world.energy();
    let (mut momentum, mut changes) = (world.momentum(), 0);
    for k in 0..=8 {
        run(&mut world, 0.5 * f64::from(k));
        assert!((world.energy() / start - 1.0).abs() < 1e-10, "{} of {start} J", world.energy());
        assert!(least_distance(&described, &world) > 0.0);
        changes += u32::from(world.momentum().distance(momentum) > 1e-3 * momentum.length());
        momentum = world.momentum();
    }
    // The walls take momentum all the time, and hold the letters.
    assert!(changes >= 6 && world.counters().collisions > 200);
    for body in world.bodies().filter(|&body| world.mass(body).is_some()) {
        let at = world.state_at(body, world.time()).unwrap().world_from_body.translation;
        assert!(at.abs().cmplt(DVec3::new(0.4, 0.2, 0.2)).all(), "{at}");
    }
}

#[test]
fn exploding_text_is_the_same_every_time() {
    assert_eq!(trace("text", 2.0), trace("text", 2.0));
}
