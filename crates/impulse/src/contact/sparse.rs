//! A symmetric positive definite matrix over bodies in contact, and its Cholesky factor, in blocks of six (8.1).
//!
//! Bodies with the fewest neighbours are eliminated first, which keeps the fill-in small: in chains and stacks the cost grows
//! with the number of contacts, in piles not much faster.

use super::block::{Block6, add, add_stiffness, six, six_of, subtract};
use super::jointed::{Knot, Parts};
use super::pattern::Pattern;
use super::problem::{ContactPoint, MoverIndex};
use super::tie::Tie;
use glam::{DMat3, DVec3};

/// The matrix `M + J^T S J` and its factor. Its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockMatrix {
    pub(super) pattern: Pattern,
    pub(super) diagonal: Vec<Block6>,
    pub(super) below: Vec<Block6>,
    /// Of every column; empty without joints.
    pub(super) knots: Vec<Option<Knot>>,
}

impl BlockMatrix {
    /// Orders the bodies and finds the blocks that can be non-zero.
    pub(super) fn lay_out(&mut self, count: usize, points: &[ContactPoint], ties: &[Tie]) {
        self.pattern.lay_out(count, points, ties);
        self.knots.clear();
        if !ties.is_empty() {
            self.knots.resize(count, None);
            let place = |i: MoverIndex| self.pattern.place[i.get()];
            ties.iter().for_each(|tie| self.knots[place(tie.child) as usize] = Some(Knot::new(tie, place)));
        }
        // What is in them is set with the masses.
        self.diagonal.resize(count, Block6::default());
        self.below.resize(self.pattern.rows.len(), Block6::default());
    }

    /// Resets the matrix to the masses alone.
    pub(super) fn set_masses(&mut self, masses: &[(f64, DMat3)]) {
        self.below.fill(Block6::default());
        for (&place, (mass, inertia)) in self.pattern.place.iter().zip(masses) {
            let block = &mut self.diagonal[place as usize];
            *block = Block6::default();
            add(block, [0, 0], &DMat3::from_diagonal(DVec3::splat(*mass)));
            add(block, [3, 3], inertia);
        }
    }

    /// What meets the rates of a tie besides the matrix, kg m^2 or kg: its armature, and this stiffness of its first freedom.
    pub(super) fn set_stiffness(&mut self, tie: &Tie, stiffness: f64) {
        let place = self.pattern.place[tie.child.get()] as usize;
        if let Some(knot) = &mut self.knots[place] {
            knot.besides = [tie.armature, stiffness];
        }
    }

    /// Adds `J^T S J` of a point with the stiffness `s`, world axes, kg, on and below the diagonal.
    pub(super) fn add_point(&mut self, point: &ContactPoint, s: &DMat3) {
        for (mover, arm) in point.movers.iter().zip(point.arms) {
            if let Some(i) = mover {
                let place = self.pattern.place[i.get()] as usize;
                add_stiffness(&mut self.diagonal[place], s, [arm, arm]);
            }
        }
        if let [Some(a), Some(b)] = point.movers {
            let [a, b] = [a, b].map(|i| self.pattern.place[i.get()]);
            let ([row, column], arms) =
                if a > b { ([a, b], point.arms) } else { ([b, a], [point.arms[1], point.arms[0]]) };
            let block = self.pattern.block(row, column);
            add_stiffness(&mut self.below[block], &-*s, arms);
        }
    }

    /// Adds the symmetric stiffness `s` against relative rotation, world axes, kg m^2.
    pub(super) fn add_couple(&mut self, movers: [Option<MoverIndex>; 2], s: &DMat3) {
        for i in movers.into_iter().flatten() {
            add(&mut self.diagonal[self.pattern.place[i.get()] as usize], [3, 3], s);
        }
        if let [Some(a), Some(b)] = movers {
            let [a, b] = [a, b].map(|i| self.pattern.place[i.get()]);
            let block = self.pattern.block(a.max(b), a.min(b));
            add(&mut self.below[block], [3, 3], &-*s);
        }
    }

    /// Cholesky factorisation in place; false if the matrix is not positive definite.
    pub(super) fn factorise(&mut self) -> bool {
        let Self { pattern, diagonal, below, knots } = self;
        let mut changed = pattern.changed.iter();
        for column in 0..pattern.order.len() {
            let blocks = pattern.begin[column]..pattern.begin[column + 1];
            if let Some(Some(knot)) = knots.get_mut(column) {
                let at = pattern.changed.len() - changed.len();
                let pairs = blocks.len() * blocks.len().saturating_sub(1) / 2;
                if !(Parts { pattern, diagonal, below, right: &mut [] }).eliminate(column, knot, at) {
                    return false;
                }
                changed = pattern.changed[at + pairs..].iter();
                continue;
            }
            let pivot = &mut diagonal[column];
            if !cholesky(pivot) {
                return false;
            }
            let pivot = *pivot;
            // The blocks changed below belong to later columns.
            let first_later = blocks.end;
            let (known, later) = below.split_at_mut(first_later);
            let rows = &pattern.rows[blocks.clone()];
            let blocks = &mut known[blocks];
            blocks.iter_mut().for_each(|block| divide(block, &pivot));
            for second in 0..blocks.len() {
                let to = &mut diagonal[rows[second] as usize];
                // Joints need both halves of what is symmetric.
                match knots.is_empty() {
                    true => subtract_square(to, &blocks[second]),
                    false => subtract_product(to, &blocks[second], &blocks[second]),
                }
                for (first, &to) in (second + 1..blocks.len()).zip(&mut changed) {
                    subtract_product(&mut later[to as usize - first_later], &blocks[first], &blocks[second]);
                }
            }
        }
        true
    }

