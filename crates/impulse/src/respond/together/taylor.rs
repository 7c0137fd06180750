//! One step of the equations where every point surely slides, surely sticks or has no friction: the power series of the motion.
//! Sticking points take away the part of the motion that would make them slip; which of them gives how much friction matters
//! only for the question whether they can.

use super::crossing::root;
use super::linear::Matrix;
use super::reduced::{Contact, Reduced};
use super::rosenbrock::{CREEP, State};

/// Order of the series.
const ORDER: usize = 16;

/// Coefficients of a series.
type Series = [f64; ORDER + 1];

/// Coefficients of two series, those of one order side by side.
type Pairs = [[f64; 2]; ORDER + 1];

/// Slip, relative to the largest velocity, that surely slides.
const SLIDES: f64 = 1e-5;

/// Slip, relative to the largest velocity, that slides if friction is not enough to stop it: far above creep.
const SLOW: f64 = 1e-7;

/// Rate of a slow slip, relative to what its friction would do alone, below which it is held.
const HELD: f64 = 0.3;

/// Creep, relative to the usual, in an implicit step that shows that friction is not enough to stop it.
const HURRIED: f64 = 3.0;

/// Change of a slow slip, relative to it, that is too much.
const DISTURBED: f64 = 1e-3;

/// Rate of a spring without restitution that expands.
const SNAPS: f64 = 1e6;

/// Steps of Newton's method for the creep of sticking points, and the fastest creep set so, relative to the usual.
const BALANCES: usize = 12;
const FASTEST_CREEP: f64 = 30.0;

/// Share of its friction that a sticking point uses at most.
const SHARE: f64 = 0.94;

/// Error of a step, relative to the largest velocity.
const TOLERANCE: f64 = 1e-13;

/// A direction that changes the slip less than this, relative to the others, is one of them: only impulses out of all proportion
/// would stop slip there, as where the heights of two points differ a little.
const SAME: f64 = 1e-4;

/// What friction does at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Free,
    Slides,
    Sticks,
}

/// The series of one point.
#[derive(Clone, Copy, Debug)]
struct PointSeries {
    mode: Mode,
    /// Size of the slip before slow points stop.
    start: f64,
    rate: f64,
    /// Share of its friction that a sticking point was last asked for.
    asked: f64,
    /// Normal velocity.
    velocity: Series,
    compression: Series,
    /// Normal force.
    press: Series,
    /// Tangential velocity and force, of points that slide.
    slip: Pairs,
    drag: Pairs,
    /// Size of the slip, and the compression divided by it.
    speed: Series,
    quotient: Series,
}

const EMPTY: PointSeries = PointSeries {
    mode: Mode::Free,
    start: 0.0,
    rate: 0.0,
    asked: 0.0,
    velocity: [0.0; ORDER + 1],
    compression: [0.0; ORDER + 1],
    press: [0.0; ORDER + 1],
    slip: [[0.0; 2]; ORDER + 1],
    drag: [[0.0; 2]; ORDER + 1],
    speed: [0.0; ORDER + 1],
    quotient: [0.0; ORDER + 1],
};

/// The step before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    pub(super) length: f64,
    /// Whether it was an implicit one: sticking points creep.
    pub(super) implicit: bool,
}

/// The series of all points and bodies, in storage that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Taylor {
    points: Vec<PointSeries>,
    /// Velocities of the bodies, one coefficient after the other.
    bodies: Vec<f64>,
    /// Orthonormal motions in which sticking points would slip.
    slips: Vec<f64>,
    matrix: Matrix,
    missing: Vec<f64>,
    forced: Vec<f64>,
    left: Vec<f64>,
}

