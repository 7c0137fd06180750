//! An independent judge of "nothing overlaps" (Moore and Wilhelms 1988, section 2.2, corrected): edges of one polyhedron are
//! clipped against the closed half-spaces of the other, both ways.
//!
//! This is complete: at an extreme point of the intersection two faces meet whose dimensions add to at most three, so one of them
//! is an edge or a vertex. Nothing is shared with the searches of [`closest`](super::closest), so tests may check one against the
//! other. [`overlap`] works in floats with an error bound, [`exact_meeting`] is exact for the doubles given.

mod verdict;
mod outline;
mod facets;
mod clip;
mod expansion;
mod exact;

pub use exact::{Meeting, exact_meeting};
pub use outline::{Outline, overlap};
pub use verdict::Verdict;
