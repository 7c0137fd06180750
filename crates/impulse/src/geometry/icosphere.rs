//! Successive approximations of the unit sphere (section 6.4): an icosahedron whose edges are halved and pushed outwards.

use super::TriangleMesh;
use super::faces::{EdgeTable, face_edges};
use glam::DVec3;

/// Approximation `1 + halvings` of table 6.2: `20 * 4^halvings` triangles with corners on the unit sphere.
#[must_use]
pub fn icosphere(halvings: u32) -> TriangleMesh {
    (0..halvings).fold(icosahedron(), |mesh, _| halved(&mesh))
}

fn icosahedron() -> TriangleMesh {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let mut vertices = Vec::with_capacity(12);
    // The corners of three golden rectangles in the coordinate planes.
    for (a, b) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        vertices.extend([DVec3::new(a, b, 0.0), DVec3::new(0.0, a, b), DVec3::new(b, 0.0, a)]);
    }
    // Its faces are the triples of corners at mutual distance 2.
    let near = |a: u32, b: u32| (vertices[a as usize].distance_squared(vertices[b as usize]) - 4.0).abs() < 1e-9;
    let mut triangles = Vec::with_capacity(20);
    for a in 0..12u32 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(c, a) {
                    let [p, q, r] = [a, b, c].map(|v| vertices[v as usize]);
                    let outwards = (q - p).cross(r - p).dot(p) > 0.0;
                    triangles.push(if outwards { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    TriangleMesh { vertices: vertices.iter().map(|v| v.normalize()).collect(), triangles }
}

fn halved(mesh: &TriangleMesh) -> TriangleMesh {
    let faces = mesh.triangles.iter().collect();
    let mut vertices = mesh.vertices.clone();
    // middles[f][k]: the vertex on the side of triangle f that begins at its corner k.
    let mut middles = vec![[0u32; 3]; mesh.triangles.len()];
    for (low, high, uses) in EdgeTable::new(mesh.vertices.len(), &faces).iter() {
        let middle = vertices.len() as u32;
        vertices.push((mesh.vertices[low as usize] + mesh.vertices[high as usize]).normalize());
        for side in uses {
            let edge = if side.forward { (low, high) } else { (high, low) };
            let k = face_edges(faces.get(side.face as usize)).position(|e| e == edge);
            middles[side.face as usize][k.expect("a face has the edges it uses")] = middle;
        }
    }
    let quarter = |([a, b, c], [ab, bc, ca]): (&[u32; 3], &[u32; 3])| {
        [[*a, *ab, *ca], [*b, *bc, *ab], [*c, *ca, *bc], [*ab, *bc, *ca]]
    };
    TriangleMesh { vertices, triangles: mesh.triangles.iter().zip(&middles).flat_map(quarter).collect() }
}
