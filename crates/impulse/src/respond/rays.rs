//! The rays of constant sliding direction (Theorem 14, Corollary 2), including double ones.

use super::collision_matrix::checked;
use super::error::ImpactError;
use super::flow::{Flow, FlowView};
use glam::{DMat3, DVec2};
use serde::{Deserialize, Serialize};

/// Whether sliding along a ray speeds up or slows down (Theorem 14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RayKind {
    /// Sliding speeds up, away from `u_t = 0`.
    Diverging,
    /// Sliding slows down, towards `u_t = 0`.
    Converging,
}

/// A direction in which sliding does not turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Ray {
    /// Unit vector of the direction.
    pub direction: DVec2,
    /// Angle from the x axis, in (-pi, pi].
    pub angle: f64,
    /// Diverging or converging.
    pub kind: RayKind,
    /// Whether neighbouring directions turn towards it; a converging ray need not attract.
    pub attracting: bool,
}

/// The rays of a collision matrix and a coefficient of friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rays {
    /// Every direction is a ray: sliding never turns.
    EveryDirection,
    /// At most four rays by ascending angle; the rest are `None`.
    Some([Option<Ray>; 4]),
}

impl Rays {
    /// The rays by ascending angle; none when every direction is one.
    pub fn iter(&self) -> impl Iterator<Item = Ray> {
        let rays = if let Self::Some(rays) = self { *rays } else { [None; 4] };
        rays.into_iter().flatten()
    }
}

/// All rays of constant sliding direction.
///
/// ```
/// use impulse::respond::{Rays, rays};
/// use impulse::{DMat3, DVec3};
///
/// // The collision matrix of a ball: sliding keeps any direction it has.
/// let ball = DMat3::from_diagonal(DVec3::new(1.75, 1.75, 0.5));
/// assert_eq!(rays(&ball, 0.3)?, Rays::EveryDirection);
/// # Ok::<(), impulse::respond::ImpactError>(())
/// ```
pub fn rays(k: &DMat3, friction: f64) -> Result<Rays, ImpactError> {
    let k = checked(k)?;
    if !friction.is_finite() {
        return Err(ImpactError::NotFinite { what: "friction" });
    }
    if friction < 0.0 {
        return Err(ImpactError::Friction { friction });
    }
    let flow = Flow::new(&k, friction);
    let view = clear_view(&flow);
    let [.., leading] = view.turn;
    if leading.abs() <= TURN_ROUNDING * flow.scale() {
        return Ok(Rays::EveryDirection);
    }
    let mut found = [None; 4];
    let roots = quartic_roots(view.turn, TURN_ROUNDING * flow.scale());
    for (slot, t) in found.iter_mut().zip(roots.into_iter().flatten()) {
        *slot = Some(ray(&flow, view.direction(t)));
    }
    found.sort_by(|a, b| match (a, b) {
        (Some(a), Some(b)) => a.angle.total_cmp(&b.angle),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    Ok(Rays::Some(found))
}

/// Turning, relative to the numbers it is computed from, that counts as rounding.
const TURN_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A view whose back, the direction at infinite `t`, is as far from a ray as eight directions allow. Then the leading
/// coefficient `-C(back)` of the quartic is large, and no root escapes to infinity (Corollary 2, corrected).
fn clear_view(flow: &Flow) -> FlowView {
    let half = core::f64::consts::FRAC_1_SQRT_2;
    let mut best = flow.view(DVec2::X, DVec2::Y);
    for along in [DVec2::new(half, half), DVec2::Y, DVec2::new(-half, half)] {
        for along in [along, -along] {
            let view = flow.view(along, along.perp());
            if view.turn[4].abs() > best.turn[4].abs() {
                best = view;
            }
        }
    }
    let opposite = flow.view(-DVec2::X, -DVec2::Y);
    if opposite.turn[4].abs() > best.turn[4].abs() { opposite } else { best }
}

fn ray(flow: &Flow, direction: DVec2) -> Ray {
    let view = flow.view(direction, direction.perp());
    let angle = libm::atan2(direction.y, direction.x);
    Ray {
        direction,
        angle: if angle <= -core::f64::consts::PI { core::f64::consts::PI } else { angle },
        kind: if view.stretch[0] > 0.0 { RayKind::Diverging } else { RayKind::Converging },
        attracting: view.turn[1] < 0.0,
    }
}

/// The real roots of a quartic, constant first; `slack` is the rounding of its values: an extremum this close to zero is a
/// double root.
fn quartic_roots(q: [f64; 5], slack: f64) -> [Option<f64>; 4] {
    let bound = 1.0 + q[..4].iter().fold(0.0_f64, |m, c| m.max((c / q[4]).abs()));
    // Between neighbouring roots of its derivative a polynomial has at most one root: go from the line up to the quartic.
    let mut extrema = [0.0; 4];
    let mut count = 0;
    for degree in 1..=4 {
        let derivative = nth_derivative(q, 4 - degree);
        let polynomial = &derivative[..=degree];
        let slack = if degree == 4 { slack } else { 0.0 };
        let (roots, found) = roots_between(polynomial, &extrema[..count], bound, slack);
        (extrema, count) = (roots, found);
    }
    let mut roots = [None; 4];
    for (slot, &root) in roots.iter_mut().zip(&extrema[..count]) {
        *slot = Some(root);
    }
    roots
}

/// Roots of a polynomial, ascending, given the ascending extrema that separate them.
fn roots_between(polynomial: &[f64], extrema: &[f64], bound: f64, slack: f64) -> ([f64; 4], usize) {
    let mut roots = [0.0; 4];
    let mut count = 0;
    let mut low = -bound;
    for high in extrema.iter().copied().chain([bound]) {
        let (at_low, at_high) = (horner(polynomial, low), horner(polynomial, high));
        // Values grow away from t = 0, and their rounding with them.
        let touches = |t: f64, value: f64| t.abs() < bound && value.abs() <= slack * weight(t);
        let root = if touches(high, at_high) {
            Some(high)
        } else if touches(low, at_low) || (at_low < 0.0) == (at_high < 0.0) {
            None
        } else {
            Some(bisect(polynomial, low, high))
        };
        if let Some(root) = root
            && count < 4
        {
            roots[count] = root;
            count += 1;
        }
        low = high;
    }
    (roots, count)
}

fn weight(t: f64) -> f64 {
    let p = 1.0 + t * t;
    p * p
}

/// Newton's method kept inside a bracket with a change of sign.
fn bisect(polynomial: &[f64], low: f64, high: f64) -> f64 {
    let (mut low, mut high) = (low, high);
    let rising = horner(polynomial, low) < 0.0;
    let mut t = 0.5 * (low + high);
    for _ in 0..200 {
        let value = horner(polynomial, t);
        if (value < 0.0) == rising {
            low = t;
        } else {
            high = t;
        }
        let newton = t - value / slope(polynomial, t);
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        let done = (next - t).abs() <= f64::EPSILON * t.abs();
        t = next;
        if done {
            break;
        }
    }
    t
}

fn horner(polynomial: &[f64], t: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

fn slope(polynomial: &[f64], t: f64) -> f64 {
    polynomial.iter().enumerate().skip(1).rev().fold(0.0, |sum, (k, c)| sum * t + c * k as f64)
}

fn nth_derivative(q: [f64; 5], n: usize) -> [f64; 5] {
    let mut q = q;
    for _ in 0..n {
        for k in 0..4 {
            q[k] = q[k + 1] * (k + 1) as f64;
        }
        q[4] = 0.0;
    }
    q
}
