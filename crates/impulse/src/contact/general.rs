//! A matrix over bodies in contact that is not symmetric, and its LU factors, in blocks of six (8.1).

use super::block::{Block6, add, add_stiffness, six, six_of, subtract};
use super::jointed::Parts;
use super::pattern::Pattern;
use super::problem::{ContactPoint, MoverIndex};
use super::sparse::BlockMatrix;
use super::tie::Tie;
use crate::math::cross_matrix;
use glam::DMat3;
use std::cmp::Ordering;

/// The matrix `M + J^T B J` and its factors: `L` with unit blocks on the diagonal, and `U`. Its buffers are kept from call to
/// call.
#[derive(Clone, Debug, Default)]
pub(super) struct GeneralMatrix {
    /// On and below the diagonal; factorisation replaces the pivots by their inverses.
    lower: BlockMatrix,
    /// Right of the diagonal, in the mirrored places.
    right: Vec<Block6>,
}

impl GeneralMatrix {
    /// Orders the bodies and finds the blocks that can be non-zero.
    pub(super) fn lay_out(&mut self, count: usize, points: &[ContactPoint], ties: &[Tie]) {
        self.lower.lay_out(count, points, ties);
        self.right.resize(self.lower.below.len(), Block6::default());
    }

    /// Resets the matrix to the masses alone.
    pub(super) fn set_masses(&mut self, masses: &[(f64, DMat3)]) {
        self.lower.set_masses(masses);
        self.right.fill(Block6::default());
    }

    /// What meets the rates of a tie besides the matrix, kg m^2 or kg: its armature, and this stiffness of its first freedom.
    pub(super) fn set_stiffness(&mut self, tie: &Tie, stiffness: f64) {
        self.lower.set_stiffness(tie, stiffness);
    }

    /// Adds `J^T B J` of a point, world axes, kg.
    pub(super) fn add_point(&mut self, point: &ContactPoint, b: &DMat3) {
        self.lower.add_point(point, b);
        if let [Some(first), Some(second)] = point.movers {
            let [first, second] = [first, second].map(|i| self.lower.pattern.place[i.get()]);
            let ([late, early], arms) = if first > second {
                ([first, second], [point.arms[1], point.arms[0]])
            } else {
                ([second, first], point.arms)
            };
            add_stiffness(&mut self.right[self.lower.pattern.block(late, early)], &-*b, arms);
        }
    }

    /// Adds the symmetric stiffness `s` against relative rotation, world axes, kg m^2.
    pub(super) fn add_couple(&mut self, movers: [Option<MoverIndex>; 2], s: &DMat3) {
        self.lower.add_couple(movers, s);
        if let [Some(first), Some(second)] = movers {
            let [a, b] = [first, second].map(|i| self.lower.pattern.place[i.get()]);
            add(&mut self.right[self.lower.pattern.block(a.max(b), a.min(b))], [3, 3], &-*s);
        }
    }

    /// Adds an angular impulse on the first body and its opposite on the second, `-d u` for the relative velocity `u` at a
    /// point, world axes, kg m.
    pub(super) fn add_lever(&mut self, point: &ContactPoint, d: &DMat3) {
        let arms = point.arms.map(cross_matrix);
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let [Some(r), Some(c)] = [point.movers[row], point.movers[column]] else { continue };
            let d = if row == column { *d } else { -*d };
            let [r, c] = [r, c].map(|i| self.lower.pattern.place[i.get()]);
            let block = match r.cmp(&c) {
                Ordering::Equal => &mut self.lower.diagonal[r as usize],
                Ordering::Greater => &mut self.lower.below[self.lower.pattern.block(r, c)],
                Ordering::Less => &mut self.right[self.lower.pattern.block(c, r)],
            };
            add(block, [3, 0], &d);
            add(block, [3, 3], &-(d * arms[column]));
        }
    }

    /// Elimination in place; false where a pivot is singular.
    pub(super) fn factorise(&mut self) -> bool {
        let Self { lower: BlockMatrix { pattern, diagonal, below, knots }, right } = self;
        let mut changed = pattern.changed.iter();
        for column in 0..pattern.order.len() {
            let blocks = pattern.begin[column]..pattern.begin[column + 1];
            if let Some(Some(knot)) = knots.get_mut(column) {
                let at = pattern.changed.len() - changed.len();
                let pairs = blocks.len() * blocks.len().saturating_sub(1) / 2;
                if !(Parts { pattern, diagonal, below, right }).eliminate(column, knot, at) {
                    return false;
                }
                changed = pattern.changed[at + pairs..].iter();
                continue;
            }
            let Some(pivot) = inverse(&diagonal[column]) else { return false };
            diagonal[column] = pivot;
            // The blocks changed below belong to later columns.
            let first_later = blocks.end;
            let (known_below, later_below) = below.split_at_mut(first_later);
            let (known_right, later_right) = right.split_at_mut(first_later);
            let rows = &pattern.rows[blocks.clone()];
            let (lower, upper) = (&mut known_below[blocks.clone()], &known_right[blocks]);
            lower.iter_mut().for_each(|block| *block = product(block, &pivot));
            for second in 0..rows.len() {
                subtract_product(&mut diagonal[rows[second] as usize], &lower[second], &upper[second]);
                for (first, &to) in (second + 1..rows.len()).zip(&mut changed) {
                    let to = to as usize - first_later;
                    subtract_product(&mut later_below[to], &lower[first], &upper[second]);
                    subtract_product(&mut later_right[to], &lower[second], &upper[first]);
                }
            }
        }
        true
    }

    /// Solves with the factors, in place; six numbers for every body.
    pub(super) fn solve(&self, right: &mut [f64]) {
        let BlockMatrix { pattern, diagonal, below, knots } = &self.lower;
        let Pattern { order, begin, rows, .. } = pattern;
        let range = |place: u32| 6 * order[place as usize] as usize;
        for column in 0..order.len() {
            if let Some(Some(knot)) = knots.get(column) {
                knot.reduce(column, below, pattern, right);
                continue;
            }
            let x = six(right, range(column as u32));
            let blocks = begin[column]..begin[column + 1];
            for (&row, block) in rows[blocks.clone()].iter().zip(&below[blocks]) {
                subtract(six_of(right, range(row)), block, &x);
            }
        }
        for column in (0..order.len()).rev() {
            if let Some(Some(knot)) = knots.get(column) {
                // Without couplings both halves are the same.
                let upper = if self.right.is_empty() { below } else { &self.right };
                knot.resolve(column, upper, pattern, right);
                continue;
            }
            let mut y = six(right, range(column as u32));
            let blocks = begin[column]..begin[column + 1];
            for (&row, block) in rows[blocks.clone()].iter().zip(&self.right[blocks]) {
                subtract(&mut y, block, &six(right, range(row)));
            }
            let mut sum = [0.0; 6];
            for (column, y) in diagonal[column].iter().zip(&y) {
                for i in 0..6 {
                    sum[i] += column[i] * y;
                }
            }
            *six_of(right, range(column as u32)) = sum;
        }
    }
}

