//! Shapes of many parts against all their parts one by one, and surfaces against planes (section 2.2.2).

use crate::samples::{KINDS, Numbers, shape};
use impulse::geometry::closest::{PairCache, PartPair, ShapePair, closest, for_each_within, least_distance};
use impulse::geometry::{
    Compound, CompoundError, Cuboid, HalfSpace, Piece, Proximity, Shape, Solid, Sphere, StaticMesh, StaticMeshError,
    TriangleMesh,
};
use impulse::math::Pose;
use impulse::{DQuat, DVec3};

/// The question asked without memory; all searches for it end with a proof.
fn cold(first: &Shape, second: &Shape, pose: &Pose) -> Proximity {
    let mut cache = PairCache::default();
    let found = closest(first, second, pose, &mut cache);
    assert_eq!(cache.unproven(), 0);
    found
}

pub(crate) fn random_compound(numbers: &mut Numbers) -> Shape {
    compound(1.0, numbers)
}

fn compound(scale: f64, numbers: &mut Numbers) -> Shape {
    let count = 1 + (numbers.unit() * 9.0) as usize;
    let pieces = (0..count).map(|_| Piece {
        shape: shape((numbers.unit() * 8.0) as usize, 0.5 * scale, numbers),
        compound_from_piece: Pose::new(numbers.rotation(), numbers.direction() * numbers.between(0.0, 3.0) * scale)
            .unwrap(),
    });
    Compound::new(pieces.collect()).unwrap().into()
}

/// The parts of a shape as shapes of their own.
pub(crate) fn parts(shape: &Shape) -> Vec<(Shape, Pose)> {
    match shape {
        Shape::Compound(c) => c.pieces().iter().map(|p| (p.shape.clone(), p.compound_from_piece)).collect(),
        Shape::Mesh(m) => (0..m.mesh().triangles.len() as u32)
            .map(|t| {
                let single = TriangleMesh { vertices: m.corners(t).to_vec(), triangles: vec![[0, 1, 2]] };
                (StaticMesh::new(single).unwrap().into(), Pose::IDENTITY)
            })
            .collect(),
        other => vec![(other.clone(), Pose::IDENTITY)],
    }
}

fn all_distances(first: &Shape, second: &Shape, pose: &Pose) -> Vec<(PartPair, Proximity)> {
    let mut all = Vec::new();
    for (i, (a, first_from_a)) in (0..).zip(parts(first)) {
        for (j, (b, second_from_b)) in (0..).zip(parts(second)) {
            let found = cold(&a, &b, &(first_from_a.inverse() * *pose * second_from_b));
            all.push((PartPair { first: i, second: j }, found));
        }
    }
    all
}

#[test]
fn compounds_are_as_far_apart_as_their_nearest_pieces() {
    let mut numbers = Numbers(11);
    let (mut overlaps, mut clear) = (0, 0);
    for k in 0..300 {
        let first = random_compound(&mut numbers);
        let second = if k % 3 == 0 { shape(k % 8, 1.0, &mut numbers) } else { random_compound(&mut numbers) };
        let pose = Pose::new(numbers.rotation(), numbers.direction() * numbers.between(0.0, 8.0)).unwrap();
        let all = all_distances(&first, &second, &pose);
        let nearest = all.iter().map(|(_, found)| found.distance).fold(f64::INFINITY, f64::min);
        let found = cold(&first, &second, &pose);
        assert!((found.distance - nearest).abs() < 1e-13, "{found:?} {nearest}");
        assert_eq!(found.overlapping, all.iter().any(|(_, found)| found.overlapping));
        overlaps += u32::from(found.overlapping);
        let swapped = cold(&second, &first, &pose.inverse());
        assert!((swapped.distance - nearest).abs() < 1e-13 && swapped.overlapping == found.overlapping);
        // Halfway between two distances no rounding decides who is within.
        let limit = nearest + 0.8;
        let mut within: Vec<PartPair> = Vec::new();
        let pair = ShapePair { first: &first, second: &second, first_from_second: &pose };
        for_each_within(&pair, limit, &mut PairCache::default(), |parts, found| {
            assert!(found.distance <= limit);
            within.push(parts);
        });
        let least = least_distance(&pair);
        assert!(least <= nearest, "{least} {nearest}");
        clear += u32::from(least > 0.0);
        within.sort_unstable_by_key(|p| (p.first, p.second));
        let expected: Vec<PartPair> = all.iter().filter(|(_, f)| f.distance <= limit).map(|(p, _)| *p).collect();
        assert_eq!(within, expected);
    }
    assert!((20..280).contains(&overlaps), "{overlaps} of 300 overlap");
    assert!(clear > 20, "boxes show of {clear} only that they are apart");
}

