//! Closest features of convex polyhedra (2.2.1): against slow oracles, in places with known answers, at other scales.

use crate::closest_oracle::{EXACTNESS, Random, body, corners, enumerate, examine, pose, prove, size};
use impulse::geometry::{
    ConvexPolyhedron, Feature, FeaturePair, Penetration, Proximity, closest_polyhedra, icosphere, penetration_depth,
};
use impulse::math::Pose;
use impulse::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_4, SQRT_2};

fn cuboid(half: DVec3) -> ConvexPolyhedron {
    ConvexPolyhedron::hull(&corners(half)).unwrap()
}

fn ask(first: &ConvexPolyhedron, second: &ConvexPolyhedron, pose: &Pose) -> Proximity {
    closest_polyhedra(first, second, pose, &mut FeaturePair::default())
}

/// `cargo bench --bench closest -- oracle 1000000` is the long version.
#[test]
fn answers_are_proven_for_random_bodies_in_awkward_places() {
    let tally = examine(20_000, 1).unwrap_or_else(|e| panic!("{e}"));
    // The run must have met what it is about.
    assert!(tally.overlapping > 4000 && tally.touching > 300 && tally.enumerated > 4000, "{tally:?}");
    assert!(tally.fallbacks * 5000 < tally.queries && tally.most_steps < 1000, "{tally:?}");
}

/// A cube over a cube with half edges 1, its lowest feature of each kind; the vector from the second to the first.
fn known_positions() -> [(DQuat, DVec3, DVec3); 6] {
    let quarter = DQuat::from_rotation_z(FRAC_PI_4);
    let tipped = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    let roof = DQuat::from_rotation_x(FRAC_PI_4);
    let gap = 3.0 - SQRT_2;
    [
        // Face over face, edge over parallel edge, corner over corner.
        (DQuat::IDENTITY, DVec3::new(0.3, -0.4, 2.5), DVec3::new(0.0, 0.0, -0.5)),
        (DQuat::IDENTITY, DVec3::new(0.3, 3.0, 3.0), DVec3::new(0.0, -1.0, -1.0)),
        (DQuat::IDENTITY, DVec3::new(3.0, 4.0, 4.0), DVec3::new(-1.0, -2.0, -2.0)),
        // Edge over face, corner over face, edge over an edge that crosses it at an angle.
        (quarter, DVec3::new(3.0, 0.1, 0.2), DVec3::new(SQRT_2 - 2.0, 0.0, 0.0)),
        (tipped, DVec3::new(0.2, 0.1, 4.0), DVec3::new(0.0, 0.0, 3f64.sqrt() - 3.0)),
        (roof, DVec3::new(3.0, 0.0, 1.0 + gap), DVec3::new(-1.0, 0.0, 0.0) + DVec3::new(0.0, 0.0, -(gap - SQRT_2))),
    ]
}

#[test]
fn two_cubes_in_known_positions() {
    let cube = cuboid(DVec3::ONE);
    for (rotation, translation, vector) in known_positions() {
        let pose = Pose::new(rotation, translation).unwrap();
        let answer = ask(&cube, &cube, &pose);
        prove(&cube, &cube, &pose, &answer).unwrap();
        assert!((answer.normal * answer.distance - vector).length() < 1e-14, "{vector} {answer:?}");
    }
}

