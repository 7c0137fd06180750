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
pub(crate) const GAUSS_BASIS: [Row; GAUSS_POINTS] = FINE.basis;

/// `INTEGRALS[i][j]`: integral of that polynomial from -1 to the point `i`.
pub(crate) const GAUSS_INTEGRALS: [Row; GAUSS_POINTS] = FINE.integrals;

/// Points of an interval from -1 to 1, and what collocation there needs.
pub(crate) struct GaussRule<const N: usize> {
    pub(crate) places: [f64; N],
    /// As `GAUSS_BASIS`.
    pub(crate) basis: [[f64; N]; N],
    /// As `GAUSS_INTEGRALS`.
    pub(crate) integrals: [[f64; N]; N],
    /// Share of the value at each point in the value at 1, and in the integral over the whole interval.
    pub(crate) end: [[f64; N]; 2],
}

/// Eight points.
pub(crate) const FINE: GaussRule<GAUSS_POINTS> = GaussRule::new(GAUSS_PLACES);

/// Number of points where steps are short.
pub(crate) const FEW_POINTS: usize = 4;

/// `STIFF[i][j]`, zero for `j > i`: what stands for `INTEGRALS` where each point knows only those before it and itself. It is the transpose of the
/// upper factor of the transpose (M. Weiser, Faster SDC convergence on non-equidistant grids by DIRK sweeps, BIT 55, 2015), with which what is stiff
/// converges in as many rounds as there are points.
pub(crate) const GAUSS_STIFF: [Row; GAUSS_POINTS] = stiff(&GAUSS_INTEGRALS);

const fn stiff(integrals: &[Row; GAUSS_POINTS]) -> [Row; GAUSS_POINTS] {
    // Gauss' elimination of the transpose, without exchange of rows.
    let mut upper = [[0.0; GAUSS_POINTS]; GAUSS_POINTS];
    let (mut i, mut j);
    i = 0;
    while i < GAUSS_POINTS {
        j = 0;
        while j < GAUSS_POINTS {
            upper[i][j] = integrals[j][i];
            j += 1;
        }
        i += 1;
    }
    let mut k = 0;
    while k < GAUSS_POINTS {
        i = k + 1;
        while i < GAUSS_POINTS {
            let share = upper[i][k] / upper[k][k];
            j = k;
            while j < GAUSS_POINTS {
                upper[i][j] -= share * upper[k][j];
                j += 1;
            }
            i += 1;
        }
        k += 1;
    }
    let mut lower = [[0.0; GAUSS_POINTS]; GAUSS_POINTS];
    i = 0;
    while i < GAUSS_POINTS {
        j = 0;
        while j <= i {
            lower[i][j] = upper[j][i];
            j += 1;
        }
        i += 1;
    }
    lower
}

/// Four points: the zeros of Legendre's polynomial of degree four.
pub(crate) const COARSE: GaussRule<FEW_POINTS> = GaussRule::new([
    -0.861_136_311_594_052_6,
    -0.339_981_043_584_856_3,
    0.339_981_043_584_856_3,
    0.861_136_311_594_052_6,
]);

/// `REFINEMENT[i][j]`: share of the value at the point `j` of four in that at the point `i` of eight.
pub(crate) const REFINEMENT: [[f64; FEW_POINTS]; GAUSS_POINTS] = refinement();

impl<const N: usize> GaussRule<N> {
    const fn new(places: [f64; N]) -> Self {
        let (mut basis, mut integrals, mut end) = ([[0.0; N]; N], [[0.0; N]; N], [[0.0; N]; 2]);
        let mut j = 0;
        while j < N {
            basis[j] = lagrange(&places, j);
            let mut i = 0;
            while i < N {
                integrals[i][j] = integral(&basis[j], places[i]) - integral(&basis[j], -1.0);
                i += 1;
            }
            end[0][j] = value(&basis[j], 1.0);
            end[1][j] = integral(&basis[j], 1.0) - integral(&basis[j], -1.0);
            j += 1;
        }
        Self { places, basis, integrals, end }
    }
}

