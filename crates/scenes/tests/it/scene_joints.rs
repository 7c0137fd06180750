//! Joints of scripts: what they make, and what is wrong with them.

use crate::scene_support::{complaint, load, scene};
use impulse::world::Settings;
use impulse_scenes::BuiltScene;

const PENDULUM: &str = r#"
let rod = body("rod", cuboid(1, 0.1, 0.1), #{ at: [0.5, 0, 0], mass: 1 });
joint("pivot", "ground", rod, hinge([0, 2, 0], [0, 0, 0]), #{
    limits: [-1, 2], restitution: 0.5, damping: 0.1, friction: 0.2, armature: 0.01, rate: 3,
    spring: #{ stiffness: 4, rest: 0.5 },
});
"#;

#[test]
fn a_joint_joins() {
    let built = BuiltScene::new(scene(PENDULUM)).unwrap();
    let mut world = built.world(Settings::default()).unwrap();
    let pivot = world.find_joint("pivot").unwrap();
    assert_eq!(world.joint(pivot).unwrap().limits(), Some([-1.0, 2.0]));
    assert_eq!(world.joint(pivot).unwrap().rate(), [3.0]);
    // Damping, friction and the spring, which is half a radian off.
    let force = world.joint(pivot).unwrap().force()[0];
    assert!((force - (-0.3 - 0.2 + 2.0)).abs() < 1e-12, "{force}");
    world.run_to(0.1).unwrap();
    let angle = world.joint(pivot).unwrap().position()[0];
    assert!(angle > 0.2 && angle < 0.6, "{angle}");
}

/// A puck goes straight on and turns steadily; in a creature its plane turns with that.
#[test]
fn a_planar_joint_lets_a_puck_glide() {
    let script = "body(\"puck\", cylinder(0.05, 0.02), #{ at: [0, 1, 2], mass: 0.1 });
        joint(\"ice\", \"ground\", \"puck\", planar([0, 0, 1]), #{ rate: [0.5, 0.25, 3] });";
    let mut world = BuiltScene::new(scene(script)).unwrap().world(Settings::default()).unwrap();
    world.run_to(2.0).unwrap();
    let ice = world.joint(world.find_joint("ice").unwrap()).unwrap();
    let wanted = [1.0, 0.5, 6.0];
    assert!(ice.position().iter().zip(wanted).all(|(x, wanted)| (x - wanted).abs() < 1e-12), "{:?}", ice.position());
    let there = world.body(world.find("puck").unwrap()).unwrap().pose().translation;
    assert!(there.distance(glam::DVec3::new(1.0, 1.5, 2.0)) < 1e-12, "{there}");
    let swapped = script.replace("\"ground\", \"puck\"", "\"puck\", \"ground\"");
    let error = BuiltScene::new(scene(&swapped)).unwrap().world(Settings::default()).unwrap_err().to_string();
    assert!(error.contains("swap its bodies"), "{error}");
}

#[test]
fn wrong_joints_are_told_with_a_remedy() {
    let two = "body(\"left\", sphere(1), #{ mass: 1 }); body(\"right\", sphere(1), #{ at: [3, 0, 0], mass: 1 });\n";
    for (script, piece) in [
        ("joint(\"j\", \"left\", \"rigth\", weld());", "there is no body `rigth`; did you mean `right`?"),
        ("joint(\"j\", \"left\", \"right\", 3);", "must be a kind of joint such as hinge"),
        ("joint(\"j\", \"ground\", \"ground\", weld());", "neither of its bodies can be moved: make one of them free"),
        ("joint(\"j\", \"left\", \"ground\", slider([0, 0, 0]));", "slider: axis must be a vector that is not zero"),
        (
            "joint(\"j\", \"left\", \"ground\", slider([1, 0, 0]), #{ limits: [0.1, 1] });",
            "its limits 0.1 to 1 do not contain 0, where the bodies are put; move the bodies, or the limits",
        ),
        ("joint(\"j\", \"left\", \"ground\", weld(), #{ friction: 1 });", "a joint of this kind has no friction"),
        ("joint(\"j\", \"left\", \"ground\", weld(), #{ frition: 1 });", "did you mean `friction`?"),
        (
            "joint(\"j\", \"left\", \"ground\", slider([1, 0, 0]), #{ damping: -1 });",
            "damping is -1; give a finite number",
        ),
        ("joint(\"j\", \"left\", \"ground\", slider([1, 0, 0]), #{ restitution: 1 });", "give limits too"),
    ] {
        let (line, _, message) = complaint(&format!("{two}{script}"));
        assert_eq!(line, 2, "{message}");
        assert!(message.contains(piece), "{message}");
    }
}

#[test]
fn what_only_the_whole_shows_is_told_too() {
    let ring = "body(\"a\", sphere(0.1), #{ mass: 1 }); body(\"b\", sphere(0.1), #{ at: [1, 0, 0], mass: 1 });
        joint(\"one\", \"ground\", \"a\", weld()); joint(\"two\", \"a\", \"b\", weld()); joint(\"three\", \"b\", \"ground\", weld());";
    let fast =
        "body(\"a\", sphere(0.1), #{ mass: 1, velocity: [1, 0, 0] }); joint(\"one\", \"ground\", \"a\", weld());";
    for (script, pieces) in [
        (ring, ["joint \"three\": it closes a loop: ", "\"one\", \"three\"; leave one of these joints out"]),
        (fast, ["joint \"one\": body \"a\" is given a velocity that its joints do not allow", "give the joints rates"]),
    ] {
        let error = BuiltScene::new(load(script).unwrap()).unwrap().world(Settings::default()).unwrap_err().to_string();
        assert!(pieces.iter().all(|piece| error.contains(piece)), "{error}");
    }
    let massless = "body(\"a\", sphere(0.1), #{ mass: 0 });\njoint(\"one\", \"ground\", \"a\", weld());";
    let (line, _, message) = complaint(massless);
    assert!(line == 1 && message.contains("body `a`") && message.contains("mass"), "{message}");
}
