//! Meshes of bodies of revolution, and of such bodies drawn apart along a rectangle, for drawing exact shapes.

use crate::geometry::TriangleMesh;
use glam::DVec2;
use std::f64::consts::FRAC_PI_2;

/// A quarter of the unit circle from `(1, 0)` to `(0, 1)`, both exactly, in `segments` equal steps.
pub(super) fn quarter_arc(segments: usize) -> Vec<DVec2> {
    let sine = |k: usize| libm::sin(k as f64 * FRAC_PI_2 / segments as f64);
    (0..=segments).map(|k| DVec2::new(sine(segments - k), sine(k))).collect()
}

/// The closed mesh swept by turning a profile about the z-axis and drawing the four quarters of the turn apart to the corners
/// of a rectangle with half sizes `half`, either of which may be zero.
///
/// The profile is a list of (distance from the axis, height) from bottom to top; what lies inside its first and last ring is
/// closed by flat caps. Coinciding vertices of a ring are merged.
pub(super) fn lathe(profile: &[DVec2], half: DVec2, arc: &[DVec2]) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let rings: Vec<Vec<u32>> = profile.iter().map(|&point| push_ring(&mut mesh, point, half, arc)).collect();
    for pair in rings.windows(2) {
        push_band(&mut mesh, &pair[0], &pair[1]);
    }
    if let [bottom, .., top] = rings.as_slice() {
        push_cap(&mut mesh, bottom.iter().rev().copied().collect());
        push_cap(&mut mesh, top.clone());
    }
    mesh
}

/// Adds the vertices of one ring and returns the vertex number of every column, counter-clockwise seen from above.
fn push_ring(mesh: &mut TriangleMesh, point: DVec2, half: DVec2, arc: &[DVec2]) -> Vec<u32> {
    let mut ring: Vec<u32> = Vec::with_capacity(4 * arc.len());
    for quarter in 0..4 {
        let turned = |v: DVec2| (0..quarter).fold(v, |v, _| v.perp());
        for &direction in arc {
            let vertex = (half * turned(DVec2::ONE) + point.x * turned(direction)).extend(point.y);
            let neighbours = [ring.last(), ring.first()];
            let known = neighbours.into_iter().flatten().find(|&&v| mesh.vertices[v as usize] == vertex);
            ring.push(known.copied().unwrap_or_else(|| mesh.push(vertex)));
        }
    }
    ring
}

/// Adds the triangles between two rings with equal numbers of columns.
fn push_band(mesh: &mut TriangleMesh, lower: &[u32], upper: &[u32]) {
    for i in 0..lower.len() {
        let j = (i + 1) % lower.len();
        for [a, b, c] in [[lower[i], lower[j], upper[j]], [lower[i], upper[j], upper[i]]] {
            // Columns that meet in a vertex have nothing between them.
            if a != b && b != c && c != a {
                mesh.triangles.push([a, b, c]);
            }
        }
    }
}

/// Adds the convex polygon that a ring encloses, if it encloses one, as a fan.
fn push_cap(mesh: &mut TriangleMesh, mut corners: Vec<u32>) {
    corners.dedup();
    if corners.first() == corners.last() {
        corners.pop();
    }
    if let [apex, rest @ ..] = corners.as_slice() {
        mesh.triangles.extend(rest.windows(2).map(|side| [*apex, side[0], side[1]]));
    }
}
