//! Triangles without area whose corners are distinct: exporters put them where a vertex lies on another facet's edge.
//!
//! The facet beyond a sliver's longest edge takes the sliver's middle vertex into that edge. Where that facet is a sliver
//! too, the two exchange their diagonal instead, which shortens both.

use super::super::error::{Places, SurfaceError};
use super::super::soup::Soup;
use super::first_corner;
use glam::DVec3;
use impulse::geometry::Faces;
use impulse::geometry::faces::face_edges;
use impulse::geometry::polyhedron::newell_plane;
use std::collections::{BinaryHeap, HashMap};

/// Steps allowed per sliver before giving up.
const STEPS: usize = 16;

/// Finds the triangles that have no area.
pub(super) fn find(soup: &Soup) -> Vec<u32> {
    let is_sliver = |corners: &[u32]| corners.len() == 3 && newell_plane(&soup.vertices, corners).is_none();
    (0..soup.faces.len() as u32).filter(|&face| is_sliver(soup.faces.get(face as usize))).collect()
}

/// The error that names some slivers.
pub(super) fn error(soup: &Soup, slivers: &[u32]) -> SurfaceError {
    let near = Places::first(slivers.iter().map(|&face| first_corner(soup, face as usize)));
    SurfaceError::ZeroArea { facets: slivers.len(), near }
}

/// Merges the slivers into their neighbours. Every edge must be used an even number of times.
pub(super) fn merge(soup: &mut Soup, slivers: &[u32]) -> Result<(), SurfaceError> {
    let mut work = Work::new(soup, slivers);
    // Longest first, because what remains of two slivers is shorter than both.
    let mut queue: BinaryHeap<(Length, u32)> = slivers.iter().map(|&face| (work.length(face), face)).collect();
    let mut steps = STEPS * slivers.len();
    while let Some((_, sliver)) = queue.pop() {
        if !work.is_sliver(sliver) {
            continue;
        }
        let left = work.merge_one(sliver).filter(|_| steps > 0).ok_or_else(|| error(soup, &[sliver]))?;
        steps -= 1;
        queue.extend(left.into_iter().flatten().map(|face| (work.length(face), face)));
    }
    let changed = work.polygons;
    let mut faces = Faces::with_capacity(soup.faces.len(), soup.faces.corners().len());
    for (face, corners) in soup.faces.iter().enumerate() {
        let corners = changed.get(&(face as u32)).map_or(corners, Vec::as_slice);
        if !corners.is_empty() {
            faces.push(corners);
        }
    }
    soup.faces = faces;
    Ok(())
}

/// The bits of a squared length, which have the same order as the numbers.
type Length = u64;

struct Work<'a> {
    vertices: &'a [DVec3],
    faces: &'a Faces,
    /// Slivers and other changed faces; empty for removed faces. Never iterated, because the order is random.
    polygons: HashMap<u32, Vec<u32>>,
    /// The faces at every edge of a sliver, by the edge's lower and higher vertex.
    users: HashMap<(u32, u32), Vec<u32>>,
}

impl<'a> Work<'a> {
    fn new(soup: &'a Soup, slivers: &[u32]) -> Self {
        let polygons: HashMap<u32, Vec<u32>> =
            slivers.iter().map(|&face| (face, soup.faces.get(face as usize).to_vec())).collect();
        let mut users = HashMap::new();
        for (low, high, uses) in soup.edges().iter() {
            if uses.iter().any(|u| polygons.contains_key(&u.face)) {
                users.insert((low, high), uses.iter().map(|u| u.face).collect());
            }
        }
        Self { vertices: &soup.vertices, faces: &soup.faces, polygons, users }
    }

    fn corners(&self, face: u32) -> &[u32] {
        self.polygons.get(&face).map_or_else(|| self.faces.get(face as usize), Vec::as_slice)
    }

