//! Impacts between pairs of bodies, counted as a run goes on.

use impulse::world::{BodyId, ImpactRecord};
use std::collections::BTreeMap;

/// Number and hardest impulse of the impacts of every pair; microcollisions do not count.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<[BodyId; 2], (u64, f64)>);

impl Tally {
    /// Counts an impact.
    pub fn note(&mut self, record: &ImpactRecord) {
        if record.micro {
            return;
        }
        let (count, hardest) = self.0.entry(ordered(record.bodies)).or_insert((0, 0.0));
        *count += 1;
        *hardest = record.impulse.length().max(*hardest);
    }

    /// Number of impacts of two bodies, and the hardest impulse, N s.
    pub fn between(&self, pair: [BodyId; 2]) -> (u64, f64) {
        self.0.get(&ordered(pair)).copied().unwrap_or((0, 0.0))
    }
}

fn ordered([a, b]: [BodyId; 2]) -> [BodyId; 2] {
    if a < b { [a, b] } else { [b, a] }
}
