//! Newton's method on Signorini's and Coulomb's laws themselves (P. Alart and A. Curnier, Comput. Methods Appl. Mech. Eng. 92,
//! 1991): the modes of the last trial - open, sticking, sliding that way - make the laws linear.
//!
//! Near the answer, above all from the impulses of the last hop, one or two steps reach it. Points that push are held by a
//! stiffness so large that its compliance is gone after a step; each step corrects the last one from exact residuals, so its
//! rounding is gone as well. Nothing ensures convergence from afar: the best impulses met are kept.

use super::flat::{part, push, read_masses, with_relative};
use super::general::GeneralMatrix;
use super::joint::{Joint, Kept};
use super::law::{Change, CoupleChange, Hold, bound_change};
use super::problem::Mover;
use super::resist::Resistance;
use crate::math::outer;
use glam::{DMat3, DVec3};

/// Stiffness with which points are held on their targets, relative to their natural stiffness. Its inverse is the error that a
/// step leaves where masses are alike; the product of its square with the rounding is another, since what is left of a point's motion
/// after a step is multiplied with it again.
const HOLD: f64 = 2e5;

/// The same relative to the mass of the heaviest body, at least: any point may carry it.
const HEAVY_HOLD: f64 = 1e3;

/// After a step that made the error grow, points are held more softly, which keeps the next one shorter; how much more, at
/// most, and how fast it is made good again.
const SOFTER: f64 = 1e-3;
const SOFTEST_HOLD: f64 = 1e3;
const HARDER: f64 = 1e2;

/// Most steps.
const STEPS: u32 = 12;

/// The method gives up after this many steps in a row that have not halved the best error; after the first one where that error will do.
const IDLE_STEPS: u32 = 4;

/// It gives up at once where the first step makes the error so many times larger: the modes were guessed wrong, and another method follows.
pub(super) const ASTRAY: f64 = 1e4;

/// The method; its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    matrix: GeneralMatrix,
    masses: Vec<(f64, DMat3)>,
    /// How the impulses of points and resistances change with the velocities.
    changes: Vec<Change>,
    couples: Vec<CoupleChange>,
    /// The same of what acts in joints within bounds: `offset - slope dq`, for every tie.
    bounds: Vec<[f64; 2]>,
    /// Change of the velocities of all bodies, six numbers each.
    step: Vec<f64>,
    /// The best impulses met.
    best: Kept,
    hold: Hold,
    /// Mass of the heaviest body, kg.
    heaviest: f64,
}

impl Direct {
    /// Improves the impulses of a problem with a given error to within `wanted` m/s and rounding, or as far as the method goes: not far where
    /// that error is `tolerable`, or where the first step makes it `astray` times larger.
    /// The movers' velocities are those `before` any impulse, changed by the impulses given; an infinite error says that they
    /// are not. Returns the number of steps and the error left.
    pub(super) fn solve(
        &mut self,
        joint: &mut Joint<'_>,
        before: &[Mover],
        [mut error, wanted, tolerable]: [f64; 3],
        [load, astray]: [f64; 2],
    ) -> (u32, f64) {
        if error <= wanted + joint.rounding() {
            return (0, error);
        }
        self.begin(joint, before, load);
        if error == f64::INFINITY {
            self.unbalance(joint, before);
        }
        let most_idle = if error <= tolerable { 1 } else { IDLE_STEPS };
        let (mut best, mut steps, mut idle) = (error, 0, 0);
        while steps < STEPS && idle < most_idle && self.advance(joint) {
            steps += 1;
            joint.apply_all(before);
            error = joint.error();
            if error <= wanted + joint.rounding() {
                joint.settle();
                return (steps, error);
            }
            if steps == 1 && error > astray * best {
                break;
            }
            idle = if error <= 0.5 * best { 0 } else { idle + 1 };
            self.hold.share = (self.hold.share * if error > best { SOFTER } else { HARDER }).clamp(SOFTEST_HOLD, HOLD);
            self.hold.least = HEAVY_HOLD * self.heaviest * (self.hold.share / HOLD);
            if error < best {
                best = error;
                self.best.keep(joint);
            }
        }
        self.best.restore(joint, before);
        (steps, joint.error())
    }

    fn begin(&mut self, joint: &Joint<'_>, before: &[Mover], load: f64) {
        self.matrix.lay_out(before.len(), joint.points, &joint.ties.list);
        read_masses(before, &mut self.masses);
        self.best.keep(joint);
        self.heaviest = before.iter().map(Mover::mass).fold(0.0, f64::max);
        self.hold = Hold { share: HOLD, least: HEAVY_HOLD * self.heaviest, load: load * self.heaviest };
        self.step.clear();
        self.step.resize(6 * before.len(), 0.0);
    }

