//! The judge of overlaps against exact arithmetic, and `closest` against the judge (Moore and Wilhelms 1988, section 2.2, corrected).

use crate::closest_parts::{parts, random_compound};
use crate::judge_lattice::{Tally, corners, examine};
use crate::samples::{KINDS, Numbers, shape};
use impulse::DVec3;
use impulse::geometry::closest::{PairCache, closest};
use impulse::geometry::judge::{Meeting, Outline, Verdict, exact_meeting, overlap};
use impulse::geometry::{ConvexPolyhedron, HalfSpace, Shape, StaticMesh, TriangleMesh, icosphere};
use impulse::math::Pose;

#[test]
fn pairs_on_a_lattice_are_judged_as_by_separating_axes() {
    let tally = examine(5000, 1);
    assert_eq!((tally.wrong_exact, tally.wrong_floats, tally.wrong_witnesses), (0, 0, 0), "{tally:?}");
    assert!(tally.apart.min(tally.touching).min(tally.overlapping) > 500, "{tally:?}");
}

/// Coincident cubes, and bars that cross so that no vertex of one is inside the other: both were called apart.
#[test]
fn moore_and_wilhelms_examples_overlap() {
    let block = |low: DVec3, high: DVec3| ConvexPolyhedron::hull(&corners(low, high)).unwrap();
    let cube = block(DVec3::NEG_ONE, DVec3::ONE);
    let along_x = block(DVec3::new(-3.0, -1.0, -1.0), DVec3::new(10.0, 1.0, 1.0));
    let along_y = block(DVec3::new(-1.0, -3.0, -1.0), DVec3::new(1.0, 10.0, 1.0));
    let mut tally = Tally::default();
    tally.count(&cube, &cube);
    tally.count(&along_x, &along_y);
    assert_eq!(tally, Tally { overlapping: 2, ..Tally::default() });
}

/// Bodies moved together until the verdict changes: what floats call apart or overlapping is so exactly, and they call all gaps and
/// depths so that are a thousand roundings wide.
#[test]
fn verdicts_hold_next_to_touching() {
    let mut numbers = Numbers(7);
    let (mut judged, mut undecided) = (0, 0);
    for _ in 0..40 {
        let mut points = || -> Vec<DVec3> { (0..8).map(|_| numbers.direction()).collect() };
        let (a, b) = (points(), points());
        let way = numbers.direction();
        let first = ConvexPolyhedron::hull(&a).unwrap();
        let second = |x: f64| ConvexPolyhedron::hull(&b.iter().map(|&p| p + way * x).collect::<Vec<_>>()).unwrap();
        let outline = |body: &ConvexPolyhedron| Outline::inside(&Shape::from(body.clone()), 0.0).unwrap();
        let verdict = |body: &ConvexPolyhedron| overlap(&outline(&first), &outline(body), &Pose::IDENTITY);
        let (mut low, mut high) = (0.0, 3.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            *(if verdict(&second(middle)) == Verdict::Apart { &mut high } else { &mut low }) = middle;
        }
        for step in [-1e-11, -1e-12, -3e-14, -1e-14, -3e-15, 0.0, 3e-15, 1e-13] {
            let body = second(low + step);
            let Some(exact) = exact_meeting(&first, &body) else { continue };
            judged += 1;
            match verdict(&body) {
                Verdict::Apart => assert_eq!(exact, Meeting::Apart),
                Verdict::Overlapping { .. } => assert!(matches!(exact, Meeting::Overlapping { .. })),
                Verdict::Touching => undecided += u32::from(step == -1e-11 || step == 1e-13),
            }
        }
    }
    assert!(judged > 300, "{judged}");
    assert_eq!(undecided, 0);
}

/// A shape of each of the eleven kinds.
fn any_shape(kind: usize, numbers: &mut Numbers) -> Shape {
    match kind - kind.min(KINDS.len()) {
        _ if kind < KINDS.len() => shape(kind, 1.0, numbers),
        0 => random_compound(numbers),
        1 => HalfSpace::new(numbers.direction(), numbers.between(-1.0, 1.0)).unwrap().into(),
        _ => {
            let TriangleMesh { vertices, triangles } = icosphere(1);
            let vertices = vertices.iter().map(|v| *v * numbers.between(0.5, 1.0)).collect();
            StaticMesh::new(TriangleMesh { vertices, triangles }).unwrap().into()
        }
    }
}

/// Largest deviation of outlines, relative to the shapes.
const DEVIATION: f64 = 0.02;

#[test]
fn closest_and_the_judge_agree_on_all_kinds() {
    let mut numbers = Numbers(11);
    let (mut apart, mut deep) = (0, 0);
    for round in 0..4 * 11 * 11 {
        let (i, j) = (round % 11, round / 11 % 11);
        if i.min(j) >= KINDS.len() && i.max(j) > KINDS.len() {
            continue;
        }
        let (first, second) = (any_shape(i, &mut numbers), any_shape(j, &mut numbers));
        let pose = Pose::new(numbers.rotation(), numbers.direction() * numbers.between(0.0, 4.0)).unwrap();
        let deviation = |shape: &Shape| DEVIATION * shape.bounding_radius(DVec3::ZERO).min(4.0);
        let outline = |shape: &Shape| Outline::inside(shape, deviation(shape)).unwrap();
        let verdict = overlap(&outline(&first), &outline(&second), &pose);
        let found = closest(&first, &second, &pose, &mut PairCache::default());
        let context = format!("round {round}: {first:?}, {second:?}, {pose:?}: {verdict:?}, {found:?}");
        if found.distance > 1e-10 {
            apart += 1;
            assert_eq!(verdict, Verdict::Apart, "{context}");
        }
        if let Verdict::Overlapping { .. } = verdict {
            assert!(found.overlapping, "{context}");
        }
        if overlap_deeply(&first, &second, &pose, deviation(&first) + deviation(&second)) {
            deep += 1;
            assert!(matches!(verdict, Verdict::Overlapping { .. }), "{context}");
        }
    }
    assert!(apart > 100 && deep > 60, "{apart}, {deep}");
}

/// Whether some parts overlap, as `closest` has it, by more than `depth`: if shifts along all axes do not part two convex sets, the
/// set of such shifts contains the octahedron with these corners.
fn overlap_deeply(first: &Shape, second: &Shape, pose: &Pose, depth: f64) -> bool {
    let shifts = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]).map(|way| way * depth * 3f64.sqrt() * 1.01);
    let shifts: Vec<DVec3> = shifts.collect();
    parts(first).iter().any(|(a, first_from_a)| {
        parts(second).iter().any(|(b, second_from_b)| {
            shifts.iter().all(|&shift| {
                let shifted = Pose { translation: pose.translation + shift, ..*pose };
                let a_from_b = first_from_a.inverse() * shifted * *second_from_b;
                closest(a, b, &a_from_b, &mut PairCache::default()).overlapping
            })
        })
    })
}
