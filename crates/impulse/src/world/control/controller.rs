//! A controller in a world.

use super::super::clock::ClockSpec;
use super::spec::{Controlled, Goal};
use crate::control::Memory;
use serde::{Deserialize, Serialize};

/// A controller in a world.
#[derive(Clone, Debug)]
pub(crate) struct Controller {
    pub(crate) state: ControllerState,
    /// The queue's slot of its next tick.
    pub(crate) slot: u32,
}

/// All that a snapshot keeps of a controller.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ControllerState {
    pub(crate) controlled: Controlled,
    pub(crate) goal: Goal,
    pub(crate) enabled: bool,
    /// Whether what it did is yet to be taken from what it acted on.
    #[serde(skip)]
    pub(crate) is_let_go: bool,
    pub(crate) clock: ClockSpec,
    /// Number of the next tick.
    pub(crate) count: u64,
    pub(crate) memory: Memory,
    /// Time of the last tick (s) and the joint's position then.
    pub(crate) last: Option<[f64; 2]>,
    /// What it does: a force for each of its joints, or force and torque on its body.
    pub(crate) output: Vec<f64>,
}

impl ControllerState {
    /// When it acts next, s.
    pub(crate) fn next(&self) -> f64 {
        self.clock.time(self.count)
    }

    /// Forgets what it did and felt.
    pub(crate) fn reset(&mut self) {
        (self.memory, self.last) = (Memory::default(), None);
        self.output.fill(0.0);
    }
}
