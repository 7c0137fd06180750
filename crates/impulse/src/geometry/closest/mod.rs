//! Closest features: how far apart two shapes are (section 2.2), made for being asked again about bodies that moved a little.
//!
//! Queries take the pose of the second shape in the frame of the first and answer in the frame of the first: what matters is
//! relative, so that nothing is lost far from the world's origin. The caller keeps a small cache for each pair of shapes.

mod vclip;
pub mod core;
mod difference;
mod simplex;
mod polish;
pub mod search;
mod closed;
mod half_space;
mod memory;
mod assembly;
mod surface;
mod bounds;
mod descent;
pub mod pairs;
mod patch;
mod touching;

pub use self::core::Core;
pub use assembly::PiecePair;
pub use memory::PairCache;
pub(in crate::geometry) use pairs::nearest_part;
pub use pairs::{ShapePair, closest, for_each_part_within, for_each_within, least_distance};
pub use search::{Rounded, SearchCache, closest_convex};
pub use touching::{Touching, TouchingRoom, nearest_touching, touching_points};
pub use vclip::{Feature, FeaturePair, Penetration, closest_polyhedra, penetration_depth};

use glam::DVec3;

/// What a distance query found, in the frame of the first shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity {
    /// Distance between the shapes, m; 0 where they overlap.
    pub distance: f64,
    /// Closest point of the first shape. Where the shapes overlap, some point of it in or near the common region.
    pub on_first: DVec3,
    /// Closest point of the second shape.
    pub on_second: DVec3,
    /// Unit vector from the second shape towards the first; where they overlap, some unit vector.
    pub normal: DVec3,
    /// Whether the shapes share interior points.
    pub overlapping: bool,
    /// Steps the search took: feature pairs, simplices or pairs of tree nodes looked at.
    pub steps: u32,
}
