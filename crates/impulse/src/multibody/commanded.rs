//! Computed torque (section 5.4.2, equation 5.16): the forces along some freedoms that accelerate them as commanded, while the others go
//! as they are pushed.

use super::forward::Loads;
use super::linkage::Linkage;
use super::posture::{Placing, Posture};
use super::spatial::Wrench;
use super::tree::BaseState;

impl Linkage {
    /// Forces along commanded freedoms, each given with its acceleration, at a time of the step, where contact does as given to all
    /// links. `None` where the others have no inertia.
    pub(crate) fn commanded_forces(&self, t: f64, commanded: &[(usize, f64)], contact: &[Wrench]) -> Option<Vec<f64>> {
        let (mut coordinates, mut rates, mut passive) = (Vec::new(), Vec::new(), Vec::new());
        self.coordinates_at(t, &mut coordinates);
        self.rates_at(t, &mut rates);
        self.find_joint_forces(&coordinates, &rates, &mut passive);
        commanded.iter().for_each(|&(k, _)| passive[k] -= self.forces[k]);
        let mut posture = Posture::new(&self.tree);
        let base = BaseState::of(&self.base, t);
        posture.place(&self.tree, &Placing { coordinates: &coordinates, rates: &rates, base });
        let links: Vec<Wrench> = self.loads.iter().zip(contact).map(|(&load, &push)| load + push).collect();
        let loads = Loads { links: &links, joints: &[], gravity: self.gravity };
        let mut accelerations = vec![0.0; self.tree.freedoms()];
        commanded.iter().for_each(|&(k, acceleration)| accelerations[k] = acceleration);
        let needed = posture.inverse_dynamics(&self.tree, &accelerations, &loads);
        let others: Vec<usize> = (0..accelerations.len()).filter(|k| commanded.iter().all(|(c, _)| c != k)).collect();
        let matrix = posture.joint_inertia(&self.tree);
        let entry = |i: usize, j: usize| matrix[i * accelerations.len() + j];
        // The others: what acts on them beyond what the commanded motion needs accelerates them.
        let missing: Vec<f64> = others.iter().map(|&k| passive[k] - needed[k]).collect();
        let free = solve(&others, entry, &missing)?;
        for (&k, a) in others.iter().zip(free) {
            accelerations[k] = a;
        }
        let forces = posture.inverse_dynamics(&self.tree, &accelerations, &loads);
        Some(commanded.iter().map(|&(k, _)| forces[k] - passive[k]).collect())
    }
}

/// Solves for some rows and columns of a symmetric matrix that is positive definite, by Cholesky.
fn solve(rows: &[usize], entry: impl Fn(usize, usize) -> f64, right: &[f64]) -> Option<Vec<f64>> {
    let n = rows.len();
    let mut l = vec![0.0; n * n];
    for j in 0..n {
        for i in j..n {
            let sum: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            let x = entry(rows[i], rows[j]) - sum;
            if i == j && x <= 0.0 {
                return None;
            }
            l[i * n + j] = if i == j { x.sqrt() } else { x / l[j * n + j] };
        }
    }
    let mut x = right.to_vec();
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| l[i * n + k] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| l[k * n + i] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i * n + i];
    }
    Some(x)
}
