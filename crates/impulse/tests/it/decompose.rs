//! Convex decomposition: what it reports, against distances between the meshes themselves (section 2.2.2).

use crate::samples::{L, Numbers, RING, blocks, housing};
use impulse::DVec3;
use impulse::geometry::closest::{PairCache, closest};
use impulse::geometry::{
    Aabb, Cuboid, DecomposeError, DecomposeSettings, Decomposition, Polyhedron, Shape, Solid, TriangleMesh, decompose,
};
use impulse::math::Pose;

/// Distance of two posed triangle meshes that do not intersect: every triangle with every other whose box is near enough.
fn brute_force(first: &TriangleMesh, second: &TriangleMesh, pose: &Pose) -> f64 {
    let boxed = |c: [DVec3; 3]| (c, Aabb::of_points(c));
    let firsts: Vec<_> = first.corners().map(boxed).collect();
    let seconds: Vec<_> = second.corners().map(|c| boxed(c.map(|v| pose.point(v)))).collect();
    // Corners are points of the meshes: they bound the distance from above.
    let mut best = f64::INFINITY;
    for v in &second.vertices {
        let v = pose.point(*v);
        best = first.vertices.iter().map(|w| w.distance_squared(v)).fold(best, f64::min);
    }
    let mut best = best.sqrt();
    for (a, around_a) in &firsts {
        for (b, around_b) in &seconds {
            let gap = (around_a.min - around_b.max).max(around_b.min - around_a.max).max(DVec3::ZERO);
            if gap.length_squared() < best * best {
                best = best.min(triangles_distance(a, b));
            }
        }
    }
    best
}

fn triangles_distance(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    let mut best = f64::INFINITY;
    for i in 0..3 {
        best = best.min(point_triangle(a[i], b)).min(point_triangle(b[i], a));
        for j in 0..3 {
            best = best.min(segments_distance([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]));
        }
    }
    best
}

fn point_triangle(p: DVec3, t: &[DVec3; 3]) -> f64 {
    let normal = (t[1] - t[0]).cross(t[2] - t[0]).normalize();
    let inside = (0..3).all(|i| (t[(i + 1) % 3] - t[i]).cross(p - t[i]).dot(normal) >= 0.0);
    if inside { (p - t[0]).dot(normal).abs() } else { f64::INFINITY }
}

/// The smallest of the inner minimum, where there is one, and the distances of the ends.
fn segments_distance([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> f64 {
    let point_segment = |x: DVec3, a: DVec3, b: DVec3| {
        let t = ((x - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        x.distance(a + (b - a) * t)
    };
    let ends =
        point_segment(p, r, s).min(point_segment(q, r, s)).min(point_segment(r, p, q)).min(point_segment(s, p, q));
    let (u, v, w) = (q - p, s - r, p - r);
    let (a, b, c, d, e) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let determinant = a * c - b * b;
    let (x, y) = ((b * e - c * d) / determinant, (a * e - b * d) / determinant);
    let is_inner = (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y);
    if is_inner { ends.min((w + u * x - v * y).length()) } else { ends }
}

/// Distances between decomposed bodies and between their meshes differ by no more than the bodies do.
fn assert_distances_agree(a: (&Polyhedron, &Decomposition), b: (&Polyhedron, &Decomposition), poses: usize) {
    let mut numbers = Numbers(21);
    let (first, second): (Shape, Shape) = (a.1.compound.clone().into(), b.1.compound.clone().into());
    let (mesh, other) = (a.0.tessellate(0.0), b.0.tessellate(0.0));
    let bound = |d: &Decomposition| d.report.hausdorff + d.report.sample_spacing;
    let reach = first.bounding_radius(DVec3::ZERO) + second.bounding_radius(DVec3::ZERO);
    let mut tried = 0;
    while tried < poses {
        let pose = Pose::new(numbers.rotation(), numbers.direction() * numbers.between(0.3, 1.0) * reach).unwrap();
        let found = closest(&first, &second, &pose, &mut PairCache::default());
        // Meshes in one another have a distance of their surfaces, bodies have none.
        if found.overlapping {
            continue;
        }
        tried += 1;
        let exact = brute_force(&mesh, &other, &pose);
        let error = (found.distance - exact).abs();
        assert!(error <= bound(a.1) + bound(b.1), "{error} {exact} {found:?}");
    }
}

fn taken_apart(polyhedron: &Polyhedron) -> Decomposition {
    let decomposition = decompose(polyhedron, &DecomposeSettings::default()).unwrap();
    assert_eq!(decomposition.compound.pieces().len(), decomposition.report.pieces);
    assert_eq!(decomposition.compound.volume_integrals(), polyhedron.volume_integrals());
    decomposition
}

#[test]
fn an_l_and_a_ring_of_blocks() {
    let l = blocks(&L);
    let ring = blocks(&RING);
    assert_eq!((l.volume_integrals().volume, ring.volume_integrals().volume), (5.0, 8.0));
    let (apart_l, apart_ring) = (taken_apart(&l), taken_apart(&ring));
    assert!((apart_l.report.pieces, apart_ring.report.pieces) == (2, 4));
    for report in [apart_l.report, apart_ring.report] {
        assert!(report.volume_error.abs() < 1e-12 && report.hausdorff < 1e-12, "{report:?}");
    }
    assert_distances_agree((&l, &apart_l), (&ring, &apart_ring), 200);
    // A rod through the ring's hole touches nothing.
    let rod: Shape = Cuboid::new(DVec3::new(0.2, 0.2, 6.0)).unwrap().into();
    let pose = Pose::from_translation(DVec3::new(1.5, 1.5, 0.5));
    let found = closest(&apart_ring.compound.into(), &rod, &pose, &mut PairCache::default());
    assert!((found.distance - 0.4).abs() <= apart_ring.report.hausdorff + 1e-9, "{found:?}");
}

#[test]
fn a_housing_with_pockets_and_bosses() {
    let housing = housing();
    assert!((5000..6000).contains(&housing.faces().len()));
    let apart = taken_apart(&housing);
    assert!(apart.report.hausdorff <= apart.report.limit);
    assert_distances_agree((&housing, &apart), (&housing, &apart), 12);
}

#[test]
fn settings_and_limits_are_checked() {
    let l = blocks(&L);
    let with = |limit, max_pieces| decompose(&l, &DecomposeSettings { limit, max_pieces });
    assert!(matches!(with(0.0, 10), Err(DecomposeError::Limit { .. })));
    // One piece is the hull, which fills the L's notch: the middle of its new face is 1 away from both arms.
    let Err(DecomposeError::Inexact { pieces, hausdorff, limit }) = with(0.1, 1) else { panic!("fits too well") };
    assert!(pieces == 1 && (limit - 0.3).abs() < 1e-15 && (hausdorff - 1.0).abs() < 0.05, "{pieces} {hausdorff}");
}
