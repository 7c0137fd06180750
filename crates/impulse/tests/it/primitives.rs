//! Exact shapes against their own meshes, implicit equations and textbook formulas (sections 2.2 and 6.1).

use crate::support::any_vector;
use impulse::geometry::solid::{MAX_SEGMENTS, circle_segments};
use impulse::geometry::{
    Aabb, Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, Ellipsoid, HalfSpace, MassProperties, Polyhedron,
    RoundedCuboid, Shape, ShapeError, Solid, Sphere, TriangleMesh, VolumeIntegrals,
};
use impulse::math::Pose;
use impulse::{DMat3, DQuat, DVec3};
use proptest::prelude::*;
use std::f64::consts::PI;

/// Lengths over two decades.
fn length() -> impl Strategy<Value = f64> {
    (-1.0..1.0f64).prop_map(|x| libm::pow(10.0, x))
}

fn lengths() -> impl Strategy<Value = DVec3> {
    [length(), length(), length()].prop_map(DVec3::from_array)
}

/// Vectors in all octants, some with components that are zero or nearly so.
fn vector() -> impl Strategy<Value = DVec3> {
    let component = prop_oneof![6 => -2.0..2.0f64, 1 => Just(0.0), 1 => -1e-9..1e-9f64];
    [component.clone(), component.clone(), component].prop_map(DVec3::from_array)
}

fn direction() -> impl Strategy<Value = DVec3> {
    vector().prop_filter("has a direction", |v| *v != DVec3::ZERO).prop_map(DVec3::normalize)
}

fn pose() -> impl Strategy<Value = Pose> {
    (prop::array::uniform4(-1.0..1.0f64), vector())
        .prop_filter_map("has a direction", |(q, t)| Pose::new(DQuat::from_array(q), t))
}

fn bounded_shape() -> impl Strategy<Value = Shape> {
    let pair = || (length(), length());
    // A fifth of the rounded boxes are rounded as far as possible.
    let rounding = prop_oneof![4 => 0.05..1.0f64, 1 => Just(1.0)];
    // A third of the ellipsoids are of revolution.
    let semi_axes = prop_oneof![
        4 => lengths(),
        1 => pair().prop_map(|(a, c)| DVec3::new(a, a, c)),
        1 => pair().prop_map(|(a, c)| DVec3::new(a, c, a)),
    ];
    prop_oneof![
        length().prop_map(|r| valid(Sphere::new(r))),
        lengths().prop_map(|size| valid(Cuboid::new(size))),
        (lengths(), rounding).prop_map(|(size, part)| valid(RoundedCuboid::new(size, part * 0.5 * size.min_element()))),
        pair().prop_map(|(r, l)| valid(Capsule::new(r, l))),
        pair().prop_map(|(r, h)| valid(Cylinder::new(r, h))),
        pair().prop_map(|(r, h)| valid(Cone::new(r, h))),
        semi_axes.prop_map(|a| valid(Ellipsoid::new(a))),
        prop::collection::vec(any_vector(1.0), 8..60).prop_map(|p| ConvexPolyhedron::hull(&p).expect("a cloud").into()),
    ]
}

fn valid(shape: Result<impl Into<Shape>, ShapeError>) -> Shape {
    shape.expect("positive lengths").into()
}

/// Zero on the surface, negative inside, positive outside; metres, and for all but the ellipsoid the distance near a face.
fn implicit(shape: &Shape, p: DVec3) -> f64 {
    let rho = p.truncate().length();
    match shape {
        Shape::Sphere(s) => p.length() - s.radius(),
        Shape::Cuboid(s) => (p.abs() - s.half_size()).max_element(),
        Shape::RoundedCuboid(s) => (p.abs() - s.core_half_size()).max(DVec3::ZERO).length() - s.radius(),
        Shape::Capsule(s) => {
            let z = 0.5 * s.length();
            (p - DVec3::new(0.0, 0.0, p.z.clamp(-z, z))).length() - s.radius()
        }
        Shape::Cylinder(s) => (rho - s.radius()).max(p.z.abs() - 0.5 * s.height()),
        Shape::Cone(s) => {
            let (r, h) = (s.radius(), s.height());
            let mantle = (rho * h + (p.z - 0.5 * h) * r) / (r * r + h * h).sqrt();
            mantle.max(-0.5 * h - p.z)
        }
        Shape::Ellipsoid(s) => ((p / s.semi_axes()).length() - 1.0) * s.semi_axes().max_element(),
        Shape::HalfSpace(s) => s.plane().height(p),
        Shape::Convex(s) => s.surface().planes().iter().map(|f| f.height(p)).fold(f64::NEG_INFINITY, f64::max),
        Shape::Compound(_) | Shape::Mesh(_) => panic!("not a convex shape: {shape:?}"),
    }
}

