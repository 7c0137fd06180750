//! Bodies of scripts against closed forms: shapes, masses, motions, materials.

use crate::scene_support::{complaint, scene};
use crate::support::assert_close;
use glam::{DMat3, DQuat, DVec3};
use impulse::body::{Cycle, Keyframe, Keyframes, Motion, ScriptClock, Scripted};
use impulse::geometry::MassProperties;
use impulse::math::Pose;
use impulse::respond::Law;
use impulse_scenes::scene::{MaterialId, MotionDescription, SolidDescription};
use std::f64::consts::PI;

fn mass_of(shape: &str, options: &str) -> MassProperties {
    let scene = scene(&format!("body(\"b\", {shape}, #{{ {options} }});"));
    match &scene.bodies[0].motion {
        MotionDescription::Free { mass, .. } => {
            assert_eq!(scene.bodies[0].com, mass.com);
            *mass
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_shape_has_its_volume() {
    let (r, h) = (0.3, 0.7);
    let ball = 4.0 / 3.0 * PI * r * r * r;
    let (size, rounded) = (DVec3::new(0.5, 0.6, 0.7), DVec3::new(0.3, 0.4, 0.5));
    let edges = 0.1 * 2.0 * (rounded.x * rounded.y + rounded.y * rounded.z + rounded.z * rounded.x)
        + PI * 0.01 * (rounded.x + rounded.y + rounded.z)
        + 4.0 / 3.0 * PI * 0.001;
    for (shape, volume) in [
        ("sphere(0.3)", ball),
        ("cuboid(0.5, 0.6, 0.7)", size.x * size.y * size.z),
        ("rounded_cuboid(0.5, 0.6, 0.7, 0.1)", rounded.x * rounded.y * rounded.z + edges),
        ("capsule(0.3, 0.7)", ball + PI * r * r * h),
        ("cylinder(0.3, 0.7)", PI * r * r * h),
        ("cone(0.3, 0.7)", PI * r * r * h / 3.0),
        ("ellipsoid(0.5, 0.6, 0.7)", 4.0 / 3.0 * PI * 0.5 * 0.6 * 0.7),
        ("hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])", 1.0 / 6.0),
        ("polyhedron([[0,0,0],[1,0,0],[0,1,0],[0,0,1]], [[0,2,1],[0,1,3],[1,2,3],[0,3,2]])", 1.0 / 6.0),
    ] {
        assert_close(mass_of(shape, "density: 2").mass, 2.0 * volume, 1e-13);
    }
}

#[test]
fn polyhedra_are_convex_where_they_can_be() {
    let convex = "[[0,0,0],[1,0,0],[0,1,0],[0,0,1]], [[0,2,1],[0,1,3],[1,2,3],[0,3,2]]";
    // An L of three unit squares, one high.
    let bent = "[[0,0,0],[2,0,0],[2,1,0],[1,1,0],[1,2,0],[0,2,0],[0,0,1],[2,0,1],[2,1,1],[1,1,1],[1,2,1],[0,2,1]],
        [[5,4,3,2,1,0],[6,7,8,9,10,11],[0,1,7,6],[1,2,8,7],[2,3,9,8],[3,4,10,9],[4,5,11,10],[5,0,6,11]]";
    let solid = |script: &str| {
        scene(&format!("body(\"b\", polyhedron({script}), #{{ fixed: true }});")).bodies[0].shape.parts[0].solid.clone()
    };
    assert!(matches!(solid(convex), SolidDescription::Convex(_)));
    let SolidDescription::Polyhedron(bent) = solid(bent) else { panic!("an L is not convex") };
    assert_close(impulse::geometry::Solid::volume_integrals(bent.polyhedron.as_ref()).volume, 3.0, 1e-14);
}

#[test]
fn walls_are_as_thick_and_high_as_told() {
    // An L, whose corner is a full square; a square ring; a slanted bar.
    for (path, area) in [
        ("[[0, 0], [1, 0], [1, 2]]", 0.2 * (0.9 + 1.9) + 0.2 * 0.2),
        ("[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]", 1.2 * 1.2 - 0.8 * 0.8),
        ("[[0, 0], [3, 4]]", 0.2 * 5.0),
    ] {
        let mass = mass_of(&format!("wall({path}, 0.2, 0.5)"), "density: 2");
        assert_close(mass.mass, 2.0 * 0.5 * area, 1e-13);
        assert!(mass.com.z.abs() < 1e-15);
    }
    // The ring's inertia about its axis: that of the outer square less that of the inner one, each m a^2 / 6.
    let ring = mass_of("wall([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]], 0.2, 0.5)", "density: 2");
    assert_close(ring.inertia.z_axis.z, (1.2_f64.powi(4) - 0.8_f64.powi(4)) / 6.0, 1e-13);
    assert!((ring.com - DVec3::new(0.5, 0.5, 0.0)).length() < 1e-14);
}

#[test]
fn walls_that_cannot_be_say_why() {
    for (arguments, wanted) in [
        ("[[0, 0]], 0.1, 0.1", "at least two points"),
        ("[[0, 0], [0, 0]], 0.1, 0.1", "they are equal"),
        ("[[0, 0], [1, 0], [0, 0.1]], 0.1, 0.1", "turns back"),
        ("[[0, 1], [0, 0], [0.05, 0], [0.05, 1]], 0.1, 0.1", "from point 1 to point 2"),
        ("[[0, 0], [1, 0, 0]], 0.1, 0.1", "two numbers [x, y]"),
        ("[[0, 0], [1, 0]], 0, 0.1", "wall: thickness"),
        ("[[0, 0], [1, 0]], 0.1, -1", "wall: height"),
    ] {
        let (_, _, message) = complaint(&format!("wall({arguments});"));
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn compounds_add_up() {
    // Two balls of 1 and 3 kg one metre apart, and a point mass of 4 kg between them.
    let shape = "compound([part(sphere(0.1), #{ at: [0, 0, 0], density: 1 / ball }),
        part(part(sphere(0.1), #{ at: [0, 1, 0] }), #{ rotation: axis_angle([0, 0, 1], deg(-90)), density: 3 / ball }),
        point_mass(4, [0.5, 0, 0])])";
    let script = format!("let ball = 4 / 3 * PI * 0.001; body(\"b\", {shape}, #{{}});");
    let MotionDescription::Free { mass, .. } = scene(&script).bodies[0].motion.clone() else { panic!() };
    assert_close(mass.mass, 8.0, 1e-14);
    assert!((mass.com - DVec3::new(5.0 / 8.0, 0.0, 0.0)).length() < 1e-15);
    let own = 0.4 * 4.0 * 0.01;
    let across = own + 1.0 * (5.0_f64 / 8.0).powi(2) + 3.0 * (3.0_f64 / 8.0).powi(2) + 4.0 * (1.0_f64 / 8.0).powi(2);
    assert_close(mass.inertia.x_axis.x, own, 1e-13);
    assert_close(mass.inertia.y_axis.y, across, 1e-13);
}

#[test]
fn a_given_mass_is_shared_out_as_densities_say() {
    let halves = |first: &str, second: &str| {
        format!(
            "compound([part(cuboid(1, 1, 1), #{{ at: [-0.5, 0, 0] {first} }}), part(cuboid(1, 1, 1), #{{ at: [0.5, 0, 0] {second} }})])"
        )
    };
    let even = mass_of(&halves("", ""), "mass: 4");
    assert_close(even.mass, 4.0, 1e-15);
    // A uniform bar 2 m long: m (4 + 1) / 12 across.
    assert_close(even.inertia.z_axis.z, 4.0 * 5.0 / 12.0, 1e-14);
    let uneven = mass_of(&halves(", density: 1", ", density: 3"), "mass: 8");
    assert_close(uneven.mass, 8.0, 1e-15);
    assert_close(uneven.com.x, 0.25, 1e-14);
    let filled = mass_of(&halves("", ", density: 3"), "density: 1");
    assert_close(filled.mass, 4.0, 1e-15);
}

#[test]
fn inertia_and_centre_of_mass_can_be_given() {
    let given = mass_of("cuboid(1, 1, 1)", "mass: 2, inertia: [1, 2, 2.5], com: [0.1, 0, 0]");
    assert_eq!(given.inertia, DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.5)));
    assert_eq!((given.mass, given.com), (2.0, DVec3::new(0.1, 0.0, 0.0)));
    let tensor = mass_of("cuboid(1, 1, 1)", "mass: 2, inertia: [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 3]]");
    assert_eq!(tensor.inertia.x_axis.y, 0.1);
    let (_, _, skew) = complaint("body(\"b\", sphere(1), #{ mass: 2, inertia: [[2, 1, 0], [0, 2, 0], [0, 0, 3]] });");
    assert!(skew.contains("symmetric"), "{skew}");
    let (_, _, flat) = complaint("body(\"b\", sphere(1), #{ mass: 2, inertia: [1, 1, 3] });");
    assert!(flat.contains("exceeds the sum"), "{flat}");
}

fn scripted(shape: &str, options: &str) -> Scripted {
    let scene = scene(&format!("body(\"b\", {shape}, #{{ {options} }});"));
    match &scene.bodies[0].motion {
        MotionDescription::Scripted(script) => script.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn motions_are_those_of_the_engine() {
    let place = Pose::from_translation(DVec3::new(1.0, 2.0, 3.0));
    let clock = ScriptClock { start: 0.5, phase: 0.25 };
    let swing = Cycle::oscillator(place, DVec3::Z, 4.0).unwrap().with_clock(clock).unwrap();
    let script = "at: [1, 2, 3], script: oscillator([0, 0, 1], 4, #{ start: 0.5, phase: 0.25 })";
    assert_eq!(scripted("sphere(1)", script), swing.into());
    let ellipse = Cycle::cycler(place, DVec3::X, DVec3::Z, 4.0).unwrap();
    assert_eq!(scripted("sphere(1)", "at: [1, 2, 3], script: cycler([1, 0, 0], [0, 0, 1], 4)"), ellipse.into());
    let key = |time: f64, x: f64| Keyframe { time, world_from_body: Pose::from_translation(DVec3::new(x, 2.0, 3.0)) };
    let keys = Keyframes::new(&[key(0.0, 1.0), key(2.0, 5.0)]).unwrap();
    let script = "at: [1, 2, 3], script: keyframes([#{ time: 0 }, #{ time: 2, at: [5, 2, 3] }])";
    assert_eq!(scripted("sphere(1)", script), keys.into());
}

#[test]
fn a_spinner_turns_the_shape_about_its_own_place() {
    // The cuboid is off the axis by half a metre; a quarter turn brings its centre from x to y.
    let shape = "part(cuboid(0.1, 0.1, 0.1), #{ at: [0.5, 0, 0] })";
    let motion = Motion::Scripted(scripted(shape, "at: [1, 0, 0], script: spinner([0, 0, 2], PI / 2)"));
    let pose = motion.pose_at(1.0);
    assert!((pose.translation - DVec3::new(1.0, 0.5, 0.0)).length() < 1e-15, "{pose:?}");
    assert!((pose.rotation * DVec3::X - DVec3::Y).length() < 1e-15);
    let motion = Motion::Scripted(scripted(
        "sphere(1)",
        "at: [1, 0, 0], script: spinner([0, 0, 1], PI, #{ through: [0, 0, 0] })",
    ));
    assert!((motion.pose_at(1.0).translation + DVec3::X).length() < 1e-15);
}

#[test]
fn rotations_are_normalised_and_real_part_first() {
    let scene = scene("body(\"b\", sphere(1), #{ rotation: [2, 0, 0, 2], spin: [1, 2, 3], mass: 1 });");
    let expected = DQuat::from_xyzw(0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt());
    assert!((scene.bodies[0].world_from_shape.rotation - expected).length() < 1e-15);
    assert!(
        matches!(&scene.bodies[0].motion, MotionDescription::Free { spin, .. } if *spin == DVec3::new(1.0, 2.0, 3.0))
    );
}

#[test]
fn contact_entries_go_before_the_rule() {
    let scene = scene(
        "let a = material(#{ friction: 0.2, restitution: 0.8, law: \"newton\", name: \"a\" });
         let b = material(#{ friction: 0.8, restitution: 0.5 });
         contact(b, a, #{ restitution: 0.9, law: \"poisson\" });
         contact(a, a, #{ friction: 0 });
         body(\"ball\", sphere(1), #{ density: 1 });",
    );
    let [a, b, default] = [0, 1, 2].map(MaterialId);
    assert_eq!(scene.materials[0].name.as_deref(), Some("a"));
    let mixed = scene.surface(a, b).material;
    assert_eq!((mixed.friction, mixed.restitution, mixed.law), (0.4, 0.9, Law::Poisson));
    assert_eq!(scene.surface(b, a).material, mixed);
    assert_eq!(scene.surface(a, a).material.friction, 0.0);
    assert_eq!(scene.surface(a, a).material.law, Law::Newton);
    assert_eq!(scene.bodies[0].material, default);
    assert_eq!(scene.surface(default, default).material.friction, 0.3);
}

#[test]
fn optional_laws_of_lasting_contact() {
    let scene = scene(
        "let felt = material(#{ friction: 0.2, restitution: 0.3, rolling_resistance: mm(1), spinning_resistance: mm(2) });
         let rubber = material(#{ friction: 0.8, static_friction: 1.25, restitution: 0.5 });
         let plain = material(#{ friction: 0.2, restitution: 0.5 });
         contact(rubber, plain, #{ friction: 0.6 });
         contact(felt, plain, #{ static_friction: 0.3, rolling_resistance: 0 });",
    );
    let laws = |a: usize, b: usize| {
        let s = scene.surface(MaterialId(a), MaterialId(b));
        (s.static_friction, s.rolling_resistance, s.spinning_resistance)
    };
    assert_eq!(laws(0, 0), (0.2, 1e-3, 2e-3));
    assert_eq!(laws(1, 1), (1.25, 0.0, 0.0));
    assert_eq!(laws(0, 1), (0.5, 1e-3, 2e-3));
    assert_eq!(laws(1, 2), (0.6, 0.0, 0.0), "one coefficient, where one is given");
    assert_eq!(laws(0, 2), (0.3, 0.0, 2e-3));
}

#[test]
fn colours() {
    let color =
        |color: &str| scene(&format!("body(\"b\", sphere(1), #{{ mass: 1, color: {color} }});")).bodies[0].color;
    assert_eq!(color("\"#ff0033\""), Some([1.0, 0.0, 0.2]));
    assert_eq!(color("[1, 0.5, 0]"), Some([1.0, 0.5, 0.0]));
    assert!(color("\"red\"").is_some());
    let (_, _, message) = complaint("body(\"b\", sphere(1), #{ mass: 1, color: \"reed\" });");
    assert!(message.contains("did you mean `red`"), "{message}");
}