    /// Solves with the pivot of a column alone, in place.
    pub(super) fn solve_alone(&self, column: usize, x: &mut [f64]) {
        let pivot = &self.diagonal[column];
        for k in 0..6 {
            x[k] /= pivot[k][k];
            for i in k + 1..6 {
                x[i] -= pivot[k][i] * x[k];
            }
        }
        for k in (0..6).rev() {
            let known: f64 = (k + 1..6).map(|i| pivot[k][i] * x[i]).sum();
            x[k] = (x[k] - known) / pivot[k][k];
        }
    }

    /// Solves with the factor, in place; six numbers for every body.
    pub(super) fn solve(&self, right: &mut [f64]) {
        let range = |place: u32| 6 * self.pattern.order[place as usize] as usize;
        for column in 0..self.pattern.order.len() {
            if let Some(Some(knot)) = self.knots.get(column) {
                knot.reduce(column, &self.below, &self.pattern, right);
                continue;
            }
            let pivot = &self.diagonal[column];
            let mut x = six(right, range(column as u32));
            for k in 0..6 {
                x[k] /= pivot[k][k];
                for i in k + 1..6 {
                    x[i] -= pivot[k][i] * x[k];
                }
            }
            right[range(column as u32)..][..6].copy_from_slice(&x);
            for block in self.pattern.begin[column]..self.pattern.begin[column + 1] {
                subtract(six_of(right, range(self.pattern.rows[block])), &self.below[block], &x);
            }
        }
        for column in (0..self.pattern.order.len()).rev() {
            if let Some(Some(knot)) = self.knots.get(column) {
                knot.resolve(column, &self.below, &self.pattern, right);
                continue;
            }
            let pivot = &self.diagonal[column];
            let mut x = six(right, range(column as u32));
            for block in self.pattern.begin[column]..self.pattern.begin[column + 1] {
                let from = six(right, range(self.pattern.rows[block]));
                for (x, column) in x.iter_mut().zip(&self.below[block]) {
                    *x -= column.iter().zip(&from).map(|(entry, from)| entry * from).sum::<f64>();
                }
            }
            for k in (0..6).rev() {
                let known: f64 = (k + 1..6).map(|i| pivot[k][i] * x[i]).sum();
                x[k] = (x[k] - known) / pivot[k][k];
            }
            right[range(column as u32)..][..6].copy_from_slice(&x);
        }
    }
}

/// Cholesky factorisation of a block on the diagonal; entries above the diagonal are not touched.
fn cholesky(block: &mut Block6) -> bool {
    for k in 0..6 {
        let (known, rest) = block.split_at_mut(k);
        let column = &mut rest[0];
        for before in known {
            let factor = before[k];
            column.iter_mut().zip(before).skip(k).for_each(|(entry, before)| *entry -= *before * factor);
        }
        let pivot = column[k];
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        let inverse = 1.0 / pivot.sqrt();
        column[k..].iter_mut().for_each(|entry| *entry *= inverse);
    }
    true
}

/// Replaces a block by `X` such that `X L^T` is the block, with `L` the factor on the diagonal.
fn divide(block: &mut Block6, factor: &Block6) {
    for k in 0..6 {
        let (known, rest) = block.split_at_mut(k);
        for (before, factor) in known.iter().zip(factor) {
            rest[0].iter_mut().zip(before).for_each(|(entry, before)| *entry -= before * factor[k]);
        }
        let inverse = 1.0 / factor[k][k];
        block[k].iter_mut().for_each(|entry| *entry *= inverse);
    }
}

/// `to -= block block^T`, on and below the diagonal.
fn subtract_square(to: &mut Block6, block: &Block6) {
    for j in 0..6 {
        for column in block {
            for i in j..6 {
                to[j][i] -= column[i] * column[j];
            }
        }
    }
}

/// `to -= first second^T`.
fn subtract_product(to: &mut Block6, first: &Block6, second: &Block6) {
    for j in 0..6 {
        let mut column = to[j];
        for k in 0..6 {
            for i in 0..6 {
                column[i] -= first[k][i] * second[k][j];
            }
        }
        to[j] = column;
    }
}

#[cfg(test)]
mod tests {
    use super::super::naive::{Contact, contacts, masses, product, sites};
    use super::BlockMatrix;
    use glam::{DMat3, DVec3};
    use proptest::prelude::*;

    proptest! {
        /// Solving undoes the product, for bodies that touch each other in any way.
        #[test]
        fn solving_undoes_the_product(
            count in 1u32..12,
            contacts in contacts(),
            v in prop::collection::vec(-1.0..1.0f64, 72),
        ) {
            let masses = masses(count);
            let stiffness = |contact: &Contact| DMat3::from_diagonal(DVec3::new(contact.4, 1.0, 0.0));
            let points = sites(count, &contacts, stiffness);
            let plain: Vec<_> = points.iter().map(|(point, _)| *point).collect();
            let mut matrix = BlockMatrix::default();
            matrix.lay_out(count as usize, &plain, &[]);
            matrix.set_masses(&masses);
            points.iter().for_each(|(point, s)| matrix.add_point(point, s));
            prop_assert!(matrix.factorise());
            let v = &v[..6 * count as usize];
            let mut found = product(&masses, &points, v);
            matrix.solve(&mut found);
            for (found, wanted) in found.iter().zip(v) {
                prop_assert!((found - wanted).abs() < 1e-11, "{found} for {wanted}");
            }
        }
    }
}
