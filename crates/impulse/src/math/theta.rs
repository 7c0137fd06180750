//! Jacobi's `sn`, `cn`, `dn` and the angle by which a free body turns about its angular momentum, by theta series.
//!
//! The series run in the nome of `k` (circular functions) up to `k^2 = 1/2` and in that of `k'` (hyperbolic functions) above, after
//! Jacobi's imaginary transformation: either nome is at most `exp(-pi)`, so a few terms reach rounding everywhere, and the
//! separatrix `k = 1` (rotation about the middle axis) is an ordinary point of the second kind. Whittaker & Watson, chapter 21.

use super::elliptic::Modulus;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// Precomputed series for one modulus `k` and one imaginary shift `i eta`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ThetaSeries {
    /// `k^2 <= 1/2`.
    Circular(Circular),
    /// `k^2 > 1/2`.
    Hyperbolic(Hyperbolic),
}

/// Values at an argument `u`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThetaValues {
    /// Jacobi's `sn(u, k)`.
    pub sn: f64,
    /// Jacobi's `cn(u, k)`.
    pub cn: f64,
    /// Jacobi's `dn(u, k)`.
    pub dn: f64,
    /// A complex number whose argument, less `twist_turn`, is that of `theta_4(pi (u - i eta) / 2K; q^2)` but for a term linear
    /// in `u`, which [`ThetaSeries::twist_slope`] lets the caller restore; its length has no meaning.
    pub twist: [f64; 2],
    /// Angle to be subtracted from that argument, radians.
    pub twist_turn: f64,
}

impl ThetaSeries {
    /// For the modulus `k` and `eta = F(psi, k')`, the amplitude `psi` given by its sine and cosine, both not negative.
    pub(crate) fn new(modulus: Modulus, sine: f64, cosine: f64) -> Self {
        if modulus.squared <= modulus.complement {
            Self::Circular(Circular::new(modulus, sine, cosine))
        } else {
            Self::Hyperbolic(Hyperbolic::new(modulus, sine, cosine))
        }
    }

    /// All functions at `u`.
    pub(crate) fn at(&self, u: f64) -> ThetaValues {
        match self {
            Self::Circular(c) => c.at(u),
            Self::Hyperbolic(h) => h.at(u),
        }
    }

    /// Derivative at `u = 0` of the argument of [`ThetaValues::twist`], by which the linear term is known.
    pub(crate) fn twist_slope(&self) -> f64 {
        match self {
            Self::Circular(c) => c.twist_slope,
            Self::Hyperbolic(h) => h.twist_slope,
        }
    }
}

/// Series in the nome `q` of `k`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circular {
    /// `pi / 2K`.
    scale: f64,
    nome: f64,
    sn_scale: f64,
    cn_scale: f64,
    dn_scale: f64,
    /// `2 q^(2 n^2) cosh(2 n zeta)` and the same with `sinh`, for n = 1, 2; `zeta = pi eta / 2K`.
    cosh: [f64; 2],
    sinh: [f64; 2],
    twist_slope: f64,
}

/// Below this `k^2` the nome does not matter: `sn` and `cn` are sine and cosine.
const CIRCULAR_BELOW: f64 = 1e-60;

impl Circular {
    fn new(modulus: Modulus, sine: f64, cosine: f64) -> Self {
        let quarter = modulus.quarter_period();
        let scale = FRAC_PI_2 / quarter;
        let (mut nome, mut cosh, mut sinh) = (0.0, [0.0; 2], [0.0; 2]);
        if modulus.squared > CIRCULAR_BELOW {
            let complementary = modulus.complementary();
            nome = libm::exp(-PI * complementary.quarter_period() / quarter);
            let double_zeta = 2.0 * scale * complementary.first_kind(sine, cosine);
            let q2 = nome * nome;
            for (n, q) in [q2, q2 * q2 * q2 * q2].into_iter().enumerate() {
                let e = libm::exp(double_zeta * (n + 1) as f64);
                (cosh[n], sinh[n]) = (q * (e + 1.0 / e), q * (e - 1.0 / e));
            }
        }
        let [theta3, theta4] = even_thetas(nome);
        let theta2 = reduced_theta2(nome);
        Self {
            scale,
            nome,
            sn_scale: theta3 / theta2,
            cn_scale: theta4 / theta2,
            dn_scale: theta4 / theta3,
            cosh,
            sinh,
            twist_slope: scale * (4.0 * sinh[1] - 2.0 * sinh[0]) / (1.0 - cosh[0] + cosh[1]),
        }
    }

