//! All close pairs: the broad phase that finds them, and what is known about each (section 2.4.2).

use crate::detect::{BroadPhase, ClosePair};
use crate::world::index::{ColliderIndex, Index, PairIndex};
use crate::world::pair::Pair;

/// The broad phase, and the pairs by the numbers it gives them.
#[derive(Clone, Debug)]
pub(crate) struct PairTable {
    pub(crate) broad: BroadPhase,
    pairs: Vec<Option<Pair>>,
    /// The pair whose check is in a slot of the queue.
    pair_of_slot: Vec<PairIndex>,
}

impl PairTable {
    pub(crate) fn new(naive: bool) -> Self {
        let broad = if naive { BroadPhase::naive() } else { BroadPhase::hashed() };
        Self { broad, pairs: Vec::new(), pair_of_slot: Vec::new() }
    }

    /// The pairs of a collider and the other collider of each, the latest first.
    #[inline]
    pub(crate) fn of(&self, item: ColliderIndex) -> impl Iterator<Item = (PairIndex, ColliderIndex)> {
        self.broad.close_to(item.0).map(|partner| (PairIndex(partner.pair), ColliderIndex(partner.item)))
    }

    /// The pair of two colliders, if they are close.
    pub(crate) fn between(&self, [a, b]: [ColliderIndex; 2]) -> Option<PairIndex> {
        self.of(a).find(|(_, partner)| *partner == b).map(|(pair, _)| pair)
    }

    /// Takes up a pair under its number; its check is in a slot of the queue.
    pub(crate) fn insert(&mut self, number: PairIndex, pair: Pair) {
        let slot = pair.slot as usize;
        if self.pair_of_slot.len() <= slot {
            self.pair_of_slot.resize(slot + 1, PairIndex(u32::MAX));
        }
        self.pair_of_slot[slot] = number;
        if self.pairs.len() <= number.number() {
            self.pairs.resize(number.number() + 1, None);
        }
        self.pairs[number.number()] = Some(pair);
    }

    /// Drops a pair that has parted; gives the queue's slot of its check.
    pub(crate) fn remove(&mut self, number: PairIndex) -> Option<u32> {
        self.pairs[number.number()].take().map(|pair| pair.slot)
    }

    /// The pair whose check is in a slot of the queue.
    pub(crate) fn in_slot(&self, slot: u32) -> PairIndex {
        self.pair_of_slot[slot as usize]
    }

    /// The pair with a number; `None` where that is free.
    pub(crate) fn get(&self, number: usize) -> Option<&Pair> {
        self.pairs.get(number)?.as_ref()
    }

    /// Numbers given so far, free ones included.
    pub(crate) fn numbers(&self) -> usize {
        self.pairs.len()
    }
}

impl std::ops::Index<PairIndex> for PairTable {
    type Output = Pair;

    #[inline]
    fn index(&self, index: PairIndex) -> &Pair {
        self.pairs[index.number()].as_ref().expect("the pair is close")
    }
}

impl std::ops::IndexMut<PairIndex> for PairTable {
    #[inline]
    fn index_mut(&mut self, index: PairIndex) -> &mut Pair {
        self.pairs[index.number()].as_mut().expect("the pair is close")
    }
}

/// A close pair's number and colliders.
pub(crate) fn numbered(close: &ClosePair) -> (PairIndex, [ColliderIndex; 2]) {
    (PairIndex(close.pair), close.items.map(ColliderIndex))
}
