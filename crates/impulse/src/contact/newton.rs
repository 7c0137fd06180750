//! All points at once: Newton's method on a convex function of the velocities, repeated until it is exact.
//!
//! With stiff points, `p = project(p_0 + S (target - opening - u))`, the equations of motion are those of the minimum of a
//! convex function whose second derivative is `M + J^T S project' J`; Newton's method with a line search finds it from
//! anywhere. Starting again from the impulses found (the proximal point method) removes the compliance. The opening that
//! sliding would cause if friction were associated is taken from the last rounds, so that the result obeys Coulomb's law
//! itself.

use super::cone::{Projected, nearest_in_cone, project};
use super::flat::{gain, part, push, read_masses, read_velocities, with_relative, write_velocities};
use super::joint::Joint;
use super::mixing::Mixing;
use super::problem::{ContactPoint, Mover};
use super::resist::{Couple, Resistance};
use super::sparse::BlockMatrix;
use super::tie::Tie;
use glam::{DMat3, DVec3};

/// Stiffness of the points relative to their natural stiffness.
const POINT_STIFFNESS: f64 = 1e3;

/// The same in the first round if there are resistances, and its growth from round to round. Resistances bring many kinks close
/// together, which softer points round off; the compliance vanishes in the additional rounds that resistances need anyway.
const FIRST_STIFFNESS: f64 = 1e2;
const STIFFNESS_GROWTH: f64 = 3.0;

/// Most steps of Newton's method in one round.
const NEWTON_STEPS: u32 = 30;

/// Most trials of a line search.
const SEARCH_TRIALS: usize = 12;

/// The method; its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    matrix: BlockMatrix,
    /// Stiffness of the points in the coming round if there are resistances.
    stiffer: f64,
    masses: Vec<(f64, DMat3)>,
    /// Velocities of all bodies, six numbers each: before any impulse, now, and their change in Newton's step.
    before: Vec<f64>,
    now: Vec<f64>,
    step: Vec<f64>,
    /// Velocities at a trial point of the line search.
    there: Vec<f64>,
    gradient: Vec<f64>,
    /// One for every point.
    anchors: Vec<Anchor>,
    couples: Vec<Couple>,
    /// One for every tie.
    springs: Vec<Spring>,
    /// For every point the opening assumed, m/s, followed by what every resistance can resist; and the same as found.
    openings: Vec<f64>,
    found: Vec<f64>,
    mixing: Mixing,
}

/// The constants of the function that gives a point's impulse.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    /// `p_0 + S (target - opening)`, so that the impulse is the projection of this less `S u`.
    offset: DVec3,
    stiffness: f64,
}

impl Newton {
    /// Lays out the matrix for movers that have not felt any impulse yet.
    pub(super) fn begin(&mut self, movers: &[Mover], points: &[ContactPoint], ties: &[Tie]) {
        self.matrix.lay_out(movers.len(), points, ties);
        read_masses(movers, &mut self.masses);
        read_velocities(movers, &mut self.before);
        self.openings.clear();
        self.mixing.clear();
        self.stiffer = FIRST_STIFFNESS;
    }

