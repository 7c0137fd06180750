//! Flight of a centre of mass under constant acceleration (sections 2.3.2, 2.4.3).

use super::bounds::{ROUNDING, Range};
use crate::geometry::Aabb;
use crate::math::quadratic_roots;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// `x(t) = position + velocity (t - start) + acceleration (t - start)^2 / 2`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Parabola {
    pub(super) start: f64,
    pub(super) position: DVec3,
    pub(super) velocity: DVec3,
    pub(super) acceleration: DVec3,
}

impl Parabola {
    pub(super) fn position_at(&self, t: f64) -> DVec3 {
        let s = t - self.start;
        self.position + (self.velocity + self.acceleration * (0.5 * s)) * s
    }

    pub(super) fn velocity_at(&self, t: f64) -> DVec3 {
        self.velocity + self.acceleration * (t - self.start)
    }

    /// Position, velocity and acceleration.
    pub(super) fn at(&self, t: f64) -> [DVec3; 3] {
        [self.position_at(t), self.velocity_at(t), self.acceleration]
    }

    /// The smallest box around the path during `times`, widened by rounding.
    pub(super) fn swept(&self, times: Range) -> Aabb {
        let mut swept = Aabb::of_points([self.position_at(times.min), self.position_at(times.max)]);
        for axis in 0..3 {
            let (x, v, a) = (self.position[axis], self.velocity[axis], self.acceleration[axis]);
            let top = -v / a;
            if a != 0.0 && top > times.min - self.start && top < times.max - self.start {
                let peak = x + 0.5 * v * top;
                swept.min[axis] = swept.min[axis].min(peak);
                swept.max[axis] = swept.max[axis].max(peak);
            }
        }
        let s = (times.min - self.start).abs().max((times.max - self.start).abs());
        let size = self.position.abs() + (self.velocity.abs() + self.acceleration.abs() * s) * s;
        Aabb { min: swept.min - ROUNDING * size, max: swept.max + ROUNDING * size }
    }

    /// How long the path stays in a box from time `t` on, with room for rounding, s; 0 where it is not inside.
    pub(super) fn time_within(&self, bounds: &Aabb, t: f64) -> f64 {
        let s = (t - self.start).abs();
        let size = self.position.abs() + (self.velocity.abs() + self.acceleration.abs() * s) * s;
        let slack = 2.0 * ROUNDING * (size + bounds.min.abs().max(bounds.max.abs()));
        let [position, velocity, acceleration] = self.at(t);
        let (above, below) = (position - (bounds.min + slack), (bounds.max - slack) - position);
        (0..3).fold(f64::INFINITY, |least, i| {
            let (v, a) = (velocity[i], acceleration[i]);
            least.min(time_to_zero(above[i], v, a)).min(time_to_zero(below[i], -v, -a))
        })
    }

    pub(super) fn velocity_along(&self, d: DVec3, times: Range) -> Range {
        let at = |t: f64| Range::point(self.velocity_at(t).dot(d));
        let size = self.velocity.length() + self.acceleration.length() * (times.max - self.start).abs();
        at(times.min).union(at(times.max)).with_rounding(size * d.length())
    }
}

/// When a height that starts at `h` with velocity `v` and keeps the acceleration `a` is first used up, s; 0 if it is not positive.
fn time_to_zero(h: f64, v: f64, a: f64) -> f64 {
    if h.is_nan() || h <= 0.0 {
        return 0.0;
    }
    if a == 0.0 {
        return if v < 0.0 { -h / v } else { f64::INFINITY };
    }
    quadratic_roots(0.5 * a, v, h).first_from(0.0).unwrap_or(f64::INFINITY)
}
