//! Many points at once, without a good first guess: an interior-point method for the friction cones.
//!
//! Coulomb's law at a point says: the impulse `p` lies in the friction cone; the velocity less its target, plus the opening of
//! sliding, is a vector `w` of the dual cone; and `p . w = 0`. A path inside both cones, along which all `p . w` are equal and
//! shrink, leads there in a dozen or two steps whatever the size. Every step solves `M + J^T B J` once (primal-dual method,
//! Nesterov and Todd's scaling, Mehrotra's corrector); `B` is not symmetric, because it contains the growth of the opening with
//! the slip.

use super::flat::{gain, push, read_masses, read_velocities, with_relative, write_velocities};
use super::general::GeneralMatrix;
use super::inside_bound::Inside;
use super::problem::{ContactPoint, Mover};
use super::second_order_cone::{Scaling, divide, mirror, product, size, to_boundary};
use super::tie::Tie;
use crate::math::outer;
use glam::{DMat3, DVec3};

/// Largest share of the way to the boundary of a cone that a step may take.
const BOUNDARY_SHARE: f64 = 0.95;

/// Where the path begins: `p . w` in units of stiffness times the square of the hop velocity, and the least distance of `w`
/// from the boundary of its cone in units of the hop velocity.
const START_PRODUCT: f64 = 10.0;
const START_MARGIN: f64 = 1.0;

/// The stiffness counts as this share of the heaviest body's mass at least: any point may carry it.
const LOAD_SHARE: f64 = 0.1;

/// Least coefficient of friction: a cone must have an inside.
const LEAST_FRICTION: f64 = 1e-6;

/// Slip below which the opening is rounded off along the path, relative to the velocity that belongs to `p . w`: the opening
/// has a kink where sticking turns into sliding.
const SLIP_ROUNDING: f64 = 0.3;

/// After a step shorter than this share, the next one keeps the mean of all `p . w` and only makes them equal.
const SHORT_STEP: f64 = 0.2;

/// Steps shorter than this share may be misled by the slope of the opening, since the law is not convex: the slope counts half
/// as much in the next step. It counts more again after steps longer than the second share.
const MISLED_STEP: f64 = 0.3;
const GOOD_STEP: f64 = 0.5;

/// Most steps.
const INTERIOR_STEPS: u32 = 40;

/// The method gives up after this many steps in a row in which the error has not fallen to this share of the best one.
const IDLE_STEPS: u32 = 6;
const ERROR_FALL: f64 = 0.8;

/// The method; its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    matrix: GeneralMatrix,
    masses: Vec<(f64, DMat3)>,
    /// Velocities of all bodies, six numbers each: before any impulse, now, and their change in the step.
    before: Vec<f64>,
    now: Vec<f64>,
    step: Vec<f64>,
    sides: Vec<Sides>,
    ties: Vec<Tie>,
    /// What acts in them within bounds.
    bounds: Vec<Inside>,
    /// Share of the last step that was taken.
    taken: f64,
    /// Share of the opening's slope that counts.
    slope: f64,
}

/// Impulse and velocity of one point, in axes in which both cones are `|(x, y)| <= z`: contact axes, with the tangential ones
/// scaled by the friction.
#[derive(Clone, Copy, Debug)]
struct Sides {
    stretch: DVec3,
    /// Impulse, N s, velocity less target, m/s, and their changes in the step.
    p: DVec3,
    w: DVec3,
    dp: DVec3,
    dw: DVec3,
    /// Derivative of the opening with respect to the velocity.
    widening: DVec3,
    /// Excess of `w` over the velocity it should equal, m/s.
    surplus: DVec3,
    scaling: Scaling,
    /// Right-hand side of the scaled complementarity condition.
    aim: DVec3,
    /// Stiffness of the point, kg.
    stiffness: f64,
}

impl Interior {
    /// Finds the impulses of all points, and the movers' velocities after them, to within `enough` m/s or as far as the method
    /// goes; see [`Interior::hand_out`]. The movers come without any of the points' impulses applied. `hop_velocity` (m/s) sets
    /// the scale. Returns the number of steps.
    pub(super) fn solve(
        &mut self,
        movers: &[Mover],
        (points, ties): (&[ContactPoint], &[Tie]),
        hop_velocity: f64,
        enough: f64,
    ) -> u32 {
        self.ties.clear();
        self.ties.extend_from_slice(ties);
        self.begin(movers, points, hop_velocity);
        self.go_on(points, enough)
    }

    /// Goes on to another error, m/s. Returns the number of steps.
    pub(super) fn go_on(&mut self, points: &[ContactPoint], enough: f64) -> u32 {
        let mut steps = 0;
        let (mut best, mut idle, mut best_product) = (f64::INFINITY, 0, f64::INFINITY);
        while steps < INTERIOR_STEPS && idle < IDLE_STEPS {
            let error = self.take_stock(points);
            if error <= enough || !self.advance(points) {
                break;
            }
            steps += 1;
            let product = self.product(0.0).0;
            idle = if error < ERROR_FALL * best || product < ERROR_FALL * best_product { 0 } else { idle + 1 };
            best_product = product.min(best_product);
            best = error.min(best);
        }
        steps
    }

