//! The plastic end of an impact: the least normal impulses after which no point approaches.

use super::equations::Equations;

/// Approach, relative to the largest velocity, that counts as none.
const ZERO: f64 = 1e-15;

/// Most sweeps over the points.
const SWEEPS: usize = 10_000;

/// Adds the joint inelastic impulse that stops every point that still approaches (projected Gauss-Seidel).
pub(super) fn stop_approach(equations: &Equations, impulses: &mut [f64]) {
    let mut velocities = equations.velocities(impulses);
    let mut added = vec![0.0; equations.len()];
    for _ in 0..SWEEPS {
        let mut approach = 0.0_f64;
        for i in 0..added.len() {
            approach = approach.max(-velocities[3 * i]);
            let change = (-velocities[3 * i] / equations.matrix.at(3 * i, 3 * i)).max(-added[i]);
            if change != 0.0 {
                added[i] += change;
                velocities.iter_mut().enumerate().for_each(|(row, u)| *u += equations.matrix.at(row, 3 * i) * change);
            }
        }
        if approach <= ZERO * equations.speed {
            break;
        }
    }
    added.iter().enumerate().for_each(|(i, change)| impulses[3 * i] += change);
}