    fn at(&self, u: f64) -> ThetaValues {
        let (s, c) = libm::sincos(self.scale * u);
        let (s2, c2) = (2.0 * s * c, (c - s) * (c + s));
        let (s4, c4) = (2.0 * s2 * c2, 2.0 * c2 * c2 - 1.0);
        let c6 = c2 * (4.0 * c2 * c2 - 3.0);
        let q = self.nome;
        let q2 = q * q;
        let q4 = q2 * q2;
        // Multiples of z written as multiples of 2z: sin 3z = sin z (1 + 2 cos 2z) and so on.
        let theta1 = s * (1.0 - q2 * (1.0 + 2.0 * c2 - q4 * (1.0 + 2.0 * (c2 + c4))));
        let theta2 = c * (1.0 - q2 * (1.0 - 2.0 * c2 - q4 * (1.0 - 2.0 * (c2 - c4))));
        let odd = 2.0 * q * (c2 + q4 * q4 * c6);
        let even = 1.0 + 2.0 * q4 * c4;
        let inverse = 1.0 / (even - odd);
        ThetaValues {
            sn: self.sn_scale * theta1 * inverse,
            cn: self.cn_scale * theta2 * inverse,
            dn: self.dn_scale * (even + odd) * inverse,
            twist: [1.0 - self.cosh[0] * c2 + self.cosh[1] * c4, self.sinh[1] * s4 - self.sinh[0] * s2],
            twist_turn: 0.0,
        }
    }
}

/// Series in the nome `q'` of `k'`, after the imaginary transformation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hyperbolic {
    /// `pi / 2K'`.
    scale: f64,
    /// `2 K` and its inverse (infinite and zero on the separatrix).
    half_period: f64,
    per_half_period: f64,
    nome: f64,
    sn_scale: f64,
    cn_scale: f64,
    dn_scale: f64,
    /// `q'^(n (n-1) / 2) cos((2n+1) h)` and the same with `sin`; `h = pi eta / 4K'`.
    cosines: [f64; TWIST_TERMS],
    sines: [f64; TWIST_TERMS],
    /// `2 h`: the lag of the argument of theta_4 per half period.
    double_h: f64,
    twist_slope: f64,
}

/// Terms of the twist's series: the next is below `exp(-12.5 pi)`.
const TWIST_TERMS: usize = 5;

/// Largest exponent: beyond it `sech` is negligible. It keeps the exponentials finite on and near the separatrix.
const MAX_EXPONENT: f64 = 300.0;

impl Hyperbolic {
    fn new(modulus: Modulus, sine: f64, cosine: f64) -> Self {
        let complementary = modulus.complementary();
        let (quarter, quarter_c) = (modulus.quarter_period(), complementary.quarter_period());
        let scale = FRAC_PI_2 / quarter_c;
        let nome = libm::exp(-PI * quarter / quarter_c);
        let h = FRAC_PI_4 * (complementary.first_kind(sine, cosine) / quarter_c).min(1.0);
        let [theta3, theta4] = even_thetas(nome);
        let theta2 = reduced_theta2(nome);
        let (mut cosines, mut sines) = ([0.0; TWIST_TERMS], [0.0; TWIST_TERMS]);
        let (mut value, mut slope) = (0.0, 0.0);
        // (n^2 + n)/2 powers of q' in all: n of them go with e^(n |y|), the rest, n (n - 1)/2, stay here.
        let (mut rest, mut power) = (1.0, 1.0);
        for n in 0..TWIST_TERMS {
            let odd = (2 * n + 1) as f64;
            let (s, c) = libm::sincos(odd * h);
            (cosines[n], sines[n]) = (rest * c, rest * s);
            value += rest * power * c;
            slope += rest * power * s * odd;
            rest *= power;
            power *= nome;
        }
        Self {
            scale,
            half_period: 2.0 * quarter,
            per_half_period: 0.5 / quarter,
            nome,
            sn_scale: theta3 / theta4,
            cn_scale: 2.0 * theta2 / theta4,
            dn_scale: 2.0 * theta2 / theta3,
            cosines,
            sines,
            double_h: 2.0 * h,
            twist_slope: -0.5 * scale * slope / value,
        }
    }

    fn at(&self, u: f64) -> ThetaValues {
        let turns = (u * self.per_half_period).round();
        // On the separatrix there is only one half period, and infinity times zero would be NaN.
        let reduced = if turns == 0.0 { u } else { (-turns).mul_add(self.half_period, u) };
        let y = self.scale * reduced;
        let flip = if turns % 2.0 == 0.0 { 1.0 } else { -1.0 };
        let side = 1.0f64.copysign(y);
        // e = exp(-|y|), g = q' exp(|y|), at most sqrt(q').
        let e = libm::exp(-y.abs().min(MAX_EXPONENT));
        let q = self.nome;
        let g = q / e;
        let (e2, g2) = (e * e, g / e);
        let (q2, qe2) = (q * q, q * e2);
        let q4 = q2 * q2;
        // Theta functions of i y, divided by exp(|y|) unless they are bounded. The signs of theta_1's terms alternate, and its
        // falling parts are taken away.
        let (g4, qe4, q9) = (g2 * g2, qe2 * qe2, q4 * q4 * q);
        let rising = [1.0 + q4 * g4, g2 * (q + q9 * g4)];
        let falling = [e2 * (1.0 + q4 * qe4), e2 * qe2 * (q + q9 * qe4)];
        let theta1 = (rising[0] - rising[1]) - (falling[0] - falling[1]);
        let theta2 = (rising[0] + rising[1]) + (falling[0] + falling[1]);
        let odd = g2 + qe2 + q4 * q2 * (g2 * g4 + qe2 * qe4);
        let even = 1.0 + q2 * (g4 + qe4);
        let inverse = flip / theta2;
        ThetaValues {
            sn: side * self.sn_scale * theta1 * inverse,
            cn: self.cn_scale * e * (even - odd) * inverse,
            dn: self.dn_scale * e * (even + odd) * (inverse * flip),
            twist: self.twist(e, g, side),
            twist_turn: turns * self.double_h,
        }
    }