fn size(shape: &Shape) -> f64 {
    shape.bounding_radius(DVec3::ZERO)
}

/// Deviation of the meshes that shapes are compared with, metres.
fn deviation(shape: &Shape) -> f64 {
    0.005 * size(shape)
}

fn mesh(shape: &Shape, deviation: f64) -> TriangleMesh {
    shape.tessellate(deviation).expect("a bounded shape")
}

fn support(shape: &Shape, direction: DVec3) -> DVec3 {
    shape.support(direction).expect("a bounded shape")
}

fn highest(mesh: &TriangleMesh, direction: DVec3) -> f64 {
    mesh.vertices.iter().map(|v| v.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn support_is_the_farthest_point_of_the_surface(
        shape in bounded_shape(),
        directions in prop::collection::vec(direction(), 20),
    ) {
        let (mesh, rounding) = (mesh(&shape, deviation(&shape)), 1e-14 * size(&shape));
        for d in directions {
            let p = support(&shape, d);
            prop_assert!(implicit(&shape, p).abs() <= rounding, "{p} is {} off", implicit(&shape, p));
            let (exact, scanned) = (p.dot(d), highest(&mesh, d));
            prop_assert!(exact >= scanned - rounding, "{exact} below {scanned} along {d}");
            prop_assert!(exact <= scanned + deviation(&shape), "{exact} above {scanned} along {d}");
        }
    }

    #[test]
    fn support_does_not_depend_on_the_length_of_the_direction(shape in bounded_shape(), d in direction()) {
        let wanted = support(&shape, d).dot(d);
        for scale in [1e-290, 1e-200, 1e-140, 1e-20, 1e20, 1e140, 1e200, 1e290] {
            let p = support(&shape, d * scale);
            prop_assert!((p.dot(d) - wanted).abs() <= 1e-14 * size(&shape), "{scale}: {p}");
        }
        let p = support(&shape, DVec3::ZERO);
        prop_assert!(implicit(&shape, p).abs() <= 1e-14 * size(&shape), "{p}");
    }

    #[test]
    fn meshes_are_closed_and_keep_their_deviation(shape in bounded_shape()) {
        let (mesh, rounding) = (mesh(&shape, deviation(&shape)), 1e-14 * size(&shape));
        for &v in &mesh.vertices {
            prop_assert!(implicit(&shape, v).abs() <= rounding, "{v} is {} off", implicit(&shape, v));
        }
        let polyhedron = Polyhedron::from_triangles(&mesh);
        prop_assert!(polyhedron.is_ok(), "{:?}", polyhedron.err());
        for plane in polyhedron.unwrap().planes() {
            // No point of a facet is farther from the surface than the parallel plane that touches the shape.
            let gap = plane.height(support(&shape, plane.normal));
            prop_assert!(gap >= -rounding && gap <= deviation(&shape), "{gap} > {}", deviation(&shape));
        }
    }

    #[test]
    fn bounding_radius_is_the_largest_distance(shape in bounded_shape(), centre in vector()) {
        let (radius, found) = (shape.bounding_radius(centre), farthest_by_search(&shape, centre));
        prop_assert!(radius >= found * (1.0 - 1e-15), "{radius} below {found}");
        prop_assert!(radius <= found * (1.0 + 1e-9), "{radius} above {found}");
    }

    #[test]
    fn aabb_is_the_smallest_box(shape in bounded_shape(), pose in pose()) {
        let inner = Aabb::of_points(mesh(&shape, deviation(&shape)).vertices.iter().map(|&v| pose.point(v)));
        let outer = shape.aabb(&pose);
        let rounding = DVec3::splat(1e-14 * (size(&shape) + pose.translation.length()));
        let slack = DVec3::splat(deviation(&shape)) + rounding;
        for (excess, place) in [(inner.min - outer.min, "min"), (outer.max - inner.max, "max")] {
            prop_assert!(excess.cmpge(-rounding).all() && excess.cmple(slack).all(), "{place}: {excess}");
        }
    }

    #[test]
    fn cuboids_weigh_what_their_polyhedra_do(size in lengths()) {
        let cuboid = Cuboid::new(size).unwrap();
        let faceted = Polyhedron::from_triangles(&cuboid.tessellate(1.0)).unwrap().volume_integrals();
        let exact = cuboid.volume_integrals();
        prop_assert!((exact.volume - faceted.volume).abs() <= 1e-14 * exact.volume);
        prop_assert!(faceted.centroid.length() <= 1e-14 * size.length());
        let largest = exact.central.to_cols_array().into_iter().fold(0.0, f64::max);
        for (e, f) in exact.central.to_cols_array().into_iter().zip(faceted.central.to_cols_array()) {
            prop_assert!((e - f).abs() <= 1e-14 * largest, "{e} {f}");
        }
    }
}

/// The largest distance from `centre` that hill climbing from the vertices of a coarse mesh finds.
fn farthest_by_search(shape: &Shape, centre: DVec3) -> f64 {
    let farther = |a: &DVec3, b: &DVec3| a.distance_squared(centre).total_cmp(&b.distance_squared(centre));
    // The support point along the way from the centre is never nearer; stretched steps hurry along flat ridges.
    let step = |p: DVec3| {
        let rise = support(shape, p - centre) - p;
        let ahead = [0.0, 1.0, 10.0, 100.0].map(|stretch| support(shape, p - centre + stretch * rise));
        ahead.into_iter().fold(p, |best, q| if farther(&q, &best).is_gt() { q } else { best })
    };
    let climb = |start: DVec3, steps: usize| (0..steps).fold(start, |p, _| step(p));
    let starts = mesh(shape, 0.1 * size(shape)).vertices.into_iter();
    let best = starts.map(|v| climb(v, 30)).max_by(farther).expect("a mesh has vertices");
    climb(best, 1000).distance(centre)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn finer_meshes_converge_to_the_closed_integrals(shape in bounded_shape()) {
        let Some(levels) = [24, 48, 96, 192].map(|n| integrals_of_mesh(&shape, n)).into_iter().collect::<Option<Vec<_>>>()
        else {
            return Ok(());
        };
        let exact = shape.volume_integrals().unwrap();
        let products = exact.central - DMat3::from_diagonal(exact.central.diagonal());
        prop_assert_eq!(products, DMat3::ZERO);
        for level in &levels {
            prop_assert!(level.centroid.distance(exact.centroid) < 1e-13 * size(&shape), "{}", level.centroid);
        }
        let quantities: [fn(&VolumeIntegrals) -> f64; 4] =
            [|i| i.volume, |i| i.central.x_axis.x, |i| i.central.y_axis.y, |i| i.central.z_axis.z];
        for (k, quantity) in quantities.into_iter().enumerate() {
            let wanted = quantity(&exact);
            let errors: Vec<f64> = levels.iter().map(|i| quantity(i) / wanted - 1.0).collect();
            for pair in errors.windows(2) {
                prop_assert!((3.9..4.1).contains(&(pair[0] / pair[1])), "quantity {k}: {errors:?}");
            }
            let limit = extrapolated(errors);
            prop_assert!(limit.abs() < 1e-8, "quantity {k}: {limit}");
        }
    }
}

/// The integrals of the mesh with the given number of segments in a full turn; `None` for shapes without a turn.
fn integrals_of_mesh(shape: &Shape, segments: usize) -> Option<VolumeIntegrals> {
    // Doubly curved surfaces halve the deviation.
    let (radius, share) = match shape {
        Shape::Sphere(s) => (s.radius(), 0.5),
        Shape::RoundedCuboid(s) => (s.radius(), 0.5),
        Shape::Capsule(s) => (s.radius(), 0.5),
        Shape::Ellipsoid(s) => (s.semi_axes().max_element(), 0.5),
        Shape::Cylinder(s) => (s.radius(), 1.0),
        Shape::Cone(s) => (s.radius(), 1.0),
        _ => return None,
    };
    let sagitta = radius * (1.0 - libm::cos(PI / segments as f64)) * (1.0 + 1e-9);
    assert_eq!(circle_segments(radius, sagitta), segments);
    Some(Polyhedron::from_triangles(&mesh(shape, sagitta / share)).expect("a closed mesh").volume_integrals())
}

/// Richardson's extrapolation of values at steps that halve, with errors in even powers of the step.
fn extrapolated(mut values: Vec<f64>) -> f64 {
    let mut factor = 1.0;
    while values.len() > 1 {
        factor *= 4.0;
        values = values.windows(2).map(|v| (factor * v[1] - v[0]) / (factor - 1.0)).collect();
    }
    values[0]
}

/// Asserts mass, centre of mass height and moments of inertia about the centre of mass of a body of mass 3 kg.
fn assert_inertia(shape: impl Into<Shape>, com_z: f64, moments: DVec3) {
    let shape = shape.into();
    let integrals = shape.volume_integrals().expect("a bounded shape");
    let mass = MassProperties::from_mass(&integrals, 3.0).expect("a positive volume");
    assert_eq!(mass.validate(), Ok(()));
    assert_eq!(mass.com, DVec3::new(0.0, 0.0, com_z), "{shape:?}");
    let error = mass.inertia - DMat3::from_diagonal(moments);
    assert!(error.to_cols_array().iter().all(|e| e.abs() < 1e-15 * moments.max_element()), "{shape:?}: {error}");
}

#[test]
fn textbook_inertia() {
    let (m, r, h) = (3.0, 0.7, 1.9);
    let (r2, h2) = (r * r, h * h);
    assert_inertia(Sphere::new(r).unwrap(), 0.0, DVec3::splat(0.4 * m * r2));
    let across = m * (3.0 * r2 + h2) / 12.0;
    assert_inertia(Cylinder::new(r, h).unwrap(), 0.0, DVec3::new(across, across, 0.5 * m * r2));
    let across = m * (3.0 / 20.0 * r2 + 3.0 / 80.0 * h2);
    assert_inertia(Cone::new(r, h).unwrap(), -h / 4.0, DVec3::new(across, across, 0.3 * m * r2));
    // A capsule is a cylinder and two half balls, whose centres of mass are 3/8 r beyond the cylinder's ends.
    let (cylinder, ball) = (PI * r2 * h, 4.0 / 3.0 * PI * r2 * r);
    let (mc, mb) = (m * cylinder / (cylinder + ball), m * ball / (cylinder + ball));
    let along = 0.5 * mc * r2 + 0.4 * mb * r2;
    let across = mc * (h2 / 12.0 + r2 / 4.0) + mb * (0.4 * r2 + h2 / 4.0 + 0.375 * h * r);
    assert_inertia(Capsule::new(r, h).unwrap(), 0.0, DVec3::new(across, across, along));
    let (a, b, c) = (0.3, 0.8, 1.1);
    let pairs = DVec3::new(b * b + c * c, c * c + a * a, a * a + b * b);
    assert_inertia(Ellipsoid::new(DVec3::new(a, b, c)).unwrap(), 0.0, m / 5.0 * pairs);
    assert_inertia(Cuboid::new(DVec3::new(a, b, c)).unwrap(), 0.0, m / 12.0 * pairs);
}

#[test]
fn textbook_volumes() {
    let volume = |shape: Shape| shape.volume_integrals().unwrap().volume;
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15 * b, "{a} {b}");
    close(volume(Sphere::new(3.0).unwrap().into()), 36.0 * PI);
    close(volume(Cylinder::new(2.0, 5.0).unwrap().into()), 20.0 * PI);
    close(volume(Cone::new(2.0, 6.0).unwrap().into()), 8.0 * PI);
    close(volume(Capsule::new(3.0, 4.0).unwrap().into()), 72.0 * PI);
    close(volume(Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap().into()), 8.0 * PI);
    close(volume(Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap().into()), 6.0);
    // Core 2 x 4 x 6 and radius 1: 48 + 88 + 12 pi + 4/3 pi.
    close(volume(RoundedCuboid::new(DVec3::new(4.0, 6.0, 8.0), 1.0).unwrap().into()), 136.0 + 40.0 / 3.0 * PI);
}

