//! The flights that follow from velocities found (section 3.5, done jointly).

use super::super::data::World;
use super::super::index::ColliderIndex;
use super::island::Island;
use crate::body::{Launch, Motion, State};

impl World {
    /// The launch of a movable body with the velocity found.
    pub(crate) fn launch_of(&self, island: &Island, place: usize) -> Launch {
        let (mover, pose) = (&island.movers[place], island.states[place].world_from_body);
        let spin = pose.inverse_vector(mover.angular_velocity);
        Launch { time: self.now, state: State { world_from_body: pose, velocity: mover.velocity, spin } }
    }

    /// The motion of a body with the velocity found.
    pub(crate) fn motion_after(&self, island: &Island, body: ColliderIndex) -> Motion {
        let motion = self.member(body).motion();
        match island.place(body) {
            Some(place) => motion.relaunched(self.launch_of(island, place as usize)),
            None => motion.clone(),
        }
    }
}
