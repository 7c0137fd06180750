//! The hierarchical spatial hash table (sections 2.4.1, 2.4.2): finds the items whose boxes may overlap a box.
//!
//! An item is *at home* in the cells it overlaps at its own resolution, at most eight of them, and a *guest* in those it
//! overlaps at coarser resolutions. Two items can meet only where the one with the larger cells is at home: an item finds its
//! partners among those at home in its cells at its own and all coarser resolutions, and among the guests in its own cells.
//! Home and guests of a cell have separate buckets (the thesis keeps them together), so that small items in one large cell are
//! not compared with each other.
//!
//! Only items at home look for guests, so guests are stored only at levels with something movable. A fixed item looks once,
//! when it is inserted, and compares itself with everything.

use super::buckets::{BucketEntry, Buckets};
use super::cells::{CellClip, Footprint, LEVELS, Level, Role, hash, level_for, suits};
use super::item::{Item, Mobility};
use crate::geometry::Aabb;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub(super) struct SpatialHash {
    buckets: Buckets,
    /// Where every item is stored.
    places: Vec<ItemPlace>,
    census: Vec<Census>,
    /// Levels at which any item is at home.
    occupied: LevelSet,
    /// Levels at which guests are stored: at least those at which something movable is at home.
    hosting: LevelSet,
    /// Levels at which something movable was at home since the last review.
    busy: LevelSet,
    /// Relocations until the next review.
    patience: usize,
    /// Items too large for any cell.
    unbounded: Vec<u32>,
    cell_updates: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemPlace {
    Absent,
    Home(Level),
    Unbounded,
}

/// The number of items at home at a level.
#[derive(Clone, Copy, Debug, Default)]
struct Census {
    fixed: u32,
    movable: u32,
}

/// A set of levels, one bit each.
type LevelSet = u128;

/// The part of the state that influences later work and cannot be rebuilt from the boxes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedHash {
    /// The level at which every item is at home, if any.
    homes: Vec<Option<Level>>,
    hosting: [u64; 2],
    busy: [u64; 2],
    patience: u64,
    cell_updates: u64,
}

impl SpatialHash {
    pub(super) fn new() -> Self {
        Self {
            buckets: Buckets::new(64),
            places: Vec::new(),
            census: vec![Census::default(); usize::from(LEVELS)],
            occupied: 0,
            hosting: 0,
            busy: 0,
            patience: 0,
            unbounded: Vec::new(),
            cell_updates: 0,
        }
    }

    pub(super) fn saved(&self) -> SavedHash {
        let home = |place: &ItemPlace| if let ItemPlace::Home(level) = *place { Some(level) } else { None };
        SavedHash {
            homes: self.places.iter().map(home).collect(),
            hosting: halves(self.hosting),
            busy: halves(self.busy),
            patience: self.patience as u64,
            cell_updates: self.cell_updates,
        }
    }

    /// Restores the table of some items; `None` where the saved state is inconsistent.
    pub(super) fn restored(saved: &SavedHash, items: &[Option<Item>]) -> Option<Self> {
        let mut hash = Self::new();
        for (item, home) in (0..).zip(&saved.homes) {
            let home = home.filter(|&level| level < LEVELS);
            let place = restored_place(*items.get(item as usize)?, home.map_or(ItemPlace::Absent, ItemPlace::Home));
            match (place, items[item as usize]) {
                (ItemPlace::Home(level), Some(stored)) if home == Some(level) => hash.count(level, stored.mobility, 1),
                (ItemPlace::Home(_), _) => return None,
                (ItemPlace::Unbounded, _) => hash.unbounded.push(item),
                (ItemPlace::Absent, _) => {}
            }
            hash.places.push(place);
        }
        if hash.places.len() != items.len() || saved.cell_updates > u64::MAX / 2 {
            return None;
        }
        hash.hosting = whole(saved.hosting) | hash.busy;
        hash.busy = whole(saved.busy);
        hash.patience = items.len().min(saved.patience as usize);
        hash.grow(items);
        while hash.buckets.entries() > 4 * hash.buckets.size() {
            hash.grow(items);
        }
        hash.cell_updates = saved.cell_updates;
        Some(hash)
    }

