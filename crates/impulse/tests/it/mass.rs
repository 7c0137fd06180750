//! Mass properties (chapter 6): reference vectors, the thesis' tables, and the laws the integrals obey.

use crate::support::{any_pose, any_radii, any_vector, cuboid, data, star};
use impulse::geometry::{
    ConvexPolyhedron, Faces, MassError, MassProperties, PointMass, Polyhedron, Solid, TriangleMesh, VolumeIntegrals,
    icosphere,
};
use impulse::math::Pose;
use impulse::{DMat3, DVec3};
use proptest::prelude::*;
use serde_json::Value;

fn number(v: &Value) -> f64 {
    v.as_f64().expect("a number")
}

fn vector(v: &Value) -> DVec3 {
    DVec3::new(number(&v[0]), number(&v[1]), number(&v[2]))
}

fn matrix(v: &Value) -> DMat3 {
    DMat3::from_cols(vector(&v[0]), vector(&v[1]), vector(&v[2]))
}

fn polyhedron(part: &Value) -> Polyhedron {
    let vertices = part["vertices"].as_array().unwrap().iter().map(vector).collect();
    let index = |i: &Value| i.as_u64().unwrap() as u32;
    let face = |f: &Value| f.as_array().unwrap().iter().map(index).collect::<Vec<_>>();
    let faces: Faces = part["faces"].as_array().unwrap().iter().map(face).collect();
    Polyhedron::new(vertices, faces).expect("the vectors are valid polyhedra")
}

/// `T_1 T_x T_y T_z T_xx T_yy T_zz T_xy T_yz T_zx`.
fn ten(i: &VolumeIntegrals) -> [f64; 10] {
    let (f, s) = (i.first(), i.second());
    [i.volume, f.x, f.y, f.z, s.x_axis.x, s.y_axis.y, s.z_axis.z, s.x_axis.y, s.y_axis.z, s.z_axis.x]
}

const ORDERS: [i32; 10] = [0, 1, 1, 1, 2, 2, 2, 2, 2, 2];

fn largest(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |a, x| a.max(x.abs()))
}

fn assert_close(name: &str, got: &[f64], wanted: &[f64], limit: f64) {
    for (g, w) in got.iter().zip(wanted) {
        assert!((g - w).abs() <= limit, "{name}: {g:e} instead of {w:e}, off by {:e} (limit {limit:e})", g - w);
    }
}

#[test]
fn reference_vectors() {
    for line in data("mass_vectors.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let name = case["name"].as_str().unwrap();
        let mut bodies = Vec::new();
        for part in case["parts"].as_array().unwrap() {
            let solid = polyhedron(part);
            let integrals = solid.volume_integrals();
            let radius = solid.bounding_radius(DVec3::ZERO);
            let keys = ["T1", "Tx", "Ty", "Tz", "Txx", "Tyy", "Tzz", "Txy", "Tyz", "Tzx"];
            for ((key, got), order) in keys.iter().zip(ten(&integrals)).zip(ORDERS) {
                let limit = 1e-12 * integrals.volume * radius.powi(order);
                assert_close(&format!("{name} {key}"), &[got], &[number(&part["integrals"][key])], limit);
            }
            bodies.push(MassProperties::from_density(&integrals, number(&part["density"])).unwrap());
        }
        let point = |p: &Value| PointMass { mass: number(&p["mass"]), position: vector(&p["position"]) };
        let points: Vec<_> = case["point_masses"].as_array().unwrap().iter().map(point).collect();
        check_body(name, &MassProperties::combined(&bodies, &points).unwrap(), &case["expected"]);
    }
}

