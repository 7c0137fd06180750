//! Small dense matrices and their solution by elimination.

/// A square matrix, by rows.
#[derive(Clone)]
pub(super) struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub(super) fn zeros(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    #[inline]
    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }

    /// A row.
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..(row + 1) * self.size]
    }

    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| self.row(row).iter().zip(vector).map(|(a, x)| a * x).sum()).collect()
    }

    /// Triangular factors with row exchanges; `None` if the matrix is singular.
    pub(super) fn factorise(mut self) -> Option<Factors> {
        let size = self.size;
        let mut order: Vec<usize> = (0..size).collect();
        for step in 0..size {
            let pivot = (step..size).max_by(|&i, &j| self.at(i, step).abs().total_cmp(&self.at(j, step).abs()))?;
            let largest = self.at(pivot, step);
            if largest == 0.0 || !largest.is_finite() {
                return None;
            }
            order.swap(step, pivot);
            (0..size).for_each(|column| self.entries.swap(step * size + column, pivot * size + column));
            for row in step + 1..size {
                let factor = self.at(row, step) / largest;
                *self.at_mut(row, step) = factor;
                if factor != 0.0 {
                    (step + 1..size).for_each(|column| *self.at_mut(row, column) -= factor * self.at(step, column));
                }
            }
        }
        Some(Factors { triangles: self, order })
    }
}

/// A factorised matrix.
pub(super) struct Factors {
    triangles: Matrix,
    order: Vec<usize>,
}

impl Factors {
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.triangles.size;
        let mut x: Vec<f64> = self.order.iter().map(|&row| right[row]).collect();
        for row in 0..size {
            let sum: f64 = self.triangles.row(row)[..row].iter().zip(&x).map(|(a, x)| a * x).sum();
            x[row] -= sum;
        }
        for row in (0..size).rev() {
            let sum: f64 = self.triangles.row(row)[row + 1..].iter().zip(&x[row + 1..]).map(|(a, x)| a * x).sum();
            x[row] = (x[row] - sum) / self.triangles.at(row, row);
        }
        x
    }
}
