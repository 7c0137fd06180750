//! Block Gauss-Seidel: point after point gets the impulse it needs given the others'.

use super::problem::{ContactPoint, Mover};

/// One sweep over all points; gives the largest change of a point's velocity that a correction made, m/s.
pub(super) fn sweep(movers: &mut [Mover], points: &mut [ContactPoint]) -> f64 {
    let mut largest: f64 = 0.0;
    for point in points {
        let velocity = point.velocity(movers);
        let answer = point.answer(velocity);
        let change = answer - point.impulse;
        if change != glam::DVec3::ZERO {
            point.apply(movers, change);
            point.impulse = answer;
            largest = largest.max((point.matrix * change).abs().max_element());
        }
    }
    largest
}

/// How far the points are from their answers, m/s, without changing anything.
pub(super) fn residual(movers: &[Mover], points: &[ContactPoint]) -> f64 {
    points
        .iter()
        .map(|point| {
            let change = point.answer(point.velocity(movers)) - point.impulse;
            (point.matrix * change).abs().max_element()
        })
        .fold(0.0, f64::max)
}
