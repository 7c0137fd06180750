//! Joints inside the factorisation (section 5.3, in the joint solve of 8.1): a column whose mover is tied to another is eliminated
//! by `v_i = X v_p + S q'`.
//!
//! With `D = S^T A_ii S` plus what acts along the freedoms, `U_j = S^T A_ij` and `V_j = A_ji S` for the neighbours `j` of `i`, where the
//! parent is one whether it touches `i` or not, the rest of the matrix loses `V_j D^-1 U_k`. With masses alone that is the propagation
//! of impulses through articulated bodies.

use super::block::{Block6, six};
use super::pattern::Pattern;
use super::problem::MoverIndex;
use super::tie::{FREEDOMS, Tie, Velocity};
use glam::{DMat3, DVec3};

/// The tie of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    /// Six numbers for each freedom.
    columns: [[f64; 6]; FREEDOMS],
    freedoms: usize,
    arm: DVec3,
    /// The parent's column; `None` for what impulses do not move.
    parent: Option<u32>,
    /// What meets the rates of the freedoms besides the matrix: that of all, and of the first one more.
    pub(super) besides: [f64; 2],
    /// `D^-1`, once the column is eliminated.
    pub(super) inverse: DMat3,
}

/// Some columns of a block: six numbers for each freedom.
type Slim = [[f64; 6]; FREEDOMS];

/// The parts of a matrix that elimination changes.
pub(super) struct Parts<'a> {
    pub(super) pattern: &'a Pattern,
    pub(super) diagonal: &'a mut [Block6],
    pub(super) below: &'a mut [Block6],
    /// Right of the diagonal; empty for a symmetric matrix.
    pub(super) right: &'a mut [Block6],
}

impl Knot {
    pub(super) fn new(tie: &Tie, place: impl Fn(MoverIndex) -> u32) -> Self {
        Self {
            columns: tie
                .columns
                .map(|Velocity { linear, angular }| [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]),
            freedoms: tie.freedoms,
            arm: tie.arm,
            parent: tie.parent.map(place),
            besides: [0.0; 2],
            inverse: DMat3::ZERO,
        }
    }

    /// `block S`.
    fn times(&self, block: &Block6) -> Slim {
        let mut product = Slim::default();
        for (to, column) in product.iter_mut().zip(&self.columns).take(self.freedoms) {
            for (entries, x) in block.iter().zip(column) {
                to.iter_mut().zip(entries).for_each(|(to, entry)| *to += entry * x);
            }
        }
        product
    }

    /// `(S^T block)^T`.
    fn times_left(&self, block: &Block6) -> Slim {
        let mut product = Slim::default();
        for (to, column) in product.iter_mut().zip(&self.columns).take(self.freedoms) {
            for (to, entries) in to.iter_mut().zip(block) {
                *to = dot(entries, column);
            }
        }
        product
    }

    /// `S^T x`.
    fn along(&self, x: &[f64; 6]) -> DVec3 {
        let mut along = DVec3::ZERO;
        for (k, column) in self.columns.iter().enumerate().take(self.freedoms) {
            along[k] = dot(column, x);
        }
        along
    }

    /// Finds `D^-1`; false where there is none.
    fn invert(&mut self, a_s: &Slim) -> bool {
        let mut d = DMat3::ZERO;
        for (k, column) in a_s.iter().enumerate().take(self.freedoms) {
            let mut along = self.along(column);
            along[k] += self.besides[0] + if k == 0 { self.besides[1] } else { 0.0 };
            *d.col_mut(k) = along;
        }
        match self.freedoms {
            0 => {}
            1 => {
                self.inverse = DMat3::ZERO;
                self.inverse.x_axis.x = 1.0 / d.x_axis.x;
            }
            _ => self.inverse = d.inverse(),
        }
        (0..self.freedoms).all(|k| d.col(k)[k] > 0.0) && self.inverse.is_finite()
    }

    /// The first half of a solve: takes the link's right side and hands on what the others get of it.
    pub(super) fn reduce(&self, column: usize, below: &[Block6], pattern: &Pattern, right: &mut [f64]) {
        let range = |place: u32| 6 * pattern.order[place as usize] as usize;
        let own = range(column as u32);
        let x = six(right, own);
        let y = self.along(&x);
        if let Some(parent) = self.parent {
            let moved = shifted_back(&x, self.arm);
            right[range(parent)..][..6].iter_mut().zip(moved).for_each(|(to, x)| *to += x);
        }
        let solved = self.inverse * y;
        for block in pattern.begin[column]..pattern.begin[column + 1] {
            let to = &mut right[range(pattern.rows[block])..][..6];
            for (entries, x) in below[block].iter().zip(solved.to_array()).take(self.freedoms) {
                to.iter_mut().zip(entries).for_each(|(to, entry)| *to -= entry * x);
            }
        }
        right[own..own + FREEDOMS].copy_from_slice(&y.to_array());
    }

