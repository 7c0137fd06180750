//! Controllers in a snapshot.

use super::super::data::World;
use super::super::error::SnapshotError;
use super::super::scheduled::Scheduled;
use super::controller::{Controller, ControllerState};
use super::manage::{check_goal, outputs};

impl World {
    pub(crate) fn save_controllers(&self) -> Vec<Option<ControllerState>> {
        self.controllers.iter().map(|c| c.as_ref().map(|c| c.state.clone())).collect()
    }

    /// Restores controllers: after all bodies and joints.
    pub(crate) fn restore_controllers(&mut self, saved: Vec<Option<ControllerState>>) -> Result<(), SnapshotError> {
        for (number, state) in (0..).zip(saved) {
            let controller = state.map(|state| {
                if !self.is_plausible(&state) {
                    return Err(SnapshotError::Damaged("a controller cannot work"));
                }
                let slot = self.queue.insert(state.next(), Scheduled::Control(number));
                Ok(Controller { state, slot })
            });
            self.controllers.push(controller.transpose()?);
        }
        Ok(())
    }

    /// Whether a controller of a snapshot can work here. What it acted on may have gone since its last tick.
    fn is_plausible(&self, state: &ControllerState) -> bool {
        let ControllerState { controlled, goal, clock, count, memory, last, output, .. } = state;
        let numbers = output.iter().chain(last.iter().flatten()).chain([&memory.integral]).chain(&memory.last_error);
        numbers.into_iter().all(|x| x.is_finite())
            && (clock.is_valid() && *count < 1 << 53 && clock.time(*count) >= self.now)
            && (output.len() == outputs(controlled) && check_goal(controlled, goal).is_ok())
            && self.check_controlled(controlled).is_ok()
    }
}
