//! Controllers of scripts: what they do, against closed forms, and what is wrong with them.

use crate::scene_support::{complaint, load, scene};
use glam::DVec3;
use impulse::world::{Event, Settings, World};
use impulse_scenes::{BuiltScene, Runner};

fn world(script: &str) -> World {
    BuiltScene::new(scene(script)).unwrap().world(Settings::default()).unwrap()
}

/// A mass of 2 kg on a vertical slider, its joint `rail`, and the ways of its controller.
const SLIDER: &str = r#"
body("mass", cuboid(0.1, 0.1, 0.1), #{ mass: 2 });
joint("rail", "ground", "mass", slider([0, 0, 1]));
"#;

#[test]
fn a_slider_hangs_off_its_goal_by_its_weight_over_the_gain() {
    let control = r#"controller("lift", "rail", position_pd(#{ k_p: 981, k_v: 60 }), #{ rate: 1000, goal: 0.5 });"#;
    let mut world = world(&format!("{SLIDER}{control}"));
    world.run_to(10.0).unwrap();
    let rail = world.find_joint("rail").unwrap();
    let position = world.joint(rail).unwrap().position()[0];
    assert!((position - 0.48).abs() < 1e-9, "{position}");
}

/// With a limit of 15 N the weight of 19.62 N wins; with 25 N the controller does, from 2 s on.
#[test]
fn limits_and_starts_are_those_of_the_script() {
    for (limit, rises) in [(15, false), (25, true)] {
        let control = format!(
            "controller(\"lift\", \"rail\", position_pid(#{{ k_p: 900, k_i: 100, k_v: 80 }}),
                #{{ rate: 500, goal: 1, limit: {limit}, start: 2, feels: \"instant\" }});"
        );
        let mut world = world(&format!("{SLIDER}{control}"));
        let rail = world.find_joint("rail").unwrap();
        let acceleration = |world: &World| world.joint(rail).unwrap().acceleration()[0];
        world.run_to(1.9).unwrap();
        assert!((acceleration(&world) + 9.81).abs() < 1e-9);
        world.run_to(2.1).unwrap();
        assert!((acceleration(&world) - (f64::from(limit) / 2.0 - 9.81)).abs() < 1e-9);
        assert_eq!(acceleration(&world) > 0.0, rises);
    }
}

/// A cart that rolls at 3 m/s on four wheels.
const CART: &str = r#"
let grip = material(#{ friction: 1, restitution: 0 });
body("floor", half_space([0, 0, 1], 0), #{ fixed: true, material: grip });
body("cart", cuboid(0.6, 0.3, 0.1), #{ at: [0, 0, 0.2], mass: 20, velocity: [3, 0, 0], material: grip });
for (at, i) in [[-0.25, -0.25, 0.1], [-0.25, 0.25, 0.1], [0.25, -0.25, 0.1], [0.25, 0.25, 0.1]] {
    body("wheel " + i, ellipsoid(0.1, 0.01, 0.1), #{ at: at, mass: 1, material: grip });
    joint("axle " + i, "cart", "wheel " + i, hinge([0, 1, 0], at), #{ rate: 30 });
}
controller("motor", ["axle 0", "axle 1"], computed_torque(#{ contact: true }), #{ rate: 100, goal: [0, 0] });
"#;

/// Symptom: the cart slowed from 3 m/s to 0.8 m/s in 4 s. Cause: the weight on the wheels was taken to act where they last touched the floor,
/// behind their axles by how far they had rolled since.
#[test]
fn wheels_that_are_told_to_roll_on_do_not_brake() {
    for lock in ["", "lock_hops();"] {
        let mut world = world(&format!("{lock}{CART}"));
        world.run_to(4.0).unwrap();
        let speed = world.body(world.find("cart").unwrap()).unwrap().velocity().x;
        assert!((speed - 3.0).abs() < 1e-3, "{speed} m/s");
    }
}

#[test]
fn computed_torque_accelerates_joints_as_it_is_told() {
    let arm = r#"
        body("upper", capsule(0.02, 0.4), #{ at: [0, 0, -0.25], mass: 1 });
        body("lower", capsule(0.02, 0.3), #{ at: [0, 0, -0.7], mass: 0.7 });
        joint("shoulder", "ground", "upper", hinge([0, 1, 0], [0, 0, 0]), #{ rate: 2, damping: 0.1 });
        joint("elbow", "upper", "lower", hinge([0, 1, 0], [0, 0, -0.5]), #{ rate: -1 });
        controller("arm", ["elbow", "shoulder"], computed_torque(), #{ rate: 200, goal: [3, -4] });
    "#;
    let mut world = world(arm);
    world.run_to(0.1).unwrap();
    for (name, wanted) in [("elbow", 3.0), ("shoulder", -4.0)] {
        let joint = world.find_joint(name).unwrap();
        let acceleration = world.joint(joint).unwrap().acceleration()[0];
        assert!((acceleration - wanted).abs() < 1e-10, "{name}: {acceleration}");
    }
}

/// A wheel of 0.02 kg m^2 in free space that is to be accelerated by 500 rad/s^2, with a motor of 3 N m.
#[test]
fn computed_torque_keeps_to_its_limit() {
    let wheel = r#"
        gravity(0, 0, 0);
        body("wheel", cylinder(0.2, 0.05), #{ mass: 1, inertia: [0.02, 0.02, 0.02] });
        joint("axle", "ground", "wheel", hinge([0, 0, 1], [0, 0, 0]));
        controller("motor", ["axle"], computed_torque(), #{ rate: 100, goal: [500], limit: 3 });
    "#;
    let mut world = world(wheel);
    world.run_to(0.1).unwrap();
    let acceleration = world.joint(world.find_joint("axle").unwrap()).unwrap().acceleration()[0];
    assert!((acceleration - 150.0).abs() < 1e-9, "{acceleration}");
}

/// The goal is that of the shape's frame, as in `body`; the centre of mass is elsewhere.
#[test]
fn a_body_goes_to_a_pose() {
    let script = r#"
        gravity(0, 0, 0);
        body("brick", cuboid(0.2, 0.1, 0.05), #{ at: [1, 0, 0], com: [0.05, 0, 0], mass: 2, inertia: 0.01 });
        controller("carry", "brick", pose_pd(#{ k_p: 50, k_v: 20, turn_k_p: 1, turn_k_v: 0.2 }), #{
            rate: 100, goal: #{ at: [0, 1, 2], rotation: axis_angle([0, 0, 1], PI / 2) },
        });
    "#;
    let mut world = world(script);
    world.run_to(20.0).unwrap();
    let pose = world.body(world.find("brick").unwrap()).unwrap().pose();
    assert!(pose.translation.distance(DVec3::new(0.0, 1.0, 2.0)) < 1e-9, "{pose:?}");
    assert!((pose.rotation * DVec3::X).distance(DVec3::Y) < 1e-9, "{pose:?}");
}

#[test]
fn a_controller_that_is_not_enabled_does_nothing() {
    let control =
        r#"controller("lift", "rail", rate_pid(#{ k_p: 9, k_i: 1 }), #{ rate: 100, goal: 1, enabled: false });"#;
    let mut world = world(&format!("{SLIDER}{control}"));
    world.run_to(0.5).unwrap();
    let rail = world.joint(world.find_joint("rail").unwrap()).unwrap();
    assert!((rail.rate()[0] + 9.81 * 0.5).abs() < 1e-9);
}

#[test]
fn wrong_controllers_are_told_with_a_remedy() {
    let pd = "position_pd(#{ k_p: 1 })";
    for (call, piece) in [
        (format!("\"rial\", {pd}, #{{ rate: 9, goal: 0 }}"), "there is no joint `rial`; did you mean `rail`?"),
        (format!("\"rail\", {pd}, #{{ goal: 0 }}"), "controller `c` needs a `rate`, how often it acts in a second"),
        (format!("\"rail\", {pd}, #{{ rate: 9 }}"), "controller `c` needs a `goal`"),
        (format!("\"rail\", {pd}, #{{ rate: 0, goal: 0 }}"), "rate is 0; it must be from 1e-6 to 1e6 times a second"),
        (format!("\"rail\", {pd}, #{{ rate: 9, goal: 0, limt: 1 }}"), "did you mean `limit`?"),
        (format!("\"rail\", {pd}, #{{ rate: 9, goal: 0, limit: 0 }}"), "limit is 0; it must be positive"),
        (format!("\"rail\", {pd}, #{{ rate: 9, goal: [0] }}"), "goal must be a number, not the array"),
        (format!("\"rail\", {pd}, #{{ rate: 9, goal: 0.0/0.0 }}"), "goal is NaN: give a finite number"),
        (format!("\"rail\", {pd}, #{{ rate: 9, goal: 0, feels: \"often\" }}"), "must be \"instant\", \"mean\" or"),
        (format!("\"rail\", {pd}, #{{ rate: 9, goal: 0, torque_limit: 1 }}"), "torque_limit is for pose_pd only"),
        ("\"rail\", 7, #{ rate: 9, goal: 0 }".to_owned(), "must be a law of control such as position_pd"),
        ("\"rail\", position_pd(#{ k_i: 1 }), #{}".to_owned(), "position_pd has no option `k_i`"),
        ("\"rail\", position_pd(#{ k_p: -1 }), #{}".to_owned(), "k_p is -1; it must be not negative"),
        ("\"rail\", computed_torque(), #{ rate: 9, goal: [1] }".to_owned(), "must be an array of names of joints"),
        ("[\"rail\", \"rail\"], computed_torque(), #{ rate: 9, goal: [1, 1] }".to_owned(), "and each once"),
        ("[\"rail\"], computed_torque(), #{ rate: 9, goal: 1 }".to_owned(), "an array with an acceleration for each"),
        ("\"glue\", position_pd(#{}), #{ rate: 9, goal: 0 }".to_owned(), "its joint is no hinge and no slider"),
        ("\"wall\", pose_pd(#{}), #{ rate: 9 }".to_owned(), "its body is fixed or scripted"),
        ("\"mas\", pose_pd(#{}), #{ rate: 9 }".to_owned(), "there is no body `mas`; did you mean `mass`?"),
        ("\"mass\", pose_pd(#{}), #{ rate: 9, goal: #{ to: 1 } }".to_owned(), "goal has no option `to`"),
    ] {
        let more = "body(\"wall\", sphere(0.1), #{ at: [3, 0, 0], fixed: true });
            body(\"lid\", sphere(0.1), #{ at: [3, 0, 1], mass: 1 }); joint(\"glue\", \"wall\", \"lid\", weld());";
        let (line, _, message) = complaint(&format!("{SLIDER}{more}\ncontroller(\"c\", {call});"));
        assert_eq!(line, 6, "{message}");
        assert!(message.contains(piece), "{call}: {message}");
    }
    let two = "body(\"other\", sphere(0.1), #{ at: [3, 0, 0], mass: 1 }); joint(\"pole\", \"ground\", \"other\", slider([0, 0, 1]));
        controller(\"both\", [\"rail\", \"pole\"], computed_torque(), #{ rate: 100, goal: [1, 1] });";
    let built = BuiltScene::new(load(&format!("{SLIDER}{two}")).unwrap()).unwrap();
    let error = built.world(Settings::default()).unwrap_err().to_string();
    assert!(error.contains("controller \"both\"") && error.contains("different joints of one linkage"), "{error}");
}

/// An arm that balls fall on, under controllers at 2 kHz, 1 kHz and 100 Hz.
const STRUCK: &str = "
    body(\"upper\", capsule(0.03, 0.4), #{ at: [0.25, 0, 1], rotation: axis_angle([0, 1, 0], PI / 2), mass: 1 });
    body(\"lower\", capsule(0.03, 0.4), #{ at: [0.75, 0, 1], rotation: axis_angle([0, 1, 0], PI / 2), mass: 1 });
    joint(\"shoulder\", \"ground\", \"upper\", hinge([0, 1, 0], [0, 0, 1]));
    joint(\"elbow\", \"upper\", \"lower\", hinge([0, 1, 0], [0.5, 0, 1]));
    controller(\"fast\", \"shoulder\", position_pd(#{ k_p: 300, k_v: 8 }), #{ rate: 2000, goal: 0.1 });
    controller(\"mean\", \"elbow\", position_pd(#{ k_p: 100, k_v: 4 }), #{ rate: 1000, goal: -0.2 });
    controller(\"slow\", \"elbow\", position_pd(#{ k_p: 10, k_v: 1 }), #{ rate: 100, goal: -0.3, start: 0.0123 });
    for i in 0..4 { body(\"ball \" + i, sphere(0.05), #{ at: [0.2 + 0.2 * i, 0, 1.2 + 0.1 * i], mass: 0.2 }); }
";

/// They act exactly at start + k period, whatever collides, and whoever looks, saves and restores in between.
#[test]
fn controllers_act_at_their_instants_whatever_collides() {
    let run = |looks: bool| {
        let built = std::sync::Arc::new(BuiltScene::new(scene(STRUCK)).unwrap());
        let mut runner = Runner::new(&built, Settings::default()).unwrap();
        let mut ticks = Vec::new();
        let mut steps = 0;
        while let Some(event) = runner.step(0.4).unwrap() {
            if let Event::Control(_) = event {
                ticks.push(runner.world().time().to_bits());
            }
            steps += 1;
            if looks && steps % 311 == 0 {
                let text = serde_json::to_string(&runner.snapshot()).unwrap();
                runner = Runner::restore(&built, serde_json::from_str(&text).unwrap()).unwrap();
            }
        }
        assert!(runner.world().counters().collisions >= 4);
        (ticks, runner.world().trace_hash())
    };
    let times = [(0.0, 2000.0), (0.0, 1000.0), (0.0123, 100.0)].map(|(start, rate): (f64, f64)| {
        (0..).map(move |k| start + f64::from(k) * (1.0 / rate)).take_while(|t| *t <= 0.4).map(f64::to_bits)
    });
    let mut wanted: Vec<u64> = times.into_iter().flatten().collect();
    wanted.sort_unstable();
    wanted.dedup();
    let plain = run(false);
    assert_eq!(plain.0, wanted);
    assert_eq!(plain, run(true));
}
