//! Random quantities, with few digits so that scripts stay readable.

use super::random::Stream;
use impulse::DVec3;

/// A number with four significant digits.
pub(crate) fn short(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

/// A vector of such numbers.
pub(crate) fn short_vector(v: DVec3) -> DVec3 {
    DVec3::new(short(v.x), short(v.y), short(v.z))
}

impl Stream {
    /// The stream of a scene.
    pub(crate) fn of(kind: usize, seed: u64, attempt: u64) -> Self {
        let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ((kind as u64) << 32) ^ (attempt << 56) ^ 0x5EED;
        let mut stream = Self(mixed.wrapping_mul(0xD134_2543_DE82_EF95));
        stream.next();
        stream
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        short(low + (high - low) * self.next())
    }

    /// Evenly in the logarithm.
    pub(crate) fn log_between(&mut self, low: f64, high: f64) -> f64 {
        short(low * libm::pow(high / low, self.next()))
    }

    /// A whole number from the first to the last.
    pub(crate) fn whole(&mut self, first: usize, last: usize) -> usize {
        first + (self.next() * (last - first + 1) as f64) as usize
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.whole(0, all.len() - 1)]
    }

    /// Whether something happens with a probability.
    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        self.next() < probability
    }

    /// A vector in a cube of sides from -size to size.
    pub(crate) fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    /// Any rotation, as a quaternion of any length, real part first.
    pub(crate) fn rotation(&mut self) -> [f64; 4] {
        [self.between(0.1, 1.0), self.between(-0.7, 0.7), self.between(-0.7, 0.7), self.between(-0.7, 0.7)]
    }

    /// A tilt about a horizontal axis: none, or 1e-9 to 0.1 rad. As a rotation, and in rad.
    pub(crate) fn tilt(&mut self) -> ([f64; 4], f64) {
        let angle = if self.happens(0.2) { 0.0 } else { self.log_between(1e-9, 0.1) };
        let direction = 2.0 * std::f64::consts::PI * self.next();
        let axis = if self.happens(0.4) { [1.0, 0.0] } else { [libm::cos(direction), libm::sin(direction)] };
        ([1.0, short(0.5 * angle * axis[0]), short(0.5 * angle * axis[1]), 0.0], angle)
    }

    /// Numbers of bodies in a heap: mostly few.
    pub(crate) fn many(&mut self) -> usize {
        if self.happens(0.1) { self.whole(13, 30) } else { self.whole(3, 12) }
    }
}
