//! One panel of sliding: direction, speed, impulse and work as power series in the half angle (3.2.2, 3.4).
//!
//! In the variables of [`FlowView`] sliding obeys a linear equation. With `f = 2 |u_t| / (P Q)`
//!
//! `Q f' = (2 G - Q') f`, `p_z' = P^2 f`, `p_t' = -mu P f ((1 - t^2) along + 2 t across)`,
//!
//! so Taylor coefficients follow from a recurrence of four terms, and the rays are the only singularities. About a ray, where
//! `Q = t Q_1`, the solution is `t^a` times a power series, where `a` is the growth of `ln |u_t|` relative to that of `ln t`
//! along `sigma`. That series reaches the ray itself, so that arriving at `u_t = 0` and running away along a diverging ray have
//! closed forms. The parameter `q` of a panel is `(t - t_start) / h` at an ordinary point and `((t / t_start)^a - 1) / a` at a
//! ray: nearly proportional to `p_z` in both cases, and regular where the thesis' own parameters `u_z` and `W_z` are not
//! (3.4.2, corrected).

use super::flow::{Flow, FlowView};
use super::plan::{Plan, upward_view};
use super::progress::{self, Stretch};
use super::restitution::{Normal, NormalGoal};
use super::series::{MAX_TERMS, Series, product};
use super::slide_state::Sliding;
use glam::{DVec2, DVec3};

/// Where a panel ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PanelEnd {
    /// Sliding goes on from this parameter.
    Open(f64),
    /// `u_t` vanishes at this parameter.
    Zero(f64),
    /// The panel follows the ray for ever; the parameter is a guess of how far it is needed.
    Never(f64),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    view: FlowView,
    series: Series,
    at_ray: bool,
    /// `a`; 1 at an ordinary point.
    exponent: f64,
    /// `t / h` at the start.
    y_start: f64,
    /// Sign of `q` along the panel.
    sign: f64,
    /// `d p_z / d q` at `t = 0`.
    scale: f64,
    start: Normal,
    guess: f64,
    mu: f64,
    /// `K33` and `K33 - mu s.along`.
    normal: f64,
    rate: f64,
    /// Integrated series of `p_z`, of `integral t P f`, of `integral t^2 P f`; last the series of `f`.
    rows: [[f64; 4]; MAX_TERMS],
    /// Integrated series of the work of the turning part of friction.
    work: [f64; MAX_TERMS],
    base: [f64; 3],
    base_work: f64,
}

/// A place on a panel, and the sums of its rows there.
#[derive(Clone, Copy, Debug)]
struct PanelSums {
    y: f64,
    power: f64,
    impulse: f64,
    across: f64,
    along: f64,
    f: f64,
}

impl Panel {
    /// An empty panel, to be filled by [`Panel::follow`]; its arrays are reused.
    pub(super) fn blank(flow: &Flow) -> Self {
        Self {
            view: flow.view(DVec2::X, DVec2::Y),
            series: Series::blank(),
            at_ray: false,
            exponent: 1.0,
            y_start: 0.0,
            sign: 1.0,
            scale: 0.0,
            start: Normal { impulse: 0.0, velocity: 0.0, work: 0.0 },
            guess: 1.0,
            mu: flow.mu,
            normal: flow.normal,
            rate: 0.0,
            rows: [[0.0; 4]; MAX_TERMS],
            work: [0.0; MAX_TERMS],
            base: [0.0; 3],
            base_work: 0.0,
        }
    }

    /// Makes this the panel that follows `from`; `need` is an estimate of the normal impulse still to come.
    pub(super) fn follow(&mut self, flow: &Flow, from: &Sliding, need: f64) {
        let mut plan = Plan::following(flow, from, need);
        plan.recurrence.expand(plan.reach, &mut self.series);
        if !plan.starts_within(self.series.h) {
            // The terms decay too slowly for this range: expand about the present direction, as far as that reaches.
            plan = Plan::from_here(upward_view(flow, from.direction), plan.reach);
            plan.recurrence.expand(plan.reach, &mut self.series);
        }
        self.view = plan.view;
        self.at_ray = plan.ray.is_some();
        self.exponent = plan.ray.unwrap_or(1.0);
        self.y_start = plan.start / self.series.h;
        self.sign = if self.at_ray && plan.recurrence.lead < 0.0 { -1.0 } else { 1.0 };
        self.start = from.normal;
        self.rate = flow.normal - flow.mu * plan.view.s.x;
        self.fill_rows();
        self.start_with(from.speed);
        self.guess = if need.is_finite() { need / self.scale.abs() } else { 1.0 };
    }

