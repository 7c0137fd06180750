//! The broad phase (sections 2.4.2, 2.4.3): which boxes overlap, and what changed when one of them did.

use super::hash::{SavedHash, SpatialHash};
use super::item::{Item, Mobility};
use super::pairs::{ClosePair, Pairs, Partner};
use crate::geometry::Aabb;
use serde::{Deserialize, Serialize};

/// Items with boxes, and all pairs of them that are *close*.
///
/// Two items are close if their boxes overlap, touching included, and at least one of them is movable. The thesis calls boxes
/// close that share a cell (definition 1); here cells only find candidates, so that the pairs are fewer, do not depend on the
/// way they were found, and are the same for both constructors. Items are numbered from zero by the caller, densely.
///
/// Boxes may be unbounded, as those of half-spaces; such items are compared with every other.
#[derive(Clone, Debug)]
pub struct BroadPhase {
    items: Vec<Option<Item>>,
    pairs: Pairs,
    /// Without it every item is a candidate.
    hash: Option<SpatialHash>,
    /// New partners of the item being changed; a buffer.
    found: Vec<u32>,
    comparisons: u64,
}

/// Work counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Work {
    /// Cells entered or left.
    pub cell_updates: u64,
    /// Boxes looked up in search of new partners.
    pub comparisons: u64,
}

/// What one call changed. Joined pairs may reuse the numbers of parted ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Pairs that were close before, in the order of [`BroadPhase::close_to`].
    pub parted: Vec<ClosePair>,
    /// Pairs that are close now, by ascending partner.
    pub joined: Vec<ClosePair>,
}

/// The part of the state that cannot be rebuilt from the boxes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedBroadPhase {
    pairs: Pairs,
    hash: Option<SavedHash>,
    comparisons: u64,
}

impl BroadPhase {
    /// Candidates from the hierarchical hash table: the cost of a call does not grow with the number of items.
    pub fn hashed() -> Self {
        Self::new(Some(SpatialHash::new()))
    }

    /// Compares every item with every other: slow, and the reference for tests.
    pub fn naive() -> Self {
        Self::new(None)
    }

    pub(crate) fn saved(&self) -> SavedBroadPhase {
        let hash = self.hash.as_ref().map(SpatialHash::saved);
        SavedBroadPhase { pairs: self.pairs.clone(), hash, comparisons: self.comparisons }
    }

    /// Restores the broad phase of some items, and lists its pairs by number; `None` where the saved state is inconsistent.
    pub(crate) fn restored(
        saved: SavedBroadPhase,
        items: &[Option<(Aabb, Mobility)>],
        accepts: impl Fn(u32, u32) -> bool + Copy,
    ) -> Option<(Self, Vec<ClosePair>)> {
        let close = saved.pairs.checked(items.len()).filter(|_| saved.comparisons < u64::MAX / 2)?;
        // If all saved pairs differ and overlap, and there are as many as boxes that overlap, none is missing.
        let mut different: Vec<[u32; 2]> = close.iter().map(|c| c.items).collect();
        different.sort_unstable();
        different.dedup();
        let overlapping = |pair: &[u32; 2]| {
            let [a, b] = pair.map(|i| items[i as usize]);
            let movable = [a, b].iter().flatten().any(|item| item.1 == Mobility::Movable);
            movable && accepts(pair[0], pair[1]) && a.zip(b).is_some_and(|(a, b)| overlap(&a.0, &b.0))
        };
        let mut counted = Self::hashed();
        for (item, stored) in (0..).zip(items) {
            match stored {
                Some((bounds, mobility)) if bounds.min.cmple(bounds.max).all() => {
                    counted.filtered(accepts).insert(item, *bounds, *mobility, &mut Changes::default());
                }
                Some(_) => return None,
                None => {}
            }
        }
        if [close.len(), different.len()] != [counted.close_pairs(); 2] || !different.iter().all(overlapping) {
            return None;
        }
        let stored = items.iter().map(|item| item.map(|(bounds, mobility)| Item { bounds, mobility }));
        let items: Vec<Option<Item>> = stored.collect();
        let hash = match &saved.hash {
            Some(hash) => Some(SpatialHash::restored(hash, &items)?),
            None => None,
        };
        Some((Self { items, pairs: saved.pairs, hash, found: Vec::new(), comparisons: saved.comparisons }, close))
    }

    /// How many pair numbers have been used so far, including those that are free again.
    pub(crate) fn pair_numbers(&self) -> usize {
        self.pairs.numbers()
    }

    /// Adds an item. Panics if it exists, or if its box is empty (`min` above `max`) or has NaN in it.
    pub fn insert(&mut self, item: u32, bounds: Aabb, mobility: Mobility, changes: &mut Changes) {
        self.filtered(|_, _| true).insert(item, bounds, mobility, changes);
    }

    /// Changes the box of an item. Panics if there is no such item, or if the box is empty or has NaN in it.
    pub fn update(&mut self, item: u32, bounds: Aabb, changes: &mut Changes) {
        self.filtered(|_, _| true).update(item, bounds, changes);
    }

