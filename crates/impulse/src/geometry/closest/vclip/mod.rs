//! Closest features of convex polyhedra tracked through Voronoi regions (section 2.2.1), in the robust form its author gave it
//! later: Mirtich, *V-Clip: fast and robust polyhedral collision detection*, ACM Transactions on Graphics 17 (1998).
//!
//! A pair of features is closest if each holds a point that lies in the Voronoi region of the other (theorem 1). From any other
//! pair [`states`] names a neighbouring pair that is closer, or equally close and of lower dimension. In exact arithmetic no
//! pair can occur twice; with rounding one can, which is detected, and [`exhaustive`] answers instead.

mod views;
mod states;
mod witness;
mod segments;
mod exhaustive;
mod track;
mod depth;

pub use depth::{Penetration, penetration_depth};
pub use track::closest_polyhedra;
pub(super) use track::closest_polyhedra_within;
pub use views::{Feature, FeaturePair};
