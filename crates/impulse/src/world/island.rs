//! Bodies in lasting contact with each other, gathered when one of them hops (8.1): one group, one instant.

use super::error::RunError;
use super::lasting::FAST;
use super::measure::Measured;
use super::site::Site;
use super::step::World;
use crate::body::State;
use crate::contact::{ContactPoint, JointSolver, Mover, Resistance};
use crate::geometry::closest::{
    PairCache, ShapePair, Touching, TouchingBuffers, least_distance, nearest_touching, touching_points,
};
use crate::math::Pose;
use std::ops::Range;

/// Heights of a hop up to which a gap belongs to a contact.
const NEAR: f64 = 3.0;

/// Share of the velocity with which the closest point approaches that another one stands for it with.
const STRIKES: f64 = 0.5;

/// Movable bodies, and the points where they touch each other and the rest.
#[derive(Clone, Debug, Default)]
pub(super) struct Island {
    /// The movable bodies, and their states now.
    pub(super) bodies: Vec<u32>,
    pub(super) states: Vec<State>,
    /// Points in the world frame, pair after pair.
    pub(super) sites: Vec<Site>,
    /// The pairs, and where the points of each begin.
    pub(super) pairs: Vec<(u32, usize)>,
    /// What is solved.
    pub(super) movers: Vec<Mover>,
    pub(super) points: Vec<ContactPoint>,
    pub(super) resistances: Vec<Resistance>,
    /// Static friction of every point, where there are optional laws.
    pub(super) grips: Vec<f64>,
    pub(super) solver: JointSolver,
    /// The pair that touched, as it was measured: not to be measured again when it is gathered.
    pub(super) measured: Option<(u32, Measured)>,
    /// Pairs of the bodies, in contact or not, each once.
    pub(super) partners: Vec<u32>,
    /// Number of the round in which a pair or a body was met, and the place of the body.
    round: u64,
    gathering: u64,
    met_pairs: Vec<u64>,
    met_bodies: Vec<(u64, u32)>,
    room: TouchingBuffers,
    found: Vec<Touching>,
}

impl Island {
    /// Forgets what was gathered.
    pub(super) fn begin(&mut self) {
        self.bodies.clear();
        self.states.clear();
        self.sites.clear();
        self.pairs.clear();
    }

    /// Forgets which bodies and pairs were met.
    pub(super) fn begin_round(&mut self, bodies: usize, pairs: usize) {
        self.round += 1;
        self.partners.clear();
        self.met_bodies.resize(bodies.max(self.met_bodies.len()), (0, 0));
        self.met_pairs.resize(pairs.max(self.met_pairs.len()), 0);
    }

    /// Adds those of some pairs that were not met in this round; gives where.
    pub(super) fn new_pairs(&mut self, pairs: impl Iterator<Item = u32>) -> Range<usize> {
        let start = self.partners.len();
        for pair in pairs {
            let met = &mut self.met_pairs[pair as usize];
            if *met != self.round {
                *met = self.round;
                self.partners.push(pair);
            }
        }
        start..self.partners.len()
    }

    /// Place of a body among the movable ones.
    pub(super) fn place(&self, body: u32) -> Option<u32> {
        let (round, place) = self.met_bodies[body as usize];
        (round == self.gathering).then_some(place)
    }

    fn enter(&mut self, body: u32, state: State) {
        if self.place(body).is_none() {
            self.met_bodies[body as usize] = (self.gathering, self.bodies.len() as u32);
            self.bodies.push(body);
            self.states.push(state);
        }
    }
}

impl World {
    /// Collects the bodies that hang together by lasting contact with a pair that hops for `length` seconds, and all points
    /// where they touch.
    pub(super) fn gather(&mut self, pair: u32, length: f64, island: &mut Island) -> Result<(), RunError> {
        // Two heights in the time of a flight: the velocity of a hop.
        let hop_velocity = 4.0 * self.envelope(pair) / length;
        island.begin();
        island.begin_round(self.bodies.len(), self.pairs.len());
        island.gathering = island.round;
        for body in self.pairs[pair as usize].items {
            if self.bodies[body as usize].is_free() {
                island.enter(body, self.bodies[body as usize].motion.state_at(self.now));
            }
        }
        let mut done = 0;
        while done < island.bodies.len() {
            let partners = island.new_pairs(self.broad.close_to(island.bodies[done]).map(|p| p.pair));
            for i in partners {
                self.gather_pair(island.partners[i], hop_velocity, island)?;
            }
            done += 1;
        }
        Ok(())
    }

