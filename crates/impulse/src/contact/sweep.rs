//! Block Gauss-Seidel: each point in turn gets the impulse it needs given those of the others.

use super::cone::nearest_in_cone;
use super::problem::{ContactPoint, Mover};

/// Steps towards the solution of one point.
const POINT_STEPS: usize = 3;

/// One sweep over all points.
pub(super) fn sweep(movers: &mut [Mover], points: &mut [ContactPoint]) {
    for point in points {
        let velocity = point.velocity(movers);
        let before = point.impulse;
        let mut now = velocity;
        for _ in 0..POINT_STEPS {
            let towards = point.impulse + point.matrix.inverse() * point.missing(now);
            let next = nearest_in_cone(towards, point.friction);
            point.impulse = if next.is_finite() { next } else { point.impulse };
            now = velocity + point.matrix * (point.impulse - before);
        }
        point.apply(movers, point.impulse - before);
    }
}