    /// Multiplies the series of `f` by the factors that give `p_z'` and friction, and integrates.
    fn fill_rows(&mut self) {
        let (a, h, n) = (self.exponent, self.series.h, self.series.terms);
        let c = &self.series.c;
        let (e, d) = (self.view.s.x, self.view.s.y);
        let (mut impulse, mut turning) = ([0.0; MAX_TERMS], [0.0; MAX_TERMS]);
        // The two latest coefficients of f and of P f.
        let (mut f1, mut f2, mut pf1, mut pf2) = (c[0], 0.0, c[0], 0.0);
        let hh = h * h;
        // The constant term of the impulse integrates to q itself.
        (self.rows[0], impulse[0]) = ([0.0, 0.0, 0.0, c[0]], c[0]);
        for k in 1..n {
            let pf = c[k] + hh * f2;
            let (along, across) = (hh * pf2, h * pf1);
            let integrate = 1.0 / (a + k as f64);
            impulse[k] = pf + along;
            turning[k] = (e * along - d * across) * integrate;
            self.rows[k] = [impulse[k] * integrate, across * integrate, along * integrate, c[k]];
            (f2, f1, pf2, pf1) = (f1, c[k], pf1, pf);
        }
        product(&turning, &impulse, &mut self.work[..n]);
        for (k, work) in self.work[..n].iter_mut().enumerate().skip(1) {
            *work /= 2.0 * a + k as f64;
        }
    }

    /// Scales the series to the speed at the start, and stores the sums there as the origin of all integrals.
    fn start_with(&mut self, speed: f64) {
        let (y, t) = (self.y_start, self.y_start * self.series.h);
        let power = if self.at_ray { 1.0 } else { y };
        let [impulse, across, along, f] = self.row_sums(y);
        self.base = [power * impulse, power * across, power * along];
        self.base_work = power * power * self.work_sum(y);
        self.scale = speed / (self.speed_factor(t, 1.0) * f);
    }

    /// `|u_t|` divided by `scale` and by the sum of `f`; `power` matters only at a ray.
    fn speed_factor(&self, t: f64, power: f64) -> f64 {
        let turn =
            if self.at_ray { self.view.turn_over_t(t) * power } else { self.view.turn_and_slope(t).0 / self.series.h };
        0.5 * turn * (1.0 + t * t)
    }

    /// The place where the panel starts.
    pub(super) fn from(&self) -> progress::PathPlace {
        progress::PathPlace { s: 0.0, normal: self.start }
    }

    /// The place at a parameter.
    pub(super) fn place(&self, s: f64) -> progress::PathPlace {
        progress::PathPlace { s, normal: self.normal(s) }
    }

    /// How the panel ends.
    pub(super) fn end(&self) -> PanelEnd {
        if self.sign < 0.0 {
            return if self.exponent > 0.0 { PanelEnd::Zero(1.0 / self.exponent) } else { PanelEnd::Never(self.guess) };
        }
        PanelEnd::Open(self.parameter(1.0))
    }

    /// The parameters, ascending, at which `d u_z / d p_z` changes its sign (Theorem 8), and how many: at most two.
    pub(super) fn turning_points(&self) -> ([f64; 2], usize) {
        let (e, d) = (self.mu * self.view.s.x, self.mu * self.view.s.y);
        let (mut found, mut count) = ([0.0; 2], 0);
        if self.normal * self.normal >= e * e + d * d {
            return (found, count);
        }
        let roots = crate::math::quadratic_roots(self.normal + e, -2.0 * d, self.normal - e);
        for &t in roots.as_slice() {
            let y = t / self.series.h;
            let inside = if self.sign > 0.0 { y > self.y_start && y < 1.0 } else { y > 0.0 && y < self.y_start };
            if inside {
                found[count] = self.parameter(y);
                count += 1;
            }
        }
        if count == 2 && found[0] > found[1] {
            found.swap(0, 1);
        }
        (found, count)
    }

    /// Impulse since the start, direction and speed at a parameter.
    pub(super) fn state(&self, s: f64) -> (DVec3, Sliding) {
        let place = self.sums(s);
        let t = place.y * self.series.h;
        let tangential = self.view.along * (-self.mu * (place.impulse - 2.0 * place.along))
            + self.view.across * (-2.0 * self.mu * place.across);
        let speed = (self.speed_factor(t, place.power) * self.scale * place.f).max(0.0);
        let sliding = Sliding { direction: self.view.direction(t), speed, normal: self.normal_at(&place) };
        (tangential.extend(place.impulse), sliding)
    }

    fn parameter(&self, y: f64) -> f64 {
        if !self.at_ray {
            return y - self.y_start;
        }
        let log = libm::log(y / self.y_start);
        let q = if self.exponent == 0.0 { log } else { libm::expm1(self.exponent * log) / self.exponent };
        q * self.sign
    }

