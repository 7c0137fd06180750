//! Closest features and distances of two shapes (section 2.2), fast for repeated queries about bodies that moved a little.
//!
//! Queries take the pose of the second shape in the frame of the first and answer in the frame of the first: everything is
//! relative, so no digits are lost far from the world's origin. The caller keeps a small cache for each pair of shapes.

mod proximity;
mod vclip;
mod core;
mod rounded;
mod difference;
mod simplex;
mod polish;
mod search;
mod closed;
mod half_space;
mod part_pair;
mod memory;
mod convex_pair;
mod assembly;
mod surface;
mod bounds;
mod descent;
mod pairs;
mod patch;
mod touch;
mod outline;
mod touching;

pub use memory::PairCache;
pub(in crate::geometry) use pairs::nearest_part;
pub use pairs::{ShapePair, closest, for_each_part_within, for_each_within, least_distance};
pub use part_pair::PartPair;
pub use proximity::Proximity;
pub use touch::Touching;
pub use touching::{Reach, TouchingBuffers, nearest_touching, touching_points};
pub use vclip::{Feature, FeaturePair, Penetration, closest_polyhedra, penetration_depth};
