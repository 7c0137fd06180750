//! When a pair can touch at the earliest (sections 2.3.2, 2.5): conservative advancement along known trajectories.

use super::body::Body;
use super::measure::Measured;
use super::step::World;
use crate::body::{Range, State};
use crate::detect::{Closing, Turning, time_of_impact_bound};
use crate::math::quadratic_roots;

/// Distances measured in one prediction at most; a pair that needs more is looked at again when its time has come.
const MAX_STEPS: usize = 12;

/// Share of the touch distance at which bodies are predicted to arrive: inside it, so that arriving is touching.
pub(super) const AIM: f64 = 0.5;

impl World {
    /// A time, at most `limit`, before which the pair does not touch while neither motion changes. Where it is below `limit` the
    /// bodies are about to touch there, or the search was long.
    pub(super) fn predict(&mut self, pair: u32, from: f64, limit: f64) -> f64 {
        if let Some(t) = self.predict_balls(pair, from) {
            return t.min(limit);
        }
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
        let aim = AIM * self.pairs[pair as usize].touch;
        let apart = self.bound(pair, measured, measured.distance - aim, times);
        if apart > 0.0 {
            return apart;
        }
        self.bound(pair, measured, 0.5 * measured.distance, times)
    }

    /// Two balls on parabolas of equal acceleration meet at a root of a quadratic.
    fn predict_balls(&self, pair: u32, from: f64) -> Option<f64> {
        let pair = &self.pairs[pair as usize];
        let [first, second] = pair.items.map(|i| &self.bodies[i as usize]);
        let reach = first.ball? + second.ball? + AIM * pair.touch;
        let [position, velocity, acceleration] = first.motion.parabola_at(from)?;
        let [other_position, other_velocity, other_acceleration] = second.motion.parabola_at(from)?;
        if acceleration != other_acceleration {
            return None;
        }
        let (position, velocity) = (position - other_position, velocity - other_velocity);
        let half_slope = position.dot(velocity);
        if half_slope >= 0.0 {
            return Some(f64::INFINITY);
        }
        let length = position.length();
        // (|p| - reach) (|p| + reach) keeps the digits that |p|^2 - reach^2 loses near contact.
        let excess = ((length - reach) * (length + reach)).max(0.0);
        let roots = quadratic_roots(velocity.length_squared(), 2.0 * half_slope, excess);
        Some(roots.as_slice().first().map_or(f64::INFINITY, |&s| from + s.max(0.0)))
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
