//! Polygonal faces as vertex numbers, and the edges between them.

/// A list of polygons, each a cycle of vertex numbers counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faces {
    /// End of every face's run in `corners`.
    ends: Vec<u32>,
    corners: Vec<u32>,
}

impl Faces {
    /// A list with room for `faces` faces of `corners` corners in all.
    pub fn with_capacity(faces: usize, corners: usize) -> Self {
        Self { ends: Vec::with_capacity(faces), corners: Vec::with_capacity(corners) }
    }

    /// Appends a face.
    pub fn push(&mut self, face: &[u32]) {
        self.corners.extend_from_slice(face);
        self.ends.push(u32::try_from(self.corners.len()).expect("faces have fewer than 2^32 corners in all"));
    }

    /// Number of faces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no faces.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The corners of face `i`.
    pub fn get(&self, i: usize) -> &[u32] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.corners[start..self.ends[i] as usize]
    }

    /// All faces in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        (0..self.len()).map(|i| self.get(i))
    }

    /// All corners of all faces, face after face.
    pub fn corners(&self) -> &[u32] {
        &self.corners
    }
}

impl<F: AsRef<[u32]>> FromIterator<F> for Faces {
    fn from_iter<I: IntoIterator<Item = F>>(faces: I) -> Self {
        let mut list = Self::default();
        for face in faces {
            list.push(face.as_ref());
        }
        list
    }
}

/// One face's use of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeUse {
    /// The edge's larger vertex number.
    high: u32,
    /// The face.
    pub face: u32,
    /// Whether the face runs from the lower to the higher vertex number.
    pub forward: bool,
}

/// Every edge of a list of faces with the faces that use it, found in linear time.
#[derive(Clone, Debug)]
pub struct EdgeTable {
    /// End of the run in `uses` that belongs to edges with this lower vertex number.
    ends: Vec<u32>,
    uses: Vec<EdgeUse>,
}

impl EdgeTable {
    /// Collects the edges of `faces`, whose corners must all be below `vertex_count`.
    pub fn new(vertex_count: usize, faces: &Faces) -> Self {
        // A counting sort by lower vertex number; each run has a handful of entries.
        let mut cursor = vec![0u32; vertex_count + 1];
        for (a, b) in faces.iter().flat_map(face_edges) {
            cursor[a.min(b) as usize + 1] += 1;
        }
        for i in 1..cursor.len() {
            cursor[i] += cursor[i - 1];
        }
        let mut uses = vec![EdgeUse { high: 0, face: 0, forward: false }; faces.corners().len()];
        for (face, corners) in faces.iter().enumerate() {
            for (a, b) in face_edges(corners) {
                let slot = &mut cursor[a.min(b) as usize];
                uses[*slot as usize] = EdgeUse { high: a.max(b), face: face as u32, forward: a < b };
                *slot += 1;
            }
        }
        // Each cursor has moved to the end of its run.
        cursor.pop();
        let mut start = 0;
        for &end in &cursor {
            uses[start..end as usize].sort_unstable();
            start = end as usize;
        }
        Self { ends: cursor, uses }
    }

    /// All edges: lower vertex, higher vertex, and the faces that use them.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, &[EdgeUse])> {
        let mut start = 0;
        self.ends.iter().enumerate().flat_map(move |(low, &end)| {
            let run = &self.uses[start..end as usize];
            start = end as usize;
            run.chunk_by(|x, y| x.high == y.high).map(move |uses| (low as u32, uses[0].high, uses))
        })
    }
}

/// The directed edges of one face.
pub fn face_edges(corners: &[u32]) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
    let after = |i: usize| if i + 1 == corners.len() { 0 } else { i + 1 };
    (0..corners.len()).map(move |i| (corners[i], corners[after(i)]))
}

#[cfg(test)]
mod tests {
    use super::{EdgeTable, Faces};

    #[test]
    fn edges_of_a_tetrahedron() {
        let faces: Faces = [[0u32, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].iter().collect();
        let table = EdgeTable::new(4, &faces);
        let edges: Vec<_> = table.iter().map(|(a, b, uses)| (a, b, uses.len())).collect();
        assert_eq!(edges, [(0, 1, 2), (0, 2, 2), (0, 3, 2), (1, 2, 2), (1, 3, 2), (2, 3, 2)]);
        assert!(table.iter().all(|(_, _, uses)| uses[0].forward != uses[1].forward));
        assert_eq!(faces.get(1), [0, 1, 3]);
    }
}