    fn gather_pair(&mut self, pair: u32, hop_velocity: f64, island: &mut Island) -> Result<(), RunError> {
        let items = self.pairs[pair as usize].items;
        let near = self.pairs[pair as usize].touch + NEAR * self.envelope(pair);
        let measured = match island.measured.take_if(|(measured, _)| *measured == pair) {
            Some((_, measured)) => measured,
            None => {
                let states = self.states_of(pair, self.now);
                if self.are_farther(items, &states, near) {
                    return Ok(());
                }
                self.measure_in(pair, states)
            }
        };
        if measured.overlapping {
            return Err(self.overlap(items));
        }
        if measured.distance > near || !self.joins(pair, &measured, hop_velocity) {
            return Ok(());
        }
        for (side, &body) in items.iter().enumerate() {
            if self.bodies[body as usize].is_free() {
                island.enter(body, measured.states[side]);
            }
        }
        self.find_sites(pair, &measured, near, island);
        self.find_striking(pair, &measured, near, island);
        Ok(())
    }

    /// Whether two bodies are easily seen to be farther apart than `near` metres.
    fn are_farther(&self, items: [u32; 2], states: &[State; 2], near: f64) -> bool {
        let [first, second] = items.map(|i| &self.bodies[i as usize].shape);
        if !(first.has_parts() || second.has_parts()) {
            return false;
        }
        let poses = [0, 1].map(|side| self.shape_pose(items[side], states[side].world_from_body));
        least_distance(&ShapePair { first, second, first_from_second: &(poses[0].inverse() * poses[1]) }) > near
    }

    /// Adds the closest point of a pair that touches and approaches there, unless one just found touches and approaches too: round
    /// faces show some points of their rims, which may miss the one that strikes.
    fn find_striking(&mut self, pair: u32, measured: &Measured, near: f64, island: &mut Island) {
        let touch = self.pairs[pair as usize].touch;
        if measured.distance > touch || !measured.approaching() {
            return;
        }
        let enough = STRIKES * measured.velocity().dot(measured.normal);
        let begin = island.pairs.last().map_or(0, |&(_, begin)| begin);
        let strikes = |site: &Site| site.touching.gap <= touch && site.sliding().dot(site.touching.normal) <= enough;
        if !island.sites[begin..].iter().any(strikes) {
            self.find_touching(pair, measured, island, |shapes, cache, island| {
                island.found.extend(nearest_touching(shapes, (near, near), cache, &mut island.room));
            });
        }
    }

    /// Whether a near pair takes part in a hop: what bounces or parts fast has its own events.
    fn joins(&self, pair: u32, measured: &Measured, hop_velocity: f64) -> bool {
        let hop_velocity = hop_velocity.max(self.hop_of(pair, self.press(pair, measured)).velocity);
        let rate = measured.velocity().dot(measured.normal);
        if rate < 0.0 { self.is_slow(pair, measured, hop_velocity) } else { rate <= FAST * hop_velocity }
    }

    /// Adds the points of a pair with gaps up to `near` metres.
    pub(super) fn find_sites(&mut self, pair: u32, measured: &Measured, near: f64, island: &mut Island) {
        island.pairs.push((pair, island.sites.len()));
        self.find_touching(pair, measured, island, |shapes, cache, island| {
            touching_points(shapes, (near, near), cache, &mut island.room, &mut island.found);
            island.found.retain(|t| t.gap <= near);
        });
    }

    /// Adds points of a pair that a search finds.
    fn find_touching(
        &mut self,
        pair: u32,
        measured: &Measured,
        island: &mut Island,
        search: impl FnOnce(&ShapePair<'_>, &mut PairCache, &mut Island),
    ) {
        let items = self.pairs[pair as usize].items;
        let poses: [Pose; 2] = [0, 1].map(|side| self.shape_pose(items[side], measured.states[side].world_from_body));
        let first_from_second = poses[0].inverse() * poses[1];
        let [first, second] = items.map(|i| &self.bodies[i as usize]);
        let shapes = ShapePair { first: &first.shape, second: &second.shape, first_from_second: &first_from_second };
        island.found.clear();
        search(&shapes, self.pairs[pair as usize].cache.get_or_insert_default(), island);
        island.sites.extend(island.found.iter().map(|t| Site {
            pair,
            items,
            touching: t.moved(&poses[0]),
            states: measured.states,
        }));
    }
}
