//! Surfaces with one obvious repair, and surfaces without.

use crate::shapes::sphere;
use crate::support::{
    assert_close, cube, cube_at, data, read_obj, read_soup, read_stl, reversed, surface_error, volume,
};
use glam::DVec3;
use impulse_scenes::part::{Note, PartError, Places, SurfaceError, read_part};

/// A unit cube of quadrilaterals.
const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n\
    f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

#[test]
fn a_hole_is_named() {
    let mut triangles = cube();
    triangles.remove(2);
    // The missing triangle is (0 0 1), (1 0 1), (1 1 1).
    let error = surface_error(read_stl(&triangles));
    let SurfaceError::Open { edges, holes, near: Places(near) } = &error else { panic!("{error:?}") };
    assert_eq!((*edges, *holes, near.len()), (3, 1, 3));
    for middle in [DVec3::new(0.5, 0.0, 1.0), DVec3::new(1.0, 0.5, 1.0), DVec3::new(0.5, 0.5, 1.0)] {
        assert!(near.contains(&middle), "{near:?}");
    }
    let message = error.to_string();
    assert!(
        message.contains("holes: 1; edges with a face on one side only: 3") && message.contains("(1.0, 0.5, 1.0)"),
        "{message}"
    );
    triangles.remove(0);
    assert!(matches!(surface_error(read_stl(&triangles)), SurfaceError::Open { edges: 6, holes: 2, .. }));
}

#[test]
fn a_hole_in_a_soup_is_counted_after_welding() {
    let mut triangles = cube();
    triangles.pop();
    assert!(matches!(surface_error(read_soup(&triangles)), SurfaceError::Open { edges: 3, holes: 1, .. }));
}

#[test]
fn one_flipped_facet_is_turned() {
    let mut triangles = cube();
    triangles[4].swap(1, 2);
    let part = read_stl(&triangles).unwrap();
    assert_eq!(part.report.notes, [Note::Flipped { facets: 1 }]);
    assert_eq!(volume(&part), 1.0);
}

#[test]
fn the_larger_area_keeps_its_sense() {
    // Of the quadrilaterals two are flipped, by area a third.
    let part = read_obj(&CUBE.replace("f 1 3 4 2", "f 1 2 4 3").replace("f 5 6 8 7", "f 7 8 6 5")).unwrap();
    assert_eq!(part.report.notes, [Note::Flipped { facets: 2 }]);
    assert_eq!(volume(&part), 1.0);
}

#[test]
fn inside_out_is_turned() {
    let part = read_stl(&reversed(cube())).unwrap();
    assert_eq!(part.report.notes, [Note::Turned { shells: 1, facets: 12 }]);
    assert_eq!(volume(&part), 1.0);
}

#[test]
fn facets_with_repeated_corners_are_dropped() {
    let mut triangles = cube();
    let [a, b, _] = triangles[0];
    triangles.push([a, b, b]);
    triangles.push([a, a, a]);
    let part = read_stl(&triangles).unwrap();
    assert_eq!(part.report.notes, [Note::RepeatedCorners { dropped: 2, trimmed: 0 }]);
    assert_eq!((volume(&part), part.polyhedron.faces().len()), (1.0, 12));
}

#[test]
fn polygons_with_repeated_corners_are_trimmed() {
    let part = read_obj(&CUBE.replace("f 1 3 4 2", "f 1 3 3 4 2 6 2 1")).unwrap();
    assert_eq!(part.report.notes, [Note::RepeatedCorners { dropped: 0, trimmed: 1 }]);
    assert_eq!((volume(&part), part.polyhedron.faces().len()), (1.0, 6));
}

#[test]
fn duplicate_facets_are_dropped() {
    let mut triangles = cube();
    let [a, b, c] = triangles[7];
    triangles.push([b, c, a]);
    triangles.push(triangles[2]);
    let part = read_stl(&triangles).unwrap();
    assert_eq!(part.report.notes, [Note::Duplicates { facets: 2 }]);
    assert_eq!(volume(&part), 1.0);
    let part = read_obj(&(CUBE.to_owned() + "f 8 7 5 6\n")).unwrap();
    assert_eq!(part.report.notes, [Note::Duplicates { facets: 1 }]);
}

#[test]
fn a_duplicate_in_the_other_sense_leaves_no_hole() {
    let mut triangles = cube();
    let [a, b, c] = triangles[7];
    triangles.push([a, c, b]);
    let part = read_stl(&triangles).unwrap();
    assert_eq!(part.report.notes, [Note::Duplicates { facets: 1 }]);
    // All facets in both senses, as double-sided drawing wants them.
    let both = [cube(), reversed(cube())].concat();
    let part = read_stl(&both).unwrap();
    assert_eq!(part.report.notes, [Note::Duplicates { facets: 12 }]);
    assert_eq!(volume(&part), 1.0);
}

