//! Convex hulls and convex polyhedra (2.2): the hull contains its points, its features fit together, its regions tile space.

use crate::support::{any_direction, any_pose, any_vector, star};
use impulse::DVec3;
use impulse::geometry::{ConvexPolyhedron, HullError, NotConvex, Polyhedron, Solid, convex_hull, icosphere};
use proptest::prelude::*;

/// Every property that later code relies on.
fn check(points: &[DVec3], hull: &ConvexPolyhedron) -> Result<(), TestCaseError> {
    let size = hull.bounding_radius(points[0]);
    let tolerance = 4e-12 * size;
    for plane in hull.surface().planes() {
        let highest = points.iter().map(|&p| plane.height(p)).fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(highest.abs() <= tolerance, "a point is {highest:e} outside a face");
    }
    let (v, e, f) = (hull.vertices().len(), hull.edges().len(), hull.surface().faces().len());
    prop_assert_eq!(v + f, e + 2, "Euler");
    for (i, edge) in hull.edges().iter().enumerate() {
        for (face, is_left) in [(edge.left, true), (edge.right, false)] {
            let side = hull.sides_of(face).iter().find(|s| s.edge == i as u32);
            prop_assert!(side.is_some_and(|s| s.is_left == is_left));
        }
        let (tail, head) = (hull.vertices()[edge.tail as usize], hull.vertices()[edge.head as usize]);
        prop_assert!((tail + edge.direction() * edge.length - head).length() <= 1e-14 * size);
        for plane in [edge.left_plane, edge.right_plane] {
            prop_assert!(plane.height(tail).abs() <= 1e-13 * size && plane.height(head).abs() <= 1e-13 * size);
        }
    }
    for vertex in 0..v as u32 {
        let spokes = hull.spokes_of(vertex);
        prop_assert!(spokes.len() >= 3);
        for s in spokes {
            let edge = hull.edges()[s.edge as usize];
            prop_assert_eq!(if s.outgoing { (edge.tail, edge.head) } else { (edge.head, edge.tail) }, (vertex, s.to));
        }
    }
    Ok(())
}

/// Points in arrangements that break careless hulls.
fn any_points() -> impl Strategy<Value = Vec<DVec3>> {
    let cloud = prop::collection::vec(any_vector(1.0), 4..200);
    let grid = prop::collection::vec(prop::array::uniform3(0..4i32), 8..100)
        .prop_map(|g| g.into_iter().map(|p| DVec3::from_array(p.map(f64::from))).collect());
    let thin = prop::collection::vec(any_vector(1.0), 4..60)
        .prop_map(|c: Vec<DVec3>| c.into_iter().map(|p| p * DVec3::new(1.0, 1.0, 1e-6)).collect());
    let needle = prop::collection::vec(any_vector(1.0), 4..60)
        .prop_map(|c: Vec<DVec3>| c.into_iter().map(|p| p * DVec3::new(1.0, 1e-4, 1e-4)).collect());
    let cylinder = (3..64u32, 0.1..10.0f64).prop_map(|(n, h)| {
        (0..2 * n)
            .map(|i| {
                let (s, c) = (f64::from(i / 2) * std::f64::consts::TAU / f64::from(n)).sin_cos();
                DVec3::new(c, s, if i % 2 == 0 { 0.0 } else { h })
            })
            .collect()
    });
    prop_oneof![cloud, grid, thin, needle, cylinder]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn hull_contains_its_points(points in any_points(), pose in any_pose(10.0)) {
        let points: Vec<_> = points.iter().map(|&p| pose.point(p)).collect();
        match ConvexPolyhedron::hull(&points) {
            Ok(hull) => check(&points, &hull)?,
            // Grid points may all lie in a plane.
            Err(e) => prop_assert!(matches!(e, NotConvex::Hull(HullError::Flat { .. })), "{e}"),
        }
    }

    #[test]
    fn climbing_finds_the_highest_vertex(points in any_points(), d in any_direction(), start in 0..1000u32) {
        if let Ok(hull) = ConvexPolyhedron::hull(&points) {
            let size = hull.bounding_radius(DVec3::ZERO);
            let highest = points.iter().map(|p| p.dot(d)).fold(f64::NEG_INFINITY, f64::max);
            let climbed = hull.climb(start % hull.vertices().len() as u32, d);
            for vertex in [climbed, hull.summit(d)] {
                prop_assert!((hull.vertices()[vertex as usize].dot(d) - highest).abs() <= 2e-12 * size);
            }
            prop_assert!((hull.support(d).dot(d) - highest).abs() <= 2e-12 * size);
        }
    }

    /// Figure 2.2: outside points lie in the region of the feature that holds their closest point.
    #[test]
    fn regions_hold_the_points_closest_to_their_feature(points in any_points(), p in any_vector(5.0)) {
        if let Ok(hull) = ConvexPolyhedron::hull(&points) {
            let closest = |inside: f64, e: &impulse::geometry::convex::Edge| {
                let (a, b) = (hull.vertices()[e.tail as usize], hull.vertices()[e.head as usize]);
                let t = ((p - a).dot(e.direction()) / e.length).clamp(inside, 1.0 - inside);
                p.distance(a + (b - a) * t)
            };
            let nearest_edge = hull.edges().iter().map(|e| closest(0.0, e)).fold(f64::INFINITY, f64::min);
            let tolerance = 1e-9 * hull.bounding_radius(p);
            for e in hull.edges() {
                let in_region = e.tail_plane.height(p) > tolerance
                    && e.head_plane.height(p) < -tolerance
                    && e.left_plane.height(p) > tolerance
                    && e.right_plane.height(p) > tolerance;
                if in_region {
                    prop_assert!(closest(0.0, e) <= nearest_edge + tolerance);
                }
            }
        }
    }
}

#[test]
fn coplanar_triangles_become_one_face() {
    let cube: Vec<_> = (0..27).map(|i| DVec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9))).collect();
    let hull = ConvexPolyhedron::hull(&cube).unwrap();
    assert_eq!((hull.vertices().len(), hull.edges().len(), hull.surface().faces().len()), (8, 12, 6));
    assert_eq!(hull.volume_integrals().volume, 8.0);
}

#[test]
fn points_without_volume_are_refused() {
    let flat: Vec<_> = (0..9).map(|i| DVec3::new(f64::from(i % 3), f64::from(i / 3), 0.5)).collect();
    assert!(matches!(convex_hull(&flat), Err(HullError::Flat { .. })));
    assert!(matches!(convex_hull(&[DVec3::ONE; 10]), Err(HullError::Flat { .. })));
    assert_eq!(convex_hull(&flat[..3]), Err(HullError::TooFewPoints(3)));
    let mut bad = flat.clone();
    bad[4].x = f64::INFINITY;
    assert!(matches!(convex_hull(&bad), Err(HullError::NotFinite { point: 4, .. })));
}

#[test]
fn scale_does_not_matter() {
    for exponent in [-150, -30, 0, 30, 100] {
        let scale = 10f64.powi(exponent);
        let points: Vec<_> = icosphere(1).vertices.iter().map(|&v| v * scale).collect();
        assert_eq!(convex_hull(&points).unwrap().vertices.len(), 42, "1e{exponent}");
    }
}

#[test]
fn convexity_is_told() {
    let sphere = Polyhedron::from_triangles(&icosphere(4)).unwrap();
    let convex = ConvexPolyhedron::from_polyhedron(&sphere).unwrap();
    assert_eq!(convex.surface().faces().len(), 5120);
    assert!(matches!(ConvexPolyhedron::from_polyhedron(&star(&[1.0, 0.8])), Err(NotConvex::Hollow { .. })));
}