fn check_body(name: &str, body: &MassProperties, expected: &Value) {
    let com = vector(&expected["com"]);
    let (inertia, at_origin) = (matrix(&expected["inertia_com"]), matrix(&expected["inertia_origin"]));
    assert_close(&format!("{name} mass"), &[body.mass], &[number(&expected["mass"])], 1e-12 * body.mass);
    let radius = (largest(inertia) / body.mass).sqrt();
    assert_close(&format!("{name} com"), &body.com.to_array(), &com.to_array(), 1e-12 * (radius + com.length()));
    let limit = 1e-12 * largest(inertia);
    assert_close(&format!("{name} inertia"), &body.inertia.to_cols_array(), &inertia.to_cols_array(), limit);
    let about = body.inertia_about(DVec3::ZERO).to_cols_array();
    assert_close(&format!("{name} at origin"), &about, &at_origin.to_cols_array(), 1e-12 * largest(at_origin));
    let frame = body.principal_frame();
    let moments = vector(&expected["principal_moments"]);
    assert_close(&format!("{name} moments"), &frame.moments.to_array(), &moments.to_array(), limit);
    let diagonal = frame.axes.transpose() * body.inertia * frame.axes - DMat3::from_diagonal(frame.moments);
    assert!(largest(diagonal) < 1e-14 * largest(inertia), "{name}: axes do not diagonalise");
    body.validate().expect("a real body");
}

/// Table 6.1 to 15 digits.
#[test]
fn table_6_1() {
    let table = data("table_6_1_volume_integrals.csv");
    let rows: Vec<Vec<f64>> =
        table.lines().skip(1).map(|l| l.split(',').skip(1).map(|x| x.parse().unwrap()).collect()).collect();
    let (vertices, faces) = cuboid(DVec3::splat(-10.0), DVec3::splat(10.0));
    let cube = Polyhedron::new(vertices, faces).unwrap();
    let corners = vec![DVec3::ZERO, 5.0 * DVec3::X, 4.0 * DVec3::Y, 3.0 * DVec3::Z];
    let faces: Faces = [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]].iter().collect();
    let tetrahedron = Polyhedron::new(corners, faces).unwrap();
    for (solid, row) in [cube, tetrahedron].iter().zip(&rows) {
        for (got, wanted) in ten(&solid.volume_integrals()).iter().zip(row) {
            assert!((got - wanted).abs() <= 1e-15 * wanted.abs(), "{got:e} instead of {wanted:e}");
        }
    }
}

/// Table 6.2: vertices, edges, faces, and `T_1` and `T_xx` to the four digits printed there; the rest vanishes.
#[test]
fn table_6_2() {
    for (halvings, line) in (0..).zip(data("table_6_2_sphere_approximations.csv").lines().skip(1)) {
        let row: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        let mesh = icosphere(halvings);
        let (v, f) = (mesh.vertices.len(), mesh.triangles.len());
        assert_eq!([v as f64, (v + f - 2) as f64, f as f64], row[1..4], "row {halvings}");
        let t = ten(&Polyhedron::from_triangles(&mesh).unwrap().volume_integrals());
        for (got, wanted, unit) in [(t[0], row[4], 1e-3), (t[4], row[5], 1e-4)] {
            assert!((got - wanted).abs() <= 0.5001 * unit, "row {halvings}: {got} instead of {wanted}");
        }
        for zero in [t[1], t[2], t[3], t[7], t[8], t[9]] {
            assert!(zero.abs() < 1e-15, "row {halvings}: {zero:e} should vanish");
        }
    }
}

/// Lien and Kajiya's sum over tetrahedra to an inner point: another algorithm for the same integrals.
fn by_tetrahedra(mesh: &TriangleMesh, origin: DVec3) -> VolumeIntegrals {
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
    for corners in mesh.corners() {
        let [a, b, c] = corners.map(|p| p - origin);
        let v = a.dot(b.cross(c)) / 6.0;
        let s = a + b + c;
        volume += v;
        first += s * (v / 4.0);
        second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s)) * (v / 20.0);
    }
    VolumeIntegrals::from_moments(origin, volume, first, second)
}

fn assert_same(a: &VolumeIntegrals, b: &VolumeIntegrals, radius: f64, tolerance: f64) -> Result<(), TestCaseError> {
    let limit = tolerance * a.volume;
    prop_assert!((a.volume - b.volume).abs() <= limit, "volume {:e} {:e}", a.volume, b.volume);
    prop_assert!((a.first() - b.first()).length() <= limit * radius, "first {} {}", a.first(), b.first());
    let d = largest(a.central - b.central);
    prop_assert!(d <= limit * radius * radius, "second moments differ by {d:e}");
    Ok(())
}

