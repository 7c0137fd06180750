//! The Minkowski sum of a box, which may be flat, a segment or a point, and a ball: what spheres, capsules and rounded cuboids
//! have in common (section 6.1 for the integrals).

use super::direction::unit;
use super::lathe::{lathe, quarter_arc};
use crate::geometry::solid::circle_segments;
use crate::geometry::{Solid, TriangleMesh, VolumeIntegrals};
use glam::{DMat3, DVec2, DVec3};
use std::f64::consts::PI;

/// A ball swept over a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundedBox {
    /// Half the sizes of the box, metres; may be zero.
    pub(super) half: DVec3,
    /// Radius of the ball, metres.
    pub(super) radius: f64,
}

/// Sizes of the box below this, relative to the largest outer one, count as zero in meshes: their triangles would have no area.
const FLAT: f64 = 1e-11;

impl Solid for RoundedBox {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.half.copysign(direction) + self.radius * unit(direction)
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        (centre.abs() + self.half).length() + self.radius
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        let (h, r) = (self.half, self.radius);
        // Steiner's formula: box, slabs on its faces, quarter cylinders on its edges, eighths of a ball at its corners.
        let volume = 8.0 * h.element_product()
            + 8.0 * r * (h.x * h.y + h.y * h.z + h.z * h.x)
            + 2.0 * PI * r * r * h.element_sum()
            + 4.0 / 3.0 * PI * r * r * r;
        let second = DVec3::new(
            second_moment(h.x, DVec2::new(h.y, h.z), r),
            second_moment(h.y, DVec2::new(h.z, h.x), r),
            second_moment(h.z, DVec2::new(h.x, h.y), r),
        );
        VolumeIntegrals { volume, centroid: DVec3::ZERO, central: DMat3::from_diagonal(second) }
    }

    fn tessellate(&self, deviation: f64) -> TriangleMesh {
        let r = self.radius;
        // The deviation of a facet of the ball is at most the sum of those of its sides along and across the meridian.
        let arc = quarter_arc(circle_segments(r, 0.5 * deviation) / 4);
        let flat = FLAT * (self.half + r).max_element();
        let half = DVec3::select(self.half.cmplt(DVec3::splat(flat)), DVec3::ZERO, self.half);
        let lower = arc.iter().rev().map(|u| DVec2::new(r * u.x, -half.z - r * u.y));
        // Without a cylinder between them the two halves share the equator.
        let upper = arc.iter().skip(usize::from(half.z == 0.0)).map(|u| DVec2::new(r * u.x, half.z + r * u.y));
        let profile: Vec<DVec2> = lower.chain(upper).collect();
        lathe(&profile, half.truncate(), &arc)
    }
}

/// Integral of the square of one coordinate, along which the box has half size `a`.
///
/// The section across that coordinate is a rectangle of half sizes `across` grown by `rho`, which is `r` where the box is and
/// `sqrt(r^2 - s^2)` at distance `s` beyond its end; its area is `rectangle + border rho + pi rho^2`. All terms are positive.
fn second_moment(a: f64, across: DVec2, r: f64) -> f64 {
    let (rectangle, border) = (4.0 * across.element_product(), 4.0 * across.element_sum());
    let (r2, r3) = (r * r, r * r * r);
    let middle = (rectangle + border * r + PI * r2) * (2.0 / 3.0 * a * a * a);
    // Integrals of (a + s)^2 rho^k over s from 0 to r, for k = 0, 1, 2.
    let flat = a * a * r + a * r2 + r3 / 3.0;
    let linear = PI / 4.0 * a * a * r2 + 2.0 / 3.0 * a * r3 + PI / 16.0 * r3 * r;
    let round = 2.0 / 3.0 * a * a * r3 + 0.5 * a * r3 * r + 2.0 / 15.0 * r3 * r2;
    middle + 2.0 * (rectangle * flat + border * linear + PI * round)
}
