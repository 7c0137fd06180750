//! Why some parameters do not describe a shape.

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
pub(super) fn check_lengths(shape: &'static str, lengths: &[(&'static str, f64)]) -> Result<(), ShapeError> {
    match lengths.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        Some(&(parameter, value)) => Err(ShapeError::NotPositive { shape, parameter, value }),
        None => Ok(()),
    }
}
