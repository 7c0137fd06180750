//! Power series of the flow in the half-angle variable (3.4): the linear recurrence that makes them cheap.

/// Most terms a series may have.
pub(super) const MAX_TERMS: usize = 48;

/// Size of the terms that are left out, relative to the largest one.
const TRUNCATION: f64 = 1e-14;

/// Growth of the terms, relative to the first one, beyond which the sum would lose digits.
const MAX_GROWTH: f64 = 100.0;

/// How many terms in a row must be small before the rest is: the recurrence reaches back four terms. They are kept, because the
/// product with `P^2` has four more terms than the series.
const QUIET: usize = 4;

/// The equation `(lead + sum_j brake_j t^j) f' = (sum_j drive_j t^(j-1)) f` for `f = t^exponent * (1 + c_1 t + ...)`, `j` from 1
/// to 4. At a ray one factor `t` of `Q` is divided out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recurrence {
    pub lead: f64,
    pub drive: [f64; 4],
    pub brake: [f64; 4],
    pub exponent: f64,
}

/// The coefficients `c_k h^k` of a series, so that its argument `y = t / h` stays within [0, 1].
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    pub h: f64,
    pub terms: usize,
    pub c: [f64; MAX_TERMS],
}

impl Recurrence {
    /// Writes the series up to `t = h`, or up to a smaller `h` if the series does not converge that far.
    pub(super) fn expand(&self, h: f64, series: &mut Series) {
        let (mut drive, mut brake) = (self.drive, self.brake);
        let mut power = 1.0 / self.lead;
        for j in 0..4 {
            power *= h;
            brake[j] *= power;
            drive[j] = drive[j] * power - brake[j] * (self.exponent - (j + 1) as f64);
        }
        (series.h, series.terms, series.c[0]) = (h, MAX_TERMS, 1.0);
        let (mut largest, mut quiet) = (1.0_f64, 0);
        let [mut c1, mut c2, mut c3, mut c4] = [1.0, 0.0, 0.0, 0.0];
        for (k, slot) in series.c.iter_mut().enumerate().skip(1) {
            for j in 0..4 {
                drive[j] -= brake[j];
            }
            let next = (drive[0] * c1 + drive[1] * c2 + (drive[2] * c3 + drive[3] * c4)) / k as f64;
            (c4, c3, c2, c1) = (c3, c2, c1, next);
            *slot = next;
            let size = next.abs();
            largest = if size > largest { size } else { largest };
            quiet = if size <= TRUNCATION { quiet + 1 } else { 0 };
            if quiet == QUIET {
                series.terms = k + 1;
                break;
            }
        }
        if quiet < QUIET || largest > MAX_GROWTH {
            series.shorten();
        }
    }
}

impl Series {
    /// An empty series, to be expanded.
    pub(super) fn blank() -> Self {
        Self { h: 0.0, terms: 0, c: [0.0; MAX_TERMS] }
    }

    /// Shortens the range until the terms decay within it.
    fn shorten(&mut self) {
        let n = self.terms;
        let mut factor = 1.0;
        loop {
            factor *= SHORTENING;
            let (mut power, mut largest, mut last) = (1.0, 0.0_f64, 0.0_f64);
            for (k, c) in self.c[..n].iter().enumerate() {
                let size = c.abs() * power;
                power *= factor;
                largest = largest.max(size);
                if k + QUIET >= n {
                    last = last.max(size);
                }
            }
            if last <= TRUNCATION && largest <= MAX_GROWTH {
                break;
            }
        }
        let mut power = 1.0;
        for c in &mut self.c[..n] {
            *c *= power;
            power *= factor;
        }
        self.h *= factor;
    }
}

/// Factor by which a range is shortened at a time.
const SHORTENING: f64 = 0.8;

