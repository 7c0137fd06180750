//! Polynomials of a variable that runs from -1 to 1, by their coefficients, constant first: through values at Gauss' points, integrals,
//! values, and ranges over windows by Bernstein coefficients (beside appendix A.3).

use super::gauss::{GAUSS_BASIS, GAUSS_POINTS};
use std::ops::{Add, Mul};

/// What polynomials are made of.
pub(crate) trait Value: Copy + Default + Add<Output = Self> + Mul<f64, Output = Self> {}

impl<T: Copy + Default + Add<Output = T> + Mul<f64, Output = T>> Value for T {}

/// Coefficients of the polynomials whose ranges are asked for: degree nine at most.
pub(crate) const COEFFICIENTS: usize = GAUSS_POINTS + 2;

/// Coefficients of the polynomial through values at Gauss' points.
pub(crate) fn through<T: Value>(values: &[T; GAUSS_POINTS]) -> [T; GAUSS_POINTS] {
    let mut coefficients = [T::default(); GAUSS_POINTS];
    for (&value, basis) in values.iter().zip(&GAUSS_BASIS) {
        for (coefficient, &share) in coefficients.iter_mut().zip(basis) {
            *coefficient = *coefficient + value * share;
        }
    }
    coefficients
}

/// Coefficients of the integral from -1 on, times `scale`, that begins with a value.
pub(crate) fn integral<T: Value, const N: usize, const M: usize>(
    coefficients: &[T; N],
    scale: f64,
    begin: T,
) -> [T; M] {
    let mut result = [T::default(); M];
    for (k, &c) in coefficients.iter().enumerate() {
        result[k + 1] = c * (scale / (k + 1) as f64);
    }
    result[0] = begin + value(&result, -1.0) * -1.0;
    result
}

/// The value at a place.
pub(crate) fn value<T: Value>(coefficients: &[T], x: f64) -> T {
    coefficients.iter().rev().fold(T::default(), |sum, &c| sum * x + c)
}

/// Coefficients of the derivative, as many as those of the polynomial.
pub(crate) fn derivative<T: Value>(coefficients: &[T; COEFFICIENTS]) -> [T; COEFFICIENTS] {
    let mut result = [T::default(); COEFFICIENTS];
    for k in 1..COEFFICIENTS {
        result[k - 1] = coefficients[k] * k as f64;
    }
    result
}

/// Coefficients in powers of the distance from a place, by repeated division (Horner).
pub(crate) fn shifted<T: Value>(coefficients: &[T; COEFFICIENTS], place: f64) -> [T; COEFFICIENTS] {
    let mut shifted = *coefficients;
    if place != 0.0 {
        for first in 0..COEFFICIENTS {
            for k in (first..COEFFICIENTS - 1).rev() {
                shifted[k] = shifted[k] + shifted[k + 1] * place;
            }
        }
    }
    shifted
}

/// Bernstein coefficients of a polynomial over a window: the first and the last are its values at the ends, and it is nowhere outside
/// their convex hull. The window is given by its middle and half its length.
pub(crate) fn bernstein<T: Value>(coefficients: &[T; COEFFICIENTS], (middle, half): (f64, f64)) -> [T; COEFFICIENTS] {
    // In powers of the distance from the middle, then in units of half the window.
    let mut shifted = shifted(coefficients, middle);
    let mut scale = 1.0;
    for c in &mut shifted {
        *c = *c * scale;
        scale *= half;
    }
    let mut result = [T::default(); COEFFICIENTS];
    for (b, row) in result.iter_mut().zip(&BERNSTEIN) {
        *b = shifted.iter().zip(row).fold(T::default(), |sum, (&c, &share)| sum + c * share);
    }
    result
}

/// `BERNSTEIN[i][k]`: the Bernstein coefficient `i` of the power `k` from -1 to 1.
const BERNSTEIN: [[f64; COEFFICIENTS]; COEFFICIENTS] = powers();

/// The least common multiple of the binomial coefficients of degree nine.
const DENOMINATOR: i64 = 252;

