//! A body that a surface guides: contact and what else acts on it were integrated ahead, and the polynomials found are its
//! trajectory (beside section 3.5 and appendix A.3).

use super::bounds::{Range, SpinBounds};
use super::{Acceleration, Launch, PrincipalMass, State};
use crate::geometry::Aabb;
use crate::math::{GAUSS_POINTS, Pose, integral, is_moderate, through, value};
use glam::{DQuat, DVec3, DVec4};
use serde::{Deserialize, Serialize};
use std::ops::{Add, Mul};

/// Room that bounds leave for what collocation neglects, relative to the bound.
const NEGLECTED: f64 = 1e-6;

/// Accelerations of a body at Gauss' points of a piece of its way, and what follows from them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GaussValues {
    /// Of the centre of mass, m/s^2.
    pub linear: [DVec3; GAUSS_POINTS],
    /// World frame, rad/s^2.
    pub angular: [DVec3; GAUSS_POINTS],
    /// Rate of the attitude, 1/s.
    pub turning: [DVec4; GAUSS_POINTS],
    /// Work per second of the surface by its own motion, W.
    pub power: [f64; GAUSS_POINTS],
}

/// One piece of the way of a guided body: polynomials of the time, which runs from -1 to 1.
#[derive(Clone, Debug)]
pub struct Guided {
    pub(super) mass: PrincipalMass,
    pub(super) start: f64,
    /// Of the piece, s.
    pub(super) length: f64,
    launch: State,
    values: GaussValues,
    centre: [DVec3; GAUSS_POINTS + 2],
    velocity: [DVec3; GAUSS_POINTS + 1],
    acceleration: [DVec3; GAUSS_POINTS],
    attitude: [DVec4; GAUSS_POINTS + 1],
    /// World frame, rad/s.
    turning: [DVec3; GAUSS_POINTS + 1],
    angular: [DVec3; GAUSS_POINTS],
    work: [f64; GAUSS_POINTS + 1],
}

/// A guided motion in a snapshot.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SavedGuided {
    mass: PrincipalMass,
    start: f64,
    length: f64,
    pose: Pose,
    velocity: DVec3,
    spin: DVec3,
    values: GaussValues,
}

impl Guided {
    /// The piece of a duration (s) that begins with a state and has these accelerations at Gauss' points.
    pub fn new(mass: PrincipalMass, launch: Launch, length: f64, values: GaussValues) -> Self {
        let (half, state) = (0.5 * length, launch.state);
        let acceleration = through(&values.linear);
        let velocity = integral(&acceleration, half, state.velocity);
        let angular = through(&values.angular);
        Self {
            mass,
            start: launch.time,
            length,
            launch: state,
            centre: integral(&velocity, half, state.world_from_body.translation),
            velocity,
            acceleration,
            attitude: integral(&through(&values.turning), half, state.world_from_body.rotation.into()),
            turning: integral(&angular, half, state.angular_velocity()),
            angular,
            work: integral(&through(&values.power), half, 0.0),
            values,
        }
    }

    pub(super) fn saved(&self) -> SavedGuided {
        let State { world_from_body: pose, velocity, spin } = self.launch;
        let Self { mass, start, length, values, .. } = *self;
        SavedGuided { mass, start, length, pose, velocity, spin, values }
    }

    /// The same motion again, if there is one like that.
    pub(super) fn restored(saved: &SavedGuided) -> Option<Self> {
        let SavedGuided { mass, start, length, pose, velocity, spin, values } = *saved;
        let vectors = values.linear.iter().chain(&values.angular).chain([&velocity, &spin]);
        let is_sound = vectors.into_iter().all(|&v| is_moderate(v))
            && values.turning.iter().all(|q| q.is_finite())
            && values.power.iter().all(|p| p.is_finite())
            && (pose.is_rigid() && start.is_finite() && length > 0.0 && length.is_finite())
            && PrincipalMass::new(mass.mass(), mass.moments()).is_ok();
        let state = State { world_from_body: pose, velocity, spin };
        is_sound.then(|| Self::new(mass, Launch { time: start, state }, length, values))
    }

    /// The end of what was integrated, s.
    pub fn end(&self) -> f64 {
        self.start + self.length
    }

    /// The state at a time of the piece.
    pub fn state_at(&self, t: f64) -> State {
        let x = self.place(t);
        let world_from_body = self.pose_at(t);
        let spin = world_from_body.rotation.conjugate() * value(&self.turning, x);
        State { world_from_body, velocity: value(&self.velocity, x), spin }
    }

    /// The pose at a time of the piece.
    pub fn pose_at(&self, t: f64) -> Pose {
        Pose { rotation: self.rotation_at(t), translation: value(&self.centre, self.place(t)) }
    }

    /// The attitude at a time of the piece.
    pub fn rotation_at(&self, t: f64) -> DQuat {
        DQuat::from_vec4(value(&self.attitude, self.place(t))).normalize()
    }

