//! The order of elimination: bodies with the fewest neighbours first (8.1).

/// Which bodies touch which, as bits, while they are eliminated one by one.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// Words per row.
    words: usize,
    bits: Vec<u64>,
    /// Number of neighbours of every body; `u32::MAX` once it is eliminated.
    degrees: Vec<u32>,
    /// For every body the number of links joined to it that must go first, and the body that waits for it; empty without joints.
    waits: Vec<u32>,
    parents: Vec<Option<u32>>,
}

impl Graph {
    /// Starts with bodies that do not touch.
    pub(super) fn clear(&mut self, count: usize) {
        self.words = count.div_ceil(64);
        self.bits.clear();
        self.bits.resize(count * self.words, 0);
        self.degrees.clear();
        self.degrees.resize(count, 0);
        self.waits.clear();
        self.parents.clear();
    }

    /// Records that a body is joined to its parent, which goes after it.
    pub(super) fn tie(&mut self, child: usize, parent: usize) {
        self.waits.resize(self.degrees.len(), 0);
        self.parents.resize(self.degrees.len(), None);
        self.waits[parent] += 1;
        self.parents[child] = Some(parent as u32);
        self.join(child, parent);
    }

    /// Records that two bodies touch.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        for (from, to) in [(a, b), (b, a)] {
            let word = &mut self.bits[from * self.words + to / 64];
            self.degrees[from] += u32::from(*word >> (to % 64) & 1 == 0);
            *word |= 1 << (to % 64);
        }
    }

    /// Eliminates the body with the fewest neighbours: appends these to a list and connects them with each other.
    pub(super) fn eliminate(&mut self, neighbours: &mut Vec<u32>) -> u32 {
        let waits = |body: usize| self.waits.get(body).is_some_and(|&links| links > 0);
        let fewest = self.degrees.iter().enumerate().min_by_key(|&(body, degree)| (waits(body), *degree));
        let taken = fewest.map_or(0, |(body, _)| body);
        if let Some(&Some(parent)) = self.parents.get(taken) {
            self.waits[parent as usize] -= 1;
        }
        self.degrees[taken] = u32::MAX;
        let start = neighbours.len();
        for word in 0..self.words {
            let mut bits = self.bits[taken * self.words + word];
            while bits != 0 {
                neighbours.push(64 * word as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        for &neighbour in &neighbours[start..] {
            let neighbour = neighbour as usize;
            for word in 0..self.words {
                self.bits[neighbour * self.words + word] |= self.bits[taken * self.words + word];
            }
            let row = &mut self.bits[neighbour * self.words..][..self.words];
            for gone in [taken, neighbour] {
                row[gone / 64] &= !(1 << (gone % 64));
            }
            self.degrees[neighbour] = row.iter().map(|word| word.count_ones()).sum();
        }
        taken as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    /// In a chain and in a star no two bodies become neighbours that were none.
    #[test]
    fn trees_do_not_fill_in() {
        let chain: Vec<_> = (1..100).map(|i| (i - 1, i)).collect();
        let star: Vec<_> = (1..100).map(|i| (0, i)).collect();
        for edges in [chain, star] {
            let mut graph = Graph::default();
            graph.clear(100);
            edges.iter().for_each(|&(a, b)| graph.join(a, b));
            let mut neighbours = Vec::new();
            let mut order: Vec<_> = (0..100).map(|_| graph.eliminate(&mut neighbours)).collect();
            assert_eq!(neighbours.len(), edges.len());
            order.sort_unstable();
            assert!(order.into_iter().eq(0..100));
        }
    }
}
