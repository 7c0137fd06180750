//! Motion under a constant torque in the world frame: angular momentum exact, attitude integrated ahead (appendix A.3).
//!
//! With `L(t) = L(0) + T t` known, the attitude obeys `q' = q w / 2`, `w = I^-1 l`, where momentum `l` and torque `c` seen from the
//! body obey `l' = l x w + c`, `c' = c x w`. All of it is bilinear, so Taylor coefficients of any order follow from short
//! convolutions, and each step's polynomial *is* the trajectory: there is no separate dense output.

use super::ballistic::euler_acceleration;
use super::bounds::{Range, SpinBounds};
use super::parabola::Parabola;
use super::polhode::polhode_bounds;
use super::{Acceleration, Drive, Launch, PrincipalMass, State};
use crate::math::Pose;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A body on which a constant torque, and perhaps a constant force, acts until changed.
///
/// The trajectory is a fixed sequence of steps from the launch on. Steps around the times in use are kept ([`Driven::keep`]);
/// any other time is reached by making the same steps again, so answers do not depend on what is kept, only their cost does.
#[derive(Clone, Debug)]
pub struct Driven {
    pub(super) mass: PrincipalMass,
    pub(super) centre: Parabola,
    launch_orientation: DQuat,
    /// World frame, kg m^2/s and N m.
    launch_momentum: DVec3,
    pub(super) torque: DVec3,
    /// Consecutive steps.
    kept: Vec<Step>,
}

/// A driven motion in a snapshot.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SavedDriven {
    pub(super) mass: PrincipalMass,
    pub(super) centre: Parabola,
    /// At the launch.
    pub(super) orientation: DQuat,
    pub(super) momentum: DVec3,
    pub(super) torque: DVec3,
    /// Time since the launch at which the first step in use begins, and the attitude then.
    pub(super) kept: (f64, DQuat),
}

impl Driven {
    /// Motion from a state on under constant acceleration of the centre of mass and constant torque.
    pub fn new(mass: PrincipalMass, launch: Launch, drive: Drive) -> Self {
        Self::with_room(mass, launch, drive, Vec::new())
    }

    /// Goes on from another state under the same force and torque, in the memory there is.
    pub(super) fn relaunch(&mut self, launch: Launch) {
        let mut room = std::mem::take(&mut self.kept);
        room.clear();
        *self = Self::with_room(self.mass, launch, self.drive(), room);
    }

    fn with_room(mass: PrincipalMass, launch: Launch, drive: Drive, room: Vec<Step>) -> Self {
        let State { world_from_body: pose, velocity, spin } = launch.state;
        let mut driven = Self {
            mass,
            centre: Parabola {
                start: launch.time,
                position: pose.translation,
                velocity,
                acceleration: drive.acceleration,
            },
            launch_orientation: pose.rotation,
            launch_momentum: pose.rotation * (mass.moments() * spin),
            torque: drive.torque,
            kept: room,
        };
        driven.kept.push(driven.first_step());
        driven
    }

    /// Makes the times of an interval cheap to ask for, and forgets the steps that end before it.
    ///
    /// Allocates only while the number of steps kept grows.
    pub fn keep(&mut self, times: Range) {
        let (from, to) = (times.min - self.centre.start, times.max - self.centre.start);
        if self.kept.first().is_none_or(|step| from < step.begin && step.begin > 0.0) {
            self.kept.clear();
            self.kept.push(self.first_step());
        }
        while let Some(last) = self.kept.last()
            && last.end() <= to
        {
            let next = self.step_after(last);
            if last.end() <= from {
                self.kept.clear();
            }
            self.kept.push(next);
        }
        let passed = self.kept.partition_point(|step| step.end() <= from);
        self.kept.drain(..passed);
    }

    /// Keeps the steps from a time on that a body is likely to need until something strikes it, and forgets those before.
    pub(super) fn look_ahead(&mut self, t: f64) {
        self.keep(Range::point(t));
        while let Some(last) = self.kept.last()
            && self.kept.len() < STEPS_AHEAD
        {
            self.kept.push(self.step_after(last));
        }
    }

    /// The first step kept: when it begins, counted from the launch (s), and the attitude then.
    fn first_kept(&self) -> (f64, DQuat) {
        self.kept.first().map_or((0.0, self.launch_orientation), |step| (step.begin, step.coefficients[0]))
    }

    /// The same motion again, with the steps from the one given to time `now`; `None` if that is not near.
    pub(super) fn resumed(saved: &SavedDriven, now: f64) -> Option<Self> {
        let SavedDriven { mass, centre, orientation, momentum, torque, kept: (begin, attitude) } = *saved;
        let mut driven = Self {
            mass,
            centre,
            launch_orientation: orientation,
            launch_momentum: momentum,
            torque,
            kept: Vec::with_capacity(STEPS_AHEAD),
        };
        driven.kept.push(driven.step_from(begin, attitude));
        for _ in 0..STEPS_AHEAD {
            let last = driven.kept[driven.kept.len() - 1];
            if last.end() > now - centre.start {
                return Some(driven);
            }
            driven.kept.push(driven.step_after(&last));
        }
        None
    }

    pub(super) fn saved(&self) -> SavedDriven {
        SavedDriven {
            mass: self.mass,
            centre: self.centre,
            orientation: self.launch_orientation,
            momentum: self.launch_momentum,
            torque: self.torque,
            kept: self.first_kept(),
        }
    }

    /// The end of what is kept; infinite for a body whose attitude does not change.
    pub(super) fn known_until(&self) -> f64 {
        let end = self.kept.last().map_or(0.0, Step::end);
        if end < f64::MAX { self.centre.start + end } else { f64::INFINITY }
    }

