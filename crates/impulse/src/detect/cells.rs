//! Tilings of space (equation 2.7): cells of 2^l metres, the cells a box overlaps, and their hash.

use crate::geometry::Aabb;

/// A resolution: the binary logarithm of the size of its cells in metres, plus `METRE`. Finer ones are smaller numbers: the
/// thesis counts the other way.
pub(super) type Level = u8;
const METRE: i32 = 64;

/// Number of resolutions: cells from 5e-20 m to 9e18 m.
pub(super) const LEVELS: u8 = 128;

/// A box that enters a resolution is `FILL / 2` to `FILL` of a cell in size (alpha and beta of equation 2.8), and stays there until
/// it is larger than a cell or smaller than `LEAVE` of it: small changes of size do not move it back and forth.
const FILL: f64 = 0.75;
const LEAVE: f64 = 0.25;

/// The resolution for a box whose longest edge is `size` metres and which is now at `current`; `None` if no cell can hold it.
///
/// No edge is longer than a cell, so that the box overlaps at most eight (theorem 3, corrected).
pub(super) fn level_for(size: f64, current: Option<Level>) -> Option<Level> {
    let stays = |level: &Level| LEAVE <= size * cells_per_metre(*level) && size * cells_per_metre(*level) <= 1.0;
    current.filter(stays).or_else(|| {
        // The next power of two, from the exponent's bits.
        let bits = (size / FILL).to_bits();
        let exponent = (bits >> 52) as i32 - 1023 + i32::from(bits << 12 != 0);
        u8::try_from((exponent + METRE).max(0)).ok().filter(|level| *level < LEVELS)
    })
}

/// What is stored where: items at home and guests have separate buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Home,
    Guest,
}

/// A block of cells, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    min: [i64; 3],
    max: [i64; 3],
}

impl Cells {
    pub(super) const NONE: Self = Self { min: [1; 3], max: [0; 3] };

    /// The cells that the box overlaps. Far from the origin cell numbers saturate: a boundary cell then takes in everything
    /// beyond, and boxes that overlap still share one.
    pub(super) fn of(level: Level, bounds: &Aabb) -> Self {
        let scale = cells_per_metre(level);
        Self { min: (bounds.min * scale).to_array().map(floor), max: (bounds.max * scale).to_array().map(floor) }
    }

    pub(super) fn contains(&self, cell: [i64; 3]) -> bool {
        (0..3).all(|i| self.min[i] <= cell[i] && cell[i] <= self.max[i])
    }

    pub(super) fn iter(self) -> impl Iterator<Item = [i64; 3]> {
        let along = move |i: usize| self.min[i]..=self.max[i];
        along(0).flat_map(move |x| along(1).flat_map(move |y| along(2).map(move |z| [x, y, z])))
    }
}

/// The bucket's number, good in all its bits; the same on every machine.
pub(super) fn hash(level: Level, role: Role, cell: [i64; 3]) -> u64 {
    let [x, y, z] = cell.map(i64::cast_unsigned);
    let layer = u64::from(level) << 1 | role as u64;
    let sum = x
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(y.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
        .wrapping_add(z.wrapping_mul(0x1656_67b1_9e37_79f9))
        .wrapping_add(layer.wrapping_mul(0xd6e8_feb8_6659_fd93));
    let mixed = (sum ^ sum >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}

/// A power of two, so that dividing by the size of a cell is exact.
fn cells_per_metre(level: Level) -> f64 {
    f64::from_bits(((1023 + METRE - i32::from(level)) as u64) << 52)
}

/// `f64::floor` is a function call on machines without an instruction for it.
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
    fn a_box_enters_where_it_fills_three_eighths_to_three_quarters_of_a_cell() {
        for step in 0..4000 {
            let size = 1e-12 * 1.01f64.powi(step);
            let fill = size / size_of_cells(level_for(size, None).unwrap());
            assert!(0.375 < fill && fill <= 0.75, "{size} {fill}");
        }
        assert_eq!(size_of_cells(level_for(0.75, None).unwrap()), 1.0);
        assert_eq!(level_for(0.0, None), Some(0));
        assert_eq!(level_for(5e-324, None), Some(0));
        assert_eq!(level_for(1e19, None), None);
        assert_eq!(level_for(f64::INFINITY, None), None);
    }

    #[test]
    fn small_changes_of_size_change_no_resolution() {
        for step in 0..400 {
            let size = 1e-2 * 1.03f64.powi(step);
            let level = level_for(size, None);
            assert_eq!(level_for(size * 1.33, level), level);
            assert_eq!(level_for(size / 1.49, level), level);
            assert_ne!(level_for(size * 2.7, level), level);
            assert_ne!(level_for(size / 3.01, level), level);
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
            let level = level_for(bounds.size().max_element(), None).unwrap();
            let cells = Cells::of(level, &bounds);
            assert!(cells.iter().count() <= 8);
            assert!(cells.iter().all(|cell| cells.contains(cell)));
            let own = size_of_cells(level);
            for corner in [bounds.min, bounds.max] {
                let at = (corner / own).floor().to_array().map(|x| x as i64);
                assert!(cells.contains(at));
            }
        }
        assert_eq!(Cells::NONE.iter().count(), 0);
    }
}
