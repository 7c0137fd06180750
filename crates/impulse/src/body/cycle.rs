//! Periodic scripted motion: spinner, linear oscillation, and the thesis' cycler (section 2.5).
//!
//! In all of them the centre moves as `centre + cosine cos(theta) + sine sin(theta)` with a steadily growing angle; a spinner
//! also turns by that angle.

use super::bounds::{Range, SpinBounds};
use super::script_error::ScriptError;
use super::{Acceleration, State};
use crate::geometry::Aabb;
use crate::math::Pose;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::f64::consts::{PI, TAU};

/// Circular, elliptical or straight periodic motion of a body.
///
/// ```
/// use impulse::prelude::*;
/// use impulse::body::ScriptClock;
///
/// // A tray that shakes 2 mm to and fro along x at 25 Hz, from the end of its stroke on.
/// let rate = std::f64::consts::TAU * 25.0;
/// let shaking = Cycle::oscillator(Pose::IDENTITY, DVec3::X * 0.002, rate)?
///     .with_clock(ScriptClock { start: 0.0, phase: std::f64::consts::FRAC_PI_2 })?;
/// let tray = BodySpec::scripted("tray", Cuboid::new(DVec3::new(0.5, 0.2, 0.01))?, shaking);
///
/// // A turntable: one turn in two seconds.
/// let turning = Cycle::spinner(Pose::IDENTITY, DVec3::Z, DVec3::ZERO, std::f64::consts::PI)?;
/// let table = BodySpec::scripted("table", Cylinder::new(0.15, 0.02)?, turning);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Cycle {
    clock: ScriptClock,
    /// Angle per second, rad/s.
    pub(super) rate: f64,
    centre: DVec3,
    cosine: DVec3,
    sine: DVec3,
    orientation: DQuat,
    /// World axis the body turns about: a unit vector, or zero where the orientation stays.
    axis: DVec3,
}

/// When a periodic script passes which angle; by default angle zero at time zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScriptClock {
    /// A time at which the angle is known, s.
    pub start: f64,
    /// The angle at that time, rad.
    pub phase: f64,
}

impl Cycle {
    /// Turns steadily (rad/s) about an axis through a point; at angle zero the body has the reference pose.
    pub fn spinner(reference: Pose, axis: DVec3, through: DVec3, rate: f64) -> Result<Self, ScriptError> {
        let length = axis.length();
        if !(length > 0.0 && length.is_finite()) {
            return Err(ScriptError::Axis(axis));
        }
        let axis = axis / length;
        let arm = reference.translation - through;
        let along = axis * arm.dot(axis);
        let cycle = Self {
            clock: ScriptClock::default(),
            rate,
            centre: through + along,
            cosine: arm - along,
            sine: axis.cross(arm),
            orientation: reference.rotation,
            axis,
        };
        cycle.checked()
    }

    /// A point of the axis about which the body turns steadily, and its angular velocity, world frame; `None` for what does not turn.
    pub(super) fn steady_turning(&self) -> Option<[DVec3; 2]> {
        (self.axis != DVec3::ZERO).then_some([self.centre, self.axis * self.rate])
    }

    /// Swings along a line: `reference + amplitude sin(theta)`, the angle growing by `rate` (rad/s). The orientation stays.
    pub fn oscillator(reference: Pose, amplitude: DVec3, rate: f64) -> Result<Self, ScriptError> {
        Self::cycler(reference, DVec3::ZERO, amplitude, rate)
    }

    /// Moves on an ellipse about the reference position: `reference + cosine cos(theta) + sine sin(theta)`, the angle growing
    /// by `rate` (rad/s). The orientation stays.
    pub fn cycler(reference: Pose, cosine: DVec3, sine: DVec3, rate: f64) -> Result<Self, ScriptError> {
        let cycle = Self {
            clock: ScriptClock::default(),
            rate,
            centre: reference.translation,
            cosine,
            sine,
            orientation: reference.rotation,
            axis: DVec3::ZERO,
        };
        cycle.checked()
    }

    /// The same motion with another clock: the angle is `phase` at the time `start`.
    pub fn with_clock(self, clock: ScriptClock) -> Result<Self, ScriptError> {
        Self { clock, ..self }.checked()
    }

    pub(super) fn moved(&self, world_from_frame: &Pose) -> Result<Self, ScriptError> {
        let Self { centre, cosine, sine, orientation, axis, .. } = *self;
        let moved = Self {
            centre: world_from_frame.point(centre),
            cosine: world_from_frame.vector(cosine),
            sine: world_from_frame.vector(sine),
            orientation: world_from_frame.rotation * orientation,
            axis: world_from_frame.vector(axis),
            ..*self
        };
        moved.checked()
    }

    pub(super) fn checked(self) -> Result<Self, ScriptError> {
        let vectors = [self.centre, self.cosine, self.sine];
        let numbers = [self.rate, self.clock.start, self.clock.phase];
        let finite = vectors.iter().all(|v| v.is_finite()) && numbers.iter().all(|x| x.is_finite());
        if !finite {
            return Err(ScriptError::NotFinite);
        }
        let pose = Pose { rotation: self.orientation, translation: self.centre };
        let turns = self.axis != DVec3::ZERO;
        if turns && (self.axis.length_squared() - 1.0).abs() > AXIS_ROUNDING {
            return Err(ScriptError::Axis(self.axis));
        }
        if pose.is_rigid() { Ok(self) } else { Err(ScriptError::NotRigid { index: 0 }) }
    }

