//! An impact: from two bodies that touch and approach to the impulse they exchange (chapter 3).

use super::error::RunError;
use super::measure::Measured;
use super::record::ImpactRecord;
use super::settings::ContactRule;
use super::step::World;
use super::stopwatch::Phase;
use crate::body::InverseMass;
use crate::math::{any_perpendicular, cross_matrix};
use crate::respond::{Impact, ImpactError, Modes, in_friction_cone, resolve};
use glam::{DMat3, DVec3};

/// Share of the velocity gained in falling through the envelope at which microcollisions leave at least.
const HOP: f64 = 0.5;

/// An impulse in the collision frame, and what is to be recorded of it.
struct Exchange {
    impulse: DVec3,
    modes: Option<Modes>,
    micro: bool,
}

impl World {
    /// Resolves the impact of a pair that touches and approaches, and applies it.
    pub(super) fn collide(&mut self, pair: u32, measured: &Measured) -> Result<ImpactRecord, RunError> {
        let items = self.pairs[pair as usize].items;
        let normal = measured.normal;
        let tangent = any_perpendicular(normal);
        let world_from_contact = DMat3::from_cols(tangent, normal.cross(tangent), normal);
        let contact_from_world = world_from_contact.transpose();
        let matrix = contact_from_world * self.collision_matrix(items, measured) * world_from_contact;
        let before = measured.velocity();
        let impact =
            Impact { matrix, material: self.pairs[pair as usize].material, velocity: contact_from_world * before };
        let pressed = self.press(pair, measured);
        let least = if pressed > 0.0 {
            self.hop_of(pair, pressed).velocity
        } else {
            self.escape(pair, measured.distance, self.largest_press(pair, measured))
        };
        let exchange = self.exchange(pair, &impact, least).map_err(|error| RunError::Impact {
            event: self.counters.events,
            time: self.now,
            first: self.bodies[items[0] as usize].name.clone(),
            second: self.bodies[items[1] as usize].name.clone(),
            error,
        })?;
        let impulse = world_from_contact * exchange.impulse;
        let after = before + world_from_contact * (matrix * exchange.impulse);
        let [first, second] = items.map(|i| i as usize);
        self.stopwatch.enter(Phase::Motion);
        self.bodies[first].motion.apply_impulse(self.now, measured.point, impulse);
        self.bodies[second].motion.apply_impulse(self.now, measured.point, -impulse);
        Ok(ImpactRecord {
            time: self.now,
            bodies: items.map(|i| self.bodies[i as usize].id),
            point: measured.point,
            normal,
            impulse,
            before,
            after,
            energy_lost: -0.5 * impulse.dot(before + after),
            modes: exchange.modes,
            micro: exchange.micro,
        })
    }

    /// The impulse: an ordinary impact's, or a microcollision's (section 3.5).
    fn exchange(&self, pair: u32, impact: &Impact, least: f64) -> Result<Exchange, ImpactError> {
        let envelope = self.envelope(pair);
        let fall = (2.0 * self.settings.gravity.length() * envelope).sqrt();
        let is_slow = -impact.velocity.z < fall && impact.material.restitution < 1.0;
        if self.settings.contact == ContactRule::Thesis && is_slow {
            return thesis_microcollision(impact, HOP * fall);
        }
        let outcome = resolve(impact)?;
        let exchange = Exchange { impulse: outcome.impulse, modes: Some(outcome.modes), micro: false };
        if self.settings.contact == ContactRule::Joint && impact.material.restitution < 1.0 {
            // What is pressed together hops at least; what is too near gets away.
            return Ok(exchange.lifted(least - outcome.velocity.z, impact));
        }
        Ok(exchange)
    }

    /// `K` of the two bodies at the contact in the world frame (3.4), 1/kg.
    fn collision_matrix(&self, items: [u32; 2], measured: &Measured) -> DMat3 {
        let share = |side: usize| {
            let body = &self.bodies[items[side] as usize];
            let pose = measured.states[side].world_from_body;
            let inverse = body.motion.mass().map_or(InverseMass::IMMOVABLE, |m| m.inverse_at(pose.rotation));
            let r = cross_matrix(measured.point - pose.translation);
            DMat3::from_diagonal(DVec3::splat(inverse.inverse_mass)) - r * inverse.world_inverse_inertia * r
        };
        share(0) + share(1)
    }
}

impl Exchange {
    /// With more along the normal, so that the bodies part faster by `missing` m/s: still in the cone.
    fn lifted(self, missing: f64, impact: &Impact) -> Self {
        Self { impulse: self.impulse + DVec3::Z * (missing.max(0.0) / impact.matrix.z_axis.z), ..self }
    }
}

/// The thesis' two rules: the impulse that reverses the velocity if friction can give it, else the ordinary one; either leaves at
/// the velocity `hop` (m/s) at least.
fn thesis_microcollision(impact: &Impact, hop: f64) -> Result<Exchange, ImpactError> {
    let wanted = DVec3::new(-impact.velocity.x, -impact.velocity.y, hop.max(-impact.velocity.z));
    let reversing = impact.matrix.inverse() * (wanted - impact.velocity);
    if reversing.is_finite() && in_friction_cone(reversing, impact.material.friction) {
        return Ok(Exchange { impulse: reversing, modes: None, micro: true });
    }
    let outcome = resolve(impact)?;
    let exchange = Exchange { impulse: outcome.impulse, modes: Some(outcome.modes), micro: true };
    Ok(exchange.lifted(hop - outcome.velocity.z, impact))
}
