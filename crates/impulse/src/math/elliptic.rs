//! Elliptic integrals of the first kind, for the rotation of a free body (section 2.3.3, footnote on closed forms).
//!
//! Every function takes the modulus as the pair `k^2` and `1 - k^2`, so that neither end of the range loses digits.

use std::f64::consts::FRAC_PI_2;

/// A modulus `k` of elliptic functions, stored as two numbers that are each accurate to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Modulus {
    /// `k^2`, from 0 to 1.
    pub squared: f64,
    /// `1 - k^2`, from 0 to 1.
    pub complement: f64,
}

impl Modulus {
    /// The complementary modulus `k' = sqrt(1 - k^2)`.
    pub(crate) fn complementary(self) -> Self {
        Self { squared: self.complement, complement: self.squared }
    }

    /// The quarter period `K(k)`; infinite for `k = 1`.
    pub(crate) fn quarter_period(self) -> f64 {
        FRAC_PI_2 / arithmetic_geometric_mean(self.complement.sqrt())
    }

    /// `F(phi, k)` for the amplitude `phi` from `-pi/2` to `pi/2` that has this sine and this (not negative) cosine.
    pub(crate) fn first_kind(self, sine: f64, cosine: f64) -> f64 {
        let c2 = cosine * cosine;
        sine * carlson_rf(c2, c2 + self.complement * sine * sine, 1.0)
    }
}

/// The arithmetic-geometric mean of 1 and `b`, for `0 <= b <= 1`.
fn arithmetic_geometric_mean(b: f64) -> f64 {
    if b == 0.0 {
        return 0.0;
    }
    let (mut a, mut b) = (1.0, b);
    // Once they agree to half their digits, the next mean has them all.
    while a - b > 1e-8 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    0.5 * (a + b)
}

/// Carlson's symmetric integral `R_F` by his duplication theorem (Numer. Math. 33, 1979); none negative, at most one zero.
fn carlson_rf(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    // The series below is accurate to rounding once the arguments agree to this.
    const SPREAD: f64 = 2.5e-3;
    loop {
        let mean = (x + y + z) / 3.0;
        let (dx, dy) = (1.0 - x / mean, 1.0 - y / mean);
        let dz = -(dx + dy);
        let spread = dx.abs().max(dy.abs()).max(dz.abs());
        if spread < SPREAD || spread.is_nan() {
            let (e2, e3) = (dx * dy - dz * dz, dx * dy * dz);
            let series = 1.0
                + e2 * (-1.0 / 10.0 + e2 / 24.0 - e2 * e2 * 5.0 / 208.0)
                + e3 * (1.0 / 14.0 - e2 * 3.0 / 44.0 + e3 * 3.0 / 104.0);
            return series / mean.sqrt();
        }
        let (rx, ry, rz) = (x.sqrt(), y.sqrt(), z.sqrt());
        let shift = rx * (ry + rz) + ry * rz;
        (x, y, z) = (0.25 * (x + shift), 0.25 * (y + shift), 0.25 * (z + shift));
    }
}

#[cfg(test)]
mod tests {
    use super::{FRAC_PI_2, Modulus};
    use proptest::prelude::*;

    fn modulus(squared: f64) -> Modulus {
        Modulus { squared, complement: 1.0 - squared }
    }

    #[test]
    fn published_values() {
        // Abramowitz & Stegun, table 17.1 (m = k^2) and 17.5.
        for (m, k) in [(0.0, FRAC_PI_2), (0.5, 1.854_074_677_301_371_9), (0.9, 2.578_092_113_348_173)] {
            assert!((modulus(m).quarter_period() - k).abs() < 4e-16 * k, "K at m = {m}");
            assert!((modulus(m).first_kind(1.0, 0.0) - k).abs() < 6e-16 * k, "F at m = {m}");
        }
        assert_eq!(modulus(1.0).quarter_period(), f64::INFINITY);
    }

    #[test]
    fn far_ends_keep_their_digits() {
        // K = ln(4/k') + O(k'^2 ln k').
        for kc in [1e-9, 1e-30, 1e-120] {
            let k = Modulus { squared: 1.0 - kc * kc, complement: kc * kc }.quarter_period();
            assert!((k - libm::log(4.0 / kc)).abs() < 1e-14 * k);
        }
        // F(phi, 1) is the inverse Gudermannian function.
        let (s, c) = (0.6, 0.8);
        assert!((modulus(1.0).first_kind(s, c) - libm::atanh(0.6)).abs() < 4e-16);
        assert!((modulus(0.0).first_kind(s, c) - libm::asin(0.6)).abs() < 4e-16);
    }

    proptest! {
        /// Simpson's rule on the definition.
        #[test]
        fn first_kind_is_its_integral(m in 0.0..0.95f64, phi in -1.5..1.5f64) {
            let n = 400;
            let f = |i: usize| {
                let s = libm::sin(phi * i as f64 / n as f64);
                1.0 / (1.0 - m * s * s).sqrt()
            };
            let sum: f64 = (0..=n).map(|i| f(i) * [2.0, 4.0][i % 2]).sum::<f64>() - f(0) - f(n);
            let integral = sum * phi / (3 * n) as f64;
            let got = modulus(m).first_kind(libm::sin(phi), libm::cos(phi));
            prop_assert!((got - integral).abs() < 1e-8 * integral.abs().max(1e-3), "{got} {integral}");
        }
    }
}