    fn sums(&self, s: f64) -> PanelSums {
        let q = s * self.sign;
        let y = self.y_start + q;
        let (y, power) = if self.at_ray { self.y_and_power(q) } else { (y, y) };
        let sums = self.row_sums(y);
        PanelSums {
            y,
            power,
            impulse: self.scale * (q + power * sums[0] - self.base[0]),
            across: self.scale * (power * sums[1] - self.base[1]),
            along: self.scale * (power * sums[2] - self.base[2]),
            f: sums[3],
        }
    }

    /// `y = t / h` and `(t / t_start)^a` at `q`.
    fn y_and_power(&self, q: f64) -> (f64, f64) {
        let a = self.exponent;
        let power = (1.0 + a * q).max(0.0);
        let log = if a == 0.0 { q } else { libm::log1p((a * q).max(-1.0)) / a };
        // Where u_t has nearly vanished, q cannot resolve the position any more: up to rounding it is the end.
        ((self.y_start * libm::exp(log)).min(1.0), power)
    }

    fn row_sums(&self, y: f64) -> [f64; 4] {
        let mut sums = [0.0; 4];
        for row in self.rows[..self.series.terms].iter().rev() {
            for (sum, coefficient) in sums.iter_mut().zip(row) {
                *sum = *sum * y + coefficient;
            }
        }
        sums
    }

    fn work_sum(&self, y: f64) -> f64 {
        self.work[..self.series.terms].iter().rev().fold(0.0, |sum, coefficient| sum * y + coefficient)
    }

    fn velocity(&self, place: &PanelSums) -> f64 {
        let turning = self.view.s.x * place.along - self.view.s.y * place.across;
        self.start.velocity + self.rate * place.impulse + 2.0 * self.mu * turning
    }

    /// `W_z`: the work with friction in its first direction, plus that of its turning.
    fn work_at(&self, place: &PanelSums) -> f64 {
        let straight = (self.start.velocity + 0.5 * self.rate * place.impulse) * place.impulse;
        let power = place.power * place.power;
        let (e, d) = (self.view.s.x, self.view.s.y);
        let turning = self.scale * self.scale * (power * self.work_sum(place.y) - self.base_work)
            - self.scale * (e * self.base[2] - d * self.base[1]) * place.impulse;
        self.start.work + straight + 2.0 * self.mu * turning
    }

    /// `d p_z / d s` and `d u_z / d p_z`.
    fn rates(&self, place: &PanelSums) -> (f64, f64) {
        let t = place.y * self.series.h;
        let p = 1.0 + t * t;
        let n = DVec2::new(1.0 - t * t, 2.0 * t) / p;
        (self.sign * self.scale * p * p * place.f, self.normal - self.mu * self.view.s.dot(n))
    }

    fn normal_at(&self, place: &PanelSums) -> Normal {
        Normal {
            impulse: self.start.impulse + place.impulse,
            velocity: self.velocity(place),
            work: self.work_at(place),
        }
    }

    /// How far `s` is beyond the goal, and the derivative of that.
    fn excess(&self, goal: NormalGoal, s: f64) -> (f64, f64) {
        let place = self.sums(s);
        let (impulse_rate, rate) = self.rates(&place);
        match goal {
            NormalGoal::Impulse(goal) => (self.start.impulse + place.impulse - goal, impulse_rate),
            NormalGoal::Velocity(goal) => (self.velocity(&place) - goal, rate * impulse_rate),
            NormalGoal::Work(goal) => (self.work_at(&place) - goal, self.velocity(&place) * impulse_rate),
        }
    }
}

impl Stretch for Panel {
    fn normal(&self, s: f64) -> Normal {
        self.normal_at(&self.sums(s))
    }

    /// Newton's method, kept inside a bracket.
    fn locate(&self, goal: NormalGoal, from: progress::PathPlace, to: progress::PathPlace) -> f64 {
        let (mut low, mut high) = (from.s, to.s);
        let (before, after) = (goal.excess(&from.normal), goal.excess(&to.normal));
        let falling = after < 0.0;
        let mut share = before / (before - after);
        if from.normal.velocity == 0.0 && matches!(goal, NormalGoal::Work(_)) {
            // From maximum compression on, work grows quadratically.
            share = share.sqrt();
        }
        let mut s = low + (high - low) * share;
        for _ in 0..LOCATE_STEPS {
            let (value, slope) = self.excess(goal, s);
            if (value < 0.0) == falling {
                high = s;
            } else {
                low = s;
            }
            let newton = s - value / slope;
            if newton >= low && newton <= high {
                let step = newton - s;
                s = newton;
                // Convergence is quadratic: the next step would be below rounding.
                if step.abs() <= NEWTON_DONE * s {
                    break;
                }
            } else {
                s = 0.5 * (low + high);
                if high - low <= f64::EPSILON * high {
                    break;
                }
            }
        }
        s
    }
}

/// Relative step of Newton's method after which no further one is needed.
const NEWTON_DONE: f64 = 1e-9;

/// Most steps; bisection alone would need no more.
const LOCATE_STEPS: usize = 100;
