//! The sparsity pattern of a matrix over bodies in contact, and of its factor (8.1).

use super::order::Graph;
use super::problem::ContactPoint;
use super::tie::Tie;

/// Order of elimination, and the blocks below the diagonal. Its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    /// Bodies in the order of elimination, and the place of every body in that order.
    pub(super) order: Vec<u32>,
    pub(super) place: Vec<u32>,
    /// For every column: where its blocks below the diagonal begin.
    pub(super) begin: Vec<usize>,
    /// The rows of these blocks, ascending in every column.
    pub(super) rows: Vec<u32>,
    /// For every column and every two of its blocks: the block that their product changes.
    pub(super) changed: Vec<u32>,
    graph: Graph,
}

impl Pattern {
    /// Orders the bodies and finds the blocks that can be non-zero.
    pub(super) fn lay_out(&mut self, count: usize, points: &[ContactPoint], ties: &[Tie]) {
        self.graph.clear(count);
        for tie in ties {
            if let Some(parent) = tie.parent {
                self.graph.tie(tie.child.get(), parent.get());
            }
        }
        for point in points {
            if let [Some(a), Some(b)] = point.movers {
                self.graph.join(a.get(), b.get());
            }
        }
        self.order.clear();
        self.begin.clear();
        self.rows.clear();
        for _ in 0..count {
            self.begin.push(self.rows.len());
            self.order.push(self.graph.eliminate(&mut self.rows));
        }
        self.begin.push(self.rows.len());
        self.place.clear();
        self.place.resize(count, 0);
        for (place, &body) in self.order.iter().enumerate() {
            self.place[body as usize] = place as u32;
        }
        for column in 0..count {
            let rows = &mut self.rows[self.begin[column]..self.begin[column + 1]];
            rows.iter_mut().for_each(|body| *body = self.place[*body as usize]);
            rows.sort_unstable();
        }
        self.find_changed();
    }

    fn find_changed(&mut self) {
        self.changed.clear();
        for column in 0..self.order.len() {
            let blocks = self.begin[column]..self.begin[column + 1];
            for second in blocks.clone() {
                for first in second + 1..blocks.end {
                    let changed = self.block(self.rows[first], self.rows[second]);
                    self.changed.push(changed as u32);
                }
            }
        }
    }

    /// The block below the diagonal at a row and a column.
    pub(super) fn block(&self, row: u32, column: u32) -> usize {
        let blocks = self.begin[column as usize]..self.begin[column as usize + 1];
        let found = self.rows[blocks.clone()].binary_search(&row);
        blocks.start + found.expect("bodies in contact, and neighbours of an eliminated one, share a block")
    }
}