    /// One round: finds impulses and velocities consistent with stiff points. The impulses of points and resistances are
    /// applied to `movers` before it and after it. Returns the number of steps.
    pub(super) fn round(&mut self, joint: &mut Joint<'_>, enough: f64) -> u32 {
        let Joint { movers, points, resistances, ties } = joint;
        if self.openings.is_empty() {
            self.openings.extend(points.iter().map(|point| point.opening(point.velocity(movers))));
            self.openings.extend(resistances.iter().map(|resistance| resistance.resisted(points)));
        }
        let stiffer = if resistances.is_empty() { POINT_STIFFNESS } else { self.stiffer };
        self.stiffer = (STIFFNESS_GROWTH * self.stiffer).min(POINT_STIFFNESS);
        self.anchors.clear();
        self.anchors.extend(points.iter().zip(&self.openings).map(|(point, opening)| {
            let stiffness = stiffer * point.natural_stiffness();
            Anchor { offset: point.impulse + stiffness * (point.target - DVec3::Z * opening.max(0.0)), stiffness }
        }));
        self.couples.clear();
        let resisted = &self.openings[points.len()..];
        self.couples.extend(resistances.iter().zip(resisted).map(|(r, &most)| Couple::new(r, most)));
        self.springs.clear();
        self.springs.extend(ties.list.iter().map(|tie| Spring::new(tie, stiffer)));
        read_velocities(movers, &mut self.now);
        let mut steps = 0;
        while steps < NEWTON_STEPS && self.advance(points, enough) {
            steps += 1;
        }
        self.finish(movers, points, resistances);
        if !ties.is_empty() {
            for (tie, spring) in ties.list.iter_mut().zip(&self.springs) {
                let impulse = spring.impulse(&self.now)[0];
                tie.bound.iter_mut().for_each(|bound| bound.impulse = impulse);
            }
            write_velocities(&self.before, movers);
            ties.apply(movers, points, resistances);
        }
        self.found.clear();
        self.found.extend(points.iter().map(|point| point.opening(point.velocity(movers))));
        self.found.extend(resistances.iter().map(|resistance| resistance.resisted(points)));
        self.mixing.next(&mut self.openings, &self.found);
        steps
    }

    /// Continues from the last round alone, because mixing it with earlier ones made the error grow.
    pub(super) fn forget(&mut self) {
        self.mixing.clear();
        self.openings.copy_from_slice(&self.found);
    }

    /// One step of Newton's method; false if it would change velocities by no more than a tenth of `enough` m/s, or cannot be
    /// made.
    fn advance(&mut self, points: &[ContactPoint], enough: f64) -> bool {
        if !self.differentiate_twice(points) {
            return false;
        }
        self.step.clear();
        self.step.extend(self.gradient.iter().map(|g| -g));
        self.matrix.solve(&mut self.step);
        let slope: f64 = self.gradient.iter().zip(&self.step).map(|(g, s)| g * s).sum();
        if slope.is_nan() || slope >= 0.0 || self.largest_change() <= 0.1 * enough {
            return false;
        }
        let share = self.search(points, slope);
        for (v, s) in self.now.iter_mut().zip(&self.step) {
            *v += share * s;
        }
        true
    }

    /// Computes the gradient and the factorised second derivative at the present velocities; false if it is not positive
    /// definite.
    fn differentiate_twice(&mut self, points: &[ContactPoint]) -> bool {
        let Self { matrix, masses, before, now, gradient, anchors, couples, springs, .. } = self;
        matrix.set_masses(masses);
        gain(masses, [before, now], gradient);
        for spring in springs.iter() {
            matrix.set_stiffness(&spring.tie, spring.impulse(now)[1]);
            spring.pull([before, now], gradient);
        }
        for (point, anchor) in points.iter().zip(anchors) {
            let Projected { impulse, slope } = project(anchor.argument(point, now), point.friction);
            if slope != DMat3::ZERO {
                let s = point.frame * slope * point.frame.transpose() * anchor.stiffness;
                matrix.add_point(point, &s);
                push(gradient, point, -(point.frame * impulse));
            }
        }
        for couple in couples {
            couple.stiffen(matrix, now);
            couple.pull(now, gradient);
        }
        matrix.factorise()
    }

    /// The largest change of a body's velocity in Newton's step, m/s; rotation counts at the radius of gyration.
    fn largest_change(&self) -> f64 {
        let change = |(i, (mass, inertia)): (usize, &(f64, DMat3))| {
            let row = 6 * i;
            let (v, w) = (part(&self.step, row), part(&self.step, row + 3));
            (v.length_squared() + w.dot(*inertia * w) / mass).sqrt()
        };
        self.masses.iter().enumerate().map(change).fold(0.0, f64::max)
    }

