//! Facets that occur more than once, and walls between two bodies that occur in both.

use super::super::report::Note;
use super::super::soup::Soup;

/// Facets with the same corners in the same or the opposite cyclic order, in file order; at least two.
pub(super) struct Copies(Vec<Copy>);

struct Copy {
    face: u32,
    /// Whether it runs from its lowest corner to the lower of the two neighbours.
    forward: bool,
}

/// Which of several copies to keep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// One. If both orientations occur equally often, they are the two sides of an inner wall, and all are dropped, unless that
    /// leaves a hole of that shape: then one facet was merely written in both orientations.
    One,
    /// Those that have no partner of opposite orientation, which keeps a closed surface closed even where it folds back on itself.
    Unpaired,
}

/// Finds all copies. Faces must not pass through a vertex twice.
pub(super) fn find(soup: &Soup) -> Vec<Copies> {
    let keys = sorted_keys(soup);
    let mut found = Vec::new();
    for run in keys.chunk_by(|a, b| (a.least, a.low, a.high) == (b.least, b.low, b.high)).filter(|run| run.len() > 1) {
        let mut cycles: Vec<_> = run.iter().map(|key| (cycle(soup, key.face), key.face)).collect();
        cycles.sort();
        for group in cycles.chunk_by(|a, b| a.0.0 == b.0.0).filter(|group| group.len() > 1) {
            let mut copies: Vec<Copy> = group.iter().map(|&((_, forward), face)| Copy { face, forward }).collect();
            copies.sort_by_key(|copy| copy.face);
            found.push(Copies(copies));
        }
    }
    found
}

/// Drops superfluous copies.
pub(super) fn drop_copies(soup: &mut Soup, found: &[Copies], keep: Keep, notes: &mut Vec<Note>) {
    let mut kept = vec![true; soup.faces.len()];
    let (mut duplicates, mut walls) = (0, 0);
    let mut undecided = Vec::new();
    for Copies(copies) in found {
        let forward = copies.iter().filter(|copy| copy.forward).count();
        let backward = copies.len() - forward;
        let unpaired = forward.abs_diff(backward);
        let stay = if keep == Keep::One { 1 } else { unpaired };
        let of_sense = copies.iter().filter(|copy| unpaired == 0 || copy.forward == (forward > backward));
        copies.iter().for_each(|copy| kept[copy.face as usize] = false);
        of_sense.take(stay).for_each(|copy| kept[copy.face as usize] = true);
        match keep {
            Keep::One if unpaired == 0 => undecided.push(copies),
            Keep::One => duplicates += copies.len() - 1,
            Keep::Unpaired => walls += copies.len() - unpaired,
        }
    }
    if !undecided.is_empty() {
        let needed = needed_faces(soup, &kept);
        for copies in undecided {
            let first = copies[0].face as usize;
            if needed[first] {
                duplicates += copies.len() - 1;
            } else {
                kept[first] = false;
                walls += copies.len();
            }
        }
    }
    soup.retain_faces(|face| kept[face]);
    if duplicates > 0 {
        notes.push(Note::Duplicates { facets: duplicates });
    }
    if walls > 0 {
        notes.push(Note::InnerWalls { facets: walls });
    }
}

/// What copies of a facet have in common: the lowest corner and its neighbours.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    least: u32,
    low: u32,
    high: u32,
    face: u32,
}

/// The keys of all faces in order: a counting sort by lowest corner, then short sorts.
fn sorted_keys(soup: &Soup) -> Vec<Key> {
    let mut cursor = vec![0u32; soup.vertices.len() + 1];
    for corners in soup.faces.iter() {
        cursor[corners[least(corners)] as usize + 1] += 1;
    }
    for i in 1..cursor.len() {
        cursor[i] += cursor[i - 1];
    }
    let mut keys = vec![Key { least: 0, low: 0, high: 0, face: 0 }; soup.faces.len()];
    for (face, corners) in soup.faces.iter().enumerate() {
        let at = least(corners);
        let (next, previous) = neighbours(corners, at);
        let slot = &mut cursor[corners[at] as usize];
        keys[*slot as usize] =
            Key { least: corners[at], low: next.min(previous), high: next.max(previous), face: face as u32 };
        *slot += 1;
    }
    keys.chunk_by_mut(|a, b| a.least == b.least).for_each(<[Key]>::sort_unstable);
    keys
}

/// Position of the lowest corner.
fn least(corners: &[u32]) -> usize {
    (0..corners.len()).min_by_key(|&i| corners[i]).expect("a face has corners")
}

/// The corners after and before the one at `i`.
fn neighbours(corners: &[u32], i: usize) -> (u32, u32) {
    let n = corners.len();
    (corners[(i + 1) % n], corners[(i + n - 1) % n])
}

/// A face's corners, starting at the lowest towards the lower of its neighbours, and whether the face runs that way.
fn cycle(soup: &Soup, face: u32) -> (Vec<u32>, bool) {
    let corners = soup.faces.get(face as usize);
    let at = least(corners);
    let (next, previous) = neighbours(corners, at);
    let mut cycle = corners.to_vec();
    cycle.rotate_left(at);
    if previous < next {
        cycle[1..].reverse();
    }
    (cycle, next < previous)
}

/// Which kept faces share each of their edges with an odd number of other kept faces.
fn needed_faces(soup: &Soup, kept: &[bool]) -> Vec<bool> {
    let mut needed = kept.to_vec();
    for (_, _, uses) in soup.edges().iter() {
        let uses = || uses.iter().filter(|u| kept[u.face as usize]);
        if uses().count() % 2 == 1 {
            uses().for_each(|u| needed[u.face as usize] = false);
        }
    }
    needed
}
