//! All points at once as if none gave way: a linear system over the bodies, sparse as the contacts are (8.1).
//!
//! With `S` a stiffness far above what the masses need, `(M + J^T S J) dv = J^T S (target - u)` brings all points within a
//! millionth of their targets, redundant or not; repeating it for what is left, within rounding. The matrix has six rows for
//! each body; bodies are numbered so that those in contact have near numbers, and nothing is kept before a row's first entry.

use super::problem::{ContactPoint, Mover};
use glam::{DMat3, DVec3};

/// Stiffness of the points relative to their own collision matrix.
const STIFFNESS: f64 = 1e7;

/// Repetitions: each leaves about the inverse of the stiffness.
const REPEATS: usize = 3;

/// How a point takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// Not at all.
    Free,
    /// Along the normal.
    Normal,
    /// In all directions.
    Stick,
}

/// Room for the system, kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    /// Row in which every mover's six begin, divided by six.
    place: Vec<u32>,
    /// First column of every row, and where its entries begin.
    first: Vec<u32>,
    begin: Vec<usize>,
    entries: Vec<f64>,
    right: Vec<f64>,
    /// What every point misses of its target.
    missing: Vec<DVec3>,
    queue: Vec<u32>,
}

impl Direct {
    /// Brings the velocities of all points to their targets as far as `holds` say; false where rounding forbids it.
    pub(super) fn meet(&mut self, movers: &mut [Mover], points: &mut [ContactPoint], holds: &[Hold]) -> bool {
        self.assemble(movers, points, holds);
        if !self.factorise() {
            return false;
        }
        for _ in 0..REPEATS {
            self.push(movers, points, holds);
        }
        true
    }

    /// Orders the bodies breadth first, so that those in contact are near each other.
    pub(super) fn order(&mut self, count: usize, points: &[ContactPoint]) {
        self.place.clear();
        self.place.resize(count, u32::MAX);
        self.queue.clear();
        let mut next = 0;
        for seed in 0..count as u32 {
            if self.place[seed as usize] != u32::MAX {
                continue;
            }
            self.place[seed as usize] = next;
            next += 1;
            self.queue.push(seed);
            let mut done = self.queue.len() - 1;
            while done < self.queue.len() {
                let here = self.queue[done];
                done += 1;
                for point in points {
                    let [Some(a), Some(b)] = point.movers else { continue };
                    let other = if a == here { b } else if b == here { a } else { continue };
                    if self.place[other as usize] == u32::MAX {
                        self.place[other as usize] = next;
                        next += 1;
                        self.queue.push(other);
                    }
                }
            }
        }
    }

