//! A consistent orientation for every connected surface: neighbours must run along their common edge in opposite directions.

use super::super::error::SurfaceError;
use super::super::report::Note;
use super::super::soup::Soup;
use super::groups::{Groups, Join};
use super::middles;
use glam::DVec3;
use impulse::geometry::EdgeTable;
use impulse::geometry::faces::face_edges;

/// Which faces are connected and which must be reversed.
pub(super) struct Orientation {
    /// Faces connected through edges that two faces share.
    pub(super) groups: Groups,
    /// Faces to reverse so that neighbours agree.
    pub(super) flipped: Vec<bool>,
}

/// Propagates orientations across all edges that two faces share. Each connected surface keeps the orientation of the larger part
/// of its area.
pub(super) fn orient(soup: &Soup, edges: &EdgeTable, notes: &mut Vec<Note>) -> Result<Orientation, SurfaceError> {
    let mut groups = Groups::new(soup.faces.len());
    let mut consistent = true;
    let mut contradictions = Vec::new();
    for (a, b, uses) in edges.iter() {
        if let [first, second] = uses {
            let opposite = first.forward == second.forward;
            consistent &= !opposite;
            if groups.join(first.face, second.face, opposite) == Join::Contradicts {
                contradictions.push((a, b));
            }
        }
    }
    if !contradictions.is_empty() {
        return Err(SurfaceError::OneSided { edges: contradictions.len(), near: middles(soup, contradictions) });
    }
    let flipped = if consistent { vec![false; soup.faces.len()] } else { minority(soup, &mut groups) };
    let count = flipped.iter().filter(|&&flipped| flipped).count();
    if count > 0 {
        notes.push(Note::Flipped { facets: count });
    }
    Ok(Orientation { groups, flipped })
}

/// The faces whose orientation has the smaller area in their group.
fn minority(soup: &Soup, groups: &mut Groups) -> Vec<bool> {
    let mut balance = vec![0.0; soup.faces.len()];
    for (face, corners) in soup.faces.iter().enumerate() {
        let (root, opposite) = groups.find(face as u32);
        let area = doubled_area(&soup.vertices, corners);
        balance[root as usize] += if opposite { -area } else { area };
    }
    (0..soup.faces.len() as u32)
        .map(|face| {
            let (root, opposite) = groups.find(face);
            opposite != (balance[root as usize] < 0.0)
        })
        .collect()
}

/// Twice the area of a flat polygon.
pub(super) fn doubled_area(vertices: &[DVec3], corners: &[u32]) -> f64 {
    let base = vertices[corners[0] as usize];
    let at = |v: u32| vertices[v as usize] - base;
    face_edges(corners).map(|(a, b)| at(a).cross(at(b))).sum::<DVec3>().length()
}
