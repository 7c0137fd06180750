//! What is said about files that are wrong.

use super::given::{SIMPLE, complaint, refused};

/// What is replaced in the small robot's file, by what, and what is said.
const CASES: &str = include_str!("../../../../../tests/data/robots/wrong.txt");

#[test]
fn each_error_names_the_place_and_a_remedy() {
    for case in CASES.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = case.split(" => ");
        let [old, new, expected] = [(); 3].map(|()| columns.next().unwrap());
        assert!(SIMPLE.contains(old), "{old}");
        let error = refused(&SIMPLE.replacen(old, new, 1));
        assert!(error.contains(&format!("robot.urdf:{expected}")), "{expected}\n{error}");
    }
    assert!(refused("<sdf/>").contains("robot.urdf:1: <sdf>: a robot's file begins with <robot>, not <sdf>"));
    assert!(refused("").contains("robot.urdf:1: <robot>: this is no XML"));
    assert!(refused("<robot/>").contains("robot.urdf:1: <robot>: the robot has no links"));
}

#[test]
fn a_free_root_needs_a_mass() {
    let hollow = SIMPLE.replace(
        "<inertial><mass value=\"2\"/><inertia ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"/></inertial>",
        "",
    );
    let free = "robot(\"robot.urdf\", #{ base: \"free\" });";
    let error = complaint(free, &hollow);
    assert!(
        error.contains("2: <link> `base`: the root of the robot is free and has no mass") && error.contains("fixed"),
        "{error}"
    );
    let zero = SIMPLE.replace("<mass value=\"2\"/>", "<mass value=\"0\"/>");
    let error = complaint(free, &zero);
    assert!(error.contains("2: <link> `base`: the root of the robot is free and has no mass"), "{error}");
}

#[test]
fn wrong_options_are_told() {
    for (options, expected) in [
        ("#{ bas: \"fixed\" }", "has no option `bas`; did you mean `base`?"),
        ("#{ base: \"fixed\", velocity: [1, 0, 0] }", "only a robot with a free base takes velocity"),
        ("#{ base: 1 }", "base must be a text"),
        ("#{ positions: 1 }", "positions must be #{ joint: position, ... }"),
        ("#{ prefix: \"\\n\" }", "the names of its links"),
    ] {
        let error = complaint(&format!("robot(\"robot.urdf\", {options});"), SIMPLE);
        assert!(error.contains(expected), "{error}");
    }
    assert!(complaint("robot(\"other.urdf\");", SIMPLE).contains("cannot read `other.urdf`"));
    assert!(complaint("robot(\"../robot.urdf\");", SIMPLE).contains("outside the scene's folder"));
}