    /// Moves an item from its old box to the present one, updating only cells in which it changes.
    pub(super) fn relocate(&mut self, items: &[Option<Item>], item: u32, old: Option<Item>) {
        self.places.resize(items.len(), ItemPlace::Absent);
        let new = items[item as usize];
        let before = self.places[item as usize];
        let after = self.place_for(new, before);
        match (before, after, old, new) {
            (ItemPlace::Home(home), ItemPlace::Home(same), Some(old), Some(new)) if home == same => {
                self.store(item, home, [Some(&old.bounds), Some(&new.bounds)]);
            }
            _ => {
                self.leave(item, old);
                self.enter(item, after, items);
            }
        }
        self.keep_house(items);
    }

    /// Visits all items whose boxes overlap that of a stored item. Others may be visited too, and some items more than once.
    pub(super) fn candidates(&self, item: u32, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        let all = 0..self.places.len() as u32;
        let ItemPlace::Home(home) = self.places[item as usize] else { return all.for_each(visit) };
        let has_guests = self.occupied & finer_than(home) != 0;
        if has_guests && self.hosting & bit(home) == 0 {
            return all.for_each(visit);
        }
        for level in members(self.occupied & !finer_than(home)) {
            let footprint = Footprint::of(level, bounds);
            footprint.for_each_cell(|cell| {
                let clip = footprint.clip(cell);
                self.buckets.visit(hash(level, Role::Home, cell), clip, &mut visit);
                if has_guests && level == home {
                    self.buckets.visit(hash(level, Role::Guest, cell), clip, &mut visit);
                }
            });
        }
        self.unbounded.iter().for_each(|other| visit(*other));
    }

    /// Cells entered or left so far.
    pub(super) fn cell_updates(&self) -> u64 {
        self.cell_updates
    }

    pub(super) fn bytes(&self) -> usize {
        self.buckets.bytes()
            + self.places.capacity() * size_of::<ItemPlace>()
            + self.unbounded.capacity() * size_of::<u32>()
    }

    /// Where an item belongs: at its present level while that suits, else at the most populated level that suits, since every
    /// level in use has to be searched by all finer items.
    fn place_for(&self, item: Option<Item>, before: ItemPlace) -> ItemPlace {
        let Some(item) = item else { return ItemPlace::Absent };
        let size = item.bounds.size().max_element();
        let population = |level: Level| self.census[usize::from(level)].fixed + self.census[usize::from(level)].movable;
        match (level_for(size), before) {
            (None, _) => ItemPlace::Unbounded,
            (Some(_), ItemPlace::Home(current)) if suits(size, current) => before,
            (Some(best), _) => {
                let others = [best.saturating_sub(1), best + 1].into_iter().filter(|&l| l < LEVELS && suits(size, l));
                ItemPlace::Home(others.fold(best, |best, l| if population(l) > population(best) { l } else { best }))
            }
        }
    }

    fn leave(&mut self, item: u32, old: Option<Item>) {
        match (std::mem::replace(&mut self.places[item as usize], ItemPlace::Absent), old) {
            (ItemPlace::Home(home), Some(old)) => {
                self.store(item, home, [Some(&old.bounds), None]);
                self.count(home, old.mobility, -1);
            }
            (ItemPlace::Unbounded, _) => self.unbounded.retain(|other| *other != item),
            _ => {}
        }
    }

    fn enter(&mut self, item: u32, place: ItemPlace, items: &[Option<Item>]) {
        self.places[item as usize] = place;
        match (place, &items[item as usize]) {
            (ItemPlace::Home(home), Some(new)) => {
                self.count(home, new.mobility, 1);
                if new.mobility == Mobility::Movable && self.hosting & bit(home) == 0 {
                    self.host(home, items);
                }
                self.store(item, home, [None, Some(&new.bounds)]);
            }
            (ItemPlace::Unbounded, _) => self.unbounded.push(item),
            _ => {}
        }
    }

    fn count(&mut self, level: Level, mobility: Mobility, change: i32) {
        let census = &mut self.census[usize::from(level)];
        let count = match mobility {
            Mobility::Fixed => &mut census.fixed,
            Mobility::Movable => &mut census.movable,
        };
        *count = count.checked_add_signed(change).expect("no more items leave than entered");
        if census.movable > 0 {
            self.busy |= bit(level);
        }
        self.occupied &= !bit(level);
        if census.fixed + census.movable > 0 {
            self.occupied |= bit(level);
        }
    }

