//! Tilings of space (equation 2.7): cells of 2^l metres, the cells a box overlaps, and their hash.

use crate::geometry::Aabb;

/// A resolution: the binary logarithm of its cell size in metres, plus `METRE`. Finer levels have smaller numbers; the thesis
/// counts the other way.
pub(super) type Level = u8;
const METRE: i32 = 64;

/// Number of resolutions: cells from 5e-20 m to 9e18 m.
pub(super) const LEVELS: u8 = 128;

/// A resolution is best for boxes of `BEST_FILL / 2` to `BEST_FILL` of a cell in size, and suits them until they are larger
/// than a cell or smaller than `MIN_FILL` of it (beta and alpha of equation 2.8): so a box changes level only after its size
/// has at least doubled or halved.
const BEST_FILL: f64 = 0.5;
const MIN_FILL: f64 = 0.125;

/// Whether a box whose longest edge is `size` metres may stay at a level.
///
/// No edge is longer than a cell, so that the box overlaps at most eight (theorem 3, corrected).
pub(super) fn suits(size: f64, level: Level) -> bool {
    let fill = size * cells_per_metre(level);
    (MIN_FILL..=1.0).contains(&fill)
}

/// The best resolution for a box whose longest edge is `size` metres; `None` if no cell can hold it.
pub(super) fn level_for(size: f64) -> Option<Level> {
    // The next power of two, from the exponent's bits.
    let bits = (size / BEST_FILL).to_bits();
    let exponent = (bits >> 52) as i32 - 1023 + i32::from(bits << 12 != 0);
    u8::try_from((exponent + METRE).max(0)).ok().filter(|level| *level < LEVELS)
}

/// How an item is stored in a cell: items at home and guests have separate buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Home,
    Guest,
}

/// A box on a tiling: the block of cells that it overlaps, and where it ends within the outer ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footprint {
    first: [i64; 3],
    last: [i64; 3],
    /// The parts of the first and of the last cell in which the box ends.
    ends: [[u32; 3]; 2],
}

impl Footprint {
    pub(super) const NONE: Self = Self { first: [1; 3], last: [0; 3], ends: [[0; 3]; 2] };

    /// Far from the origin cell numbers saturate: the outermost cell then holds everything beyond it, and boxes that overlap
    /// still share a cell.
    pub(super) fn of(level: Level, bounds: &Aabb) -> Self {
        let parts_per_metre = 16.0 * cells_per_metre(level);
        let [min, max] = [bounds.min * parts_per_metre, bounds.max * parts_per_metre];
        let mut made = Self::NONE;
        for i in 0..3 {
            let [from, to] = [floor(min[i]), floor(max[i])];
            (made.first[i], made.last[i]) = (from >> 4, to >> 4);
            (made.ends[0][i], made.ends[1][i]) = ((from as u32 & 15) << (5 * i), (to as u32 & 15) << (5 * i));
        }
        made
    }

    /// Whether it overlaps the same cells as another.
    pub(super) fn has_cells_of(&self, other: &Self) -> bool {
        self.first == other.first && self.last == other.last
    }

    pub(super) fn contains(&self, cell: [i64; 3]) -> bool {
        (0..3).all(|i| self.first[i] <= cell[i] && cell[i] <= self.last[i])
    }

    pub(super) fn for_each_cell(&self, mut visit: impl FnMut([i64; 3])) {
        for x in self.first[0]..self.last[0] + 1 {
            for y in self.first[1]..self.last[1] + 1 {
                for z in self.first[2]..self.last[2] + 1 {
                    visit([x, y, z]);
                }
            }
        }
    }

    /// The part of one of its cells that the box takes up.
    pub(super) fn clip(&self, cell: [i64; 3]) -> CellClip {
        let min = |i: usize| if cell[i] == self.first[i] { self.ends[0][i] } else { 0 };
        let max = |i: usize| if cell[i] == self.last[i] { self.ends[1][i] } else { 15 << (5 * i) };
        CellClip(min(0) | min(1) | min(2) | (max(0) | max(1) | max(2)) << 16)
    }
}

/// A block of a cell's 16 x 16 x 16 parts: it tells most boxes in a cell apart without looking them up. Rounding is monotone,
/// so where boxes overlap in the cell their blocks do too.
///
/// The three lower ends are in the lower half, the upper ones in the upper half, each with four bits and a guard bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellClip(u32);

impl CellClip {
    pub(super) const WHOLE: Self = Self((15 | 15 << 5 | 15 << 10) << 16);

    /// Not zero where there is a gap between the blocks. Compares all six ends at once: a guard bit, set before the
    /// subtraction, survives where nothing was borrowed.
    pub(super) fn gap(self, other: Self) -> u32 {
        const LOWER: u32 = 0xffff;
        const GUARD_BITS: u32 = 0x4210_4210;
        let upper_ends = other.0 & !LOWER | self.0 >> 16 | GUARD_BITS;
        let lower_ends = other.0 & LOWER | self.0 << 16;
        (upper_ends - lower_ends) & GUARD_BITS ^ GUARD_BITS
    }
}

