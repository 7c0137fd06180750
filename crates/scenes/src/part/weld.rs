//! Welding: vertices at the same position become one. Positions are hashed, which takes linear time and is deterministic.

use super::soup::Soup;
use glam::DVec3;
use impulse::geometry::Aabb;

/// Distance within which vertices are welded if welding equal ones leaves a surface open, relative to the diagonal of the part's
/// bounding box. Single precision and six printed digits round by less; no feature that matters is smaller.
pub(super) const NEAR: f64 = 1e-6;

/// Numbers positions. Equal ones get equal numbers; -0 equals 0.
pub(super) struct Welder {
    vertices: Vec<DVec3>,
    chains: Chains,
}

impl Welder {
    /// A welder that is fast up to some multiple of the expected number of vertices.
    pub(super) fn new(expected: usize) -> Self {
        Self { vertices: Vec::new(), chains: Chains::new(expected) }
    }

    /// The number of the vertex at `position`.
    pub(super) fn vertex(&mut self, position: DVec3) -> u32 {
        // Adding zero turns -0 into 0 and changes nothing else.
        let position = position + DVec3::ZERO;
        let slot = self.chains.slot(position.to_array().map(f64::to_bits));
        if let Some(known) = self.chains.walk(slot).find(|&v| self.vertices[v as usize] == position) {
            return known;
        }
        self.vertices.push(position);
        self.chains.push(slot)
    }

    /// The positions in the order of their numbers.
    pub(super) fn finish(self) -> Vec<DVec3> {
        self.vertices
    }
}

/// Welds vertices at equal positions. Returns how many were removed.
pub(super) fn weld_equal(soup: &mut Soup) -> usize {
    let mut welder = Welder::new(soup.vertices.len());
    let numbers: Vec<u32> = soup.vertices.iter().map(|&p| welder.vertex(p)).collect();
    replace_vertices(soup, welder.finish(), &numbers)
}

/// Goes through the vertices in order, welds each to the nearest kept vertex within `distance`, and otherwise keeps it. Returns how
/// many were removed. The kept ones are farther apart than `distance`, so that welding again changes nothing.
pub(super) fn weld_near(soup: &mut Soup, distance: f64) -> usize {
    let origin = Aabb::of_points(soup.vertices.iter().copied()).min;
    // Cells are two distances wide, so that everything within one distance is in at most eight of them.
    let cell = |p: DVec3| ((p - origin) / (2.0 * distance)).floor().to_array().map(|c| c as i64);
    let mut chains = Chains::new(soup.vertices.len());
    let mut kept: Vec<DVec3> = Vec::new();
    let mut numbers = Vec::with_capacity(soup.vertices.len());
    for &p in &soup.vertices {
        let mut nearest = (distance * distance, None);
        let (low, high) = (cell(p - distance), cell(p + distance));
        for key in cells_between(low, high) {
            for v in chains.walk(chains.slot(key)) {
                let square = kept[v as usize].distance_squared(p);
                if square < nearest.0 || (square == nearest.0 && nearest.1.is_none_or(|n| v < n)) {
                    nearest = (square, Some(v));
                }
            }
        }
        numbers.push(nearest.1.unwrap_or_else(|| {
            kept.push(p);
            chains.push(chains.slot(cell(p).map(|c| c as u64)))
        }));
    }
    replace_vertices(soup, kept, &numbers)
}

fn replace_vertices(soup: &mut Soup, vertices: Vec<DVec3>, numbers: &[u32]) -> usize {
    let removed = soup.vertices.len() - vertices.len();
    if removed > 0 {
        soup.vertices = vertices;
        soup.renumber(numbers);
    }
    removed
}

/// The keys of all cells of a small block.
fn cells_between(low: [i64; 3], high: [i64; 3]) -> impl Iterator<Item = [u64; 3]> {
    (low[0]..=high[0]).flat_map(move |x| {
        (low[1]..=high[1]).flat_map(move |y| (low[2]..=high[2]).map(move |z| [x, y, z].map(|c| c as u64)))
    })
}

/// Vertex numbers in chains by the hash of a key. The keys are not kept: the reader of a chain checks positions.
struct Chains {
    /// First of each chain; a power of two of them.
    heads: Vec<u32>,
    /// The next in the chain after each vertex.
    next: Vec<u32>,
}

const END: u32 = u32::MAX;

impl Chains {
    fn new(expected: usize) -> Self {
        Self { heads: vec![END; expected.max(16).next_power_of_two()], next: Vec::new() }
    }

