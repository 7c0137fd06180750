//! Closed shells: the outer surfaces of bodies, which must enclose a positive volume, and their cavities, a negative one.

use super::super::error::{Places, SurfaceError};
use super::super::report::{Note, Report};
use super::super::soup::Soup;
use super::groups::Groups;
use super::nesting::{Query, containers};
use super::orient::{Orientation, doubled_area};
use super::{first_corner, middles};
use glam::DVec3;
use impulse::geometry::EdgeTable;

/// Largest volume of a shell that counts as flat, relative to its area to the power 3/2: well above the rounding error for a sheet,
/// well below the volume of any foil.
const FLAT: f64 = 1e-12;

/// The shells of a surface.
pub(super) struct Shells {
    /// The shell of every face.
    of_face: Vec<u32>,
    list: Vec<Shell>,
}

/// A closed surface.
struct Shell {
    first_face: usize,
    facets: usize,
    /// One of its vertices, about which its volume is computed.
    origin: DVec3,
    volume: f64,
    area: f64,
}

impl Shell {
    fn is_flat(&self) -> bool {
        self.volume.abs() <= FLAT * self.area * self.area.sqrt()
    }
}

/// Finds the shells. Where four or more faces share an edge, a surface that is balanced there by itself remains a shell of its
/// own; the others form one.
pub(super) fn find(soup: &Soup, edges: &EdgeTable, orientation: &mut Orientation) -> Result<Shells, SurfaceError> {
    let Orientation { groups, flipped } = orientation;
    let mut unbalanced = Vec::new();
    let mut ends: Vec<(u32, i32)> = Vec::new();
    for (a, b, uses) in edges.iter().filter(|(_, _, uses)| uses.len() > 2) {
        let sense = |forward: bool| if forward { 1 } else { -1 };
        ends.clear();
        ends.extend(uses.iter().map(|u| (groups.find(u.face).0, sense(u.forward ^ flipped[u.face as usize]))));
        if ends.iter().map(|end| end.1).sum::<i32>() != 0 {
            unbalanced.push((a, b));
        }
        join_unbalanced(groups, &mut ends);
    }
    if !unbalanced.is_empty() {
        return Err(SurfaceError::Unbalanced { edges: unbalanced.len(), near: middles(soup, unbalanced) });
    }
    Ok(measure(soup, groups, flipped))
}

/// Joins the groups that do not by themselves run along an edge equally often in both directions.
fn join_unbalanced(groups: &mut Groups, ends: &mut [(u32, i32)]) {
    ends.sort_unstable();
    let open = |run: &&[(u32, i32)]| run.iter().map(|end| end.1).sum::<i32>() != 0;
    let mut open_groups = ends.chunk_by(|x, y| x.0 == y.0).filter(open).map(|run| run[0].0);
    if let Some(first) = open_groups.next() {
        for other in open_groups {
            // The faces are already oriented; only membership matters from here on.
            groups.join(first, other, false);
        }
    }
}

fn measure(soup: &Soup, groups: &mut Groups, flipped: &[bool]) -> Shells {
    let mut list: Vec<Shell> = Vec::new();
    let mut of_face: Vec<u32> = Vec::with_capacity(soup.faces.len());
    for (face, corners) in soup.faces.iter().enumerate() {
        // A group's representative is its lowest face, so it comes before the others.
        let root = groups.find(face as u32).0 as usize;
        if root == face {
            of_face.push(list.len() as u32);
            let origin = first_corner(soup, face);
            list.push(Shell { first_face: face, facets: 0, origin, volume: 0.0, area: 0.0 });
        } else {
            of_face.push(of_face[root]);
        }
        let shell = &mut list[of_face[face] as usize];
        let at = |v: u32| soup.vertices[v as usize] - shell.origin;
        let fan = corners[1..].windows(2).map(|pair| at(corners[0]).dot(at(pair[0]).cross(at(pair[1]))));
        let volume = fan.sum::<f64>() / 6.0;
        shell.volume += if flipped[face] { -volume } else { volume };
        shell.area += 0.5 * doubled_area(&soup.vertices, corners);
        shell.facets += 1;
    }
    Shells { of_face, list }
}

