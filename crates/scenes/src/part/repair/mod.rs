//! From a soup of polygons to a closed polyhedron (section 6.1 asks for a closed surface with outward normals).
//!
//! Everything happens in the file's coordinates, so that errors name positions the user can find; the scale comes last.

mod groups;
mod corners;
mod duplicates;
mod slivers;
mod orient;
mod nesting;
mod shells;

use super::error::{Places, SurfaceError};
use super::report::{Note, Report};
use super::soup::Soup;
use super::weld::{NEAR, weld_equal, weld_near};
use duplicates::Keep;
use glam::DVec3;
use groups::{Groups, Join};
use impulse::geometry::{EdgeTable, Polyhedron, PolyhedronError};

/// Smallest and largest diagonal of a part, in units of the file and in metres. Second moments grow with its fifth power, which
/// must not overflow.
const SIZES: (f64, f64) = (1e-30, 1e30);

/// Most rounds of splitting bent polygons and merging slivers. Each makes the other necessary once or twice at most.
const ROUNDS: usize = 4;

/// Repairs flaws with one obvious repair and applies the scale.
pub(super) fn repair(mut soup: Soup, scale: f64, report: &mut Report) -> Result<Polyhedron, SurfaceError> {
    let unused = soup.drop_unused();
    if unused > 0 {
        report.notes.push(Note::UnusedVertices { vertices: unused });
    }
    check_size(soup.diagonal(), scale)?;
    let mut edges = close(&mut soup, &mut report.notes)?;
    if flatten(&mut soup, &mut report.notes)? {
        edges = soup.edges();
    }
    let mut orientation = orient::orient(&soup, &edges, &mut report.notes)?;
    let shells = shells::find(&soup, &edges, &mut orientation)?;
    drop(edges);
    shells::settle(&mut soup, &shells, orientation.flipped, report)?;
    if soup.drop_unused() > 0 {
        // What counts as flat depends on the size of what is left.
        flatten(&mut soup, &mut report.notes)?;
        soup.drop_unused();
    }
    build(soup, scale)
}

fn check_size(size: f64, scale: f64) -> Result<(), SurfaceError> {
    let (min, max) = SIZES;
    let metres = size * scale;
    let allowed = |x: f64| (min..=max).contains(&x);
    if allowed(size) && allowed(metres) { Ok(()) } else { Err(SurfaceError::Size { size, metres, min, max }) }
}

/// Cleans the faces. If edges are still open, welds equal vertices, then close ones, or drops facets without area, if that closes
/// them. Every edge of the result is used an even number of times.
fn close(soup: &mut Soup, notes: &mut Vec<Note>) -> Result<EdgeTable, SurfaceError> {
    let mut best = Attempt::new(std::mem::take(soup), std::mem::take(notes))?;
    for near in [false, true] {
        if best.odd == 0 {
            break;
        }
        let distance = NEAR * best.soup.diagonal();
        let (mut welded, mut welded_notes) = (best.soup.clone(), best.notes.clone());
        let vertices = if near { weld_near(&mut welded, distance) } else { weld_equal(&mut welded) };
        welded_notes.push(if near { Note::WeldedNear { vertices, distance } } else { Note::WeldedEqual { vertices } });
        let attempt = if vertices > 0 { Attempt::new(welded, welded_notes).ok() } else { None };
        best = attempt.filter(|attempt| attempt.odd < best.odd).unwrap_or(best);
    }
    best = without_stray_slivers(&best).unwrap_or(best);
    (*soup, *notes) = (best.soup, best.notes);
    if best.odd == 0 { Ok(best.edges) } else { Err(open_error(soup, &best.edges)) }
}

/// A surface that is open only because of attached facets without area, without these facets.
fn without_stray_slivers(open: &Attempt) -> Option<Attempt> {
    if open.odd == 0 {
        return None;
    }
    let slivers = slivers::find(&open.soup);
    let (mut soup, mut notes) = (open.soup.clone(), open.notes.clone());
    soup.retain_faces(|face| slivers.binary_search(&(face as u32)).is_err());
    soup.drop_unused();
    notes.push(Note::StrayZeroArea { facets: slivers.len() });
    let attempt = if slivers.is_empty() { None } else { Attempt::new(soup, notes).ok() };
    attempt.filter(|attempt| attempt.odd == 0 && !attempt.soup.faces.is_empty())
}

