//! Polygons whose corners are not those of a flat simple polygon.

use super::super::error::{Places, SurfaceError};
use super::super::report::Note;
use super::super::soup::Soup;
use super::first_corner;
use glam::DVec3;
use impulse::geometry::polyhedron::{PLANARITY, newell_plane, off_plane};
use impulse::geometry::{Faces, ears};

/// Most corners of a polygon that is split into triangles; ear clipping takes at least quadratic time.
const MOST_CORNERS: usize = 10_000;

/// Largest distance of the corners of a polygon without area from a line, relative to its length.
const STRAIGHT: f64 = 1e-6;

/// Removes repeated corners and runs back along the same edge, drops polygons with fewer than three corners left, and splits those
/// that still pass through a vertex twice. The difference between an edge's uses in its two directions does not change.
pub(super) fn tidy(soup: &mut Soup, notes: &mut Vec<Note>) -> Result<(), SurfaceError> {
    let mut visits = Visits { last_face: vec![u32::MAX; soup.vertices.len()] };
    if !soup.faces.iter().enumerate().any(|(face, corners)| visits.repeat(face, corners)) {
        return Ok(());
    }
    let mut visits = Visits { last_face: vec![u32::MAX; soup.vertices.len()] };
    let mut faces = Faces::with_capacity(soup.faces.len(), soup.faces.corners().len());
    let (mut dropped, mut trimmed, mut pinched) = (0, 0, 0);
    let mut triangles = Vec::new();
    for (face, corners) in soup.faces.iter().enumerate() {
        let kept = trim(corners);
        if kept.len() < 3 {
            dropped += 1;
            continue;
        }
        if visits.repeat(face, &kept) {
            pinched += 1;
            let plane = newell_plane(&soup.vertices, &kept);
            let normal = plane.ok_or_else(|| twisted(soup, &[face]))?.normal;
            split(&soup.vertices, &kept, normal, &mut triangles)?;
            triangles.retain(|&[a, b, c]| a != b && b != c && c != a);
            triangles.drain(..).for_each(|t| faces.push(&t));
        } else {
            trimmed += usize::from(kept.len() < corners.len());
            faces.push(&kept);
        }
    }
    soup.faces = faces;
    if dropped + trimmed > 0 {
        notes.push(Note::RepeatedCorners { dropped, trimmed });
    }
    if pinched > 0 {
        notes.push(Note::PinchedPolygons { polygons: pinched });
    }
    Ok(())
}

/// Splits polygons whose corners are not in a plane into triangles. Returns how many.
pub(super) fn split_bent(soup: &mut Soup) -> Result<usize, SurfaceError> {
    // Half of the engine's limit leaves room for the rounding of scaled coordinates.
    let limit = 0.5 * PLANARITY * 0.5 * soup.diagonal();
    let vertices = &soup.vertices;
    let is_bent = |corners: &[u32]| {
        corners.len() > 3
            && newell_plane(vertices, corners).is_none_or(|p| off_plane(vertices, corners, p.normal) > limit)
    };
    let bent: Vec<usize> = (0..soup.faces.len()).filter(|&face| is_bent(soup.faces.get(face))).collect();
    if bent.is_empty() {
        return Ok(0);
    }
    let mut faces = Faces::with_capacity(soup.faces.len(), soup.faces.corners().len());
    let (mut triangles, mut crossing) = (Vec::new(), Vec::new());
    let mut next = bent.iter().copied().peekable();
    for (face, corners) in soup.faces.iter().enumerate() {
        if next.next_if_eq(&face).is_none() {
            faces.push(corners);
        } else if let Some(plane) = newell_plane(vertices, corners) {
            split(vertices, corners, plane.normal, &mut triangles)?;
        } else if is_straight(vertices, corners) {
            triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
        } else {
            crossing.push(face);
        }
        triangles.drain(..).for_each(|t| faces.push(&t));
    }
    if !crossing.is_empty() {
        return Err(twisted(soup, &crossing));
    }
    soup.faces = faces;
    Ok(bent.len())
}

fn split(vertices: &[DVec3], corners: &[u32], normal: DVec3, out: &mut Vec<[u32; 3]>) -> Result<(), SurfaceError> {
    if corners.len() > MOST_CORNERS {
        let near = Places(vec![vertices[corners[0] as usize]]);
        return Err(SurfaceError::TooManyCorners { corners: corners.len(), limit: MOST_CORNERS, near });
    }
    ears::triangulate(vertices, corners, normal, out);
    Ok(())
}

fn twisted(soup: &Soup, faces: &[usize]) -> SurfaceError {
    let near = Places::first(faces.iter().map(|&face| first_corner(soup, face)));
    SurfaceError::Twisted { polygons: faces.len(), near }
}

/// Whether all corners lie on a line.
fn is_straight(vertices: &[DVec3], corners: &[u32]) -> bool {
    let base = vertices[corners[0] as usize];
    let offsets = corners.iter().map(|&v| vertices[v as usize] - base);
    let longest = offsets.clone().fold(DVec3::ZERO, |a, b| if b.length_squared() > a.length_squared() { b } else { a });
    let limit = STRAIGHT * longest.length_squared();
    offsets.into_iter().all(|offset| offset.cross(longest).length() <= limit)
}

/// Finds repeated corners without comparing all pairs.
struct Visits {
    /// The last face that passed through each vertex.
    last_face: Vec<u32>,
}

impl Visits {
    /// Whether a face passes through a vertex twice. Call it once for each face.
    fn repeat(&mut self, face: usize, corners: &[u32]) -> bool {
        let face = face as u32;
        corners.iter().any(|&v| std::mem::replace(&mut self.last_face[v as usize], face) == face)
    }
}

/// The corners without repetitions and without steps back along the last edge.
fn trim(corners: &[u32]) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::with_capacity(corners.len());
    for &corner in corners {
        match kept[..] {
            [.., last] if last == corner => {}
            [.., before, _] if before == corner => {
                kept.pop();
            }
            _ => kept.push(corner),
        }
    }
    // The same across the seam between the last corner and the first.
    let mut kept = &kept[..];
    loop {
        kept = match *kept {
            [first, .., last] if first == last => &kept[..kept.len() - 1],
            [first, .., before, _] if first == before => &kept[..kept.len() - 2],
            [_, second, .., last] if second == last => &kept[2..],
            _ => return kept.to_vec(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::trim;

    #[test]
    fn trimming_removes_repetitions_and_spikes_wherever_the_list_begins() {
        // A triangle 1 2 3 with a repeated corner and a spike 3 7 8 7 3, in every rotation.
        let corners = [1, 1, 2, 3, 7, 8, 7, 3];
        for shift in 0..corners.len() {
            let mut rotated = corners;
            rotated.rotate_left(shift);
            let mut kept = trim(&rotated);
            let least = kept.iter().position(|&v| v == 1).unwrap();
            kept.rotate_left(least);
            assert_eq!(kept, [1, 2, 3], "{rotated:?}");
        }
        assert_eq!(trim(&[4, 5, 4, 6]).len(), 2);
        assert!(trim(&[4, 4, 4]).len() < 3);
        assert_eq!(trim(&[0, 1, 2, 3]), [0, 1, 2, 3]);
    }
}
