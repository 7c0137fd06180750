//! Pairs of parts of two shapes (section 2.2.2).

/// A pair of parts that may be near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartPair {
    /// Number of a piece or triangle of the first shape; 0 for shapes of one part.
    pub first: u32,
    /// Number of a piece or triangle of the second shape; 0 for shapes of one part.
    pub second: u32,
}