impl Taylor {
    /// Begins a step at a state, and tells whether to try it; `rates` as of the springs. Slow points stop first: friction would bring them to rest in the next moment, and what it
    /// does meanwhile besides is nothing, since only the motions that the stop takes away feel it. Where it cannot, they slide.
    pub(super) fn choose_modes(&mut self, reduced: &Reduced, state: &State, rates: &[f64], last: Tried) -> bool {
        self.points.clear();
        // A spring that snaps back at once leaves no time for slip.
        let asked_too_much = last.implicit && !rates.iter().any(|&rate| rate > SNAPS);
        for (i, (contact, &rate)) in reduced.contacts.iter().zip(rates).enumerate() {
            let [_, s, t] = contact.velocity(state.bodies());
            let slip = (s * s + t * t).sqrt();
            let mode = if rate == 0.0 || contact.friction == 0.0 {
                Mode::Free
            } else if asked_too_much && (HURRIED * CREEP..SLOW).contains(&slip) {
                return false;
            } else if slip < SLIDES {
                Mode::Sticks
            } else {
                // Slow slip that does not come to rest is left to the other method, which takes longer steps there.
                let drag = contact.friction * reduced.stiffness * state.compression(i) * contact.yielding;
                if slip < 0.3 * last.length * drag {
                    return false;
                }
                Mode::Slides
            };
            let mut series = PointSeries { mode, start: slip, rate, ..EMPTY };
            series.compression[0] = state.compression(i);
            self.points.push(series);
        }
        self.settle(reduced, state)
    }

    /// Lets slow points slide, one after the other, until friction is enough to stop the rest; false if it is not.
    fn settle(&mut self, reduced: &Reduced, state: &State) -> bool {
        for _ in 0..=self.points.len() {
            if !self.begin(reduced, state) || self.disturbs(reduced, state) {
                return false;
            }
            if self.snaps() || self.can_stick(reduced, 0.0) {
                return true;
            }
            if !self.release() {
                return false;
            }
        }
        false
    }

    /// Whether stopping some points changes the slip of slow ones that slide.
    fn disturbs(&self, reduced: &Reduced, state: &State) -> bool {
        let disturbed = |(point, contact): (&PointSeries, &Contact)| {
            let ([_, p, q], [s, t]) = (contact.velocity(state.bodies()), point.slip[0]);
            let change = slip_size([0.0, s - p, t - q]);
            point.mode == Mode::Slides && point.start < SLIDES && change > DISTURBED * point.start
        };
        self.points.iter().zip(&reduced.contacts).any(disturbed)
    }

    /// Whether a spring without restitution expands.
    fn snaps(&self) -> bool {
        self.points.iter().any(|point| point.rate > SNAPS)
    }

    /// Lets slow points slide whose friction is not enough to stop them; false if one is too slow for that.
    fn release(&mut self) -> bool {
        let asked_too_much = |p: &&mut PointSeries| p.mode == Mode::Sticks && p.asked > SHARE;
        if self.points.iter_mut().filter(asked_too_much).any(|point| point.start < SLOW) {
            return false;
        }
        let mut released = false;
        for point in self.points.iter_mut().filter(asked_too_much) {
            (point.mode, released) = (Mode::Slides, true);
        }
        released
    }

    /// Sets the velocities and forces of the first order; false if the sticking points cannot all be at rest.
    fn begin(&mut self, reduced: &Reduced, state: &State) -> bool {
        let freedoms = reduced.freedoms();
        self.bodies.clear();
        self.bodies.resize((ORDER + 1) * freedoms, 0.0);
        self.bodies[..freedoms].copy_from_slice(state.bodies());
        if !self.stop_slips(reduced) {
            return false;
        }
        for (point, contact) in self.points.iter_mut().zip(&reduced.contacts) {
            let velocity = contact.velocity(&self.bodies[..freedoms]);
            (point.velocity[0], point.slip[0]) = (velocity[0], [velocity[1], velocity[2]]);
            if point.rate > 0.0 {
                point.next_force(contact, reduced.stiffness, 0);
            }
        }
        true
    }