/// A cleaned soup and how far it is from closed.
struct Attempt {
    soup: Soup,
    notes: Vec<Note>,
    edges: EdgeTable,
    /// Edges used an odd number of times.
    odd: usize,
}

impl Attempt {
    fn new(mut soup: Soup, mut notes: Vec<Note>) -> Result<Self, SurfaceError> {
        corners::tidy(&mut soup, &mut notes)?;
        let copies = duplicates::find(&soup);
        if copies.is_empty() {
            return Ok(Self::count(soup, notes));
        }
        let keeping = |keep: Keep| {
            let (mut soup, mut notes) = (soup.clone(), notes.clone());
            duplicates::drop_copies(&mut soup, &copies, keep, &mut notes);
            Self::count(soup, notes)
        };
        let one = keeping(Keep::One);
        if one.odd == 0 {
            return Ok(one);
        }
        let unpaired = keeping(Keep::Unpaired);
        Ok(if unpaired.odd < one.odd { unpaired } else { one })
    }

    fn count(soup: Soup, notes: Vec<Note>) -> Self {
        let edges = soup.edges();
        let odd = edges.iter().filter(|(_, _, uses)| uses.len() % 2 == 1).count();
        Self { soup, notes, edges, odd }
    }
}

fn open_error(soup: &Soup, edges: &EdgeTable) -> SurfaceError {
    let used = |accept: fn(usize) -> bool| -> Vec<(u32, u32)> {
        edges.iter().filter(|(_, _, uses)| accept(uses.len())).map(|(a, b, _)| (a, b)).collect()
    };
    let open = used(|uses| uses == 1);
    if open.is_empty() {
        let odd = used(|uses| uses % 2 == 1);
        return SurfaceError::OddEdges { edges: odd.len(), near: middles(soup, odd) };
    }
    // Each join merges two groups of vertices; the groups that remain at open edges are the holes.
    let mut groups = Groups::new(soup.vertices.len());
    let joins = open.iter().filter(|&&(a, b)| matches!(groups.join(a, b, false), Join::Joined)).count();
    let mut ends: Vec<u32> = open.iter().flat_map(|&(a, b)| [a, b]).collect();
    ends.sort_unstable();
    ends.dedup();
    SurfaceError::Open { edges: open.len(), holes: ends.len() - joins, near: middles(soup, open) }
}

/// Midpoints of the first few edges.
fn middles(soup: &Soup, edges: impl IntoIterator<Item = (u32, u32)>) -> Places {
    let at = |v: u32| soup.vertices[v as usize];
    Places::first(edges.into_iter().map(|(a, b)| 0.5 * (at(a) + at(b))))
}

/// Splits bent polygons and merges facets without area into their neighbours. Returns whether there were any.
fn flatten(soup: &mut Soup, notes: &mut Vec<Note>) -> Result<bool, SurfaceError> {
    let (mut bent, mut merged) = (0, 0);
    for round in 0.. {
        bent += corners::split_bent(soup)?;
        let slivers = slivers::find(soup);
        if slivers.is_empty() {
            break;
        }
        if round == ROUNDS {
            return Err(slivers::error(soup, &slivers));
        }
        slivers::merge(soup, &slivers)?;
        merged += slivers.len();
        corners::tidy(soup, notes)?;
    }
    if bent > 0 {
        notes.push(Note::BentPolygons { polygons: bent });
    }
    if merged > 0 {
        notes.push(Note::ZeroArea { facets: merged });
    }
    Ok(bent + merged > 0)
}

fn build(mut soup: Soup, scale: f64) -> Result<Polyhedron, SurfaceError> {
    let size = soup.diagonal();
    let near = Places::first(soup.vertices.iter().copied());
    for v in &mut soup.vertices {
        *v *= scale;
    }
    Polyhedron::new(soup.vertices, soup.faces).map_err(|error| match error {
        PolyhedronError::InsideOut { .. } => SurfaceError::NoVolume { size, near },
        other => SurfaceError::Refused(other),
    })
}

/// A corner of a face, for messages.
fn first_corner(soup: &Soup, face: usize) -> DVec3 {
    soup.vertices[soup.faces.get(face)[0] as usize]
}
