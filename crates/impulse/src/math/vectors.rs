//! Small vector and matrix helpers (appendix A.1).

use glam::{DMat3, DQuat, DVec3};

/// Whether a vector is finite and so small that powers of it stay finite: no coordinate reaches 1e60.
pub(crate) fn is_moderate(v: DVec3) -> bool {
    v.abs().cmplt(DVec3::splat(1e60)).all()
}

/// The matrix `v~` with `v~ x = v cross x` (appendix A.1).
#[must_use]
pub fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// The matrix `a b^T`.
#[must_use]
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Axis times angle of a rotation, the shorter way round, rad.
#[must_use]
pub fn rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let sine = q.xyz().length();
    let angle = 2.0 * libm::atan2(sine, q.w);
    if sine > 0.0 { q.xyz() * (angle / sine) } else { DVec3::ZERO }
}

/// Some unit vector perpendicular to the unit vector `n`, the same one on every machine.
#[must_use]
pub fn any_perpendicular(n: DVec3) -> DVec3 {
    // Crossing with the axis least along n keeps the product's length above sqrt(2/3).
    let a = n.abs();
    let axis = if a.x <= a.y && a.x <= a.z {
        DVec3::X
    } else if a.y <= a.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    n.cross(axis).normalize()
}

#[cfg(test)]
mod tests {
    use super::{any_perpendicular, cross_matrix, outer};
    use glam::DVec3;

    #[test]
    fn cross_matrix_crosses() {
        let (a, b) = (DVec3::new(1.0, -2.0, 3.5), DVec3::new(0.25, 4.0, -1.0));
        assert_eq!(cross_matrix(a) * b, a.cross(b));
        assert_eq!(outer(a, b) * DVec3::X, a * b.x);
    }

    #[test]
    fn perpendicular_is_unit_and_perpendicular() {
        for n in [DVec3::X, -DVec3::Y, DVec3::Z, DVec3::new(1.0, 1.0, 1.0), DVec3::new(1e-9, 1.0, -3.0)] {
            let n = n.normalize();
            let t = any_perpendicular(n);
            assert!((t.length() - 1.0).abs() < 1e-15 && t.dot(n).abs() < 1e-15, "{n} {t}");
        }
    }
}
