//! Rank correlation: how much of one quantity follows another, whatever the curve, as long as it rises or falls.

/// C. Spearman's coefficient (1904) of pairs; ties share their mean rank. None for fewer than three pairs, or where one quantity
/// does not vary.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 3 {
        return None;
    }
    let (x, y) = (ranks(pairs.iter().map(|pair| pair.0)), ranks(pairs.iter().map(|pair| pair.1)));
    let middle = (pairs.len() as f64 - 1.0) / 2.0;
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - middle) * (b - middle)).sum::<f64>();
    let spread = (sum(&x, &x) * sum(&y, &y)).sqrt();
    (spread > 0.0).then(|| sum(&x, &y) / spread)
}

fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let value = values[order[first]];
        let last = first + order[first..].iter().take_while(|&&i| values[i] == value).count().max(1);
        for &i in &order[first..last] {
            ranks[i] = (first + last - 1) as f64 / 2.0;
        }
        first = last;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::rank_correlation;

    #[test]
    fn monotone_curves_have_one_and_ties_share_ranks() {
        let curve: Vec<(f64, f64)> = (0..10).map(|i| (f64::from(i), f64::from(i * i * i))).collect();
        assert_eq!(rank_correlation(&curve), Some(1.0));
        let falling: Vec<(f64, f64)> = curve.iter().map(|&(x, y)| (x, -y)).collect();
        assert_eq!(rank_correlation(&falling), Some(-1.0));
        // Ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3: 4.5 / sqrt(4.5 * 5).
        let tied = rank_correlation(&[(1.0, 1.0), (2.0, 2.0), (2.0, 3.0), (5.0, 9.0)]);
        assert!((tied.unwrap() - 4.5 / (4.5_f64 * 5.0).sqrt()).abs() < 1e-15);
        assert_eq!(rank_correlation(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
    }
}
