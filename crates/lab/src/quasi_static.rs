//! The quasi-static estimate: a part settles on the face below its centre of mass and topples from there (7.1, section 7.5.2).

use crate::landscape::Landscape;

/// The probability of each pose of a part that is put down without swing, its attitude uniform over all rotations.
pub fn quasi_static(landscape: &Landscape) -> Vec<f64> {
    landscape.poses.iter().map(|pose| pose.solid_angle).collect()
}
