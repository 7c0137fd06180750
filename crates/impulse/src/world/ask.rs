//! What can be asked of a world, and how it is run (sections 1.2, 1.3).

use super::body::{Body, BodyId};
use super::error::RunError;
use super::record::{Counters, Happened, ImpactRecord, Stopped};
use super::step::World;
use crate::body::{PrincipalMass, State};
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

    /// Runs all events up to a time, that time included. Comes back earlier after a clock's stroke, and, with a budget, after
    /// that many events; call it again to go on.
    pub fn run_until(&mut self, time: f64, budget: Option<u64>) -> Result<Stopped, RunError> {
        let mut left = budget.unwrap_or(u64::MAX);
        while self.queue.peek().is_some_and(|event| event.time <= time) {
            if left == 0 {
                return Ok(Stopped::Budget);
            }
            left -= 1;
            match self.step()? {
                Some(Happened::Tick(stroke)) => return Ok(Stopped::Tick(stroke)),
                Some(Happened::Sample(stroke)) => return Ok(Stopped::Sample(stroke)),
                Some(Happened::Checked(..) | Happened::Impact(_) | Happened::Hop(..) | Happened::Boxed(_)) | None => {}
            }
        }
        self.now = self.now.max(time);
        Ok(Stopped::Reached)
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len() - self.vacant.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bodies by [`BodyId::index`]: in the order of adding as long as none was removed.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.iter().filter(|b| b.present).map(|b| b.id)
    }

    /// Whether a body is there: was added and not removed.
    pub fn contains(&self, body: BodyId) -> bool {
        self.body(body).is_some()
    }

    /// The body with a name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().find(|b| b.present && b.name == name).map(|b| b.id)
    }

    /// A body's name; `None` for a body that was removed.
    pub fn name(&self, body: BodyId) -> Option<&str> {
        self.body(body).map(|b| b.name.as_str())
    }

    /// State of a body's principal frame at a time not before now, as long as nothing strikes it until then; `None` for a body
    /// that was removed.
    pub fn state_at(&self, body: BodyId, time: f64) -> Option<State> {
        self.body(body).map(|b| b.motion.state_at(time))
    }

    /// `world_from_shape` of a body at a time; `None` for a body that was removed.
    pub fn shape_pose_at(&self, body: BodyId, time: f64) -> Option<Pose> {
        self.body(body).map(|b| b.motion.pose_at(time) * b.body_from_shape)
    }

    /// Angular velocity in the axes of the shape's frame, rad/s; `None` for a body that was removed.
    pub fn shape_spin_at(&self, body: BodyId, time: f64) -> Option<DVec3> {
        self.body(body).map(|b| b.body_from_shape.inverse_vector(b.motion.state_at(time).spin))
    }

    /// Mass (kg) and principal moments of a free body; `None` for others and for a body that was removed.
    pub fn mass(&self, body: BodyId) -> Option<PrincipalMass> {
        self.body(body)?.motion.mass().copied()
    }

    /// Kinetic and potential energy of all free bodies now, J.
    pub fn energy(&self) -> f64 {
        self.kinetic_energy() + self.potential_energy()
    }

    /// Kinetic energy of all free bodies now, J.
    pub fn kinetic_energy(&self) -> f64 {
        self.sum(|mass, s| 0.5 * (mass.mass() * s.velocity.length_squared() + (mass.moments() * s.spin).dot(s.spin)))
    }

    /// Potential energy of all free bodies now in the field of gravity, zero at the origin, J. Other forces have none.
    pub fn potential_energy(&self) -> f64 {
        self.sum(|mass, s| -mass.mass() * self.settings.gravity.dot(s.world_from_body.translation))
    }

    /// Linear momentum of all free bodies now, kg m/s.
    pub fn momentum(&self) -> DVec3 {
        self.sum(|mass, s| mass.mass() * s.velocity)
    }

    /// Angular momentum of all free bodies now about the world's origin, kg m^2/s.
    pub fn angular_momentum(&self) -> DVec3 {
        self.sum(|mass, s| {
            let pose = s.world_from_body;
            mass.mass() * pose.translation.cross(s.velocity) + pose.vector(mass.moments() * s.spin)
        })
    }

    /// Number of pairs of bodies that are watched: those whose boxes overlap.
    pub fn close_pairs(&self) -> usize {
        self.broad.close_pairs()
    }

    /// Counted work.
    pub fn counters(&self) -> Counters {
        let queue = self.queue.len() as u64;
        Counters {
            queue,
            queue_peak: self.counters.queue_peak.max(queue),
            pairs: self.broad.close_pairs() as u64,
            cell_updates: self.broad.work().cell_updates,
            ..self.counters
        }
    }

    /// Smallest distance found at any measurement, m; infinite before the first.
    pub fn min_separation(&self) -> f64 {
        self.min_separation
    }

    /// Hash of everything that happened so far.
    pub fn trace_hash(&self) -> u64 {
        self.hash.value()
    }

    /// The impacts so far, if the settings ask for them; after [`World::take_impacts`], those since then.
    pub fn impacts(&self) -> &[ImpactRecord] {
        &self.impacts
    }

    /// Hands over the recorded impacts and forgets them. A long run that is asked now and then keeps only what happened in
    /// between.
    pub fn take_impacts(&mut self) -> Vec<ImpactRecord> {
        std::mem::take(&mut self.impacts)
    }

    /// A body that is there.
    pub(super) fn body(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id.index()).filter(|b| b.present && b.id == id)
    }

    /// Sum over all free bodies.
    fn sum<T: std::iter::Sum>(&self, of: impl Fn(&PrincipalMass, &State) -> T) -> T {
        self.bodies.iter().filter_map(|b| Some(of(b.motion.mass()?, &b.motion.state_at(self.now)))).sum()
    }
}