    fn begin(&mut self, movers: &[Mover], points: &[ContactPoint], hop_velocity: f64) {
        self.matrix.lay_out(movers.len(), points, &self.ties);
        read_masses(movers, &mut self.masses);
        read_velocities(movers, &mut self.before);
        self.now.clone_from(&self.before);
        (self.taken, self.slope) = (1.0, 1.0);
        self.sides.clear();
        let heaviest = movers.iter().map(Mover::mass).fold(0.0, f64::max);
        let load = LOAD_SHARE * heaviest;
        self.sides.extend(points.iter().map(|point| Sides::new(point, &self.now, [hop_velocity, load])));
        self.bounds.clear();
        let Self { bounds, ties, now, .. } = self;
        bounds.extend(ties.iter().enumerate().filter_map(|(k, tie)| {
            let bound = tie.bound?;
            let stiffness = bound.inertia / (bound.lever * bound.lever);
            let start = START_PRODUCT * stiffness.max(load) * hop_velocity * hop_velocity;
            Inside::new(k, tie, now, [start, START_MARGIN * hop_velocity / bound.lever])
        }));
    }

    /// Sum of all `p . w` after a share of the step, and how many there are.
    fn product(&self, share: f64) -> (f64, usize) {
        let points: f64 = self.sides.iter().map(|s| (s.p + share * s.dp).dot(s.w + share * s.dw)).sum();
        let add = |(sum, count): (f64, usize), (product, gates): (f64, usize)| (sum + product, count + gates);
        self.bounds.iter().map(|bound| bound.product(share)).fold((points, self.sides.len()), add)
    }

    /// Updates the openings and scalings; returns the largest error, m/s.
    fn take_stock(&mut self, points: &[ContactPoint]) -> f64 {
        if self.taken < MISLED_STEP {
            self.slope *= 0.5;
        } else if self.taken > GOOD_STEP {
            self.slope = (self.slope + 0.5).min(1.0);
        }
        let squares: f64 = self.sides.iter().map(|s| s.p.dot(s.w) / s.stiffness).sum();
        let rounding = SLIP_ROUNDING * (squares / self.sides.len() as f64).sqrt();
        let mut worst = 0.0;
        for (point, side) in points.iter().zip(&mut self.sides) {
            side.take_stock(point, &self.now, [rounding, self.slope]);
            worst = side.error(point, &self.now).max(worst);
        }
        self.bounds.iter_mut().fold(worst, |worst, bound| bound.take_stock(&self.ties, &self.now).max(worst))
    }

    /// One step along the path; false where there is none.
    fn advance(&mut self, points: &[ContactPoint]) -> bool {
        self.matrix.set_masses(&self.masses);
        self.ties.iter().for_each(|tie| self.matrix.set_stiffness(tie, 0.0));
        self.bounds.iter().for_each(|bound| self.matrix.set_stiffness(&self.ties[bound.tie], bound.stiffness));
        for (point, side) in points.iter().zip(&self.sides) {
            self.matrix.add_point(point, &side.slope(point));
        }
        if !self.matrix.factorise() {
            return false;
        }
        let (total, count) = self.product(0.0);
        // First straight to the end: how far that gets says how closely to follow the middle of the path.
        for side in &mut self.sides {
            side.aim = -side.scaling.middle;
        }
        self.bounds.iter_mut().for_each(Inside::aim_at_end);
        self.direct(points);
        let left = self.product(self.reach().min(1.0)).0;
        let share = (left / total).clamp(0.0, 1.0);
        let is_short = self.taken < SHORT_STEP;
        let keep = if is_short { 1.0 } else { share * share * share };
        let wanted = keep * total / count as f64;
        for side in &mut self.sides {
            side.aim_at(DVec3::Z * wanted, !is_short);
        }
        self.bounds.iter_mut().for_each(|bound| bound.aim_at(wanted, !is_short));
        self.direct(points);
        self.taken = (BOUNDARY_SHARE * self.reach()).min(1.0);
        if !self.product(self.taken).0.is_finite() || !self.step.iter().all(|s| s.is_finite()) {
            return false;
        }
        for (v, s) in self.now.iter_mut().zip(&self.step) {
            *v += self.taken * s;
        }
        for side in &mut self.sides {
            side.p += self.taken * side.dp;
            side.w += self.taken * side.dw;
        }
        self.bounds.iter_mut().for_each(|bound| bound.advance(self.taken));
        true
    }

