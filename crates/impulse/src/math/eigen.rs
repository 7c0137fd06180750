//! Eigenvalues and axes of a symmetric 3x3 matrix by Jacobi rotations, as section 6.1 recommends for inertia tensors.

use glam::{DMat3, DVec3};

/// `matrix = axes * diagonal(values) * axes^T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymmetricEigen {
    /// Eigenvalues, ascending.
    pub values: DVec3,
    /// A rotation matrix; column `i` is the unit eigenvector of `values[i]`.
    pub axes: DMat3,
}

/// Most sweeps; Jacobi's method converges quadratically, and three to five suffice.
const JACOBI_SWEEPS: usize = 12;

/// Solves the eigenproblem of the symmetric matrix `m` (its upper triangle is read).
///
/// Every eigenvalue is accurate to a few units of rounding of the largest one; for well-scaled positive definite matrices the
/// small ones have full relative accuracy. The axes of equal eigenvalues are an arbitrary orthonormal choice.
#[must_use]
pub fn symmetric_eigen(m: DMat3) -> SymmetricEigen {
    let mut a = [
        [m.x_axis.x, m.y_axis.x, m.z_axis.x],
        [m.y_axis.x, m.y_axis.y, m.z_axis.y],
        [m.z_axis.x, m.z_axis.y, m.z_axis.z],
    ];
    let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..JACOBI_SWEEPS {
        if a[0][1] == 0.0 && a[0][2] == 0.0 && a[1][2] == 0.0 {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut v, p, q);
        }
    }
    sorted(DVec3::new(a[0][0], a[1][1], a[2][2]), v)
}

/// One Jacobi rotation in the plane of axes `p < q`: makes `a[p][q]` zero.
fn rotate(a: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize) {
    let off = a[p][q];
    // An entry that no longer changes either diagonal element counts as zero.
    if off.abs() <= f64::EPSILON * 0.25 * a[p][p].abs().min(a[q][q].abs()) {
        (a[p][q], a[q][p]) = (0.0, 0.0);
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * off);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    a[p][p] -= t * off;
    a[q][q] += t * off;
    (a[p][q], a[q][p]) = (0.0, 0.0);
    let r = 3 - p - q;
    let (arp, arq) = (a[r][p], a[r][q]);
    a[r][p] = c * arp - s * arq;
    a[r][q] = s * arp + c * arq;
    (a[p][r], a[q][r]) = (a[r][p], a[r][q]);
    for row in v.iter_mut() {
        let (vp, vq) = (row[p], row[q]);
        row[p] = c * vp - s * vq;
        row[q] = s * vp + c * vq;
    }
}

/// Orders eigenpairs by value and makes the axes a right-handed frame.
fn sorted(values: DVec3, v: [[f64; 3]; 3]) -> SymmetricEigen {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let column = |i: usize| DVec3::new(v[0][i], v[1][i], v[2][i]).normalize();
    let (first, second) = (column(order[0]), column(order[1]));
    SymmetricEigen {
        values: DVec3::from_array(order.map(|i| values[i])),
        axes: DMat3::from_cols(first, second, first.cross(second).normalize()),
    }
}

#[cfg(test)]
mod tests {
    use super::symmetric_eigen;
    use glam::{DMat3, DQuat, DVec3};
    use proptest::prelude::*;

    fn reconstructed(m: DMat3) -> f64 {
        let e = symmetric_eigen(m);
        let back = e.axes * DMat3::from_diagonal(e.values) * e.axes.transpose();
        let d = back - m;
        d.x_axis.length().max(d.y_axis.length()).max(d.z_axis.length())
    }

    #[test]
    fn diagonal_matrices_are_sorted() {
        let e = symmetric_eigen(DMat3::from_diagonal(DVec3::new(3.0, 1.0, 2.0)));
        assert_eq!(e.values, DVec3::new(1.0, 2.0, 3.0));
        assert!((e.axes.determinant() - 1.0).abs() < 1e-15);
        assert_eq!(symmetric_eigen(DMat3::ZERO).values, DVec3::ZERO);
    }

    #[test]
    fn known_spectrum() {
        // 2 on the diagonal, 1 beside it: eigenvalues 1, 1, 4.
        let m = DMat3::from_cols_array(&[2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 2.0]);
        let e = symmetric_eigen(m);
        assert!((e.values - DVec3::new(1.0, 1.0, 4.0)).abs().max_element() < 4e-16 * 4.0);
        assert!(reconstructed(m) < 4e-15);
    }

    proptest! {
        #[test]
        fn finds_the_values_it_was_made_from(
            values in prop::array::uniform3(1e-6..1e6f64),
            q in prop::array::uniform4(-1.0..1.0f64),
        ) {
            prop_assume!(q.iter().map(|x| x * x).sum::<f64>() > 1e-3);
            let r = DMat3::from_quat(DQuat::from_array(q).normalize());
            let m = r * DMat3::from_diagonal(DVec3::from_array(values)) * r.transpose();
            let mut wanted = values;
            wanted.sort_by(f64::total_cmp);
            let e = symmetric_eigen(m);
            for i in 0..3 {
                prop_assert!((e.values[i] - wanted[i]).abs() <= 1e-14 * wanted[2]);
            }
            let unit = e.axes.transpose() * e.axes - DMat3::IDENTITY;
            prop_assert!(unit.to_cols_array().iter().all(|x| x.abs() < 1e-14));
            prop_assert!(e.axes.determinant() > 0.0);
        }
    }
}