    /// The share of Newton's step to take: the function is convex, so its slope along the step decides.
    fn search(&mut self, points: &[ContactPoint], slope: f64) -> f64 {
        let (mut low, mut low_slope, mut high, mut high_slope) = (0.0, slope, 1.0, 0.0);
        let mut share = 1.0;
        for _ in 0..SEARCH_TRIALS {
            self.differentiate(points, share);
            let here: f64 = self.gradient.iter().zip(&self.step).map(|(g, s)| g * s).sum();
            if here.abs() <= 0.3 * -slope || (here <= 0.0 && share == 1.0) {
                break;
            }
            if here < 0.0 {
                (low, low_slope) = (share, here);
            } else {
                (high, high_slope) = (share, here);
            }
            let secant = low_slope / (low_slope - high_slope);
            share = low + (high - low) * secant.clamp(0.1, 0.9);
        }
        share
    }

    /// Computes the gradient at a share of the step.
    fn differentiate(&mut self, points: &[ContactPoint], share: f64) {
        let Self { masses, before, now, step, there, gradient, anchors, couples, springs, .. } = self;
        there.clear();
        there.extend(now.iter().zip(step.iter()).map(|(v, s)| v + share * s));
        gain(masses, [before, there], gradient);
        springs.iter().for_each(|spring| spring.pull([before, there], gradient));
        for (point, anchor) in points.iter().zip(anchors) {
            let impulse = nearest_in_cone(anchor.argument(point, there), point.friction);
            push(gradient, point, -(point.frame * impulse));
        }
        for couple in couples {
            couple.pull(there, gradient);
        }
    }

    /// Computes the impulses from the velocities found, then the velocities from the impulses, so that momentum is exact.
    fn finish(&self, movers: &mut [Mover], points: &mut [ContactPoint], resistances: &mut [Resistance]) {
        write_velocities(&self.before, movers);
        for (point, anchor) in points.iter_mut().zip(&self.anchors) {
            point.impulse = nearest_in_cone(anchor.argument(point, &self.now), point.friction);
            point.apply(movers, point.impulse);
        }
        for (resistance, couple) in resistances.iter_mut().zip(&self.couples) {
            resistance.impulse = couple.impulse(&self.now);
            resistance.apply(movers, resistance.impulse);
        }
    }
}

/// A tie in one round: what acts along its freedom is the part of `offset - stiffness q'` within bounds.
#[derive(Clone, Copy, Debug)]
struct Spring {
    tie: Tie,
    offset: f64,
    stiffness: f64,
}

impl Spring {
    fn new(tie: &Tie, stiffer: f64) -> Self {
        let stiffness = tie.bound.map_or(0.0, |bound| stiffer * bound.inertia);
        let offset = tie.bound.map_or(0.0, |bound| bound.impulse + stiffness * bound.target);
        Self { tie: *tie, offset, stiffness }
    }

    /// The impulse, and how much less it gets with the rate.
    fn impulse(&self, velocities: &[f64]) -> [f64; 2] {
        let Some(bound) = &self.tie.bound else { return [0.0; 2] };
        let trial = self.offset - self.stiffness * self.tie.flat_rates(velocities)[0];
        let within = bound.nearest(trial);
        [within, if within == trial { self.stiffness } else { 0.0 }]
    }

    /// Adds what the armature gains and subtracts the impulse from the gradient.
    fn pull(&self, [before, now]: [&[f64]; 2], gradient: &mut [f64]) {
        if self.tie.armature != 0.0 {
            let rates = [before, now].map(|velocities| self.tie.flat_rates(velocities));
            self.tie.push_armature(gradient, std::array::from_fn(|k| rates[1][k] - rates[0][k]));
        }
        if self.tie.bound.is_some() {
            self.tie.push(gradient, [-self.impulse(now)[0], 0.0, 0.0]);
        }
    }
}

impl Anchor {
    /// The vector whose projection is the impulse, for given velocities.
    fn argument(&self, point: &ContactPoint, velocities: &[f64]) -> DVec3 {
        let u = with_relative(point.drift, point, velocities);
        self.offset - self.stiffness * (point.frame.transpose() * u)
    }
}