/// Drops flat shells, turns those that are inside out, reverses the faces concerned, and reports all of it.
pub(super) fn settle(
    soup: &mut Soup,
    shells: &Shells,
    mut flipped: Vec<bool>,
    report: &mut Report,
) -> Result<(), SurfaceError> {
    let flat: Vec<&Shell> = shells.list.iter().filter(|shell| shell.is_flat()).collect();
    if flat.len() == shells.list.len() {
        let near = Places::first(soup.vertices.first().copied().into_iter());
        return Err(SurfaceError::NoVolume { size: soup.diagonal(), near });
    }
    if !flat.is_empty() {
        let facets = flat.iter().map(|shell| shell.facets).sum();
        report.notes.push(Note::FlatShells { shells: flat.len(), facets });
    }
    let senses = Senses::choose(soup, shells, &flipped);
    senses.report(shells, report);
    if senses.turned.contains(&true) {
        for (flipped, &shell) in flipped.iter_mut().zip(&shells.of_face) {
            *flipped ^= senses.turned[shell as usize];
        }
    }
    if flipped.contains(&true) {
        soup.flip_faces(&flipped);
    }
    if !flat.is_empty() {
        soup.retain_faces(|face| !shells.list[shells.of_face[face] as usize].is_flat());
    }
    Ok(())
}

/// What was decided about each shell.
struct Senses {
    turned: Vec<bool>,
    /// Whether the shell lies within solid material without being a cavity.
    doubled: Vec<bool>,
}

impl Senses {
    /// Decides from the outside in. How many times a shell's surroundings are filled determines its orientation: a negative shell in
    /// a void is inside out. If a body was inside out, all shells in it are assumed to be.
    fn choose(soup: &Soup, shells: &Shells, flipped: &[bool]) -> Self {
        let count = shells.list.len();
        let mut senses = Self { turned: vec![false; count], doubled: vec![false; count] };
        let inside = nested(soup, shells, flipped);
        let mut order: Vec<usize> = (0..count).filter(|&shell| !shells.list[shell].is_flat()).collect();
        order.sort_by_key(|&shell| inside[shell].len());
        for shell in order {
            let around = &inside[shell];
            let filled: i64 = around.iter().map(|&s| if senses.is_positive(shells, s as usize) { 1 } else { -1 }).sum();
            let reversed_body = around.iter().any(|&s| senses.turned[s as usize]);
            if shells.list[shell].volume < 0.0 {
                senses.turned[shell] = filled <= 0;
            } else if filled > 0 {
                senses.turned[shell] = reversed_body;
                senses.doubled[shell] = !reversed_body;
            }
        }
        senses
    }

    fn is_positive(&self, shells: &Shells, shell: usize) -> bool {
        (shells.list[shell].volume > 0.0) != self.turned[shell]
    }

    fn report(&self, shells: &Shells, report: &mut Report) {
        let solid = || (0..shells.list.len()).filter(|&s| !shells.list[s].is_flat());
        report.shells = solid().count();
        report.cavities = solid().filter(|&s| !self.is_positive(shells, s)).count();
        let marked = |marks: &[bool]| shells.list.iter().zip(marks).filter(|(_, m)| **m).map(|(s, _)| s).collect();
        let turned: Vec<&Shell> = marked(&self.turned);
        if !turned.is_empty() {
            let facets = turned.iter().map(|s| s.facets).sum();
            report.notes.push(Note::Turned { shells: turned.len(), facets });
        }
        let doubled: Vec<&Shell> = marked(&self.doubled);
        if !doubled.is_empty() {
            let volume = doubled.iter().map(|s| s.volume).sum();
            report.notes.push(Note::CountedTwice { shells: doubled.len(), volume });
        }
    }
}

/// For every shell, the shells around it.
fn nested(soup: &Soup, shells: &Shells, flipped: &[bool]) -> Vec<Vec<u32>> {
    if shells.list.len() == 1 {
        return vec![Vec::new()];
    }
    let query = |(number, shell): (usize, &Shell)| {
        let corners = soup.faces.get(shell.first_face);
        let at = |i: usize| soup.vertices[corners[i] as usize];
        // The midpoint of an edge, because shells touch at corners.
        Query { point: 0.5 * (at(0) + at(1)), shell: number as u32 }
    };
    let queries = shells.list.iter().enumerate().filter(|(_, shell)| !shell.is_flat()).map(query).collect();
    let mut inside = vec![Vec::new(); shells.list.len()];
    for (inner, outer) in containers(soup, &shells.of_face, flipped, queries) {
        if !shells.list[outer as usize].is_flat() {
            inside[inner as usize].push(outer);
        }
    }
    inside
}