#[test]
fn fully_rounded_boxes_are_capsules_and_balls() {
    let rounded = |size: DVec3| RoundedCuboid::new(size, 0.5).unwrap();
    assert_eq!(rounded(DVec3::ONE).tessellate(0.01), Sphere::new(0.5).unwrap().tessellate(0.01));
    let capsule = Capsule::new(0.5, 2.0).unwrap();
    let stick = rounded(DVec3::new(1.0, 1.0, 3.0));
    assert_eq!(stick.tessellate(0.01), capsule.tessellate(0.01));
    assert_eq!(stick.volume_integrals(), capsule.volume_integrals());
    let (ball, sphere) = (rounded(DVec3::ONE).volume_integrals(), Sphere::new(0.5).unwrap().volume_integrals());
    assert!((ball.volume - sphere.volume).abs() < 1e-16);
    assert!((ball.central - sphere.central).abs_diff_eq(DMat3::ZERO, 1e-17));
}

#[test]
fn almost_fully_rounded_boxes_still_have_sound_meshes() {
    for missing in [1e-6, 1e-9, 1e-12, 1e-15, 1e-16] {
        for size in [DVec3::new(0.4, 0.3, 5.0), DVec3::new(5.0, 0.3, 0.3), DVec3::splat(0.3)] {
            let shape = RoundedCuboid::new(size, 0.15 - missing).unwrap();
            let polyhedron = Polyhedron::from_triangles(&shape.tessellate(1e-3));
            assert!(polyhedron.is_ok(), "{missing} {size}: {:?}", polyhedron.err());
        }
    }
}

