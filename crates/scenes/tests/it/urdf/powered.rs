//! Robots that fall, stand and hold.

use super::given::{ARM, QUADRUPED, load_beside};
use glam::DVec3;
use impulse::multibody::JointPlace;
use impulse::world::{BodyRef, Settings, World};
use impulse_scenes::BuiltScene;
use impulse_scenes::scene::{JointDescription, SceneDescription};

/// The quadruped on its feet, held there by the motors of its joints.
const STANDING: &str = r#"
    lock_hops();
    let grip = material(#{ friction: 0.8, restitution: 0 });
    body("floor", half_space([0, 0, 1], 0), #{ fixed: true, material: grip });
    let stance = #{};
    for leg in ["front_left", "front_right", "hind_left", "hind_right"] {
        stance[leg + "_roll"] = 0;
        stance[leg + "_pitch"] = 0.6;
        stance[leg + "_knee"] = -1.2;
    }
    let dog = robot("robot.urdf", #{ above: 0.0001, positions: stance, material: grip });
    for joint in dog.joints {
        controller(joint, joint, position_pd(#{ k_p: 300, k_v: 6 }), #{ rate: 500, goal: stance[joint] });
    }
"#;

fn world(script: &str, urdf: &str) -> (SceneDescription, World) {
    let scene = load_beside(script, urdf, &[]).unwrap_or_else(|error| panic!("{error}"));
    let world = BuiltScene::new(scene.clone()).unwrap().world(Settings::default()).unwrap();
    (scene, world)
}

fn weight(scene: &SceneDescription) -> f64 {
    9.81 * scene.robots[0].mass.0
}

/// Forces of the floor on all links, N.
fn carried(world: &World) -> DVec3 {
    let floor = world.find("floor").unwrap();
    let contacts = world.body_refs().filter(|body| body.is_free()).flat_map(BodyRef::contacts);
    contacts.filter(|contact| contact.bodies[1] == floor).map(|contact| contact.force).sum()
}

/// The cosine of the angle between the trunk's back and the vertical.
fn upright(world: &World) -> f64 {
    world.body(world.find("trunk").unwrap()).unwrap().pose().vector(DVec3::Z).z
}

#[test]
fn a_quadruped_without_power_falls_and_comes_to_rest() {
    let fallen = "body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true }); robot(\"robot.urdf\", #{ above: 0.1 });";
    let (scene, mut world) = world(fallen, QUADRUPED);
    let mut energy = world.energy();
    for tenth in 1..=50 {
        world.run_to(0.1 * f64::from(tenth)).unwrap();
        assert!(world.energy() < energy + 3.5e-3, "{tenth}: {} J after {energy} J", world.energy());
        energy = world.energy();
    }
    let counters = world.counters();
    assert!(10 * counters.unconverged < counters.hops, "{counters:?}");
    assert!(world.body_refs().filter(|body| body.is_free()).all(BodyRef::is_frozen));
    let at_stop = |joint: &JointDescription| {
        let found = world.joint(world.find_joint(&joint.name).unwrap()).unwrap();
        let (position, [low, high]) = (found.position()[0], found.limits().unwrap());
        (position - low).min(high - position) < 1e-6
    };
    let stops = scene.joints.iter().filter(|joint| at_stop(joint)).count();
    assert!(stops > 0);
    let force = carried(&world);
    assert!((force - DVec3::Z * weight(&scene)).length() < 1e-3 * weight(&scene), "{force}");
}

#[test]
fn a_quadruped_stands_on_its_motors() {
    let (scene, mut world) = world(STANDING, QUADRUPED);
    world.run_to(0.3).unwrap();
    let floor = world.find("floor").unwrap();
    let feet = ["front_left", "front_right", "hind_left", "hind_right"]
        .map(|leg| world.find(&format!("{leg}_shank")).unwrap());
    let watches = feet.map(|foot| world.watch_contact(foot, floor).unwrap());
    let momentum = world.momentum();
    world.run_to(0.5).unwrap();
    let force: DVec3 = watches.iter().map(|&watch| world.contact_sum(watch).unwrap().mean_force().unwrap()).sum();
    // The window cuts two hops, whose impulses the robot has still as momentum.
    let (weight, kept) = (weight(&scene), world.momentum() - momentum);
    assert!(kept.length() < 0.03, "{kept}");
    let force = force - kept / 0.2;
    assert!((force.z - weight).abs() < 1e-4 * weight, "{force} {weight}");
    assert!(upright(&world) > 0.99999);
}

#[test]
fn a_ball_does_not_topple_a_standing_quadruped() {
    let ball =
        r#"body("ball", sphere(0.05), #{ at: [0, 0.18, 0.36], velocity: [0, -2, 0], mass: 0.5, material: grip });"#;
    let (_, mut world) = world(&format!("{STANDING}{ball}"), QUADRUPED);
    let (mut lowest, ball) = (1.0_f64, world.find("ball").unwrap());
    for step in 1..=50 {
        world.run_to(0.01 * f64::from(step)).unwrap();
        lowest = lowest.min(upright(&world));
    }
    let velocity = world.body(ball).unwrap().velocity();
    assert!(velocity.y > -1.0, "the ball was stopped by the trunk");
    assert!(lowest < 1.0 - 1e-7 && upright(&world) > 0.9999, "{lowest} {}", upright(&world));
}

/// The moment of gravity about a joint of all bodies that it moves, N m: for each its weight at its centre of mass.
fn gravity_moment(world: &World, scene: &SceneDescription, joint: usize, frames: &[[DVec3; 2]]) -> f64 {
    let [axis, through] = frames[joint];
    let beyond = |body: usize| {
        let mut at = Some(body);
        while let Some(found) = scene.joints.iter().position(|other| at.is_some() && other.bodies[1] == at) {
            if found == joint {
                return true;
            }
            at = scene.joints[found].bodies[0];
        }
        false
    };
    let moment = |body: usize| {
        let found = world.body(world.find(&scene.bodies[body].name).unwrap()).unwrap();
        let arm = found.centre_of_mass() - through;
        axis.dot(arm.cross(DVec3::NEG_Z * 9.81 * found.mass().unwrap_or(0.0)))
    };
    (0..scene.bodies.len()).filter(|body| beyond(*body)).map(moment).sum()
}

#[test]
fn an_arm_holds_a_ball_with_the_torque_that_gravity_asks_for() {
    let holding = r#"
        let pose = #{ shoulder_pan: 0.3, shoulder_lift: 0.4, elbow: 0.3, wrist_roll: 0.2, wrist_pitch: -0.4, wrist_yaw: 0.1 };
        let arm = robot("robot.urdf", #{ base: "fixed", positions: pose });
        let tool = arm.places.tool0;
        body("ball", sphere(0.04), #{ at: add(tool.start.at, rotate(tool.start.rotation, [0, 0, 0.04])), mass: 1 });
        joint("grip", tool.body, "ball", weld());
        let gains = #{ shoulder_pan: 400, shoulder_lift: 800, elbow: 600, wrist_roll: 10, wrist_pitch: 30, wrist_yaw: 20 };
        for name in arm.joints {
            let k = gains[name];
            controller(name, name, position_pid(#{ k_p: k, k_i: 5 * k, k_v: 0.04 * k }), #{ rate: 500, goal: pose[name] });
        }
    "#;
    let (scene, mut world) = world(holding, ARM);
    // Where the joints are, from the bodies that they move, which begin at the place of the joint.
    let anchors: Vec<(usize, [DVec3; 2])> = scene
        .joints
        .iter()
        .filter_map(|joint| {
            let body = joint.bodies[1].unwrap();
            let own = scene.bodies[body].world_from_shape;
            match joint.place {
                JointPlace::Hinge { axis, through } => {
                    Some((body, [own.inverse_vector(axis), own.inverse_point(through)]))
                }
                _ => None,
            }
        })
        .collect();
    world.run_to(6.0).unwrap();
    let frames: Vec<[DVec3; 2]> = anchors
        .iter()
        .map(|(body, [axis, through])| {
            let pose = world.body(world.find(&scene.bodies[*body].name).unwrap()).unwrap().pose();
            [pose.vector(*axis), pose.point(*through)]
        })
        .collect();
    for (number, joint) in scene.joints.iter().enumerate().take(6) {
        let found = world.joint(world.find_joint(&joint.name).unwrap()).unwrap();
        let (torque, needed) = (found.force()[0], -gravity_moment(&world, &scene, number, &frames));
        assert!((torque - needed).abs() < 1e-6 * needed.abs().max(1.0), "{}: {torque} {needed}", joint.name);
    }
}