    fn assemble(&mut self, movers: &[Mover], points: &[ContactPoint], holds: &[Hold]) {
        let rows = 6 * movers.len();
        self.first.clear();
        self.first.extend((0..rows as u32).map(|row| row / 6 * 6));
        for point in points {
            if let [Some(a), Some(b)] = point.movers {
                let (a, b) = (self.place[a as usize], self.place[b as usize]);
                let (low, high) = (a.min(b), a.max(b));
                for row in 6 * high..6 * high + 6 {
                    let first = &mut self.first[row as usize];
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
        for (i, mover) in movers.iter().enumerate() {
            let row = 6 * self.place[i] as usize;
            self.add(row, row, &DMat3::from_diagonal(DVec3::splat(1.0 / mover.inverse_mass)));
            self.add(row + 3, row + 3, &mover.inverse_inertia.inverse());
        }
        for (point, &hold) in points.iter().zip(holds) {
            self.add_point(point, hold);
        }
    }

    /// Adds `J^T S J` of a point.
    fn add_point(&mut self, point: &ContactPoint, hold: Hold) {
        if hold == Hold::Free {
            return;
        }
        let mask = DMat3::from_diagonal(held(hold, DVec3::ONE));
        let s = point.frame * mask * point.frame.transpose() * stiffness(point);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(i) = point.movers[side] else { continue };
            let row = 6 * self.place[i as usize] as usize;
            let r = crate::math::cross_matrix(point.arms[side]);
            for (other, other_sign) in [(0, 1.0), (1, -1.0)] {
                let Some(j) = point.movers[other] else { continue };
                let column = 6 * self.place[j as usize] as usize;
                if column > row {
                    continue;
                }
                let q = crate::math::cross_matrix(point.arms[other]);
                // u = v - r~ w, so the four blocks are S, -S q~, r~ S and -r~ S q~ (the transpose of -r~ is r~).
                let factor = sign * other_sign;
                self.add(row, column, &(s * factor));
                self.add(row + 3, column, &(r * s * factor));
                if column < row {
                    self.add(row, column + 3, &(s * q * -factor));
                }
                self.add(row + 3, column + 3, &(r * s * q * -factor));
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

    /// Cholesky within the envelope; false where the matrix is not positive.
    fn factorise(&mut self) -> bool {
        for row in 0..self.first.len() {
            let first = self.first[row] as usize;
            for column in first..=row {
                let from = first.max(self.first[column] as usize);
                let a = self.begin[row] - first + from;
                let b = self.begin[column] - self.first[column] as usize + from;
                let length = column - from;
                let product: f64 =
                    self.entries[a..a + length].iter().zip(&self.entries[b..b + length]).map(|(x, y)| x * y).sum();
                let place = self.begin[row] + column - first;
                let value = self.entries[place] - product;
                if column < row {
                    let pivot = self.entries[self.begin[column] + column - self.first[column] as usize];
                    self.entries[place] = value / pivot;
                } else if value > 0.0 {
                    self.entries[place] = value.sqrt();
                } else {
                    return false;
                }
            }
        }
        true
    }

    /// One correction of all impulses.
    fn push(&mut self, movers: &mut [Mover], points: &mut [ContactPoint], holds: &[Hold]) {
        self.right.clear();
        self.right.resize(6 * movers.len(), 0.0);
        self.missing.clear();
        for (point, &hold) in points.iter().zip(holds) {
            let missing = held(hold, point.target - point.velocity(movers));
            self.missing.push(missing);
            self.load(point, point.frame * (stiffness(point) * missing));
        }
        self.substitute();
        for (i, (point, &hold)) in points.iter_mut().zip(holds).enumerate() {
            let left = held(hold, self.missing[i] - self.gained(point));
            let impulse = stiffness(point) * left;
            point.impulse += impulse;
            point.apply(movers, impulse);
        }
    }

    /// Adds a point's force to the right side.
    fn load(&mut self, point: &ContactPoint, force: DVec3) {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(i) = point.movers[side] else { continue };
            let row = 6 * self.place[i as usize] as usize;
            let torque = point.arms[side].cross(force);
            for k in 0..3 {
                self.right[row + k] += sign * force[k];
                self.right[row + 3 + k] += sign * torque[k];
            }
        }
    }

    /// Velocity that the solution gives a point, contact axes.
    fn gained(&self, point: &ContactPoint) -> DVec3 {
        let mut u = DVec3::ZERO;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(i) = point.movers[side] else { continue };
            let row = 6 * self.place[i as usize] as usize;
            let part = |at: usize| DVec3::new(self.right[at], self.right[at + 1], self.right[at + 2]);
            u += sign * (part(row) + part(row + 3).cross(point.arms[side]));
        }
        point.frame.transpose() * u
    }

    /// Solves with the factor, in place.
    fn substitute(&mut self) {
        let rows = self.first.len();
        for row in 0..rows {
            let first = self.first[row] as usize;
            let begin = self.begin[row];
            let known: f64 = (first..row).map(|c| self.entries[begin + c - first] * self.right[c]).sum();
            self.right[row] = (self.right[row] - known) / self.entries[begin + row - first];
        }
        for row in (0..rows).rev() {
            let first = self.first[row] as usize;
            let begin = self.begin[row];
            self.right[row] /= self.entries[begin + row - first];
            let value = self.right[row];
            for c in first..row {
                self.right[c] -= self.entries[begin + c - first] * value;
            }
        }
    }
}

/// Stiffness of a point, kg.
fn stiffness(point: &ContactPoint) -> f64 {
    let k = &point.matrix;
    3.0 * STIFFNESS / (k.x_axis.x + k.y_axis.y + k.z_axis.z)
}

/// The part of a vector that a hold acts on, contact axes.
fn held(hold: Hold, v: DVec3) -> DVec3 {
    match hold {
        Hold::Free => DVec3::ZERO,
        Hold::Normal => DVec3::new(0.0, 0.0, v.z),
        Hold::Stick => v,
    }
}