#[test]
fn meshes_stay_below_the_limit_on_their_size() {
    let mesh = Sphere::new(1.0).unwrap().tessellate(0.0);
    assert_eq!(mesh.vertices.len(), MAX_SEGMENTS * (MAX_SEGMENTS / 2 - 1) + 2);
    let coarse = Sphere::new(1.0).unwrap().tessellate(10.0);
    assert_eq!(coarse.vertices.len(), 8 * 3 + 2);
    assert_eq!(Cuboid::new(DVec3::ONE).unwrap().tessellate(1.0).vertices.len(), 8);
}

#[test]
fn ellipsoid_radius_where_the_farthest_point_is_not_unique() {
    let radius = |a: DVec3, p: DVec3| Ellipsoid::new(a).unwrap().bounding_radius(p);
    let a = DVec3::new(1.0, 2.0, 3.0);
    assert_eq!(radius(a, DVec3::ZERO), 3.0);
    assert_eq!(radius(a, DVec3::new(0.0, 0.0, -7.0)), 10.0);
    // Centre on the shortest axis at p: the height 9 + p^2 + p^2/8 of the dual bound at lambda = 9 while p < 8, then 1 + p.
    assert!((radius(a, DVec3::new(4.0, 0.0, 0.0)) - (9.0 + 16.0 + 2.0_f64).sqrt()).abs() < 1e-15);
    assert!((radius(a, DVec3::new(8.0, 0.0, 0.0)) - 9.0).abs() < 2e-15);
    assert!((radius(a, DVec3::new(20.0, 0.0, 0.0)) - 21.0).abs() < 4e-15);
    // A ball, and components so small that they must not matter.
    assert!((radius(DVec3::splat(2.0), DVec3::new(2.0, 3.0, 6.0)) - 9.0).abs() < 2e-15);
    for tiny in [1e-12, 1e-30, 1e-170, 1e-320] {
        assert!((radius(a, DVec3::new(4.0, 0.0, tiny)) - 27.0_f64.sqrt()).abs() < 1e-11_f64.min(4.0 * tiny + 2e-15));
        assert!((radius(a, DVec3::new(20.0, 0.0, tiny)) - 21.0).abs() < 1e-14);
        assert!((radius(a, DVec3::splat(tiny)) - 3.0).abs() < 1e-15 + 2.0 * tiny);
    }
}

