//! How far apart a pair is at a time, and how it moves (section 2.2).

use super::super::collider::Collider;
use super::super::data::World;
use super::super::index::PairIndex;
use super::super::pair::Pair;
use super::super::records::stopwatch::Phase;
use crate::body::State;
use crate::geometry::Plane;
use crate::geometry::closest::closest;
use crate::math::Pose;
use glam::DVec3;

/// A pair at one instant, in the world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// Distance, m.
    pub(crate) distance: f64,
    /// Whether the bodies share interior points.
    pub(crate) overlapping: bool,
    /// Unit vector from the second body to the first.
    pub(crate) normal: DVec3,
    /// Middle between the closest points, m.
    pub(crate) point: DVec3,
    /// The bodies' states.
    pub(crate) states: [State; 2],
    /// Velocity below which the bodies neither approach nor part, m/s.
    pub(crate) velocity_tolerance: f64,
}

impl Measured {
    /// Velocity of the first body relative to the second at the contact, m/s.
    pub(crate) fn velocity(&self) -> DVec3 {
        self.states[0].point_velocity(self.point) - self.states[1].point_velocity(self.point)
    }

    /// Velocity of the first body relative to the second along the normal, m/s: negative where they approach.
    pub(crate) fn normal_velocity(&self) -> f64 {
        self.velocity().dot(self.normal)
    }

    /// Whether the closest points approach each other.
    pub(crate) fn approaching(&self) -> bool {
        self.normal_velocity() < -self.velocity_tolerance
    }
}

impl World {
    /// Measures a pair at a time.
    pub(crate) fn measure(&mut self, pair: PairIndex, t: f64) -> Measured {
        let states = self.states_of(pair, t);
        self.measure_in(pair, states)
    }

    /// The states of a pair's bodies at a time.
    pub(crate) fn states_of(&mut self, pair: PairIndex, t: f64) -> [State; 2] {
        let colliders = self.pairs[pair].colliders;
        self.timed(Phase::Motion, |w| colliders.map(|c| w.member(c).state_at(t)))
    }

    /// Measures a pair whose bodies are in these states.
    pub(crate) fn measure_in(&mut self, pair: PairIndex, states: [State; 2]) -> Measured {
        self.records.counters.measurements += 1;
        let pair = &mut self.pairs[pair];
        let [first, second] = pair.colliders.map(|c| &self.colliders[c]);
        let mut measured = match (first.ball, second.ball) {
            (Some(a), Some(b)) => balls(states, a + b, a),
            (Some(radius), _) if let Some(plane) = &second.wall => ball_and_wall(states, radius, plane, 0),
            (_, Some(radius)) if let Some(plane) = &first.wall => ball_and_wall(states, radius, plane, 1),
            _ => shapes(pair, first, second, states),
        };
        let speeds = [(first, 0), (second, 1)].map(|(collider, side)| collider.surface_speed(&states[side]));
        measured.velocity_tolerance = self.settings.velocity_tolerance(pair.touch_distance, speeds);
        if !measured.overlapping {
            self.records.min_separation = self.records.min_separation.min(measured.distance);
        }
        measured
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
        velocity_tolerance: 0.0,
    }
}

/// The ball is on the given side of the pair.
fn ball_and_wall(states: [State; 2], radius: f64, plane: &Plane, side: usize) -> Measured {
    let centre = states[side].world_from_body.translation;
    let distance = plane.height(centre) - radius;
    Measured {
        distance,
        overlapping: distance <= 0.0,
        normal: if side == 0 { plane.normal } else { -plane.normal },
        point: centre - plane.normal * (radius + 0.5 * distance),
        states,
        velocity_tolerance: 0.0,
    }
}

fn shapes(pair: &mut Pair, first: &Collider, second: &Collider, states: [State; 2]) -> Measured {
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
        velocity_tolerance: 0.0,
    }
}
