//! The perturbed quasi-static estimate (section 7.5.2, figure 7.30): parts that settled are shaken once.
//!
//! The thesis gives no formula. Ours: a part at rest in a pose is tilted so that the line from its centre of mass straight down
//! is uniform within a cone about its rest position (solid angle, half-angle 20 degrees). Where the line leaves the hull through
//! another face, the part settles on that face and topples from there. One shake; with a cone of zero angle the estimate is the
//! quasi-static one.

use crate::landscape::Landscape;
use crate::quasi_static::quasi_static;
use glam::DVec3;
use std::f64::consts::TAU;

/// Half-angle of the thesis' cone, rad.
pub const CONE: f64 = 20.0 * TAU / 360.0;

/// Directions in a cone: rings of equal solid angle, and directions in each.
const RINGS: u32 = 64;
const AROUND: u32 = 360;

/// The probability of each pose after one shake of a part that settled quasi-statically.
pub fn perturbed(landscape: &Landscape, cone: f64) -> Vec<f64> {
    let mut after = vec![0.0; landscape.poses.len()];
    for (i, p) in quasi_static(landscape).into_iter().enumerate() {
        for (to, share) in shaken(landscape, i, cone).into_iter().enumerate() {
            after[to] += p * share;
        }
    }
    after
}

/// Where a shake takes a part from a pose: the share of its cone that leads to each pose.
pub fn shaken(landscape: &Landscape, pose: usize, cone: f64) -> Vec<f64> {
    let down = landscape.poses[pose].down;
    let (x, y) = down.any_orthonormal_pair();
    let mut shares = vec![0.0; landscape.poses.len()];
    let mut face = landscape.poses[pose].faces[0];
    let height = 1.0 - libm::cos(cone);
    for ring in 0..RINGS {
        let cosine = 1.0 - height * (f64::from(ring) + 0.5) / f64::from(RINGS);
        let sine = (1.0 - cosine * cosine).sqrt();
        for step in 0..AROUND {
            let (s, c) = libm::sincos(TAU * (f64::from(step) + 0.5) / f64::from(AROUND));
            let direction: DVec3 = cosine * down + sine * (c * x + s * y);
            face = landscape.face_beyond(face, direction);
            shares[landscape.pose_of_face(face)] += 1.0 / f64::from(RINGS * AROUND);
        }
    }
    shares
}