#[test]
fn bad_lengths_are_refused_by_name() {
    type Make = fn(f64) -> Result<Shape, ShapeError>;
    let cases: [(&str, &str, Make); 17] = [
        ("sphere", "radius", |x| Sphere::new(x).map(Shape::from)),
        ("cuboid", "size x", |x| Cuboid::new(DVec3::new(x, 1.0, 1.0)).map(Shape::from)),
        ("cuboid", "size y", |x| Cuboid::new(DVec3::new(1.0, x, 1.0)).map(Shape::from)),
        ("cuboid", "size z", |x| Cuboid::new(DVec3::new(1.0, 1.0, x)).map(Shape::from)),
        ("rounded cuboid", "size x", |x| RoundedCuboid::new(DVec3::new(x, 1.0, 1.0), 0.1).map(Shape::from)),
        ("rounded cuboid", "size y", |x| RoundedCuboid::new(DVec3::new(1.0, x, 1.0), 0.1).map(Shape::from)),
        ("rounded cuboid", "size z", |x| RoundedCuboid::new(DVec3::new(1.0, 1.0, x), 0.1).map(Shape::from)),
        ("rounded cuboid", "radius", |x| RoundedCuboid::new(DVec3::ONE, x).map(Shape::from)),
        ("capsule", "radius", |x| Capsule::new(x, 1.0).map(Shape::from)),
        ("capsule", "segment length", |x| Capsule::new(1.0, x).map(Shape::from)),
        ("cylinder", "radius", |x| Cylinder::new(x, 1.0).map(Shape::from)),
        ("cylinder", "height", |x| Cylinder::new(1.0, x).map(Shape::from)),
        ("cone", "radius", |x| Cone::new(x, 1.0).map(Shape::from)),
        ("cone", "height", |x| Cone::new(1.0, x).map(Shape::from)),
        ("ellipsoid", "semi-axis a", |x| Ellipsoid::new(DVec3::new(x, 1.0, 1.0)).map(Shape::from)),
        ("ellipsoid", "semi-axis b", |x| Ellipsoid::new(DVec3::new(1.0, x, 1.0)).map(Shape::from)),
        ("ellipsoid", "semi-axis c", |x| Ellipsoid::new(DVec3::new(1.0, 1.0, x)).map(Shape::from)),
    ];
    for (wanted_shape, wanted_parameter, make) in cases {
        assert!(make(0.2).is_ok(), "{wanted_shape} {wanted_parameter}");
        for bad in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = make(bad).unwrap_err();
            let ShapeError::NotPositive { shape, parameter, value } = error else { panic!("{error}") };
            assert_eq!((shape, parameter, value.to_bits()), (wanted_shape, wanted_parameter, bad.to_bits()));
        }
    }
    let message = Cylinder::new(0.1, -2.5).unwrap_err().to_string();
    assert_eq!(message, "cylinder: height is -2.5; give a positive, finite length in metres");
}

