//! Recording impacts.

use super::super::data::World;
use super::event::ImpactRecord;

impl World {
    /// Counts an impact, enters its energy, hashes it, adds it to the watches it concerns, and keeps it if the settings ask for
    /// that.
    pub(crate) fn record(&mut self, impact: &ImpactRecord) {
        let records = &mut self.records;
        if impact.micro {
            records.counters.microcollisions += 1;
        } else {
            records.counters.collisions += 1;
        }
        records.energy.give(-impact.energy_lost);
        records.hash.add_impact(impact);
        records.watches.iter_mut().flatten().for_each(|watch| watch.note(impact));
        if self.settings.record_impacts {
            records.impacts.push(*impact);
        }
    }
}