/// The same compounds a thousand times smaller and larger are as far apart as they are large.
#[test]
fn compounds_scale() {
    for k in 0..100 {
        let at_scale = |scale: f64| {
            let mut numbers = Numbers(100 + k);
            let (first, second) = (compound(scale, &mut numbers), compound(scale, &mut numbers));
            let place = numbers.direction() * numbers.between(0.0, 8.0) * scale;
            let pose = Pose::new(numbers.rotation(), place).unwrap();
            let found = cold(&first, &second, &pose);
            let all = all_distances(&first, &second, &pose);
            let nearest = all.iter().map(|(_, found)| found.distance).fold(f64::INFINITY, f64::min);
            assert!((found.distance - nearest).abs() < 1e-13 * scale, "{found:?} {nearest}");
            found
        };
        let expected = at_scale(1.0);
        for scale in [1e-3, 1e3] {
            let found = at_scale(scale);
            assert_eq!(found.overlapping, expected.overlapping);
            assert!((found.distance / scale - expected.distance).abs() < 1e-13, "{found:?} {expected:?}");
            if expected.distance > 0.01 {
                assert!((found.normal - expected.normal).length() < 1e-10, "{found:?} {expected:?}");
            }
        }
    }
}

/// A rough surface of `2 n^2` triangles.
fn rough(n: u32, numbers: &mut Numbers) -> Shape {
    let mut mesh = floor(n, &Pose::IDENTITY, numbers).mesh().clone();
    for vertex in &mut mesh.vertices {
        vertex.z += numbers.between(-0.6, 0.6);
    }
    StaticMesh::new(mesh).unwrap().into()
}

#[test]
fn exchanging_shapes_of_many_parts_exchanges_the_answer() {
    let mut numbers = Numbers(16);
    for k in 0..120 {
        let first = if k % 2 == 0 { random_compound(&mut numbers) } else { rough(6, &mut numbers) };
        let second = if k % 3 == 0 { random_compound(&mut numbers) } else { shape(k % 8, 0.5, &mut numbers) };
        let middle = if k % 2 == 0 { DVec3::ZERO } else { DVec3::new(3.0, 3.0, 0.0) };
        let place = middle + numbers.direction() * numbers.between(1.0, 8.0);
        let pose = Pose::new(numbers.rotation(), place).unwrap();
        let (found, swapped) = (cold(&first, &second, &pose), cold(&second, &first, &pose.inverse()));
        assert_eq!(found.overlapping, swapped.overlapping);
        assert!((found.distance - swapped.distance).abs() < 1e-13, "{found:?} {swapped:?}");
        // Random poses have one nearest pair.
        if found.distance > 0.01 {
            assert!((pose.vector(swapped.normal) + found.normal).length() < 1e-10, "{found:?} {swapped:?}");
            assert!((pose.point(swapped.on_second) - found.on_first).length() < 1e-9, "{found:?} {swapped:?}");
        }
    }
}