    /// The state at a time from the launch on.
    pub fn state_at(&self, t: f64) -> State {
        let orientation = self.orientation_after(t - self.centre.start);
        let pose = Pose { rotation: orientation, translation: self.centre.position_at(t) };
        let spin = orientation.conjugate() * self.momentum_after(t - self.centre.start) / self.mass.moments();
        State { world_from_body: pose, velocity: self.centre.velocity_at(t), spin }
    }

    pub(super) fn acceleration_in(&self, state: &State) -> Acceleration {
        let moments = self.mass.moments();
        let pose = state.world_from_body;
        let angular = euler_acceleration(moments, state.spin) + pose.inverse_vector(self.torque) / moments;
        Acceleration { linear: self.centre.acceleration, angular: pose.vector(angular) }
    }

    pub(super) fn spin_bounds(&self, times: Range) -> SpinBounds {
        let spin = self.state_at(times.min).spin;
        polhode_bounds(self.mass.moments(), spin, self.torque.length(), times.length())
    }

    pub(super) fn drive(&self) -> Drive {
        Drive { acceleration: self.centre.acceleration, torque: self.torque }
    }

    fn momentum_after(&self, s: f64) -> DVec3 {
        self.launch_momentum + self.torque * s
    }

    fn orientation_after(&self, s: f64) -> DQuat {
        let covering = self.kept.partition_point(|step| step.begin <= s);
        match covering.checked_sub(1).map(|i| &self.kept[i]) {
            Some(step) if s < step.end() => step.at(s),
            Some(step) => self.continued(*step, s),
            None => self.continued(self.first_step(), s),
        }
    }

    /// Steps from `step` on, without keeping any, to the time `s`.
    fn continued(&self, mut step: Step, s: f64) -> DQuat {
        while step.end() <= s {
            step = self.step_after(&step);
        }
        step.at(s)
    }

    fn first_step(&self) -> Step {
        self.step_from(0.0, self.launch_orientation)
    }

    fn step_after(&self, step: &Step) -> Step {
        self.step_from(step.end(), step.at(step.end()))
    }

    fn step_from(&self, begin: f64, orientation: DQuat) -> Step {
        let to_body = orientation.conjugate();
        let momentum = to_body * self.momentum_after(begin);
        let torque = to_body * self.torque;
        let coefficients = taylor(orientation, momentum, torque, self.mass.moments().recip());
        // Errors of the last two terms, one of which may vanish by symmetry, are made to stay below the tolerance.
        let last = coefficients[ORDER].length();
        let last_but_one = coefficients[ORDER - 1].length();
        let length = radius(last, ORDER).min(radius(last_but_one, ORDER - 1));
        // A body whose attitude does not change for want of torque and spin.
        let length = if length.is_finite() { length } else { f64::MAX };
        Step { begin, length, coefficients }
    }
}

/// Degree of the attitude's polynomials.
const ORDER: usize = 22;

/// Steps kept ahead of the present: some turns of the body, so that few impacts come later and few steps are thrown away.
const STEPS_AHEAD: usize = 4;

/// Largest term neglected in a step, as part of the unit quaternion.
const TOLERANCE: f64 = 1e-16;

/// Where a term of this size and degree reaches the tolerance.
fn radius(coefficient: f64, degree: usize) -> f64 {
    libm::pow(TOLERANCE / coefficient, 1.0 / degree as f64)
}

/// A polynomial for the attitude from a time on until before another, times counted from the launch. Each time is in one step
/// only, so that no answer depends on which of two is kept.
#[derive(Clone, Copy, Debug)]
struct Step {
    begin: f64,
    length: f64,
    coefficients: [DQuat; ORDER + 1],
}

impl Step {
    fn end(&self) -> f64 {
        self.begin + self.length
    }

    fn at(&self, s: f64) -> DQuat {
        let x = s - self.begin;
        self.coefficients.iter().rev().fold(DQuat::from_array([0.0; 4]), |sum, &c| sum * x + c).normalize()
    }
}

/// Taylor coefficients of the attitude, from its value and the momentum and torque seen from the body.
fn taylor(q0: DQuat, l0: DVec3, c0: DVec3, inverse_moments: DVec3) -> [DQuat; ORDER + 1] {
    let mut q = [DQuat::from_array([0.0; 4]); ORDER + 1];
    let (mut l, mut c, mut w) = ([DVec3::ZERO; ORDER + 1], [DVec3::ZERO; ORDER + 1], [DVec3::ZERO; ORDER + 1]);
    (q[0], l[0], c[0], w[0]) = (q0, l0, c0, l0 * inverse_moments);
    for n in 0..ORDER {
        let (mut dq, mut dl, mut dc) = (DQuat::from_array([0.0; 4]), c[n], DVec3::ZERO);
        for i in 0..=n {
            let turning = w[n - i];
            dq += times_vector(q[i], turning);
            dl += l[i].cross(turning);
            dc += c[i].cross(turning);
        }
        let next = 1.0 / (n + 1) as f64;
        q[n + 1] = dq * (0.5 * next);
        (l[n + 1], c[n + 1]) = (dl * next, dc * next);
        w[n + 1] = l[n + 1] * inverse_moments;
    }
    q
}

/// The quaternion product `q (0, v)`.
fn times_vector(q: DQuat, v: DVec3) -> DQuat {
    let u = q.xyz();
    let vector = v * q.w + u.cross(v);
    DQuat::from_xyzw(vector.x, vector.y, vector.z, -u.dot(v))
}
