//! Exact sums and products of doubles: expansions (Shewchuk 1997), the numbers of the exact judge.

use std::cmp::Ordering;

/// A number as the exact sum of doubles that do not overlap, in ascending order of magnitude, without zeros.
#[derive(Clone, Debug, Default)]
pub(super) struct Expansion(Vec<f64>);

impl From<f64> for Expansion {
    fn from(x: f64) -> Self {
        Self(if x == 0.0 { Vec::new() } else { vec![x] })
    }
}

impl Expansion {
    pub(super) fn difference(a: f64, b: f64) -> Self {
        let mut difference = Self::from(a);
        difference.grow(-b);
        difference
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        other.0.iter().for_each(|&x| sum.grow(x));
        sum.compressed()
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        other.0.iter().for_each(|&x| sum.grow(-x));
        sum.compressed()
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for &a in &self.0 {
            for &b in &other.0 {
                let high = a * b;
                product.grow(a.mul_add(b, -high));
                product.grow(high);
            }
        }
        product.compressed()
    }

    /// How the number compares with zero.
    pub(super) fn sign(&self) -> Ordering {
        self.0.last().map_or(Ordering::Equal, |x| x.total_cmp(&0.0))
    }

    /// The number to within a rounding.
    pub(super) fn approximate(&self) -> f64 {
        self.0.iter().sum()
    }

    /// Adds a double (Shewchuk's Grow-Expansion).
    fn grow(&mut self, x: f64) {
        let mut sum = x;
        self.0.retain_mut(|component| {
            let (high, low) = two_sum(sum, *component);
            (sum, *component) = (high, low);
            low != 0.0
        });
        if sum != 0.0 {
            self.0.push(sum);
        }
    }

    /// The same number in as few doubles as possible (Shewchuk's Compress).
    fn compressed(self) -> Self {
        let Some((&largest, rest)) = self.0.split_last() else { return self };
        let (mut descending, mut sum) = (Vec::with_capacity(self.0.len()), largest);
        for &component in rest.iter().rev() {
            let (high, low) = two_sum(sum, component);
            if low == 0.0 {
                sum = high;
            } else {
                descending.push(high);
                sum = low;
            }
        }
        let mut ascending = Vec::with_capacity(descending.len() + 1);
        for &component in descending.iter().rev() {
            let (high, low) = two_sum(component, sum);
            if low != 0.0 {
                ascending.push(low);
            }
            sum = high;
        }
        ascending.push(sum);
        Self(ascending)
    }
}

/// The rounded sum and its error, exactly (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}
