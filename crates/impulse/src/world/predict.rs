//! When a pair can touch at the earliest (sections 2.3.2, 2.5): conservative advancement along known trajectories.

use super::body::Body;
use super::measure::Measured;
use super::step::World;
use crate::body::{Range, State};
use crate::detect::{Closing, Turning, time_of_impact_bound};
use crate::math::quadratic_roots;
use glam::DVec3;

/// Distances measured in one prediction at most; a pair that needs more is looked at again when its time has come.
const MAX_STEPS: usize = 12;

impl World {
    /// A time, at most `limit`, before which the pair does not touch while neither motion changes. Where it is below `limit` the
    /// bodies are about to touch there, or the search was long.
    pub(super) fn predict(&mut self, pair: u32, from: f64, limit: f64) -> f64 {
        let mut t = from;
        for _ in 0..MAX_STEPS {
            let measured = self.measure(pair, t);
            let touch = self.pairs[pair as usize].touch;
            if measured.overlapping || (measured.distance <= touch && measured.approaching()) {
                return t;
            }
            let next = t + self.time_apart(pair, &measured, Range::new(t, limit));
            if next >= limit {
                return limit;
            }
            if next <= t {
                return t;
            }
            t = next;
        }
        t
    }

    /// A time in which the pair does not come together.
    fn time_apart(&self, pair: u32, measured: &Measured, times: Range) -> f64 {
        // Aim inside the touch distance, so that arriving is touching. Bodies that part from below the aim come back to it, not
        // to where they were: else each bounce would halve the distance.
        let aim = 0.5 * self.pairs[pair as usize].touch;
        let apart = self.bound(pair, measured, measured.distance - aim, times);
        if apart > 0.0 {
            return apart;
        }
        self.bound(pair, measured, 0.5 * measured.distance, times)
    }

    /// When two balls on parabolas of equal acceleration, or a ball and a half-space, meet: a root of a quadratic.
    pub(super) fn predict_balls(&self, pair: u32, from: f64) -> Option<f64> {
        let pair = &self.pairs[pair as usize];
        let gravity = self.settings.gravity;
        let [first, second] = pair.items.map(|i| &self.tracks[i as usize]);
        if let (Some(a), Some(b)) = (first.radius(), second.radius()) {
            let time = time_to_ball(a + b + 0.5 * pair.touch, first.at(from, gravity), second.at(from, gravity));
            return Some(from + time);
        }
        let [first, second] = pair.items.map(|i| &self.bodies[i as usize]);
        let time = match (first, second) {
            (Body { ball: Some(a), .. }, Body { ball: Some(b), .. }) => {
                let [position, velocity, acceleration] = first.motion.parabola_at(from)?;
                let [other_position, other_velocity, other_acceleration] = second.motion.parabola_at(from)?;
                let reach = a + b + 0.5 * pair.touch;
                (acceleration == other_acceleration)
                    .then(|| time_to_ball(reach, [position, velocity], [other_position, other_velocity]))?
            }
            (Body { ball: Some(radius), motion, .. }, Body { wall: Some(plane), .. })
            | (Body { wall: Some(plane), .. }, Body { ball: Some(radius), motion, .. }) => {
                let [position, velocity, acceleration] = motion.parabola_at(from)?;
                let height = plane.height(position) - radius;
                time_to_wall(height, pair.touch, velocity.dot(plane.normal), acceleration.dot(plane.normal))
            }
            _ => return None,
        };
        Some(from + time)
    }

    /// A time after `times.min` in which the gap along the pair's normal is not used up.
    fn bound(&self, pair: u32, measured: &Measured, gap: f64, times: Range) -> f64 {
        let [first, second] = self.pairs[pair as usize].items.map(|i| &self.bodies[i as usize]);
        let [state, other] = &measured.states;
        let d = measured.normal;
        let acceleration = first.motion.centre_acceleration_along(d, times).min
            - second.motion.centre_acceleration_along(d, times).max;
        let closing = Closing { gap, velocity: (state.velocity - other.velocity).dot(d), acceleration };
        let turning = [turning(first, state, times), turning(second, other, times)];
        time_of_impact_bound(d, &closing, turning, times.length())
    }
}

/// How a body turns, if that matters.
fn turning<'a>(body: &'a Body, state: &State, times: Range) -> Option<Turning<'a>> {
    if body.ball.is_some() || body.is_fixed() {
        return None;
    }
    let spin = body.motion.spin_bounds(times);
    if spin.speed == 0.0 {
        return None;
    }
    let acceleration = spin.acceleration_within_box(body.extents).min(spin.acceleration_within(body.radius));
    Some(Turning {
        shape: &body.shape,
        world_from_shape: state.world_from_body.rotation * body.body_from_shape.rotation,
        centre: body.centre,
        angular_velocity: state.angular_velocity(),
        acceleration,
    })
}

/// When two balls of equal acceleration whose centres are at these places, with these velocities, come within `reach`, s.
fn time_to_ball(reach: f64, [p1, v1]: [DVec3; 2], [p2, v2]: [DVec3; 2]) -> f64 {
    let (position, velocity) = (p1 - p2, v1 - v2);
    let half_slope = position.dot(velocity);
    if half_slope >= 0.0 {
        return f64::INFINITY;
    }
    let length = position.length();
    // (|p| - reach) (|p| + reach) keeps the digits that |p|^2 - reach^2 loses near contact.
    let excess = ((length - reach) * (length + reach)).max(0.0);
    let roots = quadratic_roots(velocity.length_squared(), 2.0 * half_slope, excess);
    roots.as_slice().first().map_or(f64::INFINITY, |&s| s.max(0.0))
}

/// When a ball at a height above a half-space comes down to half the touch distance, s. One that parts from below that comes
/// back to it, not to where it was, if it rises that far: else each bounce would halve the distance.
fn time_to_wall(height: f64, touch: f64, velocity: f64, acceleration: f64) -> f64 {
    let fall = |gap: f64| quadratic_roots(0.5 * acceleration, velocity, gap);
    let gap = height - 0.5 * touch;
    if gap > 0.0 {
        return fall(gap).first_from(0.0).unwrap_or(f64::INFINITY);
    }
    if velocity < 0.0 {
        return 0.0;
    }
    if acceleration >= 0.0 {
        return f64::INFINITY;
    }
    let last = |gap: f64| fall(gap).as_slice().last().copied().filter(|&t| t > 0.0);
    last(gap).or_else(|| last(0.5 * height)).unwrap_or(0.0)
}