/// A ridge over another that crosses it at a right angle, at smaller ones, and almost not.
#[test]
fn crossing_edges() {
    let ridge = |turn: f64| {
        let roof = DQuat::from_rotation_z(turn) * DQuat::from_rotation_x(FRAC_PI_4);
        let points: Vec<_> = corners(DVec3::new(3.0, 1.0, 1.0)).iter().map(|&c| roof * c).collect();
        ConvexPolyhedron::hull(&points).unwrap()
    };
    for angle in [std::f64::consts::FRAC_PI_2, 0.1, 1e-4, 1e-8, 1e-12] {
        for gap in [1.0, 1e-3, 1e-9] {
            let pose = Pose::from_translation(DVec3::new(0.0, 0.0, 2.0 * SQRT_2 + gap));
            let answer = ask(&ridge(0.0), &ridge(angle), &pose);
            assert!((answer.distance - gap).abs() < 1e-14, "{angle:e} {gap:e} {answer:?}");
            assert!(
                (answer.normal * answer.distance + DVec3::Z * gap).length() < 1e-11,
                "{angle:e} {gap:e} {answer:?}"
            );
            // Ridges parallel to 1e-12 are equally close all along, within rounding, in directions 3e-12 / gap apart.
            let tilt = (answer.normal + DVec3::Z).length();
            assert!(!answer.overlapping && (angle < 1e-8 || tilt < 1e-6), "{angle:e} {gap:e} {answer:?}");
        }
    }
}

/// At the touch distance of 1e-9 the direction is that of the faces and edges, not of the rounding.
#[test]
fn the_normal_stays_meaningful_at_touch_distance() {
    let (cube, small) = (cuboid(DVec3::ONE), cuboid(DVec3::splat(0.3)));
    let mut random = Random(5);
    for _ in 0..2000 {
        let spin = DQuat::from_rotation_z(random.between(0.0, 7.0));
        let tilt = DQuat::from_axis_angle(random.direction(), *random.pick(&[0.0, 1e-12, 1e-10]));
        let slide = DVec3::new(random.between(-1.2, 1.2), *random.pick(&[0.0, 0.7, 1.3, -0.7]), 0.0);
        let pose = Pose::new(tilt * spin, slide + DVec3::Z * (1.3 + 1e-9)).unwrap();
        let answer = ask(&cube, &small, &pose);
        prove(&cube, &small, &pose, &answer).unwrap();
        let corner_over_edge = slide.x.abs().max(slide.y.abs()) > 1.0 - 1e-6;
        assert!(corner_over_edge || (answer.normal + DVec3::Z).length() < 1e-6, "{pose:?} {answer:?}");
    }
}

#[test]
fn a_body_overlaps_itself() {
    let mut random = Random(3);
    for _ in 0..100 {
        let shape = body(&mut random);
        let mut cache = random.garbage();
        let answer = closest_polyhedra(&shape, &shape, &Pose::IDENTITY, &mut cache);
        assert!(answer.overlapping && answer.distance == 0.0, "{answer:?}");
    }
}

/// The same query at other scales, and of bodies placed or modelled far from the origin.
#[test]
fn scale_and_place_do_not_matter() {
    let mut random = Random(17);
    for round in 0..1500 {
        let (first, second) = (body(&mut random), body(&mut random));
        let pose = pose(&mut random, &first, &second);
        let (size, plain) = (size(&first, &second), ask(&first, &second, &pose));
        for scale in [1e-3, 1e3] {
            let scaled = |b: &ConvexPolyhedron| {
                let points: Vec<_> = b.vertices().iter().map(|&v| v * scale).collect();
                ConvexPolyhedron::hull(&points)
            };
            // Coplanar points may merge differently at another scale, but the shape is the same.
            let (Ok(a), Ok(b)) = (scaled(&first), scaled(&second)) else { continue };
            let moved = Pose { translation: pose.translation * scale, ..pose };
            let answer = ask(&a, &b, &moved);
            let error = (answer.distance / scale - plain.distance).abs() / size;
            assert!(error < EXACTNESS, "round {round}, scale {scale}: {error:e} {plain:?} {answer:?}");
        }
        // Positions of 1e4 sizes round to 1e-12 of the size.
        let away = Pose::new(random.rotation(), random.direction() * 1e4 * size).unwrap();
        let answer = ask(&first, &second, &(away.inverse() * (away * pose)));
        let error = (answer.distance - plain.distance).abs() / size;
        assert!(error < 2e-11, "round {round}, away: {error:e} {plain:?} {answer:?}");
    }
}

