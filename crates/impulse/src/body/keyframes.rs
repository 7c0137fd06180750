//! Scripted motion through given poses at given times (section 2.5).
//!
//! Between two keyframes the position is a cubic polynomial of time; so is an unnormalised quaternion whose direction is the
//! orientation. Both have the slope of the parabola through a keyframe and its neighbours there, so velocity and angular velocity
//! are continuous and exact derivatives. Before the first and after the last keyframe the body rests, and it starts and ends softly.

use super::bounds::{ROUNDING, Range, SpinBounds};
use super::script_error::ScriptError;
use super::{Acceleration, State};
use crate::geometry::Aabb;
use crate::math::{Pose, quadratic_roots};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A pose at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyframe {
    /// Seconds.
    pub time: f64,
    /// Takes body coordinates to world coordinates.
    pub world_from_body: Pose,
}

/// Smooth motion through keyframes: at rest before the first and after the last, cubic in between. With serde it is a list of
/// keyframes.
///
/// ```
/// use impulse::prelude::*;
///
/// let key = |time, x| Keyframe { time, world_from_body: Pose::from_translation(DVec3::X * x) };
/// let pusher = Keyframes::new(&[key(0.0, 0.0), key(1.0, 0.2), key(2.0, 0.0)])?;
/// let spec = BodySpec::scripted("pusher", Cuboid::new(DVec3::splat(0.1))?, pusher);
///
/// let refused = Keyframes::new(&[key(1.0, 0.0), key(0.0, 0.2)]);
/// assert!(refused.is_err_and(|e| e.to_string().contains("keyframe 1")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Keyframe>", into = "Vec<Keyframe>")]
pub struct Keyframes {
    first: Keyframe,
    last: Keyframe,
    pieces: Box<[Piece]>,
}

/// Motion between two keyframes: polynomials in the time since the first, lowest power first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    begin: f64,
    end: f64,
    position: [DVec3; 4],
    rotation: [DQuat; 4],
    spin_bounds: SpinBounds,
}

/// Cosine of half the angle up to which a piece may turn away from the middle of its ends; beyond, the quaternion's length gets
/// so small that the body would whirl.
const MIN_LENGTH: f64 = 0.3;

impl Keyframes {
    /// From at least two keyframes in order of time.
    pub fn new(keys: &[Keyframe]) -> Result<Self, ScriptError> {
        let &[first, .., last] = keys else {
            return Err(ScriptError::TooFewKeyframes(keys.len()));
        };
        if keys.iter().any(|k| !(k.time.is_finite() && State::resting(k.world_from_body).is_finite())) {
            return Err(ScriptError::NotFinite);
        }
        if let Some(index) = keys.iter().position(|k| !k.world_from_body.is_rigid()) {
            return Err(ScriptError::NotRigid { index });
        }
        if let Some(i) = keys.windows(2).position(|pair| pair[0].time >= pair[1].time) {
            return Err(ScriptError::KeyframeOrder { index: i + 1, time: keys[i + 1].time });
        }
        let times: Vec<f64> = keys.iter().map(|k| k.time).collect();
        let positions: Vec<DVec3> = keys.iter().map(|k| k.world_from_body.translation).collect();
        let rotations = same_side(keys);
        let (velocities, rates) = (slopes(&times, &positions), slopes(&times, &rotations));
        let piece = |i: usize| {
            let h = times[i + 1] - times[i];
            let position = hermite([positions[i], positions[i + 1]], [velocities[i], velocities[i + 1]], h);
            let rotation = hermite([rotations[i], rotations[i + 1]], [rates[i], rates[i + 1]], h);
            let spin_bounds = spin_bounds(&rotation, h).ok_or(ScriptError::KeyframeTurn { index: i })?;
            Ok(Piece { begin: times[i], end: times[i + 1], position, rotation, spin_bounds })
        };
        let pieces = (0..keys.len() - 1).map(piece).collect::<Result<_, _>>()?;
        Ok(Self { first, last, pieces })
    }

    pub(super) fn state_at(&self, t: f64) -> State {
        match self.piece_at(t) {
            Ok(piece) => piece.state_at(t),
            Err(key) => State::resting(key.world_from_body),
        }
    }

    pub(super) fn acceleration_at(&self, t: f64) -> Acceleration {
        self.piece_at(t).map_or(Acceleration::ZERO, |piece| piece.acceleration_at(t))
    }

    pub(super) fn swept(&self, times: Range) -> Aabb {
        let ends = [times.min, times.max].map(|t| self.state_at(t).world_from_body.translation);
        self.pieces_during(times).map(|(piece, s)| piece.swept(s)).fold(Aabb::of_points(ends), Aabb::union)
    }

