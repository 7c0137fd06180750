//! Random numbers for scenes and studies: M. O'Neill's PCG (XSH RR 64/32, technical report HMC-CS-2014-0905), the same on every
//! machine.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A stream of random numbers, determined by a seed.
///
/// Seeds are mixed before they are used: streams of seeds that follow each other start far apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Random {
    state: u64,
    increment: u64,
}

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// The stream that all scenes draw from.
const STREAM: u64 = 54;

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self::from_state(mixed(seed))
    }

    /// The stream of trial `i` of all that share a seed: a hash of both, so that trials can run in any order.
    pub fn of_trial(seed: u64, i: u64) -> Self {
        Self::from_state(mixed(mixed(seed).wrapping_add(mixed(!i))))
    }

    /// The reference implementation's initialisation.
    fn from_state(start: u64) -> Self {
        let mut random = Self { state: 0, increment: STREAM << 1 | 1 };
        random.next();
        random.state = random.state.wrapping_add(start);
        random.next();
        random
    }

    fn next(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
        let shifted = ((old >> 18 ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }

    fn next_u64(&mut self) -> u64 {
        u64::from(self.next()) << 32 | u64::from(self.next())
    }

    /// Uniform in [0, 1): one of 2^53 equally spaced numbers.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A point, uniform in the box between two corners.
    pub fn point(&mut self, low: DVec3, high: DVec3) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| self.between(low[axis], high[axis])))
    }

    /// A whole number, uniform from `low` to `high` inclusive; `low` must not exceed `high`.
    pub fn whole(&mut self, low: i64, high: i64) -> i64 {
        let span = high.wrapping_sub(low) as u64;
        // The high half of the product of two 64-bit numbers: biased by less than one part in 2^64 / span.
        let offset = (u128::from(self.next_u64()) * (u128::from(span) + 1)) >> 64;
        low.wrapping_add(offset as i64)
    }

    /// Normally distributed with mean 0 and standard deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(TAU * self.unit())
    }

    /// A unit vector, uniform on the sphere.
    pub fn direction(&mut self) -> DVec3 {
        let z = self.between(-1.0, 1.0);
        let (s, c) = libm::sincos(TAU * self.unit());
        let across = (1.0 - z * z).sqrt();
        DVec3::new(across * c, across * s, z)
    }

    /// A rotation, uniform over all rotations (K. Shoemake, "Uniform random rotations", Graphics Gems III, 1992).
    pub fn rotation(&mut self) -> DQuat {
        let share = self.unit();
        let ((s1, c1), (s2, c2)) = (libm::sincos(TAU * self.unit()), libm::sincos(TAU * self.unit()));
        let (a, b) = ((1.0 - share).sqrt(), share.sqrt());
        DQuat::from_xyzw(a * s1, a * c1, b * s2, b * c2).normalize()
    }
}

/// Every bit of the result depends on every bit of the seed (S. Vigna's SplitMix64, after Stafford's mix 13).
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::{Random, mixed};
    use glam::DVec3;

    #[test]
    fn the_first_numbers_are_those_of_the_reference_implementation() {
        // Output of the author's pcg32-demo: seed 42, stream 54.
        let mut random = Random::from_state(42);
        let expected = [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e];
        assert_eq!(expected.map(|_: u32| random.next()), expected);
    }

    #[test]
    fn numbers_have_the_moments_of_their_distributions() {
        let mut random = Random::new(1);
        let count = 40_000;
        let mean = |f: &mut dyn FnMut() -> f64| (0..count).map(|_| f()).sum::<f64>() / f64::from(count);
        // Five standard errors each.
        assert!((mean(&mut || random.unit()) - 0.5).abs() < 5.0 * 0.289 / 200.0);
        assert!(mean(&mut || random.normal()).abs() < 5.0 / 200.0);
        let square = |x: f64| x * x;
        assert!((mean(&mut || square(random.normal())) - 1.0).abs() < 5.0 * 1.415 / 200.0);
        assert!((mean(&mut || square(random.direction().z)) - 1.0 / 3.0).abs() < 5.0 * 0.299 / 200.0);
        assert!((mean(&mut || square((random.rotation() * DVec3::X).y)) - 1.0 / 3.0).abs() < 5.0 * 0.299 / 200.0);
    }

    #[test]
    fn whole_numbers_reach_both_ends_and_nothing_else() {
        let mut random = Random::new(3);
        let mut seen = [0; 4];
        for _ in 0..400 {
            seen[(random.whole(-1, 2) + 1) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 60), "{seen:?}");
        assert_eq!(random.whole(7, 7), 7);
        random.whole(i64::MIN, i64::MAX);
    }

    #[test]
    fn the_mixing_is_that_of_the_reference_implementation() {
        // Output of Vigna's splitmix64.c from state 1234567.
        assert_eq!(mixed(1_234_567), 6_457_827_717_110_365_317);
        assert_eq!(mixed(1_234_567_u64.wrapping_add(0x9e37_79b9_7f4a_7c15)), 3_203_168_211_198_807_973);
    }

    /// Seeds that follow each other once gave dependent numbers: the seed was added to the state of one stream.
    #[test]
    fn draws_of_neighbouring_seeds_and_trials_are_independent() {
        let second = |mut random: Random| {
            random.unit();
            (20.0 * random.unit()) as usize
        };
        let streams: [&dyn Fn(u64) -> Random; 3] =
            [&Random::new, &|i| Random::of_trial(7, i), &|i| Random::of_trial(i, 7)];
        for stream in streams {
            let mut cells = [0.0; 400];
            for s in 0..20_000 {
                cells[20 * second(stream(s)) + second(stream(s + 1))] += 1.0;
            }
            let chi_squared: f64 = cells.iter().map(|n| (n - 50.0) * (n - 50.0) / 50.0).sum();
            // 399 degrees of freedom: mean 399, standard deviation 28.2.
            assert!((chi_squared - 399.0).abs() < 5.0 * 28.2, "{chi_squared}");
        }
    }
}
