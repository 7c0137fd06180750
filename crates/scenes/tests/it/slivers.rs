//! Facets without area, which exporters put where a vertex lies on another facet's edge.

use crate::support::{Triangle, assert_close, cube, read_soup, signed_volume, volume};
use glam::{DQuat, DVec3};
use impulse_scenes::part::{Note, Part};

/// The cube's edge from (0 0 0) to (1 0 0) belongs to facet 0 of the face below and facet 4 of the face in front. Divides it
/// at `front` for the latter and `below` for the former and fills the gap with facets without area, all of them fans from
/// the same end.
fn divided_edge(below: &[f64], front: &[f64]) -> Vec<Triangle> {
    let mut triangles = cube();
    let (a, c) = (DVec3::ZERO, DVec3::X);
    let mut gap = Vec::new();
    let chain = |at: &[f64]| [&[0.0], at, &[1.0]].concat().iter().map(|&x| DVec3::new(x, 0.0, 0.0)).collect::<Vec<_>>();
    for (inner, along) in [(below, false), (front, true)] {
        let is_at = |t: &Triangle| {
            let ends = if along { [a, c] } else { [c, a] };
            (0..3).any(|i| [t[i], t[(i + 1) % 3]] == ends)
        };
        let at = triangles.iter().position(is_at).unwrap();
        let old = triangles.remove(at);
        let apex = *old.iter().find(|&&p| p != a && p != c).unwrap();
        for pair in chain(inner).windows(2) {
            triangles.push(if along { [pair[0], pair[1], apex] } else { [pair[1], pair[0], apex] });
        }
        // The gap between the chain and the straight edge, from the side of the face.
        for pair in chain(inner)[1..].windows(2) {
            gap.push(if along { [a, pair[1], pair[0]] } else { [a, pair[0], pair[1]] });
        }
    }
    triangles.extend(gap);
    triangles
}

fn check(triangles: &[Triangle], slivers: usize) -> Part {
    // Somewhere in space, so that no coordinate is special.
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -0.7, 1.1);
    let place = |p: DVec3| turn * (3.0 * p) + DVec3::new(0.1, 0.7, -0.4);
    let placed: Vec<Triangle> = triangles.iter().map(|t| t.map(place)).collect();
    assert_close(signed_volume(&placed), 27.0, 1e-13);
    let part = read_soup(&placed).unwrap();
    assert_close(volume(&part), 27.0, 1e-13);
    assert_eq!(part.report.notes[1..], [Note::ZeroArea { facets: slivers }]);
    part
}

#[test]
fn a_vertex_on_an_edge_joins_the_neighbour() {
    let part = check(&divided_edge(&[0.5], &[]), 1);
    let mut corners: Vec<usize> = part.polyhedron.faces().iter().map(<[u32]>::len).collect();
    corners.sort_unstable();
    // Eleven triangles of the cube, two halves, and the neighbour with its new corner.
    assert_eq!(corners, [[3; 12].as_slice(), &[4]].concat());
}

#[test]
fn chains_of_slivers() {
    let part = check(&divided_edge(&[0.2, 0.3, 0.6, 0.9], &[]), 4);
    assert_eq!(part.polyhedron.faces().iter().map(<[u32]>::len).max(), Some(7));
    check(&divided_edge(&[], &[0.2, 0.3, 0.6, 0.9]), 4);
}

#[test]
fn slivers_back_to_back_exchange_vertices() {
    let part = check(&divided_edge(&[0.25], &[0.75]), 2);
    assert_eq!(part.polyhedron.vertices().len(), 10);
    check(&divided_edge(&[0.75], &[0.25]), 2);
    check(&divided_edge(&[0.1, 0.5, 0.8], &[0.2, 0.3, 0.6, 0.9]), 7);
}

#[test]
fn a_long_chain() {
    let at: Vec<f64> = (1..2000).map(|i| f64::from(i) / 2000.0).collect();
    check(&divided_edge(&at, &[]), 1999);
}