proptest! {
    #[test]
    fn agrees_with_a_sum_over_tetrahedra(radii in any_radii()) {
        let solid = star(&radii);
        let slow = by_tetrahedra(&solid.tessellate(0.0), DVec3::new(0.1, -0.05, 0.02));
        assert_same(&solid.volume_integrals(), &slow, 2.0, 1e-13)?;
    }

    /// The transfer laws: moving the body and moving its integrals is the same.
    #[test]
    fn follows_the_transfer_laws(radii in any_radii(), pose in any_pose(100.0)) {
        let solid = star(&radii);
        let moved = solid.vertices().iter().map(|&v| pose.point(v)).collect();
        let moved = Polyhedron::new(moved, solid.faces().clone()).unwrap();
        let wanted = solid.volume_integrals().transformed(&pose);
        assert_same(&moved.volume_integrals(), &wanted, 2.0 + pose.translation.length(), 1e-13)?;
        let (a, b) = (MassProperties::from_density(&wanted, 3.0).unwrap(), MassProperties::from_mass(&wanted, 3.0 * wanted.volume).unwrap());
        prop_assert!((a.mass - b.mass).abs() < 1e-12 * a.mass && largest(a.inertia - b.inertia) < 1e-12 * largest(a.inertia));
        let turned = MassProperties::from_density(&solid.volume_integrals(), 3.0).unwrap().transformed(&pose);
        prop_assert!(largest(turned.inertia - a.inertia) < 1e-12 * largest(a.inertia));
    }

    /// Polygons and the triangles they can be cut into give the same integrals.
    #[test]
    fn is_the_same_for_triangulated_faces(points in prop::collection::vec(any_vector(1.0), 4..9), shift in any_vector(10.0)) {
        let solid = prism(&points, shift);
        prop_assume!(solid.is_some());
        let solid = solid.unwrap();
        let triangles = Polyhedron::from_triangles(&solid.tessellate(0.0)).unwrap();
        assert_same(&solid.volume_integrals(), &triangles.volume_integrals(), solid.bounding_radius(DVec3::ZERO), 1e-13)?;
    }

    /// The two pieces of a body cut by a plane weigh what the body weighs.
    #[test]
    fn adds_up_over_cuts(points in prop::collection::vec(any_vector(1.0), 8..30), normal in any_vector(1.0), offset in -0.2..0.2f64) {
        prop_assume!(normal.length() > 0.1);
        let whole = ConvexPolyhedron::hull(&points).unwrap();
        let above = cut(&whole, normal.normalize(), offset);
        let below = cut(&whole, -normal.normalize(), -offset);
        prop_assume!(above.is_some() && below.is_some());
        let bodies = [above.unwrap(), below.unwrap()].map(|p| MassProperties::from_density(&p.volume_integrals(), 7.0).unwrap());
        let sum = MassProperties::combined(&bodies, &[]).unwrap();
        let body = MassProperties::from_density(&whole.volume_integrals(), 7.0).unwrap();
        prop_assert!((sum.mass - body.mass).abs() < 1e-12 * body.mass);
        prop_assert!((sum.com - body.com).length() < 1e-11);
        prop_assert!(largest(sum.inertia - body.inertia) < 1e-11 * largest(body.inertia));
    }

    /// Point masses: the law of parallel axes, written out.
    #[test]
    fn point_masses_combine(p in any_vector(3.0), q in any_vector(3.0), m in 0.1..10.0f64) {
        let points = [PointMass { mass: m, position: p }, PointMass { mass: 2.0, position: q }];
        let body = MassProperties::combined(&[], &points).unwrap();
        let reduced = m * 2.0 / (m + 2.0);
        let d = p - q;
        let wanted = reduced * d.length_squared();
        let trace = body.inertia.x_axis.x + body.inertia.y_axis.y + body.inertia.z_axis.z;
        prop_assert!((trace - 2.0 * wanted).abs() <= 1e-12 * (1.0 + wanted));
        prop_assert!((body.inertia * d).length() <= 1e-12 * (1.0 + wanted) * d.length());
    }
}