    /// Moves an item at home at a level from the cells of one box to those of another.
    fn store(&mut self, item: u32, home: Level, bounds: [Option<&Aabb>; 2]) {
        self.shift(item, (home, Role::Home), bounds);
        for level in members(self.hosting & coarser_than(home)) {
            self.shift(item, (level, Role::Guest), bounds);
        }
    }

    fn shift(&mut self, item: u32, (level, role): (Level, Role), bounds: [Option<&Aabb>; 2]) {
        let footprint = |bounds: Option<&Aabb>| bounds.map_or(Footprint::NONE, |bounds| Footprint::of(level, bounds));
        let (from, to) = (footprint(bounds[0]), footprint(bounds[1]));
        let stays = from.has_cells_of(&to);
        if from == to || role == Role::Guest && stays {
            return;
        }
        let entry = |footprint: &Footprint, cell| match role {
            Role::Home => BucketEntry { item, clip: footprint.clip(cell) },
            // There may be many guests; looking at one costs less than finding and rewriting it at every move.
            Role::Guest => BucketEntry { item, clip: CellClip::WHOLE },
        };
        let left = if stays { Footprint::NONE } else { from };
        left.for_each_cell(|cell| {
            if !to.contains(cell) {
                self.buckets.remove(hash(level, role, cell), entry(&from, cell));
                self.cell_updates += 1;
            }
        });
        to.for_each_cell(|cell| {
            let new = entry(&to, cell);
            if !from.contains(cell) {
                self.buckets.add(hash(level, role, cell), new);
                self.cell_updates += 1;
            } else if entry(&from, cell) != new {
                self.buckets.replace(hash(level, role, cell), entry(&from, cell), new);
            }
        });
    }

    /// Housekeeping with amortised cost: a level drops its guests only after as many relocations as there are items.
    fn keep_house(&mut self, items: &[Option<Item>]) {
        if self.patience == 0 {
            for idle in members(self.hosting & !self.busy) {
                self.evict(idle, items);
            }
            let is_busy = |level: &Level| self.census[usize::from(*level)].movable > 0;
            self.busy = members(self.hosting).filter(is_busy).fold(0, |busy, level| busy | bit(level));
            self.patience = items.len();
        }
        self.patience -= 1;
        // About a quarter of the room in the first chunks: unrelated items in a bucket cost more than vacant entries.
        if self.buckets.entries() > 4 * self.buckets.size() {
            self.grow(items);
        }
    }

    fn host(&mut self, level: Level, items: &[Option<Item>]) {
        self.hosting |= bit(level);
        self.move_guests(level, items, |bounds| [None, Some(bounds)]);
    }

    fn evict(&mut self, level: Level, items: &[Option<Item>]) {
        self.hosting &= !bit(level);
        self.move_guests(level, items, |bounds| [Some(bounds), None]);
    }

    fn move_guests(&mut self, level: Level, items: &[Option<Item>], change: impl Fn(&Aabb) -> [Option<&Aabb>; 2]) {
        for (item, stored) in (0..).zip(items) {
            match (self.places[item as usize], stored) {
                (ItemPlace::Home(home), Some(guest)) if home < level => {
                    self.shift(item, (level, Role::Guest), change(&guest.bounds));
                }
                _ => {}
            }
        }
    }

    fn grow(&mut self, items: &[Option<Item>]) {
        let cell_updates = self.cell_updates;
        self.buckets = Buckets::new(2 * self.buckets.size());
        for (item, stored) in (0..).zip(items) {
            if let (ItemPlace::Home(home), Some(stored)) = (self.places[item as usize], stored) {
                self.store(item, home, [None, Some(&stored.bounds)]);
            }
        }
        self.cell_updates = cell_updates;
    }
}

/// Where a restored item belongs: at the saved level, if that suits.
fn restored_place(item: Option<Item>, before: ItemPlace) -> ItemPlace {
    let Some(item) = item else { return ItemPlace::Absent };
    let size = item.bounds.size().max_element();
    match (level_for(size), before) {
        (None, _) => ItemPlace::Unbounded,
        (Some(_), ItemPlace::Home(level)) if suits(size, level) => before,
        (Some(best), _) => ItemPlace::Home(best),
    }
}

