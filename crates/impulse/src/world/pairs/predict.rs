//! When a pair can touch at the earliest (sections 2.3.2, 2.5), and its check in the queue.

use super::super::collider::Collider;
use super::super::data::World;
use super::super::index::PairIndex;
use super::super::settings::Settings;
use crate::detect::{AIM_SHARE, Search, time_of_impact};
use crate::geometry::Plane;
use crate::math::quadratic_roots;
use glam::DVec3;

/// Closing speeds are found in two ways, by predictions and by checks, which differ by rounding. Predictions take bodies to strike
/// at this many times the tolerance of checks: what they announce, checks confirm.
const UNDECIDED: f64 = 2.0;

impl World {
    /// Predicts a pair from now on and queues its check.
    pub(crate) fn schedule(&mut self, pair: PairIndex) {
        let time = self.first_contact(pair);
        self.queue_check(pair, time);
    }

    pub(crate) fn queue_check(&mut self, pair: PairIndex, time: f64) {
        let pair = &mut self.pairs[pair];
        // Most pairs never meet on their present course: nothing to do where that was so before.
        let parked = time == f64::INFINITY;
        if !(parked && pair.parked) {
            pair.parked = parked;
            self.queue.update(pair.slot, time);
        }
    }

    /// When a pair can touch at the earliest, s.
    pub(crate) fn first_contact(&mut self, pair: PairIndex) -> f64 {
        // Balls first: their flights are at hand, their bodies are not.
        self.predict_balls(pair).unwrap_or_else(|| self.predict_until_expiry(pair))
    }

    fn predict_until_expiry(&mut self, pair: PairIndex) -> f64 {
        let colliders = self.pairs[pair].colliders;
        if colliders.iter().all(|&c| self.member(c).stands()) {
            return f64::INFINITY;
        }
        let horizon = |c| {
            let (collider, group) = (&self.colliders[c], self.group_of(c));
            group.member(collider.member).horizon(collider.expiry, group.lasting_until, self.now)
        };
        let limit = colliders.into_iter().map(horizon).fold(f64::INFINITY, f64::min);
        self.predict(pair, limit)
    }

    /// A time, at most `limit`, before which the pair does not touch while neither motion changes. Where it is below `limit` the
    /// bodies are about to touch there, or the search was long.
    fn predict(&mut self, pair: PairIndex, limit: f64) -> f64 {
        let colliders = self.pairs[pair].colliders;
        let members = colliders.map(|c| {
            let collider = &self.colliders[c];
            self.groups[collider.group].member(collider.member)
        });
        let speeds =
            [0, 1].map(|side| self.colliders[colliders[side]].surface_speed(&members[side].state_at(self.now)));
        let moving = [0, 1].map(|side| self.colliders[colliders[side]].moving(members[side]));
        let pair = &mut self.pairs[pair];
        let search = Search {
            from: self.now,
            limit,
            touch_distance: pair.touch_distance,
            velocity_tolerance: UNDECIDED * self.settings.velocity_tolerance(pair.touch_distance, speeds),
        };
        let found = time_of_impact(&moving, &search, pair.cache.get_or_insert_default());
        self.records.counters.measurements += u64::from(found.measurements);
        self.records.counters.marches += u64::from(found.marches);
        self.records.min_separation = self.records.min_separation.min(found.nearest);
        found.time
    }

    /// When two balls on parabolas of equal acceleration, or a ball and a half-space, meet: a root of a quadratic. What carries a ball
    /// never meets it.
    fn predict_balls(&self, pair: PairIndex) -> Option<f64> {
        let (pair, from, gravity) = (&self.pairs[pair], self.now, self.settings.gravity);
        let [first, second] = pair.colliders.map(|c| &self.tracks[c.0 as usize]);
        if let (Some(a), Some(b)) = (first.radius(), second.radius()) {
            let balls = Balls { radii: a + b, touch_distance: pair.touch_distance, settings: &self.settings };
            return Some(from + balls.time_to_meet(first.at(from, gravity), second.at(from, gravity)));
        }
        for (ball, wall) in [(first, 1), (second, 0)] {
            let Some(radius) = ball.radius() else { continue };
            if let Some(plane) = &self.colliders[pair.colliders[wall]].wall {
                let [position, velocity] = ball.at(from, gravity);
                let parabola = [position, velocity, gravity];
                return Some(from + self.time_to_wall(parabola, (plane, radius), pair.touch_distance));
            }
        }
        if self.carried_of(pair).is_some() {
            return Some(f64::INFINITY);
        }
        let [first, second] = pair.colliders.map(|c| &self.colliders[c]);
        let parabola = |side: usize| self.member(pair.colliders[side]).parabola_at(from);
        let time = match (first, second) {
            (Collider { ball: Some(a), .. }, Collider { ball: Some(b), .. }) => {
                let [position, velocity, acceleration] = parabola(0)?;
                let [other_position, other_velocity, other_acceleration] = parabola(1)?;
                let balls = Balls { radii: a + b, touch_distance: pair.touch_distance, settings: &self.settings };
                (acceleration == other_acceleration)
                    .then(|| balls.time_to_meet([position, velocity], [other_position, other_velocity]))?
            }
            (Collider { ball: Some(radius), .. }, Collider { wall: Some(plane), .. }) => {
                self.time_to_wall(parabola(0)?, (plane, *radius), pair.touch_distance)
            }
            (Collider { wall: Some(plane), .. }, Collider { ball: Some(radius), .. }) => {
                self.time_to_wall(parabola(1)?, (plane, *radius), pair.touch_distance)
            }
            _ => return None,
        };
        Some(from + time)
    }

