//! Exact shapes: curved bodies stay curved, where section 2.2.2 approximates them by polyhedra.
//!
//! Every shape is centred in its own frame; those with an axis have it along z. Lengths are metres.

pub mod sphere;
pub mod cuboid;
pub mod rounded_cuboid;
pub mod capsule;
pub mod cylinder;
pub mod cone;
pub mod ellipsoid;
pub mod half_space;
mod rounded_box;
mod lathe;

pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use half_space::HalfSpace;
pub use rounded_cuboid::RoundedCuboid;
pub use sphere::Sphere;

use glam::DVec3;

/// Why some parameters do not describe a shape.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length is zero, negative, NaN or infinite.
    #[error("{shape}: {parameter} is {value}; give a positive, finite length in metres")]
    NotPositive {
        /// The shape.
        shape: &'static str,
        /// Which of its lengths.
        parameter: &'static str,
        /// What was given, metres.
        value: f64,
    },
    /// An edge is rounded by more than there is to round.
    #[error("rounded cuboid: radius is {radius}; give at most half the smallest side, {limit} m")]
    RoundingTooLarge {
        /// What was given, metres.
        radius: f64,
        /// Half the smallest side, metres.
        limit: f64,
    },
    /// A normal without direction: zero, NaN or infinite.
    #[error("half-space: normal is {normal}; give a finite vector that is not zero")]
    NoDirection {
        /// What was given.
        normal: DVec3,
    },
    /// A half-space's offset is NaN or infinite.
    #[error("half-space: offset is {offset}; give a finite distance in metres")]
    NotFinite {
        /// What was given, metres.
        offset: f64,
    },
}

/// Accepts positive, finite lengths only, each named for the error message.
fn check_lengths(shape: &'static str, lengths: &[(&'static str, f64)]) -> Result<(), ShapeError> {
    match lengths.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        Some(&(parameter, value)) => Err(ShapeError::NotPositive { shape, parameter, value }),
        None => Ok(()),
    }
}

/// The unit vector along `v`, whose squared length may overflow or underflow; `X` for the zero vector.
fn unit(v: DVec3) -> DVec3 {
    let squared = v.length_squared();
    if (1e-280..1e280).contains(&squared) {
        return v / squared.sqrt();
    }
    let largest = v.abs().max_element();
    if largest > 0.0 { (v / largest).normalize() } else { DVec3::X }
}

/// The unit vector in the xy-plane along the projection of `v`; `X` where that is zero.
fn unit_across_z(v: DVec3) -> DVec3 {
    unit(DVec3::new(v.x, v.y, 0.0))
}

/// Distance from the z-axis.
fn axis_distance(p: DVec3) -> f64 {
    p.truncate().length()
}

#[cfg(test)]
mod tests {
    use super::unit;
    use glam::DVec3;

    #[test]
    fn unit_vectors_at_every_scale() {
        let v = DVec3::new(2.0, -3.0, 6.0);
        for scale in [1e-300, 1e-200, 1e-141, 1e-140, 1e-10, 1.0, 1e10, 1e139, 1e140, 1e200, 1e300] {
            assert!((unit(v * scale) - v / 7.0).length() < 4e-16, "{scale}");
        }
        // The smallest number there is.
        assert_eq!(unit(DVec3::new(0.0, -5e-324, 0.0)), -DVec3::Y);
        assert_eq!(unit(DVec3::ZERO), DVec3::X);
    }
}
