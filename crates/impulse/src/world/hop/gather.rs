//! Collecting the bodies that hang together by lasting contact, and all points where they touch (8.1).

use super::super::data::World;
use super::super::error::RunError;
use super::super::index::{ColliderIndex, PairIndex};
use super::super::pair::Pair;
use super::super::pairs::measure::Measured;
use super::super::pairs::site::Site;
use super::island::{Hop, Island};
use super::lasting::FASTEST_HOP;
use crate::body::State;
use crate::geometry::closest::{ShapePair, least_distance};

/// How much farther than what counts bodies must be for rounding not to matter.
const CLEARLY: f64 = 2.0;

impl World {
    /// Collects the island of a pair that hops; the pair is as measured.
    pub(crate) fn gather(
        &mut self,
        trigger: PairIndex,
        measured: &Measured,
        hop: Hop,
        island: &mut Island,
    ) -> Result<(), RunError> {
        self.gather_neighbours(trigger, measured, hop, island)?;
        let mut done = island.bodies.len().min(1);
        while done < island.bodies.len() {
            self.gather_around(done, (trigger, measured), hop, island)?;
            done += 1;
        }
        Ok(())
    }

    /// Collects the first body of a pair that can hop, and what it is in contact with.
    pub(crate) fn gather_neighbours(
        &mut self,
        trigger: PairIndex,
        measured: &Measured,
        hop: Hop,
        island: &mut Island,
    ) -> Result<(), RunError> {
        island.begin(self.colliders.capacity(), self.pairs.numbers());
        // What is frozen stays so until it is pressed on: it must not be sent on a flight and frozen again before it parts.
        for (side, body) in self.pairs[trigger].colliders.into_iter().enumerate() {
            if self.can_hop(body) {
                self.enter_island(island, body, measured.states[side]);
            }
        }
        if island.bodies.is_empty() { Ok(()) } else { self.gather_around(0, (trigger, measured), hop, island) }
    }

    /// Collects what a body of an island is in contact with; one pair is as measured.
    fn gather_around(
        &mut self,
        place: usize,
        (trigger, measured): (PairIndex, &Measured),
        hop: Hop,
        island: &mut Island,
    ) -> Result<(), RunError> {
        let partners = island.new_pairs(self.pairs.of(island.bodies[place]).map(|(pair, _)| pair));
        for i in partners {
            let pair = island.partners[i];
            let known = (pair == trigger).then_some(*measured);
            self.gather_pair(pair, known, hop.velocity, island)?;
        }
        Ok(())
    }

    fn gather_pair(
        &mut self,
        pair: PairIndex,
        known: Option<Measured>,
        hop_velocity: f64,
        island: &mut Island,
    ) -> Result<(), RunError> {
        let colliders = self.pairs[pair].colliders;
        if known.is_none() && self.ball_is_farther(colliders, island, self.farthest_contact(pair)) {
            return Ok(());
        }
        let near = self.contact_distance(pair);
        let measured = match known {
            Some(measured) => measured,
            None => {
                if self.ball_is_farther(colliders, island, near) {
                    return Ok(());
                }
                let states = self.states_of(pair, self.now);
                if self.are_farther(colliders, &states, near) {
                    return Ok(());
                }
                self.measure_in(pair, states)
            }
        };
        if measured.overlapping {
            return Err(self.overlap(colliders));
        }
        if measured.distance > near || !self.joins(pair, &measured, hop_velocity) {
            return Ok(());
        }
        for (side, &body) in colliders.iter().enumerate() {
            if self.can_hop(body) {
                self.enter_island(island, body, measured.states[side]);
            }
        }
        let first = island.sites.len();
        island.pairs.push((pair, first));
        self.find_sites(pair, &measured, near, (&mut island.search, &mut island.sites));
        self.find_striking(pair, &measured, near, (&mut island.search, &mut island.sites));
        self.leave_out_blows(pair, hop_velocity, &mut island.sites, first);
        Ok(())
    }

    /// What comes down faster than any hop, though it does not touch yet, has a blow of its own before the flight ends: the one edge of a block
    /// that rocks, while it stands on the other. Of a rim some points are found, which stand for others: they stay, as do those between two bodies
    /// that can move.
    fn leave_out_blows(&self, pair: PairIndex, hop_velocity: f64, sites: &mut Vec<Site>, first: usize) {
        let Pair { colliders, touch_distance, .. } = &self.pairs[pair];
        let lies_on_fixed = colliders.iter().any(|&c| self.member(c).is_fixed());
        if !lies_on_fixed || !colliders.iter().all(|&c| self.colliders[c].shape.is_angular()) {
            return;
        }
        let fastest = FASTEST_HOP * hop_velocity.max(self.fall_velocity(self.hop_height(pair)));
        let strikes = |site: &Site| site.touching.gap > *touch_distance && site.approach() > fastest;
        let blows = sites[first..].iter().filter(|site| strikes(site)).count();
        if blows > 0 && blows < sites.len() - first {
            let mut place = 0;
            sites.retain(|site| {
                place += 1;
                place <= first || !strikes(site)
            });
        }
    }

    /// Whether a ball of an island is easily seen to be farther from a half-space, or from another such ball, than `near` metres: most are,
    /// and their states are not needed for that.
    fn ball_is_farther(&self, [first, second]: [ColliderIndex; 2], island: &Island, near: f64) -> bool {
        let ball = |body: ColliderIndex| {
            let radius = self.colliders[body].ball?;
            Some((island.states[island.place(body)? as usize].world_from_body.translation, radius))
        };
        let wall = |body: ColliderIndex| self.colliders[body].wall.as_ref();
        let distance = match (ball(first), ball(second)) {
            (Some((a, r)), Some((b, s))) => a.distance(b) - (r + s),
            (Some((centre, radius)), None) if let Some(plane) = wall(second) => plane.height(centre) - radius,
            (None, Some((centre, radius))) if let Some(plane) = wall(first) => plane.height(centre) - radius,
            _ => return false,
        };
        distance > CLEARLY * near
    }

    /// Whether two bodies are easily seen to be farther apart than `near` metres.
    pub(crate) fn are_farther(&self, colliders: [ColliderIndex; 2], states: &[State; 2], near: f64) -> bool {
        let [first, second] = colliders.map(|c| &self.colliders[c]);
        if !(first.shape.has_parts() || second.shape.has_parts()) {
            return false;
        }
        let world_from_first = states[0].world_from_body * first.body_from_shape;
        let world_from_second = states[1].world_from_body * second.body_from_shape;
        let first_from_second = &(world_from_first.inverse() * world_from_second);
        least_distance(&ShapePair { first: &first.shape, second: &second.shape, first_from_second }) > near
    }

    /// Whether a near pair takes part in a hop: what bounces or parts fast has its own events.
    fn joins(&self, pair: PairIndex, measured: &Measured, hop_velocity: f64) -> bool {
        let own = self.hop_under(pair, self.normal_acceleration(pair, measured));
        let hop_velocity = hop_velocity.max(own.velocity);
        let rate = measured.normal_velocity();
        if measured.approaching() {
            self.is_too_slow_to_bounce(pair, measured, hop_velocity)
        } else {
            rate <= FASTEST_HOP * hop_velocity
        }
    }
}
