//! What bodies look like: surfaces that face outwards, and colours.

use crate::scene_support::scene;
use glam::DVec3;
use impulse_scenes::look::{Look, color, radius};
use std::f64::consts::PI;

fn look(shape: &str) -> Look {
    let scene = scene(&format!("body(\"a\", {shape}, #{{ fixed: true }});"));
    Look::new(&scene.bodies[0].shape, 2.0)
}

/// Volume enclosed by the triangles: positive if they face outwards.
fn volume(look: &Look) -> f64 {
    let corner = |i: u32| look.positions[i as usize];
    let sixth = |&[a, b, c]: &[u32; 3]| corner(a).dot(corner(b).cross(corner(c))) / 6.0;
    look.triangles.iter().map(sixth).sum()
}

#[test]
fn surfaces_enclose_their_solids() {
    let cube = look("cuboid(1, 2, 3)");
    // Sharp edges: each corner has three normals.
    assert_eq!((cube.positions.len(), cube.triangles.len()), (24, 12));
    assert!((volume(&cube) - 6.0).abs() < 1e-12);
    let ball = volume(&look("sphere(1)"));
    assert!((0.97..1.0).contains(&(ball / (4.0 / 3.0 * PI))), "{ball}");
    let pair = look("compound([part(cuboid(1, 1, 1), #{ at: [2, 0, 0] }), cuboid(1, 1, 1)])");
    assert!((volume(&pair) - 2.0).abs() < 1e-12);
}

#[test]
fn curved_surfaces_are_smooth() {
    let ball = look("sphere(1)");
    for (position, normal) in ball.positions.iter().zip(&ball.normals) {
        assert!(position.dot(*normal) > 0.999, "{position} {normal}");
    }
}

#[test]
fn half_spaces_are_shown_as_squares() {
    let floor = look("half_space([0, 0, 1], 0)");
    assert!(floor.normals.iter().all(|normal| normal.abs_diff_eq(DVec3::Z, 1e-12)));
    let widest = floor.positions.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    assert!((1.0..=2.0).contains(&widest), "{widest}");
}

#[test]
fn bodies_have_their_own_colour_or_one_by_place() {
    let scene = scene(
        "body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
         body(\"a\", sphere(1), #{ at: [0, 0, 5], mass: 1 });
         body(\"b\", sphere(1), #{ at: [0, 5, 5], mass: 1, color: \"#ff8000\" });",
    );
    let colors: Vec<_> = scene.bodies.iter().enumerate().map(|(i, body)| color(body, i)).collect();
    assert_eq!(colors, [[0xb4; 3], [0xf2, 0x8e, 0x2b], [0xff, 0x80, 0x00]]);
}

#[test]
fn the_radius_covers_all_parts() {
    let scene = scene("body(\"a\", compound([part(sphere(1), #{ at: [3, 0, 0] }), sphere(2)]), #{ mass: 1 });");
    assert_eq!(radius(&scene.bodies[0].shape), 4.0);
}
