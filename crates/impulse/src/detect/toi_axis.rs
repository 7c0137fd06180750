//! Directions that may keep two bodies apart for a while, and bounds on the second derivative of heights along them (section
//! 2.3.2, improved).
//!
//! The normal of a contact with a face turns with the face, that of a contact between two edges is their cross product. Along a
//! direction fixed in space the far corner of a turning face would seem to arrive long before the contact.

use super::toi_convex::Convex;
use super::toi_flat::{Flat, flat};
use super::toi_travel::Travel;
use super::trajectory::{Moving, Vectors};
use crate::math::outer;
use glam::{DMat3, DVec3};

/// A direction as a function of time, from the second body to the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MovingAxis {
    /// A unit vector fixed in space.
    InSpace(DVec3),
    /// A unit vector fixed in the first (0) or the second (1) body, in the body's frame.
    InBody(usize, DVec3),
    /// Along the cross product of two unit vectors, each fixed in its body.
    Across([DVec3; 2]),
}

/// Edges whose angle has a smaller sine count as parallel: their cross product turns too fast.
const PARALLEL_EDGES: f64 = 0.02;

/// The axes worth trying for bodies that are apart along `normal`.
pub(super) fn axes(pair: &[Convex<'_>; 2], states: &[Moving; 2], normal: DVec3) -> [Option<MovingAxis>; 3] {
    // The only direction along which a half-space is bounded.
    if pair.iter().any(|part| part.points.length.is_infinite()) {
        return [Some(MovingAxis::InSpace(normal)), None, None];
    }
    let turns = |i: usize| states[i].angular_velocity != DVec3::ZERO;
    let in_body = |i: usize| turns(i).then(|| MovingAxis::InBody(i, states[i].world_from_body.inverse_vector(normal)));
    let features = [feature(&pair[0], &states[0], -normal), feature(&pair[1], &states[1], normal)];
    let [first, second] = match features {
        [Flat::Line(a), Flat::Line(b)] if turns(0) || turns(1) => match across(states, [a, b], normal) {
            Some(axis) => [Some(axis), None],
            None => [in_body(0), in_body(1)],
        },
        [Flat::Face, Flat::Face] => [in_body(0), in_body(1)],
        [Flat::Face, _] | [Flat::Line(_), Flat::Point] => [in_body(0), None],
        [_, Flat::Face] | [Flat::Point, Flat::Line(_)] => [None, in_body(1)],
        [Flat::Point, Flat::Point] | [Flat::Line(_), Flat::Line(_)] => [None, None],
    };
    [Some(MovingAxis::InSpace(normal)), first, second]
}

/// The feature with which a body would touch a plane whose normal is the unit vector `outwards` (world frame); lines are in the
/// body's frame.
fn feature(part: &Convex<'_>, state: &Moving, outwards: DVec3) -> Flat {
    let body_from_part = part.body_from_part.rotation;
    let in_part = body_from_part.conjugate() * state.world_from_body.inverse_vector(outwards);
    match flat(part.form, in_part) {
        Flat::Line(line) => Flat::Line(body_from_part * line),
        other => other,
    }
}

fn across(states: &[Moving; 2], [a, b]: [DVec3; 2], normal: DVec3) -> Option<MovingAxis> {
    let cross = states[0].world_from_body.vector(a).cross(states[1].world_from_body.vector(b));
    let sense = if cross.dot(normal) < 0.0 { -a } else { a };
    (cross.length() > PARALLEL_EDGES).then_some(MovingAxis::Across([sense, b]))
}

impl MovingAxis {
    /// The direction (a unit vector), its rate of change, and the inverse sine of the angle between its edges (1 without
    /// edges).
    pub(super) fn at(&self, states: &[Moving; 2]) -> (DVec3, DVec3, f64) {
        match *self {
            Self::InSpace(n) => (n, DVec3::ZERO, 1.0),
            Self::InBody(i, n) => {
                let n = states[i].world_from_body.vector(n);
                (n, states[i].angular_velocity.cross(n), 1.0)
            }
            Self::Across([a, b]) => {
                let (a, b) = (states[0].world_from_body.vector(a), states[1].world_from_body.vector(b));
                let [a_rate, b_rate] = [states[0].angular_velocity.cross(a), states[1].angular_velocity.cross(b)];
                let cross = a.cross(b);
                let per_sine = 1.0 / cross.length();
                (cross * per_sine, (a_rate.cross(b) + a.cross(b_rate)) * per_sine, per_sine)
            }
        }
    }

    /// Bounds on the second derivative of heights along it during a travel.
    ///
    /// With `x = p - q` for points `p` and `q` of the two bodies the second derivative of `n . x` is `n'' . x + 2 n' . x' + n .
    /// x''`; points of the body in which `n` is fixed contribute nothing.
    pub(super) fn bending(&self, pair: &[Convex<'_>; 2], travel: &Travel) -> Bending {
        let [first, second] = &travel.points;
        match *self {
            Self::InSpace(n) => {
                let [centre, other] = pair.each_ref().map(|p| p.trajectory.centre_acceleration(n, travel.times));
                Bending { turning: 0.0, pull: other[1] - centre[0] + first[1] + second[1], rate: 0.0 }
            }
            Self::InBody(i, n) => {
                let [rate, acceleration] = pair[i].turning(unit(n), travel.times);
                let other = &travel.points[1 - i];
                let reach = travel.distance + pair[1 - i].points.length;
                let turning = acceleration * reach + 2.0 * rate * (travel.speed + other[0]);
                Bending { turning, pull: travel.acceleration + other[1], rate: 0.0 }
            }
            Self::Across(lines) => {
                let [a, b] = [0, 1].map(|i| pair[i].turning(unit(lines[i]), travel.times));
                let rate = a[0] + b[0];
                let acceleration = a[1] + 2.0 * a[0] * b[0] + b[1];
                // Moving a point along its line never changes its height.
                let beside = [0, 1].map(|i| pair[i].points.beside(lines[i]));
                let [first, second] = [0, 1].map(|i| pair[i].turning(beside[i], travel.times));
                let reach = travel.distance + beside[0].length + beside[1].length;
                let turning = acceleration * reach + 2.0 * rate * (travel.speed + first[0] + second[0]);
                Bending { turning, pull: travel.acceleration + first[1] + second[1], rate }
            }
        }
    }
}

/// Bounds on the terms of the second derivative of heights along an axis; for a cross product, before it is normalised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bending {
    /// From the turning direction: `n'' . x + 2 n' . x'`, m/s^2.
    turning: f64,
    /// From the accelerations: `n . x''`, m/s^2, towards the other body.
    pull: f64,
    /// Rate at which a cross product may grow longer, 1/s.
    rate: f64,
}

impl Bending {
    /// A lower bound on the second derivative (m/s^2), and an upper bound on the rate (1/s) at which the direction, a unit
    /// vector now, grows longer, both for a duration of `window` seconds.
    pub(super) fn bend(&self, per_sine: f64, window: f64) -> (f64, f64) {
        let stretch = self.rate * per_sine;
        let longest = if stretch > 0.0 { per_sine.min(1.0 + stretch * window) } else { 1.0 };
        (-(self.turning * per_sine + self.pull * longest), stretch)
    }
}

impl Vectors {
    /// The parts of these vectors perpendicular to a unit vector.
    fn beside(&self, line: DVec3) -> Self {
        let across = DMat3::IDENTITY - outer(line, line);
        let size = DMat3::from_cols(across.x_axis.abs(), across.y_axis.abs(), across.z_axis.abs());
        let extents = size * self.extents;
        Self { extents, length: self.length.min(extents.length()) }
    }
}

fn unit(n: DVec3) -> Vectors {
    Vectors { extents: n.abs(), length: 1.0 }
}
