//! A symmetric positive matrix over bodies, six rows each, of which nothing is kept before a row's first entry (8.1).
//!
//! Bodies are numbered breadth first along their contacts, so that those in contact have near numbers: in chains and stacks
//! the cost grows with the number of contacts.

use super::problem::ContactPoint;
use crate::math::cross_matrix;
use glam::{DMat3, DVec3};

/// The matrix `M + J^T S J` and its factor. Kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Envelope {
    /// Place of every mover.
    place: Vec<u32>,
    /// First column of every row, and where its entries begin.
    first: Vec<u32>,
    begin: Vec<usize>,
    entries: Vec<f64>,
    queue: Vec<u32>,
}

impl Envelope {
    /// Orders the bodies and finds where entries can be.
    pub(super) fn lay_out(&mut self, count: usize, points: &[ContactPoint]) {
        self.order(count, points);
        let rows = 6 * count;
        self.first.clear();
        self.first.extend((0..rows as u32).map(|row| row / 6 * 6));
        for point in points {
            if let [Some(a), Some(b)] = point.movers {
                let (a, b) = (self.place[a as usize], self.place[b as usize]);
                let (low, high) = (a.min(b), a.max(b));
                for first in &mut self.first[6 * high as usize..6 * high as usize + 6] {
                    *first = (*first).min(6 * low);
                }
            }
        }
        self.begin.clear();
        let mut total = 0;
        for row in 0..rows {
            self.begin.push(total);
            total += row + 1 - self.first[row] as usize;
        }
        self.entries.clear();
        self.entries.resize(total, 0.0);
    }

    fn order(&mut self, count: usize, points: &[ContactPoint]) {
        self.place.clear();
        self.place.resize(count, u32::MAX);
        self.queue.clear();
        for seed in 0..count as u32 {
            self.enter(seed);
            let mut done = self.queue.len() - 1;
            while done < self.queue.len() {
                let here = self.queue[done];
                done += 1;
                for point in points {
                    match point.movers {
                        [Some(a), Some(b)] if a == here => self.enter(b),
                        [Some(a), Some(b)] if b == here => self.enter(a),
                        _ => {}
                    }
                }
            }
        }
    }

    fn enter(&mut self, body: u32) {
        if self.place[body as usize] == u32::MAX {
            self.place[body as usize] = self.queue.len() as u32;
            self.queue.push(body);
        }
    }

    /// First of a mover's six rows.
    pub(super) fn row(&self, mover: u32) -> usize {
        6 * self.place[mover as usize] as usize
    }

    /// Begins with the masses alone.
    pub(super) fn set_masses(&mut self, masses: &[(f64, DMat3)]) {
        self.entries.fill(0.0);
        for (i, (mass, inertia)) in masses.iter().enumerate() {
            let row = self.row(i as u32);
            self.add(row, row, &DMat3::from_diagonal(DVec3::splat(*mass)));
            self.add(row + 3, row + 3, inertia);
        }
    }

    /// Adds `J^T S J` of a point with the symmetric stiffness `s`, world axes, kg.
    pub(super) fn add_point(&mut self, point: &ContactPoint, s: &DMat3) {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(i) = point.movers[side] else { continue };
            let row = self.row(i);
            let r = cross_matrix(point.arms[side]);
            for (other, other_sign) in [(0, 1.0), (1, -1.0)] {
                let Some(j) = point.movers[other] else { continue };
                let column = self.row(j);
                if column > row {
                    continue;
                }
                // u = v - r~ w, so the four blocks are S, -S q~, r~ S and -r~ S q~ (the transpose of -r~ is r~).
                let q = cross_matrix(point.arms[other]);
                let s = *s * (sign * other_sign);
                self.add(row, column, &s);
                self.add(row + 3, column, &(r * s));
                self.add(row + 3, column + 3, &(r * s * q * -1.0));
                if column < row {
                    self.add(row, column + 3, &(s * q * -1.0));
                }
            }
        }
    }

    /// Adds the symmetric stiffness `s` against relative rotation, world axes, kg m^2.
    pub(super) fn add_couple(&mut self, movers: [Option<u32>; 2], s: &DMat3) {
        for (i, sign) in movers.into_iter().zip([1.0, -1.0]) {
            for (j, other_sign) in movers.into_iter().zip([1.0, -1.0]) {
                let (Some(i), Some(j)) = (i, j) else { continue };
                let (row, column) = (self.row(i), self.row(j));
                if column <= row {
                    self.add(row + 3, column + 3, &(*s * (sign * other_sign)));
                }
            }
        }
    }

    /// Adds a 3x3 block; of blocks on the diagonal the lower half.
    fn add(&mut self, row: usize, column: usize, block: &DMat3) {
        for i in 0..3 {
            let start = self.begin[row + i] + column - self.first[row + i] as usize;
            for j in 0..3 {
                if column + j <= row + i {
                    self.entries[start + j] += block.col(j)[i];
                }
            }
        }
    }

    /// Cholesky in place; false where the matrix is not positive.
    pub(super) fn factorise(&mut self) -> bool {
        for row in 0..self.first.len() {
            let first = self.first[row] as usize;
            let (above, this) = self.entries.split_at_mut(self.begin[row]);
            for column in first..row {
                let column_first = self.first[column] as usize;
                let from = first.max(column_first);
                let start = self.begin[column] - column_first;
                let product = dot(&this[from - first..column - first], &above[start + from..start + column]);
                this[column - first] = (this[column - first] - product) / above[start + column];
            }
            let known = &this[..row - first];
            let value = this[row - first] - dot(known, known);
            if value.is_nan() || value <= 0.0 {
                return false;
            }
            this[row - first] = value.sqrt();
        }
        true
    }

    /// Solves with the factor, in place.
    pub(super) fn solve(&self, right: &mut [f64]) {
        let rows = self.first.len();
        for row in 0..rows {
            let (first, begin) = (self.first[row] as usize, self.begin[row]);
            let known = dot(&self.entries[begin..begin + row - first], &right[first..row]);
            right[row] = (right[row] - known) / self.entries[begin + row - first];
        }
        for row in (0..rows).rev() {
            let (first, begin) = (self.first[row] as usize, self.begin[row]);
            right[row] /= self.entries[begin + row - first];
            let value = right[row];
            for (r, entry) in right[first..row].iter_mut().zip(&self.entries[begin..]) {
                *r -= entry * value;
            }
        }
    }
}

/// Four sums side by side: the order of summation is fixed, and the processor need not wait.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a_chunks, b_chunks) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_chunks.zip(b_chunks) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
