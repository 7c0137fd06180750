//! What the tests of parts share.

use crate::shapes::stl_bytes;
use glam::DVec3;
use impulse::geometry::Solid;
use impulse_scenes::part::{Format, Part, PartError, StlError, SurfaceError, parse_part};
use std::path::PathBuf;

pub(crate) type Triangle = [DVec3; 3];

/// The unit cube, two triangles to a face.
pub(crate) fn cube() -> Vec<Triangle> {
    let quads = [
        [0b000, 0b010, 0b011, 0b001],
        [0b100, 0b101, 0b111, 0b110],
        [0b000, 0b001, 0b101, 0b100],
        [0b010, 0b110, 0b111, 0b011],
        [0b000, 0b100, 0b110, 0b010],
        [0b001, 0b011, 0b111, 0b101],
    ];
    let corner = |bits: u32| DVec3::from_array([0, 1, 2].map(|axis| f64::from(bits >> axis & 1)));
    quads.map(|q| q.map(corner)).iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
}

/// The cube `min .. min + size`.
pub(crate) fn cube_at(min: [f64; 3], size: f64) -> Vec<Triangle> {
    cube().into_iter().map(|t| t.map(|p| DVec3::from_array(min) + size * p)).collect()
}

pub(crate) fn reversed(triangles: Vec<Triangle>) -> Vec<Triangle> {
    triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect()
}

/// Reads triangles as a binary STL file.
pub(crate) fn read_stl(triangles: &[Triangle]) -> Result<Part, PartError> {
    parse_part(&stl_bytes(triangles.iter().copied()), Format::Stl, 1.0)
}

/// Reads triangles as an OBJ file in which every triangle has its own vertices: nothing is rounded.
pub(crate) fn read_soup(triangles: &[Triangle]) -> Result<Part, PartError> {
    let corner = |p: &DVec3| format!("v {:?} {:?} {:?}\n", p.x, p.y, p.z);
    let facet = |t: &Triangle| t.iter().map(corner).collect::<String>() + "f -3 -2 -1\n";
    read_obj(&triangles.iter().map(facet).collect::<String>())
}

pub(crate) fn read_obj(text: &str) -> Result<Part, PartError> {
    parse_part(text.as_bytes(), Format::Obj, 1.0)
}

/// Reads bytes that are not STL.
pub(crate) fn stl_error(bytes: &[u8]) -> StlError {
    match parse_part(bytes, Format::Stl, 1.0) {
        Err(PartError::Stl(error)) => error,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn surface_error(result: Result<Part, PartError>) -> SurfaceError {
    match result {
        Err(PartError::Surface(error)) => error,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn volume(part: &Part) -> f64 {
    part.polyhedron.volume_integrals().volume
}

/// The volume that outward triangles bound, tetrahedron by tetrahedron.
pub(crate) fn signed_volume(triangles: &[Triangle]) -> f64 {
    triangles.iter().map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0).sum()
}

/// A file of the test data.
pub(crate) fn data(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../tests/data", name].iter().collect()
}

#[track_caller]
pub(crate) fn assert_close(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance * expected.abs().max(1e-300), "{got} is not {expected}");
}
