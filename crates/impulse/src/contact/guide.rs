//! Integrates the motion of a body on a plane ahead, piece by piece (beside section 3.5).
//!
//! Collocation at Gauss' points: the accelerations there are those that contact and inertia give in the states which follow from
//! them. The polynomials through them *are* the trajectory; at its end their error is of twice the order that it has in between.

use super::point_on_plane::{Ahead, Grip, Held, Mode, PointOnPlane};
use crate::body::{GaussValues, Guided, Launch, State};
use crate::math::{GAUSS_INTEGRALS, GAUSS_PLACES, GAUSS_POINTS, GAUSS_STIFF, Pose};
use glam::{DQuat, DVec3, DVec4};
use std::ops::{Add, Mul};

/// Largest error of the acceleration at the ends of a piece times its duration, relative to the body's speeds.
const TOLERANCE: f64 = 1e-5;

/// Change of the accelerations, relative to the same, at which the iteration has converged.
const CONVERGED: f64 = 1e-12;

/// Rounds of the iteration, at most.
const MOST_ROUNDS: usize = 24;

/// Rounds above which pieces do not grow, and above which they become shorter.
const MANY_ROUNDS: [usize; 2] = [14, 20];

/// Pieces are shortened by this where they do not converge.
const SHORTER: f64 = 0.5;

/// Where in a piece heights are compared, as shares of it: Gauss' points, where integrals of what is right there are wrong most, with
/// Lobatto's points in between, where integrals of such integrals are, and the end.
const LOOKS: [f64; 16] = [
    0.019_855, 0.050_121, 0.101_667, 0.161_407, 0.237_234, 0.318_441, 0.408_283, 0.5, 0.591_717, 0.681_559, 0.762_766,
    0.838_593, 0.898_333, 0.949_879, 0.980_145, 1.0,
];

/// Halvings in which the end of a way of contact is located in a piece.
const HALVINGS: usize = 40;

/// A piece of the way of a body on a plane.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The motion.
    pub course: Guided,
    /// Until when it holds, s.
    pub until: f64,
    /// How contact acts at its beginning.
    pub first: Held,
    /// A duration that suits the next piece, s; `None` where the contact changes at the end of this one.
    pub next: Option<f64>,
}

/// What is to be integrated.
#[derive(Clone, Copy, Debug)]
pub struct Guide<'a> {
    /// Body, plane and laws.
    pub law: &'a PointOnPlane,
    /// How they touch.
    pub mode: Mode,
    /// Whether slip begins from none.
    pub begins_to_slip: bool,
    /// From where on.
    pub launch: Launch,
    /// Largest distance of a body point from the centre of mass, m.
    pub radius: f64,
    /// Error of the height that is allowed, m.
    pub height_error: f64,
}

