//! The broad phase (section 2.4): no overlap is missed, nothing else is reported, and moving a little costs little.

use impulse::DVec3;
use impulse::detect::{BroadPhase, Changes, ClosePair, Mobility};
use impulse::geometry::Aabb;
use proptest::prelude::*;
use std::collections::BTreeMap;

const ITEMS: usize = 24;

#[derive(Clone, Debug)]
enum Call {
    /// Inserts the item, or moves it if it is there.
    Put(usize, Aabb),
    Remove(usize),
}

/// Sizes over five decades, with points, touching boxes, half-spaces and boxes out of reach of any cell among them.
fn any_box() -> impl Strategy<Value = Aabb> {
    let corner = |scale: f64| prop::array::uniform3(-scale..scale).prop_map(DVec3::from_array);
    let edges = prop::array::uniform3(0.0..1.0f64).prop_map(DVec3::from_array);
    let cube = |n: [i8; 3]| DVec3::from_array(n.map(f64::from));
    let sized = (corner(3.0), edges.clone(), -4.0..1.5f64);
    let far = (corner(1.0), edges, prop_oneof![Just(1e18), Just(1e30), Just(1e300)]);
    prop_oneof![
        10 => sized.prop_map(|(min, edges, decade)| Aabb { min, max: min + edges * 10f64.powf(decade) }),
        1 => corner(0.01).prop_map(|p| Aabb { min: p, max: p }),
        3 => prop::array::uniform3(-3..3i8).prop_map(move |n| Aabb { min: cube(n), max: cube(n) + 1.0 }),
        1 => (0..3usize, -3.0..3.0f64).prop_map(|(axis, top)| {
            let mut max = DVec3::INFINITY;
            max[axis] = top;
            Aabb { min: DVec3::NEG_INFINITY, max }
        }),
        1 => far.prop_map(|(p, edges, away)| Aabb { min: p * away, max: p * away + edges * away * 1e-20 }),
    ]
}

fn any_call() -> impl Strategy<Value = Call> {
    prop_oneof![
        7 => (0..ITEMS, any_box()).prop_map(|(item, bounds)| Call::Put(item, bounds)),
        1 => (0..ITEMS).prop_map(Call::Remove),
    ]
}

fn overlap(a: &Aabb, b: &Aabb) -> bool {
    (0..3).all(|i| a.min[i].max(b.min[i]) <= a.max[i].min(b.max[i]))
}

/// A broad phase, and the pairs it has reported and not taken back.
struct Watched {
    broad_phase: BroadPhase,
    changes: Changes,
    close: BTreeMap<u32, [u32; 2]>,
}

impl Watched {
    fn new(broad_phase: BroadPhase) -> Self {
        Self { broad_phase, changes: Changes::default(), close: BTreeMap::new() }
    }

    fn play(&mut self, call: &Call, boxes: &[Option<Aabb>; ITEMS], mobility: &[Mobility]) {
        match *call {
            Call::Put(item, bounds) if boxes[item].is_some() => {
                self.broad_phase.update(item as u32, bounds, &mut self.changes);
            }
            Call::Put(item, bounds) => {
                self.broad_phase.insert(item as u32, bounds, mobility[item], &mut self.changes);
            }
            Call::Remove(item) if boxes[item].is_some() => self.broad_phase.remove(item as u32, &mut self.changes),
            Call::Remove(_) => self.changes = Changes::default(),
        }
        for ClosePair { pair, items } in &self.changes.parted {
            assert_eq!(self.close.remove(pair), Some(*items), "only close pairs part");
        }
        for ClosePair { pair, items } in &self.changes.joined {
            assert_eq!(self.close.insert(*pair, *items), None, "a number names one pair");
        }
    }

    fn pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs: Vec<_> = self.close.values().copied().collect();
        pairs.sort_unstable();
        pairs
    }
}

