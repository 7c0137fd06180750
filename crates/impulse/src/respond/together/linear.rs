//! Small dense systems, solved by elimination in storage that is used again.

/// A square matrix by rows, and after [`Matrix::factorise`] its triangular factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    size: usize,
    entries: Vec<f64>,
    order: Vec<usize>,
}

impl Matrix {
    /// Makes it a multiple of the identity.
    pub(super) fn set_diagonal(&mut self, size: usize, diagonal: f64) {
        self.size = size;
        self.entries.clear();
        self.entries.resize(size * size, 0.0);
        (0..size).for_each(|i| self.entries[i * size + i] = diagonal);
    }

    /// Part of a row.
    #[inline]
    pub(super) fn row_mut(&mut self, row: usize, from: usize, length: usize) -> &mut [f64] {
        &mut self.entries[row * self.size + from..][..length]
    }

    /// Adds to part of a row.
    #[inline]
    pub(super) fn add(&mut self, row: usize, from: usize, values: &[f64]) {
        self.row_mut(row, from, values.len()).iter_mut().zip(values).for_each(|(a, b)| *a += b);
    }

    /// Replaces the matrix by its triangular factors, with row exchanges; false if a pivot is at most `least`.
    pub(super) fn factorise(&mut self, least: f64) -> bool {
        let size = self.size;
        self.order.clear();
        for step in 0..size {
            let (mut pivot, mut largest) = (step, 0.0);
            for row in step..size {
                let entry = self.entries[row * size + step].abs();
                if entry > largest {
                    (pivot, largest) = (row, entry);
                }
            }
            if !(largest > least && largest.is_finite()) {
                return false;
            }
            self.order.push(pivot);
            let (above, below) = self.entries.split_at_mut((step + 1) * size);
            let upper = &mut above[step * size..];
            if pivot != step {
                upper.swap_with_slice(&mut below[(pivot - step - 1) * size..][..size]);
            }
            let inverse = 1.0 / upper[step];
            // Bodies that do not touch leave most of the entries zero.
            for lower in below.chunks_exact_mut(size).filter(|lower| lower[step] != 0.0) {
                let factor = lower[step] * inverse;
                lower[step] = factor;
                lower[step + 1..].iter_mut().zip(&upper[step + 1..]).for_each(|(a, b)| *a -= factor * b);
            }
            upper[step] = inverse;
        }
        true
    }

    /// Solves with the factors: the right side becomes the solution.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let size = self.size;
        let x = &mut x[..size];
        self.order.iter().enumerate().for_each(|(step, &pivot)| x.swap(step, pivot));
        for (i, row) in self.entries.chunks_exact(size).enumerate() {
            x[i] -= dot(&row[..i], &x[..i]);
        }
        for (i, row) in self.entries.chunks_exact(size).enumerate().rev() {
            x[i] = (x[i] - dot(&row[i + 1..], &x[i + 1..])) * row[i];
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
