//! Counted work of a run.

use serde::{Deserialize, Serialize};

/// Counted work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Events taken from the queue.
    pub events: u64,
    /// Queued events that measured one pair.
    pub checks: u64,
    /// Distances measured in all: in checks and in predictions.
    pub measurements: u64,
    /// Steps of predictions between two measurements, made with support functions alone.
    pub marches: u64,
    /// Impacts other than microcollisions.
    pub collisions: u64,
    /// Microcollisions: slow impacts, and points that pushed in a hop.
    pub microcollisions: u64,
    /// Hops of bodies in lasting contact.
    pub hops: u64,
    /// Sweeps over the points of a hop that was not solved directly.
    pub sweeps: u64,
    /// Hops whose impulses were not found to the tolerance.
    pub unconverged: u64,
    /// Blows of joints on their stops.
    pub stops: u64,
    /// Boxes made anew at their expiry.
    pub expiries: u64,
    /// Ticks of clocks.
    pub ticks: u64,
    /// New motions of linkages after impacts and changes of what acts on them, not after hops.
    #[serde(default)]
    pub launches: u64,
    /// Events in the queue now.
    pub queue: u64,
    /// Events in the queue at most.
    pub queue_peak: u64,
    /// Pairs of bodies now whose boxes overlap.
    pub pairs: u64,
    /// Cells of the spatial hash entered or left.
    pub cell_updates: u64,
}

impl Counters {
    /// Whether none is close to overflow.
    pub(crate) fn are_plausible(&self) -> bool {
        let Self { events, checks, measurements, marches, collisions, microcollisions, hops, sweeps, .. } = *self;
        let Self { unconverged, stops, expiries, ticks, launches, queue, pairs, cell_updates, .. } = *self;
        let met = [events, checks, measurements, marches, collisions, microcollisions, hops, sweeps];
        let others = [unconverged, stops, expiries, ticks, launches, queue, pairs, cell_updates];
        met.iter().chain(&others).all(|&n| n < u64::MAX / 2)
    }
}
