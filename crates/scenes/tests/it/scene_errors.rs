//! Scripts that are wrong: each complaint has a place, the offending line and a remedy.

use crate::scene_support::{complaint, fault_of, load};
use impulse_scenes::scene::{Fault, SceneSettings, SceneSource, load_scene};

/// Wrong scripts with line, column and a piece of the message.
const WRONG: &[(&str, usize, usize, &str)] = &[
    // Names.
    ("let r = 1;\nbody(\"b\", spere(r), #{});", 2, 11, "unknown function `spere`; did you mean `sphere`?"),
    ("body(\"b\", sphere(r), #{});", 1, 18, "unknown variable `r`"),
    ("let radius = 1;\nsphere(raduis);", 2, 8, "did you mean `radius`?"),
    ("let a = 1;\nfn f() { sphere(a) }\nf();", 2, 17, "functions see their arguments only"),
    ("body(\"b\", sphere(1), #{ mass: 1, positon: 1, at: 1 });", 1, 1, "has no option `positon`; it has at, rotation"),
    (
        "body(\"b\", sphere(1), #{ densty: 1 });",
        1,
        1,
        "body `b` has no option `densty`; did you mean `density`?; it has at, ",
    ),
    ("material(#{ friction: 1, bounce: 2 });", 1, 1, "material has no option `bounce`"),
    ("shpere(1)", 1, 1, "did you mean `sphere`"),
    ("fn balls(n) { n }\nball(1);", 2, 1, "did you mean `all`, `balls` or `wall`?"),
    // Kinds.
    ("\n\nsphere(\"big\");", 3, 1, "sphere: radius must be a number, not the text \"big\""),
    ("sphere(1, 2);", 1, 1, "`sphere` cannot be called with (number, number); write sphere(r)"),
    ("body(\"b\", 3, #{});", 1, 1, "body `b`: the shape must be a shape such as sphere(0.1), not 3"),
    ("body(\"b\", sphere(1), 3);", 1, 1, "must be options #{ name: value, ... }, not 3"),
    (
        "body(\"b\", sphere(1), #{ at: [1, 2], mass: 1 });",
        1,
        1,
        "body `b`: at must be three numbers [x, y, z], not the array [1, 2]",
    ),
    ("body(\"b\", sphere(1), #{ at: [1, 2, true], mass: 1 });", 1, 1, "must be a number, not true"),
    ("body(7, sphere(1), #{});", 1, 1, "body: the name must be a text, not 7"),
    ("body(\"b\", sphere(1), #{ material: 0.5, mass: 1 });", 1, 1, "must be a material made by material"),
    ("body(\"b\", sphere(1), #{ fixed: 1 });", 1, 1, "must be true or false, not 1"),
    ("body(\"b\", sphere(1), #{ script: [0, 0, 1] });", 1, 1, "must be a motion such as spinner"),
    ("body(\"b\", sphere(1), #{ rotation: [0, 0, 0, 0], mass: 1 });", 1, 1, "a quaternion that is not zero"),
    ("let x = [1] - 2;", 1, 13, "`-` cannot be applied to (array, number)"),
    ("let a = [1]; a[3];", 1, 16, "out of bounds"),
    // Numbers.
    ("let x = 0.0;\nsphere(x / x);", 2, 1, "sphere: radius is NaN: give a finite number"),
    ("body(\"b\", sphere(1), #{ mass: 1, at: [0, 0, 1.0 / 0.0] });", 1, 1, "at is inf: give a finite number"),
    ("sphere(-1);", 1, 1, "give a positive, finite length"),
    ("rounded_cuboid(1, 1, 0.1, 0.2);", 1, 1, "at most half the smallest side"),
    ("half_space([0, 0, 0], 1);", 1, 1, "normal"),
    ("material(#{ friction: -1, restitution: 0.5 });", 1, 1, "friction is -1; it must be at least 0"),
    ("material(#{ friction: 1, restitution: 1.5 });", 1, 1, "restitution is 1.5; it must be between 0 and 1"),
    ("material(#{ friction: 1 });", 1, 1, "material needs restitution"),
    (
        "material(#{ friction: 1, restitution: 1, static_friction: 0.5 });",
        1,
        1,
        "static_friction is 0.5; it must be at least the friction",
    ),
    (
        "material(#{ friction: 1, restitution: 1, rolling_resistance: -0.1 });",
        1,
        1,
        "rolling_resistance is -0.1; it must be a length of at least 0 m",
    ),
    ("material(#{ friction: 1, restitution: 1, law: \"hooke\" });", 1, 1, "\"stronge\", \"poisson\" or \"newton\""),
    ("duration(0);", 1, 1, "positive number of seconds"),
    ("gravity(0, 0, \"down\");", 1, 1, "gravity: z must be a number"),
    // Bodies.
    ("body(\"b\", sphere(1), #{ mass: 1 });\nbody(\"b\", sphere(1), #{ mass: 1 });", 2, 1, "two bodies named `b`"),
    ("body(\"b\", sphere(1), #{});", 1, 1, "needs density or mass, since it is free to move"),
    ("body(\"\", sphere(1), #{ mass: 1 });", 1, 1, "1 to 200 characters"),
    ("body(\"b\", sphere(1), #{ mass: 0 });", 1, 1, "the mass must be a positive number of kilograms, not 0"),
    ("body(\"b\", sphere(1), #{ mass: 1, density: 1 });", 1, 1, "either density or mass, not both"),
    ("body(\"b\", sphere(1), #{ fixed: true, velocity: [1, 0, 0] });", 1, 1, "takes no velocity or spin"),
    ("body(\"b\", sphere(1), #{ fixed: true, script: spinner([0, 0, 1], 1) });", 1, 1, "either fixed or script"),
    ("body(\"b\", half_space([0, 0, 1], 0), #{});", 1, 1, "add `fixed: true`"),
    ("body(\"b\", half_space([0, 0, 1], 0), #{ fixed: true, mass: 1 });", 1, 1, "a half-space has no mass"),
    ("compound([half_space([0, 0, 1], 0)]);", 1, 1, "element 0: a half-space cannot be a part"),
    ("compound([point_mass(1, [0, 0, 0])]);", 1, 1, "at least one solid"),
    (
        "compound([part(sphere(1), #{ density: 1 }), 3]);",
        1,
        1,
        "element 1 must be a part, a shape or a point mass, not 3",
    ),
    ("body(\"b\", compound([part(sphere(1), #{ density: 1 }), sphere(1)]), #{});", 1, 1, "a density for every part"),
    ("hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]);", 1, 1, "hull: the points lie in a plane"),
    ("polyhedron([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]);", 1, 1, "not closed"),
    ("polyhedron([[0, 0, 0]], [[0, -1, 2]]);", 1, 1, "vertex numbers, counted from 0, not -1"),
    ("spinner([0, 0, 0], 1);", 1, 1, "has no direction"),
    ("body(\"b\", sphere(1), #{ script: keyframes([#{ time: 1 }, #{ time: 0 }]) });", 1, 1, "body `b`: keyframe 1"),
    (
        "let m = material(#{ friction: 1, restitution: 1 });\ncontact(m, m, #{});\ncontact(m, m, #{});",
        3,
        1,
        "already have a contact entry",
    ),
    ("mesh(\"a.stl\", 1);", 1, 1, "this scene has no folder"),
    // The language.
    ("let x = ;", 1, 9, ""),
    ("body(\"b\", sphere(1)", 1, 20, ""),
    ("let x = 1;\nimport \"a\" as b;", 2, 1, "include(\"file.rhai\"); on a line of its own"),
    ("eval(\"1\");", 1, 1, "`eval` is not part of scene scripts"),
    ("let x = include(\"a.rhai\");", 1, 9, "on a line of its own"),
    ("throw \"no balls\";", 1, 1, "the script stopped: no balls"),
    ("param(\"a\", 1);\nparam(\"a\", 2);", 2, 1, "call param() once"),
    ("param(\"a\", [1]);", 1, 1, "must be a number, true, false or a text"),
    ("rand_int(3, 1);", 1, 1, "swap them"),
];

