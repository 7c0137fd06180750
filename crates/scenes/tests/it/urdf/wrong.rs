//! What is said about files that are wrong.

use super::given::{SIMPLE, complaint, refused};

/// The file with something replaced, and what is said about it.
#[track_caller]
fn with(old: &str, new: &str) -> String {
    assert!(SIMPLE.contains(old), "{old}");
    refused(&SIMPLE.replacen(old, new, 1))
}

#[test]
fn each_error_names_the_place_and_a_remedy() {
    let hinge = "<joint name=\"hinge\" type=\"revolute\">";
    let second =
        "<link name=\"hand\"/><joint name=\"more\" type=\"fixed\"><parent link=\"arm\"/><child link=\"hand\"/></joint>";
    let cases = [
        (
            hinge,
            "<joint name=\"hinge\" type=\"planar\">",
            "10: <joint> `hinge`, attribute `type`: planar joints are not available; join",
        ),
        (
            hinge,
            "<joint name=\"hinge\" type=\"screw\">",
            "10: <joint> `hinge`, attribute `type`: `screw` is no type of joint; take",
        ),
        (
            hinge,
            "<joint name=\"hinge\" type=\"revolute\"><mimic joint=\"x\"/>",
            "10: <mimic> of joint `hinge`: mimic closes a loop",
        ),
        (
            "<parent link=\"base\"/>",
            "<parent link=\"bas\"/>",
            "11: <parent> of joint `hinge`, attribute `link`: there is no link `bas`; did you mean `base`?",
        ),
        ("<parent link=\"base\"/>", "", "10: <joint> `hinge`: it needs a <parent"),
        ("<parent link=\"base\"/>", "<parent link=\"arm\"/>", "10: <joint> `hinge`: it joins link `arm` to itself"),
        (
            "<axis xyz=\"0 1 0\"/>",
            "<axis xyz=\"0 0 0\"/>",
            "11: <axis> of joint `hinge`, attribute `xyz`: it has no direction",
        ),
        ("lower=\"-1\"", "lower=\"1\"", "12: <limit> of joint `hinge`: the limits 1 to 1 leave no room"),
        ("<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"1\"/>", "", "10: <joint> `hinge`: it needs a <limit"),
        (
            "effort=\"5\"",
            "effort=\"-5\"",
            "12: <limit> of joint `hinge`, attribute `effort`: it is -5; it must be not negative",
        ),
        ("<mass value=\"1\"/>", "<mass value=\"-1\"/>", "7: <mass> of link `arm`, attribute `value`: it is -1"),
        ("<mass value=\"1\"/>", "", "7: <inertial> of link `arm`: it needs a <mass"),
        (
            "<mass value=\"1\"/>",
            "<mass value=\"1 kg\"/>",
            "7: <mass> of link `arm`, attribute `value`: `1 kg` is not a number; write plain numbers without units",
        ),
        (" iyz=\"0\"", "", "3: <inertia> of link `base`, attribute `iyz`: it is missing"),
        (
            "ixx=\"0.001\"",
            "ixx=\"-0.001\"",
            "7: <inertial> of link `arm`: the principal moment -0.001 kg m^2 is not positive",
        ),
        (
            "ixx=\"0.001\"",
            "ixx=\"0.1\"",
            "7: <inertial> of link `arm`: the principal moment 0.1 kg m^2 exceeds the sum",
        ),
        (
            "<box size=\"0.2 0.2 0.2\"/>",
            "<box size=\"0.2 0 0.2\"/>",
            "4: <box> of link `base`, attribute `size`: it is 0; it must be three positive",
        ),
        ("<box size=\"0.2 0.2 0.2\"/>", "<cone radius=\"1\"/>", "4: <cone> of link `base`: it needs a <box>"),
        ("<box size=\"0.2 0.2 0.2\"/>", "", "4: <geometry> of link `base`: it needs a <box>"),
        (
            "<box size=\"0.2 0.2 0.2\"/>",
            "<sphere radius=\"1\"/><sphere radius=\"1\"/>",
            "4: <sphere> of link `base`: there are two of them",
        ),
        (
            "<geometry><box size=\"0.2 0.2 0.2\"/></geometry>",
            "",
            "4: <collision> of link `base`: it needs a <geometry>",
        ),
        (
            "<link name=\"arm\">",
            "<link name=\"base\">",
            "6: <link> `base`, attribute `name`: another link has the name `base`",
        ),
        ("<link name=\"arm\">", "<link>", "6: <link>, attribute `name`: it is missing"),
        ("<link name=\"arm\">", "<link name=\" \">", "6: <link> ` `, attribute `name`: a name is one line"),
        (
            "<link name=\"base\">",
            "<link name=\"lost\"/><link name=\"base\">",
            "2: <link> `base`: `lost`, `base` are not joined to one another",
        ),
        (
            "</robot>",
            &format!(
                "{second}<joint name=\"hinge\" type=\"fixed\"><parent link=\"arm\"/><child link=\"base\"/></joint></robot>"
            ),
            "14: <joint> `hinge`, attribute `name`: another joint has the name `hinge`",
        ),
        (
            "</robot>",
            "<joint name=\"back\" type=\"fixed\"><parent link=\"arm\"/><child link=\"base\"/></joint></robot>",
            "<joint> `back`: the joints `back`, `hinge` form a cycle",
        ),
        (
            "</robot>",
            "<joint name=\"again\" type=\"fixed\"><parent link=\"base\"/><child link=\"arm\"/></joint></robot>",
            "14: <child> of joint `again`, attribute `link`: link `arm` is the child of joint `hinge` already",
        ),
        (
            "</robot>",
            "<link name=\"frame\"/><joint name=\"moves\" type=\"continuous\"><parent link=\"arm\"/><child link=\"frame\"/></joint></robot>",
            "14: <link> `frame`: it moves (by joint `moves`) and has no mass; give it an <inertial>",
        ),
        (
            "<robot name=\"simple\">",
            "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><xacro:include filename=\"x\"/>",
            "1: <include>: <include> is a macro; run `xacro",
        ),
        ("<robot name=\"simple\">", "<sdf name=\"simple\">", "this is no XML"),
        (
            "<collision>",
            "<visual><geometry><sphere radius=\"1\"/></geometry><material name=\"unseen\"/></visual><collision>",
            "4: <material> `unseen`, attribute `name`: there is no <material> `unseen`",
        ),
    ];
    for (old, new, expected) in cases {
        let error = with(old, new);
        assert!(error.contains(&format!("robot.urdf:{expected}")) || error.contains(expected), "{expected}\n{error}");
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
    let error = refused(&hollow);
    assert!(
        error.contains("2: <link> `base`: the root of the robot is free and has no mass") && error.contains("fixed"),
        "{error}"
    );
    let zero = SIMPLE.replace("<mass value=\"2\"/>", "<mass value=\"0\"/>");
    assert!(
        refused(&zero).contains("3: <inertia> of link `base`: it is 0.02; it must be zero, since the mass is zero")
    );
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