    /// The second half: the link's velocity from those of its neighbours. `upper` holds the `U_j`, transposed.
    pub(super) fn resolve(&self, column: usize, upper: &[Block6], pattern: &Pattern, right: &mut [f64]) {
        let range = |place: u32| 6 * pattern.order[place as usize] as usize;
        let own = range(column as u32);
        let mut y = DVec3::from_slice(&right[own..own + FREEDOMS]);
        let blocks = pattern.begin[column]..pattern.begin[column + 1];
        for (&row, block) in pattern.rows[blocks.clone()].iter().zip(&upper[blocks]) {
            let from = six(right, range(row));
            for (k, entries) in block.iter().enumerate().take(self.freedoms) {
                y[k] -= dot(entries, &from);
            }
        }
        let rates = self.inverse * y;
        let mut velocity = match self.parent {
            Some(parent) => shifted(&six(right, range(parent)), self.arm),
            None => [0.0; 6],
        };
        for (column, rate) in self.columns.iter().zip(rates.to_array()).take(self.freedoms) {
            velocity.iter_mut().zip(column).for_each(|(v, c)| *v += c * rate);
        }
        right[own..own + 6].copy_from_slice(&velocity);
    }

    /// The response of the child to impulses on itself, given that of its parent and `V_p` of a matrix of masses alone: the velocity that a
    /// unit of each of the six impulses gives.
    pub(super) fn response(&self, parent: Option<(&Block6, &Block6)>) -> Block6 {
        let mut response = Block6::default();
        if let Some((of_parent, v_p)) = parent {
            // What a velocity of the parent does to the child: X - S D^-1 V^T, row by row of the result.
            let mut passed = Block6::default();
            for (k, to) in passed.iter_mut().enumerate() {
                let mut unit = [0.0; 6];
                unit[k] = 1.0;
                *to = self.carried_along(&unit, v_p);
            }
            // passed of_parent passed^T.
            let mut half = Block6::default();
            for (to, from) in half.iter_mut().zip(of_parent) {
                for (column, x) in passed.iter().zip(from) {
                    to.iter_mut().zip(column).for_each(|(to, c)| *to += c * x);
                }
            }
            for (j, to) in response.iter_mut().enumerate() {
                for (column, other) in half.iter().zip(&passed) {
                    to.iter_mut().zip(column).for_each(|(to, c)| *to += c * other[j]);
                }
            }
        }
        for (j, to) in response.iter_mut().enumerate() {
            let mut own = DVec3::ZERO;
            (0..self.freedoms).for_each(|k| own[k] = self.columns[k][j]);
            let rates = self.inverse * own;
            for (column, rate) in self.columns.iter().zip(rates.to_array()).take(self.freedoms) {
                to.iter_mut().zip(column).for_each(|(to, c)| *to += c * rate);
            }
        }
        response
    }

    fn carried_along(&self, of_parent: &[f64; 6], v_p: &Block6) -> [f64; 6] {
        let mut met = DVec3::ZERO;
        (0..self.freedoms).for_each(|k| met[k] = dot(&v_p[k], of_parent));
        let rates = self.inverse * met;
        let mut velocity = shifted(of_parent, self.arm);
        for (column, rate) in self.columns.iter().zip(rates.to_array()).take(self.freedoms) {
            velocity.iter_mut().zip(column).for_each(|(v, c)| *v -= c * rate);
        }
        velocity
    }
}

impl Parts<'_> {
    /// Eliminates a tied column; `changed` is where the blocks are listed that its products change. False where `D` is singular.
    pub(super) fn eliminate(&mut self, column: usize, knot: &mut Knot, changed: usize) -> bool {
        let blocks = self.pattern.begin[column]..self.pattern.begin[column + 1];
        if self.right.is_empty() && !blocks.is_empty() {
            // Rounding that is not symmetric would grow from link to link, since `V` stands for `U` as well.
            self.diagonal[column] = symmetric(&self.diagonal[column]);
        }
        let own = self.diagonal[column];
        let a_s = knot.times(&own);
        if !knot.invert(&a_s) {
            return false;
        }
        let a_t = if self.right.is_empty() { a_s } else { knot.times_left(&own) };
        let parent = knot.parent.map(|p| self.pattern.block(p, column as u32) - blocks.start);
        if let Some(p) = parent {
            self.shift(column, knot, p, changed);
        }
        for (k, block) in blocks.clone().enumerate() {
            let is_parent = parent == Some(k);
            let v = with_parent(knot.times(&self.below[block]), &a_s, is_parent.then_some(knot.arm));
            put(&mut self.below[block], &v);
            if let Some(right) = self.right.get_mut(block) {
                let u = with_parent(knot.times_left(right), &a_t, is_parent.then_some(knot.arm));
                put(right, &u);
            }
        }
        self.subtract(column, knot, changed);
        true
    }

    /// Hands the link's couplings on to its parent, which is neighbour `p`.
    fn shift(&mut self, column: usize, knot: &Knot, p: usize, changed: usize) {
        let Self { pattern, diagonal, below, right } = self;
        let begin = pattern.begin[column];
        let count = pattern.begin[column + 1] - begin;
        let arm = knot.arm;
        for k in 0..count {
            let down = below[begin + k];
            let across = if right.is_empty() { transposed(&down) } else { right[begin + k] };
            // B_k X and X^T C_k.
            let (down, across) = (times_shift(&down, arm), shift_times(&across, arm));
            if k == p {
                let row = pattern.rows[begin + p] as usize;
                let both = times_shift(&shift_times(&diagonal[column], arm), arm);
                [down, across, both].iter().for_each(|part| add_block(&mut diagonal[row], part));
                continue;
            }
            let to = pattern.changed[changed + pair_index(count, k.min(p), k.max(p))] as usize;
            let (lower, upper) = if k > p { (&down, &across) } else { (&across, &down) };
            add_block(&mut below[to], lower);
            if let Some(right) = right.get_mut(to) {
                add_block(right, upper);
            }
        }
    }

    /// Subtracts `V_j D^-1 U_k` from the blocks of all pairs of neighbours.
    fn subtract(&mut self, column: usize, knot: &Knot, changed: usize) {
        let Self { pattern, diagonal, below, right } = self;
        let begin = pattern.begin[column];
        let count = pattern.begin[column + 1] - begin;
        let (n, is_general) = (knot.freedoms, !right.is_empty());
        for second in 0..count {
            let v_second = slim(&below[begin + second]);
            let u_second = if is_general { slim(&right[begin + second]) } else { v_second };
            let row = pattern.rows[begin + second] as usize;
            subtract_outer(&mut diagonal[row], &v_second, &knot.inverse, &u_second, n);
            for first in second + 1..count {
                let to = pattern.changed[changed + pair_index(count, second, first)] as usize;
                let v_first = slim(&below[begin + first]);
                subtract_outer(&mut below[to], &v_first, &knot.inverse, &u_second, n);
                if is_general {
                    let u_first = slim(&right[begin + first]);
                    subtract_outer(&mut right[to], &v_second, &knot.inverse, &u_first, n);
                }
            }
        }
    }
}