    /// Finds the motions that sticking points take away, by Gram and Schmidt, and takes them away; false if the points cannot
    /// all be at rest.
    fn stop_slips(&mut self, reduced: &Reduced) -> bool {
        let freedoms = reduced.freedoms();
        let bodies = &mut self.bodies[..freedoms];
        self.slips.clear();
        for (contact, _) in reduced.contacts.iter().zip(&self.points).filter(|(_, p)| p.mode == Mode::Sticks) {
            for tangent in [1, 2] {
                let known = self.slips.len();
                self.slips.resize(known + freedoms, 0.0);
                let (others, own) = self.slips.split_at_mut(known);
                contact.strike([0, 1, 2].map(|k| f64::from(u8::from(k == tangent))), own);
                let before = dot(own, own);
                (0..2).for_each(|_| take_away(others, own));
                let after = dot(own, own);
                let slip = contact.velocity(bodies)[tangent];
                if after <= SAME * SAME * before {
                    self.slips.truncate(known);
                    if slip.abs() > SLIDES {
                        return false;
                    }
                    continue;
                }
                let size = after.sqrt();
                own.iter_mut().for_each(|x| *x /= size);
                let stop = slip / size;
                bodies.iter_mut().zip(own.iter()).for_each(|(x, own)| *x -= stop * own);
            }
        }
        true
    }

    /// Computes the series and returns how far they reach; `None` where slow slip is held by friction.
    pub(super) fn expand(&mut self, reduced: &Reduced) -> Option<f64> {
        let freedoms = reduced.freedoms();
        let mut reach = f64::INFINITY;
        for order in 0..ORDER {
            let next = &mut self.bodies[(order + 1) * freedoms..][..freedoms];
            for (point, contact) in self.points.iter_mut().zip(&reduced.contacts).filter(|(p, _)| p.rate > 0.0) {
                let force = point.next_force(contact, reduced.stiffness, order);
                point.strike(contact, force, next);
            }
            take_away(&self.slips, next);
            let divisor = 1.0 / (order + 1) as f64;
            next.iter_mut().for_each(|x| *x *= divisor);
            // The last two orders tell how far the series reach. Up to them only sliding points ask for their slip.
            let is_last = order + 2 >= ORDER;
            let mut largest = 0.0_f64;
            for (point, contact) in self.points.iter_mut().zip(&reduced.contacts) {
                point.compression[order + 1] = -point.rate * point.velocity[order] * divisor;
                if point.mode == Mode::Slides || is_last {
                    let change = contact.change(next);
                    (point.velocity[order + 1], point.slip[order + 1]) = (change[0], [change[1], change[2]]);
                    let all = change.into_iter().chain([point.compression[order + 1]]);
                    largest = all.fold(largest, |most, u| most.max(u.abs()));
                } else {
                    point.velocity[order + 1] = contact.normal_change(next);
                }
            }
            if is_last && largest > 0.0 {
                reach = reach.min(libm::pow(TOLERANCE / largest, 1.0 / (order + 1) as f64));
            }
            if order == 0 && !self.snaps() && self.is_held(reduced) {
                return None;
            }
        }
        Some(reach)
    }

    /// Whether friction nearly balances what drives a slow slip: the series would be short, while the slip hardly changes.
    fn is_held(&self, reduced: &Reduced) -> bool {
        let held = |(point, contact): (&PointSeries, &Contact)| {
            let [s, t] = point.slip[1];
            let drag = contact.friction * point.press[0] * contact.yielding;
            point.mode == Mode::Slides && point.start < SLIDES && s * s + t * t < HELD * HELD * drag * drag
        };
        self.points.iter().zip(&reduced.contacts).any(held)
    }

    /// Whether points that touch neither move nor begin to.
    pub(super) fn stands_still(&self, slow: f64) -> bool {
        let slow_enough = |series: &Series| series[..3].iter().all(|coefficient| coefficient.abs() <= slow);
        self.points.iter().filter(|point| point.rate > 0.0).all(|point| slow_enough(&point.velocity))
            && self.points.iter().all(|point| point.rate > 0.0 || point.velocity[0] >= -slow)
    }

    /// Normal velocity of a point.
    pub(super) fn normal(&self, point: usize, time: f64) -> f64 {
        value(&self.points[point].velocity, time)
    }

