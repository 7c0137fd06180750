//! Energy that contact gives bodies where it should only take (sections 3.5, 8.1): every impulse is entered into a running sum.
//!
//! Between events nothing but gravity, scripts and applied forces changes the energy of free bodies. An impulse `p` at a contact
//! changes it by `p . u` for the mean `u` of the velocities before and after, and the part of `u` that a scripted surface brings
//! along is that body's work. With *relative* velocities the sum is therefore the energy of all free bodies minus the work of
//! scripted bodies and applied forces, up to a constant.

use serde::{Deserialize, Serialize};

/// What contact has done to the energy of free bodies so far, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct EnergyLedger {
    /// Sum up to the last event.
    pub(crate) sum: f64,
    /// What the present event adds.
    pub(crate) pending: f64,
    /// Least sum after any event.
    pub(crate) least: f64,
    /// Largest rise above the least sum before it.
    pub(crate) rise: f64,
    /// Largest kinetic energy of all free bodies at a look.
    pub(crate) largest: f64,
    /// Events with impulses until the next look.
    pub(crate) until_look: u64,
}

impl EnergyLedger {
    /// Enters energy that contact gives, J.
    pub(crate) fn give(&mut self, energy: f64) {
        self.pending += energy;
    }

    /// The points of one event act together: only their sum counts.
    pub(crate) fn close_event(&mut self) {
        self.sum += self.pending;
        self.pending = 0.0;
        self.least = self.least.min(self.sum);
        self.rise = self.rise.max(self.sum - self.least);
    }

    /// Whether all are numbers.
    pub(crate) fn is_plausible(&self) -> bool {
        [self.sum, self.pending, self.least, self.rise, self.largest].iter().all(|x| x.is_finite())
    }
}
