//! The stationary distribution of a matrix of transitions, and how far errors of the matrix move it.

/// Weight of a restart, which makes the answer unique: where parts never get from some poses to others, each such class of poses
/// gets the share of starts that end in it.
const RESTART: f64 = 1e-9;

/// The distribution that transitions (rows sum to 1) leave as it is. Where there are several, that which is reached from `start`.
///
/// By elimination of states without subtraction (W. Grassmann, M. Taksar and D. Heyman, 1985): every digit is right, however rare
/// some transitions are.
pub fn stationary(transitions: &[Vec<f64>], start: &[f64]) -> Vec<f64> {
    let count = transitions.len();
    let mut p: Vec<Vec<f64>> = transitions
        .iter()
        .map(|row| {
            row.iter().zip(start).map(|(p, s)| p * (1.0 - RESTART) + RESTART * s.max(f64::MIN_POSITIVE)).collect()
        })
        .collect();
    for last in (1..count).rev() {
        let (others, row) = p.split_at_mut(last);
        let through = &row[0];
        let leaving: f64 = through[..last].iter().sum();
        for row in others {
            row[last] /= leaving;
            let weight = row[last];
            row.iter_mut().zip(&through[..last]).for_each(|(entry, onward)| *entry += weight * onward);
        }
    }
    let mut shares: Vec<f64> = Vec::with_capacity(count);
    for state in 0..count {
        let arriving = shares.iter().zip(&p).map(|(share, row)| share * row[state]).sum();
        shares.push(if state == 0 { 1.0 } else { arriving });
    }
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|x| x / sum).collect()
}

/// Variance of each stationary probability where row `i` of the matrix was estimated from `drops[i]` drops.
///
/// First order: a change dP moves the distribution by pi dP Z, with Z the inverse of 1 - P + e pi (P. Schweitzer, 1968), and rows
/// are multinomial.
pub fn variances(transitions: &[Vec<f64>], shares: &[f64], drops: &[u64]) -> Vec<f64> {
    let count = shares.len();
    let matrix = |i: usize, j: usize| f64::from(u8::from(i == j)) - transitions[i][j] + shares[j];
    let Some(z) = inverse((0..count).map(|i| (0..count).map(|j| matrix(i, j)).collect()).collect()) else {
        return vec![f64::INFINITY; count];
    };
    let variance = |j: usize| -> f64 {
        let of_row = |i: usize| {
            let mean: f64 = (0..count).map(|k| transitions[i][k] * z[k][j]).sum();
            let square: f64 = (0..count).map(|k| transitions[i][k] * (z[k][j] - mean) * (z[k][j] - mean)).sum();
            shares[i] * shares[i] * square / drops[i].max(1) as f64
        };
        (0..count).map(of_row).sum()
    };
    (0..count).map(variance).collect()
}

/// Gauss and Jordan with row exchanges; `None` where the matrix is singular.
fn inverse(mut a: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = a.len();
    let unit = |i: usize| (0..count).map(|j| f64::from(u8::from(i == j))).collect();
    let mut b: Vec<Vec<f64>> = (0..count).map(unit).collect();
    for column in 0..count {
        let pivot = (column..count).max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs()))?;
        a.swap(column, pivot);
        b.swap(column, pivot);
        let scale = a[column][column];
        if scale.abs() < 1e-12 {
            return None;
        }
        for j in 0..count {
            a[column][j] /= scale;
            b[column][j] /= scale;
        }
        let (pivot_a, pivot_b) = (a[column].clone(), b[column].clone());
        for i in (0..count).filter(|&i| i != column) {
            let factor = a[i][column];
            for j in 0..count {
                a[i][j] -= factor * pivot_a[j];
                b[i][j] -= factor * pivot_b[j];
            }
        }
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::{stationary, variances};
    use impulse_scenes::Random;

    #[test]
    fn two_states_balance() {
        let shares = stationary(&[vec![0.9, 0.1], vec![0.3, 0.7]], &[0.5, 0.5]);
        assert!((shares[0] - 0.75).abs() < 1e-8);
    }

    /// Poses 0 and 1 are never left, and pose 2 leads to them as 1 to 3: what starts where it ends stays there.
    #[test]
    fn classes_that_are_never_left_get_what_falls_into_them() {
        let matrix = [vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![0.25, 0.75, 0.0]];
        let shares = stationary(&matrix, &[0.2, 0.4, 0.4]);
        assert!((shares[0] - 0.3).abs() < 1e-7 && (shares[1] - 0.7).abs() < 1e-7 && shares[2] < 1e-8, "{shares:?}");
    }

    fn random_matrix(random: &mut Random, count: usize) -> Vec<Vec<f64>> {
        let row = |random: &mut Random| {
            let row: Vec<f64> = (0..count).map(|_| random.unit() * random.unit()).collect();
            let sum: f64 = row.iter().sum();
            row.into_iter().map(|x| x / sum).collect()
        };
        (0..count).map(|_| row(random)).collect()
    }

    #[test]
    fn the_answer_is_left_as_it_is() {
        let random = &mut Random::new(5);
        for count in 1..12 {
            let matrix = random_matrix(random, count);
            let shares = stationary(&matrix, &vec![1.0 / count as f64; count]);
            for j in 0..count {
                let next: f64 = (0..count).map(|i| shares[i] * matrix[i][j]).sum();
                assert!((next - shares[j]).abs() < 1e-8);
            }
        }
    }

    /// The spread of answers from matrices that are counted again and again.
    #[test]
    fn variances_are_those_of_repeated_counts() {
        let random = &mut Random::new(6);
        let (count, drops) = (4, 400);
        let matrix = random_matrix(random, count);
        let start = vec![0.25; count];
        let shares = stationary(&matrix, &start);
        let expected = variances(&matrix, &shares, &[drops; 4]);
        let mut sums = vec![0.0; count];
        let repeats = 2000;
        for _ in 0..repeats {
            let counted: Vec<Vec<f64>> = matrix.iter().map(|row| counts(random, row, drops)).collect();
            let found = stationary(&counted, &start);
            sums.iter_mut().zip(found.iter().zip(&shares)).for_each(|(sum, (f, s))| *sum += (f - s) * (f - s));
        }
        for (sum, expected) in sums.iter().zip(expected) {
            let ratio = sum / f64::from(repeats) / expected;
            assert!((ratio - 1.0).abs() < 0.2, "{ratio}");
        }
    }

    fn counts(random: &mut Random, row: &[f64], drops: u64) -> Vec<f64> {
        let mut counts = vec![0.0; row.len()];
        for _ in 0..drops {
            let mut left = random.unit();
            let end = row.iter().position(|p| {
                left -= p;
                left < 0.0
            });
            counts[end.unwrap_or(row.len() - 1)] += 1.0 / drops as f64;
        }
        counts
    }
}
