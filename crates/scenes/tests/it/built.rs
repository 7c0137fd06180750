//! A scene's shapes are built once, however many bodies and worlds use them.

use crate::scene_memory::load;
use crate::scene_support::scene;
use impulse::geometry::Shape;
use impulse::world::Settings;
use impulse_scenes::{BuiltScene, SceneDescription};
use std::sync::Arc;

const BRACKET: &[u8] = include_bytes!("../../../../parts/bracket.obj");

fn brackets(script: &str) -> BuiltScene {
    BuiltScene::new(load(script, &[("bracket.obj", BRACKET)]).unwrap()).unwrap()
}

#[track_caller]
fn are_one(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Compound(a), Shape::Compound(b)) => Arc::ptr_eq(a, b),
        (Shape::Convex(a), Shape::Convex(b)) => Arc::ptr_eq(a, b),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bodies_with_the_same_mesh_share_one_decomposition() {
    let built = brackets(
        "for i in 0..3 { body(\"b\" + i, mesh(\"bracket.obj\"), #{ at: [i, 0, 0], density: 1 + i }); }
         body(\"scaled\", mesh(\"bracket.obj\", 2), #{ at: [0, 5, 0], density: 1 });",
    );
    let [first, second, third, scaled] = built.shapes() else { panic!() };
    assert!(are_one(first, second) && are_one(first, third) && !are_one(first, scaled));
}

#[test]
fn parts_with_the_same_mesh_share_its_pieces() {
    let built = brackets(
        "body(\"one\", mesh(\"bracket.obj\"), #{ density: 1 });
         body(\"moved\", compound([part(mesh(\"bracket.obj\"), #{ at: [0, 0, 1] })]), #{ at: [5, 0, 0], density: 1 });",
    );
    let [Shape::Compound(one), Shape::Compound(moved)] = built.shapes() else { panic!() };
    assert_eq!(one.pieces().len(), moved.pieces().len());
    for (a, b) in one.pieces().iter().zip(moved.pieces()) {
        assert!(are_one(&a.shape, &b.shape));
    }
}

#[test]
fn equal_compounds_share_one_shape_and_others_do_not() {
    let built = BuiltScene::new(scene(
        "fn dumbbell(r) { compound([part(sphere(r), #{ at: [-1, 0, 0] }), part(sphere(r), #{ at: [1, 0, 0] })]) }
         body(\"a\", dumbbell(0.1), #{ mass: 1 });
         body(\"b\", dumbbell(0.1), #{ at: [0, 0, 5], mass: 2 });
         body(\"c\", dumbbell(0.2), #{ at: [0, 5, 5], mass: 2 });",
    ))
    .unwrap();
    let [a, b, c] = built.shapes() else { panic!() };
    assert!(are_one(a, b) && !are_one(a, c));
}

/// Worlds made from one built scene behave like worlds that were each built from the description.
#[test]
fn worlds_from_one_scene_are_equal_and_independent() {
    let description: SceneDescription = load(
        "body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
         body(\"part\", mesh(\"bracket.obj\"), #{ at: [0, 0, 0.5], density: 2700 });",
        &[("bracket.obj", BRACKET)],
    )
    .unwrap();
    let built = BuiltScene::new(description.clone()).unwrap();
    let mut worlds = [
        built.world(Settings::default()).unwrap(),
        built.world(Settings::default()).unwrap(),
        BuiltScene::new(description).unwrap().world(Settings::default()).unwrap(),
    ];
    for world in &mut worlds {
        assert!(world.run_until(0.5, None).unwrap().reached());
    }
    assert!(worlds[0].counters().collisions > 0);
    assert!(worlds.iter().all(|world| world.trace_hash() == worlds[0].trace_hash()));
}