    /// When a ball on a parabola comes down to a half-space, s.
    fn time_to_wall(&self, parabola: [DVec3; 3], (plane, radius): (&Plane, f64), touch_distance: f64) -> f64 {
        let [position, velocity, acceleration] = parabola;
        let height = plane.height(position) - radius;
        let undecided = || {
            let speeds = [velocity.abs().max_element(), 0.0];
            UNDECIDED * self.settings.velocity_tolerance(touch_distance, speeds)
        };
        let levels = [height, AIM_SHARE * touch_distance];
        time_to_fall(levels, velocity.dot(plane.normal), acceleration.dot(plane.normal), undecided)
    }
}

/// Two balls of equal acceleration.
struct Balls<'a> {
    /// Sum of the radii, m.
    radii: f64,
    /// Distance at which they touch, m.
    touch_distance: f64,
    settings: &'a Settings,
}

impl Balls<'_> {
    /// When balls with centres at these places, with these velocities, come within half the touch distance, s.
    fn time_to_meet(&self, [p1, v1]: [DVec3; 2], [p2, v2]: [DVec3; 2]) -> f64 {
        let (position, velocity) = (p1 - p2, v1 - v2);
        let half_slope = position.dot(velocity);
        if half_slope >= 0.0 {
            return f64::INFINITY;
        }
        let length = position.length();
        let gap = length - self.radii;
        let undecided = || {
            let speeds = [v1.abs().max_element(), v2.abs().max_element()];
            length * UNDECIDED * self.settings.velocity_tolerance(self.touch_distance, speeds)
        };
        // Balls that touch and hardly approach are looked at again when they have lost half their distance.
        let hardly = gap <= self.touch_distance && -half_slope <= undecided();
        let reach = self.radii + if hardly { 0.5 * gap } else { AIM_SHARE * self.touch_distance };
        // (|p| - reach) (|p| + reach) keeps the digits that |p|^2 - reach^2 loses near contact.
        let excess = ((length - reach) * (length + reach)).max(0.0);
        let roots = quadratic_roots(velocity.length_squared(), 2.0 * half_slope, excess);
        roots.as_slice().first().map_or(f64::INFINITY, |&s| s.max(0.0))
    }
}

/// When a ball that is at a height over a half-space comes down to the one at which it arrives, s. One that parts from below that comes
/// back to it, not to where it was, if it rises that far: else each bounce would halve the distance. What is asked last is the velocity
/// (m/s) up to which it neither approaches nor parts.
fn time_to_fall([height, aim]: [f64; 2], velocity: f64, acceleration: f64, undecided: impl Fn() -> f64) -> f64 {
    let fall = |gap: f64| quadratic_roots(0.5 * acceleration, velocity, gap);
    let gap = height - aim;
    if gap > 0.0 {
        return fall(gap).first_from(0.0).unwrap_or(f64::INFINITY);
    }
    if velocity < -undecided() {
        return 0.0;
    }
    if velocity < 0.0 {
        return fall(0.5 * height).first_from(0.0).unwrap_or(f64::INFINITY);
    }
    if acceleration >= 0.0 {
        return f64::INFINITY;
    }
    let last = |gap: f64| fall(gap).as_slice().last().copied().filter(|&t| t > 0.0);
    last(gap).or_else(|| last(0.5 * height)).unwrap_or(0.0)
}