/// The hash of a cell, the same on every machine. Blocks of 2 x 2 x 2 cells are scattered; the eight cells of a block are
/// adjacent, since boxes overlap neighbouring cells.
pub(super) fn hash(level: Level, role: Role, cell: [i64; 3]) -> u64 {
    let [x, y, z] = cell.map(|i| (i >> 1).cast_unsigned());
    let layer = u64::from(level) << 1 | role as u64;
    let sum = x
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(y.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
        .wrapping_add(z.wrapping_mul(0x1656_67b1_9e37_79f9))
        .wrapping_add(layer.wrapping_mul(0xd6e8_feb8_6659_fd93));
    let mixed = (sum ^ sum >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let within = (cell[0] & 1 | (cell[1] & 1) << 1 | (cell[2] & 1) << 2).cast_unsigned();
    (mixed ^ mixed >> 32) << 3 | within
}

/// A power of two, so that dividing by the size of a cell is exact.
fn cells_per_metre(level: Level) -> f64 {
    f64::from_bits(((1023 + METRE - i32::from(level)) as u64) << 52)
}

/// Rounds down and saturates. (`f64::floor` is a function call on machines without an instruction for it.)
fn floor(x: f64) -> i64 {
    let towards_zero = x as i64;
    towards_zero.saturating_sub(i64::from(towards_zero as f64 > x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn size_of_cells(level: Level) -> f64 {
        1.0 / cells_per_metre(level)
    }

    #[test]
    fn floor_is_floor() {
        for x in
            [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, -1.5, 1e15 + 0.5, -1e15 - 0.5, 1e300, -1e300, f64::MIN_POSITIVE, -1e-300]
        {
            assert_eq!(floor(x), x.floor() as i64, "{x}");
        }
    }

    #[test]
    fn a_box_enters_where_it_is_a_quarter_to_half_a_cell() {
        for step in 0..4000 {
            let size = libm::pow(1.01, f64::from(step)) * 1e-12;
            let fill = size / size_of_cells(level_for(size).unwrap());
            assert!(0.25 < fill && fill <= 0.5, "{size} {fill}");
        }
        assert_eq!(size_of_cells(level_for(0.5).unwrap()), 1.0);
        assert_eq!(level_for(0.0), Some(0));
        assert_eq!(level_for(5e-324), Some(0));
        assert_eq!(level_for(1e19), None);
        assert_eq!(level_for(f64::INFINITY), None);
    }

    #[test]
    fn small_changes_of_size_change_no_resolution() {
        for step in 0..400 {
            let size = libm::pow(1.03, f64::from(step)) * 1e-2;
            let level = level_for(size).unwrap();
            assert!(suits(size, level) && suits(size * 1.99, level) && suits(size / 1.99, level));
            assert!(!suits(size * 4.01, level) && !suits(size / 4.01, level));
        }
    }

    #[test]
    fn no_box_is_in_more_than_eight_cells() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..2000 {
            let min = 200.0 * DVec3::new(random() - 0.5, random() - 0.5, random() - 0.5);
            let size = libm::exp2(20.0 * random() - 10.0);
            let bounds = Aabb { min, max: min + size * DVec3::new(1.0, random(), random()) };
            let level = level_for(bounds.size().max_element()).unwrap();
            let footprint = Footprint::of(level, &bounds);
            let mut count = 0;
            footprint.for_each_cell(|cell| {
                assert!(footprint.contains(cell));
                count += 1;
            });
            assert!(count <= 8);
            let own = size_of_cells(level);
            for corner in [bounds.min, bounds.max] {
                let at = (corner / own).floor().to_array().map(|x| x as i64);
                assert!(footprint.contains(at));
            }
        }
        Footprint::NONE.for_each_cell(|cell| panic!("no cell, not {cell:?}"));
    }

    /// Cells of one metre around boxes of all relations along one axis.
    #[test]
    fn clips_meet_where_their_blocks_do() {
        let ends = [-3.0, 0.0, 0.0624, 0.0625, 0.3, 0.5, 0.99, 1.0, 7.0];
        let ranges = || ends.iter().flat_map(|a| ends.iter().filter(move |b| a <= *b).map(move |b| [*a, *b]));
        let sixteenth = |x: f64| (16.0 * x).floor().clamp(0.0, 15.0);
        for axis in 0..3 {
            let clip = |[min, max]: [f64; 2]| {
                let mut bounds = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
                (bounds.min[axis], bounds.max[axis]) = (min, max);
                let footprint = Footprint::of(METRE as Level, &bounds);
                footprint.contains([0; 3]).then(|| footprint.clip([0; 3]))
            };
            for a in ranges() {
                for b in ranges() {
                    let Some((ours, other)) = clip(a).zip(clip(b)) else { continue };
                    let expected = sixteenth(a[0]) <= sixteenth(b[1]) && sixteenth(b[0]) <= sixteenth(a[1]);
                    assert_eq!(ours.gap(other) == 0, expected, "{a:?} {b:?}");
                }
            }
        }
    }
}