    pub(super) fn velocity_along(&self, d: DVec3, times: Range) -> Range {
        let range = |(piece, s): (&Piece, Range)| {
            let [_, v, a, j] = piece.position.map(|c| c.dot(d));
            let at = |x: f64| Range::point(v + x * (2.0 * a + 3.0 * j * x));
            let turning = -a / (3.0 * j);
            let inside = if turning > s.min && turning < s.max { at(turning) } else { at(s.min) };
            at(s.min).union(at(s.max)).union(inside).with_rounding(piece.speed(s.max) * d.length())
        };
        self.ranges(times, range)
    }

    pub(super) fn acceleration_along(&self, d: DVec3, times: Range) -> Range {
        let range = |(piece, s): (&Piece, Range)| {
            let [_, _, a, j] = piece.position.map(|c| c.dot(d));
            let at = |x: f64| Range::point(2.0 * a + 6.0 * j * x);
            at(s.min).union(at(s.max)).with_rounding(piece.push(s.max) * d.length())
        };
        self.ranges(times, range)
    }

    pub(super) fn spin_bounds(&self, times: Range) -> SpinBounds {
        self.pieces_during(times).map(|(piece, _)| piece.spin_bounds).fold(SpinBounds::ZERO, SpinBounds::union)
    }

    /// What it was made from, up to signs of quaternions.
    pub(super) fn keys(&self) -> Vec<Keyframe> {
        let pose = |p: &Piece| Pose { rotation: p.rotation[0], translation: p.position[0] };
        let inner = self.pieces.iter().skip(1).map(|p| Keyframe { time: p.begin, world_from_body: pose(p) });
        std::iter::once(self.first).chain(inner).chain([self.last]).collect()
    }

    /// The first keyframe after a time; infinite after the last.
    pub(super) fn known_until(&self, t: f64) -> f64 {
        if t < self.first.time {
            return self.first.time;
        }
        let passed = self.pieces.partition_point(|piece| piece.end <= t);
        self.pieces.get(passed).map_or(f64::INFINITY, |piece| piece.end)
    }

    /// From the first keyframe to the last.
    pub(super) fn times(&self) -> Range {
        Range::new(self.first.time, self.last.time)
    }

    /// The piece in force, or the keyframe at which the body rests.
    fn piece_at(&self, t: f64) -> Result<&Piece, &Keyframe> {
        let after = self.pieces.partition_point(|piece| piece.begin <= t);
        match after.checked_sub(1).map(|i| &self.pieces[i]) {
            None => Err(&self.first),
            Some(piece) if t <= piece.end => Ok(piece),
            Some(_) => Err(&self.last),
        }
    }

    /// The pieces that an interval meets, each with the part of it that is met, counted from the piece's beginning.
    fn pieces_during(&self, times: Range) -> impl Iterator<Item = (&Piece, Range)> {
        let from = self.pieces.partition_point(|piece| piece.end < times.min);
        let met = self.pieces[from..].iter().take_while(move |piece| piece.begin <= times.max);
        met.map(move |p| (p, Range::new(times.min.max(p.begin) - p.begin, times.max.min(p.end) - p.begin)))
    }

    /// Union over the pieces met, and zero where the body also rests.
    fn ranges(&self, times: Range, of: impl Fn((&Piece, Range)) -> Range) -> Range {
        let rests = times.min < self.first.time || times.max > self.last.time;
        let none = if rests { Range::point(0.0) } else { Range::new(f64::INFINITY, f64::NEG_INFINITY) };
        self.pieces_during(times).map(of).fold(none, Range::union)
    }
}

impl TryFrom<Vec<Keyframe>> for Keyframes {
    type Error = ScriptError;

    fn try_from(keys: Vec<Keyframe>) -> Result<Self, ScriptError> {
        Self::new(&keys)
    }
}

impl From<Keyframes> for Vec<Keyframe> {
    fn from(keyframes: Keyframes) -> Self {
        keyframes.keys()
    }
}

impl Piece {
    fn state_at(&self, t: f64) -> State {
        let x = t - self.begin;
        let ([p0, p1, p2, p3], [q0, q1, q2, q3]) = (self.position, self.rotation);
        let q = q0 + (q1 + (q2 + q3 * x) * x) * x;
        let rate = q1 + (q2 * 2.0 + q3 * (3.0 * x)) * x;
        State {
            world_from_body: Pose { rotation: q.normalize(), translation: p0 + (p1 + (p2 + p3 * x) * x) * x },
            velocity: p1 + (p2 * 2.0 + p3 * (3.0 * x)) * x,
            spin: (q.conjugate() * rate).xyz() * (2.0 / q.length_squared()),
        }
    }