#[test]
fn every_complaint_has_its_place_and_its_remedy() {
    for (script, line, column, piece) in WRONG {
        let (found_line, found_column, message) = complaint(script);
        assert!(message.contains(piece), "{script}\n{message}");
        assert_eq!((found_line, found_column), (*line, *column), "{script}\n{message}");
    }
}

#[test]
fn a_message_shows_file_line_column_and_text() {
    let error = load("let r = 0.05;\n    body(\"ball\", spere(r), #{});").unwrap_err();
    let expected = "test.rhai:2:18: unknown function `spere`; did you mean `sphere`?
  2 |     body(\"ball\", spere(r), #{});
    |                  ^";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn faults_inside_functions_name_their_callers() {
    let (place, fault) = fault_of(load(
        "fn ball(name, r) {\n  body(name, sphere(r), #{ mass: 1 })\n}\nfn two() { ball(\"a\", 1); ball(\"b\", 0); }\n\ntwo();",
    ));
    assert!(matches!(*fault, Fault::Shape(_)), "{fault}");
    assert_eq!((place.line, place.column), (2, 14));
    let calls: Vec<(&str, usize)> = place.calls.iter().map(|(name, _, line)| (name.as_str(), *line)).collect();
    assert_eq!(calls, [("ball", 4), ("two", 6)]);
}

#[test]
fn faults_are_typed() {
    assert!(matches!(*fault_of(load("sphere(0)")).1, Fault::Shape(_)));
    assert!(matches!(*fault_of(load("sphere(true)")).1, Fault::WrongType { .. }));
    assert!(matches!(*fault_of(load("spheer(1)")).1, Fault::UnknownFunction { .. }));
    assert!(matches!(*fault_of(load("mesh(\"/etc/passwd\")")).1, Fault::File(_)));
}

#[test]
fn errors_can_cross_threads() {
    fn check<T: Send + Sync + std::error::Error>(_: &T) {}
    check(&load("sphere(0)").unwrap_err());
}

#[test]
fn a_mistyped_scene_is_guessed() {
    let error = load_scene(&SceneSource::named("bonuce"), &SceneSettings::default()).unwrap_err();
    assert_eq!(error.to_string(), "there is no built-in scene `bonuce`; did you mean `bounce`?");
    let error = load_scene(&SceneSource::named("zzzzzz"), &SceneSettings::default()).unwrap_err();
    assert!(error.to_string().contains("`impulse list` shows them all"), "{error}");
    let error = load_scene(&SceneSource::named("no/such.rhai"), &SceneSettings::default()).unwrap_err();
    assert!(error.to_string().starts_with("no/such.rhai: cannot read the scene"), "{error}");
}