/// The product of `(x - x_i) / (x_j - x_i)` over all other points `i`.
const fn lagrange<const N: usize>(places: &[f64; N], j: usize) -> [f64; N] {
    let mut product = [0.0; N];
    product[0] = 1.0;
    let (mut degree, mut i) = (0, 0);
    while i < N {
        if i != j {
            let (root, scale) = (places[i], 1.0 / (places[j] - places[i]));
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

const fn integral<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let (mut sum, mut k) = (0.0, N);
    while k > 0 {
        k -= 1;
        sum = sum * x + coefficients[k] / (k + 1) as f64;
    }
    sum * x
}

const fn value<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let (mut sum, mut k) = (0.0, N);
    while k > 0 {
        k -= 1;
        sum = sum * x + coefficients[k];
    }
    sum
}

const fn refinement() -> [[f64; FEW_POINTS]; GAUSS_POINTS] {
    let mut shares = [[0.0; FEW_POINTS]; GAUSS_POINTS];
    let mut i = 0;
    while i < GAUSS_POINTS {
        let mut j = 0;
        while j < FEW_POINTS {
            shares[i][j] = value(&COARSE.basis[j], GAUSS_PLACES[i]);
            j += 1;
        }
        i += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::{
        COARSE, FEW_POINTS, FINE, GAUSS_INTEGRALS, GAUSS_PLACES, GAUSS_POINTS, GAUSS_STIFF, GaussRule, REFINEMENT,
    };

    fn power(x: f64, k: usize) -> f64 {
        (0..k).fold(1.0, |product, _| product * x)
    }

    /// The error of what is stiff is multiplied by `1 - STIFF^-1 INTEGRALS` in each round: nothing is left of it after as many as there are
    /// points where that is zero on and below the diagonal.
    #[test]
    fn what_is_stiff_converges_in_as_many_rounds_as_points() {
        let mut quotient = GAUSS_INTEGRALS;
        for (i, stiff) in GAUSS_STIFF.iter().enumerate() {
            for k in 0..GAUSS_POINTS {
                let known: f64 = stiff[..i].iter().zip(&quotient).map(|(factor, row)| factor * row[k]).sum();
                quotient[i][k] = (quotient[i][k] - known) / stiff[i];
            }
            for (k, &found) in quotient[i].iter().enumerate().take(i + 1) {
                let wanted = f64::from(u8::from(i == k));
                assert!((found - wanted).abs() < 1e-12, "{i}, {k}: {found}");
            }
        }
    }

    fn check<const N: usize>(rule: &GaussRule<N>) {
        for degree in 0..N {
            for x in [-1.0, -0.3, 0.71, 1.0] {
                let value = |j: usize| (0..N).map(|k| rule.basis[j][k] * power(x, k)).sum::<f64>();
                let met: f64 = (0..N).map(|j| power(rule.places[j], degree) * value(j)).sum();
                assert!((met - power(x, degree)).abs() < 1e-13, "degree {degree} at {x}: {met}");
            }
            for (i, &x) in rule.places.iter().enumerate() {
                let found: f64 = (0..N).map(|j| rule.integrals[i][j] * power(rule.places[j], degree)).sum();
                let exact = (power(x, degree + 1) - power(-1.0, degree + 1)) / (degree + 1) as f64;
                assert!((found - exact).abs() < 1e-14, "degree {degree} to {x}: {found}, not {exact}");
            }
        }
        // Gauss' points: what is integrated over the whole interval is exact up to degree 2 N - 1.
        let degree = 2 * N - 2;
        let whole: f64 = (0..N).map(|j| rule.end[1][j] * power(rule.places[j], degree)).sum();
        assert!((whole - 2.0 / (degree + 1) as f64).abs() < 1e-14, "degree {degree}: {whole}");
        let last: f64 = (0..N).map(|j| rule.end[0][j] * power(rule.places[j], N - 1)).sum();
        assert!((last - 1.0).abs() < 1e-13, "degree {} at 1: {last}", N - 1);
    }

    #[test]
    fn powers_are_met_between_the_points_and_integrated() {
        check(&FINE);
        check(&COARSE);
    }

    #[test]
    fn four_points_give_the_values_at_eight() {
        for degree in 0..FEW_POINTS {
            for (x, shares) in GAUSS_PLACES.iter().zip(&REFINEMENT) {
                let found: f64 = (0..FEW_POINTS).map(|j| shares[j] * power(COARSE.places[j], degree)).sum();
                assert!((found - power(*x, degree)).abs() < 1e-14, "degree {degree} at {x}: {found}");
            }
        }
    }
}
