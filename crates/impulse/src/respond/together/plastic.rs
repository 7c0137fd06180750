//! The plastic end of an impact: the least normal impulses after which no point approaches.

use super::equations::Equations;
use super::linear::Matrix;

/// Approach, relative to the largest velocity, that counts as none.
const ZERO: f64 = 1e-14;

/// Rounds of the active set per point.
const ROUNDS: usize = 20;

/// Adds the joint inelastic impulse that stops every point that still approaches: an active set of stopped points (Lawson and
/// Hanson, Solving Least Squares Problems, chapter 23).
pub(super) fn stop_approach(equations: &Equations, impulses: &mut [f64]) {
    let start = equations.velocities(impulses);
    let (mut added, mut active) = (vec![0.0; equations.len()], Vec::new());
    for _ in 0..ROUNDS * added.len() {
        let velocity = |i: usize| {
            let change: f64 = added.iter().enumerate().map(|(j, p)| equations.matrix.at(3 * i, 3 * j) * p).sum();
            start[3 * i] + change
        };
        let others = (0..added.len()).filter(|i| !active.contains(i));
        let fastest = others.map(|i| (velocity(i), i)).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, entering)) = fastest.filter(|&(u, _)| u < -ZERO * equations.speed) else { break };
        active.push(entering);
        if !stop_active(equations, &start, &mut active, &mut added) {
            break;
        }
    }
    added.iter().enumerate().for_each(|(i, change)| impulses[3 * i] += change);
}

/// Stops the active points, leaving out those that would have to be pulled; false if they depend on each other.
fn stop_active(equations: &Equations, start: &[f64], active: &mut Vec<usize>, added: &mut [f64]) -> bool {
    while !active.is_empty() {
        let mut matrix = Matrix::zeros(active.len());
        for (row, &i) in active.iter().enumerate() {
            for (column, &j) in active.iter().enumerate() {
                *matrix.at_mut(row, column) = equations.matrix.at(3 * i, 3 * j);
            }
        }
        let Some(factors) = matrix.factorise() else { return false };
        let wanted = factors.solve(&active.iter().map(|&i| -start[3 * i]).collect::<Vec<_>>());
        // As far towards the solution as no impulse pulls.
        let bounds =
            active.iter().zip(&wanted).filter(|&(_, &p)| p <= 0.0).map(|(&i, &p)| (added[i] / (added[i] - p), i));
        let first = bounds.min_by(|a, b| a.0.total_cmp(&b.0));
        let share = first.map_or(1.0, |(share, _)| share);
        active.iter().zip(&wanted).for_each(|(&i, &p)| added[i] += share * (p - added[i]));
        let Some((_, leaving)) = first else { return true };
        added[leaving] = 0.0;
        active.retain(|&i| i != leaving);
    }
    true
}
