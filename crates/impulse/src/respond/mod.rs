//! Collision response (thesis chapter 3): from the collision matrix, the relative velocity and the material to the impulse.
//!
//! Collision frame throughout: z is the contact normal, pointing from body 2 to body 1; `u` is the velocity of body 1's contact
//! point relative to body 2's; `p` is the impulse on body 1, and body 2 receives `-p`. [`resolve`] is the entry point for one
//! contact point, [`resolve_together`] for several that are struck at the same instant.

mod error;
mod collision_matrix;
mod restitution;
mod material;
mod impact;
mod progress;
mod straight;
mod flow;
mod sticking;
mod series;
mod slide_state;
mod plan;
mod panel;
mod path_piece;
mod sliding;
mod resolve;
mod rays;
mod path;
mod micro;
mod together;

pub use collision_matrix::{ContactBody, collision_matrix, point_response};
pub use error::ImpactError;
pub use impact::{Impact, Mode, ModeStart, Modes, Outcome};
pub use material::Material;
pub use micro::{in_friction_cone, raised_restitution, reversing_impulse};
pub use path::{path, tangential_flow};
pub use path_piece::PathPoint;
pub use rays::{Ray, RayKind, Rays, rays};
pub use resolve::resolve;
pub use restitution::Law;
pub use sticking::sticking_is_stable;
pub use together::{StruckBody, StruckOutcome, StruckPoint, StruckScratch, resolve_together};