    /// Compression of a point.
    pub(super) fn compression(&self, point: usize, time: f64) -> f64 {
        value(&self.points[point].compression, time)
    }

    /// The time up to `reach` at which a sliding point is too slow for its series.
    pub(super) fn end_of_slide(&self, point: usize, reach: f64) -> f64 {
        let PointSeries { mode, start, speed, .. } = &self.points[point];
        let least = if *start < SLIDES { SLOW } else { SLIDES };
        if *mode == Mode::Slides { root(|time| 0.8 * least - value(speed, time), reach, 0.1 * least) } else { reach }
    }

    /// What friction of the sticking points must balance at this time.
    fn set_asked(&mut self, reduced: &Reduced, time: f64) {
        let Self { points, missing: rest, forced, slips, .. } = self;
        rest.clear();
        rest.resize(reduced.freedoms(), 0.0);
        for (point, contact) in points.iter().zip(&reduced.contacts) {
            point.strike(contact, point.force(time), rest);
        }
        forced.clear();
        forced.extend_from_slice(rest);
        take_away(slips, forced);
        rest.iter_mut().zip(forced).for_each(|(x, free)| *x -= *free);
    }

    /// Lets sticking points that are at rest creep as fast as balances what they are asked for, so that an implicit step need not
    /// first find that.
    pub(super) fn creep(&mut self, reduced: &Reduced, state: &mut State) {
        let creeps = |p: &PointSeries| p.mode == Mode::Sticks && p.start > 0.1 * CREEP;
        if self.slips.is_empty() || self.points.iter().any(creeps) {
            return;
        }
        self.set_asked(reduced, 0.0);
        let asked = std::mem::take(&mut self.missing);
        let (mut moving, mut left) = (std::mem::take(&mut self.forced), std::mem::take(&mut self.left));
        moving.fill(0.0);
        let least = 1e-6 * dot(&asked, &asked).sqrt();
        for _ in 0..BALANCES {
            // Newton's method for the balance of rounded friction.
            left.clear();
            left.extend_from_slice(&asked);
            let most = self.balance(reduced, &moving, &mut left);
            if dot(&left, &left).sqrt() <= least || !self.matrix.factorise(0.0) {
                break;
            }
            self.matrix.solve(&mut left);
            let speed = self.sticking(reduced).map(|c| slip_size(c.change(&left))).fold(0.0, f64::max);
            let share = (2.0 * (1.0 + most) / speed).min(1.0);
            moving.iter_mut().zip(&left).for_each(|(x, step)| *x += share * step);
        }
        let fastest = self.sticking(reduced).map(|c| slip_size(c.change(&moving))).fold(0.0, f64::max);
        let share = CREEP * (FASTEST_CREEP / fastest).min(1.0);
        let (bodies, _, _) = state.parts_mut();
        if fastest.is_finite() {
            bodies.iter_mut().zip(&moving).for_each(|(x, moving)| *x += share * moving);
        }
        (self.missing, self.forced, self.left) = (asked, moving, left);
    }

    fn sticking<'a>(&'a self, reduced: &'a Reduced) -> impl Iterator<Item = &'a Contact> {
        self.points.iter().zip(&reduced.contacts).filter(|(p, _)| p.mode == Mode::Sticks).map(|(_, contact)| contact)
    }

