//! The path of the relative velocity during an impact (Figures 3.3, 3.5 and 3.7), for plots.

use super::error::ImpactError;
use super::flow::Flow;
use super::impact::Impact;
use super::path_piece::PathPoint;
use super::resolve::follow_impact;
use glam::{DMat3, DVec2};

/// The path of an impact as points in the order of the normal impulse, including the first and the last. Each piece of the path
/// gets `per_piece` points (at least 1); a turning slide has a few pieces, anything straight has one.
pub fn path(impact: &Impact, per_piece: usize) -> Result<Vec<PathPoint>, ImpactError> {
    let start = PathPoint { normal_impulse: 0.0, velocity: impact.velocity, normal_work: 0.0 };
    let mut points = vec![start];
    follow_impact(impact, &mut |piece, end| {
        let steps = per_piece.max(1);
        points.extend((1..=steps).map(|i| piece.point(end * i as f64 / steps as f64)));
    })?;
    Ok(points)
}

/// The flow that paths follow while sliding: `d u_t / d p_z` at a tangential velocity other than zero (3.16).
#[must_use]
pub fn tangential_flow(k: &DMat3, friction: f64, tangential: DVec2) -> DVec2 {
    Flow::new(k, friction).tangential_rate(tangential.normalize_or_zero())
}
