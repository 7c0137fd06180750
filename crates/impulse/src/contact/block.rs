//! Blocks of six by six numbers: the coupling of two bodies with six degrees of freedom each.

use glam::{DMat3, DVec3};

/// A six by six matrix in columns.
pub(super) type Block6 = [[f64; 6]; 6];

/// Six consecutive numbers of a slice.
pub(super) fn six(values: &[f64], at: usize) -> [f64; 6] {
    let mut six = [0.0; 6];
    six.copy_from_slice(&values[at..at + 6]);
    six
}

/// The same in place.
pub(super) fn six_of(values: &mut [f64], at: usize) -> &mut [f64; 6] {
    (&mut values[at..at + 6]).try_into().expect("these are six")
}

/// `to -= block x`.
pub(super) fn subtract(to: &mut [f64; 6], block: &Block6, x: &[f64; 6]) {
    let mut sum = *to;
    for (column, x) in block.iter().zip(x) {
        for i in 0..6 {
            sum[i] -= column[i] * x;
        }
    }
    *to = sum;
}

/// Adds a three by three matrix to a block, at a row and a column.
pub(super) fn add(block: &mut Block6, [row, column]: [usize; 2], part: &DMat3) {
    for j in 0..3 {
        for i in 0..3 {
            block[column + j][row + i] += part.col(j)[i];
        }
    }
}

/// Adds the contribution of a stiffness `S` at two arms. With `u = v - r~ w` its four parts are `S`, `-S q~`, `r~ S` and `-r~ S q~` (the
/// transpose of `-r~` is `r~`); products with `r~` are cross products of columns, those with `q~` of rows.
pub(super) fn add_stiffness(block: &mut Block6, s: &DMat3, [r, q]: [DVec3; 2]) {
    let across = |by: DVec3, m: &DMat3| DMat3::from_cols(by.cross(m.x_axis), by.cross(m.y_axis), by.cross(m.z_axis));
    let s_q = across(q, &s.transpose()).transpose();
    let (r_s, r_s_q) = (across(r, s), across(r, &s_q));
    for j in 0..3 {
        add_column(&mut block[j], s.col(j), r_s.col(j));
        add_column(&mut block[3 + j], s_q.col(j), r_s_q.col(j));
    }
}

fn add_column(column: &mut [f64; 6], upper: DVec3, lower: DVec3) {
    let sum = [upper.x, upper.y, upper.z, lower.x, lower.y, lower.z];
    column.iter_mut().zip(sum).for_each(|(entry, part)| *entry += part);
}
