//! Statistics of counted outcomes.

use std::f64::consts::SQRT_2;

/// The value that a standard normal variable exceeds with probability `tail`, by Newton's method on the complementary error
/// function.
pub fn normal_quantile(tail: f64) -> f64 {
    let mut x: f64 = 0.0;
    for _ in 0..100 {
        let error = 0.5 * libm::erfc(x / SQRT_2) - tail;
        let slope = libm::exp(-0.5 * x * x) / (2.0 * std::f64::consts::PI).sqrt();
        let step = (error / slope).clamp(-1.0, 1.0);
        x += step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    x
}

/// E. B. Wilson's interval (1927) for a probability of which `share` was found in `n` trials; `z` is the normal quantile of the
/// confidence. `n` may be an effective number of trials.
pub fn wilson(share: f64, n: f64, z: f64) -> [f64; 2] {
    if n <= 0.0 {
        return [0.0, 1.0];
    }
    let z2 = z * z / n;
    let middle = (share + 0.5 * z2) / (1.0 + z2);
    let half = z / (1.0 + z2) * (share * (1.0 - share) / n + 0.25 * z2 / n).sqrt();
    // At the ends the formula is exact, but for rounding.
    let low = if share <= 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (middle + half).min(1.0) };
    [low, high]
}

/// Trials after which every probability is known to within `delta` with certainty `1 - alpha` ((7.3), corrected: the quotient is
/// squared).
pub fn trials_needed(delta: f64, alpha: f64) -> u64 {
    let q = normal_quantile(0.5 * alpha) / (2.0 * delta);
    libm::ceil(q * q) as u64
}

/// Deviation of probabilities `found` from `measured` ones, weighted by how often each occurs ((7.2), as a share, not in per cent).
pub fn weighted_error(measured: &[f64], found: &[f64]) -> f64 {
    measured.iter().zip(found).map(|(p, a)| p * (a - p).abs()).sum()
}

/// Entropy of a distribution, bits: how little is known about a part before one looks.
pub fn entropy(probabilities: &[f64]) -> f64 {
    probabilities.iter().filter(|&&p| p > 0.0).map(|&p| -p * libm::log2(p)).sum::<f64>().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::{entropy, normal_quantile, trials_needed, weighted_error, wilson};

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (tail, expected) in [(0.5, 0.0), (0.05, 1.644_853_626_951_472), (0.025, 1.959_963_984_540_054)] {
            assert!((normal_quantile(tail) - expected).abs() < 1e-12);
        }
        assert!((normal_quantile(1e-6) - 4.753_424_308_822_899).abs() < 1e-9);
    }

    /// Values of R's `prop.test(correct = FALSE)`.
    #[test]
    fn intervals_are_wilsons() {
        let z = normal_quantile(0.025);
        let [low, high] = wilson(0.1, 100.0, z);
        assert!((low - 0.055_229_14).abs() < 1e-7 && (high - 0.174_365_66).abs() < 1e-7, "{low} {high}");
        let [low, high] = wilson(0.0, 50.0, z);
        assert!(low == 0.0 && (high - 0.071_347_6).abs() < 1e-6, "{high}");
        assert_eq!(wilson(0.3, 0.0, z), [0.0, 1.0]);
    }

    /// Errata of (7.3): 5 % with 90 % certainty needs 271 trials; the 385 of the thesis are for 95 %.
    #[test]
    fn the_number_of_trials_is_the_corrected_one() {
        assert_eq!([trials_needed(0.05, 0.10), trials_needed(0.05, 0.05), trials_needed(0.01, 0.05)], [271, 385, 9604]);
    }

    /// Error rows of tables 7.3 to 7.6 of the thesis, in per cent.
    #[test]
    fn errors_are_those_of_the_thesis_tables() {
        let cap = [46.0, 27.1, 19.7, 5.0, 2.2].map(|p| p / 100.0);
        let columns = [
            ([30.5, 37.3, 19.6, 8.3, 4.2], 10.1),
            ([46.5, 30.2, 19.8, 3.5, 0.0], 1.2),
            ([41.9, 26.2, 28.3, 3.0, 0.8], 4.0),
        ];
        for (found, error) in columns {
            let share = found.map(|p| p / 100.0);
            assert!((100.0 * weighted_error(&cap, &share) - error).abs() < 0.06);
        }
    }

    #[test]
    fn entropy_counts_equal_poses() {
        assert_eq!([entropy(&[1.0]), entropy(&[0.25; 4]), entropy(&[0.5, 0.5, 0.0])], [0.0, 2.0, 1.0]);
    }
}
