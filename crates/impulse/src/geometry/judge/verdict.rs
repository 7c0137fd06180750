//! What the judge can prove (Moore and Wilhelms 1988, section 2.2, corrected).

use glam::DVec3;

/// What the judge can prove about two outlines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Verdict {
    /// The outlines have no common point, not even on their boundaries.
    Apart,
    /// Neither of the others can be proven: gap or depth is of the order of rounding, some 1e-14 of the coordinates times the
    /// number of extreme points of the common part. Also the verdict for two half-spaces, which are not judged.
    Touching,
    /// The interiors have common points.
    Overlapping {
        /// A common inner point, in the frame of the first shape, m.
        witness: DVec3,
        /// The ball of this radius about the witness is inside both outlines, m; inside the solid if the other is a mesh.
        depth: f64,
    },
}

impl Verdict {
    /// The worse of two verdicts: the deepest overlap, else a touch.
    pub(super) fn or_worse(self, other: Self) -> Self {
        let rank = |verdict: &Self| match verdict {
            Self::Apart => f64::NEG_INFINITY,
            Self::Touching => 0.0,
            Self::Overlapping { depth, .. } => *depth,
        };
        if rank(&other) > rank(&self) { other } else { self }
    }
}