    fn slot(&self, key: [u64; 3]) -> usize {
        let mut hash = 0x9E37_79B9_7F4A_7C15_u64;
        for part in key {
            // The two halves of the product together depend on every bit.
            let product = u128::from(hash ^ part) * 0xD6E8_FEB8_6659_FD93;
            hash = (product as u64) ^ ((product >> 64) as u64);
        }
        hash as usize & (self.heads.len() - 1)
    }

    fn walk(&self, slot: usize) -> impl Iterator<Item = u32> {
        let some = |v: u32| (v != END).then_some(v);
        std::iter::successors(some(self.heads[slot]), move |&v| some(self.next[v as usize]))
    }

    /// Adds the next vertex to a chain and gives its number.
    fn push(&mut self, slot: usize) -> u32 {
        let number = self.next.len() as u32;
        self.next.push(self.heads[slot]);
        self.heads[slot] = number;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::{Soup, Welder, weld_equal, weld_near};
    use glam::DVec3;
    use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};

    #[test]
    fn equal_positions_get_one_number() {
        let mut welder = Welder::new(0);
        let points = [[0.0, 1.0, 2.0], [0.5, 1.0, 2.0], [-0.0, 1.0, 2.0], [0.5, 1.0, 2.0]].map(DVec3::from_array);
        assert_eq!(points.map(|p| welder.vertex(p)), [0, 1, 0, 1]);
        assert_eq!(welder.finish(), points[..2]);
    }

    #[test]
    fn structured_positions_share_few_slots() {
        // A grid of numbers with few significant bits, where a weak hash would collide.
        let mut welder = Welder::new(64 * 64 * 16);
        for i in 0..64 * 64 * 16 {
            welder.vertex(DVec3::new(f64::from(i % 64), f64::from(i / 64 % 64) * 0.5, f64::from(i / 4096)));
        }
        let longest = (0..welder.chains.heads.len()).map(|slot| welder.chains.walk(slot).count()).max();
        assert!(longest <= Some(12), "{longest:?}");
    }

    #[test]
    fn close_positions_are_welded_across_cell_borders_to_the_nearest() {
        let xs = [0.0, 1.999, 2.001, 2.9, 3.2, 10.0];
        let vertices = xs.map(|x| DVec3::new(x, 0.0, 0.0)).to_vec();
        let mut soup = Soup { vertices, faces: [[0u32, 1, 2, 3, 4, 5]].iter().collect() };
        // 2.001 goes to 1.999; 2.9 is within 1 of it too; 3.2 is not and is kept.
        assert_eq!(weld_near(&mut soup, 1.0), 2);
        assert_eq!(soup.faces.get(0), [0, 1, 1, 1, 2, 3]);
        assert_eq!(soup.vertices.iter().map(|v| v.x).collect::<Vec<_>>(), [0.0, 1.999, 3.2, 10.0]);
        assert_eq!(weld_near(&mut soup, 1.0), 0);
    }

    fn cloud(points: &[[i32; 3]]) -> Soup {
        let vertices: Vec<DVec3> = points.iter().map(|p| DVec3::from_array(p.map(f64::from)) * 0.1).collect();
        let all: Vec<u32> = (0..vertices.len() as u32).collect();
        Soup { vertices, faces: [all].iter().collect() }
    }

    proptest! {
        // Against all pairs: what is kept is farther apart than the distance, what is not is as near to its place.
        #[test]
        fn welding_is_idempotent_and_moves_little(
            points in prop::collection::vec(prop::array::uniform3(-20..20i32), 1..60),
            distance in 0.01..1.5f64,
        ) {
            let before = cloud(&points);
            let mut after = before.clone();
            prop_assert_eq!(weld_near(&mut after, distance), before.vertices.len() - after.vertices.len());
            for (i, a) in after.vertices.iter().enumerate() {
                prop_assert!(after.vertices[..i].iter().all(|b| a.distance_squared(*b) > distance * distance));
            }
            for (&old, &new) in before.faces.get(0).iter().zip(after.faces.get(0)) {
                let moved = before.vertices[old as usize].distance_squared(after.vertices[new as usize]);
                prop_assert!(moved <= distance * distance);
            }
            let once = after.vertices.clone();
            prop_assert_eq!(weld_near(&mut after, distance), 0);
            prop_assert_eq!(after.vertices, once);
        }

        #[test]
        fn welding_equal_positions_is_idempotent(points in prop::collection::vec(prop::array::uniform3(-2..2i32), 1..60)) {
            let mut soup = cloud(&points);
            let distinct: std::collections::BTreeSet<_> = points.iter().collect();
            prop_assert_eq!(weld_equal(&mut soup), points.len() - distinct.len());
            prop_assert_eq!(soup.vertices.len(), distinct.len());
            prop_assert_eq!(weld_equal(&mut soup), 0);
        }
    }
}
