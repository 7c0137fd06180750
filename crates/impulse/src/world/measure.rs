//! How far apart a pair is at a time, and how it moves (section 2.2).

use super::body::Body;
use super::pair::Pair;
use super::step::World;
use super::stopwatch::Phase;
use crate::body::State;
use crate::geometry::Plane;
use crate::geometry::closest::closest;
use crate::math::Pose;
use glam::DVec3;

/// A pair at one instant, in the world frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    /// Distance, m.
    pub(super) distance: f64,
    /// Whether the bodies share interior points.
    pub(super) overlapping: bool,
    /// Unit vector from the second body to the first.
    pub(super) normal: DVec3,
    /// Middle between the closest points, m.
    pub(super) point: DVec3,
    /// The bodies' states.
    pub(super) states: [State; 2],
    /// Velocity that rounding and the tolerance of hops leave undecided, m/s.
    pub(super) noise: f64,
}

impl Measured {
    /// Velocity of the first body relative to the second at the contact, m/s.
    pub(super) fn velocity(&self) -> DVec3 {
        self.states[0].point_velocity(self.point) - self.states[1].point_velocity(self.point)
    }

    /// Whether the closest points approach each other.
    pub(super) fn approaching(&self) -> bool {
        self.velocity().dot(self.normal) < -self.noise
    }
}

impl World {
    /// Measures a pair at a time.
    pub(super) fn measure(&mut self, pair: u32, t: f64) -> Measured {
        let states = self.states_of(pair, t);
        self.measure_in(pair, states)
    }

    /// The states of a pair's bodies at a time.
    pub(super) fn states_of(&mut self, pair: u32, t: f64) -> [State; 2] {
        let items = self.pairs[pair as usize].items;
        self.timed(Phase::Motion, |w| items.map(|i| w.bodies[i as usize].motion.state_at(t)))
    }

    /// Measures a pair whose bodies are in these states.
    pub(super) fn measure_in(&mut self, pair: u32, states: [State; 2]) -> Measured {
        self.counters.measurements += 1;
        let items = self.pairs[pair as usize].items;
        let pair = &mut self.pairs[pair as usize];
        let [first, second] = items.map(|i| &self.bodies[i as usize]);
        let mut measured = match (first.ball, second.ball) {
            (Some(a), Some(b)) => balls(states, a + b, a),
            (Some(radius), _) if let Some(plane) = &second.wall => ball_and_wall(states, radius, plane, 0),
            (_, Some(radius)) if let Some(plane) = &first.wall => ball_and_wall(states, radius, plane, 1),
            _ => shapes(pair, first, second, states),
        };
        measured.noise = self.settings.noise(pair.touch, states.map(|s| s.velocity));
        if !measured.overlapping {
            self.min_separation = self.min_separation.min(measured.distance);
        }
        measured
    }

    /// The point at which a measured pair touches and approaches, if there is one: the closest, or another as close that
    /// approaches faster.
    pub(super) fn touching(&mut self, pair: u32, measured: Measured) -> Option<Measured> {
        let touch = self.pairs[pair as usize].touch;
        if measured.distance > touch {
            return None;
        }
        if measured.approaching() || self.pairs[pair as usize].cache.is_none() {
            return measured.approaching().then_some(measured);
        }
        let mut island = std::mem::take(&mut self.island);
        island.begin();
        self.find_sites(pair, &measured, touch, &mut island);
        let fastest = island
            .sites
            .iter()
            .map(|site| Measured { normal: site.touching.normal, point: site.point(), ..measured })
            .min_by(|a, b| a.velocity().dot(a.normal).total_cmp(&b.velocity().dot(b.normal)));
        self.island = island;
        fastest.filter(Measured::approaching)
    }
}

fn balls(states: [State; 2], reach: f64, first_radius: f64) -> Measured {
    let [a, b] = states.map(|s| s.world_from_body.translation);
    let between = a - b;
    let length = between.length();
    let normal = if length > 0.0 { between / length } else { DVec3::Z };
    let distance = length - reach;
    Measured {
        distance,
        overlapping: distance < 0.0,
        normal,
        point: a - normal * (first_radius + 0.5 * distance),
        states,
        noise: 0.0,
    }
}

/// The ball is the body on the given side.
fn ball_and_wall(states: [State; 2], radius: f64, plane: &Plane, side: usize) -> Measured {
    let centre = states[side].world_from_body.translation;
    let distance = plane.height(centre) - radius;
    Measured {
        distance,
        overlapping: distance <= 0.0,
        normal: if side == 0 { plane.normal } else { -plane.normal },
        point: centre - plane.normal * (radius + 0.5 * distance),
        states,
        noise: 0.0,
    }
}

fn shapes(pair: &mut Pair, first: &Body, second: &Body, states: [State; 2]) -> Measured {
    let world_from_first = states[0].world_from_body * first.body_from_shape;
    let world_from_second = states[1].world_from_body * second.body_from_shape;
    let first_from_second: Pose = world_from_first.inverse() * world_from_second;
    let cache = pair.cache.get_or_insert_default();
    let found = closest(&first.shape, &second.shape, &first_from_second, cache);
    let normal = world_from_first.vector(found.normal).normalize();
    Measured {
        distance: found.distance,
        overlapping: found.overlapping,
        normal,
        point: world_from_first.point(0.5 * (found.on_first + found.on_second)),
        states,
        noise: 0.0,
    }
}
