//! Who has met whom of late: what keeps one body of a group moving keeps the others.

use impulse::world::{BodyId, ImpactRecord};
use std::collections::BTreeMap;

/// When any two bodies met last, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    last: BTreeMap<[usize; 2], f64>,
}

impl Meetings {
    pub(crate) fn note(&mut self, records: &[ImpactRecord]) {
        for record in records {
            self.last.insert(record.bodies.map(BodyId::index), record.time);
        }
    }

    /// Pairs that have met since a time, s.
    pub(crate) fn since(&self, time: f64) -> impl Iterator<Item = [usize; 2]> {
        self.last.iter().filter(move |(_, last)| **last >= time).map(|(pair, _)| *pair)
    }

    /// For each body the number of the group that it belongs to: those that have met since a time, through bodies that can be
    /// moved.
    pub(crate) fn groups(&self, movable: &[bool], time: f64) -> Vec<usize> {
        let mut group: Vec<usize> = (0..movable.len()).collect();
        for [a, b] in self.since(time).filter(|pair| pair.iter().all(|&i| movable[i])) {
            let (kept, joined) = (group[a], group[b]);
            group.iter_mut().filter(|g| **g == joined).for_each(|g| *g = kept);
        }
        group
    }
}
