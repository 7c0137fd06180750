//! Polyhedra (6.1): what is refused, and by what name.

use crate::support::{any_direction, any_radii, cuboid, star};
use impulse::DVec3;
use impulse::geometry::{Faces, Polyhedron, PolyhedronError, Solid};
use proptest::prelude::*;

type Face = Vec<u32>;

fn cube_with(change: impl Fn(&mut Vec<DVec3>, &mut Vec<Face>)) -> Result<Polyhedron, PolyhedronError> {
    let (mut vertices, faces) = cuboid(DVec3::ZERO, DVec3::ONE);
    let mut faces: Vec<Face> = faces.iter().map(<[u32]>::to_vec).collect();
    change(&mut vertices, &mut faces);
    Polyhedron::new(vertices, faces.into_iter().collect())
}

#[test]
fn a_cube_is_accepted() {
    let cube = cube_with(|_, _| ()).unwrap();
    assert_eq!(cube.volume_integrals().volume, 1.0);
    assert_eq!(cube.planes()[0].normal, -DVec3::Z);
    assert_eq!(cube.bounding_radius(DVec3::splat(0.5)), 0.75f64.sqrt());
}

#[test]
fn each_defect_has_its_name() {
    use PolyhedronError as E;
    assert_eq!(Polyhedron::new(vec![], Faces::default()).unwrap_err(), E::Empty);
    let error = |change: &dyn Fn(&mut Vec<DVec3>, &mut Vec<Face>)| cube_with(change).unwrap_err();
    assert!(matches!(error(&|v, _| v[3].y = f64::NAN), E::NotFinite { vertex: 3, .. }));
    assert_eq!(error(&|_, f| f[2][1] = 8), E::UnknownVertex { face: 2, vertex: 8, count: 8 });
    assert_eq!(error(&|_, f| f[4].truncate(2)), E::TooFewCorners { face: 4, corners: 2 });
    assert_eq!(error(&|_, f| f[5][2] = f[5][0]), E::RepeatedVertex { face: 5, vertex: 1 });
    assert_eq!(error(&|v, _| v.push(DVec3::ONE)), E::UnusedVertex { vertex: 8 });
    let bent = error(&|v, _| v[7].x = 1.001);
    assert!(matches!(bent, E::NotPlanar { face: 5, distance, .. } if (2.4e-4..2.6e-4).contains(&distance)), "{bent}");
    assert!(matches!(error(&|_, f| drop(f.remove(1))), E::Open { count: 4, .. }));
    assert!(matches!(error(&|_, f| f[1].reverse()), E::Winding { count: 4, .. }));
    let inside_out = error(&|_, f| f.iter_mut().for_each(|face| face.reverse()));
    assert_eq!(inside_out, E::InsideOut { volume: -1.0 });
    let flat = |v: &mut Vec<DVec3>, f: &mut Vec<Face>| {
        v.push(DVec3::new(0.5, 0.0, 0.0));
        f.push(vec![0, 8, 1]);
    };
    assert!(matches!(error(&flat), E::DegenerateFace { face: 6, .. }));
}

#[test]
fn errors_say_where() {
    let message = cube_with(|_, f| drop(f.remove(1))).unwrap_err().to_string();
    assert!(message.contains("4 edges") && message.contains("vertex 4 to vertex 5"), "{message}");
}

proptest! {
    #[test]
    fn support_is_the_highest_vertex(radii in any_radii(), d in any_direction()) {
        let solid = star(&radii);
        let highest = solid.vertices().iter().map(|v| v.dot(d)).fold(f64::NEG_INFINITY, f64::max);
        prop_assert_eq!(solid.support(d).dot(d), highest);
    }
}
