//! The belt: the matrix answers what the thesis' feedback waits for (section 7.5.3).

use crate::support::{cuboid, landscape};
use impulse_lab::{Belt, Conditions, Control, Fall, From, Spread, Start, Study};
use impulse_scenes::Random;

/// Feedback on a given matrix: the first starts are drawn from `first`, later ones from all ends so far.
fn feedback(matrix: &[Vec<f64>], first: &[f64], drops: usize, random: &mut Random) -> Vec<f64> {
    let mut draw = |shares: &[f64]| {
        let mut left = random.unit() * shares.iter().sum::<f64>();
        let found = shares.iter().position(|p| {
            left -= p;
            left < 0.0
        });
        found.unwrap_or(shares.len() - 1)
    };
    let mut counts = vec![0.0; matrix.len()];
    for drop in 0..drops {
        let from = if drop < 20 { draw(first) } else { draw(&counts) };
        counts[draw(&matrix[from])] += 1.0;
    }
    counts.iter().map(|n| n / drops as f64).collect()
}

#[test]
fn the_thesis_feedback_converges_to_the_stationary_distribution() {
    let matrix = vec![vec![0.7, 0.2, 0.1], vec![0.3, 0.6, 0.1], vec![0.25, 0.25, 0.5]];
    let counts: Vec<Vec<u64>> = matrix.iter().map(|row| row.iter().map(|p| (1e6 * p) as u64).collect()).collect();
    let belt = Belt::of_counts(counts, &[1.0 / 3.0; 3], 1.96);
    let random = &mut Random::new(9);
    let runs = 20;
    let mut mean = [0.0; 3];
    for _ in 0..runs {
        let shares = feedback(&matrix, &[0.0, 0.0, 1.0], 20_000, random);
        mean.iter_mut().zip(shares).for_each(|(sum, p)| *sum += p / f64::from(runs));
    }
    for (mean, estimate) in mean.iter().zip(&belt.estimates) {
        assert!((mean - estimate.probability).abs() < 0.01, "{mean} {}", estimate.probability);
    }
}

/// The same with drops: 4,000 for the matrix, 4,000 with feedback.
#[test]
fn feedback_and_matrix_of_a_box_agree() {
    let part = cuboid(0.02, 0.016, 0.012);
    let landscape = landscape(&part);
    // High enough that parts leave every pose.
    let conditions =
        Conditions { height: Spread::exactly(0.3), spin: Spread { low: 5.0, high: 20.0 }, ..Conditions::default() };
    let study = Study {
        part: &part,
        landscape: &landscape,
        conditions,
        seed: 1,
        drops: 4000,
        precision: None,
        quantile: 1.96,
        threads: 2,
    };
    let sample = study.run(From::Poses, &Control::default(), |_| Vec::new());
    let belt = Belt::new(&study, &sample);
    assert_eq!(belt.counts.iter().flatten().sum::<u64>(), 4000);
    let fall = Fall::new(&part, &landscape, &conditions);
    let mut ends: Vec<usize> = Vec::new();
    for i in 0..4000 {
        let random = &mut Random::of_trial(2, i);
        let start = if i < 20 {
            Start::uniform(&conditions, random)
        } else {
            let from = ends[random.whole(0, ends.len() as i64 - 1) as usize];
            Start::lying(landscape.poses[from].down, &conditions, random)
        };
        ends.extend(fall.drop(&start).unwrap().pose);
    }
    // By symmetry opposite faces are as likely: three pairs.
    for axis in 0..3 {
        let is_pair = |pose: usize| landscape.poses[pose].down[axis].abs() > 0.5;
        let share = ends.iter().filter(|&&pose| is_pair(pose)).count() as f64 / ends.len() as f64;
        let pair = (0..6).filter(|&i| is_pair(i)).map(|i| belt.estimates[i]);
        let (p, half) = pair.fold((0.0, 0.0), |(p, w), e| (p + e.probability, w + e.half_width()));
        // Feedback remembers its first drops: its spread is larger than that of as many independent ones.
        assert!(half < 0.06 && (share - p).abs() < half + 0.04, "{axis}: {share} {p} {half}");
    }
}

#[test]
fn classes_that_are_never_left_are_told() {
    let closed = |counts: Vec<Vec<u64>>| Belt::of_counts(counts, &[0.5, 0.3, 0.2], 1.96).closed_classes();
    assert_eq!(closed(vec![vec![5, 0, 0], vec![0, 5, 0], vec![2, 2, 1]]), [vec![0], vec![1]]);
    assert_eq!(closed(vec![vec![4, 1, 0], vec![1, 4, 0], vec![2, 2, 1]]), [vec![0, 1]]);
}