    /// `theta_2(h + i y / 2; sqrt(q'))` up to a positive factor.
    fn twist(&self, e: f64, g: f64, side: f64) -> [f64; 2] {
        let q_e = self.nome * e;
        let (mut re, mut im) = (0.0, 0.0);
        let (mut growing, mut falling) = (1.0, e);
        for n in 0..TWIST_TERMS {
            re += self.cosines[n] * (growing + falling);
            im += self.sines[n] * (growing - falling);
            growing *= g;
            falling *= q_e;
        }
        [re, -side * im]
    }
}

/// `theta_3(0)` and `theta_4(0)` for a nome up to `exp(-pi)`.
fn even_thetas(q: f64) -> [f64; 2] {
    let q4 = q * q * q * q;
    let odd = 2.0 * q * (1.0 + q4 * q4);
    [1.0 + odd + 2.0 * q4, 1.0 - odd + 2.0 * q4]
}

/// `theta_2(0) / (2 q^(1/4))`.
fn reduced_theta2(q: f64) -> f64 {
    let q2 = q * q;
    1.0 + q2 * (1.0 + q2 * q2)
}

#[cfg(test)]
mod tests {
    use super::{ThetaSeries, ThetaValues};
    use crate::math::elliptic::Modulus;
    use proptest::prelude::*;

    fn series(squared: f64) -> ThetaSeries {
        ThetaSeries::new(Modulus { squared, complement: 1.0 - squared }, 0.6, 0.8)
    }

    #[test]
    fn ends_of_the_range() {
        for u in [-3.0, -0.4, 0.0, 1.3, 40.0] {
            let (flat, steep) = (series(0.0).at(u), series(1.0).at(u));
            let (s, c) = libm::sincos(u);
            assert!((flat.sn - s).abs() + (flat.cn - c).abs() + (flat.dn - 1.0).abs() < 1e-15);
            let sech = 1.0 / libm::cosh(u);
            assert!((steep.sn - libm::tanh(u)).abs() + (steep.cn - sech).abs() + (steep.dn - sech).abs() < 1e-15);
        }
    }

    /// Against the elliptic integral, which is computed in another way.
    #[test]
    fn inverts_the_integral() {
        for m in [1e-20, 0.01, 0.36, 0.5, 0.500_001, 0.9, 0.999_999, 1.0 - 1e-12] {
            let modulus = Modulus { squared: m, complement: 1.0 - m };
            let series = ThetaSeries::new(modulus, 0.6, 0.8);
            for i in -9..=9 {
                let (s, c) = libm::sincos(f64::from(i) * 0.17);
                let u = modulus.first_kind(s, c);
                let v = series.at(u);
                assert!((v.sn - s).abs() < 1e-14 && (v.cn - c).abs() < 1e-14, "m = {m}, u = {u}: {v:?}");
            }
        }
    }

    /// Argument of `theta_4(pi (u - i eta) / 2K; q^2)`, from the values that the two kinds of series give for it.
    fn angle(series: &ThetaSeries, v: &ThetaValues, u: f64) -> f64 {
        let linear = libm::atan2(v.twist[1], v.twist[0]) - v.twist_turn;
        linear - series.twist_slope() * u
    }

    proptest! {
        #[test]
        fn identities(m in 0.0..1.0f64, u in -50.0..50.0f64) {
            let v = series(m).at(u);
            prop_assert!((v.sn * v.sn + v.cn * v.cn - 1.0).abs() < 2e-15);
            prop_assert!((v.dn * v.dn + m * v.sn * v.sn - 1.0).abs() < 2e-15);
        }

        /// On either side of k^2 = 1/2 both series say the same; the twist up to its linear term and whole turns.
        #[test]
        fn the_two_series_meet(u in -4.0..4.0f64) {
            let (below, above) = (series(0.5), series(0.5 + 1e-13));
            let (a, b) = (below.at(u), above.at(u));
            prop_assert!((a.sn - b.sn).abs() + (a.cn - b.cn).abs() + (a.dn - b.dn).abs() < 1e-12);
            prop_assert!((angle(&below, &a, u) - angle(&above, &b, u)).abs() < 1e-12);
        }
    }
}
