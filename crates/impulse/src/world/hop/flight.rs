//! The flights that follow from velocities found (section 3.5, done jointly).

use super::super::data::World;
use super::super::index::ColliderIndex;
use super::island::Island;
use crate::body::{Launch, State};

impl World {
    /// The launch of a movable body with the velocity found.
    pub(crate) fn launch_of(&self, island: &Island, place: usize) -> Launch {
        let (mover, pose) = (&island.movers[place], island.states[place].world_from_body);
        let spin = pose.inverse_vector(mover.angular_velocity);
        Launch { time: self.now, state: State { world_from_body: pose, velocity: mover.velocity, spin } }
    }

    /// The state of a body after a flight of a duration (s) with the velocity found; linkages must have been flown ahead.
    pub(crate) fn state_after(&self, island: &Island, body: ColliderIndex, duration: f64) -> State {
        let motion = self.member(body).motion();
        match island.place(body) {
            Some(place) if motion.link().is_some() => island.ahead[place as usize],
            Some(place) => motion.relaunched(self.launch_of(island, place as usize)).state_at(self.now + duration),
            None => motion.state_at(self.now + duration),
        }
    }
}
