//! Permutations of any number of things that need no memory: a Feistel network on the smallest power of four that holds them, walked
//! until it is among them (J. Black and P. Rogaway, "Ciphers with arbitrary finite domains", 2002).

use impulse_scenes::Random;

/// Rounds of the network. Four suffice against an adversary who sees few values (Luby and Rackoff 1988).
const ROUNDS: u64 = 6;

/// Where the permutation of a key takes `i` among `count`.
pub(super) fn permuted(key: u64, i: u64, count: u64) -> u64 {
    let half = (count.next_power_of_two().trailing_zeros()).div_ceil(2).max(1);
    let mut place = i;
    loop {
        place = network(key, place, half);
        if place < count {
            return place;
        }
    }
}

fn network(key: u64, value: u64, half: u32) -> u64 {
    let mask = (1_u64 << half) - 1;
    let (mut left, mut right) = (value >> half, value & mask);
    for round in 0..ROUNDS {
        let mixed = Random::of_trial(key.wrapping_add(round), right).whole(0, mask as i64) as u64;
        (left, right) = (right, left ^ mixed);
    }
    left << half | right
}

#[cfg(test)]
mod tests {
    use super::permuted;

    #[test]
    fn every_place_is_taken_once() {
        for count in [1, 2, 3, 7, 64, 1000, 4097] {
            let mut taken = vec![false; count as usize];
            for i in 0..count {
                assert!(!std::mem::replace(&mut taken[permuted(5, i, count) as usize], true));
            }
        }
    }
}
