//! What can be asked of a world, and done to it between events.

use super::body::BodyId;
use super::error::RunError;
use super::record::{Counters, ImpactRecord};
use super::step::World;
use crate::body::State;
use crate::math::Pose;
use glam::DVec3;

impl World {
    /// Time of the last event, or the time run to, s.
    pub fn time(&self) -> f64 {
        self.now
    }

    /// When the next event is due, s; `None` where nothing is going to happen any more.
    pub fn next_event(&self) -> Option<f64> {
        self.queue.peek().map(|event| event.time)
    }

    /// Runs all events up to a time. With a budget, stops after that many events; gives whether the time was reached.
    pub fn run_until(&mut self, time: f64, budget: Option<u64>) -> Result<bool, RunError> {
        let mut left = budget.unwrap_or(u64::MAX);
        while self.queue.peek().is_some_and(|event| event.time <= time) {
            if left == 0 {
                return Ok(false);
            }
            left -= 1;
            self.step()?;
        }
        self.now = self.now.max(time);
        Ok(true)
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// All bodies in the order of adding.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len() as u32).map(BodyId)
    }

    /// The body with a name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|b| b.name == name).map(|i| BodyId(i as u32))
    }

    /// A body's name.
    pub fn name(&self, body: BodyId) -> &str {
        &self.bodies[body.index()].name
    }

    /// State of a body's principal frame at a time not before now, as long as nothing strikes it until then.
    pub fn state_at(&self, body: BodyId, time: f64) -> State {
        self.bodies[body.index()].motion.state_at(time)
    }

    /// `world_from_shape` of a body at a time.
    pub fn shape_pose_at(&self, body: BodyId, time: f64) -> Pose {
        let b = &self.bodies[body.index()];
        b.motion.pose_at(time) * b.body_from_shape
    }

    /// Angular velocity in the axes of the shape's frame, rad/s.
    pub fn shape_spin_at(&self, body: BodyId, time: f64) -> DVec3 {
        let b = &self.bodies[body.index()];
        b.body_from_shape.inverse_vector(b.motion.state_at(time).spin)
    }

    /// Kinetic and potential energy of all free bodies now, J.
    pub fn energy(&self) -> f64 {
        self.bodies
            .iter()
            .filter_map(|b| b.motion.mass().map(|m| (b, m)))
            .map(|(b, mass)| {
                let s = b.motion.state_at(self.now);
                let kinetic = 0.5 * (mass.mass() * s.velocity.length_squared() + (mass.moments() * s.spin).dot(s.spin));
                kinetic - mass.mass() * self.settings.gravity.dot(s.world_from_body.translation)
            })
            .sum()
    }

    /// Linear momentum of all free bodies now, kg m/s.
    pub fn momentum(&self) -> DVec3 {
        self.bodies
            .iter()
            .filter_map(|b| b.motion.mass().map(|m| m.mass() * b.motion.state_at(self.now).velocity))
            .sum()
    }

    /// Number of pairs of bodies that are watched: those whose boxes overlap.
    pub fn close_pairs(&self) -> usize {
        self.broad.close_pairs()
    }

    /// Counted work.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Smallest distance found at any measurement, m; infinite before the first.
    pub fn min_separation(&self) -> f64 {
        self.min_separation
    }

    /// Hash of everything that happened so far.
    pub fn trace_hash(&self) -> u64 {
        self.hash.value()
    }

    /// The impacts so far, if the settings ask for them.
    pub fn impacts(&self) -> &[ImpactRecord] {
        &self.impacts
    }
}
