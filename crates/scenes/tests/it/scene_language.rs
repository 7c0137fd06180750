//! Arithmetic, helpers and random numbers of scripts.

use crate::scene_support::{complaint, printed, scene, text};
use impulse_scenes::scene::{SceneDescription, SceneSettings, load_scene};

#[test]
fn whole_numbers_divide_like_others() {
    assert_eq!(printed("1/2"), "0.5");
    assert_eq!(printed("7 / 2 * 2"), "7.0");
    assert_eq!(printed("7 % 4"), "3");
    let halved = scene("let x = 1; x /= 2; print(x); let y = 3; y /= 0.5; print(y);");
    assert_eq!(halved.log, ["0.5", "6.0"]);
    let (line, column, message) = complaint("let a = 1;\nlet b = a / 0;");
    assert_eq!((line, column, message.as_str()), (2, 11, "division by zero"));
}

#[test]
fn powers() {
    assert_eq!(printed("2 ** 10"), "1024");
    assert_eq!(printed("2 ** -1"), "0.5");
    assert_eq!(printed("4 ** 0.5"), "2.0");
    assert_eq!(scene("let x = 2; x **= -2; print(x);").log, ["0.25"]);
    let given: f64 = printed("1.1 ** 37").parse().unwrap();
    assert_eq!(given, libm::pow(1.1, 37.0));
}

#[test]
fn functions_are_the_portable_ones_for_all_numbers() {
    for (name, function) in [
        ("sin", libm::sin as fn(f64) -> f64),
        ("cos", libm::cos),
        ("tan", libm::tan),
        ("asin", libm::asin),
        ("acos", libm::acos),
        ("atan", libm::atan),
        ("exp", libm::exp),
        ("ln", libm::log),
        ("tanh", libm::tanh),
        ("sqrt", libm::sqrt),
    ] {
        for x in [0.1, 0.3, 0.77, 1.0] {
            let given: f64 = printed(&format!("{name}({x:?})")).parse().unwrap();
            assert_eq!(given, function(x), "{name}({x})");
        }
        assert_eq!(printed(&format!("{name}(1)")), printed(&format!("{name}(1.0)")));
    }
    assert_eq!(printed("atan2(1, 2.5)").parse::<f64>().unwrap(), libm::atan2(1.0, 2.5));
    assert_eq!(printed("pow(2, 0.3)").parse::<f64>().unwrap(), libm::pow(2.0, 0.3));
}

#[test]
fn units_and_constants() {
    assert_eq!(printed("deg(180) == PI && hz(1) == TAU && rpm(60) == TAU"), "true");
    assert_eq!(printed("[mm(7), cm(7), inch(1), foot(1), gram(250)]"), "[0.007, 0.07, 0.0254, 0.3048, 0.25]");
    assert_eq!(scene("fn turn() { TAU } print(turn() == 2 * PI);").log, ["true"]);
}

#[test]
fn ranges_accept_whole_results_of_divisions() {
    assert_eq!(scene("let n = 8; let s = 0; for i in 0..n/2 { s += i; } print(s);").log, ["6"]);
    let (_, _, message) = complaint("for i in 0..7/2 { }");
    assert_eq!(message, "the end of a range must be a whole number, not 3.5");
}

#[test]
fn places_in_rows_grids_and_racks() {
    assert_eq!(printed("row(3, [0, 0, 1], [0.5, 0, 0])"), "[[0.0, 0.0, 1.0], [0.5, 0.0, 1.0], [1.0, 0.0, 1.0]]");
    assert_eq!(
        printed("grid([2, 1, 2], [0, 0, 0], 1)"),
        "[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]"
    );
    // Neighbours in a rack are one spacing apart: each ball touches those before and beside it.
    let balls = scene(
        "let p = rack(3, [0, 0, 0], 2); let near = 0; for a in p { for b in p { if abs(length(sub(a, b)) - 2) < 1e-12 { near += 1; } } } print(p.len()); print(near);",
    );
    assert_eq!(balls.log, ["6", "18"]);
}

#[test]
fn vectors_and_rotations() {
    assert_eq!(printed("add([1, 2, 3], [1, 1, 1])"), "[2.0, 3.0, 4.0]");
    assert_eq!(printed("cross([1, 0, 0], [0, 1, 0])"), "[0.0, 0.0, 1.0]");
    let turned = "rotate(then(axis_angle([0, 0, 1], deg(90)), axis_angle([1, 0, 0], deg(90))), [1, 0, 0])";
    assert_eq!(printed(&format!("length(sub({turned}, [0, 0, 1])) < 1e-15")), "true");
}

const RANDOM: &str = "for i in 0..20 {
    let at = rand_point([-1, -1, 0], [1, 1, 2]);
    body(\"b\" + i, sphere(rand(0.1, 0.2)), #{ at: at, rotation: rand_rotation(), velocity: rand_direction(), mass: 1 + rand_int(0, 3) + rand() });
    print(rand_normal());
}";

fn random(seed: u64) -> SceneDescription {
    load_scene(&text(RANDOM), &SceneSettings { params: Vec::new(), seed }).unwrap()
}

#[test]
fn a_seed_decides_all_random_numbers() {
    let [first, again, other] = [7, 7, 8].map(random);
    assert_eq!(format!("{first:?}"), format!("{again:?}"));
    assert!(first.bodies.iter().zip(&other.bodies).all(|(a, b)| a.world_from_shape != b.world_from_shape));
    assert_ne!(first.log, other.log);
    for body in &first.bodies {
        let at = body.world_from_shape.translation;
        assert!(at.x.abs() <= 1.0 && at.y.abs() <= 1.0 && (0.0..=2.0).contains(&at.z), "{at}");
    }
}

#[test]
fn a_random_pose_is_a_random_place_and_rotation_as_options() {
    let posed = scene("body(\"b\", sphere(1), rand_pose([1, 2, 3], [2, 4, 6]) + #{ mass: 1 });");
    let apart = scene(
        "let at = rand_point([1, 2, 3], [2, 4, 6]);\nbody(\"b\", sphere(1), #{ at: at, rotation: rand_rotation(), mass: 1 });",
    );
    assert_eq!(format!("{:?}", posed.bodies), format!("{:?}", apart.bodies));
}