fn halves(set: LevelSet) -> [u64; 2] {
    [set as u64, (set >> 64) as u64]
}

fn whole([low, high]: [u64; 2]) -> LevelSet {
    u128::from(low) | u128::from(high) << 64
}

fn bit(level: Level) -> LevelSet {
    1 << level
}

fn finer_than(level: Level) -> LevelSet {
    bit(level) - 1
}

fn coarser_than(level: Level) -> LevelSet {
    !(bit(level) | finer_than(level))
}

/// The levels of a set, the finest first.
fn members(mut set: LevelSet) -> impl Iterator<Item = Level> {
    std::iter::from_fn(move || {
        let finest = (set != 0).then(|| set.trailing_zeros() as Level)?;
        set &= set - 1;
        Some(finest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    /// A deterministic stream of numbers in [0, 1).
    struct Stream(u64);

    impl Stream {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }

        fn item(&mut self) -> Option<Item> {
            let position = 4.0 * DVec3::new(self.next(), self.next(), self.next());
            let size = libm::exp2(9.0 * self.next() * self.next() - 7.0) * DVec3::new(1.0, self.next(), self.next());
            let mobility = if self.next() < 0.3 { Mobility::Fixed } else { Mobility::Movable };
            let size = if self.next() < 0.02 { DVec3::INFINITY } else { size };
            (self.next() < 0.8).then_some(Item { bounds: Aabb { min: position, max: position + size }, mobility })
        }
    }

    /// Every bucket sorted, after storing everything from the beginning at the levels it has now.
    fn rebuilt(hash: &SpatialHash, items: &[Option<Item>]) -> Vec<Vec<BucketEntry>> {
        let mut fresh = SpatialHash::new();
        (fresh.places, fresh.hosting) = (hash.places.clone(), hash.hosting);
        fresh.buckets = Buckets::new(hash.buckets.size() / 2);
        fresh.grow(items);
        contents(&fresh.buckets)
    }

    fn contents(buckets: &Buckets) -> Vec<Vec<BucketEntry>> {
        let sorted = |hash: u64| {
            let mut bucket = buckets.contents(hash);
            bucket.sort_unstable_by_key(|entry| format!("{entry:?}"));
            bucket
        };
        (0..buckets.size() as u64).map(sorted).collect()
    }

    #[test]
    fn any_history_leaves_what_storing_everything_anew_gives() {
        let mut stream = Stream(7);
        let mut hash = SpatialHash::new();
        let mut items: Vec<Option<Item>> = vec![None; 60];
        for step in 0..6000 {
            let item = (stream.next() * 60.0) as u32;
            let old = items[item as usize];
            let mut new = stream.item();
            if let (Some(new), Some(old)) = (&mut new, &old) {
                new.mobility = old.mobility;
            }
            items[item as usize] = new;
            hash.relocate(&items, item, old);
            if step % 20 == 0 {
                assert_eq!(contents(&hash.buckets), rebuilt(&hash, &items), "{step}");
            }
        }
        for item in 0..60 {
            let old = items[item as usize].take();
            hash.relocate(&items, item, old);
        }
        assert_eq!((hash.buckets.entries(), hash.occupied, hash.unbounded.len()), (0, 0, 0));
        assert!(hash.census.iter().all(|c| c.fixed + c.movable == 0));
    }

    #[test]
    fn levels_without_movable_items_lose_their_guests_in_time() {
        let cube = |size: f64| Item {
            bounds: Aabb { min: DVec3::ZERO, max: DVec3::splat(size) },
            mobility: Mobility::Movable,
        };
        let mut hash = SpatialHash::new();
        let mut items = vec![None; 11];
        for item in 0..10 {
            items[item as usize] = Some(cube(0.1));
            hash.relocate(&items, item, None);
        }
        let alone = hash.buckets.entries();
        items[10] = Some(cube(5.0));
        hash.relocate(&items, 10, None);
        assert_eq!(hash.buckets.entries(), alone + 10 + 1, "a guest each, and the large one at home");
        let large = items[10].take();
        hash.relocate(&items, 10, large);
        for _ in 0..2 * items.len() {
            hash.relocate(&items, 0, items[0]);
        }
        assert_eq!(hash.buckets.entries(), alone);
    }
}
