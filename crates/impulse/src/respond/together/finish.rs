//! The end of the impact: impulses that agree with the velocities, no energy gained by errors of integration, no point left
//! approaching, and each point's share of the energy lost.

use super::linear::Matrix;
use super::plastic::Stopper;
use super::reduced::Reduced;

/// Rounds of stopping what rounding lets approach.
const STOPS: usize = 3;

/// Share of the largest impulse above which a point takes part in what stops the others.
const SHARES: f64 = 1e-3;

/// Share of the largest entry added to a matrix that may be singular.
const REGULAR: f64 = 1e-13;

/// Share of the largest impulse below which one that pulls is an error of integration.
const ROUNDING: f64 = 1e-10;

/// Friction that surely is more than Coulomb's law allows, relative to that.
const BEYOND: f64 = 1.0 + 1e-6;

/// The impulses of all points and what they do, in storage that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Finish {
    /// Three components per point: normal and two tangents.
    pub(super) impulses: Vec<f64>,
    /// Weighted changes of velocity of the bodies.
    pub(super) bodies: Vec<f64>,
    /// Energy lost at each point, in units of the impact.
    pub(super) lost: Vec<f64>,
    /// What is to be added to the impulses.
    change: Vec<f64>,
    missing: Vec<f64>,
    wanted: Vec<f64>,
    matrix: Matrix,
    stopper: Stopper,
}

impl Finish {
    /// Begins with the same normal impulse at every point.
    pub(super) fn set_equal(&mut self, reduced: &Reduced, impulse: f64) {
        let points = reduced.contacts.len();
        reset(&mut self.impulses, 3 * points);
        reset(&mut self.bodies, reduced.freedoms());
        reset(&mut self.lost, points);
        self.change.clear();
        reduced.contacts.iter().for_each(|_| self.change.extend([impulse, 0.0, 0.0]));
        self.account(reduced);
    }

    /// Begins with the impulses and velocities of an integration. Those of sticking points are known less well than the
    /// velocities, which follow from their sum: they are changed as little as possible to agree. Points that stick more than they
    /// need to may have come to hold each other with more than friction can give; they share it anew.
    pub(super) fn set_integrated(&mut self, reduced: &Reduced, impulses: &[f64], bodies: &[f64], lost: &[f64]) {
        for (own, given) in [(&mut self.impulses, impulses), (&mut self.bodies, bodies), (&mut self.lost, lost)] {
            own.clear();
            own.extend_from_slice(given);
        }
        self.change.clear();
        self.change.extend_from_slice(impulses);
        for (contact, p) in reduced.contacts.iter().zip(self.change.chunks_exact_mut(3)) {
            if libm::hypot(p[1], p[2]) > BEYOND * contact.friction * p[0] {
                p[1..].fill(0.0);
            }
        }
        self.wanted.clear();
        self.wanted.extend_from_slice(bodies);
        self.agree(reduced);
        self.impulses.copy_from_slice(&self.change);
        let least = -ROUNDING * self.most();
        // A point that was in for an instant may be left with less than nothing.
        for p in self.impulses.chunks_exact_mut(3).filter(|p| (least..0.0).contains(&p[0])) {
            p.fill(0.0);
        }
    }

    /// Alters the change of the impulses, as little as possible, until it changes the velocities as wanted.
    fn agree(&mut self, reduced: &Reduced) {
        let weights = |p: &[f64], friction: f64| if friction > 0.0 { [p[0]; 3] } else { [p[0], 0.0, 0.0] };
        self.matrix.set_diagonal(reduced.freedoms(), REGULAR * self.most() / reduced.stiffness);
        for (contact, p) in reduced.contacts.iter().zip(self.impulses.chunks_exact(3)) {
            let [n, s, t] = weights(p, contact.friction);
            let block = [[n, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, t]];
            contact.add_product(&block, |row, from, values| self.matrix.add(row, from, &values));
        }
        if !self.matrix.factorise(0.0) {
            return;
        }
        for _ in 0..2 {
            reduced.all_changes(&self.change, &mut self.missing);
            self.missing.iter_mut().zip(&self.wanted).for_each(|(sum, wanted)| *sum = wanted - *sum);
            self.matrix.solve(&mut self.missing);
            let impulses = self.impulses.chunks_exact(3).zip(self.change.chunks_exact_mut(3));
            for (contact, (p, change)) in reduced.contacts.iter().zip(impulses) {
                let (velocity, weights) = (contact.change(&self.missing), weights(p, contact.friction));
                (0..3).for_each(|k| change[k] += weights[k] * velocity[k]);
            }
        }
    }

    /// The largest normal impulse.
    fn most(&self) -> f64 {
        self.impulses.iter().step_by(3).fold(0.0_f64, |most, &p| most.max(p))
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
            self.change.clear();
            self.change.extend(self.impulses.iter().map(|p| (factor - 1.0) * p));
            self.account(reduced);
        }
    }

    /// Stops what still approaches. The impulses for it are shared among all points that were struck, so that what is symmetric
    /// stays so.
    pub(super) fn stop_approach(&mut self, reduced: &Reduced) {
        for _ in 0..STOPS {
            reset(&mut self.change, self.impulses.len());
            if !self.stopper.stop_approach(reduced, &self.bodies, &mut self.change) {
                break;
            }
            let least = SHARES * self.most();
            if self.stopper.stopped().iter().all(|&i| self.impulses[3 * i] > least) {
                reduced.all_changes(&self.change, &mut self.wanted);
                self.change.fill(0.0);
                self.agree(reduced);
            }
            self.account(reduced);
        }
        self.stop_one_by_one(reduced);
    }

    /// Stops all points without friction and restitution.
    pub(super) fn stop_plastically(&mut self, reduced: &Reduced) {
        reset(&mut self.change, self.impulses.len());
        self.stopper.stop_approach(reduced, &self.bodies, &mut self.change);
        // Rounding pulls nothing.
        self.change.iter_mut().step_by(3).for_each(|p| *p = p.max(0.0));
        self.account(reduced);
        self.stop_one_by_one(reduced);
    }

    /// Whether an impulse pulls.
    pub(super) fn pulls(&self) -> bool {
        self.impulses.iter().step_by(3).any(|&p| p < 0.0)
    }

    fn stop_one_by_one(&mut self, reduced: &Reduced) {
        reset(&mut self.change, self.impulses.len());
        self.stopper.stop_one_by_one(reduced, &self.bodies, &mut self.change);
        self.account(reduced);
    }

    /// Applies the change of the impulses to velocities and energies. Only the change counts: where points are wedged, large
    /// impulses cancel.
    fn account(&mut self, reduced: &Reduced) {
        self.missing.clear();
        self.missing.extend_from_slice(&self.bodies);
        for (contact, change) in reduced.contacts.iter().zip(self.change.chunks_exact(3)) {
            contact.strike([change[0], change[1], change[2]], &mut self.bodies);
        }
        for ((contact, change), lost) in reduced.contacts.iter().zip(self.change.chunks_exact(3)).zip(&mut self.lost) {
            let (before, after) = (contact.velocity(&self.missing), contact.velocity(&self.bodies));
            *lost -= (0..3).map(|k| 0.5 * change[k] * (before[k] + after[k])).sum::<f64>();
        }
        self.impulses.iter_mut().zip(&self.change).for_each(|(p, change)| *p += change);
    }
}

fn reset(numbers: &mut Vec<f64>, length: usize) {
    numbers.clear();
    numbers.resize(length, 0.0);
}