#[test]
fn the_wall_between_two_cubes_goes() {
    let part = read_stl(&[cube(), cube_at([1.0, 0.0, 0.0], 1.0)].concat()).unwrap();
    assert_eq!(part.report.notes, [Note::InnerWalls { facets: 4 }]);
    assert_eq!((volume(&part), part.report.shells), (2.0, 1));
    let quads = "v 0 0 2\nv 1 0 2\nv 0 1 2\nv 1 1 2\nf 5 7 8 6\nf 9 10 12 11\nf 5 6 10 9\nf 7 11 12 8\nf 5 9 11 7\nf 6 8 12 10\n";
    let part = read_obj(&(CUBE.to_owned() + quads)).unwrap();
    assert_eq!(part.report.notes, [Note::InnerWalls { facets: 2 }]);
    assert_eq!((volume(&part), part.report.shells, part.polyhedron.faces().len()), (2.0, 1, 10));
}

#[test]
fn a_wall_with_two_triangulations_stays() {
    let mut second = cube_at([1.0, 0.0, 0.0], 1.0);
    let at: Vec<usize> = (0..12).filter(|&i| second[i].iter().all(|p| p.x == 1.0)).collect();
    let ([a, b, c], [_, _, d]) = (second[at[0]], second[at[1]]);
    (second[at[0]], second[at[1]]) = ([b, c, d], [b, d, a]);
    let part = read_stl(&[cube(), second].concat()).unwrap();
    assert_eq!(part.report.notes, []);
    assert_eq!((volume(&part), part.polyhedron.faces().len()), (2.0, 24));
}

#[test]
fn senses_cannot_be_told_where_loose_patches_meet() {
    // The wall above, of which one side winds the wrong way: its border is shared by four faces.
    let mut second = cube_at([1.0, 0.0, 0.0], 1.0);
    let at: Vec<usize> = (0..12).filter(|&i| second[i].iter().all(|p| p.x == 1.0)).collect();
    let ([a, b, c], [_, _, d]) = (second[at[0]], second[at[1]]);
    (second[at[0]], second[at[1]]) = ([b, d, c], [b, a, d]);
    let error = surface_error(read_stl(&[cube(), second].concat()));
    assert!(matches!(error, SurfaceError::Unbalanced { edges: 4, .. }), "{error:?}");
}

#[test]
fn polygons_that_cross_themselves_are_refused() {
    // A bow tie between two apexes: closed, but its area cancels.
    let text = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nv 0.5 0.5 1\n\
        f 1 2 3 4\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n";
    let error = surface_error(read_obj(text));
    assert!(matches!(error, SurfaceError::Twisted { polygons: 1, .. }), "{error:?}");
}

#[test]
fn a_polygon_too_large_to_split_is_refused() {
    // A pyramid over a bent rim of 20,000 corners.
    let rim = 20_000;
    let corner = |i: i32| {
        let (y, x) = (std::f64::consts::TAU * f64::from(i) / f64::from(rim)).sin_cos();
        format!("v {x:?} {y:?} {:?}\n", 0.1 * x * y)
    };
    let side = |i: i32| format!("f {} {} {}\n", i + 1, (i + 1) % rim + 1, rim + 1);
    let base: String = (0..rim).rev().map(|i| format!(" {}", i + 1)).collect();
    let text: String = (0..rim).map(corner).collect::<String>() + "v 0 0 1\nf" + base.as_str() + "\n";
    let error = surface_error(read_obj(&(text + (0..rim).map(side).collect::<String>().as_str())));
    assert!(matches!(error, SurfaceError::TooManyCorners { corners: 20_000, .. }), "{error:?}");
}

#[test]
fn cubes_that_share_an_edge_stay_two_shells() {
    let mut second = cube_at([1.0, 1.0, 0.0], 1.0);
    second[0].swap(0, 1);
    let part = read_stl(&[cube(), reversed(second)].concat()).unwrap();
    let notes = [Note::Flipped { facets: 1 }, Note::Turned { shells: 1, facets: 12 }];
    assert_eq!(part.report.notes, notes);
    assert_eq!((volume(&part), part.report.shells), (2.0, 2));
}

#[test]
fn cracks_are_welded() {
    // One corner in three is off by up to 4e-7 of the diagonal.
    let off = |i: usize| DVec3::splat(if i.is_multiple_of(3) { 4e-7 } else { 0.0 });
    let cracked: Vec<_> = cube().iter().enumerate().map(|(i, t)| t.map(|p| p + off(i))).collect();
    let part = read_soup(&cracked).unwrap();
    let [Note::WeldedNear { distance, .. }] = part.report.notes[1..] else { panic!("{:?}", part.report.notes) };
    assert_close(distance, 1e-6 * 3f64.sqrt(), 1e-6);
    assert_eq!(part.polyhedron.vertices().len(), 8);
    assert_close(volume(&part), 1.0, 2e-6);
    // Cracks wider than that are holes.
    let wide: Vec<_> = cube().iter().enumerate().map(|(i, t)| t.map(|p| p + 10.0 * off(i))).collect();
    assert!(matches!(surface_error(read_soup(&wide)), SurfaceError::Open { .. }));
}