    /// Takes from what is asked what friction gives where points creep so fast, relative to the usual, and sets the matrix by
    /// which it changes; returns the fastest creep.
    fn balance(&mut self, reduced: &Reduced, moving: &[f64], left: &mut [f64]) -> f64 {
        let mut most = 0.0_f64;
        let sticks = |(p, _): &(&PointSeries, &Contact)| p.mode == Mode::Sticks;
        for (point, contact) in self.points.iter().zip(&reduced.contacts).filter(sticks) {
            most = most.max(contact.friction * point.press[0] * contact.yielding);
        }
        self.matrix.set_diagonal(reduced.freedoms(), 1e-12 * most);
        let mut fastest = 0.0_f64;
        for (point, contact) in self.points.iter().zip(&reduced.contacts).filter(sticks) {
            let [_, s, t] = contact.change(moving);
            let size = (1.0 + s * s + t * t).sqrt();
            fastest = fastest.max(size);
            let weight = contact.friction * point.press[0] / size;
            contact.strike([0.0, -weight * s, -weight * t], left);
            let (s, t, rounded) = (s / size, t / size, 1.0 / (size * size));
            let block = [
                [0.0; 3],
                [0.0, weight * (t * t + rounded), -weight * s * t],
                [0.0, -weight * s * t, weight * (s * s + rounded)],
            ];
            contact.add_product(&block, |row, from, values| self.matrix.add(row, from, &values));
        }
        fastest
    }

    /// Whether the sticking points have enough friction at this time.
    pub(super) fn can_stick(&mut self, reduced: &Reduced, time: f64) -> bool {
        if self.slips.is_empty() {
            return true;
        }
        let presses = |p: &PointSeries| p.mode == Mode::Sticks && value(&p.press, time) > 0.0;
        if time == 0.0 && !self.points.iter().any(presses) {
            return true;
        }
        self.set_asked(reduced, time);
        let mut rest = std::mem::take(&mut self.missing);
        self.weigh(reduced, |point| value(&point.press, time));
        let solved = self.matrix.factorise(0.0);
        self.matrix.solve(&mut rest);
        let mut enough = solved;
        for (point, contact) in self.points.iter_mut().zip(&reduced.contacts).filter(|(p, _)| p.mode == Mode::Sticks) {
            let [_, s, t] = contact.change(&rest);
            point.asked = (s * s + t * t).sqrt();
            enough &= point.asked <= SHARE;
        }
        self.missing = rest;
        enough
    }

    /// The system that shares friction among sticking points by their normal forces.
    fn weigh(&mut self, reduced: &Reduced, press: impl Fn(&PointSeries) -> f64) {
        let mut most = 0.0_f64;
        for (point, contact) in self.points.iter().zip(&reduced.contacts).filter(|(p, _)| p.mode == Mode::Sticks) {
            most = most.max(contact.friction * press(point) * contact.yielding);
        }
        self.matrix.set_diagonal(reduced.freedoms(), 1e-12 * most);
        for (point, contact) in self.points.iter().zip(&reduced.contacts).filter(|(p, _)| p.mode == Mode::Sticks) {
            let weight = contact.friction * press(point);
            let block = [[0.0; 3], [0.0, weight, 0.0], [0.0, 0.0, weight]];
            contact.add_product(&block, |row, from, values| self.matrix.add(row, from, &values));
        }
    }

    /// The state after a time.
    pub(super) fn finish(&mut self, reduced: &Reduced, start: &State, time: f64, end: &mut State) {
        end.copy_from(start);
        let freedoms = reduced.freedoms();
        let (bodies, compressions, impulses) = end.parts_mut();
        bodies.copy_from_slice(&self.bodies[ORDER * freedoms..]);
        for order in (0..ORDER).rev() {
            let coefficients = &self.bodies[order * freedoms..][..freedoms];
            bodies.iter_mut().zip(coefficients).for_each(|(sum, c)| *sum = *sum * time + c);
        }
        for (i, point) in self.points.iter().enumerate().filter(|(_, p)| p.rate > 0.0) {
            compressions[i] = value(&point.compression, time);
            impulses[3 * i..].iter_mut().zip(point.impulse(time)).for_each(|(sum, p)| *sum += p);
        }
        if self.slips.is_empty() {
            return;
        }
        // What the sticking points have taken away is their friction.
        let mut missing = std::mem::take(&mut self.missing);
        missing.clear();
        missing.extend(bodies.iter().zip(start.bodies()).map(|(to, from)| to - from));
        for (point, contact) in self.points.iter().zip(&reduced.contacts).filter(|(p, _)| p.rate > 0.0) {
            point.strike(contact, point.impulse(time).map(|p| -p), &mut missing);
        }
        self.weigh(reduced, |point| integral(&point.press, time));
        if self.matrix.factorise(0.0) {
            self.matrix.solve(&mut missing);
            for (i, contact) in
                reduced.contacts.iter().enumerate().filter(|(i, _)| self.points[*i].mode == Mode::Sticks)
            {
                let weight = contact.friction * integral(&self.points[i].press, time);
                let change = contact.change(&missing);
                (1..3).for_each(|k| impulses[3 * i + k] += weight * change[k]);
            }
        }
        self.missing = missing;
    }
}

