//! Every built-in scene loads; every example of the reference page runs.

use crate::scene_support::{folder, load, load_path, scene};
use impulse::world::Settings;
use impulse_scenes::scene::{
    Fault, MotionDescription, ParamValue, REFERENCE_PAGE, SceneError, SceneSettings, SceneSource, functions,
    functions_beside, load_scene,
};
use impulse_scenes::{BUILTIN_SCENES, Runner, SceneDescription};
use std::collections::BTreeSet;

fn builtin(name: &str, params: &[(&str, f64)]) -> SceneDescription {
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Number(*value))).collect();
    load_scene(&SceneSource::Builtin(name.to_owned()), &SceneSettings { params, seed: 1 })
        .unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_built_in_scene_loads() {
    for known in BUILTIN_SCENES {
        let scene = builtin(known.name, &[]);
        assert!(scene.bodies.iter().any(|body| !matches!(body.motion, MotionDescription::Fixed)), "{}", known.name);
        assert!(scene.duration > 0.0 && !known.description.is_empty());
    }
    let names: Vec<&str> = BUILTIN_SCENES.iter().map(|known| known.name).collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn every_script_in_the_folder_is_in_the_list() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes")).unwrap();
    let files: BTreeSet<String> = folder.map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    let listed: BTreeSet<String> = BUILTIN_SCENES.iter().map(|known| format!("{}.rhai", known.name)).collect();
    assert_eq!(files, listed);
}

#[test]
fn bounce_starts_at_the_height_it_is_told() {
    let scene = builtin("bounce", &[("height", 2.0), ("restitution", 0.5)]);
    let ball = scene.body("ball").unwrap();
    assert_eq!(ball.world_from_shape.translation.z, 2.05);
    assert_eq!(scene.surface(ball.material, scene.body("floor").unwrap().material).material.restitution, 0.5);
}

#[test]
fn the_gas_fits_its_box_and_has_the_energy_it_should() {
    let scene = builtin("gas", &[("n", 4.0), ("speed", 3.0)]);
    assert_eq!(scene.bodies.len(), 64 + 6);
    for body in &scene.bodies[6..] {
        let MotionDescription::Free { velocity, .. } = &body.motion else { panic!("{body:?}") };
        assert!((velocity.length() - 3.0).abs() < 1e-14);
        // Half the box is 0.16 m, a ball's radius 0.02.
        assert!(body.world_from_shape.translation.abs().max_element() < 0.14);
    }
}

#[test]
fn racked_balls_are_apart_by_the_gap() {
    let scene = builtin("pool_break", &[]);
    let places: Vec<_> = scene
        .bodies
        .iter()
        .filter(|b| b.name.starts_with("ball "))
        .map(|body| body.world_from_shape.translation)
        .collect();
    assert_eq!(places.len(), 15);
    let mut least = f64::INFINITY;
    for (i, a) in places.iter().enumerate() {
        least = places[..i].iter().fold(least, |least, b| least.min(a.distance(*b)));
    }
    assert!((least - (0.05715 + 1e-4)).abs() < 1e-12, "{least}");
}

/// Files that examples of the reference page speak of.
const FILES: [(&str, &str); 4] = [
    ("arm.urdf", include_str!("../../../../tests/data/robots/arm.urdf")),
    ("bracket.obj", include_str!("../../../../parts/bracket.obj")),
    ("shared.rhai", "fn weight() { 1 }"),
    (
        "frog.rhai",
        "param(\"strength\", 2.0); body(\"torso\", cuboid(0.1, 0.08, 0.05), #{ at: [0, 0, 0.025], mass: 0.1 });
        behaviour(\"leap\", 2, |me| me.body(\"torso\").set_velocity([rand(-1, 1), rand(-1, 1), me.param(\"strength\")]));",
    ),
];

#[test]
fn every_example_of_the_reference_page_runs() {
    let functions = functions();
    assert!(functions.len() > 60, "{}", functions.len());
    let folder = folder("examples", &FILES);
    for function in &functions {
        assert!(!function.text.is_empty(), "{}", function.usage);
        let path = folder.join(format!("{}.rhai", function.name));
        std::fs::write(&path, function.example).unwrap();
        let scene = load_path(path).unwrap_or_else(|error| panic!("{error}"));
        let mut runner = Runner::of(scene, Settings::default()).unwrap_or_else(|error| panic!("{error}"));
        runner.run_until(0.05).unwrap_or_else(|error| panic!("{}: {error}", function.usage));
    }
    let first = REFERENCE_PAGE.split("```js\n").nth(1).and_then(|rest| rest.split("\n```").next()).unwrap();
    assert_eq!(scene(first).bodies.len(), 6);
}

#[test]
fn every_function_is_called_in_its_example() {
    for function in functions() {
        let code = function.example.lines().map(|line| line.split("//").next().unwrap());
        let mut calls = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '('));
        let call = format!("{}(", function.name);
        assert!(calls.any(|word| word.split_inclusive('(').any(|word| word == call)), "{}", function.usage);
    }
}

#[test]
fn a_function_is_found_with_its_neighbours_or_its_like() {
    let names = |name| functions_beside(name).unwrap().iter().map(|function| function.name).collect::<Vec<_>>();
    assert_eq!(names("cuboid"), ["cuboid"]);
    assert_eq!(names("dot"), ["add", "sub", "scale", "dot", "cross", "length", "unit"]);
    assert_eq!(
        functions_beside("cubiod").unwrap_err().to_string(),
        "unknown function `cubiod`; did you mean `cuboid`?"
    );
}

#[test]
fn documented_functions_exist() {
    for function in functions() {
        // Called without what it needs, a function that exists complains of its arguments or runs.
        match load(&format!("{}((), (), (), (), (), (), ());", function.name)) {
            Err(SceneError::Script { fault, .. }) => {
                assert!(matches!(&*fault, Fault::Arguments { name, .. } if name == function.name), "{fault}");
            }
            other => panic!("{}: {other:?}", function.name),
        }
    }
}
