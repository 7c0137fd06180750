//! Running a world without looking in between (section 1.2).

use super::super::data::World;
use super::super::error::RunError;

impl World {
    /// Runs all events up to a time, that time included. Clocks tick, but nobody is told: programs with controllers or samples
    /// call [`World::run_until`].
    pub fn run_to(&mut self, time: f64) -> Result<(), RunError> {
        while !self.run_until(time, None)?.reached() {}
        Ok(())
    }
}