impl PointSeries {
    /// Adds what a force does to the bodies; only sliding points have friction that is known.
    #[inline]
    fn strike(&self, contact: &Contact, force: [f64; 3], x: &mut [f64]) {
        if self.mode == Mode::Slides { contact.strike(force, x) } else { contact.press(force[0], x) }
    }

    /// The next coefficients of the forces, the velocities and compressions being known up to this order. Friction of sticking
    /// points is left out.
    #[inline]
    fn next_force(&mut self, contact: &Contact, stiffness: f64, order: usize) -> [f64; 3] {
        let normal = stiffness * self.compression[order];
        self.press[order] = normal;
        if self.mode != Mode::Slides {
            return [normal, 0.0, 0.0];
        }
        let [ss, tt] = self.slip[..=order]
            .iter()
            .zip(self.slip[..=order].iter().rev())
            .fold([0.0; 2], |[ss, tt], ([s, t], [p, q])| [ss + s * p, tt + t * q]);
        let square = ss + tt;
        if order == 0 {
            self.speed[0] = square.sqrt();
            self.quotient[0] = self.compression[0] / self.speed[0];
        } else {
            let (mut squared, mut product) = (0.0, 0.0);
            for j in 1..order {
                squared += self.speed[j] * self.speed[order - j];
                product += self.speed[j] * self.quotient[order - j];
            }
            self.speed[order] = (square - squared) / (2.0 * self.speed[0]);
            product += self.speed[order] * self.quotient[0];
            self.quotient[order] = (self.compression[order] - product) / self.speed[0];
        }
        let friction = -contact.friction * stiffness;
        let [s, t] = self.quotient[..=order]
            .iter()
            .zip(self.slip[..=order].iter().rev())
            .fold([0.0; 2], |[s, t], (quotient, [p, q])| [s + quotient * p, t + quotient * q]);
        self.drag[order] = [friction * s, friction * t];
        [normal, friction * s, friction * t]
    }

    /// The force at a time, without friction that is not known.
    fn force(&self, time: f64) -> [f64; 3] {
        let [s, t] = self.drag.iter().rev().fold([0.0; 2], |[s, t], [p, q]| [s * time + p, t * time + q]);
        [value(&self.press, time), s, t]
    }

    /// The impulse up to a time, without friction that is not known.
    fn impulse(&self, time: f64) -> [f64; 3] {
        let [s, t] = (0..=ORDER).rev().fold([0.0; 2], |[s, t], k| {
            let [p, q] = self.drag[k].map(|drag| drag / (k + 1) as f64);
            [s * time + p, t * time + q]
        });
        [integral(&self.press, time), time * s, time * t]
    }
}

fn slip_size([_, s, t]: [f64; 3]) -> f64 {
    (s * s + t * t).sqrt()
}

#[inline]
fn value(series: &Series, time: f64) -> f64 {
    series.iter().rev().fold(0.0, |sum, c| sum * time + c)
}

#[inline]
fn integral(series: &Series, time: f64) -> f64 {
    time * series.iter().enumerate().rev().fold(0.0, |sum, (k, c)| sum * time + c / (k + 1) as f64)
}

/// Takes the components along orthonormal vectors out of a vector.
fn take_away(vectors: &[f64], from: &mut [f64]) {
    for vector in vectors.chunks_exact(from.len()) {
        let along = dot(vector, from);
        from.iter_mut().zip(vector).for_each(|(x, v)| *x -= along * v);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
