//! Ellipsoids, exact (compare section 2.2.2).

use super::direction::unit;
use super::error::{ShapeError, check_lengths};
use super::rounded_box::RoundedBox;
use crate::geometry::{Solid, TriangleMesh, VolumeIntegrals};
use glam::DVec3;
use std::f64::consts::PI;

/// An ellipsoid centred at the origin, its axes along x, y and z.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{Ellipsoid, Solid};
///
/// let egg = Ellipsoid::new(DVec3::new(0.02, 0.02, 0.03))?;
/// assert_eq!(egg.support(DVec3::Z), DVec3::new(0.0, 0.0, 0.03));
/// # Ok::<(), impulse::geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    semi_axes: DVec3,
}

impl Ellipsoid {
    /// An ellipsoid with the given semi-axes, metres.
    pub fn new(semi_axes: DVec3) -> Result<Self, ShapeError> {
        let [a, b, c] = semi_axes.to_array();
        check_lengths("ellipsoid", &[("semi-axis a", a), ("semi-axis b", b), ("semi-axis c", c)])?;
        Ok(Self { semi_axes })
    }

    /// Semi-axes along x, y and z, metres.
    pub fn semi_axes(&self) -> DVec3 {
        self.semi_axes
    }
}

impl Solid for Ellipsoid {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.semi_axes * unit(self.semi_axes * direction)
    }

    /// By duality: for every `lambda` above the largest squared semi-axis, `lambda + sum p_i^2 lambda / (lambda - a_i^2)` is at
    /// least the square of the radius, and the smallest of these bounds is equal to it.
    fn bounding_radius(&self, centre: DVec3) -> f64 {
        let (a, largest) = (self.semi_axes, self.semi_axes.max_element());
        // With lambda = largest^2 + t nothing cancels.
        let gaps = (largest - a) * (largest + a);
        let t = secular_root(centre.abs() * a, gaps);
        let lambda = largest * largest + t;
        let term = |i: usize| if centre[i] == 0.0 { 0.0 } else { centre[i] / (gaps[i] + t) * centre[i] * lambda };
        (lambda + term(0) + term(1) + term(2)).sqrt()
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        let a = self.semi_axes;
        VolumeIntegrals::symmetric(4.0 / 3.0 * PI * a.element_product(), a * a / 5.0)
    }

    fn tessellate(&self, deviation: f64) -> TriangleMesh {
        // Stretching the unit ball increases distances from its surface by at most the largest semi-axis.
        let ball = RoundedBox { half: DVec3::ZERO, radius: 1.0 };
        let mut mesh = ball.tessellate(deviation / self.semi_axes.max_element());
        for vertex in &mut mesh.vertices {
            *vertex *= self.semi_axes;
        }
        mesh
    }
}

/// Most iterations: that many halvings exhaust a bracket.
const MAX_ITERATIONS: usize = 100;

/// The `t >= 0` at which `f(t) = sum (q_i / (gap_i + t))^2` falls to 1, or 0 where it is nowhere larger.
///
/// `1 / sqrt(f)` is concave and nearly a line, so Newton's method for it climbs to the root from below without passing it;
/// bisection takes it past the bend that a very small `q_i` without a gap causes.
fn secular_root(q: DVec3, gaps: DVec3) -> f64 {
    // Lower bound: each term alone must fall to 1. Upper bound: with gaps of zero all terms together have.
    let (mut low, mut high) = ((q - gaps).max_element().max(0.0), q.length());
    for _ in 0..MAX_ITERATIONS {
        let newton = low + newton_step(q, gaps, low);
        if newton <= low {
            break;
        }
        low = newton;
        let middle = 0.5 * (low + high);
        if middle > low {
            if newton_step(q, gaps, middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
    low
}

/// Newton's step from `t` for `1 / sqrt(f)`: positive left of the root.
fn newton_step(q: DVec3, gaps: DVec3, t: f64) -> f64 {
    let (mut f, mut slope) = (0.0, 0.0);
    for i in 0..3 {
        // A vanishing term may have a vanishing denominator.
        if q[i] > 0.0 {
            let ratio = q[i] / (gaps[i] + t);
            f += ratio * ratio;
            slope += ratio * ratio / (gaps[i] + t);
        }
    }
    if slope > 0.0 { f * (f.sqrt() - 1.0) / slope } else { 0.0 }
}
