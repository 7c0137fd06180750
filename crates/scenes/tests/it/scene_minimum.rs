//! The minimum scene that every version must read as it stands.

use crate::scene_support::{load_path, text};
use crate::support::assert_close;
use glam::{DMat3, DQuat, DVec3};
use impulse::body::{Cycle, Scripted};
use impulse::geometry::Shape;
use impulse::math::Pose;
use impulse::respond::Law;
use impulse_scenes::scene::{
    MaterialId, MotionDescription, ParamValue, SceneDescription, SceneSettings, SolidDescription, load_scene,
};
use std::f64::consts::PI;

const MINIMUM: &str = r#"
duration(2.0);
gravity(0, 0, -9.81);
let steel = material(#{ friction: 0.2, restitution: 0.8 });           // how two materials combine: see below
let h = param("height", 1.0);                                          // --set height=2
body("floor", half_space([0, 0, 1], 0), #{ fixed: true, material: steel });
body("ball", sphere(0.05), #{ at: [0, 0, h], velocity: [1, 0, 0], spin: [0, 0, 0], density: 7800, material: steel });
body("cube", cuboid(0.1, 0.1, 0.1), #{ at: [1, 0, h], rotation: [1, 0, 0, 0], mass: 0.37, inertia: 0.00081, material: steel });
body("plate", cuboid(1, 1, 0.02), #{ at: [0, 3, 0], script: spinner([0, 0, 1], 6.0), material: steel });
"#;

fn minimum(height: Option<f64>) -> SceneDescription {
    let params = height.map(|h| ("height".to_owned(), ParamValue::Text(h.to_string()))).into_iter().collect();
    load_scene(&text(MINIMUM), &SceneSettings { params, seed: 0 }).unwrap()
}

#[test]
fn the_scene_as_a_whole() {
    let scene = minimum(None);
    assert_eq!((scene.duration, scene.gravity), (2.0, DVec3::new(0.0, 0.0, -9.81)));
    let names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["floor", "ball", "cube", "plate"]);
    assert_eq!(scene.materials.len(), 1);
    assert!(scene.bodies.iter().all(|body| body.material == MaterialId(0)));
    let surface = scene.surface(MaterialId(0), MaterialId(0)).material;
    assert_eq!((surface.friction, surface.restitution, surface.law), (0.2, 0.8, Law::Stronge));
    assert_eq!(scene.params[0].value, ParamValue::Number(1.0));
}

#[test]
fn floor_and_plate() {
    let scene = minimum(None);
    let floor = scene.body("floor").unwrap();
    assert!(matches!(floor.motion, MotionDescription::Fixed));
    let SolidDescription::Convex(Shape::HalfSpace(half_space)) = &floor.shape.parts[0].solid else {
        panic!("{floor:?}")
    };
    assert_eq!((half_space.normal(), half_space.offset()), (DVec3::Z, 0.0));
    let plate = scene.body("plate").unwrap();
    let MotionDescription::Scripted(script) = &plate.motion else { panic!("{plate:?}") };
    let at = DVec3::new(0.0, 3.0, 0.0);
    let expected = Cycle::spinner(Pose::from_translation(at), DVec3::Z, at, 6.0).unwrap();
    assert_eq!(*script, Scripted::Cycle(expected));
}

#[test]
fn ball_and_cube() {
    let scene = minimum(Some(2.0));
    let ball = scene.body("ball").unwrap();
    assert_eq!(ball.world_from_shape, Pose::from_translation(DVec3::new(0.0, 0.0, 2.0)));
    let MotionDescription::Free { mass, velocity, spin } = &ball.motion else { panic!("{ball:?}") };
    assert_eq!((*velocity, *spin, mass.com), (DVec3::X, DVec3::ZERO, DVec3::ZERO));
    let expected = 7800.0 * 4.0 / 3.0 * PI * 0.05_f64.powi(3);
    assert_close(mass.mass, expected, 1e-14);
    assert_close(mass.inertia.x_axis.x, 0.4 * expected * 0.05 * 0.05, 1e-14);
    let cube = scene.body("cube").unwrap();
    assert_eq!(cube.world_from_shape.rotation, DQuat::IDENTITY);
    let MotionDescription::Free { mass, .. } = &cube.motion else { panic!("{cube:?}") };
    assert_eq!((mass.mass, mass.inertia), (0.37, DMat3::from_diagonal(DVec3::splat(0.00081))));
}

#[test]
fn the_built_in_minimum_is_the_same() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/minimum.rhai");
    assert_eq!(std::fs::read_to_string(path).unwrap().trim(), MINIMUM.trim());
    assert_eq!(load_path(path.into()).unwrap().bodies.len(), 4);
}
