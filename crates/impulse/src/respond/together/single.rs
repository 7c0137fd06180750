//! A single point, given as several are: left to the integration of one contact (thesis chapter 3).

use super::input::{StruckBody, StruckPoint};
use super::outcome::StruckOutcome;
use crate::math::any_perpendicular;
use crate::respond::collision_matrix::{ContactBody, collision_matrix};
use crate::respond::error::ImpactError;
use crate::respond::impact::Impact;
use crate::respond::material::Material;
use crate::respond::resolve::resolve;
use crate::respond::restitution::Law;
use glam::DMat3;

/// Resolves the impact at one point, in the collision frame that worlds use.
pub(super) fn resolve_one(
    bodies: &[StruckBody],
    point: &StruckPoint,
    outcome: &mut StruckOutcome,
) -> Result<(), ImpactError> {
    let tangent = any_perpendicular(point.normal);
    let world_from_contact = DMat3::from_cols(tangent, point.normal.cross(tangent), point.normal);
    let contact_from_world = world_from_contact.transpose();
    let [a, b] = [0, 1].map(|side| {
        let at =
            |body: usize| ContactBody { mass: bodies[body].mass, inertia: bodies[body].inertia, arm: point.arms[side] };
        point.bodies[side].map(at)
    });
    let single = resolve(&Impact {
        matrix: contact_from_world * collision_matrix(a.as_ref(), b.as_ref())? * world_from_contact,
        material: Material { friction: point.friction, restitution: point.restitution, law: Law::Stronge },
        velocity: contact_from_world * point.relative_velocity(&outcome.velocities),
    })?;
    let impulse = world_from_contact * single.impulse;
    for (index, arm, sign) in point.sides() {
        let (velocity, spin) = &mut outcome.velocities[index];
        *velocity += impulse * (sign / bodies[index].mass);
        *spin += bodies[index].inertia.inverse() * arm.cross(impulse) * sign;
    }
    outcome.impulses.push(impulse);
    outcome.point_losses.push(-single.work);
    outcome.energy_lost = -single.work;
    Ok(())
}
