//! Shapes, generators and files that several tests use.

use impulse::geometry::{Faces, Polyhedron, TriangleMesh, icosphere};
use impulse::math::Pose;
use impulse::{DQuat, DVec3};
use proptest::prelude::*;

/// A file of the repository's test data.
pub(crate) fn data(name: &str) -> String {
    let path = format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A closed star-shaped polyhedron, convex only by accident: an icosphere with the given radii.
pub(crate) fn star(radii: &[f64]) -> Polyhedron {
    let TriangleMesh { vertices, triangles } = icosphere(1);
    let vertices = vertices.iter().zip(radii.iter().cycle()).map(|(v, r)| *v * *r).collect();
    Polyhedron::from_triangles(&TriangleMesh { vertices, triangles }).expect("a star encloses its centre")
}

/// The corners of an axis-aligned box and its six faces.
pub(crate) fn cuboid(min: DVec3, max: DVec3) -> (Vec<DVec3>, Faces) {
    let corner = |i: usize| DVec3::new([min.x, max.x][i & 1], [min.y, max.y][i >> 1 & 1], [min.z, max.z][i >> 2 & 1]);
    let faces = [[0u32, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    ((0..8).map(corner).collect(), faces.iter().collect())
}

pub(crate) fn any_radii() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.3..2.0f64, 42)
}

pub(crate) fn any_vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from_array)
}

pub(crate) fn any_direction() -> impl Strategy<Value = DVec3> {
    any_vector(1.0).prop_filter_map("too short to be a direction", |v| (v.length() > 0.01).then(|| v.normalize()))
}

pub(crate) fn any_pose(size: f64) -> impl Strategy<Value = Pose> {
    let quaternion = prop::array::uniform4(-1.0..1.0f64).prop_map(DQuat::from_array);
    (quaternion, any_vector(size))
        .prop_filter_map("too short to be a rotation", |(q, t)| (q.length() > 0.01).then(|| Pose::new(q, t)).flatten())
}