/// A lower bound on the distance from zero to the nearest root of `lead + sum_j c_j t^j`, at most 1 (Cauchy's bound).
pub(super) fn root_free_radius(lead: f64, c: [f64; 4]) -> f64 {
    let [c1, c2, c3, c4] = c.map(f64::abs);
    let lead = lead.abs();
    let mut x = if c1 > lead { lead / c1 } else { 1.0 };
    // The polynomial lead - sum |c_j| x^j is concave and falls: Newton's method from the right of its root stays there.
    for _ in 0..4 {
        let value = (((c4 * x + c3) * x + c2) * x + c1) * x - lead;
        if value <= 0.0 {
            break;
        }
        x -= value / (((4.0 * c4 * x + 3.0 * c3) * x + 2.0 * c2) * x + c1);
    }
    x
}

/// Coefficients of a product that are summed in parallel.
const LANES: usize = 8;

/// The first coefficients of the product of two series, of which `a` has no constant term.
pub(super) fn product(a: &[f64; MAX_TERMS], b: &[f64; MAX_TERMS], out: &mut [f64]) {
    let mut padded = [0.0; MAX_TERMS + LANES];
    padded[LANES..].copy_from_slice(b);
    for (block, sums) in out.chunks_mut(LANES).enumerate() {
        let end = (block + 1) * LANES;
        let mut total = [0.0; LANES];
        // b[end - LANES - i ..], with zeros before its start.
        for (factor, window) in a[1..end].iter().zip(padded[..end + LANES - 1].windows(LANES).rev()) {
            let Some(window) = window.first_chunk::<LANES>() else { break };
            for lane in 0..LANES {
                total[lane] += factor * window[lane];
            }
        }
        sums.copy_from_slice(&total[..sums.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_TERMS, Recurrence, Series, product, root_free_radius};

    #[test]
    fn a_known_equation_gives_its_known_solution() {
        // (1 - t) f' = f / 2 is solved by (1 - t)^(-1/2); too long a range is shortened until the series holds.
        let recurrence =
            Recurrence { lead: 1.0, drive: [0.5, 0.0, 0.0, 0.0], brake: [-1.0, 0.0, 0.0, 0.0], exponent: 0.0 };
        for h in [1e-3, 0.3, 0.9, 5.0] {
            let mut series = Series::blank();
            recurrence.expand(h, &mut series);
            let sum: f64 = series.c[..series.terms].iter().sum();
            let wanted = 1.0 / (1.0 - series.h).sqrt();
            assert!(series.h <= h && series.h >= h.min(0.3), "{}", series.h);
            assert!((sum - wanted).abs() < 1e-13 * wanted, "{h}: {sum} {wanted}");
        }
    }

    #[test]
    fn product_is_that_of_the_definition() {
        let a: [f64; MAX_TERMS] = core::array::from_fn(|i| if i == 0 { 0.0 } else { 1.0 / i as f64 });
        let b: [f64; MAX_TERMS] = core::array::from_fn(|i| (i as f64 - 7.5) * 0.25);
        for n in [1, 2, 7, 8, 9, 31, MAX_TERMS] {
            let mut out = [0.0; MAX_TERMS];
            product(&a, &b, &mut out[..n]);
            for (k, &got) in out[..n].iter().enumerate() {
                let wanted: f64 = (0..=k).map(|i| a[i] * b[k - i]).sum();
                assert!((got - wanted).abs() < 1e-12, "{n} {k}: {got} {wanted}");
            }
        }
    }

    #[test]
    fn root_free_radius_is_below_the_nearest_root() {
        // (1 - 2 t)(1 + 4 t)(1 + t^2): the nearest root is at -1/4.
        let radius = root_free_radius(1.0, [2.0, -7.0, 2.0, -8.0]);
        assert!(radius > 0.15 && radius < 0.26, "{radius}");
        assert!((root_free_radius(1.0, [-2.0, 0.0, 0.0, 0.0]) - 0.5).abs() < 1e-15);
        assert_eq!(root_free_radius(1.0, [0.1, 0.0, 0.0, 0.0]), 1.0);
    }
}