#[test]
fn rounding_is_limited_by_the_smallest_side() {
    let size = DVec3::new(1.0, 0.5, 2.0);
    assert!(RoundedCuboid::new(size, 0.25).is_ok());
    let error = RoundedCuboid::new(size, 0.26).unwrap_err();
    assert_eq!(error, ShapeError::RoundingTooLarge { radius: 0.26, limit: 0.25 });
    assert_eq!(error.to_string(), "rounded cuboid: radius is 0.26; give at most half the smallest side, 0.25 m");
}

#[test]
fn half_spaces_normalise_their_normal_only() {
    let floor = HalfSpace::new(DVec3::new(0.0, 0.0, 2.0), 1.0).unwrap();
    assert_eq!((floor.normal(), floor.offset()), (DVec3::Z, 1.0));
    assert_eq!(floor.plane().height(DVec3::new(5.0, -3.0, 1.5)), 0.5);
    let slanted = HalfSpace::new(DVec3::new(3e-200, 0.0, -4e-200), -2.0).unwrap();
    assert!(slanted.normal().distance(DVec3::new(0.6, 0.0, -0.8)) < 2e-16);
    assert_eq!(slanted.offset(), -2.0);
    for normal in [DVec3::ZERO, DVec3::new(f64::NAN, 0.0, 1.0), DVec3::new(0.0, f64::INFINITY, 1.0)] {
        let error = HalfSpace::new(normal, 0.0).unwrap_err();
        assert!(matches!(error, ShapeError::NoDirection { .. }), "{error}");
    }
    for offset in [f64::NAN, f64::INFINITY] {
        let error = HalfSpace::new(DVec3::Z, offset).unwrap_err();
        assert!(matches!(error, ShapeError::NotFinite { .. }), "{error}");
    }
}

