//! The flow of tangential velocity (3.4): how friction and the collision matrix change the sliding direction.

use glam::{DMat3, DVec2, DVec3};

/// Collision matrix and friction, split as in (3.16): `M` its tangential block, `s` its coupling with the normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    /// Coefficient of friction.
    pub mu: f64,
    /// `mu M` as `[a, f; f, b]`, 1/kg.
    pub a: f64,
    pub b: f64,
    pub f: f64,
    /// `s = (K13, K23)`, 1/kg.
    pub s: DVec2,
    /// `K33`, 1/kg.
    pub normal: f64,
}

/// The flow seen from a direction `along`, in the half-angle variable `t = tan(phi / 2)`, `phi` the angle from `along` towards
/// `across`. Then `P = 1 + t^2`, the sliding direction is `((1 - t^2) along + 2 t across) / P`, and with `d p_z = |u_t| d sigma`
/// `d phi / d sigma = Q / P^2` (Corollary 2, corrected) and `d ln |u_t| / d sigma = D / P^2` (Theorem 14).
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowView {
    pub along: DVec2,
    pub across: DVec2,
    /// Coefficients of `Q`, constant first.
    pub turn: [f64; 5],
    /// Coefficients of `G = (D - t Q) / P`, so that `|u_t| = P g` with `g' / g = 2 G / Q`: rays are its only singularities.
    pub stretch: [f64; 4],
    /// `s` along and across.
    pub s: DVec2,
}

/// Turning, relative to the deceleration, whose square is below rounding.
const HARDLY_TURNING: f64 = 1e-7;

/// Turning, relative to the numbers it is computed from, that is nothing but rounding.
const NO_TURNING: f64 = 2.5e-16;

impl Flow {
    pub(super) fn new(k: &DMat3, mu: f64) -> Self {
        Self {
            mu,
            a: mu * k.x_axis.x,
            b: mu * k.y_axis.y,
            f: mu * k.y_axis.x,
            s: DVec2::new(k.z_axis.x, k.z_axis.y),
            normal: k.z_axis.z,
        }
    }

    /// `mu M n`.
    pub(super) fn friction(&self, n: DVec2) -> DVec2 {
        DVec2::new(self.a * n.x + self.f * n.y, self.f * n.x + self.b * n.y)
    }

    /// `d u_t / d p_z` while sliding along `n`: (3.16).
    pub(super) fn tangential_rate(&self, n: DVec2) -> DVec2 {
        self.s - self.friction(n)
    }

    /// `d u_z / d p_z` while sliding along `n`: Theorem 8.
    pub(super) fn normal_rate(&self, n: DVec2) -> f64 {
        self.normal - self.mu * self.s.dot(n)
    }

    /// `d p / d p_z` while sliding along `n`: the sliding vector of Definition 2.
    pub(super) fn sliding_vector(&self, n: DVec2) -> DVec3 {
        (-self.mu * n).extend(1.0)
    }

    /// Whether sliding along `n` turns by more than rounding.
    pub(super) fn turns(&self, n: DVec2) -> bool {
        n.perp_dot(self.tangential_rate(n)).abs() > NO_TURNING * self.scale()
    }

    /// Whether sliding along `n` slows down or speeds up so much faster than the flow turns anywhere that squares of the
    /// turning are below rounding. Impacts of balls are like that: their matrices are central up to rounding.
    pub(super) fn hardly_turns(&self, n: DVec2) -> bool {
        let most = self.s.length() + 0.5 * (self.a - self.b).abs() + self.f.abs();
        most <= HARDLY_TURNING * n.dot(self.friction(n))
    }

    /// Magnitude of the coefficients of the flow, 1/kg.
    pub(super) fn scale(&self) -> f64 {
        self.a + self.b + self.s.x.abs() + self.s.y.abs()
    }

    /// The flow seen from `along`, turning towards `across`, a unit vector perpendicular to it on either side.
    pub(super) fn view(&self, along: DVec2, across: DVec2) -> FlowView {
        let (m_along, m_across) = (self.friction(along), self.friction(across));
        let (a, b, f) = (along.dot(m_along), across.dot(m_across), along.dot(m_across));
        let (e, d) = (self.s.dot(along), self.s.dot(across));
        FlowView {
            along,
            across,
            turn: [d - f, 2.0 * (a - b - e), 6.0 * f, -2.0 * (a - b + e), -f - d],
            stretch: [e - a, d - 3.0 * f, a - 2.0 * b + e, f + d],
            s: DVec2::new(e, d),
        }
    }
}

impl FlowView {
    /// `Q(t)` and `Q'(t)`.
    pub(super) fn turn_and_slope(&self, t: f64) -> (f64, f64) {
        let [q0, q1, q2, q3, q4] = self.turn;
        ((((q4 * t + q3) * t + q2) * t + q1) * t + q0, ((4.0 * q4 * t + 3.0 * q3) * t + 2.0 * q2) * t + q1)
    }

    /// `Q(t) / t` if `along` is a ray, so that `Q` has no constant term.
    pub(super) fn turn_over_t(&self, t: f64) -> f64 {
        let [_, q1, q2, q3, q4] = self.turn;
        ((q4 * t + q3) * t + q2) * t + q1
    }

    /// 1 if `across` is to the left of `along`, -1 if it is to the right.
    pub(super) fn handedness(&self) -> f64 {
        self.along.perp_dot(self.across).signum()
    }

    /// The sliding direction at `t`.
    pub(super) fn direction(&self, t: f64) -> DVec2 {
        let scale = 1.0 / (1.0 + t * t);
        (self.along * ((1.0 - t * t) * scale) + self.across * (2.0 * t * scale)).normalize()
    }
}
