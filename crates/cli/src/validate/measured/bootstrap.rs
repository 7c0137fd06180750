//! How sure a mean is: the bootstrap (B. Efron 1979).

use impulse_scenes::Random;

/// Means that are drawn.
const DRAWN: u64 = 2000;

/// The mean of some values.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Where 95 % of the means of as many values, drawn anew from these, are. The values may be differences of pairs.
pub(super) fn interval(values: &[f64]) -> [f64; 2] {
    let drawn = |i: u64| {
        let mut random = Random::of_trial(1, i);
        let pick = |_| values[random.whole(0, values.len() as i64 - 1) as usize];
        (0..values.len()).map(pick).sum::<f64>() / values.len() as f64
    };
    let mut means: Vec<f64> = (0..DRAWN).map(drawn).collect();
    means.sort_by(f64::total_cmp);
    [means[(DRAWN / 40) as usize], means[(DRAWN - 1 - DRAWN / 40) as usize]]
}

#[cfg(test)]
mod tests {
    use super::{interval, mean};

    #[test]
    fn intervals_are_two_standard_errors_wide() {
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 20)).collect();
        let [low, high] = interval(&values);
        // Uniform on 0..19: deviation 5.766, over 20 for the mean of 400.
        let half = 1.96 * 5.766 / 20.0;
        assert!((mean(&values) - 9.5).abs() < 1e-12);
        assert!((0.5 * (high - low) / half - 1.0).abs() < 0.1, "{low} {high}");
    }
}
