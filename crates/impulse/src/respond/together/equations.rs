//! The points in coordinates: three components of impulse and of relative velocity per point (normal, then two tangents), the
//! matrix that connects them, and the forces of the springs.

use super::input::{StruckBody, StruckPoint};
use super::linear::Matrix;
use crate::math::any_perpendicular;
use crate::respond::collision_matrix::point_response;
use crate::respond::error::ImpactError;
use glam::{DMat3, DVec3};

/// What stays the same during the impact.
pub(super) struct Equations {
    /// Normal and two tangents of every point, as columns.
    frames: Vec<DMat3>,
    pub(super) friction: Vec<f64>,
    pub(super) restitution: Vec<f64>,
    /// Relative velocities before the impact, m/s.
    initial: Vec<f64>,
    /// Velocity change by unit impulses, 1/kg: the collision matrix of all points.
    pub(super) matrix: Matrix,
    /// Stiffness that makes the fastest point oscillate with about unit frequency, kg.
    pub(super) stiffness: f64,
    /// Largest relative velocity before the impact, m/s.
    pub(super) speed: f64,
}

/// Impulses and compressions during the impact.
#[derive(Clone)]
pub(super) struct State {
    /// Impulses, three components per point, N s.
    pub(super) impulses: Vec<f64>,
    /// Compressions, m in units of time in which the stiffness is that of [`Equations::stiffness`].
    pub(super) compressions: Vec<f64>,
}

/// Slip below which friction is proportional to it, relative to the largest velocity: a sticking point creeps no faster.
const CREEP: f64 = 1e-10;

impl Equations {
    pub(super) fn new(bodies: &[StruckBody], points: &[StruckPoint]) -> Result<Self, ImpactError> {
        let frames: Vec<_> = points.iter().map(|point| frame(point.normal)).collect();
        let velocity = |point: &StruckPoint| -> DVec3 {
            let of_side = |(body, arm, sign): (usize, DVec3, f64)| {
                let body: &StruckBody = &bodies[body];
                (body.velocity + body.spin.cross(arm)) * sign
            };
            point.drift + sides(point).map(of_side).sum::<DVec3>()
        };
        let initial: Vec<f64> = points
            .iter()
            .zip(&frames)
            .flat_map(|(point, frame)| (frame.transpose() * velocity(point)).to_array())
            .collect();
        let lowest = initial.iter().step_by(3).copied().fold(f64::INFINITY, f64::min);
        if lowest >= 0.0 {
            return Err(ImpactError::NotApproaching { velocity: lowest });
        }
        let matrix = whole_matrix(bodies, points, &frames);
        let normal_yield = |i: usize| matrix.at(3 * i, 3 * i);
        if (0..points.len()).any(|i| normal_yield(i) <= 0.0) {
            return Err(ImpactError::NormalOutsideRange);
        }
        let yielding = (0..points.len()).map(normal_yield).fold(0.0, f64::max);
        let speed = initial.chunks_exact(3).map(|u| DVec3::from_slice(u).length()).fold(0.0, f64::max);
        Ok(Self {
            frames,
            friction: points.iter().map(|point| point.friction).collect(),
            restitution: points.iter().map(|point| point.restitution).collect(),
            initial,
            matrix,
            stiffness: 1.0 / yielding,
            speed,
        })
    }

    /// How many points there are.
    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// Relative velocities at the points after these impulses.
    pub(super) fn velocities(&self, impulses: &[f64]) -> Vec<f64> {
        let mut velocities = self.matrix.times(impulses);
        velocities.iter_mut().zip(&self.initial).for_each(|(change, initial)| *change += initial);
        velocities
    }

    /// Slip of point `i` and its size rounded off near zero, m/s.
    pub(super) fn slip(&self, velocities: &[f64], i: usize) -> ([f64; 2], f64) {
        let slip = [velocities[3 * i + 1], velocities[3 * i + 2]];
        let creep = CREEP * self.speed;
        (slip, (slip[0] * slip[0] + slip[1] * slip[1] + creep * creep).sqrt())
    }

    /// Forces at the points: the springs, and friction against the slip.
    pub(super) fn forces(&self, velocities: &[f64], compressions: &[f64]) -> Vec<f64> {
        let force = |i: usize| {
            let normal = self.stiffness * compressions[i];
            let (slip, size) = self.slip(velocities, i);
            let friction = -self.friction[i] * normal / size;
            [normal, friction * slip[0], friction * slip[1]]
        };
        (0..self.len()).flat_map(force).collect()
    }

    /// Work of the impulses: the change of kinetic energy, J.
    pub(super) fn work(&self, impulses: &[f64]) -> f64 {
        let after = self.velocities(impulses);
        impulses
            .iter()
            .zip(self.initial.iter().zip(&after))
            .map(|(p, (before, after))| 0.5 * p * (before + after))
            .sum()
    }

    /// Shrinks the impulses so that errors of integration gain no energy.
    pub(super) fn take_back_gain(&self, impulses: &mut [f64]) {
        if self.work(impulses) <= 0.0 {
            return;
        }
        let linear: f64 = impulses.iter().zip(&self.initial).map(|(p, u)| p * u).sum();
        let quadratic: f64 = impulses.iter().zip(self.matrix.times(impulses)).map(|(p, u)| 0.5 * p * u).sum();
        impulses.iter_mut().for_each(|p| *p *= -linear / quadratic);
    }

    /// Impulses in world axes.
    pub(super) fn in_world(&self, impulses: &[f64]) -> Vec<DVec3> {
        self.frames.iter().zip(impulses.chunks_exact(3)).map(|(frame, p)| *frame * DVec3::from_slice(p)).collect()
    }
}

fn frame(normal: DVec3) -> DMat3 {
    let normal = normal.normalize();
    let tangent = any_perpendicular(normal).normalize();
    DMat3::from_cols(normal, tangent, normal.cross(tangent))
}

/// The movable bodies of a point: index, arm, and 1 or -1 for the first and second.
pub(super) fn sides(point: &StruckPoint) -> impl Iterator<Item = (usize, DVec3, f64)> {
    let ([a, b], [to_a, to_b]) = (point.bodies, point.arms);
    [(a, to_a, 1.0), (b, to_b, -1.0)].into_iter().filter_map(|(body, arm, sign)| Some((body?, arm, sign)))
}

fn whole_matrix(bodies: &[StruckBody], points: &[StruckPoint], frames: &[DMat3]) -> Matrix {
    let mut matrix = Matrix::zeros(3 * points.len());
    let inverses: Vec<_> = bodies.iter().map(|body| body.inertia.inverse()).collect();
    for (i, at) in points.iter().enumerate() {
        for (j, from) in points.iter().enumerate() {
            let mut block = DMat3::ZERO;
            for (body, to_at, sign_at) in sides(at) {
                for (_, to_from, sign_from) in sides(from).filter(|side| side.0 == body) {
                    let response = point_response(1.0 / bodies[body].mass, &inverses[body], [to_at, to_from]);
                    block += response * (sign_at * sign_from);
                }
            }
            let block = frames[i].transpose() * block * frames[j];
            for row in 0..3 {
                for column in 0..3 {
                    *matrix.at_mut(3 * i + row, 3 * j + column) = block.col(column)[row];
                }
            }
        }
    }
    matrix
}