    /// Accelerations at a time of the piece.
    pub fn acceleration_at(&self, t: f64) -> Acceleration {
        let x = self.place(t);
        Acceleration { linear: value(&self.acceleration, x), angular: value(&self.angular, x) }
    }

    /// A rate that the angle between a direction of the world (unit vector) and one of the body does not exceed in the piece, rad/s: turning about
    /// the one changes nothing.
    pub fn fastest_tilting(&self, direction: DVec3) -> f64 {
        let across = |w: DVec3| w.cross(direction).length();
        (1.0 + NEGLECTED) * (across(value(&self.turning, 0.0)) + reach(&self.turning, 1.0, across))
    }

    /// Work that the surface has done by its own motion up to a time, J.
    pub(super) fn work_of_surface(&self, t: f64) -> f64 {
        value(&self.work, self.place(t))
    }

    pub(super) fn swept(&self, times: Range) -> Aabb {
        let (x, half) = self.middle(times);
        let (middle, reach) = (value(&self.centre, x), reach(&self.centre, half, DVec3::abs));
        Aabb { min: middle - reach, max: middle + reach }
    }

    pub(super) fn velocity_along(&self, d: DVec3, times: Range) -> Range {
        self.along(&self.velocity, d, times)
    }

    pub(super) fn acceleration_along(&self, d: DVec3, times: Range) -> Range {
        self.along(&self.acceleration, d, times)
    }

    fn along(&self, polynomial: &[DVec3], d: DVec3, times: Range) -> Range {
        let (x, half) = self.middle(times);
        let middle = value(polynomial, x).dot(d);
        let reach = reach(polynomial, half, |c| c.dot(d).abs());
        Range::new(middle - reach, middle + reach).with_rounding(middle.abs() + reach)
    }

    pub(super) fn spin_bounds(&self, times: Range) -> SpinBounds {
        let (x, half) = self.middle(times);
        let most = |polynomial: &[DVec3]| {
            (1.0 + NEGLECTED) * (value(polynomial, x).length() + reach(polynomial, half, DVec3::length))
        };
        SpinBounds::isotropic(most(&self.turning), most(&self.angular))
    }

    /// The time as the polynomials count it.
    fn place(&self, t: f64) -> f64 {
        2.0 * ((t - self.start) / self.length) - 1.0
    }

    /// Middle of an interval and half its length, as the polynomials count time.
    fn middle(&self, times: Range) -> (f64, f64) {
        let [from, to] = [times.min, times.max].map(|t| self.place(t));
        (0.5 * (from + to), 0.5 * (to - from))
    }
}

/// How far a polynomial gets from its value in the middle of an interval within -1 and 1, by its derivative.
fn reach<T: Copy, S: Copy + Default + Add<Output = S> + Mul<f64, Output = S>>(
    coefficients: &[T],
    half: f64,
    size: impl Fn(T) -> S,
) -> S {
    coefficients.iter().enumerate().fold(S::default(), |sum, (k, &c)| sum + size(c) * (k as f64 * half))
}

#[cfg(test)]
mod tests {
    use super::{GaussValues, Guided};
    use crate::body::{Launch, PrincipalMass, State};
    use crate::math::{GAUSS_POINTS, Pose};
    use glam::{DVec3, DVec4};
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        [-size..size, -size..size, -size..size].prop_map(DVec3::from_array)
    }

    proptest! {
        /// No body tilts faster against a direction than the bound tells, and turning about the direction does not count.
        #[test]
        fn tilting_is_bounded(
            spin in vector(20.0),
            angular in proptest::collection::vec(vector(300.0), GAUSS_POINTS),
            way in vector(1.0).prop_filter("a direction", |v| v.length() > 0.1),
            share in 0.0..1.0f64,
        ) {
            let direction = way.normalize();
            let values = |angular: &[DVec3]| GaussValues {
                linear: [DVec3::ZERO; GAUSS_POINTS],
                angular: std::array::from_fn(|i| angular[i]),
                turning: [DVec4::ZERO; GAUSS_POINTS],
                power: [0.0; GAUSS_POINTS],
            };
            let piece = |spin: DVec3, angular: &[DVec3]| {
                let state = State { world_from_body: Pose::IDENTITY, velocity: DVec3::ZERO, spin };
                let mass = PrincipalMass::new(1.0, DVec3::ONE).unwrap();
                Guided::new(mass, Launch { time: 2.0, state }, 0.03, values(angular))
            };
            let course = piece(spin, &angular);
            let tilting = |course: &Guided| super::value(&course.turning, 2.0 * share - 1.0).cross(direction).length();
            prop_assert!(tilting(&course) <= course.fastest_tilting(direction));
            let about: Vec<DVec3> = angular.iter().map(|w| direction * w.x).collect();
            prop_assert!(piece(direction * spin.x, &about).fastest_tilting(direction) < 1e-9);
        }
    }
}
