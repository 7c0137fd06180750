//! The joint problem as a whole: what its impulses are and how far they are from the laws.

use super::cone::nearest_in_cone;
use super::problem::{ContactPoint, Mover, worse};
use super::resist::Resistance;
use super::sweep::sweep;
use super::tie::Bound;
use super::ties::Ties;
use glam::DVec3;

/// Rounding of velocities, relative to the fastest mover and to the largest change of velocity that one point's impulse makes.
const VELOCITY_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// What is solved: the impulses of points and resistances, and the movers' velocities after them.
pub(super) struct Joint<'a> {
    pub(super) movers: &'a mut [Mover],
    pub(super) points: &'a mut [ContactPoint],
    pub(super) resistances: &'a mut [Resistance],
    pub(super) ties: &'a mut Ties,
}

impl Joint<'_> {
    /// Fills in all matrices and applies the impulses given.
    pub(super) fn apply_first_guess(&mut self) {
        self.ties.prepare(self.movers);
        if !self.ties.is_empty() {
            self.points.iter_mut().for_each(|point| self.ties.prepare_point(point, self.movers));
            self.resistances.iter_mut().for_each(|resistance| self.ties.prepare_resistance(resistance, self.movers));
            self.apply_impulses();
            return;
        }
        for point in self.points.iter_mut() {
            point.prepare(self.movers);
        }
        for resistance in self.resistances.iter_mut() {
            resistance.prepare(self.movers);
        }
        self.apply_impulses();
    }

    /// Computes the velocities from those before any impulse, so that momentum is exact.
    pub(super) fn apply_all(&mut self, before: &[Mover]) {
        self.movers.copy_from_slice(before);
        self.apply_impulses();
    }

    fn apply_impulses(&mut self) {
        if !self.ties.is_empty() {
            self.ties.apply(self.movers, self.points, self.resistances);
            return;
        }
        for point in self.points.iter() {
            point.apply(self.movers, point.impulse);
        }
        for resistance in self.resistances.iter() {
            resistance.apply(self.movers, resistance.impulse);
        }
    }

    /// Moves impulses that are beyond their bounds by rounding onto them.
    pub(super) fn settle(&mut self) {
        if !self.ties.is_empty() {
            self.settle_tied();
            return;
        }
        for point in self.points.iter_mut() {
            let within = nearest_in_cone(point.impulse, point.friction);
            point.apply(self.movers, within - point.impulse);
            point.impulse = within;
        }
        for resistance in self.resistances.iter_mut() {
            let within = resistance.bounded(resistance.impulse, self.points);
            resistance.apply(self.movers, within - resistance.impulse);
            resistance.impulse = within;
        }
    }

    /// The same with joints: all changes are propagated at once.
    fn settle_tied(&mut self) {
        let Self { movers, points, resistances, ties } = self;
        ties.begin(movers);
        for point in points.iter_mut() {
            let within = nearest_in_cone(point.impulse, point.friction);
            ties.add_point(point, within - point.impulse);
            point.impulse = within;
        }
        for resistance in resistances.iter_mut() {
            let within = resistance.bounded(resistance.impulse, points);
            ties.add_couple(resistance, within - resistance.impulse);
            resistance.impulse = within;
        }
        for k in 0..ties.list.len() {
            let Some(bound) = ties.list[k].bound else { continue };
            let within = bound.nearest(bound.impulse);
            ties.add_bound(k, within - bound.impulse);
            ties.list[k].bound = Some(Bound { impulse: within, ..bound });
        }
        ties.propagate(movers);
    }

    /// One Gauss-Seidel sweep over all points and resistances.
    pub(super) fn sweep(&mut self) {
        sweep(self.movers, self.points);
        for resistance in self.resistances.iter_mut() {
            resistance.sweep(self.movers, self.points);
        }
    }

    /// The largest error of all points and resistances, m/s; infinite where one is no number.
    pub(super) fn error(&self) -> f64 {
        let worst = self.points.iter().map(|point| point.error(point.velocity(self.movers))).fold(0.0, worse);
        let of_couple = |resistance: &Resistance| resistance.error(self.movers, self.points);
        let worst = self.resistances.iter().map(of_couple).fold(worst, worse);
        if self.ties.is_empty() { worst } else { worse(worst, self.ties.error(self.movers)) }
    }

    /// The error that rounding alone can leave, m/s. A light body squeezed under a heavy one takes up impulses that would make
    /// it far faster than anything is: what is left of their sum is no more accurate than they are.
    pub(super) fn rounding(&self) -> f64 {
        let fastest = self.movers.iter().map(|m| m.velocity.abs().max_element()).fold(0.0, f64::max);
        let squeeze = |point: &ContactPoint| point.impulse.abs().max_element() / point.natural_stiffness();
        VELOCITY_ROUNDING * self.points.iter().map(squeeze).fold(fastest, f64::max)
    }
}

/// Impulses to go back to; its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    points: Vec<DVec3>,
    couples: Vec<DVec3>,
    bounds: Vec<f64>,
}

impl Kept {
    pub(super) fn keep(&mut self, joint: &Joint<'_>) {
        self.points.clear();
        self.points.extend(joint.points.iter().map(|point| point.impulse));
        self.couples.clear();
        self.couples.extend(joint.resistances.iter().map(|resistance| resistance.impulse));
        self.bounds.clear();
        self.bounds.extend(joint.ties.list.iter().map(|tie| tie.bound.map_or(0.0, |bound| bound.impulse)));
    }

    /// Goes back to the impulses kept, within their bounds, and to the velocities after them.
    pub(super) fn restore(&self, joint: &mut Joint<'_>, before: &[Mover]) {
        for (point, &impulse) in joint.points.iter_mut().zip(&self.points) {
            point.impulse = nearest_in_cone(impulse, point.friction);
        }
        for (resistance, &impulse) in joint.resistances.iter_mut().zip(&self.couples) {
            resistance.impulse = resistance.bounded(impulse, joint.points);
        }
        for (tie, &impulse) in joint.ties.list.iter_mut().zip(&self.bounds) {
            if let Some(bound) = &mut tie.bound {
                bound.impulse = bound.nearest(impulse);
            }
        }
        joint.apply_all(before);
    }
}