#[test]
fn bent_polygons_are_split() {
    let part = read_obj(&CUBE.replace("v 1 1 1", "v 1 1 1.25")).unwrap();
    assert_eq!(part.report.notes, [Note::BentPolygons { polygons: 1 }]);
    assert_eq!(part.polyhedron.faces().len(), 7);
    // Between the volumes of the two ways to split the top.
    assert!((1.0..1.0 + 0.25 / 2.0).contains(&volume(&part)), "{}", volume(&part));
}

#[test]
fn a_face_with_a_hole_is_split() {
    // A cube with a square pit: the top runs around its border, along a bridge and around the pit.
    let pit = "v 0.25 0.25 1\nv 0.75 0.25 1\nv 0.25 0.75 1\nv 0.75 0.75 1\n\
        v 0.25 0.25 0.5\nv 0.75 0.25 0.5\nv 0.25 0.75 0.5\nv 0.75 0.75 0.5\n\
        f 13 14 16 15\nf 9 10 14 13\nf 10 12 16 14\nf 12 11 15 16\nf 11 9 13 15\n";
    let text = CUBE.replace("f 5 6 8 7", "f 5 6 8 7 5 9 11 12 10 9") + pit;
    let part = read_obj(&text).unwrap();
    assert_eq!(part.report.notes, [Note::PinchedPolygons { polygons: 1 }]);
    assert_close(volume(&part), 1.0 - 0.125, 1e-14);
}

#[test]
fn an_inner_wall_makes_odd_edges() {
    // A box of two cubes whose common wall is given once.
    let mut triangles = [cube(), cube_at([1.0, 0.0, 0.0], 1.0)].concat();
    let wall: Vec<_> = cube().into_iter().filter(|t| t.iter().all(|p| p.x == 1.0)).collect();
    triangles.retain(|t| !t.iter().all(|p| p.x == 1.0));
    triangles.extend(wall);
    let error = surface_error(read_stl(&triangles));
    assert!(matches!(error, SurfaceError::OddEdges { edges: 4, .. }), "{error:?}");
    assert!(error.to_string().contains("(1.0, "), "{error}");
}

#[test]
fn a_one_sided_surface_has_no_inside() {
    let error = read_part(&data("parts/projective_plane.obj"), 1.0).unwrap_err();
    let message = error.to_string();
    let PartError::File { error, .. } = error else { panic!("{error:?}") };
    assert!(matches!(*error, PartError::Surface(SurfaceError::OneSided { .. })), "{error:?}");
    assert!(message.contains("Moebius"), "{message}");
}

#[test]
fn a_sheet_has_no_volume() {
    // A square whose two sides are triangulated differently, so that no facets cancel.
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\nf 2 1 4\nf 2 4 3\n";
    let error = surface_error(read_obj(text));
    assert!(matches!(error, SurfaceError::NoVolume { .. }), "{error:?}");
    // Beside a solid it goes.
    let moved = "v 5 0 0\nv 6 0 0\nv 6 1 0\nv 5 1 0\nf 9 10 11\nf 9 11 12\nf 10 9 12\nf 10 12 11\n";
    let part = read_obj(&(CUBE.to_owned() + moved)).unwrap();
    assert_eq!(part.report.notes, [Note::FlatShells { shells: 1, facets: 4 }]);
    assert_eq!((volume(&part), part.polyhedron.vertices().len()), (1.0, 8));
}

#[test]
fn sizes_that_overflow_are_refused() {
    let huge = CUBE.replace("v 1 ", "v 1e200 ");
    assert!(matches!(surface_error(read_obj(&huge)), SurfaceError::Size { .. }));
    let point = surface_error(read_obj("v 1 2 3\nv 1 2 3\nv 1 2 3\nf 1 2 3\n"));
    assert!(matches!(point, SurfaceError::Size { size: 0.0, .. }), "{point:?}");
}

#[test]
fn far_from_the_origin_parts_keep_what_digits_they_have() {
    let near = volume(&read_soup(&sphere(3).collect::<Vec<_>>()).unwrap());
    let far: Vec<_> = sphere(3).map(|t| t.map(|p| p + DVec3::new(1e8, 1e8, 1e8))).collect();
    // Coordinates of 1e8 have a unit of rounding of 1.5e-8.
    assert_close(volume(&read_soup(&far).unwrap()), near, 1e-7);
}

#[test]
fn a_stray_facet_without_area_is_dropped() {
    // It hangs on the edge from vertex 1 to vertex 2 and has a vertex of its own.
    let edge = CUBE.lines().filter(|l| l.starts_with("v ")).take(2).collect::<Vec<_>>();
    let ends = edge.iter().map(|l| l.split(' ').skip(1).map(|x| x.parse::<f64>().unwrap()).collect::<Vec<_>>());
    let ends: Vec<_> = ends.collect();
    let middle: Vec<String> = (0..3).map(|i| (0.5 * (ends[0][i] + ends[1][i])).to_string()).collect();
    let part = read_obj(&format!("{CUBE}v {}\nf 1 9 2\n", middle.join(" "))).unwrap();
    assert!(part.report.notes.contains(&Note::StrayZeroArea { facets: 1 }), "{:?}", part.report.notes);
    assert_eq!((volume(&part), part.polyhedron.vertices().len()), (1.0, 8));
}
