//! The answer as text: one line for each group of poses that are equal by symmetry.

use super::answer::{Answer, PoseAnswer};
use super::arguments::{Beginning, Method};
use crate::mass::{significant, triple};
use std::fmt::Write;

/// Poses that are equal by symmetry.
pub(super) struct Group<'a> {
    /// Numbers of the poses.
    pub(super) members: Vec<usize>,
    pub(super) first: &'a PoseAnswer,
    /// Of all of them together.
    pub(super) probability: f64,
    pub(super) interval: [f64; 2],
    pub(super) quasi_static: f64,
    pub(super) perturbed: f64,
}

/// The groups, the likeliest first.
pub(super) fn groups(answer: &Answer) -> Vec<Group<'_>> {
    let firsts = answer.poses.iter().enumerate().filter(|(i, pose)| pose.group == *i);
    let mut groups: Vec<Group<'_>> = firsts
        .map(|(i, first)| {
            let members: Vec<usize> = (0..answer.poses.len()).filter(|&j| answer.poses[j].group == i).collect();
            let sum = |of: &dyn Fn(&PoseAnswer) -> f64| members.iter().map(|&j| of(&answer.poses[j])).sum::<f64>();
            let probability = sum(&|pose| pose.probability);
            let interval = group_interval(answer, &members);
            let (quasi_static, perturbed) = (sum(&|pose| pose.quasi_static), sum(&|pose| pose.perturbed));
            Group { members, first, probability, interval, quasi_static, perturbed }
        })
        .collect();
    groups.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.members.cmp(&b.members)));
    groups
}

/// The interval of several poses together: Wilson's for counted ones; else as if their errors were all in one direction.
fn group_interval(answer: &Answer, members: &[usize]) -> [f64; 2] {
    if answer.method == Method::Dynamic && answer.start == Beginning::Uniform {
        let unknown = answer.undecided + answer.failures.len() as u64;
        let count: u64 = members.iter().map(|&j| answer.poses[j].count).sum();
        let quantile = impulse_lab::normal_quantile(0.5 * (1.0 - answer.confidence));
        let ends = [count, count + unknown].map(|n| n as f64 / answer.drops.max(1) as f64);
        let [low, high] = ends.map(|share| impulse_lab::wilson(share, answer.drops as f64, quantile));
        return [low[0], high[1]];
    }
    let end = |k: usize| members.iter().map(|&j| answer.poses[j].interval[k]).sum::<f64>();
    [end(0), end(1).min(1.0)]
}

pub(super) fn text(answer: &Answer) -> String {
    let mut text = format!("{}\n", answer.part);
    for line in heading(answer) {
        let _ = writeln!(text, "  {line}");
    }
    let interval = format!("{:.0} % interval", 100.0 * answer.confidence);
    let _ = writeln!(
        text,
        "\n  {:<10} {:>5}  {:>11}  {interval:>16}  {:>12}  {:>9}  {:>10}  down",
        "poses", "equal", "probability", "quasi-static", "perturbed", "barrier"
    );
    for group in groups(answer) {
        let [low, high] = group.interval;
        let barrier = group.first.barrier.map_or("-".to_owned(), |b| format!("{} mm", significant(1e3 * b, 3)));
        let _ = writeln!(
            text,
            "  {:<10} {:>5}  {:>11}  {:>16}  {:>12}  {:>9}  {barrier:>10}  {}{}",
            numbers(&group.members),
            group.members.len(),
            percent(group.probability),
            format!("{} .. {}", percent(low), percent(high)),
            percent(group.quasi_static),
            percent(group.perturbed),
            triple(group.first.down, |x| significant(x, 4)),
            if group.first.rolls { ", rolls" } else { "" },
        );
    }
    for variation in &answer.sensitivity {
        let moved =
            variation.probabilities.iter().zip(&answer.poses).map(|(p, pose)| 0.5 * (p - pose.probability).abs());
        let name = format!("{} {}", variation.varied, significant(variation.value, 4));
        let _ = writeln!(text, "  with {name:<20} {} of all parts land otherwise", percent(moved.sum()));
    }
    for note in &answer.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    text
}

/// What was studied, in words.
pub(super) fn heading(answer: &Answer) -> Vec<String> {
    let groups = answer.poses.iter().enumerate().filter(|(i, pose)| pose.group == *i).count();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut lines = vec![format!(
        "{} in {}, entropy {} bits",
        count(answer.poses.len(), "pose"),
        count(groups, "group"),
        significant(answer.entropy, 3)
    )];
    if answer.method == Method::Dynamic {
        let conditions = &answer.conditions;
        let range = |[low, high]: [f64; 2]| if low == high { format!("{low}") } else { format!("{low} to {high}") };
        lines.push(format!(
            "{} drops from {}, height {} m, speed {} m/s, spin {} rad/s; friction {}, restitution {}; seed {}",
            answer.drops,
            if answer.start == Beginning::Belt { "every pose (belt)" } else { "uniform attitudes" },
            range(conditions.height),
            range(conditions.speed),
            range(conditions.spin),
            conditions.friction,
            conditions.restitution,
            answer.seed
        ));
        if let (Some(time), Some(impacts)) = (&answer.time, &answer.impacts) {
            lines.push(format!(
                "decided after {} s and {} impacts in the mean, {} s and {} in 95 of 100 drops",
                significant(time.mean, 3),
                significant(impacts.mean, 3),
                significant(time.p95, 3),
                impacts.p95
            ));
            lines.push(format!(
                "error (7.2) of the quasi-static estimate {}, of the perturbed one {}",
                percent(answer.error_quasi_static),
                percent(answer.error_perturbed)
            ));
        }
    }
    lines
}

fn numbers(members: &[usize]) -> String {
    let contiguous = members.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match members {
        [one] => format!("{}", one + 1),
        [first, .., last] if contiguous => format!("{}-{}", first + 1, last + 1),
        _ => {
            let mut text = members.iter().take(4).map(|i| (i + 1).to_string()).collect::<Vec<_>>().join(",");
            if members.len() > 4 {
                text.push_str(",..");
            }
            text
        }
    }
}

pub(super) fn percent(p: f64) -> String {
    format!("{:.2} %", 100.0 * p)
}