/// A body that wanders over a surface gets the same answers with memory as without, also with the memory of another surface.
#[test]
fn memory_follows_the_nearest_triangle() {
    let mut numbers = Numbers(17);
    let mut cache = PairCache::default();
    let (mut with, mut without) = (0, 0);
    for k in 0..16 {
        let (surface, body) = (rough(4 + k as u32, &mut numbers), shape(k % 8, 0.3, &mut numbers));
        let mut pose = Pose::new(numbers.rotation(), DVec3::new(1.0, 2.0, 2.5)).unwrap();
        let spin = DQuat::from_axis_angle(numbers.direction(), 0.02);
        for _ in 0..60 {
            pose.rotation = (spin * pose.rotation).normalize();
            pose.translation += DVec3::new(0.02, 0.01, -0.005);
            let (warm, cold) = (closest(&surface, &body, &pose, &mut cache), cold(&surface, &body, &pose));
            assert!((warm.distance - cold.distance).abs() < 1e-13 && warm.overlapping == cold.overlapping);
            with += warm.steps;
            without += cold.steps;
        }
    }
    assert_eq!(cache.unproven(), 0);
    assert!(with < without, "{with} steps with memory, {without} without");
}

#[test]
fn memory_follows_the_touched_pieces() {
    let mut numbers = Numbers(12);
    let (mut with, mut without) = (0, 0);
    for _ in 0..30 {
        let (first, second) = (random_compound(&mut numbers), random_compound(&mut numbers));
        let mut pose = Pose::new(numbers.rotation(), numbers.direction() * 7.0).unwrap();
        let mut cache = PairCache::default();
        for _ in 0..30 {
            pose.translation += DVec3::new(1e-3, -2e-3, 1e-3);
            let (warm, cold) = (closest(&first, &second, &pose, &mut cache), cold(&first, &second, &pose));
            assert!((warm.distance - cold.distance).abs() < 1e-13);
            with += warm.steps;
            without += cold.steps;
        }
    }
    assert!(with < without, "{with} steps with memory, {without} without");
}

#[test]
fn compounds_over_a_floor_and_as_solids() {
    let at =
        |shape: Shape, x: f64| Piece { shape, compound_from_piece: Pose::from_translation(DVec3::new(x, 0.0, 0.0)) };
    let cube: Shape = Cuboid::new(DVec3::ONE).unwrap().into();
    let ball: Shape = Sphere::new(1.0).unwrap().into();
    let inner = Compound::new(vec![at(cube.clone(), 0.0), at(ball, 3.0)]).unwrap();
    let compound = Compound::new(vec![at(inner.into(), 1.0), at(cube, -2.0)]).unwrap();
    assert_eq!(compound.pieces().len(), 3);
    let volume = 2.0 + 4.0 / 3.0 * std::f64::consts::PI;
    let integrals = compound.volume_integrals();
    assert!((integrals.volume - volume).abs() < 1e-14);
    assert!((integrals.first().x - (1.0 - 2.0 + 4.0 * (volume - 2.0))).abs() < 1e-13);
    assert_eq!(compound.support(DVec3::X), DVec3::new(5.0, 0.0, 0.0));
    assert!((compound.bounding_radius(DVec3::ZERO) - 5.0).abs() < 1e-15);
    let floor: Shape = HalfSpace::new(DVec3::Z, -1.25).unwrap().into();
    let compound: Shape = compound.into();
    let found = cold(&floor, &compound, &Pose::IDENTITY);
    assert!((found.distance - 0.25).abs() < 1e-15 && found.normal == -DVec3::Z && found.on_second.x == 4.0);
    let pair = ShapePair { first: &compound, second: &floor, first_from_second: &Pose::IDENTITY };
    let mut touched = Vec::new();
    for_each_within(&pair, 0.5, &mut PairCache::default(), |parts, _| touched.push(parts));
    assert_eq!(touched, [PartPair { first: 1, second: 0 }]);
    let wall = Piece { shape: floor, compound_from_piece: Pose::IDENTITY };
    assert_eq!(Compound::new(vec![wall]).unwrap_err(), CompoundError::NotSolid { piece: 0 });
    assert_eq!(Compound::new(Vec::new()).unwrap_err(), CompoundError::Empty);
}

