//! Everything that is recorded about a run.

use super::super::index::BodyId;
use super::super::linkage::linked::StopRecord;
use super::busiest::Business;
use super::counters::Counters;
use super::energy::EnergyLedger;
use super::event::ImpactRecord;
use super::stopwatch::Stopwatch;
use super::trace_hash::TraceHash;
use super::watch::Watch;

/// What has happened so far. Nothing that happens later depends on it.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    pub(crate) counters: Counters,
    /// Smallest distance found at any measurement, m.
    pub(crate) min_separation: f64,
    /// Time of bodies in lasting contact, counted in advance, s.
    pub(crate) lasting_counted: f64,
    pub(crate) hash: TraceHash,
    pub(crate) energy: EnergyLedger,
    pub(crate) business: Business,
    /// Impacts, if the settings ask for them.
    pub(crate) impacts: Vec<ImpactRecord>,
    /// Stops of joints, likewise.
    pub(crate) stops: Vec<StopRecord>,
    pub(crate) watches: Vec<Option<Watch>>,
    /// Bodies whose motion changed since the beginning of the last step.
    pub(crate) changed: Vec<BodyId>,
    /// Where time goes, if anybody wants to know.
    pub(crate) stopwatch: Stopwatch,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            counters: Counters::default(),
            min_separation: f64::INFINITY,
            lasting_counted: 0.0,
            hash: TraceHash::default(),
            energy: EnergyLedger::default(),
            business: Business::default(),
            impacts: Vec::new(),
            stops: Vec::new(),
            watches: Vec::new(),
            changed: Vec::new(),
            stopwatch: Stopwatch::NONE,
        }
    }
}
