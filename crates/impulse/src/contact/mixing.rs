//! Anderson mixing: fixed-point iteration that uses the last few trials, not only the last one (D. G. Anderson, J. ACM 12,
//! 1965).

/// Number of earlier trials that are used.
const MIXING_DEPTH: usize = 4;

/// Pivots below this share of the largest one mean that the differences of trials are linearly dependent.
const DEPENDENT_PIVOT: f64 = 1e-10;

/// The last trials of a fixed-point iteration `x = g(x)`: values `g(x)` and residuals `g(x) - x`, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Mixing {
    values: Vec<Vec<f64>>,
    misses: Vec<Vec<f64>>,
    count: usize,
    /// Products of the differences of successive residuals.
    products: [[f64; MIXING_DEPTH]; MIXING_DEPTH],
}

impl Mixing {
    /// Forgets all trials.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Stores a trial `x` and its `value`, and replaces `x` by the next trial.
    pub(super) fn next(&mut self, x: &mut [f64], value: &[f64]) {
        if self.values.len() < MIXING_DEPTH + 1 {
            self.values.resize(MIXING_DEPTH + 1, Vec::new());
            self.misses.resize(MIXING_DEPTH + 1, Vec::new());
        }
        if self.count == MIXING_DEPTH + 1 {
            self.values.rotate_left(1);
            self.misses.rotate_left(1);
            self.count -= 1;
            for k in 1..MIXING_DEPTH {
                self.products[k - 1] = self.products[k];
                self.products[k - 1].rotate_left(1);
            }
        }
        let last = self.count;
        self.values[last].clear();
        self.values[last].extend_from_slice(value);
        self.misses[last].clear();
        self.misses[last].extend(value.iter().zip(x.iter()).map(|(g, x)| g - x));
        self.count += 1;
        x.copy_from_slice(value);
        let weights = self.weights();
        for (k, weight) in weights.iter().enumerate().take(last) {
            for (i, x) in x.iter_mut().enumerate() {
                *x -= weight * (self.values[k + 1][i] - self.values[k][i]);
            }
        }
    }

    /// How much of each difference of successive trials to subtract so that the residuals cancel best (least squares).
    fn weights(&mut self) -> [f64; MIXING_DEPTH] {
        let count = self.count - 1;
        let misses = &self.misses;
        let difference = |k: usize| misses[k + 1].iter().zip(&misses[k]).map(|(a, b)| a - b);
        let mut right = [0.0; MIXING_DEPTH];
        for (k, entry) in right.iter_mut().enumerate().take(count) {
            // Those of earlier differences are known.
            let product = difference(k).zip(difference(count - 1)).map(|(a, b)| a * b).sum();
            (self.products[k][count - 1], self.products[count - 1][k]) = (product, product);
            *entry = difference(k).zip(&misses[count]).map(|(a, b)| a * b).sum();
        }
        let mut matrix = self.products;
        solve(&mut matrix, &mut right, count);
        right
    }
}

/// Gaussian elimination of a symmetric matrix; unknowns that depend on the others are set to zero.
fn solve(matrix: &mut [[f64; MIXING_DEPTH]; MIXING_DEPTH], right: &mut [f64; MIXING_DEPTH], count: usize) {
    let largest = (0..count).map(|k| matrix[k][k]).fold(0.0, f64::max);
    let mut used = [false; MIXING_DEPTH];
    // The latest differences first: they matter most.
    for k in (0..count).rev() {
        if matrix[k][k] <= DEPENDENT_PIVOT * largest || matrix[k][k].is_nan() {
            continue;
        }
        used[k] = true;
        for i in (0..count).filter(|&i| i != k) {
            let factor = matrix[i][k] / matrix[k][k];
            let row = matrix[k];
            for (entry, pivot) in matrix[i].iter_mut().zip(&row) {
                *entry -= factor * pivot;
            }
            right[i] -= factor * right[k];
        }
    }
    for k in 0..MIXING_DEPTH {
        right[k] = if used[k] { right[k] / matrix[k][k] } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::Mixing;

    /// A linear fixed point in three dimensions is found from four trials, up to rounding, where plain repetition diverges.
    #[test]
    fn linear_fixed_points_are_found() {
        let g = |x: &[f64]| [1.5 * x[1] - 0.5, 0.3 * x[0] + 0.8 * x[2], -1.2 * x[1] + 2.0];
        let mut x = [0.0; 3];
        let mut mixing = Mixing::default();
        for _ in 0..6 {
            let value = g(&x);
            mixing.next(&mut x, &value);
        }
        let missed = g(&x).iter().zip(&x).map(|(g, x)| (g - x).abs()).fold(0.0, f64::max);
        assert!(missed < 1e-10, "{missed:e}");
    }
}
