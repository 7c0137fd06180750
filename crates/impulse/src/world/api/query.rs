//! What can be asked of a world (sections 1.2, 1.3).

use super::super::data::World;
use super::super::index::BodyId;
use super::super::records::counters::Counters;
use super::super::records::event::ImpactRecord;
use super::body_ref::BodyRef;
use crate::body::{Motion, PrincipalMass, State};
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

    /// Begins or ends to keep impacts; nothing that happens depends on it.
    pub fn record_impacts(&mut self, recorded: bool) {
        self.settings.record_impacts = recorded;
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.colliders.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bodies by [`BodyId::index`]: in the order of adding as long as none was removed.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.colliders.iter().map(|c| c.id)
    }

    /// Whether a body is there: was added and not removed.
    pub fn contains(&self, body: BodyId) -> bool {
        self.collider(body).is_some()
    }

    /// The body with a name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.colliders.iter().find(|c| c.name == name).map(|c| c.id)
    }

    /// A body's name; `None` for a body that was removed.
    pub fn name(&self, body: BodyId) -> Option<&str> {
        self.collider(body).map(|c| c.name.as_str())
    }

    /// `world_from_shape` of a body at a time not before now, provided nothing strikes it until then; `None` for a body that
    /// was removed.
    pub fn pose_at(&self, body: BodyId, time: f64) -> Option<Pose> {
        self.body(body).map(|body| body.pose_at(time))
    }

    /// Angular velocity of a body at a time, axes of the shape's frame, rad/s; `None` for a body that was removed.
    pub fn spin_at(&self, body: BodyId, time: f64) -> Option<DVec3> {
        self.body(body).map(|body| body.spin_at(time))
    }

    /// State of a body's principal frame at a time not before now, provided nothing strikes it until then; `None` for a body
    /// that was removed.
    pub fn principal_state_at(&self, body: BodyId, time: f64) -> Option<State> {
        self.body(body).map(|body| body.principal_state_at(time))
    }

    /// Mass and principal moments of a free body; `None` for others and for a body that was removed.
    pub fn principal_mass(&self, body: BodyId) -> Option<PrincipalMass> {
        self.body(body)?.principal_mass()
    }

    /// The motion of a body until something changes it; `None` for a body that was removed. Keep a clone for an exact history: it
    /// holds from the time at which the body is listed by [`World::changed`] to the next such time.
    pub fn motion(&self, body: BodyId) -> Option<&Motion> {
        self.body(body).map(BodyRef::motion)
    }

    /// The bodies whose motion has changed since the beginning of the last [`World::step`], by what happened in it and by what was
    /// done to them since. A body may be listed more than once.
    pub fn changed(&self) -> &[BodyId] {
        &self.records.changed
    }

    /// Kinetic and potential energy of all free bodies now, J.
    pub fn energy(&self) -> f64 {
        self.kinetic_energy() + self.potential_energy()
    }

    /// Kinetic energy of all free bodies now, J.
    pub fn kinetic_energy(&self) -> f64 {
        self.sum(PrincipalMass::kinetic_energy) + self.energy_of_joints()[1]
    }

    /// Potential energy of all free bodies now in the field of gravity, zero at the origin, and of springs in joints, J. Other forces have
    /// none.
    pub fn potential_energy(&self) -> f64 {
        let of_gravity = self.sum(|mass, s| -mass.mass() * self.settings.gravity.dot(s.world_from_body.translation));
        of_gravity + self.energy_of_joints()[0]
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
        self.pairs.broad.close_pairs()
    }

    /// Counted work.
    pub fn counters(&self) -> Counters {
        let queue = self.queue.len() as u64;
        Counters {
            queue,
            queue_peak: self.records.counters.queue_peak.max(queue),
            pairs: self.pairs.broad.close_pairs() as u64,
            cell_updates: self.pairs.broad.work().cell_updates,
            ..self.records.counters
        }
    }

    /// Smallest distance found at any measurement, m; infinite before the first.
    pub fn min_separation(&self) -> f64 {
        self.records.min_separation
    }

    /// Hash of everything that happened so far: all events but the ticks of clocks, all impulses, and where every body is now and
    /// how it moves. Equal runs have equal hashes on every machine.
    pub fn trace_hash(&self) -> u64 {
        let mut hash = self.records.hash;
        for collider in self.colliders.iter() {
            hash.add_state(collider.id, &self.member(collider.id.collider()).state_at(self.now));
        }
        hash.value()
    }

    /// The impacts so far, if the settings ask for them; after [`World::take_impacts`], those since then.
    pub fn impacts(&self) -> &[ImpactRecord] {
        &self.records.impacts
    }

    /// Hands over the recorded impacts and forgets them. A long run that is asked now and then keeps only what happened in
    /// between.
    pub fn take_impacts(&mut self) -> Vec<ImpactRecord> {
        std::mem::take(&mut self.records.impacts)
    }

    /// Sum over all free bodies.
    fn sum<T: std::iter::Sum>(&self, of: impl Fn(&PrincipalMass, &State) -> T) -> T {
        let moving =
            self.groups.iter().filter_map(|group| Some((group.motion().mass()?, group.motion().state_at(self.now))));
        moving.map(|(mass, state)| of(mass, &state)).sum()
    }
}
