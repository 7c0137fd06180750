//! Writes polyhedra to part files. Each number is a separate write, so use a buffered writer.

use glam::DVec3;
use impulse::geometry::{Polyhedron, Solid};
use std::io::{self, Write};

/// Writes a polyhedron as OBJ, which reads back exactly: faces remain polygons, and numbers have all their digits.
pub fn write_obj(polyhedron: &Polyhedron, mut out: impl Write) -> io::Result<()> {
    for v in polyhedron.vertices() {
        writeln!(out, "v {}", words(*v))?;
    }
    for corners in polyhedron.faces().iter() {
        write!(out, "f")?;
        for corner in corners {
            write!(out, " {}", corner + 1)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes a polyhedron as binary STL: triangles in single precision. A coordinate that overflows single precision is an error.
pub fn write_stl_binary(polyhedron: &Polyhedron, mut out: impl Write) -> io::Result<()> {
    let facets = facets(polyhedron);
    let count = u32::try_from(facets.len()).map_err(|_| invalid("more facets than binary STL can count"))?;
    let mut header = [b' '; 80];
    header[..7].copy_from_slice(b"impulse");
    out.write_all(&header)?;
    out.write_all(&count.to_le_bytes())?;
    for [normal, a, b, c] in facets {
        for value in [normal, a, b, c].iter().flat_map(DVec3::to_array) {
            let single = value as f32;
            if !single.is_finite() {
                return Err(invalid("a coordinate is too large for binary STL; write OBJ"));
            }
            out.write_all(&single.to_le_bytes())?;
        }
        out.write_all(&[0; 2])?;
    }
    Ok(())
}

/// Writes a polyhedron as STL text: triangles, numbers with all their digits.
pub fn write_stl_ascii(polyhedron: &Polyhedron, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "solid impulse")?;
    for [normal, a, b, c] in facets(polyhedron) {
        writeln!(out, "facet normal {}\n  outer loop", words(normal))?;
        for corner in [a, b, c] {
            writeln!(out, "    vertex {}", words(corner))?;
        }
        writeln!(out, "  endloop\nendfacet")?;
    }
    writeln!(out, "endsolid impulse")
}

/// The shortest decimal numbers that read back as these.
fn words(v: DVec3) -> String {
    format!("{:?} {:?} {:?}", v.x, v.y, v.z)
}

/// Normal and corners of every triangle.
fn facets(polyhedron: &Polyhedron) -> Vec<[DVec3; 4]> {
    let mesh = polyhedron.tessellate(0.0);
    mesh.corners().map(|[a, b, c]| [(b - a).cross(c - a).normalize_or_zero(), a, b, c]).collect()
}

fn invalid(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