/// A floor of `2 n^2` triangles of all sizes and shapes, exactly flat before it is posed.
fn floor(n: u32, pose: &Pose, numbers: &mut Numbers) -> StaticMesh {
    let mut mesh = TriangleMesh::default();
    for i in 0..=n {
        for j in 0..=n {
            let mut jitter = || numbers.between(-0.3, 0.3);
            mesh.push(pose.point(DVec3::new(f64::from(i) + jitter(), f64::from(j) + jitter(), 0.0)));
        }
    }
    for i in 0..n {
        for j in 0..n {
            let [a, b, c, d] = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| i * (n + 1) + j);
            let halves = if numbers.unit() < 0.5 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            mesh.triangles.extend(halves);
        }
    }
    StaticMesh::new(mesh).unwrap()
}

/// Places over the floor that a sliding body passes: anywhere, over a vertex, over an edge.
fn places(mesh: &StaticMesh, numbers: &mut Numbers) -> [DVec3; 3] {
    let inner = |p: DVec3| (3.0..7.0).contains(&p.x) && (3.0..7.0).contains(&p.y);
    let anywhere = DVec3::new(numbers.between(3.0, 7.0), numbers.between(3.0, 7.0), 0.0);
    loop {
        let t = (numbers.unit() * mesh.mesh().triangles.len() as f64) as u32;
        let [a, b, _] = *mesh.corners(t);
        if inner(a) && inner(b) {
            return [anywhere, a, a + (b - a) * numbers.unit()];
        }
    }
}

#[test]
fn sliding_over_a_tessellated_floor_is_sliding_over_a_plane() {
    let mut numbers = Numbers(13);
    let mesh = floor(10, &Pose::IDENTITY, &mut numbers);
    let plane: Shape = HalfSpace::new(DVec3::Z, 0.0).unwrap().into();
    let surface: Shape = mesh.clone().into();
    let mut contacts = 0;
    for kind in 0..KINDS.len() {
        for k in 0..40 {
            let body = shape(kind, 0.3, &mut numbers);
            // Every fourth body lies flat, if it has something to lie on.
            let turn = if k % 4 == 0 { DQuat::IDENTITY } else { numbers.rotation() };
            let lowest = body.support(turn.conjugate() * -DVec3::Z).unwrap();
            for (place, height) in places(&mesh, &mut numbers).into_iter().zip([1e-9, 1e-6, 1e-2]) {
                // The lowest point at the place, at that height.
                let pose = Pose::new(turn, place + DVec3::Z * height - turn * lowest).unwrap();
                let (expected, found) = (cold(&plane, &body, &pose), cold(&surface, &body, &pose));
                assert_eq!(found.normal, -DVec3::Z, "{body:?} {pose:?}");
                assert!((found.distance - expected.distance).abs() < 1e-14, "{body:?} {pose:?} {found:?}");
                let swapped = cold(&body, &surface, &pose.inverse());
                assert!((pose.vector(swapped.normal) - DVec3::Z).length() < 1e-14);
                let pair = ShapePair { first: &surface, second: &body, first_from_second: &pose };
                for_each_within(&pair, 1e-5, &mut PairCache::default(), |_, found| {
                    assert_eq!(found.normal, -DVec3::Z, "{body:?} {pose:?} {found:?}");
                    contacts += 1;
                });
            }
        }
    }
    assert!(contacts >= 2 * 40 * KINDS.len(), "{contacts}");
}

#[test]
fn a_tilted_floor_has_one_normal_to_rounding() {
    let mut numbers = Numbers(14);
    for _ in 0..20 {
        let tilt = Pose::new(numbers.rotation(), numbers.direction() * 3.0).unwrap();
        let mesh = floor(10, &tilt, &mut numbers);
        let surface: Shape = mesh.into();
        let ball: Shape = Sphere::new(0.4).unwrap().into();
        for _ in 0..20 {
            let place = DVec3::new(numbers.between(3.0, 7.0), numbers.between(3.0, 7.0), 0.4 + 1e-6);
            let found = cold(&surface, &ball, &Pose::from_translation(tilt.point(place)));
            // The corners are rounded to 1e-15 of the place, the triangles are a few tenths across.
            assert!((found.normal + tilt.vector(DVec3::Z)).length() < 1e-13);
            assert!((found.distance - 1e-6).abs() < 1e-14);
        }
    }
}

