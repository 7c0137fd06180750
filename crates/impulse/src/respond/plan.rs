//! The choice of the direction about which the flow is expanded next, and of the range (3.4).

use super::flow::{Flow, FlowView};
use super::series::{Recurrence, root_free_radius};
use super::slide_state::Sliding;
use glam::DVec2;

/// The direction about which to expand, and the range of the expansion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub view: FlowView,
    pub recurrence: Recurrence,
    /// Half angle at the start.
    pub start: f64,
    /// Largest half angle of the panel.
    pub reach: f64,
    /// `a` if the direction is a ray.
    pub ray: Option<f64>,
}

impl Plan {
    /// A short panel from here if it reaches the end of the impact; else one about a near ray; else one about a direction
    /// ahead, which reaches equally far beyond it.
    pub(super) fn following(flow: &Flow, from: &Sliding, need: f64) -> Self {
        let here = upward_view(flow, from.direction);
        let wanted = half_angle(&here, from.speed, need);
        let reach = ordinary_reach(&here);
        if wanted <= reach {
            return Self::from_here(here, wanted);
        }
        if let Some(plan) = Self::about_near_ray(flow, &here) {
            return plan;
        }
        let view_at = |t: f64| {
            let direction = here.direction(t);
            flow.view(direction, direction.perp() * here.handedness())
        };
        let mut ahead = reach.min(0.5 * wanted);
        let mut view = view_at(ahead);
        for _ in 0..AHEAD_STEPS {
            let reach = ordinary_reach(&view).min(0.5 * wanted);
            if (reach - ahead).abs() < 0.1 * ahead {
                break;
            }
            ahead = reach;
            view = view_at(ahead);
        }
        // The search may have come close to a ray and back: then the series from here reaches farther.
        if ahead < LEAST_AHEAD * reach {
            return Self::from_here(here, reach);
        }
        Self { start: -ahead, ..Self::from_here(view, ahead) }
    }

    /// Whether a series up to `h` is valid at the start and leads on from there.
    pub(super) fn starts_within(&self, h: f64) -> bool {
        let arriving = self.ray.is_some() && self.recurrence.lead < 0.0;
        self.start.abs() <= if arriving || self.start < 0.0 { h } else { LEAST_ADVANCE * h }
    }

    pub(super) fn from_here(view: FlowView, reach: f64) -> Self {
        let [lead, q1, q2, q3, q4] = view.turn;
        let recurrence = Recurrence { lead, drive: drive(&view), brake: [q1, q2, q3, q4], exponent: 0.0 };
        Self { view, recurrence, start: 0.0, reach, ray: None }
    }

    /// About the ray that Newton's method finds from here, if it is near enough.
    fn about_near_ray(flow: &Flow, here: &FlowView) -> Option<Self> {
        let t = near_root(here)?;
        let direction = here.direction(t);
        // Seen from the ray, the present direction is on the opposite side.
        let mut view = flow.view(direction, direction.perp() * (here.handedness() * -t.signum()));
        view.turn[0] = 0.0;
        let start = t.abs();
        let [_, q1, q2, q3, q4] = view.turn;
        let exponent = 2.0 * view.stretch[0] / q1;
        let farthest = REACH * root_free_radius(q1, [q2, q3, q4, 0.0]);
        let leaving = q1 > 0.0;
        let reach = if leaving { farthest.min(start * libm::exp(MAX_DECAY / exponent.abs())) } else { start };
        if start > farthest || (leaving && start > LEAST_ADVANCE * reach) || is_resonant(exponent) {
            return None;
        }
        let [_, e1, e2, e3] = drive(&view);
        let recurrence =
            Recurrence { lead: q1, drive: [e1, e2, e3, 0.0], brake: [q2, q3, q4, 0.0], exponent: exponent - 1.0 };
        Some(Self { view, recurrence, start, reach, ray: Some(exponent) })
    }
}

/// Least distance of `2 a` from a negative integer, where a power turns into a logarithm.
const RESONANCE: f64 = 0.02;

/// Largest change of `ln |u_t|` over one panel that leaves a ray: beyond it `u_t` has vanished.
const MAX_DECAY: f64 = 36.0;

/// Share of the root-free radius over which a series is used.
const REACH: f64 = 0.42;

/// Largest share of its range at which a panel that leaves a ray may start.
const LEAST_ADVANCE: f64 = 0.7;

/// Most steps towards the direction ahead whose series reaches back to the present one.
const AHEAD_STEPS: usize = 4;

/// Distance ahead, relative to the reach of the series from here, below which that one is used.
const LEAST_AHEAD: f64 = 0.1;

/// A view from `direction` towards the side to which sliding turns.
pub(super) fn upward_view(flow: &Flow, direction: DVec2) -> FlowView {
    let view = flow.view(direction, direction.perp());
    if view.turn[0] < 0.0 { flow.view(direction, -direction.perp()) } else { view }
}

fn ordinary_reach(view: &FlowView) -> f64 {
    let [q0, q1, q2, q3, q4] = view.turn;
    REACH * root_free_radius(q0, [q1, q2, q3, q4])
}

/// Coefficients of `2 G - Q'`.
fn drive(view: &FlowView) -> [f64; 4] {
    let [_, q1, q2, q3, q4] = view.turn;
    let [g0, g1, g2, g3] = view.stretch;
    [2.0 * g0 - q1, 2.0 * (g1 - q2), 2.0 * g2 - 3.0 * q3, 2.0 * g3 - 4.0 * q4]
}

/// The half angle through which the direction turns during the normal impulse `need`, with a margin; infinite if `u_t` may
/// vanish before.
fn half_angle(view: &FlowView, speed: f64, need: f64) -> f64 {
    let slowing = 1.0 + 0.5 * view.stretch[0] * need / speed;
    if slowing < 0.6 { f64::INFINITY } else { 1.3 * 0.5 * view.turn[0] * need / (speed * slowing) }
}

/// A root of `Q` near `t = 0`.
fn near_root(view: &FlowView) -> Option<f64> {
    let mut t = 0.0;
    for _ in 0..8 {
        let (value, slope) = view.turn_and_slope(t);
        let step = value / slope;
        t -= step;
        if t.is_nan() || t.abs() >= 1.0 {
            return None;
        }
        if step.abs() <= 4.0 * f64::EPSILON * t.abs() {
            return Some(t);
        }
    }
    None
}

fn is_resonant(exponent: f64) -> bool {
    let twice = 2.0 * exponent;
    twice < -0.5 && (twice - libm::round(twice)).abs() < RESONANCE
}