/// A turning sphere is followed in a step or two, however many facets it has (figure 2.5).
#[test]
fn coherence_makes_tracking_short() {
    let cube = cuboid(DVec3::ONE);
    for (halvings, most) in [(1, 1.2), (3, 1.5), (4, 2.0)] {
        let sphere = ConvexPolyhedron::hull(&icosphere(halvings).vertices).unwrap();
        let mut cache = FeaturePair::default();
        let mut steps = 0;
        for degree in 0..720 {
            let turn = DQuat::from_axis_angle(DVec3::new(1.0, 0.3, 0.0).normalize(), f64::from(degree).to_radians());
            let answer = closest_polyhedra(&cube, &sphere, &Pose::new(turn, DVec3::Z * 2.5).unwrap(), &mut cache);
            assert!((answer.distance - 0.5).abs() < 0.1 && !answer.overlapping);
            steps += answer.steps;
        }
        assert!(f64::from(steps) / 720.0 < most, "{halvings}: {steps}");
        assert_eq!(cache.fallbacks, 0);
    }
}

#[test]
fn the_cache_receives_the_closest_features() {
    let cube = cuboid(DVec3::ONE);
    let tipped = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    let mut cache = FeaturePair::default();
    _ = closest_polyhedra(&cube, &cube, &Pose::new(tipped, DVec3::Z * 4.0).unwrap(), &mut cache);
    let Feature::Face(face) = cache.first else { panic!("{cache:?}") };
    assert_eq!(cube.surface().planes()[face as usize].normal, DVec3::Z);
    let Feature::Vertex(vertex) = cache.second else { panic!("{cache:?}") };
    assert_eq!(cube.vertices()[vertex as usize], -DVec3::ONE);
}

#[test]
fn depth_of_boxes() {
    let (cube, plate) = (cuboid(DVec3::ONE), cuboid(DVec3::new(2.0, 2.0, 0.1)));
    let depth = penetration_depth(&cube, &plate, &Pose::from_translation(DVec3::new(0.3, 0.0, 1.05))).unwrap();
    assert!((depth.depth - 0.05).abs() < 1e-14 && (depth.normal + DVec3::Z).length() < 1e-14, "{depth:?}");
    assert_eq!(penetration_depth(&cube, &plate, &Pose::from_translation(DVec3::Z * 1.2)), None);
}

#[test]
fn depth_agrees_with_enumeration_and_leads_out() {
    let mut random = Random(29);
    let mut compared = 0;
    while compared < 300 {
        let (first, second) = (body(&mut random), body(&mut random));
        if first.edges().len() * second.edges().len() > 1500 {
            continue;
        }
        let pose = pose(&mut random, &first, &second);
        let truth = -enumerate(&first, &second, &pose);
        let size = size(&first, &second);
        match penetration_depth(&first, &second, &pose) {
            Some(Penetration { depth, normal }) => {
                assert!((depth - truth).abs() <= 1e-6 * truth + EXACTNESS * size, "{depth:e} {truth:e}");
                let out = Pose { translation: pose.translation - normal * (depth + 1e-9 * size), ..pose };
                assert!(!ask(&first, &second, &out).overlapping, "{depth:e} {normal}");
                compared += 1;
            }
            None => assert!(truth <= EXACTNESS * size, "{truth:e}"),
        }
    }
}

/// Bodies of many facets: the radius of the common ball decides, and the effort is bounded.
#[test]
fn depth_of_large_bodies() {
    let sphere = ConvexPolyhedron::hull(&icosphere(3).vertices).unwrap();
    let depth = penetration_depth(&sphere, &sphere, &Pose::from_translation(DVec3::new(0.9, 0.2, -0.3))).unwrap();
    let distance = DVec3::new(0.9, 0.2, -0.3).length();
    assert!((0.0..0.02).contains(&(2.0 - distance - depth.depth)), "{depth:?}");
}