    /// The momentum that the impulses give less what the velocities have gained.
    fn unbalance(&mut self, joint: &Joint<'_>, before: &[Mover]) {
        for ((mover, was), six) in joint.movers.iter().zip(before).zip(self.step.chunks_exact_mut(6)) {
            let linear = mover.mass() * (was.velocity - mover.velocity);
            let angular = mover.inertia() * (was.angular_velocity - mover.angular_velocity);
            six[..3].copy_from_slice(&linear.to_array());
            six[3..].copy_from_slice(&angular.to_array());
        }
        for point in joint.points.iter() {
            push(&mut self.step, point, point.frame * point.impulse);
        }
        for tie in &joint.ties.list {
            let (now, was) = (tie.rates(joint.movers), tie.rates(before));
            tie.push_armature(&mut self.step, std::array::from_fn(|k| was[k] - now[k]));
            tie.push(&mut self.step, [tie.bound.map_or(0.0, |bound| bound.impulse), 0.0, 0.0]);
        }
    }

    /// One step; false where there is none.
    fn advance(&mut self, joint: &mut Joint<'_>) -> bool {
        self.linearise(joint);
        if !self.matrix.factorise() {
            return false;
        }
        self.matrix.solve(&mut self.step);
        if !self.step.iter().all(|s| s.is_finite()) {
            return false;
        }
        let Self { changes, couples, bounds, step, .. } = self;
        for (point, change) in joint.points.iter_mut().zip(changes.iter_mut()) {
            let moved = point.frame.transpose() * with_relative(DVec3::ZERO, point, step);
            change.made = change.offset - change.slope * moved;
            point.impulse += change.made;
        }
        for (resistance, couple) in joint.resistances.iter_mut().zip(couples) {
            let [first, count] = resistance.points;
            let press: f64 = changes[first..first + count].iter().map(|change| change.made.z).sum();
            let turned = resistance.frame.transpose() * turning(resistance, step);
            resistance.impulse += couple.offset + couple.lever * press - couple.slope * turned;
        }
        for (tie, [offset, slope]) in joint.ties.list.iter_mut().zip(bounds) {
            let moved = tie.flat_changes(step)[0];
            if let Some(bound) = &mut tie.bound {
                bound.impulse += *offset - *slope * moved;
            }
        }
        step.fill(0.0);
        true
    }

    /// Fills in the matrix and the right-hand side for the present modes.
    fn linearise(&mut self, joint: &Joint<'_>) {
        let Self { matrix, masses, changes, couples, bounds, step, hold, .. } = self;
        matrix.set_masses(masses);
        bounds.clear();
        for tie in &joint.ties.list {
            let [offset, slope] =
                tie.bound.map_or([0.0; 2], |bound| bound_change(&bound, tie.rates(joint.movers)[0], hold));
            matrix.set_stiffness(tie, slope);
            tie.push(step, [offset, 0.0, 0.0]);
            bounds.push([offset, slope]);
        }
        changes.clear();
        for point in joint.points.iter() {
            let change = Change::new(point, point.velocity(joint.movers), hold);
            if change.slope != DMat3::ZERO {
                matrix.add_point(point, &(point.frame * change.slope * point.frame.transpose()));
            }
            push(step, point, point.frame * change.offset);
            changes.push(change);
        }
        couples.clear();
        for resistance in joint.resistances.iter() {
            let couple = CoupleChange::new(resistance, joint, hold);
            let frame = resistance.frame;
            matrix.add_couple(resistance.movers, &(frame * couple.slope * frame.transpose()));
            let [first, count] = resistance.points;
            let mut moment = couple.offset;
            // What holds bears as much as it must, however hard it is pressed.
            if couple.lever != DVec3::ZERO {
                for (point, change) in joint.points[first..first + count].iter().zip(&changes[first..]) {
                    moment += couple.lever * change.offset.z;
                    let row = change.slope.row(2);
                    matrix.add_lever(point, &outer(frame * couple.lever, point.frame * row));
                }
            }
            resistance.turn(step, frame * moment);
            couples.push(couple);
        }
    }
}

/// Angular velocity of the first body relative to the second, world axes, from the velocities of all.
fn turning(resistance: &Resistance, velocities: &[f64]) -> DVec3 {
    let spin = |side: usize| resistance.movers[side].map_or(DVec3::ZERO, |i| part(velocities, 6 * i.get() + 3));
    spin(0) - spin(1)
}