    fn is_sliver(&self, face: u32) -> bool {
        let corners = self.corners(face);
        corners.len() == 3 && newell_plane(self.vertices, corners).is_none()
    }

    /// A sliver's vertices in order along its line: one end, the middle, the other end.
    fn ends_and_middle(&self, sliver: u32) -> [u32; 3] {
        let corners = self.corners(sliver);
        let square = |i: usize| self.square(corners[i], corners[(i + 1) % 3]);
        let longest = (0..3).max_by(|&i, &j| square(i).total_cmp(&square(j))).unwrap_or(0);
        [corners[(longest + 1) % 3], corners[(longest + 2) % 3], corners[longest]]
    }

    fn length(&self, sliver: u32) -> Length {
        let [a, _, c] = self.ends_and_middle(sliver);
        self.square(a, c).to_bits()
    }

    fn square(&self, a: u32, b: u32) -> f64 {
        self.vertices[a as usize].distance_squared(self.vertices[b as usize])
    }

    /// Merges one sliver and returns the slivers that result. `None` if no face lies beyond its longest edge.
    fn merge_one(&mut self, sliver: u32) -> Option<[Option<u32>; 2]> {
        let [a, middle, c] = self.ends_and_middle(sliver);
        let beyond = self.beyond(sliver, a, c)?;
        let other_is_sliver = self.is_sliver(beyond);
        let mut merged = self.corners(beyond).to_vec();
        let (at, _) = edge_between(&merged, a, c)?;
        merged.insert(at + 1, middle);
        merged.rotate_left(at + 1);
        if !other_is_sliver {
            self.replace(sliver, Vec::new());
            // Only these edges change; the polygon may have many more.
            self.forget(a, c, beyond);
            self.remember(a, middle, beyond);
            self.remember(middle, c, beyond);
            self.polygons.insert(beyond, merged);
            return Some([None, None]);
        }
        // Middle, end, opposite corner, other end.
        let [m, p, q, r] = merged[..] else { return None };
        let halves = if m == q { [Vec::new(), Vec::new()] } else { [vec![m, p, q], vec![m, q, r]] };
        let faces = [sliver, beyond];
        for (face, half) in faces.into_iter().zip(halves) {
            self.replace(face, half);
        }
        Some(faces.map(|face| self.is_sliver(face).then_some(face)))
    }

    /// A face other than the sliver at its edge from `c` to `a`, preferably one that runs the other way.
    fn beyond(&self, sliver: u32, a: u32, c: u32) -> Option<u32> {
        let users = self.users.get(&(a.min(c), a.max(c)))?;
        let others = || users.iter().copied().filter(|&face| face != sliver);
        let runs_back = |&face: &u32| edge_between(self.corners(face), a, c).is_some_and(|(_, from_a)| from_a);
        others().find(runs_back).or_else(|| others().next())
    }

    fn replace(&mut self, face: u32, corners: Vec<u32>) {
        let old = self.corners(face).to_vec();
        face_edges(&old).for_each(|(a, b)| self.forget(a, b, face));
        face_edges(&corners).for_each(|(a, b)| self.remember(a, b, face));
        self.polygons.insert(face, corners);
    }

    fn forget(&mut self, a: u32, b: u32, face: u32) {
        if let Some(users) = self.users.get_mut(&(a.min(b), a.max(b)))
            && let Some(i) = users.iter().position(|&user| user == face)
        {
            users.swap_remove(i);
        }
    }

    fn remember(&mut self, a: u32, b: u32, face: u32) {
        self.users.entry((a.min(b), a.max(b))).or_default().push(face);
    }
}

/// Position of a polygon's edge between two vertices, and whether it begins at `a`.
fn edge_between(corners: &[u32], a: u32, c: u32) -> Option<(usize, bool)> {
    face_edges(corners).enumerate().find_map(|(i, edge)| {
        if edge == (a, c) {
            Some((i, true))
        } else if edge == (c, a) {
            Some((i, false))
        } else {
            None
        }
    })
}
