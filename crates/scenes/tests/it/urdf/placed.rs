//! Robots in scenes: bodies, joints, places, options.

use super::given::{ARM, GRIPPER, QUADRUPED, SIMPLE, complaint, load_beside, scene};
use glam::DVec3;
use impulse::geometry::Shape;
use impulse::multibody::{JointPlace, LimitRange};
use impulse::world::Settings;
use impulse_scenes::scene::{
    ControlDescription, MotionDescription, SceneDescription, SceneFiles, SceneSource, Script, SolidDescription,
};
use impulse_scenes::{BuiltScene, Runner, SceneSettings};
use std::sync::Arc;

/// A cube with sides of 2, and an L that is not convex, as OBJ.
const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
const ELL: &str = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\nf 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";

fn names(scene: &SceneDescription) -> Vec<&str> {
    scene.bodies.iter().map(|body| body.name.as_str()).collect()
}

#[test]
fn links_on_fixed_joints_are_one_body_and_stay_places() {
    let script = "let arm = robot(\"robot.urdf\", #{ base: \"fixed\", at: [1, 2, 3] });
        print(arm.joints.len() + \" \" + arm.bodies.len() + \" \" + arm.name);
        let tool = arm.places.tool0;
        print(tool.body + \" \" + tool.at);";
    let made = scene(script, ARM);
    let expected = ["base_link", "shoulder", "upper_arm", "forearm", "wrist_1", "wrist_2", "wrist_3"];
    assert_eq!(names(&made), expected);
    assert_eq!(made.log[0], "6 7 arm");
    assert!(made.log[1].starts_with("wrist_3 [0.06"), "{}", made.log[1]);
    assert!(matches!(made.bodies[0].motion, MotionDescription::Fixed));
    assert_eq!(made.bodies[0].world_from_shape.translation, DVec3::new(1.0, 2.0, 3.0));
    // The flange weighs with the wrist.
    let MotionDescription::Free { mass, .. } = &made.bodies[6].motion else { panic!() };
    assert!((mass.mass - 0.4).abs() < 1e-15);
    let places: Vec<&str> = made.robots[0].places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(places, ["flange", "tool0"]);
    BuiltScene::new(made).unwrap().world(Settings::default()).unwrap();
}

#[test]
fn joints_are_where_the_file_says_and_do_what_it_says() {
    let made = scene("robot(\"robot.urdf\", #{ base: \"fixed\", rotation: axis_angle([0, 0, 1], PI / 2) });", ARM);
    let lift = &made.joints[1];
    assert_eq!((lift.name.as_str(), lift.effort), ("shoulder_lift", Some(150.0)));
    let JointPlace::Hinge { axis, through } = lift.place else { panic!() };
    // Base turned by a quarter: y is -x.
    assert!((axis - DVec3::NEG_X).length() < 1e-15, "{axis}");
    assert!((through - DVec3::new(-0.09, 0.0, 0.18)).length() < 1e-15, "{through}");
    assert_eq!(lift.elements.limits.unwrap().range, LimitRange::Interval([-2.0, 2.0]));
    assert!(made.joints[3].elements.limits.is_none(), "continuous");
    assert_eq!(made.joints[5].elements.damping, 0.01);
    let made = scene("robot(\"robot.urdf\");", GRIPPER);
    let JointPlace::Slider { axis } = made.joints[1].place else { panic!() };
    assert!((axis - DVec3::X).length() < 1e-15, "the right finger is turned round: {axis}");
    assert_eq!(made.joints[1].elements.friction, 0.5);
}

#[test]
fn joints_begin_where_they_are_told() {
    let script = "robot(\"robot.urdf\", #{ positions: #{ hinge: 0.5 } });";
    let made = scene(script, SIMPLE);
    let arm = &made.bodies[1];
    let expected = DVec3::new(0.15 + 0.2 * 0.5_f64.cos(), 0.0, -0.2 * 0.5_f64.sin());
    assert!((arm.world_from_shape.point(DVec3::X * 0.2) - expected).length() < 1e-15);
    let world = BuiltScene::new(made).unwrap().world(Settings::default()).unwrap();
    let joint = world.joint(world.find_joint("hinge").unwrap()).unwrap();
    assert_eq!(joint.position(), [0.5]);
    let away = SIMPLE.replace("lower=\"-1\"", "lower=\"0.25\"");
    let made = scene("robot(\"robot.urdf\");", &away);
    assert_eq!(made.joints[0].start, 0.25);
    assert!(made.robots[0].notes.iter().any(|note| note.contains("begins at 0.25")), "{:?}", made.robots[0].notes);
    let error = complaint("robot(\"robot.urdf\", #{ positions: #{ hinge: 2 } });", SIMPLE);
    assert!(error.contains("position of hinge is 2") && error.contains("limits"), "{error}");
    let error = complaint("robot(\"robot.urdf\", #{ positions: #{ hing: 0 } });", SIMPLE);
    assert!(error.contains("there is no joint `hing`; did you mean `hinge`?"), "{error}");
}

#[test]
fn above_puts_the_lowest_point_at_a_height() {
    let made = scene("robot(\"robot.urdf\", #{ above: 0.25 });", QUADRUPED);
    // Trunk to hip to knee to foot: 0.2 + 0.18 + 0.02 m.
    assert!((made.bodies[0].world_from_shape.translation.z - 0.65).abs() < 1e-15);
}

#[test]
fn efforts_limit_controllers_that_have_no_limit() {
    let control = |options: &str| {
        let script = format!(
            "robot(\"robot.urdf\"); controller(\"c\", \"hinge\", position_pd(#{{ k_p: 1 }}), #{{ rate: 100, goal: 0{options} }});"
        );
        match scene(&script, SIMPLE).controllers[0].control {
            ControlDescription::Joint { law, .. } => law.limit,
            ref other => panic!("{other:?}"),
        }
    };
    assert_eq!((control(""), control(", limit: 2")), (Some(5.0), Some(2.0)));
    let torques = |options: &str| {
        let script = format!(
            "robot(\"robot.urdf\"); controller(\"c\", [\"hinge\"], computed_torque(), #{{ rate: 100, goal: [0]{options} }});"
        );
        match scene(&script, SIMPLE).controllers[0].control {
            ControlDescription::Torques { ref limits, .. } => limits.clone(),
            ref other => panic!("{other:?}"),
        }
    };
    assert_eq!((torques(""), torques(", limit: 2")), (vec![Some(5.0)], vec![Some(2.0)]));
}

/// A base that moves in the plane of the floor, turned by the joint's origin.
#[test]
fn planar_joints_move_in_their_plane() {
    let text = SIMPLE
        .replace("<joint", "<link name=\"world\"/><joint name=\"floor\" type=\"planar\"><origin xyz=\"0 0 1\" rpy=\"1.5707963267948966 0 0\"/><parent link=\"world\"/><child link=\"base\"/><axis xyz=\"0 0 2\"/><dynamics damping=\"0.5\"/></joint><joint");
    let made = scene("robot(\"robot.urdf\");", &text);
    let floor = made.joints.iter().find(|joint| joint.name == "floor").unwrap();
    let JointPlace::Planar { normal } = floor.place else { panic!("{:?}", floor.place) };
    assert!(normal.distance(DVec3::NEG_Y) < 1e-15, "{normal}");
    assert_eq!(floor.elements.damping, 0.5);
    let mut world = BuiltScene::new(made).unwrap().world(Settings::default()).unwrap();
    world.run_to(0.5).unwrap();
    assert!(world.body(world.find("base").unwrap()).unwrap().pose().translation.y.abs() < 1e-12);
    let rubbed = text.replace("damping=\"0.5\"", "friction=\"0.5\"");
    assert!(load_beside("robot(\"robot.urdf\");", &rubbed, &[]).unwrap_err().to_string().contains("friction"));
}

#[test]
fn robots_may_be_several_and_on_one_another() {
    let twice =
        "robot(\"robot.urdf\", #{ prefix: \"left \" }); robot(\"robot.urdf\", #{ prefix: \"right \", at: [0, 2, 0] });";
    let made = scene(twice, SIMPLE);
    assert_eq!(names(&made), ["left base", "left arm", "right base", "right arm"]);
    assert_eq!(made.joints[1].name, "right hinge");
    let error = complaint("robot(\"robot.urdf\"); robot(\"robot.urdf\");", SIMPLE);
    assert!(error.contains("prefix"), "{error}");
    let on = "robot(\"robot.urdf\"); robot(\"robot.urdf\", #{ prefix: \"upper \", base: \"arm\", at: [0.4, 0, 0.3] });";
    let made = scene(on, SIMPLE);
    let weld = made.joints.last().unwrap();
    assert_eq!((weld.name.as_str(), weld.place), ("upper base on arm", JointPlace::Weld));
    assert_eq!(weld.bodies, [Some(1), Some(2)]);
    BuiltScene::new(made).unwrap().world(Settings::default()).unwrap();
    // A root that is a mere frame is a place of the body that it is on.
    let frame = SIMPLE.replace("<link name=\"base\">", "<link name=\"mount\"/><link name=\"base\">").replace(
        "</robot>",
        "<joint name=\"turn\" type=\"continuous\"><parent link=\"mount\"/><child link=\"base\"/><axis xyz=\"0 0 1\"/></joint></robot>",
    );
    let script = "body(\"cart\", cuboid(1, 1, 1), #{ mass: 9, at: [5, 0, 0] });
        let placed = robot(\"robot.urdf\", #{ base: \"cart\", at: [5, 0, 0.7] });
        print(placed.places.mount.at);";
    let made = scene(script, &frame);
    assert_eq!((names(&made), made.log[0].as_str()), (vec!["cart", "base", "arm"], "[0.0, 0.0, 0.7]"));
    assert_eq!((made.joints.len(), made.joints[0].bodies), (2, [Some(0), Some(1)]));
    let error = complaint("robot(\"robot.urdf\", #{ base: \"flor\" });", SIMPLE);
    assert!(error.contains("there is no body `flor`"), "{error}");
}

#[test]
fn a_root_called_world_is_the_ground() {
    let world = SIMPLE.replace("<link name=\"base\">", "<link name=\"world\"/><link name=\"base\">").replace(
        "</robot>",
        "<joint name=\"held\" type=\"fixed\"><origin xyz=\"0 0 1\"/><parent link=\"world\"/><child link=\"base\"/></joint></robot>",
    );
    let made = scene("robot(\"robot.urdf\");", &world);
    assert!(matches!(made.bodies[0].motion, MotionDescription::Fixed));
    assert_eq!(made.bodies[0].world_from_shape.translation, DVec3::Z);
    let floating = world.replace("type=\"fixed\"", "type=\"floating\"");
    let made = scene("robot(\"robot.urdf\");", &floating);
    assert!(matches!(made.bodies[0].motion, MotionDescription::Free { .. }));
    assert_eq!((names(&made), made.joints.len()), (vec!["base", "arm"], 1));
    assert_eq!(made.robots[0].places[0].name, "world");
}

#[test]
fn links_without_shapes_collide_with_nothing() {
    let hollow = SIMPLE.replace(
        "<collision><origin xyz=\"0.2 0 0\"/><geometry><box size=\"0.3 0.05 0.05\"/></geometry></collision>",
        "",
    );
    let made = scene(
        "body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
        robot(\"robot.urdf\", #{ above: 0.1, rotation: axis_angle([0, 1, 0], PI / 2) });",
        &hollow,
    );
    assert!(made.bodies[2].is_ghost());
    let mut world = BuiltScene::new(made).unwrap().world(Settings::default()).unwrap();
    world.run_to(1.0).unwrap();
    // The base rests on the floor, and the arm hangs through it.
    let height = |name: &str| world.body(world.find(name).unwrap()).unwrap().centre_of_mass().z;
    assert!((height("base") - 0.1).abs() < 1e-3, "{}", height("base"));
    assert!(height("arm") < 0.0, "{}", height("arm"));
}

#[test]
fn meshes_are_found_scaled_and_mirrored() {
    let with = |file: &str, scale: &str| {
        SIMPLE.replace("<box size=\"0.2 0.2 0.2\"/>", &format!("<mesh filename=\"{file}\" scale=\"{scale}\"/>"))
    };
    let files = [("meshes/cube.obj", CUBE), ("parts/robot/ell.obj", ELL)];
    let made = load_beside("robot(\"robot.urdf\");", &with("meshes/cube.obj", "0.1 0.1 0.1"), &files).unwrap();
    let SolidDescription::Convex(shape @ Shape::Convex(_)) = &made.bodies[0].shape.parts[0].solid else { panic!() };
    assert!((shape.volume_integrals().unwrap().volume - 0.008).abs() < 1e-15);
    let packages = "robot(\"robot.urdf\", #{ packages: \"parts\" });";
    let made = load_beside(packages, &with("package://robot/ell.obj", "0.1 -0.2 0.1"), &files).unwrap();
    let integrals = made.bodies[0].shape.parts[0].solid.volume_integrals().unwrap();
    // Three cubes, of which y is mirrored and doubled.
    assert!((integrals.volume - 0.006).abs() < 1e-15 && integrals.centroid.y < 0.0, "{integrals:?}");
    let built = BuiltScene::new(made).unwrap();
    assert_eq!(built.meshes().len(), 1, "it is decomposed, and told");
    let refused = |file: &str| load_beside(packages, &with(file, "1 1 1"), &files).unwrap_err().to_string();
    for (file, word) in [
        ("nowhere.stl", "no such file"),
        ("../cube.obj", "without `..`"),
        ("package://robot/../../cube.obj", "without `..`"),
        ("/etc/cube.obj", "not below the scene's folder"),
        ("file:///etc/cube.obj", "not below the scene's folder"),
        ("cube.dae", "convert `cube.dae`"),
        ("http://x/cube.stl", "not below the scene's folder"),
    ] {
        let error = refused(file);
        assert!(error.contains("robot.urdf:4: <mesh> of link `base`, attribute `filename`"), "{error}");
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn visuals_are_seen_and_shapes_collide() {
    let visual = "<visual><geometry><sphere radius=\"0.5\"/></geometry><material name=\"m\"><color rgba=\"1 0.5 0 1\"/></material></visual>";
    let text = SIMPLE.replace("<link name=\"base\">", &format!("<link name=\"base\">{visual}"));
    let made = scene("robot(\"robot.urdf\");", &text);
    let body = &made.bodies[0];
    assert_eq!(body.color, Some([1.0, 0.5, 0.0]));
    assert!(matches!(body.shape.parts[0].solid, SolidDescription::Convex(Shape::Cuboid(_))));
    assert!(matches!(body.appearance().parts[0].solid, SolidDescription::Convex(Shape::Sphere(_))));
    assert!(made.bodies[1].visual.is_none());
    let missing = text.replace("<sphere radius=\"0.5\"/>", "<mesh filename=\"a.dae\"/>");
    let made = scene("robot(\"robot.urdf\");", &missing);
    assert!(
        made.robots[0].notes.iter().any(|note| note.contains("a visual is left out")),
        "{:?}",
        made.robots[0].notes
    );
    assert_eq!(made.bodies[0].appearance().parts.len(), 1);
}

/// Habits of public files: a base of no mass with an inertia, materials that one link defines and another names, names that nothing defines.
#[test]
fn habits_of_public_files_are_taken() {
    let visual = |material: &str| format!("<visual><geometry><sphere radius=\"0.5\"/></geometry>{material}</visual>");
    let defined = visual("<material name=\"m\"><color rgba=\"1 0.5 0 1\"/></material>");
    let named = visual("<material name=\"m\"/>");
    let text = SIMPLE
        .replace("<link name=\"base\">", &format!("<link name=\"base\">{named}"))
        .replace("<link name=\"arm\">", &format!("<link name=\"arm\">{defined}"));
    let made = scene("robot(\"robot.urdf\");", &text);
    assert_eq!(made.bodies[0].color, Some([1.0, 0.5, 0.0]));
    assert_eq!(made.bodies[1].color, Some([1.0, 0.5, 0.0]));
    let unknown = text.replace("<material name=\"m\"/>", "<material name=\"nowhere\"/>");
    assert_eq!(scene("robot(\"robot.urdf\");", &unknown).bodies[0].color, None);
    let weightless = SIMPLE.replace("<mass value=\"2\"/>", "<mass value=\"0\"/>");
    let made = scene("robot(\"robot.urdf\");", &weightless);
    assert!(matches!(made.bodies[0].motion, MotionDescription::Fixed), "{:?}", made.bodies[0]);
    assert!(made.robots[0].notes[0].contains("<inertia> of a link without mass (1)"), "{:?}", made.robots[0].notes);
}

#[test]
fn what_is_not_used_is_listed_once() {
    let more = "<gazebo reference=\"arm\"><mu1>1</mu1></gazebo><gazebo/><transmission name=\"t\"/><sensor name=\"s\"/></robot>";
    let text = SIMPLE.replace("</robot>", more).replace("<limit", "<safety_controller soft_lower_limit=\"1\"/><limit");
    let made = scene("robot(\"robot.urdf\"); robot(\"robot.urdf\", #{ prefix: \"b\", at: [0, 1, 0] });", &text);
    let note = "not used: <gazebo> (2), <safety_controller> of <joint> (1), <sensor> of <robot> (1), <transmission> (1), attribute velocity of <limit> (1)";
    assert_eq!(made.robots[0].notes, [note]);
    let warnings = BuiltScene::new(made).unwrap().warnings();
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].to_string(), format!("robot.urdf: {note}"));
}

/// The page on robots, whose lines are run as they stand there.
const PAGE: &str = include_str!("../../../../../docs/robots.md");

fn block(kind: &str) -> &'static str {
    let begin = format!("```{kind}\n");
    PAGE.split(&begin).nth(1).and_then(|rest| rest.split("```").next()).unwrap()
}

#[test]
fn the_lines_of_the_page_on_robots_run() {
    let (urdf, script) = (block("xml"), block("js"));
    assert!(urdf.lines().count() + script.lines().count() <= 30);
    let files = SceneFiles::from([
        ("name.rhai".to_owned(), script.as_bytes().to_vec()),
        ("name.urdf".to_owned(), urdf.as_bytes().to_vec()),
    ]);
    let source = SceneSource::Files { main: "name.rhai".to_owned(), files: Arc::new(files) };
    let read = Script::open(&source).unwrap().read(&SceneSettings::default()).unwrap_or_else(|error| panic!("{error}"));
    let until = read.scene.duration;
    let mut runner = Runner::of(read.scene, Settings::default()).unwrap();
    let reported = runner.run_reporting(until, read.reports).unwrap().reported;
    let tilt = reported[0].value.as_ref().unwrap().as_ref().unwrap().to_string();
    assert!(tilt.parse::<f64>().unwrap() < 0.01, "{tilt}");
}