const fn powers() -> [[f64; COEFFICIENTS]; COEFFICIENTS] {
    let mut rows = [[0.0; COEFFICIENTS]; COEFFICIENTS];
    let mut i = 0;
    while i < COEFFICIENTS {
        let mut j = 0;
        while j < COEFFICIENTS {
            // (2 u - 1)^j by powers of u, each by Bernstein polynomials.
            let (mut sum, mut k) = (0, 0);
            while k <= j {
                let sign = if (j - k) % 2 == 0 { 1 } else { -1 };
                let share = DENOMINATOR / binomial(COEFFICIENTS - 1, k);
                sum += sign * binomial(j, k) * (1 << k) * binomial(i, k) * share;
                k += 1;
            }
            rows[i][j] = sum as f64 / DENOMINATOR as f64;
            j += 1;
        }
        i += 1;
    }
    rows
}

const fn binomial(n: usize, k: usize) -> i64 {
    if k > n {
        return 0;
    }
    let (mut product, mut i) = (1, 0);
    while i < k {
        product = product * (n - i) as i64 / (i + 1) as i64;
        i += 1;
    }
    product
}

/// The first place in a window from which on a polynomial that is positive before is not; `None` where it stays positive. The
/// value at the beginning of the window counts as positive.
pub(crate) fn first_zero(coefficients: &[f64; COEFFICIENTS], [from, to]: [f64; 2]) -> Option<f64> {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let hull = bernstein(coefficients, (middle, half));
    if hull[1..].iter().all(|&b| b > 0.0) {
        return None;
    }
    if half <= NARROW {
        return Some(to);
    }
    let is_monotone = hull.windows(2).all(|pair| pair[1] < pair[0]);
    if is_monotone {
        return (hull[COEFFICIENTS - 1] <= 0.0).then(|| bisect(coefficients, [from, to]));
    }
    first_zero(coefficients, [from, middle]).or_else(|| first_zero(coefficients, [middle, to]))
}

/// Half a window in which no two zeros are told apart.
const NARROW: f64 = 1e-13;

/// The zero of a polynomial that falls from a window's beginning to its end, where it is not positive: by halving, then Newton's
/// method within the bounds.
fn bisect(coefficients: &[f64; COEFFICIENTS], [mut low, mut high]: [f64; 2]) -> f64 {
    let slope = derivative(coefficients);
    let mut x = 0.5 * (low + high);
    for _ in 0..100 {
        let f = value(coefficients, x);
        if f > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - f / value(&slope, x);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - x).abs() <= f64::EPSILON {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::{COEFFICIENTS, bernstein, first_zero, value};

    fn polynomial(seed: u64) -> [f64; COEFFICIENTS] {
        std::array::from_fn(|k| libm::sin(seed as f64 * 1.7 + k as f64 * k as f64))
    }

    #[test]
    fn bernstein_coefficients_hold_the_polynomial() {
        for seed in 0..200 {
            let p = polynomial(seed);
            for (middle, half) in [(0.0, 1.0), (0.3, 0.5), (-0.7, 0.01), (0.99, 1e-6)] {
                let hull = bernstein(&p, (middle, half));
                let ends = [value(&p, middle - half), value(&p, middle + half)];
                assert!((hull[0] - ends[0]).abs() + (hull[9] - ends[1]).abs() < 1e-13);
                let (low, high) = hull.iter().fold((f64::INFINITY, -f64::INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
                for i in 0..=100 {
                    let y = value(&p, middle + half * (f64::from(i) / 50.0 - 1.0));
                    assert!(low - 1e-14 <= y && y <= high + 1e-14, "seed {seed}: {y} outside {low} to {high}");
                }
            }
        }
    }

    #[test]
    fn the_first_zero_is_the_first() {
        for seed in 0..500 {
            let mut p = polynomial(seed);
            p[0] += 0.5;
            let start = value(&p, -1.0);
            if start < 0.0 {
                p = p.map(|c| -c);
            }
            let sampled = (0..=200_000).map(|i| f64::from(i) / 100_000.0 - 1.0).find(|&x| value(&p, x) <= 0.0);
            match (first_zero(&p, [-1.0, 1.0]), sampled) {
                (Some(found), Some(sampled)) => {
                    assert!(found <= sampled + 1e-12 && found > sampled - 1.1e-5, "{found} {sampled}");
                    assert!(value(&p, found).abs() < 1e-12);
                }
                (found, sampled) => assert_eq!(found, sampled, "seed {seed}"),
            }
        }
    }
}
