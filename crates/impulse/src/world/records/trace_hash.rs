//! A hash of everything that happened: equal for equal runs, on every machine.

use super::event::ImpactRecord;

/// A hash of everything that happened, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TraceHash(u64);

impl Default for TraceHash {
    fn default() -> Self {
        Self(0x243F_6A88_85A3_08D3)
    }
}

impl TraceHash {
    pub(crate) fn restored(value: u64) -> Self {
        Self(value)
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }

    /// Takes in an impact: when, who, and the impulse's bits.
    pub(crate) fn add(&mut self, record: &ImpactRecord) {
        self.mix(record.time.to_bits());
        self.mix(u64::from(record.bodies[0].slot) << 32 | u64::from(record.bodies[1].slot));
        for x in record.impulse.to_array() {
            self.mix(x.to_bits());
        }
    }

    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9E37_79B9_7F4A_7C15_u128;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}
