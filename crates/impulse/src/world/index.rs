//! Numbers of things in a world: each kind has a type of its own, so that one cannot stand for another.

use serde::{Deserialize, Serialize};

/// A body of a world. The id of a body that was removed is never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyId {
    pub(crate) slot: u32,
    /// How many bodies had this slot before.
    pub(crate) generation: u32,
}

impl BodyId {
    /// A number from 0, given in the order of adding. Numbers of removed bodies are given again.
    pub fn index(self) -> usize {
        self.slot as usize
    }

    /// The id as 64 bits, unique within its world.
    pub fn to_bits(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.slot)
    }

    /// The id with these bits, see [`BodyId::to_bits`].
    pub fn from_bits(bits: u64) -> Self {
        Self { slot: bits as u32, generation: (bits >> 32) as u32 }
    }

    /// What detection knows the body by.
    pub(crate) fn collider(self) -> ColliderIndex {
        ColliderIndex(self.slot)
    }
}

/// What a typed vector is indexed by.
pub(crate) trait Index: Copy + Eq + Ord + std::fmt::Debug {
    fn new(number: usize) -> Self;
    fn number(self) -> usize;
}

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub(crate) struct $name(pub(crate) u32);

        impl Index for $name {
            fn new(number: usize) -> Self {
                Self(number as u32)
            }

            fn number(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// What is detected: an item of the broad phase. A body has one collider, of the same number.
    ColliderIndex
}
index! {
    /// What moves as one.
    GroupIndex
}
index! {
    /// A linkage.
    LinkageIndex
}
index! {
    /// Two colliders whose boxes overlap. Numbers are used again.
    PairIndex
}
index! {
    /// One of the members of a group.
    MemberIndex
}
