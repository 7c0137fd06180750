//! Collision response (thesis chapter 3): from the collision matrix, the relative velocity and the material to the impulse.
//!
//! Collision frame throughout: z is the contact normal, pointing from body 2 to body 1; `u` is the velocity of body 1's contact
//! point relative to body 2's; `p` is the impulse on body 1, and body 2 receives `-p`. [`resolve`] is the way in.

mod error;
mod collision_matrix;
mod restitution;
mod progress;
mod straight;
mod flow;
mod sticking;
mod series;
mod plan;
mod panel;
mod sliding;
mod impact;
mod rays;
mod path;
mod micro;

pub use collision_matrix::{ContactBody, collision_matrix, point_response};
pub use error::ImpactError;
pub use impact::{Impact, Material, Mode, ModeStart, Modes, Outcome, resolve};
pub use micro::{in_friction_cone, raised_restitution, reversing_impulse};
pub use path::{PathPoint, path, tangential_flow};
pub use rays::{Ray, RayKind, Rays, rays};
pub use restitution::Law;
pub use sticking::sticking_is_stable;