    fn acceleration_at(&self, t: f64) -> Acceleration {
        let x = t - self.begin;
        let ([_, _, p2, p3], [q0, q1, q2, q3]) = (self.position, self.rotation);
        let q = q0 + (q1 + (q2 + q3 * x) * x) * x;
        let rate = q1 + (q2 * 2.0 + q3 * (3.0 * x)) * x;
        let rate_of_rate = q2 * 2.0 + q3 * (6.0 * x);
        let scale = 2.0 / q.length_squared();
        let spin = (q.conjugate() * rate).xyz() * scale;
        let angular = (q.conjugate() * rate_of_rate).xyz() * scale - spin * (q.dot(rate) * scale);
        Acceleration { linear: p2 * 2.0 + p3 * (6.0 * x), angular: q.normalize() * angular }
    }

    /// Sum of the lengths of the velocity's terms: the size of what rounds.
    fn speed(&self, x: f64) -> f64 {
        let [_, v, a, j] = self.position.map(DVec3::length);
        v + x * (2.0 * a + 3.0 * j * x)
    }

    /// The same for the acceleration.
    fn push(&self, x: f64) -> f64 {
        let [_, _, a, j] = self.position.map(DVec3::length);
        2.0 * a + 6.0 * j * x
    }

    fn swept(&self, s: Range) -> Aabb {
        let mut swept = Aabb::EMPTY;
        for axis in 0..3 {
            let [x, v, a, j] = self.position.map(|c| c[axis]);
            let at = |s: f64| Range::point(x + (v + (a + j * s) * s) * s);
            let mut range = at(s.min).union(at(s.max));
            for &turning in quadratic_roots(3.0 * j, 2.0 * a, v).as_slice() {
                range = if turning > s.min && turning < s.max { range.union(at(turning)) } else { range };
            }
            let size = x.abs() + (v.abs() + (a.abs() + j.abs() * s.max) * s.max) * s.max;
            (swept.min[axis], swept.max[axis]) = (range.min - ROUNDING * size, range.max + ROUNDING * size);
        }
        swept
    }
}

/// The keyframes' quaternions with signs chosen so that neighbours are close.
fn same_side(keys: &[Keyframe]) -> Vec<DQuat> {
    let mut last = keys[0].world_from_body.rotation;
    let flipped = |key: &Keyframe| {
        let q = key.world_from_body.rotation;
        last = if q.dot(last) < 0.0 { -q } else { q };
        last
    };
    keys.iter().map(flipped).collect()
}

/// What cubic interpolation needs of positions and of quaternions.
trait Interpolated:
    Copy + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> + std::ops::Mul<f64, Output = Self>
{
}
impl Interpolated for DVec3 {}
impl Interpolated for DQuat {}

/// At each inner value the slope of the parabola through it and its neighbours; zero at the ends.
fn slopes<T: Interpolated>(times: &[f64], values: &[T]) -> Vec<T> {
    let slope = |i: usize| {
        if i == 0 || i + 1 == values.len() {
            return values[i] * 0.0;
        }
        let (before, after) = (times[i] - times[i - 1], times[i + 1] - times[i]);
        let both = before + after;
        (values[i] - values[i - 1]) * (after / (before * both))
            + (values[i + 1] - values[i]) * (before / (after * both))
    };
    (0..values.len()).map(slope).collect()
}

/// The cubic with these values and slopes at 0 and `h`, lowest power first.
fn hermite<T: Interpolated>(values: [T; 2], slopes: [T; 2], h: f64) -> [T; 4] {
    let mean = (values[1] - values[0]) * (1.0 / h);
    let square = (mean * 3.0 - slopes[0] * 2.0 - slopes[1]) * (1.0 / h);
    let cube = (slopes[0] + slopes[1] - mean * 2.0) * (1.0 / (h * h));
    [values[0], slopes[0], square, cube]
}

/// Bounds from the control polygon, in whose convex hull a polynomial lies; `None` where the piece turns too far.
fn spin_bounds(q: &[DQuat; 4], h: f64) -> Option<SpinBounds> {
    let (d1, d2, d3) = (q[1] * (h / 3.0), q[2] * (h * h / 3.0), q[3] * (h * h * h));
    let control = [q[0], q[0] + d1, q[0] + d1 * 2.0 + d2, q[0] + d1 * 3.0 + d2 * 3.0 + d3];
    let middle = (control[0] + control[3]).normalize();
    let length = control.iter().fold(f64::INFINITY, |least, c| least.min(c.dot(middle)));
    let steps = [control[1] - control[0], control[2] - control[1], control[3] - control[2]];
    let rate = steps.iter().fold(0.0, |most: f64, s| most.max(s.length())) * (3.0 / h);
    let change = (steps[1] - steps[0]).length().max((steps[2] - steps[1]).length()) * (6.0 / (h * h));
    let relative = rate / length;
    let bounds = SpinBounds::isotropic(2.0 * relative, 2.0 * change / length + 4.0 * relative * relative);
    (length > MIN_LENGTH).then_some(bounds)
}