    /// For changes in which only pairs of items that a filter accepts may join. The filter is given the item that changes and its
    /// possible partner, and must answer the same for two items as long as both are there.
    pub fn filtered<F: Fn(u32, u32) -> bool>(&mut self, accepts: F) -> Filtered<'_, F> {
        Filtered { broad: self, accepts }
    }

    /// Removes an item. Panics if there is no such item.
    pub fn remove(&mut self, item: u32, changes: &mut Changes) {
        self.item(item);
        self.change(item, None, changes, |_, _| true);
    }

    /// The items close to this one, the latest first.
    pub fn close_to(&self, item: u32) -> impl Iterator<Item = Partner> {
        self.pairs.of(item)
    }

    /// Number of close pairs.
    pub fn close_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The item's box. Panics if there is no such item.
    pub fn bounds(&self, item: u32) -> Aabb {
        self.item(item).bounds
    }

    /// The work done so far.
    pub fn work(&self) -> Work {
        let cell_updates = self.hash.as_ref().map_or(0, SpatialHash::cell_updates);
        Work { cell_updates, comparisons: self.comparisons }
    }

    /// Memory held, bytes.
    pub fn bytes(&self) -> usize {
        let hash = self.hash.as_ref().map_or(0, SpatialHash::bytes);
        self.items.capacity() * size_of::<Option<Item>>() + self.pairs.bytes() + hash
    }

    fn new(hash: Option<SpatialHash>) -> Self {
        Self { items: Vec::new(), pairs: Pairs::new(), hash, found: Vec::new(), comparisons: 0 }
    }

    fn item(&self, item: u32) -> Item {
        self.items.get(item as usize).copied().flatten().expect("the item is there")
    }

    fn change(&mut self, item: u32, new: Option<Item>, changes: &mut Changes, accepts: impl Fn(u32, u32) -> bool) {
        if let Some(new) = new {
            assert!(new.bounds.min.cmple(new.bounds.max).all(), "the box of item {item} has an inside");
        }
        changes.parted.clear();
        changes.joined.clear();
        let old = std::mem::replace(&mut self.items[item as usize], new);
        if old.is_some() {
            self.part(item, new, &mut changes.parted);
        }
        if let Some(hash) = &mut self.hash {
            hash.relocate(&self.items, item, old);
        }
        if let Some(new) = new {
            self.find_partners(item, new, old);
            let accepted = self.found.iter().filter(|&&other| accepts(item, other));
            changes.joined.extend(accepted.map(|&other| self.pairs.join(item, other)));
        }
    }

    fn part(&mut self, item: u32, new: Option<Item>, parted: &mut Vec<ClosePair>) {
        let stays = |other: u32| new.is_some_and(|new| overlap(&new.bounds, &self.item(other).bounds));
        let left = self.pairs.of(item).filter(|partner| !stays(partner.item));
        parted.extend(left.map(|Partner { pair, item: other }| ClosePair::new(pair, item, other)));
        parted.iter().for_each(|left| self.pairs.part(left.pair));
    }

    /// Finds the items that an item overlaps with its new box and did not with its old one.
    fn find_partners(&mut self, item: u32, new: Item, old: Option<Item>) {
        self.found.clear();
        // Whatever overlaps a box inside the old one was found with the old one.
        if old.is_some_and(|old| old.bounds.contains(new.bounds.min) && old.bounds.contains(new.bounds.max)) {
            return;
        }
        let is_new = |other: &Item| {
            overlap(&new.bounds, &other.bounds)
                && !old.as_ref().is_some_and(|old| overlap(&old.bounds, &other.bounds))
                && (new.mobility == Mobility::Movable || other.mobility == Mobility::Movable)
        };
        let (items, found, comparisons) = (&self.items, &mut self.found, &mut self.comparisons);
        let visit = |candidate: u32| {
            if candidate == item {
                return;
            }
            *comparisons += 1;
            if items[candidate as usize].as_ref().is_some_and(is_new) {
                found.push(candidate);
            }
        };
        match &self.hash {
            None => (0..items.len() as u32).for_each(visit),
            Some(hash) => hash.candidates(item, &new.bounds, visit),
        }
        // Boxes may meet in several cells.
        self.found.sort_unstable();
        self.found.dedup();
    }
}

/// A broad phase and a filter of pairs, see [`BroadPhase::filtered`].
#[derive(Debug)]
pub struct Filtered<'a, F> {
    broad: &'a mut BroadPhase,
    accepts: F,
}

impl<F: Fn(u32, u32) -> bool> Filtered<'_, F> {
    /// Adds an item, see [`BroadPhase::insert`].
    pub fn insert(self, item: u32, bounds: Aabb, mobility: Mobility, changes: &mut Changes) {
        let items = &mut self.broad.items;
        if items.len() <= item as usize {
            items.resize(item as usize + 1, None);
        }
        assert!(items[item as usize].is_none(), "item {item} is new");
        self.broad.change(item, Some(Item { bounds, mobility }), changes, self.accepts);
    }

    /// Changes the box of an item, see [`BroadPhase::update`].
    pub fn update(self, item: u32, bounds: Aabb, changes: &mut Changes) {
        let Item { mobility, .. } = self.broad.item(item);
        self.broad.change(item, Some(Item { bounds, mobility }), changes, self.accepts);
    }
}

/// Without branches: most candidates fail along some axis, and which one cannot be predicted.
fn overlap(a: &Aabb, b: &Aabb) -> bool {
    let along = |i: usize| (a.min[i] <= b.max[i]) & (b.min[i] <= a.max[i]);
    along(0) & along(1) & along(2)
}