/// Two walls that meet in a line along y, rising at `slope` on both sides of it.
fn gutter(slope: f64) -> Shape {
    let vertices = [(-1.0, -5.0), (0.0, -5.0), (1.0, -5.0), (-1.0, 5.0), (0.0, 5.0), (1.0, 5.0)];
    let vertices = vertices.map(|(x, y): (f64, f64)| DVec3::new(x, y, slope * x.abs())).to_vec();
    let triangles = vec![[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]];
    StaticMesh::new(TriangleMesh { vertices, triangles }).unwrap().into()
}

#[test]
fn grooves_have_two_normals_and_ridges_one() {
    let ball: Shape = Sphere::new(0.25).unwrap().into();
    // In a groove of 45 degrees the ball touches both walls, not the line between them.
    let groove = gutter(1.0);
    let pose = Pose::from_translation(DVec3::new(0.0, 0.3, 0.25 * 2f64.sqrt() + 1e-9));
    let mut normals = Vec::new();
    let pair = ShapePair { first: &groove, second: &ball, first_from_second: &pose };
    for_each_within(&pair, 0.3, &mut PairCache::default(), |_, found| normals.push(found.normal));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let is_wall = |n: &DVec3| (n.abs() - DVec3::new(half, 0.0, half)).length() < 1e-15 && n.z < 0.0;
    assert!(normals.iter().all(is_wall) && normals.iter().any(|n| n.x > 0.0) && normals.iter().any(|n| n.x < 0.0));
    // On a ridge it touches the line, in any direction between the normals of the sides.
    let ridge = gutter(-1.0);
    for angle in [-0.7f64, -0.3, 0.0, 0.5] {
        let up = DVec3::new(angle.sin(), 0.0, angle.cos());
        let found = cold(&ridge, &ball, &Pose::from_translation(up * 0.26));
        assert!((found.distance - 0.01).abs() < 1e-15 && (found.normal + up).length() < 1e-14, "{angle} {found:?}");
    }
}

#[test]
fn surfaces_are_as_far_as_their_nearest_triangle() {
    let mut numbers = Numbers(15);
    for k in 0..60 {
        let surface = rough(6, &mut numbers);
        let body = if k % 3 == 0 { random_compound(&mut numbers) } else { shape(k % 8, 0.5, &mut numbers) };
        let pose = Pose::new(numbers.rotation(), DVec3::new(3.0, 3.0, numbers.between(1.0, 6.0))).unwrap();
        let found = cold(&surface, &body, &pose);
        let all = all_distances(&surface, &body, &pose);
        let nearest = all.iter().map(|(_, found)| found.distance).fold(f64::INFINITY, f64::min);
        assert!((found.distance - nearest).abs() < 1e-13, "{found:?} {nearest}");
        assert_eq!(found.overlapping, all.iter().any(|(_, found)| found.overlapping));
        if !found.overlapping && found.distance > 1e-3 {
            assert!((found.on_first - found.on_second - found.normal * found.distance).length() < 1e-11);
        }
    }
}

#[test]
fn faulty_surfaces_are_refused() {
    let mesh = |vertices: &[DVec3], triangles: &[[u32; 3]]| {
        StaticMesh::new(TriangleMesh { vertices: vertices.to_vec(), triangles: triangles.to_vec() }).unwrap_err()
    };
    let corners = [DVec3::ZERO, DVec3::X, 2.0 * DVec3::X];
    assert_eq!(mesh(&corners, &[]), StaticMeshError::Empty);
    assert_eq!(mesh(&corners, &[[0, 1, 2]]), StaticMeshError::Degenerate { triangle: 0, near: DVec3::ZERO });
    let unknown = StaticMeshError::UnknownVertex { triangle: 0, vertex: 7, count: 3 };
    assert_eq!(mesh(&corners, &[[0, 1, 7]]), unknown);
    assert!(matches!(mesh(&[DVec3::NAN], &[[0, 0, 0]]), StaticMeshError::NotFinite { vertex: 0, .. }));
}
