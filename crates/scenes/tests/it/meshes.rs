//! Meshes: exact surfaces where no impulse moves them, pieces with an account where one does.

use crate::scene_memory::load;
use crate::scene_support::load_path;
use crate::support::data;
use glam::DVec3;
use impulse::geometry::Shape;
use impulse::world::Settings;
use impulse_scenes::scene::ParamValue;
use impulse_scenes::{BuiltScene, MeshFit, Runner, SceneBuildError, SceneSettings, SceneSource, Warning, load_scene};
use std::sync::Arc;

const BOWL: &[u8] = include_bytes!("../../../../tests/data/faults/bowl.obj");
const BUSHING: &[u8] = include_bytes!("../../../../tests/data/faults/bushing.stl");

fn built(script: &str) -> Result<BuiltScene, SceneBuildError> {
    let files: [(&str, &[u8]); 2] = [("bowl.obj", BOWL), ("bushing.stl", BUSHING)];
    BuiltScene::new(load(script, &files).unwrap_or_else(|error| panic!("{error}")))
}

fn refused(script: &str) -> String {
    load(script, &[("bushing.stl", BUSHING)]).unwrap_err().to_string()
}

/// The bowl was decomposed: refused, or with a floor 10 mm too high. Its facets are within 0.5 mm of a sphere of 300 mm.
#[test]
fn a_ball_rolls_on_the_exact_surface_of_a_bowl() {
    let scene = load_path(data("faults/bowl_mesh.rhai")).unwrap();
    let mut runner = Runner::of(scene, Settings::default()).unwrap();
    let ball = runner.world().find("b").unwrap();
    for k in 1..=40 {
        runner.run_until(0.05 * f64::from(k)).unwrap();
        let centre = runner.world().body(ball).unwrap().centre_of_mass();
        let reach = centre.distance(DVec3::Z * 0.3) + 0.02;
        assert!((0.2995..0.3001).contains(&reach) || k == 1, "{k}: {centre}");
    }
}

