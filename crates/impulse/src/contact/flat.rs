//! Velocities and momenta of all bodies as plain numbers, six for each: three linear, three angular.

use super::problem::{ContactPoint, Mover};
use glam::{DMat3, DVec3};

/// Reads masses, and inertias in world axes.
pub(super) fn read_masses(movers: &[Mover], to: &mut Vec<(f64, DMat3)>) {
    to.clear();
    to.extend(movers.iter().map(|m| (m.mass(), m.inertia())));
}

pub(super) fn read_velocities(movers: &[Mover], to: &mut Vec<f64>) {
    to.clear();
    for m in movers {
        to.extend(m.velocity.to_array().into_iter().chain(m.angular_velocity.to_array()));
    }
}

pub(super) fn write_velocities(from: &[f64], movers: &mut [Mover]) {
    for (i, mover) in movers.iter_mut().enumerate() {
        mover.velocity = part(from, 6 * i);
        mover.angular_velocity = part(from, 6 * i + 3);
    }
}

/// Momentum gained between two sets of velocities.
pub(super) fn gain(masses: &[(f64, DMat3)], [from, to]: [&[f64]; 2], gained: &mut Vec<f64>) {
    gained.clear();
    for (i, (mass, inertia)) in masses.iter().enumerate() {
        let change = |at: usize| part(to, 6 * i + at) - part(from, 6 * i + at);
        gained.extend((*mass * change(0)).to_array().into_iter().chain((*inertia * change(3)).to_array()));
    }
}

/// Adds to `u` the velocity of the first body relative to the second at a point, world axes.
pub(super) fn with_relative(mut u: DVec3, point: &ContactPoint, velocities: &[f64]) -> DVec3 {
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        if let Some(i) = point.movers[side] {
            let row = 6 * i.get();
            u += sign * (part(velocities, row) + part(velocities, row + 3).cross(point.arms[side]));
        }
    }
    u
}

/// Adds an impulse at a point, world axes, to momenta.
pub(super) fn push(to: &mut [f64], point: &ContactPoint, p: DVec3) {
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        let Some(i) = point.movers[side] else { continue };
        let row = 6 * i.get();
        for (at, change) in [(row, sign * p), (row + 3, sign * point.arms[side].cross(p))] {
            to[at..at + 3].iter_mut().zip(change.to_array()).for_each(|(to, change)| *to += change);
        }
    }
}

/// Three consecutive numbers of a slice as a vector.
pub(super) fn part(values: &[f64], at: usize) -> DVec3 {
    DVec3::new(values[at], values[at + 1], values[at + 2])
}