fn product(first: &Block6, second: &Block6) -> Block6 {
    let mut product = Block6::default();
    for j in 0..6 {
        for k in 0..6 {
            for i in 0..6 {
                product[j][i] += first[k][i] * second[j][k];
            }
        }
    }
    product
}

/// `to -= first second`.
fn subtract_product(to: &mut Block6, first: &Block6, second: &Block6) {
    for j in 0..6 {
        let mut column = to[j];
        for k in 0..6 {
            for i in 0..6 {
                column[i] -= first[k][i] * second[j][k];
            }
        }
        to[j] = column;
    }
}

/// Inverts by elimination with partial pivoting; `None` where the block is singular.
fn inverse(block: &Block6) -> Option<Block6> {
    let (mut left, mut inverse) = (*block, Block6::default());
    (0..6).for_each(|k| inverse[k][k] = 1.0);
    // Velocities and angular velocities have different units, which must not decide.
    let mut units: [f64; 6] = std::array::from_fn(|k| block[k][k].abs());
    for k in 0..6 {
        // Working on columns instead of rows is fine: the inverse of the transpose is the transpose of the inverse.
        let size = |row: usize| left[row][k] * left[row][k] / units[row];
        let largest = (k..6).max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
        left.swap(k, largest);
        inverse.swap(k, largest);
        units.swap(k, largest);
        let pivot = left[k][k];
        if !pivot.is_normal() {
            return None;
        }
        let scale = 1.0 / pivot;
        for i in 0..6 {
            left[k][i] *= scale;
            inverse[k][i] *= scale;
        }
        let (pivot_left, pivot_inverse) = (left[k], inverse[k]);
        for other in (0..6).filter(|&other| other != k) {
            let factor = left[other][k];
            for i in 0..6 {
                left[other][i] -= factor * pivot_left[i];
                inverse[other][i] -= factor * pivot_inverse[i];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::super::naive::{Contact, contacts, masses, product, sites};
    use super::GeneralMatrix;
    use crate::math::outer;
    use glam::{DMat3, DVec3};
    use proptest::prelude::*;

    proptest! {
        /// Solving undoes the product, also where pushing along the normal pulls across it but not the other way round.
        #[test]
        fn solving_undoes_the_product(
            count in 1u32..12,
            contacts in contacts(),
            v in prop::collection::vec(-1.0..1.0f64, 72),
        ) {
            let masses = masses(count);
            let sliding = |contact: &Contact| {
                let across = 0.3 * DVec3::new(contact.2.x, contact.2.y, 0.0);
                DMat3::IDENTITY * 0.1 + outer(DVec3::Z + across, DVec3::Z) * contact.4
            };
            let points = sites(count, &contacts, sliding);
            let plain: Vec<_> = points.iter().map(|(point, _)| *point).collect();
            let mut matrix = GeneralMatrix::default();
            matrix.lay_out(count as usize, &plain, &[]);
            matrix.set_masses(&masses);
            points.iter().for_each(|(point, b)| matrix.add_point(point, b));
            prop_assert!(matrix.factorise());
            let v = &v[..6 * count as usize];
            let mut found = product(&masses, &points, v);
            matrix.solve(&mut found);
            for (found, wanted) in found.iter().zip(v) {
                prop_assert!((found - wanted).abs() < 1e-10, "{found} for {wanted}");
            }
        }
    }
}