    /// The step for the present right-hand sides.
    fn direct(&mut self, points: &[ContactPoint]) {
        let Self { matrix, masses, before, now, step, sides, ties, bounds, .. } = self;
        gain(masses, [now, before], step);
        for tie in ties.iter().filter(|tie| tie.armature != 0.0) {
            let rates = [&*now, &*before].map(|velocities| tie.flat_rates(velocities));
            tie.push_armature(step, std::array::from_fn(|k| rates[1][k] - rates[0][k]));
        }
        bounds.iter().for_each(|bound| ties[bound.tie].push(step, [bound.held(), 0.0, 0.0]));
        for (point, side) in points.iter().zip(sides.iter()) {
            let s = &side.scaling;
            let p = side.p + s.inverse_root * (side.aim + s.inverse_root * side.surplus);
            push(step, point, point.frame * (side.stretch * p));
        }
        matrix.solve(step);
        bounds.iter_mut().for_each(|bound| bound.direct(ties[bound.tie].flat_changes(step)[0]));
        for (point, side) in points.iter().zip(sides) {
            let change = relative(point, step);
            side.dw = side.stretch * (change + DVec3::Z * side.widening.dot(change)) - side.surplus;
            side.dp = side.scaling.inverse_root * (side.aim - side.scaling.inverse_root * side.dw);
        }
    }

    /// Share of the step at which the first cone is left.
    fn reach(&self) -> f64 {
        let reach = |s: &Sides| to_boundary(s.p, s.dp).min(to_boundary(s.w, s.dw));
        let of_points = self.sides.iter().map(reach).fold(f64::INFINITY, f64::min);
        self.bounds.iter().map(Inside::reach).fold(of_points, f64::min)
    }

    /// The impulses and velocities found, as they are: momentum is not quite balanced.
    pub(super) fn hand_out(&self, movers: &mut [Mover], points: &mut [ContactPoint], ties: &mut [Tie]) {
        self.bounds.iter().for_each(|bound| bound.hand_out(ties));
        write_velocities(&self.now, movers);
        for (point, side) in points.iter_mut().zip(&self.sides) {
            let across = if point.friction < LEAST_FRICTION { 0.0 } else { 1.0 };
            point.impulse = DVec3::new(across, across, 1.0) * side.stretch * side.p;
        }
    }
}

impl Sides {
    /// A start on the path, with `w` as near to the velocity as the inside of its cone allows.
    fn new(point: &ContactPoint, velocities: &[f64], [hop_velocity, load]: [f64; 2]) -> Self {
        let friction = point.friction.max(LEAST_FRICTION);
        let stretch = DVec3::new(friction, friction, 1.0);
        let mut w = stretch * (velocity(point, velocities) - point.target);
        let across = w.truncate().length();
        w.z = across + w.z.max(START_MARGIN * hop_velocity);
        let stiffness = point.natural_stiffness();
        let p = mirror(w) * (START_PRODUCT * stiffness.max(load) * hop_velocity * hop_velocity / (size(w) * size(w)));
        let zero = DVec3::ZERO;
        let scaling = Scaling::new(w, p);
        Self { stretch, p, w, dp: zero, dw: zero, widening: zero, surplus: zero, scaling, aim: zero, stiffness }
    }

    /// Updates the opening, rounded off at small slip, the excess of `w` over the velocity, and the scaling.
    fn take_stock(&mut self, point: &ContactPoint, velocities: &[f64], [rounding, share]: [f64; 2]) {
        let excess = velocity(point, velocities) - point.target;
        let slip = excess.truncate();
        let speed = (slip.length_squared() + rounding * rounding).sqrt();
        let opening = point.friction * (speed - rounding);
        self.widening = (slip * (share * point.friction / speed)).extend(0.0);
        self.surplus = self.w - self.stretch * (excess + DVec3::Z * opening);
        self.scaling = Scaling::new(self.w, self.p);
    }

    /// How far the point is from Coulomb's law, m/s.
    fn error(&self, point: &ContactPoint, velocities: &[f64]) -> f64 {
        ContactPoint { impulse: self.stretch * self.p, ..*point }.error(velocity(point, velocities))
    }

    /// Derivative of the impulse with respect to the velocity, world axes, kg.
    fn slope(&self, point: &ContactPoint) -> DMat3 {
        let left = point.frame * DMat3::from_diagonal(self.stretch);
        let widened = left + outer(point.frame * self.widening, DVec3::Z);
        left * self.scaling.inverse_square * widened.transpose()
    }

    /// Aims at a product of impulse and velocity, corrected by the second-order term of the last step.
    fn aim_at(&mut self, wanted: DVec3, is_corrected: bool) {
        let s = &self.scaling;
        let missed = product(s.inverse_root * self.dw, s.root * self.dp);
        let missed = if is_corrected { missed } else { DVec3::ZERO };
        self.aim = divide(s.middle, wanted - product(s.middle, s.middle) - missed);
    }
}

/// Velocity at a point, contact axes, from those of the bodies.
fn velocity(point: &ContactPoint, velocities: &[f64]) -> DVec3 {
    point.frame.transpose() * point.drift + relative(point, velocities)
}

/// The movers' contribution to it.
fn relative(point: &ContactPoint, velocities: &[f64]) -> DVec3 {
    point.frame.transpose() * with_relative(DVec3::ZERO, point, velocities)
}