/// A prism over the convex outline of some points' shadows: polygons of many sides.
fn prism(points: &[DVec3], shift: DVec3) -> Option<Polyhedron> {
    let flat = |z: f64| points.iter().map(move |p| DVec3::new(p.x, p.y, z) + shift);
    let hull = ConvexPolyhedron::hull(&flat(0.0).chain(flat(1.5)).collect::<Vec<_>>()).ok()?;
    Some(hull.surface().clone())
}

/// The part of a convex body on the positive side of a plane.
fn cut(whole: &ConvexPolyhedron, normal: DVec3, offset: f64) -> Option<ConvexPolyhedron> {
    let height = |p: DVec3| p.dot(normal) - offset;
    let mut points: Vec<DVec3> = whole.vertices().iter().copied().filter(|&p| height(p) >= 0.0).collect();
    for e in whole.edges() {
        let (a, b) = (whole.vertices()[e.tail as usize], whole.vertices()[e.head as usize]);
        let (ha, hb) = (height(a), height(b));
        if (ha < 0.0) != (hb < 0.0) {
            points.push(a + (b - a) * (ha / (ha - hb)));
        }
    }
    ConvexPolyhedron::hull(&points).ok()
}

/// Errata 5: a body of size 3 at 2300 units from the origin keeps its digits.
#[test]
fn far_from_the_origin() {
    let near = star(&[1.0, 3.0, 0.5]);
    let shift = DVec3::new(2300.0, -1700.5, 900.25);
    let far = near.vertices().iter().map(|&v| v + shift).collect::<Vec<_>>();
    // The same doubles seen from near by: what rounding made of the moved vertices is part of the input.
    let back = Polyhedron::new(far.iter().map(|&v| v - shift).collect(), near.faces().clone()).unwrap();
    let far = Polyhedron::new(far, near.faces().clone()).unwrap();
    let (a, b) = (far.volume_integrals(), back.volume_integrals());
    assert!((a.volume - b.volume).abs() < 1e-14 * b.volume);
    assert!((a.centroid - shift - b.centroid).length() < 1e-12);
    assert!(largest(a.central - b.central) < 1e-14 * largest(b.central));
}

#[test]
fn impossible_bodies_are_refused() {
    let cube = {
        let (v, f) = cuboid(DVec3::ZERO, DVec3::ONE);
        Polyhedron::new(v, f).unwrap().volume_integrals()
    };
    assert_eq!(MassProperties::from_density(&cube, 0.0), Err(MassError::Density(0.0)));
    assert!(matches!(MassProperties::from_density(&cube, f64::NAN), Err(MassError::Density(_))));
    assert_eq!(MassProperties::from_mass(&cube, -1.0), Err(MassError::Mass(-1.0)));
    assert_eq!(MassProperties::combined(&[], &[]), Err(MassError::Empty));
    let body = |inertia| MassProperties { mass: 1.0, com: DVec3::ZERO, inertia };
    let flat = body(DMat3::from_diagonal(DVec3::new(1.0, 1.0, 2.0)));
    assert_eq!(flat.validate(), Ok(()));
    let impossible = body(DMat3::from_diagonal(DVec3::new(1.0, 1.0, 2.1)));
    assert!(matches!(impossible.validate(), Err(MassError::TriangleInequality { .. })));
    assert!(matches!(body(DMat3::ZERO).validate(), Err(MassError::Moment(_))));
    assert!(matches!(body(DMat3::from_diagonal(DVec3::NAN)).validate(), Err(MassError::NotFinite)));
    let moved = MassProperties::from_density(&cube.transformed(&Pose::from_translation(DVec3::X)), 1.0).unwrap();
    assert_eq!(moved.com, DVec3::new(1.5, 0.5, 0.5));
}