impl Guide<'_> {
    /// A piece of at most a duration; `None` where it would have to be shorter than another, s.
    pub fn piece(&self, longest: f64, shortest: f64) -> Option<Piece> {
        let first = self.law.hold_first(&self.launch.state, self.mode, self.begins_to_slip)?;
        if !self.law.lasts(&first, (&self.launch.state, &first), self.mode) {
            return None;
        }
        let mut length = longest;
        while length > shortest {
            let Some((values, rounds)) = self.collocate(&first, length) else {
                length *= SHORTER;
                continue;
            };
            let course = Guided::new(self.law.mass, self.launch, length, values);
            let suits = self.suits(&first, &course, length);
            if suits < 1.0 {
                length *= suits.clamp(0.2, 0.8);
                continue;
            }
            let until = self.holds_until(&first, &course);
            let most = if rounds <= MANY_ROUNDS[0] { 2.0 } else { 1.0 };
            let growth = if rounds <= MANY_ROUNDS[1] { (0.8 * suits).min(most) } else { 0.8 };
            let next = (until >= course.end()).then_some(length * growth);
            return Some(Piece { course, until, first, next });
        }
        None
    }

    /// Velocities that count as large in a piece, m/s: of the body's points.
    fn speed(&self, first: &Held, length: f64) -> f64 {
        let State { velocity, spin, .. } = self.launch.state;
        velocity.length() + self.radius * spin.length() + first.acceleration.linear.length() * length
    }

    /// Accelerations at Gauss' points of a piece that agree with contact and inertia there, and the rounds it took.
    fn collocate(&self, first: &Held, length: f64) -> Option<(GaussValues, usize)> {
        let state = &self.launch.state;
        let rotation = state.world_from_body.rotation;
        let tolerance = CONVERGED * self.speed(first, length) / length;
        let mut values = GaussValues {
            linear: [first.acceleration.linear; GAUSS_POINTS],
            angular: [first.acceleration.angular; GAUSS_POINTS],
            turning: [rate_of(rotation, state.angular_velocity()); GAUSS_POINTS],
            power: [first.power; GAUSS_POINTS],
        };
        for rounds in 1..=MOST_ROUNDS {
            let change = self.round(length, &mut values)?;
            if change <= tolerance {
                return Some((values, rounds));
            }
        }
        None
    }

    /// One round of the iteration: the largest change of an acceleration of body points, m/s^2.
    fn round(&self, length: f64, values: &mut GaussValues) -> Option<f64> {
        let start = &self.launch.state;
        let (half, w) = (0.5 * length, start.angular_velocity());
        let velocities = integrals(&values.linear, half);
        let turnings = integrals(&values.angular, half);
        let way = integrals(&velocities, half);
        let mut change: f64 = 0.0;
        let attitudes = integrals(&values.turning, half);
        let slips = self.mode.grip == Grip::Slips;
        // What later points gain by the changes at earlier ones of this round.
        let mut gained = [[DVec3::ZERO; 2]; GAUSS_POINTS];
        for i in 0..GAUSS_POINTS {
            let attitude = DVec4::from(start.world_from_body.rotation) + attitudes[i];
            let rotation = DQuat::from_vec4(attitude).normalize();
            let turning = w + turnings[i] + gained[i][1];
            let elapsed = half * (1.0 + GAUSS_PLACES[i]);
            let translation = start.world_from_body.translation + start.velocity * elapsed + way[i];
            let state = State {
                world_from_body: Pose { rotation, translation },
                velocity: start.velocity + velocities[i] + gained[i][0],
                spin: rotation.conjugate() * turning,
            };
            let time = if slips { half * GAUSS_STIFF[i][i] } else { 0.0 };
            let ahead = Ahead { time, instead_of: Some([values.linear[i], values.angular[i]]) };
            let held = self.law.hold_ahead(&state, self.mode, &ahead)?;
            let [linear, angular] = [held.acceleration.linear, held.acceleration.angular];
            change = change.max((linear - values.linear[i]).length());
            change = change.max(self.radius * (angular - values.angular[i]).length());
            if slips {
                let changes = [linear - values.linear[i], angular - values.angular[i]];
                for (k, gains) in gained.iter_mut().enumerate().skip(i + 1) {
                    (0..2).for_each(|of| gains[of] += changes[of] * (half * GAUSS_STIFF[k][i]));
                }
            }
            (values.linear[i], values.angular[i], values.power[i]) = (linear, angular, held.power);
            let rate = rate_of(DQuat::from_vec4(attitude), turning);
            change = change.max(self.radius * (rate - values.turning[i]).length() / length);
            values.turning[i] = rate;
        }
        change.is_finite().then_some(change)
    }

    /// By which factor a piece could be longer (or must be shorter) to be as exact as wanted.
    fn suits(&self, first: &Held, course: &Guided, length: f64) -> f64 {
        let end = course.end();
        let state = course.state_at(end);
        let Some(held) = self.law.hold(&state, self.mode) else { return SHORTER };
        let found = course.acceleration_at(end);
        let linear = (held.acceleration.linear - found.linear).length();
        let angular = self.radius * (held.acceleration.angular - found.angular).length();
        let error = (linear.max(angular) * length) / (TOLERANCE * self.speed(first, length));
        let n = self.law.normal;
        let heights = |pose: &Pose| self.law.heights_in(pose, self.mode.hinge);
        let state = &self.launch.state;
        let (begin, rise) = (heights(&state.world_from_body), self.law.slip(state).dot(n));
        let gap = |share: f64| {
            let there = heights(&course.pose_at(self.launch.time + share * length));
            let error = |i: usize| (there[i] - begin[i] - share * rise * length).abs();
            error(0).max(error(1))
        };
        let error = LOOKS.iter().fold(error, |error, &share| error.max(gap(share) / self.height_error));
        // The error of what is left out goes with the power of the first neglected degree.
        libm::pow(error.max(1e-6), -1.0 / GAUSS_POINTS as f64)
    }

    /// Until when contact acts as at the beginning, s.
    fn holds_until(&self, first: &Held, course: &Guided) -> f64 {
        let lasts = |t: f64| {
            let state = course.state_at(t);
            let held = self.law.hold(&state, self.mode);
            held.is_some_and(|held| self.law.lasts(first, (&state, &held), self.mode))
        };
        let start = self.launch.time;
        let half = 0.5 * (course.end() - start);
        let times = GAUSS_PLACES.iter().map(|x| start + half * (1.0 + x)).chain([course.end()]);
        let mut good = start;
        for t in times {
            if !lasts(t) {
                return bisect(good, t, lasts);
            }
            good = t;
        }
        good
    }
}

/// The last of the times between two at which something holds, if it holds up to some time only.
pub(crate) fn bisect(mut good: f64, mut bad: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (good + bad);
        if holds(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

/// Rate of an attitude that turns with an angular velocity of the world frame: `(0, w) q / 2`.
fn rate_of(attitude: DQuat, w: DVec3) -> DVec4 {
    let u = attitude.xyz();
    let vector = w * attitude.w + w.cross(u);
    0.5 * vector.extend(-w.dot(u))
}

/// Integrals from the beginning up to each of Gauss' points.
fn integrals<T: Copy + Default + Add<Output = T> + Mul<f64, Output = T>>(
    values: &[T; GAUSS_POINTS],
    half: f64,
) -> [T; GAUSS_POINTS] {
    let mut sums = [T::default(); GAUSS_POINTS];
    for (sum, row) in sums.iter_mut().zip(&GAUSS_INTEGRALS) {
        for (&value, &share) in values.iter().zip(row) {
            *sum = *sum + value * share;
        }
        *sum = *sum * half;
    }
    sums
}
