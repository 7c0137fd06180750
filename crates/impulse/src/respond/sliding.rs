//! The integration of sliding (3.3), panel by panel, until the impact ends or `u_t` vanishes.

use super::error::ImpactError;
use super::flow::Flow;
use super::panel::{Panel, PanelEnd};
use super::path_piece::PathPiece;
use super::progress::Progress;
use super::slide_state::Sliding;
use glam::DVec3;

/// The result of a turning slide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slid {
    /// Impulse since the start, N s.
    pub impulse: DVec3,
    /// The last state; its speed is zero if `u_t` has vanished.
    pub end: Sliding,
    /// Whether the impact is over.
    pub finished: bool,
}

/// Most panels, more than any path needs: each covers a fixed share of the way to the nearest ray.
const MAX_PANELS: usize = 2000;

/// Share of the first `|u_t|` below which `u_t` counts as vanished: the rest is below rounding.
pub(super) const VANISHED: f64 = 1e-16;

/// Slides from `from` until the impact ends, `u_t` vanishes, or the direction no longer turns; `watch` sees every piece and the
/// parameter up to which it is followed.
pub(super) fn slide(
    flow: &Flow,
    progress: &mut Progress,
    from: &Sliding,
    watch: &mut impl FnMut(PathPiece<'_>, f64),
) -> Result<Slid, ImpactError> {
    let mut slid = Slid { impulse: DVec3::ZERO, end: *from, finished: false };
    let mut panel = Panel::blank(flow);
    for _ in 0..MAX_PANELS {
        let need = progress.impulse_needed(&slid.end.normal, flow.normal_rate(slid.end.direction));
        panel.follow(flow, &slid.end, need);
        let (end, finished) = follow(&panel, progress);
        watch(PathPiece::Turning(&panel), end);
        let (step, next) = panel.state(end);
        slid = Slid { impulse: slid.impulse + step, end: next, finished };
        if next.speed <= VANISHED * from.speed {
            slid.end.speed = 0.0;
        }
        if finished || slid.end.speed == 0.0 || !flow.turns(next.direction) {
            return Ok(slid);
        }
    }
    Err(ImpactError::Unresolved)
}

/// Follows a panel from one change of sign of `d u_z / d p_z` to the next; returns the parameter reached, and whether the
/// impact has ended.
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
        PanelEnd::Open(s) | PanelEnd::Zero(s) => (panel.place(s), false),
        PanelEnd::Never(guess) => (panel.place(from.s + guess), true),
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
