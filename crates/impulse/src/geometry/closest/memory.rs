//! The cache of a pair of shapes between two distance queries (section 2.2.1: coherence).

use super::part_pair::PartPair;
use super::search::SearchCache;
use super::vclip::FeaturePair;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The cache of a pair of shapes between two distance queries. Any value is valid; a good one saves time.
///
/// Shapes of many parts remember the last few pairs of parts that were near.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct PairCache {
    entries: [CacheEntry; REMEMBERED_PARTS],
    /// The entry to be replaced next.
    oldest: u8,
    /// The entry of the nearest pair.
    nearest: u8,
    /// Searches without proof that are not counted in an entry.
    unproven: u32,
}

/// Pairs of parts remembered: a body at rest touches in about three.
const REMEMBERED_PARTS: usize = 4;

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct CacheEntry {
    /// The pair of parts plus one; zero means none.
    key: (u32, u32),
    memory: Memory,
}

/// The cache of a pair of parts.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Memory {
    pub(super) search: SearchCache,
    pub(super) features: FeaturePair,
}

impl Memory {
    /// A start for another pair of parts in the same place, with `direction` in the frame of its first part.
    pub(super) fn for_neighbour(&self, direction: DVec3) -> Self {
        Self { search: self.search.turned(direction), features: FeaturePair::default() }
    }
}

impl PairCache {
    /// How many searches for this pair of shapes ended without a proof that the distance is accurate to rounding.
    pub fn unproven(&self) -> u32 {
        self.entries.iter().fold(self.unproven, |sum, entry| sum.wrapping_add(entry.memory.search.unproven))
    }

    /// The memory of two shapes of one part each.
    pub(super) fn only(&mut self) -> &mut Memory {
        &mut self.entries[0].memory
    }

    /// The pair of parts that was nearest last time.
    pub(super) fn nearest(&self) -> Option<PartPair> {
        let (first, second) = self.entries[usize::from(self.nearest) % REMEMBERED_PARTS].key;
        Some(PartPair { first: first.checked_sub(1)?, second: second.checked_sub(1)? })
    }

    /// What is remembered about a pair of parts.
    pub(super) fn recall(&self, pair: PartPair) -> Option<Memory> {
        self.position(pair).map(|index| self.entries[index].memory)
    }

    /// Remembers a pair of parts, in place of the oldest entry if it is new. Returns its index.
    pub(super) fn keep(&mut self, pair: PartPair, memory: Memory) -> u8 {
        let index = self.position(pair).unwrap_or_else(|| {
            let index = usize::from(self.oldest) % REMEMBERED_PARTS;
            self.oldest = (index as u8 + 1) % REMEMBERED_PARTS as u8;
            index
        });
        self.entries[index] = CacheEntry { key: key(pair), memory };
        index as u8
    }

    /// Remembers a pair of parts as the nearest.
    pub(super) fn keep_nearest(&mut self, pair: PartPair, memory: Memory) {
        self.nearest = self.keep(pair, memory);
    }

    /// Adds the count of a memory, which may be dropped, to the total.
    pub(super) fn count(&mut self, memory: &mut Memory) {
        self.unproven = self.unproven.wrapping_add(std::mem::take(&mut memory.search.unproven));
    }

    fn position(&self, pair: PartPair) -> Option<usize> {
        self.entries.iter().position(|entry| entry.key == key(pair))
    }
}

fn key(pair: PartPair) -> (u32, u32) {
    (pair.first + 1, pair.second + 1)
}
