//! Exact shapes: curved bodies stay curved, where section 2.2.2 approximates them by polyhedra.
//!
//! Every shape is centred in its own frame; those with an axis have it along z. Lengths are metres.

mod sphere;
mod cuboid;
mod rounded_cuboid;
mod capsule;
mod cylinder;
mod cone;
mod ellipsoid;
mod half_space;
mod error;
mod direction;
mod rounded_box;
mod lathe;

pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use error::ShapeError;
pub use half_space::HalfSpace;
pub use rounded_cuboid::RoundedCuboid;
pub use sphere::Sphere;
