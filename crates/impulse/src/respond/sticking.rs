//! Sticking: whether it is stable (Theorem 9), its impulse, and the only direction in which the contact can slip (Theorem 16).

use super::collision_matrix::checked;
use super::error::ImpactError;
use super::flow::Flow;
use glam::{DMat3, DVec2, DVec3};

/// Whether friction can keep the contact points from slipping once they stick (Theorem 9).
///
/// `k` is the collision matrix, `friction` the coefficient.
pub fn sticking_is_stable(k: &DMat3, friction: f64) -> Result<bool, ImpactError> {
    let k = checked(k)?;
    Ok(Sticking::new(&k).is_stable(friction))
}

/// The impulse that keeps the tangential velocity at zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sticking {
    /// `d p / d p_z` while sticking.
    pub impulse: DVec3,
    /// `d u_z / d p_z` while sticking, 1/kg: `1 / (K^-1)_33`. Zero where no impulse changes the normal velocity alone: the range of
    /// `K` lacks the normal (5.3.4).
    pub rate: f64,
}

/// Relative size below which a determinant, an eigenvalue or a rate counts as rounding.
const RANK_TOLERANCE: f64 = 1e-13;

impl Sticking {
    /// `M p_t = -s` by the pseudo-inverse, so that rank-deficient matrices of linkages (5.3.4) need no special case.
    pub(super) fn new(k: &DMat3) -> Self {
        let (a, b, f) = (k.x_axis.x, k.y_axis.y, k.y_axis.x);
        let s = DVec2::new(k.z_axis.x, k.z_axis.y);
        let trace = a + b;
        let determinant = difference_of_products(a, b, f);
        let tangential = if determinant > RANK_TOLERANCE * trace * trace {
            -DVec2::new(b * s.x - f * s.y, a * s.y - f * s.x) / determinant
        } else if trace > RANK_TOLERANCE * k.z_axis.z {
            // Rank one: the larger column of M spans its range, the trace is its eigenvalue.
            let range = if a >= b { DVec2::new(a, f) } else { DVec2::new(f, b) }.normalize();
            range * (-range.dot(s) / trace)
        } else {
            DVec2::ZERO
        };
        let rate = k.z_axis.z + s.dot(tangential);
        // The elements of K are known up to the rounding of the largest one.
        let is_rounding = rate <= RANK_TOLERANCE * (k.z_axis.z + trace);
        Self { impulse: tangential.extend(1.0), rate: if is_rounding { 0.0 } else { rate } }
    }

    pub(super) fn is_stable(&self, mu: f64) -> bool {
        self.impulse.truncate().length_squared() <= mu * mu
    }
}

/// The diverging ray, which exists and is unique if sticking is unstable (Theorem 16).
///
/// On it `s - mu M n = lambda n` with `lambda > 0`, so `n = (mu M + lambda)^-1 s` has length one. That length falls with
/// `lambda`, from above one at `lambda = 0` (sticking is unstable) to zero: one root, to which Newton's method on `1 / |n|`, a
/// concave function, climbs without overshooting.
pub(super) fn diverging_ray(flow: &Flow) -> DVec2 {
    // |s| <= (mu m_max + lambda), and the trace bounds the largest eigenvalue.
    let mut lambda = (flow.s.length() - flow.a - flow.b).max(f64::EPSILON * flow.scale());
    let mut n = solve_shifted(flow, lambda, flow.s);
    for _ in 0..MAX_NEWTON {
        let length = n.length();
        let slope = n.dot(solve_shifted(flow, lambda, n));
        let step = length * length * (length - 1.0) / slope;
        lambda += step;
        n = solve_shifted(flow, lambda, flow.s);
        if step <= f64::EPSILON * lambda {
            break;
        }
    }
    n.normalize()
}

/// Most steps; quadratic convergence needs a handful.
const MAX_NEWTON: usize = 60;

/// `(mu M + lambda)^-1 x`.
fn solve_shifted(flow: &Flow, lambda: f64, x: DVec2) -> DVec2 {
    let (a, b, f) = (flow.a + lambda, flow.b + lambda, flow.f);
    DVec2::new(b * x.x - f * x.y, a * x.y - f * x.x) / difference_of_products(a, b, f)
}

/// `a b - f^2`, in twice the precision where it cancels.
fn difference_of_products(a: f64, b: f64, f: f64) -> f64 {
    let (ab, ff) = (a * b, f * f);
    if ab - ff > 0.1 * ab {
        return ab - ff;
    }
    (ab - ff) + (a.mul_add(b, -ab) - f.mul_add(f, -ff))
}