    pub(super) fn state_at(&self, t: f64) -> State {
        let theta = self.angle_at(t);
        let (s, c) = libm::sincos(theta);
        let turn = if self.axis == DVec3::ZERO {
            DQuat::IDENTITY
        } else {
            let (half_s, half_c) = libm::sincos(0.5 * theta);
            let turn = self.axis * half_s;
            DQuat::from_xyzw(turn.x, turn.y, turn.z, half_c)
        };
        State {
            world_from_body: Pose {
                rotation: (turn * self.orientation).normalize(),
                translation: self.centre + self.cosine * c + self.sine * s,
            },
            velocity: (self.sine * c - self.cosine * s) * self.rate,
            spin: self.spin(),
        }
    }

    pub(super) fn acceleration_at(&self, t: f64) -> Acceleration {
        let (s, c) = libm::sincos(self.angle_at(t));
        let linear = (self.cosine * c + self.sine * s) * (-self.rate * self.rate);
        Acceleration { linear, angular: DVec3::ZERO }
    }

    pub(super) fn swept(&self, times: Range) -> Aabb {
        let mut swept = Aabb { min: self.centre, max: self.centre };
        let arc = self.arc(times);
        for axis in 0..3 {
            let range = arc.harmonic(self.cosine[axis], self.sine[axis]);
            let range = range.with_rounding(self.centre[axis].abs());
            swept.min[axis] += range.min;
            swept.max[axis] += range.max;
        }
        swept
    }

    pub(super) fn velocity_along(&self, d: DVec3, times: Range) -> Range {
        let range = self.arc(times).harmonic(self.rate * self.sine.dot(d), -self.rate * self.cosine.dot(d));
        range.with_rounding(self.rate.abs() * self.size() * d.length())
    }

    pub(super) fn acceleration_along(&self, d: DVec3, times: Range) -> Range {
        self.acceleration_on(&self.arc(times), d)
    }

    /// Along the axes of space.
    pub(super) fn accelerations(&self, times: Range) -> [Range; 3] {
        let arc = self.arc(times);
        DVec3::AXES.map(|d| self.acceleration_on(&arc, d))
    }

    fn acceleration_on(&self, arc: &Arc, d: DVec3) -> Range {
        let square = -self.rate * self.rate;
        let range = arc.harmonic(square * self.cosine.dot(d), square * self.sine.dot(d));
        range.with_rounding(-square * self.size() * d.length())
    }

    pub(super) fn spin_bounds(&self) -> SpinBounds {
        SpinBounds::steady(self.spin())
    }

    /// Largest distance of the centre of mass from the centre of its path, m.
    pub(super) fn radius(&self) -> f64 {
        // The squared distance is a harmonic of twice the angle.
        let (a2, b2, ab) = (self.cosine.length_squared(), self.sine.length_squared(), self.cosine.dot(self.sine));
        (0.5 * (a2 + b2) + 0.5 * libm::hypot(a2 - b2, 2.0 * ab)).sqrt()
    }

    /// Size of what rounds where vectors are projected, m.
    fn size(&self) -> f64 {
        self.cosine.length() + self.sine.length()
    }

    /// Angular velocity in the body frame: the axis is fixed in both frames.
    fn spin(&self) -> DVec3 {
        self.orientation.conjugate() * (self.axis * self.rate)
    }

    fn angle_at(&self, t: f64) -> f64 {
        self.clock.phase + self.rate * (t - self.clock.start)
    }

    /// The angles passed during an interval of time.
    fn arc(&self, times: Range) -> Arc {
        let (from, to) = (self.angle_at(times.min), self.angle_at(times.max));
        let (from, to) = (from.min(to), from.max(to));
        let first = libm::sincos(from);
        Arc { from, to, ends: [first, if from == to { first } else { libm::sincos(to) }] }
    }
}

impl Serialize for Cycle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// Checked like one that is made.
impl<'de> Deserialize<'de> for Cycle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)?.checked().map_err(de::Error::custom)
    }
}

/// Angles from one to another, rad.
struct Arc {
    from: f64,
    to: f64,
    /// Sine and cosine of both.
    ends: [(f64, f64); 2],
}

impl Arc {
    /// The values of `a cos(theta) + b sin(theta)`.
    fn harmonic(&self, a: f64, b: f64) -> Range {
        let Self { from, to, ends } = *self;
        let [first, last] = ends.map(|(s, c)| Range::point(a * c + b * s));
        let amplitude = libm::hypot(a, b);
        let mut range = first.union(last);
        let peak = libm::atan2(b, a);
        // Rounding may put a peak just outside; taking it in costs nothing that matters.
        let slack = PEAK_SLACK * (1.0 + from.abs().max(to.abs()));
        let passes = |angle: f64| angle + TAU * libm::ceil((from - slack - angle) / TAU) <= to + slack;
        if passes(peak) {
            range.max = amplitude;
        }
        if passes(peak + PI) {
            range.min = -amplitude;
        }
        range.with_rounding(amplitude * (1.0 + from.abs().max(to.abs())))
    }
}

/// Deviation of an axis' squared length from 1 that is rounding.
const AXIS_ROUNDING: f64 = 1e-9;

/// Relative error of an angle within which an extremum counts as passed.
const PEAK_SLACK: f64 = 1e-12;
