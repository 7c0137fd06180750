//! Poses, rotations and the small numerical tools that everything else uses (thesis appendix A).

mod vectors;
mod pose;
mod eigen;
mod roots;
mod gauss;
mod polynomial;
pub(crate) mod elliptic;
pub(crate) mod theta;

pub use eigen::{SymmetricEigen, symmetric_eigen};
pub(crate) use gauss::{
    COARSE, FEW_POINTS, FINE, GAUSS_INTEGRALS, GAUSS_PLACES, GAUSS_POINTS, GAUSS_STIFF, GaussRule, REFINEMENT,
};
pub(crate) use polynomial::{
    COEFFICIENTS, Value, bernstein, derivative, first_zero, integral, shifted, through, value,
};
pub use pose::Pose;
pub use roots::{Roots, quadratic_roots};
pub(crate) use vectors::is_moderate;
pub use vectors::{any_perpendicular, cross_matrix, outer, rotation_vector};
