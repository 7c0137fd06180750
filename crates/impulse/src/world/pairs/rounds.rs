//! Marks that are wiped out in no time: what was met in the present round.

use crate::world::index::Index;

/// Numbers of the rounds in which things were met last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds {
    round: u32,
    met: Vec<u32>,
}

impl Rounds {
    /// Begins a round in which nothing was met yet, for things with numbers below `count`.
    pub(crate) fn begin(&mut self, count: usize) {
        if self.round == u32::MAX {
            *self = Self::default();
        }
        self.round += 1;
        if self.met.len() < count {
            self.met.resize(count, 0);
        }
    }

    /// Marks a thing; true where it was not met before in this round.
    #[inline]
    pub(crate) fn meet(&mut self, index: impl Index) -> bool {
        std::mem::replace(&mut self.met[index.number()], self.round) != self.round
    }

    /// Whether a thing was met in this round.
    #[inline]
    pub(crate) fn was_met(&self, index: impl Index) -> bool {
        self.met[index.number()] == self.round
    }
}

#[cfg(test)]
mod tests {
    use super::Rounds;
    use crate::world::index::PairIndex;

    #[test]
    fn a_new_round_has_met_nothing() {
        let mut rounds = Rounds { round: u32::MAX - 1, met: vec![u32::MAX - 1; 2] };
        let [a, b] = [PairIndex(0), PairIndex(2)];
        for _ in 0..3 {
            rounds.begin(3);
            assert!(!rounds.was_met(a) && rounds.meet(a) && !rounds.meet(a) && rounds.was_met(a) && !rounds.was_met(b));
        }
    }
}
