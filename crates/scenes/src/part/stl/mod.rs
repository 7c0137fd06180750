//! STL files: triangles without shared vertices, binary or text. Normals are ignored: the winding gives them, and where the two
//! differ it is usually the normals that are wrong.

mod text;

use super::error::{Place, StlError};
use super::report::{Note, Report};
use super::soup::Soup;
use super::weld::Welder;
use glam::DVec3;
use impulse::geometry::Faces;

/// Bytes before the first facet of a binary file: 80 bytes of free text and the number of facets.
const HEADER: usize = 84;
/// Bytes of a facet: normal and three corners in single precision, two bytes of attributes.
const FACET: usize = 50;

/// Reads an STL file. Corners at equal positions become one vertex.
pub(super) fn parse(bytes: &[u8], report: &mut Report) -> Result<Soup, StlError> {
    if bytes.is_empty() {
        return Err(StlError::Empty);
    }
    // Binary files may begin with `solid` too. The length decides, and failing that the presence of control characters.
    if announced_length(bytes) != Some(bytes.len() as u64) && is_text(bytes) {
        text::parse(bytes, report)
    } else {
        parse_binary(bytes, report)
    }
}

/// The length that the header of a binary file announces.
fn announced_length(bytes: &[u8]) -> Option<u64> {
    Some(HEADER as u64 + FACET as u64 * u64::from(announced_facets(bytes)?))
}

fn announced_facets(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(HEADER - 4..)?.first_chunk()?))
}

/// Whether the file begins like text. The first facet of a binary file has zero bytes in its attributes and almost always in its
/// coordinates.
fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().take(1024).all(|&b| b >= b' ' || b.is_ascii_whitespace())
}

fn parse_binary(bytes: &[u8], report: &mut Report) -> Result<Soup, StlError> {
    let too_short = StlError::TooShort { bytes: bytes.len() };
    let promised = announced_facets(bytes).ok_or(too_short)?;
    let body = &bytes[HEADER..];
    let present = body.len() / FACET;
    let facets = promised as usize;
    if present < facets {
        return Err(StlError::Truncated { promised, present, bytes: bytes.len() });
    }
    if facets == 0 {
        return Err(StlError::NoFacets);
    }
    if body.len() > facets * FACET {
        report.notes.push(Note::TrailingBytes { bytes: body.len() - facets * FACET });
    }
    let mut builder = Builder::new(facets);
    for (i, facet) in body.chunks_exact(FACET).take(facets).enumerate() {
        let mut corners = [DVec3::ZERO; 3];
        for k in 0..9 {
            let at = 12 + 4 * k;
            let value = f64::from(f32::from_le_bytes([facet[at], facet[at + 1], facet[at + 2], facet[at + 3]]));
            if !value.is_finite() {
                return Err(StlError::NotFinite { facet: i + 1, place: Place::Byte(HEADER + i * FACET + at), value });
            }
            corners[k / 3][k % 3] = value;
        }
        builder.push(corners);
    }
    Ok(builder.finish(report))
}

/// Collects triangles.
struct Builder {
    welder: Welder,
    faces: Faces,
}

impl Builder {
    fn new(expected_facets: usize) -> Self {
        // A closed surface has half as many vertices as triangles, so the hash chains have half an entry on average.
        Self { welder: Welder::new(expected_facets), faces: Faces::with_capacity(expected_facets, 3 * expected_facets) }
    }

    fn push(&mut self, corners: [DVec3; 3]) {
        self.faces.push(&corners.map(|p| self.welder.vertex(p)));
    }

    fn finish(self, report: &mut Report) -> Soup {
        report.facets = self.faces.len();
        Soup { vertices: self.welder.finish(), faces: self.faces }
    }
}
