//! Vertices and polygons as read from a part file, before anything is known about their surface.

use glam::DVec3;
use impulse::geometry::{Aabb, EdgeTable, Faces};

/// Polygons over shared vertices, in the file's coordinates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soup {
    pub(crate) vertices: Vec<DVec3>,
    pub(crate) faces: Faces,
}

impl Soup {
    /// The edges and the faces that use them.
    pub(crate) fn edges(&self) -> EdgeTable {
        EdgeTable::new(self.vertices.len(), &self.faces)
    }

    /// Length of the diagonal of the box around the vertices.
    pub(crate) fn diagonal(&self) -> f64 {
        Aabb::of_points(self.vertices.iter().copied()).size().length()
    }

    /// Keeps the faces for which `keep` holds.
    pub(crate) fn retain_faces(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let faces = self.faces.iter().enumerate().filter(|&(face, _)| keep(face));
        self.faces = faces.map(|(_, corners)| corners).collect();
    }

    /// Reverses the faces for which `flip` holds.
    pub(crate) fn flip_faces(&mut self, flip: &[bool]) {
        let mut faces = Faces::with_capacity(self.faces.len(), self.faces.corners().len());
        let mut reversed = Vec::new();
        for (corners, &flip) in self.faces.iter().zip(flip) {
            if flip {
                reversed.clear();
                reversed.extend(corners.iter().rev());
                faces.push(&reversed);
            } else {
                faces.push(corners);
            }
        }
        self.faces = faces;
    }

    /// Replaces vertex `v` by `numbers[v]` in all faces.
    pub(crate) fn renumber(&mut self, numbers: &[u32]) {
        let mut faces = Faces::with_capacity(self.faces.len(), self.faces.corners().len());
        let mut renumbered = Vec::new();
        for corners in self.faces.iter() {
            renumbered.clear();
            renumbered.extend(corners.iter().map(|&v| numbers[v as usize]));
            faces.push(&renumbered);
        }
        self.faces = faces;
    }

    /// Drops the vertices that no face uses. Returns how many.
    pub(crate) fn drop_unused(&mut self) -> usize {
        let mut used = vec![false; self.vertices.len()];
        for &v in self.faces.corners() {
            used[v as usize] = true;
        }
        let unused = used.iter().filter(|&&used| !used).count();
        if unused > 0 {
            let mut next = 0;
            let number = |&used: &bool| {
                next += u32::from(used);
                next.saturating_sub(1)
            };
            let numbers: Vec<u32> = used.iter().map(number).collect();
            self.renumber(&numbers);
            let mut used = used.iter();
            self.vertices.retain(|_| used.next().is_some_and(|&used| used));
        }
        unused
    }
}

#[cfg(test)]
mod tests {
    use super::Soup;
    use glam::DVec3;

    #[test]
    fn unused_vertices_are_dropped_and_the_rest_keep_their_places() {
        let vertices: Vec<DVec3> = (0..6).map(|i| DVec3::splat(f64::from(i))).collect();
        let mut soup = Soup { vertices, faces: [[1u32, 3, 5]].iter().collect() };
        assert_eq!(soup.drop_unused(), 3);
        assert_eq!(soup.vertices, [DVec3::splat(1.0), DVec3::splat(3.0), DVec3::splat(5.0)]);
        assert_eq!(soup.faces.get(0), [0, 1, 2]);
        assert_eq!(soup.drop_unused(), 0);
    }
}
