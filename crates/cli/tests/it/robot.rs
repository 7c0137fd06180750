//! `impulse robot`, and `impulse run` of a robot's file.

use crate::support::{Outcome, folder, impulse, repository};
use serde_json::Value;

fn file(name: &str) -> String {
    repository().join("tests/data/robots").join(name).to_string_lossy().into_owned()
}

#[test]
fn a_robot_is_told_in_words_and_numbers() {
    let Outcome { status, stdout, .. } = impulse(&["robot", &file("arm.urdf"), "--base", "fixed"]);
    assert_eq!(status, 0);
    for line in [
        "arm: 9 links in 7 bodies, 6 joints that move, 6 freedoms with a fixed base",
        "  mass           13.1 kg",
        "          forearm, 1.8 kg: elbow revolute about (0, 1, 0), -2.6 to 2.6 rad, at most 100 N m",
        "  note: not used: <transmission> (1), attribute velocity of <limit> (6)",
    ] {
        assert!(stdout.lines().any(|told| told.contains(line)), "{line}\n{stdout}");
    }
    assert!(!stdout.contains("warning"), "{stdout}");
    let Outcome { stdout, .. } = impulse(&["robot", &file("quadruped.urdf"), "--json"]);
    let told: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((told["base"].as_str(), told["freedoms"].as_array().unwrap().len()), (Some("free"), 18));
    assert_eq!(told["inertia"].as_array().unwrap().len(), 18);
    assert!((told["mass"].as_f64().unwrap() - 11.8).abs() < 1e-12);
}

#[test]
fn what_usually_is_wrong_is_warned_of() {
    let arm = std::fs::read_to_string(file("arm.urdf")).unwrap();
    let wrong = arm
        .replace("lower=\"-2\" upper=\"2\" effort=\"28\"", "lower=\"0.5\" upper=\"2\" effort=\"0\"")
        .replace(
            "ixx=\"0.0076\" ixy=\"0\" ixz=\"0\" iyy=\"0.0076\" iyz=\"0\" izz=\"0.0054\"",
            "ixx=\"7.6\" ixy=\"0\" ixz=\"0\" iyy=\"7.6\" iyz=\"0\" izz=\"5.4\"",
        )
        .replace("<origin xyz=\"0.15 0 0\" rpy", "<origin xyz=\"0.15 0 0.9\" rpy")
        .replace(
            "<joint name=\"elbow\" type=\"revolute\">\n    <origin xyz=\"0 -0.07 0.4\"/>",
            "<joint name=\"elbow\" type=\"revolute\">\n    <origin xyz=\"0 -0.07 0.0\"/>",
        );
    let path = folder("robot-doubts").join("doubtful.urdf");
    std::fs::write(&path, wrong).unwrap();
    let Outcome { status, stdout, .. } = impulse(&["robot", &path.to_string_lossy()]);
    assert_eq!(status, 0);
    for doubt in [
        "link shoulder: its moment 7.600e0 kg m^2 is more than m r^2",
        "link forearm: its centre of mass is",
        "exclude 0",
        "it has no effort",
        "overlap at the start",
    ] {
        assert!(stdout.contains(doubt), "{doubt}\n{stdout}");
    }
}

#[test]
fn a_file_that_cannot_be_used_is_refused_with_all_doubts() {
    let arm = std::fs::read_to_string(file("arm.urdf")).unwrap();
    let path = folder("robot-refused").join("refused.urdf");
    std::fs::write(&path, arm.replace("izz=\"0.0054\"", "izz=\"0.9\"")).unwrap();
    let Outcome { status, stderr, .. } = impulse(&["robot", &path.to_string_lossy()]);
    assert_eq!(status, 1);
    assert!(stderr.contains("warning: line 23: link shoulder: its principal moment"), "{stderr}");
    assert!(stderr.contains("refused.urdf:23: <inertial> of link `shoulder`: the principal moment 0.8"), "{stderr}");
    let Outcome { status, stderr, .. } = impulse(&["run", "nowhere.urdf"]);
    assert_eq!((status, stderr.contains("nowhere.urdf")), (1, true), "{stderr}");
}

#[test]
fn a_robot_is_dropped_on_a_floor() {
    let Outcome { status, stdout, .. } =
        impulse(&["run", &file("gripper.urdf"), "--until", "0.5", "--set", "height=0.2"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("4 bodies, 3 of them free") && stdout.contains("floor and palm"), "{stdout}");
}

#[test]
fn meshes_of_a_package_are_found_from_the_file_in_it() {
    let root = folder("robot-package");
    let package = root.join("cube_bot");
    std::fs::create_dir_all(package.join("urdf")).unwrap();
    std::fs::create_dir_all(package.join("meshes")).unwrap();
    std::fs::copy(repository().join("parts/bracket.obj"), package.join("meshes/bracket.obj")).unwrap();
    let text = "<robot name=\"b\"><link name=\"l\"><inertial><mass value=\"1\"/><inertia ixx=\"1e-3\" ixy=\"0\" ixz=\"0\" iyy=\"1e-3\" iyz=\"0\" izz=\"1e-3\"/></inertial>
        <collision><geometry><mesh filename=\"package://cube_bot/meshes/bracket.obj\"/></geometry></collision></link></robot>";
    let path = package.join("urdf/bot.urdf");
    std::fs::write(&path, text).unwrap();
    let Outcome { status, stdout, stderr } = impulse(&["run", &path.to_string_lossy(), "--until", "0.1"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("convex pieces"), "{stdout}");
}

#[test]
fn chosen_joints_are_plotted() {
    let path = folder("robot-plot").join("joints.svg");
    let svg = path.to_string_lossy().into_owned();
    let arm = file("arm.urdf");
    let chosen = ["run", &arm, "--set", "base=fixed", "--until", "0.2", "--joint-plot", &svg, "--joint", "elbow"];
    let Outcome { status, stderr, .. } = impulse(&chosen);
    assert_eq!(status, 0, "{stderr}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("elbow") && !text.contains("shoulder_pan") && text.contains("position  (rad, m)"));
    assert_eq!(text.matches("clip-path=\"url(#frame)\"").count(), 3, "one curve of each quantity");
    let Outcome { status, stderr, .. } = impulse(&["run", &arm, "--joint-plot", &svg, "--joint", "elbo"]);
    assert_eq!((status, stderr.contains("no joint \"elbo\"; it has shoulder_pan, ")), (1, true), "{stderr}");
}
