//! Lasting contacts as they are now: where, how hard, and whether they rest, roll or slide (section 1.3).

use super::body::{Body, BodyId};
use super::hop::LASTING;
use super::step::World;
use glam::DVec3;

/// A point at which two bodies are in lasting contact, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastingContact {
    /// The bodies.
    pub bodies: [BodyId; 2],
    /// Metres.
    pub point: DVec3,
    /// Unit vector from the second body to the first.
    pub normal: DVec3,
    /// Mean force on the first body over the last hop, N.
    pub force: DVec3,
    /// How the surfaces move on each other.
    pub mode: ContactMode,
}

/// How surfaces in lasting contact move on each other, in the mean over a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMode {
    /// Not at all.
    Rest,
    /// Without slip, one body turning relative to the other.
    Roll,
    /// With slip.
    Slide,
}

/// Slip, relative to the bodies' own velocities, that the accuracy of hops leaves undecided.
const SLIP: f64 = 1e-6;

impl World {
    /// The points at which a body is in lasting contact with others; none for a body that was removed.
    pub fn lasting_contacts(&self, body: BodyId) -> Vec<LastingContact> {
        let Some(slot) = self.body(body).map(|b| b.id.slot) else { return Vec::new() };
        let mut found: Vec<u32> = self.broad.close_to(slot).map(|partner| partner.pair).collect();
        found.sort_unstable_by_key(|&pair| self.pairs[pair as usize].items);
        found.iter().flat_map(|&pair| self.contacts_of(pair)).collect()
    }

    /// Time that bodies were in lasting contact up to now, of all of them together, s.
    pub fn lasting_time(&self) -> f64 {
        let ahead = self.bodies.iter().map(|b| b.counted_ahead(self.now)).sum::<f64>();
        self.lasting_counted - ahead
    }

    /// A body hops: it is in lasting contact for a time to come, s, which is counted in advance.
    pub(super) fn note_lasting(&mut self, body: u32, time: f64) {
        let b = &mut self.bodies[body as usize];
        self.lasting_counted += time - b.counted_ahead(self.now);
        b.lasting_until = self.now + time;
    }

    /// A frozen body is woken: it was in lasting contact up to now.
    pub(super) fn end_rest(&mut self, body: u32) {
        self.lasting_counted -= self.bodies[body as usize].counted_ahead(self.now).min(0.0);
    }

    /// A body is taken out.
    pub(super) fn end_lasting(&mut self, body: u32) {
        let b = &mut self.bodies[body as usize];
        self.lasting_counted -= b.counted_ahead(self.now);
        b.lasting_until = f64::NEG_INFINITY;
    }

    fn contacts_of(&self, pair: u32) -> Vec<LastingContact> {
        let pair = &self.pairs[pair as usize];
        let Some(held) = &pair.held else { return Vec::new() };
        let standing = pair.items.iter().all(|&i| self.bodies[i as usize].stands());
        if !standing && self.now > held.time + LASTING * held.length {
            return Vec::new();
        }
        let bodies = pair.items.map(|i| self.bodies[i as usize].id);
        let states = pair.items.map(|i| self.bodies[i as usize].motion.state_at(self.now));
        let [first, second] = states.map(|s| s.angular_velocity());
        let speed = states[0].velocity.length().max(states[1].velocity.length());
        let turning = (first - second).length() * self.pairs_radius(pair.items);
        let pushing = held.points.iter().filter(|point| point.impulse != DVec3::ZERO);
        pushing
            .map(|point| LastingContact {
                bodies,
                point: point.at,
                normal: point.normal,
                force: point.impulse / held.length,
                mode: match point.slip.length() {
                    _ if standing => ContactMode::Rest,
                    slip if slip > SLIP * (speed + turning) => ContactMode::Slide,
                    _ if turning > SLIP * speed => ContactMode::Roll,
                    _ => ContactMode::Rest,
                },
            })
            .collect()
    }

    fn pairs_radius(&self, items: [u32; 2]) -> f64 {
        items.iter().map(|&i| self.bodies[i as usize].radius).fold(f64::INFINITY, f64::min)
    }
}

impl Body {
    /// Time of lasting contact that is counted already and yet to pass, s; below zero where a frozen body's has passed and is yet
    /// to be counted.
    fn counted_ahead(&self, now: f64) -> f64 {
        let ahead = self.lasting_until - now;
        if self.is_frozen() { ahead } else { ahead.max(0.0) }
    }
}
