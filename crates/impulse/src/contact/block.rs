//! Blocks of six by six numbers: the coupling of two bodies with six degrees of freedom each.

use glam::DMat3;

/// A six by six matrix in columns.
pub(super) type Block6 = [[f64; 6]; 6];

/// Six consecutive numbers of a slice.
pub(super) fn six(values: &[f64], at: usize) -> [f64; 6] {
    let mut six = [0.0; 6];
    six.copy_from_slice(&values[at..at + 6]);
    six
}

/// Adds a three by three matrix to a block, at a row and a column.
pub(super) fn add(block: &mut Block6, [row, column]: [usize; 2], part: &DMat3) {
    for j in 0..3 {
        for i in 0..3 {
            block[column + j][row + i] += part.col(j)[i];
        }
    }
}

/// Adds the contribution of a stiffness `S` at two arms (given as cross product matrices). With `u = v - r~ w` its four parts
/// are `S`, `-S q~`, `r~ S` and `-r~ S q~` (the transpose of `-r~` is `r~`).
pub(super) fn add_stiffness(block: &mut Block6, s: &DMat3, [r, q]: [&DMat3; 2]) {
    let (s_q, r_s) = (*s * *q, *r * *s);
    add(block, [0, 0], s);
    add(block, [0, 3], &-s_q);
    add(block, [3, 0], &r_s);
    add(block, [3, 3], &-(r_s * *q));
}
