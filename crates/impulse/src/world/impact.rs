//! An impact: from two bodies that touch and approach to the impulse they exchange (chapter 3).

use super::data::World;
use super::error::RunError;
use super::group::MemberPoint;
use super::index::{ColliderIndex, PairIndex};
use super::pairs::change::PointImpulse;
use super::pairs::measure::Measured;
use super::records::event::ImpactRecord;
use super::records::stopwatch::Phase;
use super::settings::ContactRule;
use crate::body::State;
use crate::math::any_perpendicular;
use crate::respond::{Impact, ImpactError, Modes, in_friction_cone, resolve};
use glam::{DMat3, DVec3};

/// Share of the velocity gained in falling through the envelope at which microcollisions leave at least.
const LEAST_SHARE_OF_FALL: f64 = 0.5;

/// An impulse in the collision frame, and what is to be recorded of it.
struct Exchange {
    impulse: DVec3,
    modes: Option<Modes>,
    micro: bool,
}

/// An impact at one point, resolved but not applied.
pub(crate) struct Blow {
    pub(crate) pair: PairIndex,
    pub(crate) colliders: [ColliderIndex; 2],
    /// The bodies' states before.
    pub(crate) states: [State; 2],
    /// Velocity below which points neither approach nor part, m/s.
    pub(crate) velocity_tolerance: f64,
    pub(crate) record: ImpactRecord,
}

impl World {
    /// The impact of a pair that touches and approaches, as if nothing else were struck.
    pub(crate) fn blow(&mut self, pair: PairIndex, measured: &Measured) -> Result<Blow, RunError> {
        let colliders = self.pairs[pair].colliders;
        let normal = measured.normal;
        let tangent = any_perpendicular(normal);
        let world_from_contact = DMat3::from_cols(tangent, normal.cross(tangent), normal);
        let contact_from_world = world_from_contact.transpose();
        let matrix = contact_from_world * self.collision_matrix(colliders, measured) * world_from_contact;
        let before = measured.velocity();
        let impact = Impact { matrix, material: self.pairs[pair].material, velocity: contact_from_world * before };
        let exchange = self.exchange(pair, measured, &impact).map_err(|error| self.unresolved(colliders, error))?;
        let impulse = world_from_contact * exchange.impulse;
        let after = before + world_from_contact * (matrix * exchange.impulse);
        let record = ImpactRecord {
            time: self.now,
            bodies: self.ids(colliders),
            point: measured.point,
            normal,
            impulse,
            before,
            after,
            energy_lost: -0.5 * impulse.dot(before + after),
            modes: exchange.modes,
            micro: exchange.micro,
            duration: 0.0,
        };
        let velocity_tolerance = measured.velocity_tolerance;
        Ok(Blow { pair, colliders, states: measured.states, velocity_tolerance, record })
    }

    /// Applies a blow to its bodies, and records it.
    pub(crate) fn apply_blow(&mut self, blow: &Blow) {
        self.records.stopwatch.enter(Phase::Motion);
        self.apply_impulses(&[0, 1].map(|side| PointImpulse {
            group: self.colliders[blow.colliders[side]].group,
            state: &blow.states[side],
            point: blow.record.point,
            impulse: if side == 0 { blow.record.impulse } else { -blow.record.impulse },
        }));
        self.record(&blow.record);
    }

    /// The least velocity (m/s) with which a pair leaves an impact: what is pressed together hops unless it never lasts, what is too
    /// near escapes.
    fn least_parting_velocity(&mut self, pair: PairIndex, measured: &Measured) -> f64 {
        if self.never_lasts(pair) {
            return self.escape_velocity(pair, measured);
        }
        // Without gravity, only what turns is pressed on.
        let has_gravity = self.settings.gravity != DVec3::ZERO;
        let press =
            if has_gravity { self.normal_acceleration(pair, measured) } else { self.hardest_press(pair, measured) };
        let hop = if press > 0.0 { self.hop_under(pair, press).velocity } else { 0.0 };
        // Nothing pays for a hop without gravity: what leaves no faster than it came gains nothing.
        let paid = if has_gravity { hop } else { hop.min(-measured.normal_velocity()) };
        paid.max(self.escape_velocity(pair, measured))
    }

    pub(crate) fn unresolved(&self, colliders: [ColliderIndex; 2], error: ImpactError) -> RunError {
        let [first, second] = self.names(colliders);
        RunError::Impact { event: self.records.counters.events, time: self.now, first, second, error }
    }

    /// The impulse: an ordinary impact's, or a microcollision's (section 3.5).
    fn exchange(&mut self, pair: PairIndex, measured: &Measured, impact: &Impact) -> Result<Exchange, ImpactError> {
        let fall = (2.0 * self.settings.gravity.length() * self.hop_height(pair)).sqrt();
        let is_slow = -impact.velocity.z < fall && impact.material.restitution < 1.0;
        if self.settings.contact == ContactRule::Thesis && is_slow {
            return thesis_microcollision(impact, LEAST_SHARE_OF_FALL * fall);
        }
        let outcome = resolve(impact)?;
        let exchange = Exchange { impulse: outcome.impulse, modes: Some(outcome.modes), micro: false };
        if self.settings.contact != ContactRule::Joint {
            return Ok(exchange);
        }
        let least = self.least_parting_velocity(pair, measured);
        Ok(exchange.lifted(least - outcome.velocity.z, impact))
    }

    /// `K` of two colliders at their contact in the world frame (3.4), 1/kg. Two members of one group also respond to each other.
    fn collision_matrix(&mut self, colliders: [ColliderIndex; 2], measured: &Measured) -> DMat3 {
        let point = |side: usize| MemberPoint {
            member: self.colliders[colliders[side]].member,
            state: &measured.states[side],
            point: measured.point,
        };
        let points = [point(0), point(1)];
        if !self.linkages.is_empty() {
            let mut block = |at: usize, from: usize| {
                self.response_block([colliders[at], colliders[from]], [points[at], points[from]])
            };
            return block(0, 0) + block(1, 1) - block(0, 1) - block(1, 0);
        }
        let groups = colliders.map(|c| self.colliders[c].group);
        let block = |at: usize, from: usize| self.groups[groups[at]].collision_matrix([points[at], points[from]]);
        let own = block(0, 0) + block(1, 1);
        if groups[0] == groups[1] { own - block(0, 1) - block(1, 0) } else { own }
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
