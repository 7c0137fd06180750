//! The matrix of bodies in contact computed the slow way, and random contacts, for tests of the factorisations.

use super::problem::{ContactPoint, MoverIndex};
use glam::{DMat3, DVec3};
use proptest::prelude::*;

/// Two bodies (numbers beyond the count mean one that does not move), the arms of the contact point, and a number.
pub(super) type Contact = (u32, u32, DVec3, DVec3, f64);

pub(super) fn contacts() -> impl Strategy<Value = Vec<Contact>> {
    let vector = || prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array);
    prop::collection::vec((0u32..12, 0u32..13, vector(), vector(), 0.1..10.0f64), 0..30)
}

pub(super) fn masses(count: u32) -> Vec<(f64, DMat3)> {
    (0..count).map(|i| (1.0 + f64::from(i), DMat3::IDENTITY * 0.5)).collect()
}

/// The points among some bodies, each with its stiffness.
pub(super) fn sites(
    count: u32,
    contacts: &[Contact],
    stiffness: impl Fn(&Contact) -> DMat3,
) -> Vec<(ContactPoint, DMat3)> {
    let among = contacts.iter().filter(|contact| contact.0 < count && contact.0 != contact.1);
    among
        .map(|contact| {
            let &(first, second, arm, other_arm, _) = contact;
            (
                point([Some(MoverIndex(first)), (second < count).then_some(MoverIndex(second))], [arm, other_arm]),
                stiffness(contact),
            )
        })
        .collect()
}

/// A point of which only the bodies and the arms matter.
fn point(movers: [Option<MoverIndex>; 2], arms: [DVec3; 2]) -> ContactPoint {
    ContactPoint {
        movers,
        arms,
        frame: DMat3::IDENTITY,
        drift: DVec3::ZERO,
        target: DVec3::ZERO,
        friction: 0.5,
        impulse: DVec3::ZERO,
        matrix: DMat3::ZERO,
    }
}

/// The matrix times a vector, directly as `M v + J^T S J v`.
pub(super) fn product(masses: &[(f64, DMat3)], points: &[(ContactPoint, DMat3)], v: &[f64]) -> Vec<f64> {
    let part = |v: &[f64], at: usize| DVec3::new(v[at], v[at + 1], v[at + 2]);
    let mut result = vec![0.0; v.len()];
    let mut add = |at: usize, x: DVec3| (0..3).for_each(|k| result[at + k] += x[k]);
    for (i, (mass, inertia)) in masses.iter().enumerate() {
        add(6 * i, *mass * part(v, 6 * i));
        add(6 * i + 3, *inertia * part(v, 6 * i + 3));
    }
    for (point, s) in points {
        let mut u = DVec3::ZERO;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(i) = point.movers[side] else { continue };
            let row = 6 * i.get();
            u += sign * (part(v, row) + part(v, row + 3).cross(point.arms[side]));
        }
        let p = *s * u;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(i) = point.movers[side] else { continue };
            add(6 * i.get(), sign * p);
            add(6 * i.get() + 3, sign * point.arms[side].cross(p));
        }
    }
    result
}
