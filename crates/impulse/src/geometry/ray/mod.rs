//! Where rays meet shapes: exact for every kind of shape (compare section 2.2, whose shapes these are).
//!
//! A convex solid shares one chord with a line, an interval with an outward normal where the line enters. Chords of simple solids
//! are closed forms or planes in turn; compounds and meshes search their trees of boxes for the part that is met first.

mod line;
mod chord;
mod solids;
mod parts;
mod cast;

pub use line::{Ray, RayError, SurfaceHit};