#[test]
fn half_spaces_are_bounded_along_an_axis_at_most() {
    let floor = HalfSpace::new(DVec3::Z, 0.25).unwrap();
    let (low, high) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
    let moved = Pose::from_translation(DVec3::new(7.0, 8.0, 2.0));
    assert_eq!(floor.aabb(&moved), Aabb { min: low, max: high.with_z(2.25) });
    // Upside down, and turned about its normal.
    let flipped = Pose { rotation: DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0), ..moved };
    assert_eq!(floor.aabb(&flipped), Aabb { min: low.with_z(1.75), max: high });
    let turned = Pose { rotation: DQuat::from_xyzw(0.0, 0.0, 0.28, 0.96), ..moved };
    assert_eq!(floor.aabb(&turned), Aabb { min: low, max: high.with_z(2.25) });
    let wall = HalfSpace::new(-DVec3::Y, 0.25).unwrap();
    assert_eq!(wall.aabb(&moved), Aabb { min: low.with_y(7.75), max: high });
    // The least slope reaches any height somewhere.
    let sloping = HalfSpace::new(DVec3::new(1e-12, 0.0, 1.0), 0.25).unwrap();
    assert_eq!(Shape::from(sloping).aabb(&moved), Aabb { min: low, max: high });
}

#[test]
fn half_spaces_have_no_extreme_points_and_no_volume() {
    let shape = Shape::from(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    assert!(!shape.is_bounded() && Shape::from(Sphere::new(1.0).unwrap()).is_bounded());
    assert_eq!(shape.support(DVec3::Z), None);
    assert_eq!(shape.volume_integrals(), None);
    assert_eq!(shape.tessellate(0.1), None);
    assert_eq!(shape.bounding_radius(DVec3::ONE), f64::INFINITY);
}

proptest! {
    #[test]
    fn half_space_patches_lie_in_the_boundary(normal in direction(), offset in -5.0..5.0f64, extent in length()) {
        let half_space = HalfSpace::new(normal, offset).unwrap();
        let patch = half_space.patch(extent);
        prop_assert!(patch.vertices.iter().all(|&v| half_space.plane().height(v).abs() < 1e-14 * (5.0 + extent)));
        let doubled: DVec3 = patch.corners().map(|[a, b, c]| (b - a).cross(c - a)).sum();
        prop_assert!(doubled.distance(2.0 * extent * extent * normal) < 1e-12 * extent * (5.0 + extent));
        let middle = patch.vertices.iter().sum::<DVec3>() / 4.0;
        prop_assert!(middle.distance(offset * normal) < 1e-14 * (5.0 + extent));
    }
}