fn overlapping(boxes: &[Option<Aabb>; ITEMS], mobility: &[Mobility]) -> Vec<[u32; 2]> {
    let pairs = (0..ITEMS).flat_map(|i| (i + 1..ITEMS).map(move |j| [i, j]));
    let movable = |[i, j]: &[usize; 2]| [mobility[*i], mobility[*j]].contains(&Mobility::Movable);
    let meet = |[i, j]: &[usize; 2]| boxes[*i].zip(boxes[*j]).is_some_and(|(a, b)| overlap(&a, &b));
    pairs.filter(movable).filter(meet).map(|pair| pair.map(|i| i as u32)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn close_is_what_overlaps(
        calls in prop::collection::vec(any_call(), 1..200),
        mobility in prop::collection::vec(prop_oneof![Just(Mobility::Fixed), Just(Mobility::Movable)], ITEMS),
    ) {
        let mut boxes = [None; ITEMS];
        let [mut hashed, mut naive] = [BroadPhase::hashed(), BroadPhase::naive()].map(Watched::new);
        let removals: Vec<_> = (0..ITEMS).map(Call::Remove).collect();
        for call in calls.iter().chain(&removals) {
            hashed.play(call, &boxes, &mobility);
            naive.play(call, &boxes, &mobility);
            match *call {
                Call::Put(item, bounds) => boxes[item] = Some(bounds),
                Call::Remove(item) => boxes[item] = None,
            }
            prop_assert_eq!(&hashed.changes, &naive.changes);
            let expected = overlapping(&boxes, &mobility);
            prop_assert_eq!(hashed.broad_phase.close_pairs(), expected.len());
            prop_assert_eq!(hashed.pairs(), expected);
            for item in 0..ITEMS as u32 {
                let partners: Vec<_> = hashed.broad_phase.close_to(item).collect();
                prop_assert_eq!(&partners, &naive.broad_phase.close_to(item).collect::<Vec<_>>());
                let listed: BTreeMap<_, _> = partners.iter().map(|p| (p.pair, [item.min(p.item), item.max(p.item)])).collect();
                let reported = hashed.close.iter().filter(|(_, items)| items.contains(&item));
                prop_assert!(listed.iter().eq(reported) && listed.len() == partners.len(), "{:?}", partners);
            }
        }
        prop_assert!(hashed.close.is_empty() && hashed.broad_phase.close_pairs() == 0);
    }
}

fn cube(centre: DVec3, size: f64) -> Aabb {
    Aabb { min: centre - 0.5 * size, max: centre + 0.5 * size }
}

#[test]
fn a_box_that_stays_in_its_cells_writes_none() {
    let mut broad_phase = BroadPhase::hashed();
    let mut changes = Changes::default();
    let centre = DVec3::new(0.375, 0.375, 0.625);
    broad_phase.insert(0, cube(centre, 0.1), Mobility::Movable, &mut changes);
    let stored = broad_phase.work().cell_updates;
    // In the middle of a cell of 0.25 m; sizes on both sides of what would enter one of 0.5 m.
    for step in 0..100 {
        let size = 0.08 + 0.05 * f64::from(step % 3);
        broad_phase.update(0, cube(centre + 0.01 * f64::from(step % 2) * DVec3::ONE, size), &mut changes);
    }
    assert_eq!(broad_phase.work().cell_updates, stored);
    broad_phase.update(0, cube(centre + 0.25 * DVec3::X, 0.1), &mut changes);
    assert_eq!(broad_phase.work().cell_updates, stored + 2, "out of one cell, into the next");
}

#[test]
fn a_plate_under_a_thousand_parts_floods_nothing() {
    let mut broad_phase = BroadPhase::hashed();
    let mut changes = Changes::default();
    let plate = Aabb { min: DVec3::new(-50.0, -50.0, -0.1), max: DVec3::new(50.0, 50.0, 0.0) };
    let at = |i: u32| DVec3::new(f64::from(i % 40), f64::from(i / 40), 0.4 * f64::from(i % 5) + 0.01);
    for i in 1..=1000 {
        broad_phase.insert(i, cube(at(i), 0.1), Mobility::Movable, &mut changes);
    }
    let without = broad_phase.work().cell_updates;
    broad_phase.insert(0, plate, Mobility::Fixed, &mut changes);
    assert_eq!(changes.joined.len(), 200, "one layer in five lies on the plate");
    assert!(broad_phase.work().cell_updates - without <= 8);
    // A part meets the plate in up to eight cells, and strangers where cells share a bucket; not the thousand others.
    let before = broad_phase.work().comparisons;
    (1..=1000).for_each(|i| broad_phase.update(i, cube(at(i) + DVec3::Z * 1e-3, 0.1), &mut changes));
    let each = (broad_phase.work().comparisons - before) / 1000;
    assert!(each <= 16, "{each}");
}

#[test]
fn what_moves_at_a_thousand_scales_meets_the_drum_around_it() {
    let mut broad_phase = BroadPhase::hashed();
    let mut changes = Changes::default();
    broad_phase.insert(0, cube(DVec3::ZERO, 2.0), Mobility::Movable, &mut changes);
    for i in 1..=500 {
        let size = 0.5f64.powi(i as i32 % 20);
        broad_phase.insert(i, cube(DVec3::splat(1e-3 * f64::from(i)), size), Mobility::Movable, &mut changes);
        assert_eq!(changes.joined.first().map(|j| j.items), Some([0, i]));
    }
    broad_phase.update(0, cube(5.0 * DVec3::X, 2.0), &mut changes);
    assert_eq!(changes.parted.len(), 500);
    broad_phase.update(0, cube(DVec3::ZERO, 2.0), &mut changes);
    assert!(changes.joined.iter().map(|j| j.items[1]).eq(1..=500));
}

#[test]
#[should_panic(expected = "has an inside")]
fn nan_is_no_box() {
    let bounds = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, f64::NAN, 1.0) };
    BroadPhase::hashed().insert(0, bounds, Mobility::Movable, &mut Changes::default());
}

/// Pairs that a filter refuses never join, however boxes move; all others do.
#[test]
fn refused_pairs_never_join() {
    let unit = |x: f64| Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 1.0, 1.0) };
    let accepts = |a: u32, b: u32| (a + b) % 2 == 1;
    for mut broad in [BroadPhase::hashed(), BroadPhase::naive()] {
        let mut changes = Changes::default();
        for item in 0..6 {
            broad.filtered(accepts).insert(item, unit(0.1 * f64::from(item)), Mobility::Movable, &mut changes);
        }
        assert_eq!(broad.close_pairs(), 9);
        broad.filtered(accepts).update(0, unit(50.0), &mut changes);
        assert_eq!((changes.parted.len(), broad.close_pairs()), (3, 6));
        broad.filtered(accepts).update(0, unit(0.0), &mut changes);
        assert_eq!(changes.joined.iter().map(|close| close.items).collect::<Vec<_>>(), [[0, 1], [0, 3], [0, 5]]);
    }
}
