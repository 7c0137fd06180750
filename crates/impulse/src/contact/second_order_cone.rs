//! The algebra of the second-order cone `|(x, y)| <= z`, for the interior-point method.

use crate::math::outer;
use glam::{DMat3, DVec3};

/// Nesterov and Todd's scaling of two vectors inside the cone: a symmetric matrix `W` with `W p = W^-1 w`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scaling {
    pub(super) root: DMat3,
    pub(super) inverse_root: DMat3,
    /// `W^-2`, which takes `w` to `p`.
    pub(super) inverse_square: DMat3,
    /// `W p`.
    pub(super) middle: DVec3,
}

impl Scaling {
    pub(super) fn new(w: DVec3, p: DVec3) -> Self {
        let (w_size, p_size) = (size(w), size(p));
        let (w, unit_p) = (w / w_size, p / p_size);
        let cosine = (0.5 * (1.0 + w.dot(unit_p))).sqrt();
        let bar = (w + mirror(unit_p)) / (2.0 * cosine);
        let stretch = (w_size / p_size).sqrt();
        let root = boost(bar) * stretch;
        let back = mirror(bar);
        let inverse_square =
            (outer(back, back) * 2.0 + DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0))) * (p_size / w_size);
        Self { root, inverse_root: boost(back) * (1.0 / stretch), inverse_square, middle: root * p }
    }
}

/// The symmetric matrix that takes the cone to itself and its axis to a unit vector `v`, `size(v) = 1`.
fn boost(v: DVec3) -> DMat3 {
    let across = DVec3::new(v.x, v.y, 0.0);
    let plane = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0)) + outer(across, across) * (1.0 / (v.z + 1.0));
    plane + outer(across, DVec3::Z) + outer(DVec3::Z, across) + outer(DVec3::Z, DVec3::Z) * v.z
}

/// `(-x, -y, z)`: the inverse in the algebra, up to the square of the size.
pub(super) fn mirror(v: DVec3) -> DVec3 {
    DVec3::new(-v.x, -v.y, v.z)
}

/// Square root of `z^2 - x^2 - y^2`: zero on the boundary.
pub(super) fn size(v: DVec3) -> f64 {
    let across = v.truncate().length();
    ((v.z - across) * (v.z + across)).max(f64::MIN_POSITIVE).sqrt()
}

/// The product of the algebra.
pub(super) fn product(a: DVec3, b: DVec3) -> DVec3 {
    (a.z * b.truncate() + b.z * a.truncate()).extend(a.dot(b))
}

/// Solves `product(a, x) = b`.
pub(super) fn divide(a: DVec3, b: DVec3) -> DVec3 {
    let z = (a.z * b.z - a.truncate().dot(b.truncate())) / (size(a) * size(a));
    ((b.truncate() - z * a.truncate()) / a.z).extend(z)
}

/// The share of `d` at which `v + share d` leaves the cone; infinite if it never does.
pub(super) fn to_boundary(v: DVec3, d: DVec3) -> f64 {
    // a s^2 + 2 b s + c = 0.
    let a = d.z * d.z - d.truncate().length_squared();
    let b = v.z * d.z - v.truncate().dot(d.truncate());
    let c = size(v) * size(v);
    let discriminant = b * b - a * c;
    if discriminant < 0.0 || (a >= 0.0 && b >= 0.0) {
        return f64::INFINITY;
    }
    c / (discriminant.sqrt() - b)
}

#[cfg(test)]
mod tests {
    use super::{Scaling, divide, product, size, to_boundary};
    use glam::DVec3;
    use proptest::prelude::*;

    fn inside() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0f64, -1.0..1.0f64, 1e-3..1.0f64)
            .prop_map(|(x, y, more)| DVec3::new(x, y, DVec3::new(x, y, 0.0).length() + more))
    }

    fn any() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array)
    }

    proptest! {
        #[test]
        fn scaling_takes_each_to_the_same(w in inside(), p in inside()) {
            let s = Scaling::new(w, p);
            let other = s.inverse_root * w;
            prop_assert!((s.middle - other).length() <= 1e-9 * s.middle.length(), "{} and {other}", s.middle);
            let one = s.root * s.inverse_root;
            prop_assert!((one - glam::DMat3::IDENTITY).to_cols_array().iter().all(|x| x.abs() < 1e-9));
            prop_assert!((s.inverse_square * w - p).length() <= 1e-6 * p.length() * w.length() / size(w));
            // The product of both is kept.
            prop_assert!((s.middle.length_squared() / p.dot(w) - 1.0).abs() < 1e-9);
        }

        #[test]
        fn dividing_undoes_the_product(a in inside(), x in any()) {
            let found = divide(a, product(a, x));
            prop_assert!((found - x).length() < 1e-9, "{found} for {x}");
        }

        #[test]
        fn the_boundary_is_where_the_size_vanishes(v in inside(), d in any()) {
            let share = to_boundary(v, d);
            let is_in = |share: f64| { let u = v + share * d; u.z >= u.truncate().length() };
            if share == f64::INFINITY {
                prop_assert!([0.1, 1.0, 10.0, 1e3, 1e6].into_iter().all(is_in));
            } else {
                prop_assert!(share > 0.0 && is_in(0.999 * share) && !is_in(1.001 * share), "{share}");
                prop_assert!(size(v + share * d) < 1e-6 * (1.0 + share));
            }
        }
    }
}
