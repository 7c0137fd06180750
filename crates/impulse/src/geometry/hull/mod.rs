//! Convex hulls (section 2.2.2 wraps bodies in them): triangles by exact quickhull, merged into flat polygons.

mod quickhull;
mod merge;
mod build;

pub use build::{Hull, HullError, convex_hull};
