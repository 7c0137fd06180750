//! The integration of sliding (3.3), panel by panel, until the impact ends or `u_t` vanishes.

use super::ImpactError;
use super::flow::Flow;
use super::panel::{End, Panel, Sliding};
use super::path::Piece;
use super::progress::{Progress, Stretch};
use super::straight::Straight;
use glam::DVec3;

/// The end of sliding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slid {
    /// Impulse of the whole slide, N s.
    pub impulse: DVec3,
    pub end: Sliding,
    /// Whether the impact is over; otherwise `u_t` vanished.
    pub finished: bool,
}

/// More panels than any path needs: each covers a fixed share of the way to the nearest ray.
const MAX_PANELS: usize = 2000;

/// Share of the first `|u_t|` below which nothing of it is left: what comes after is below rounding.
const VANISHED: f64 = 1e-16;

/// Turning, relative to the numbers it is computed from, that is rounding.
const NO_TURNING: f64 = 2.5e-16;

/// Slides from `from`; `watch` sees every piece and the parameter up to which it is followed.
pub(super) fn slide(
    flow: &Flow,
    progress: &mut Progress,
    from: Sliding,
    watch: &mut impl FnMut(Piece<'_>, f64),
) -> Result<Slid, ImpactError> {
    let (mut impulse, mut now) = (DVec3::ZERO, from);
    for _ in 0..MAX_PANELS {
        let rate = flow.tangential_rate(now.direction);
        if now.direction.perp_dot(rate).abs() <= NO_TURNING * flow.scale() {
            let last = slide_straight(flow, progress, now, watch);
            return Ok(Slid { impulse: impulse + last.impulse, ..last });
        }
        let need = progress.impulse_needed(&now.normal, flow.normal_rate(now.direction));
        let panel = Panel::following(flow, &now, need);
        let (end, finished) = follow(&panel, progress);
        watch(Piece::Turning(&panel), end);
        let (step, next) = panel.state(end);
        impulse += step;
        now = next;
        if finished || now.speed <= VANISHED * from.speed {
            return Ok(Slid { impulse, end: now, finished });
        }
    }
    Err(ImpactError::Unresolved)
}

/// Follows a panel from one change of sign of `d u_z / d p_z` to the next; the parameter reached, and whether the impact ended.
fn follow(panel: &Panel, progress: &mut Progress) -> (f64, bool) {
    let mut from = panel.from();
    let (stops, count) = panel.turning_points();
    for &stop in &stops[..count] {
        let to = panel.place(stop);
        if let Some(end) = progress.advance(panel, from, to) {
            return (end, true);
        }
        from = to;
    }
    let (mut to, endless) = match panel.end() {
        End::Open(s) | End::Zero(s) => (panel.place(s), false),
        End::Never(guess) => (panel.place(from.s + guess), true),
    };
    loop {
        if let Some(end) = progress.advance(panel, from, to) {
            return (end, true);
        }
        if !endless || to.s == f64::INFINITY {
            return (to.s, false);
        }
        (from, to) = (to, panel.place(to.s + 4.0 * (to.s - from.s)));
    }
}

/// Sliding that does not turn: on a ray, or with a flow that has no turning at all.
fn slide_straight(flow: &Flow, progress: &mut Progress, now: Sliding, watch: &mut impl FnMut(Piece<'_>, f64)) -> Slid {
    let n = now.direction;
    let straight = Straight { start: now.normal, rate: flow.normal_rate(n) };
    let slowing = flow.tangential_rate(n).dot(n);
    let length = (slowing < 0.0).then(|| -now.speed / slowing);
    let finished = progress.advance(&straight, straight.from(), straight.to(length));
    let s = finished.or(length).expect("sliding that does not slow down opens the contact (Theorem 17)");
    watch(Piece::Straight { stretch: &straight, from: n * now.speed, rate: n * slowing }, s);
    let finished = finished.is_some();
    let speed = if finished { (now.speed + slowing * s).max(0.0) } else { 0.0 };
    let end = Sliding { speed, normal: straight.normal(s), ..now };
    Slid { impulse: flow.sliding_vector(n) * s, end, finished }
}
