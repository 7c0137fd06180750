//! Merging of a triangulated hull's coplanar neighbours into polygons, so that faces, edges and Voronoi regions are real ones.

use crate::geometry::faces::{EdgeTable, Faces, face_edges};
use crate::geometry::polyhedron::newell_plane;
use glam::DVec3;

const UNASSIGNED: u32 = u32::MAX;

/// The hull with triangles merged whose corners lie within `tolerance` of a common plane; unused points, and corners between
/// only two faces, are dropped.
pub(super) fn merged(points: &[DVec3], triangles: &[[u32; 3]], tolerance: f64) -> (Vec<DVec3>, Faces) {
    let faces: Faces = triangles.iter().collect();
    let regions = flat_regions(points, &faces, tolerance);
    let cycles = borders(points.len(), &faces, &regions);
    let kept = true_corners(points.len(), &cycles);
    let mut number = vec![UNASSIGNED; points.len()];
    let mut vertices = Vec::new();
    for (i, _) in kept.iter().enumerate().filter(|(_, k)| **k) {
        number[i] = vertices.len() as u32;
        vertices.push(points[i]);
    }
    let corners = |cycle: &Vec<u32>| -> Vec<u32> {
        cycle.iter().map(|&v| number[v as usize]).filter(|&v| v != UNASSIGNED).collect()
    };
    (vertices, cycles.iter().map(corners).collect())
}

/// For every triangle the number of its face: grown from the largest triangles outwards.
fn flat_regions(points: &[DVec3], faces: &Faces, tolerance: f64) -> Vec<u32> {
    let neighbours = neighbours(points.len(), faces);
    let area = |f: usize| doubled_area(points, faces, f).length_squared();
    let mut order: Vec<usize> = (0..faces.len()).collect();
    order.sort_by(|&f, &g| area(g).total_cmp(&area(f)));
    let mut region = vec![UNASSIGNED; faces.len()];
    let mut count = 0;
    for seed in order {
        if region[seed] != UNASSIGNED {
            continue;
        }
        region[seed] = count;
        let (base, plane) = (triangle(points, faces, seed)[0], newell_plane(points, faces.get(seed)));
        let mut stack = vec![seed];
        while let (Some(f), Some(plane)) = (stack.pop(), plane) {
            for g in neighbours[f].map(|g| g as usize) {
                let lies_in_plane = |p: &DVec3| plane.normal.dot(*p - base).abs() <= tolerance;
                if region[g] == UNASSIGNED
                    && triangle(points, faces, g).iter().all(lies_in_plane)
                    && faces_along(points, faces, g, plane.normal)
                {
                    region[g] = count;
                    stack.push(g);
                }
            }
        }
        count += 1;
    }
    region
}

/// Whether a triangle faces along `normal`; one without area faces anywhere.
fn faces_along(points: &[DVec3], faces: &Faces, f: usize, normal: DVec3) -> bool {
    doubled_area(points, faces, f).dot(normal) > 0.0 || newell_plane(points, faces.get(f)).is_none()
}

fn doubled_area(points: &[DVec3], faces: &Faces, f: usize) -> DVec3 {
    let [a, b, c] = triangle(points, faces, f);
    (b - a).cross(c - a)
}

fn triangle(points: &[DVec3], faces: &Faces, f: usize) -> [DVec3; 3] {
    let corners = faces.get(f);
    [corners[0], corners[1], corners[2]].map(|v| points[v as usize])
}

/// The three triangles next to each triangle.
fn neighbours(vertex_count: usize, faces: &Faces) -> Vec<[u32; 3]> {
    let mut neighbours = vec![[UNASSIGNED; 3]; faces.len()];
    for (_, _, uses) in EdgeTable::new(vertex_count, faces).iter() {
        for (own, other) in [(uses[0].face, uses[1].face), (uses[1].face, uses[0].face)] {
            let slot = neighbours[own as usize].iter_mut().find(|n| **n == UNASSIGNED);
            *slot.expect("a triangle has three sides") = other;
        }
    }
    neighbours
}

/// The border of every region as a cycle of vertices.
fn borders(vertex_count: usize, faces: &Faces, region: &[u32]) -> Vec<Vec<u32>> {
    let count = region.iter().max().map_or(0, |&r| r as usize + 1);
    let mut edges: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
    for (low, high, uses) in EdgeTable::new(vertex_count, faces).iter() {
        if region[uses[0].face as usize] != region[uses[1].face as usize] {
            for side in uses {
                let edge = if side.forward { (low, high) } else { (high, low) };
                edges[region[side.face as usize] as usize].push(edge);
            }
        }
    }
    edges.iter().map(|e| cycle(e)).collect()
}

/// Directed edges of a simple cycle, in any order, as its vertices in order.
fn cycle(edges: &[(u32, u32)]) -> Vec<u32> {
    let mut by_start = edges.to_vec();
    by_start.sort_unstable();
    let mut cycle = Vec::with_capacity(edges.len());
    let mut at = by_start[0].0;
    for _ in edges {
        cycle.push(at);
        let i = by_start.binary_search_by_key(&at, |e| e.0).expect("a flat region of a hull has one border");
        at = by_start[i].1;
    }
    cycle
}

/// Which vertices are corners of at least three faces; the others lie on a straight edge or inside a face.
fn true_corners(vertex_count: usize, cycles: &[Vec<u32>]) -> Vec<bool> {
    let mut uses = vec![0; vertex_count];
    for (v, _) in cycles.iter().flat_map(|c| face_edges(c)) {
        uses[v as usize] += 1;
    }
    uses.iter().map(|&n| n >= 3).collect()
}
