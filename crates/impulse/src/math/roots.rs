//! Real roots of quadratics, accurate to rounding, double roots included.

/// The real roots of a polynomial, ascending, each distinct root once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roots {
    values: [f64; 2],
    count: usize,
}

impl Roots {
    const NONE: Self = Self { values: [0.0; 2], count: 0 };

    fn one(x: f64) -> Self {
        Self { values: [x, x], count: 1 }
    }

    fn two(x: f64, y: f64) -> Self {
        Self { values: [x.min(y), x.max(y)], count: 2 }
    }

    /// The roots as a slice.
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..self.count]
    }

    /// The smallest root that is not below `from`.
    pub fn first_from(&self, from: f64) -> Option<f64> {
        self.as_slice().iter().copied().find(|&x| x >= from)
    }
}

/// The real roots of `a x^2 + b x + c`.
///
/// The discriminant is computed as if in twice the precision, so that a double root is found as one and two close roots keep
/// their digits. With `a = 0` it is the root of the line. There are no roots if all coefficients are zero or one is not finite.
#[must_use]
pub fn quadratic_roots(a: f64, b: f64, c: f64) -> Roots {
    if !(a.is_finite() && b.is_finite() && c.is_finite()) {
        return Roots::NONE;
    }
    if a == 0.0 {
        return if b == 0.0 { Roots::NONE } else { Roots::one(-c / b) };
    }
    let half_b = -0.5 * b;
    let d = difference_of_products(half_b, half_b, a, c);
    if d < 0.0 {
        return Roots::NONE;
    }
    if d == 0.0 {
        return Roots::one(half_b / a);
    }
    // Add numbers of equal sign only; the other root follows from the product of the roots.
    let q = half_b + d.sqrt().copysign(half_b);
    match (q / a, c / q) {
        (x, y) if x.is_finite() && y.is_finite() => Roots::two(x, y),
        (_, y) => Roots::one(y),
    }
}

/// `a b - c d` to within two units of rounding (Kahan's algorithm).
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let cd = c * d;
    let error = (-c).mul_add(d, cd);
    a.mul_add(b, -cd) + error
}

#[cfg(test)]
mod tests {
    use super::quadratic_roots;
    use proptest::prelude::*;

    #[test]
    fn special_cases() {
        assert_eq!(quadratic_roots(0.0, 0.0, 1.0).as_slice(), &[] as &[f64]);
        assert_eq!(quadratic_roots(0.0, 2.0, -1.0).as_slice(), &[0.5]);
        assert_eq!(quadratic_roots(1.0, 0.0, 1.0).as_slice(), &[] as &[f64]);
        assert_eq!(quadratic_roots(1.0, 0.0, -4.0).as_slice(), &[-2.0, 2.0]);
        assert_eq!(quadratic_roots(1.0, -3.0, 2.0).first_from(1.5), Some(2.0));
        assert_eq!(quadratic_roots(f64::NAN, 1.0, 1.0).as_slice(), &[] as &[f64]);
    }

    #[test]
    fn tangency_is_kept() {
        // Kahan's example: with the plain discriminant, which comes out as 0, both roots lose half their digits.
        let roots = quadratic_roots(94906265.625, -2.0 * 94906267.0, 94906268.375);
        let [low, high] = *roots.as_slice() else { panic!("two roots, not {roots:?}") };
        assert!((low - 1.0).abs() < 5e-16 && (high - 1.000_000_028_975_958_4).abs() < 5e-16, "{roots:?}");
        // An exact double root.
        assert_eq!(quadratic_roots(49.0, -70.0, 25.0).as_slice(), &[5.0 / 7.0]);
    }

    #[test]
    fn tiny_leading_coefficient_keeps_the_near_root() {
        let roots = quadratic_roots(1e-320, 1.0, -1.0);
        assert_eq!(roots.as_slice()[roots.as_slice().len() - 1], 1.0);
    }

    proptest! {
        #[test]
        fn roots_are_those_it_was_made_from(x in -100..100i32, y in -100..100i32, k in 1..50i32) {
            let (a, b, c) = (k, -k * (x + y), k * x * y);
            let roots = quadratic_roots(a.into(), b.into(), c.into());
            let mut wanted = vec![f64::from(x.min(y))];
            if x != y {
                wanted.push(x.max(y).into());
            }
            prop_assert_eq!(roots.as_slice(), wanted.as_slice());
        }
    }
}
