//! Pairs of bodies that never collide: those that share a joint, and those that a user says.

use super::super::index::ColliderIndex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Such pairs, the smaller number first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Barred(BTreeSet<[u32; 2]>);

impl Barred {
    /// Bars a pair.
    pub(crate) fn bar(&mut self, a: ColliderIndex, b: ColliderIndex) {
        self.0.insert([a.0.min(b.0), a.0.max(b.0)]);
    }

    /// Whether a pair is barred.
    pub(crate) fn bars(&self, a: u32, b: u32) -> bool {
        !self.0.is_empty() && self.0.contains(&[a.min(b), a.max(b)])
    }

    /// Forgets a collider.
    pub(crate) fn forget(&mut self, collider: ColliderIndex) {
        self.0.retain(|pair| !pair.contains(&collider.0));
    }

    /// Whether all pairs are of different colliders below a number.
    pub(crate) fn is_plausible(&self, colliders: usize) -> bool {
        self.0.iter().all(|[a, b]| a < b && (*b as usize) < colliders)
    }
}