/// At the bottom, facets rise from the vertex at the origin: a ball touches them where their planes are.
#[test]
fn a_ball_rests_where_the_facets_are() {
    let scene = built(
        "let mat = material(#{ friction: 1.0, restitution: 0, rolling_resistance: 0.0001 });
         body(\"bowl\", mesh(\"bowl.obj\"), #{ fixed: true, material: mat });
         body(\"ball\", sphere(0.02), #{ at: [0.003, 0.001, 0.0206], density: 7800, material: mat });",
    )
    .unwrap();
    let mut world = scene.world(Settings::default()).unwrap();
    world.run_to(3.0).unwrap();
    let ball = world.find("ball").unwrap();
    let slope = 0.000642323028419 / (0.019620938769 * (std::f64::consts::PI / 48.0).cos());
    let height = world.body(ball).unwrap().centre_of_mass().z;
    assert_eq!(world.settled(ball), Some(true));
    assert!((height - 0.02 * slope.hypot(1.0)).abs() < 1e-6, "{height}");
}

#[test]
fn fixed_and_scripted_meshes_are_exact_and_free_ones_have_pieces() {
    let scene = built(
        "let part = mesh(\"bushing.stl\", #{ scale: 0.001, error: 0.04 });
         body(\"fixed\", part, #{ fixed: true });
         body(\"scripted\", part, #{ at: [1, 0, 0], script: oscillator([0, 0, 0.001], 300) });
         body(\"with foot\", compound([part, part(cuboid(0.1, 0.1, 0.01), #{ at: [0, 0, -0.005] })]),
             #{ at: [0, 1, 0], fixed: true });
         for i in 0..3 { body(\"free \" + i, part, #{ at: [0, 0, 1 + i], density: 7850 }); }",
    )
    .unwrap();
    assert!(scene.shapes()[..3].iter().all(|shape| matches!(shape, Shape::Mesh(_))));
    assert!(scene.shapes()[3..].iter().all(|shape| matches!(shape, Shape::Compound(_))));
    let [exact, cut] = scene.meshes() else { panic!("{:?}", scene.meshes()) };
    assert_eq!((exact.name.as_str(), exact.bodies, exact.fit), ("bushing.stl", 3, MeshFit::Exact { triangles: 576 }));
    let MeshFit::Pieces { report, size } = cut.fit else { panic!("{cut:?}") };
    assert!(cut.bodies == 3 && report.pieces > 1 && report.hausdorff <= 0.04 * size && (size - 0.02).abs() < 1e-9);
    let departs = |w: &Warning| matches!(w, Warning::Departure { name, .. } if name == "bushing.stl");
    assert_eq!(scene.warnings().iter().any(departs), cut.fit.error() > 0.01);
}

/// Every copy of a solid that a script wrote out was decomposed for itself, and every box had a polyhedron of its own.
#[test]
fn equal_solids_are_built_once_however_they_are_written() {
    let corners = "[[0,0,0],[2,0,0],[2,1,0],[1,1,0],[1,2,0],[0,2,0],[0,0,1],[2,0,1],[2,1,1],[1,1,1],[1,2,1],[0,2,1]]";
    let faces = "[[5,4,3,2,1,0],[6,7,8,9,10,11],[0,1,7,6],[1,2,8,7],[2,3,9,8],[3,4,10,9],[4,5,11,10],[5,0,6,11]]";
    let scene = built(&format!(
        "for i in 0..3 {{ body(\"bushing \" + i, mesh(\"bushing.stl\", 0.001), #{{ at: [0, 0, i], density: 1 }}); }}
         for i in 0..3 {{ body(\"bracket \" + i, polyhedron({corners}, {faces}), #{{ at: [9, 0, 3 * i], density: 1 }}); }}
         for i in 0..3 {{ body(\"box \" + i, cuboid(1, 2, 3), #{{ at: [99, 0, 4 * i], density: 1 }}); }}"
    ))
    .unwrap();
    assert_eq!(scene.meshes().iter().map(|mesh| mesh.bodies).collect::<Vec<_>>(), [3, 3]);
    let are_one = |shapes: &[Shape]| match shapes {
        [Shape::Compound(a), Shape::Compound(b)] => Arc::ptr_eq(a, b),
        [Shape::Cuboid(a), Shape::Cuboid(b)] => std::ptr::eq(a.polyhedron().unwrap(), b.polyhedron().unwrap()),
        _ => false,
    };
    for equal in scene.shapes().chunks(3) {
        assert!(equal.windows(2).all(are_one), "{:?}", equal[0]);
    }
}

/// A shaker of exact triangles throws a ball as the same shaker made of boxes does.
#[test]
fn a_scripted_mesh_moves_what_is_on_it() {
    let apex = |shape: &str| {
        let scene = built(&format!(
            "let mat = material(#{{ friction: 0.3, restitution: 0.2 }});
             let motion = oscillator([0, 0, 0.02], 40);
             body(\"shaker\", {shape}, #{{ script: motion, material: mat }});
             body(\"ball\", sphere(0.01), #{{ at: [0.003, 0.002, 0.02], mass: 0.1, material: mat }});"
        ));
        let mut runner = Runner::new(&std::sync::Arc::new(scene.unwrap()), Settings::default()).unwrap();
        let ball = runner.world().find("ball").unwrap();
        let mut height = || {
            runner.run_until(runner.world().time() + 0.01).unwrap();
            runner.world().body(ball).unwrap().centre_of_mass().z
        };
        (0..20).map(|_| height()).fold(0.0, f64::max)
    };
    // An L of two blocks: as one polyhedron that is not convex, and as two boxes.
    let corners = "[[-1,-1,-1],[1,-1,-1],[1,-1,0],[0.5,-1,0],[0.5,-1,0.5],[0.4,-1,0.5],[0.4,-1,0],[-1,-1,0],
        [-1,1,-1],[1,1,-1],[1,1,0],[0.5,1,0],[0.5,1,0.5],[0.4,1,0.5],[0.4,1,0],[-1,1,0]]";
    let faces = "[[0,1,2,3,4,5,6,7],[15,14,13,12,11,10,9,8],[0,8,9,1],[1,9,10,2],[2,10,11,3],[3,11,12,4],[4,12,13,5],
        [5,13,14,6],[6,14,15,7],[7,15,8,0]]";
    let exact = apex(&format!("polyhedron({corners}, {faces})"));
    let boxes = apex(
        "compound([part(cuboid(2, 2, 1), #{ at: [0, 0, -0.5] }), part(cuboid(0.1, 2, 0.5), #{ at: [0.45, 0, 0.25] })])",
    );
    assert!(exact > 0.035 && (exact - boxes).abs() < 1e-9, "{exact} {boxes}");
}

#[test]
fn options_of_meshes_are_checked() {
    let body = |options: &str| format!("body(\"b\", mesh(\"bushing.stl\", {options}), #{{ density: 1 }});");
    assert!(
        refused(&body("#{ scal: 0.001 }")).contains("did you mean `scale`"),
        "{}",
        refused(&body("#{ scal: 0.001 }"))
    );
    assert!(refused(&body("#{ error: 0 }")).contains("mesh: error"));
    assert!(refused(&body("#{ pieces: 0 }")).contains("at least 1 and at most 10000"));
    assert!(refused(&body("#{ pieces: 2.5 }")).contains("a whole number"));
    assert!(refused(&body("0")).contains("scale"));
    assert!(refused(&body("\"mm\"")).contains("mesh: the scale"));
    assert!(refused("body(\"b\", mesh(\"bushing.obj\"), #{ density: 1 });").contains("bushing.obj"));
}

#[test]
fn limits_that_cannot_be_met_say_what_to_write() {
    let error =
        built("body(\"b\", mesh(\"bushing.stl\", #{ pieces: 2, error: 0.001 }), #{ density: 1 });").unwrap_err();
    assert!(matches!(error, SceneBuildError::Decompose { .. }) && error.to_string().contains("#{ pieces:"), "{error}");
}

#[test]
fn a_part_in_millimetres_is_noticed() {
    let of = |scale: &str| {
        built(&format!("body(\"b\", mesh(\"bushing.stl\"{scale}), #{{ fixed: true }});")).unwrap().warnings()
    };
    assert_eq!(of(""), [Warning::Millimetres { name: "bushing.stl".to_owned(), size: 20.0 }]);
    assert_eq!(of(", 0.001"), []);
}

#[test]
fn a_body_inside_the_material_of_a_mesh_is_refused() {
    let at = |x: f64| {
        let script = format!(
            "body(\"ring\", mesh(\"bushing.stl\", 0.001), #{{ fixed: true }});
             body(\"grain\", sphere(0.0005), #{{ at: [{x}, 0, 0.008], density: 1000 }});"
        );
        built(&script).unwrap().world(Settings::default())
    };
    assert!(at(0.0).is_ok() && at(0.02).is_ok());
    let buried = at(0.005).unwrap_err();
    assert!(matches!(&buried, SceneBuildError::Inside { free, mesh } if free == "grain" && mesh == "ring"), "{buried}");
}

#[test]
fn newtons_law_with_friction_is_noticed() {
    let of = |options: &str| {
        let script = format!("body(\"b\", sphere(1), #{{ mass: 1, material: material(#{{ {options} }}) }});");
        built(&script).unwrap().warnings().len()
    };
    assert_eq!(of("friction: 0.3, restitution: 0.5, law: \"newton\""), 1);
    assert_eq!(of("friction: 0.3, restitution: 0.5"), 0);
    assert_eq!(of("friction: 0, restitution: 0.5, law: \"newton\""), 0);
    assert_eq!(of("friction: 0.3, restitution: 0, law: \"newton\""), 0);
}

/// The decomposition cut a slice again and again, down to 5e-11 m: distances to such slivers are wrong, and time stood still at
/// 0.2521 s.
#[test]
fn bushings_have_no_slivers_and_progress_on_a_vibrating_tray() {
    let params = vec![("n".to_owned(), ParamValue::Integer(3))];
    let source = SceneSource::Path(data("faults/bushings_on_tray.rhai"));
    let scene = load_scene(&source, &SceneSettings { params, seed: 6 }).unwrap();
    let mut runner = Runner::of(scene, Settings::default()).unwrap();
    let Some(Shape::Compound(part)) = runner.built().shapes().last() else { panic!("the parts are free") };
    assert!(part.pieces().len() < 60, "{}", part.pieces().len());
    for piece in part.pieces() {
        let Shape::Convex(piece) = &piece.shape else { panic!("pieces are polyhedra") };
        assert!(piece.fineness() > 1e-5, "{}", piece.fineness());
    }
    runner.run_until(0.3).unwrap();
    let lowest = runner.world().body_refs().filter(|body| body.is_free()).map(|body| body.centre_of_mass().z);
    assert!(lowest.fold(f64::INFINITY, f64::min) > 0.0);
}
