//! The height of the centre of mass over the direction that points down: a landscape on the sphere of directions.
//!
//! With direction d down, the centre of mass c of a convex body on a floor is at the height max over its corners v of d . (v - c).
//! The minima are at the normals of faces that hold the foot of the perpendicular from c (stable faces); between the normals of two
//! neighbouring faces runs an arc of directions in which their edge touches the floor. Within the directions of one corner the
//! height falls with the angle from v - c, so everything below a level can be pushed to the arcs: what connects below a level is
//! decided by faces and arcs alone, and the merge tree of that graph is exact.

mod terrain;
mod solid_angle;
mod merge;
mod descent;
mod symmetry;

pub use merge::{Landscape, Pass, Pose};
