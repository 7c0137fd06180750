//! Polynomials through values at Gauss' points, and their integrals: what collocation is made of (beside appendix A.3).

/// Number of Gauss' points.
pub(crate) const GAUSS_POINTS: usize = 8;

/// A number for each of Gauss' points.
type Row = [f64; GAUSS_POINTS];

/// Gauss' points of an interval from -1 to 1: the zeros of Legendre's polynomial of degree eight.
pub(crate) const GAUSS_PLACES: Row = [
    -0.960_289_856_497_536_2,
    -0.796_666_477_413_626_7,
    -0.525_532_409_916_329,
    -0.183_434_642_495_649_8,
    0.183_434_642_495_649_8,
    0.525_532_409_916_329,
    0.796_666_477_413_626_7,
    0.960_289_856_497_536_2,
];

/// `BASIS[j][k]`: coefficient of degree `k` in the polynomial that is one at the point `j` and zero at the others.
pub(crate) const GAUSS_BASIS: [Row; GAUSS_POINTS] = basis();

/// `INTEGRALS[i][j]`: integral of that polynomial from -1 to the point `i`.
pub(crate) const GAUSS_INTEGRALS: [Row; GAUSS_POINTS] = integrals();

const fn basis() -> [Row; GAUSS_POINTS] {
    let mut rows = [[0.0; GAUSS_POINTS]; GAUSS_POINTS];
    let mut j = 0;
    while j < GAUSS_POINTS {
        rows[j] = lagrange(j);
        j += 1;
    }
    rows
}

/// The product of `(x - x_i) / (x_j - x_i)` over all other points `i`.
const fn lagrange(j: usize) -> Row {
    let mut product = [0.0; GAUSS_POINTS];
    product[0] = 1.0;
    let (mut degree, mut i) = (0, 0);
    while i < GAUSS_POINTS {
        if i != j {
            let (root, scale) = (GAUSS_PLACES[i], 1.0 / (GAUSS_PLACES[j] - GAUSS_PLACES[i]));
            let mut k = degree + 1;
            while k > 0 {
                product[k] = (product[k - 1] - root * product[k]) * scale;
                k -= 1;
            }
            product[0] *= -root * scale;
            degree += 1;
        }
        i += 1;
    }
    product
}

const fn integrals() -> [Row; GAUSS_POINTS] {
    let mut rows = [[0.0; GAUSS_POINTS]; GAUSS_POINTS];
    let mut i = 0;
    while i < GAUSS_POINTS {
        let mut j = 0;
        while j < GAUSS_POINTS {
            rows[i][j] = integral(&GAUSS_BASIS[j], GAUSS_PLACES[i]) - integral(&GAUSS_BASIS[j], -1.0);
            j += 1;
        }
        i += 1;
    }
    rows
}

const fn integral(coefficients: &Row, x: f64) -> f64 {
    let (mut sum, mut k) = (0.0, GAUSS_POINTS);
    while k > 0 {
        k -= 1;
        sum = sum * x + coefficients[k] / (k + 1) as f64;
    }
    sum * x
}

#[cfg(test)]
mod tests {
    use super::{GAUSS_BASIS, GAUSS_INTEGRALS, GAUSS_PLACES, GAUSS_POINTS};

    fn power(x: f64, k: usize) -> f64 {
        (0..k).fold(1.0, |product, _| product * x)
    }

    #[test]
    fn powers_are_met_between_the_points() {
        for degree in 0..GAUSS_POINTS {
            for x in [-1.0, -0.3, 0.71, 1.0] {
                let value = |j: usize| (0..GAUSS_POINTS).map(|k| GAUSS_BASIS[j][k] * power(x, k)).sum::<f64>();
                let met: f64 = (0..GAUSS_POINTS).map(|j| power(GAUSS_PLACES[j], degree) * value(j)).sum();
                assert!((met - power(x, degree)).abs() < 1e-13, "degree {degree} at {x}: {met}");
            }
        }
    }

    #[test]
    fn powers_are_integrated() {
        for degree in 0..GAUSS_POINTS {
            for (i, &x) in GAUSS_PLACES.iter().enumerate() {
                let found: f64 =
                    (0..GAUSS_POINTS).map(|j| GAUSS_INTEGRALS[i][j] * power(GAUSS_PLACES[j], degree)).sum();
                let exact = (power(x, degree + 1) - power(-1.0, degree + 1)) / (degree + 1) as f64;
                assert!((found - exact).abs() < 1e-14, "degree {degree} to {x}: {found}, not {exact}");
            }
        }
    }
}
