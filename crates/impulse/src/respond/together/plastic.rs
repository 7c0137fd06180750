//! The plastic end of an impact: the least normal impulses after which no point approaches.

use super::linear::Matrix;
use super::reduced::Reduced;

/// Approach, relative to the largest velocity, that counts as none.
const ZERO: f64 = 1e-14;

/// Rounds of the active set per point.
const ROUNDS: usize = 20;

/// Pivot, relative to the largest yielding, below which points depend on each other.
const DEPENDENT: f64 = 1e-14;

/// The active set of stopped points, in storage that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopper {
    active: Vec<usize>,
    /// Points that depend on active ones.
    refused: Vec<usize>,
    added: Vec<f64>,
    wanted: Vec<f64>,
    /// Velocities of the bodies, and how one point changes them.
    bodies: Vec<f64>,
    column: Vec<f64>,
    matrix: Matrix,
}

impl Stopper {
    /// Adds the joint inelastic impulse that stops every point that still approaches: an active set of stopped points (Lawson and
    /// Hanson, Solving Least Squares Problems, chapter 23). True if there was anything to stop.
    pub(super) fn stop_approach(&mut self, reduced: &Reduced, impulses: &mut [f64]) -> bool {
        self.added.clear();
        self.added.resize(reduced.contacts.len(), 0.0);
        self.active.clear();
        self.refused.clear();
        for _ in 0..ROUNDS * reduced.contacts.len() {
            let Some(entering) = self.fastest(reduced, impulses) else { break };
            self.active.push(entering);
            if !self.stop_active(reduced, impulses) {
                self.active.retain(|&i| i != entering);
                self.refused.push(entering);
            } else if self.added[entering] == 0.0 {
                self.refused.push(entering);
            }
        }
        self.added.iter().enumerate().for_each(|(i, change)| impulses[3 * i] += change);
        !self.active.is_empty()
    }

    /// The point outside the active set that approaches fastest.
    fn fastest(&mut self, reduced: &Reduced, impulses: &[f64]) -> Option<usize> {
        reduced.all_changes(impulses, &mut self.bodies);
        for &i in &self.active {
            reduced.contacts[i].strike([self.added[i], 0.0, 0.0], &mut self.bodies);
        }
        let (mut fastest, mut least) = (None, -ZERO);
        for (i, contact) in reduced.contacts.iter().enumerate() {
            let velocity = contact.velocity(&self.bodies)[0];
            if velocity < least && !self.active.contains(&i) && !self.refused.contains(&i) {
                (fastest, least) = (Some(i), velocity);
            }
        }
        fastest
    }

    /// Stops the active points, leaving out those that would have to be pulled; false if they depend on each other.
    fn stop_active(&mut self, reduced: &Reduced, impulses: &[f64]) -> bool {
        reduced.all_changes(impulses, &mut self.bodies);
        while !self.active.is_empty() {
            if !self.solve(reduced) {
                return false;
            }
            // As far towards the solution as no impulse pulls.
            let (mut share, mut leaving) = (1.0, None);
            for (&i, &p) in self.active.iter().zip(&self.wanted) {
                let bound = self.added[i] / (self.added[i] - p);
                if p <= 0.0 && bound < share {
                    (share, leaving) = (bound, Some(i));
                }
            }
            for (&i, &p) in self.active.iter().zip(&self.wanted) {
                self.added[i] += share * (p - self.added[i]);
            }
            let Some(leaving) = leaving else { return true };
            self.added[leaving] = 0.0;
            self.active.retain(|&i| i != leaving);
        }
        true
    }

    /// The normal impulses that stop the active points; false if they depend on each other.
    fn solve(&mut self, reduced: &Reduced) -> bool {
        let Self { active, wanted, bodies, column, matrix, .. } = self;
        matrix.set_diagonal(active.len(), 0.0);
        wanted.clear();
        for (row, &i) in active.iter().enumerate() {
            column.clear();
            column.resize(reduced.freedoms(), 0.0);
            reduced.contacts[i].strike([1.0, 0.0, 0.0], column);
            let entries = active.iter().map(|&j| reduced.contacts[j].change(column)[0]);
            matrix.row_mut(row, 0, active.len()).iter_mut().zip(entries).for_each(|(to, entry)| *to = entry);
            wanted.push(-reduced.contacts[i].velocity(bodies)[0]);
        }
        if !matrix.factorise(DEPENDENT / reduced.stiffness) {
            return false;
        }
        matrix.solve(wanted);
        true
    }
}
