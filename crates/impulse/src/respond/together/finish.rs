//! The end of the impact: impulses that agree with the velocities, no energy gained by errors of integration, no point left
//! approaching, and each point's share of the energy lost.

use super::linear::Matrix;
use super::plastic::Stopper;
use super::reduced::Reduced;

/// Rounds of stopping what rounding lets approach.
const STOPS: usize = 3;

/// Share of the largest entry added to a matrix that may be singular.
const REGULAR: f64 = 1e-13;

/// The impulses of all points and what they do, in storage that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Finish {
    /// Three components per point: normal and two tangents.
    pub(super) impulses: Vec<f64>,
    /// Weighted changes of velocity of the bodies.
    pub(super) bodies: Vec<f64>,
    /// Energy lost at each point, in units of the impact.
    pub(super) lost: Vec<f64>,
    last: Vec<f64>,
    missing: Vec<f64>,
    matrix: Matrix,
    stopper: Stopper,
}

impl Finish {
    /// Begins with the same normal impulse at every point.
    pub(super) fn set_equal(&mut self, reduced: &Reduced, impulse: f64) {
        self.impulses.clear();
        reduced.contacts.iter().for_each(|_| self.impulses.extend([impulse, 0.0, 0.0]));
        self.bodies.clear();
        self.bodies.resize(reduced.freedoms(), 0.0);
        self.lost.clear();
        self.lost.resize(reduced.contacts.len(), 0.0);
        self.last.clear();
        self.last.resize(self.impulses.len(), 0.0);
        self.account(reduced);
    }

    /// Begins with the impulses and velocities of an integration. Those of sticking points are known less well than the
    /// velocities, which follow from their sum: they are changed as little as possible to agree.
    pub(super) fn set_integrated(&mut self, reduced: &Reduced, impulses: &[f64], bodies: &[f64], lost: &[f64]) {
        self.impulses.clear();
        self.impulses.extend_from_slice(impulses);
        self.agree(reduced, bodies);
        self.lost.clear();
        self.lost.extend_from_slice(lost);
        self.last.clear();
        self.last.extend_from_slice(&self.impulses);
        reduced.all_changes(&self.impulses, &mut self.bodies);
    }

    fn agree(&mut self, reduced: &Reduced, bodies: &[f64]) {
        let weights = |p: &[f64], friction: f64| if friction > 0.0 { [p[0]; 3] } else { [p[0], 0.0, 0.0] };
        let most = self.impulses.iter().step_by(3).fold(0.0_f64, |most, &p| most.max(p));
        self.matrix.set_diagonal(reduced.freedoms(), REGULAR * most / reduced.stiffness);
        for (contact, p) in reduced.contacts.iter().zip(self.impulses.chunks_exact(3)) {
            let [n, s, t] = weights(p, contact.friction);
            contact.add_product(&[[n, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, t]], |row, from, values| {
                self.matrix.add(row, from, &values)
            });
        }
        if !self.matrix.factorise(0.0) {
            return;
        }
        for _ in 0..2 {
            reduced.all_changes(&self.impulses, &mut self.missing);
            self.missing.iter_mut().zip(bodies).for_each(|(sum, wanted)| *sum = wanted - *sum);
            self.matrix.solve(&mut self.missing);
            for (contact, p) in reduced.contacts.iter().zip(self.impulses.chunks_exact_mut(3)) {
                let change = contact.change(&self.missing);
                let weights = weights(p, contact.friction);
                (0..3).for_each(|k| p[k] += weights[k] * change[k]);
            }
        }
    }

    /// Shrinks the impulses where errors of integration have gained energy; where nothing can lose any, it is kept exactly.
    pub(super) fn keep_energy(&mut self, reduced: &Reduced) {
        let (mut linear, mut quadratic) = (0.0, 0.0);
        let mut lossless = true;
        for (contact, p) in reduced.contacts.iter().zip(self.impulses.chunks_exact(3)) {
            let change = contact.change(&self.bodies);
            linear += (0..3).map(|k| p[k] * contact.initial[k]).sum::<f64>();
            quadratic += (0..3).map(|k| 0.5 * p[k] * change[k]).sum::<f64>();
            lossless &= p[0] == 0.0 || contact.friction == 0.0 && contact.restitution == 1.0;
        }
        if quadratic > 0.0 && (lossless || linear + quadratic > 0.0) {
            let factor = -linear / quadratic;
            self.impulses.iter_mut().for_each(|p| *p *= factor);
            self.account(reduced);
        }
    }

    /// Stops what still approaches.
    pub(super) fn stop_approach(&mut self, reduced: &Reduced) {
        for _ in 0..STOPS {
            if !self.stopper.stop_approach(reduced, &mut self.impulses) {
                break;
            }
            self.account(reduced);
        }
    }

    /// Brings velocities and energies up to date with changed impulses.
    fn account(&mut self, reduced: &Reduced) {
        std::mem::swap(&mut self.bodies, &mut self.missing);
        reduced.all_changes(&self.impulses, &mut self.bodies);
        for (i, contact) in reduced.contacts.iter().enumerate() {
            let (before, after) = (contact.velocity(&self.missing), contact.velocity(&self.bodies));
            let change = |k: usize| self.impulses[3 * i + k] - self.last[3 * i + k];
            self.lost[i] -= (0..3).map(|k| 0.5 * change(k) * (before[k] + after[k])).sum::<f64>();
        }
        self.last.copy_from_slice(&self.impulses);
    }
}