/// Place of a pair of neighbours, the first smaller, among all pairs of `count`.
fn pair_index(count: usize, second: usize, first: usize) -> usize {
    second * (2 * count - second - 1) / 2 + (first - second - 1)
}

/// `to -= v inverse u^T`.
fn subtract_outer(to: &mut Block6, v: &Slim, inverse: &DMat3, u: &Slim, freedoms: usize) {
    for (j, to) in to.iter_mut().enumerate() {
        let mut met = DVec3::ZERO;
        (0..freedoms).for_each(|k| met[k] = u[k][j]);
        let rates = *inverse * met;
        for (column, rate) in v.iter().zip(rates.to_array()).take(freedoms) {
            to.iter_mut().zip(column).for_each(|(to, c)| *to -= c * rate);
        }
    }
}

/// What a neighbour meets, with what the link itself does through its parent.
fn with_parent(mut of_block: Slim, of_link: &Slim, arm: Option<DVec3>) -> Slim {
    if let Some(arm) = arm {
        for (to, own) in of_block.iter_mut().zip(of_link) {
            to.iter_mut().zip(shifted_back(own, arm)).for_each(|(to, x)| *to += x);
        }
    }
    of_block
}

fn put(block: &mut Block6, columns: &Slim) {
    block[..FREEDOMS].copy_from_slice(columns);
}

fn slim(block: &Block6) -> Slim {
    [block[0], block[1], block[2]]
}

fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_block(to: &mut Block6, block: &Block6) {
    for (to, from) in to.iter_mut().zip(block) {
        to.iter_mut().zip(from).for_each(|(to, x)| *to += x);
    }
}

/// The symmetric part of a block.
fn symmetric(block: &Block6) -> Block6 {
    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (block[i][j] + block[j][i])))
}

fn transposed(block: &Block6) -> Block6 {
    std::array::from_fn(|i| std::array::from_fn(|j| block[j][i]))
}

/// `X v`.
fn shifted(v: &[f64; 6], arm: DVec3) -> [f64; 6] {
    let w = DVec3::new(v[3], v[4], v[5]);
    let linear = DVec3::new(v[0], v[1], v[2]) + w.cross(arm);
    [linear.x, linear.y, linear.z, w.x, w.y, w.z]
}

/// `X^T r`.
fn shifted_back(r: &[f64; 6], arm: DVec3) -> [f64; 6] {
    let force = DVec3::new(r[0], r[1], r[2]);
    let moment = DVec3::new(r[3], r[4], r[5]) + arm.cross(force);
    [force.x, force.y, force.z, moment.x, moment.y, moment.z]
}

/// `X^T block`.
fn shift_times(block: &Block6, arm: DVec3) -> Block6 {
    block.map(|column| shifted_back(&column, arm))
}

/// `block X`: the columns of velocities stay, those of angular velocities get what turning does at the end of the arm.
fn times_shift(block: &Block6, arm: DVec3) -> Block6 {
    let mut product = *block;
    for (k, axis) in DVec3::AXES.into_iter().enumerate() {
        let moved = axis.cross(arm);
        for (column, share) in block[..3].iter().zip(moved.to_array()) {
            product[3 + k].iter_mut().zip(column).for_each(|(to, c)| *to += c * share);
        }
    }
    product
}
