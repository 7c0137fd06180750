//! Bounds on the relative motion of two bodies during some time (section 2.3.2).

use super::toi_convex::Convex;
use super::trajectory::Moving;
use glam::DVec3;

/// How far ahead scripted bodies are searched, s: their motion cannot be bounded for all times.
pub(super) const SCRIPT_HORIZON: f64 = 1000.0;

/// Bounds on the relative motion of two bodies during an interval of time.
pub(super) struct Travel {
    /// The interval, from now on, s.
    pub(super) times: [f64; 2],
    /// Largest distance between the reference points, m.
    pub(super) distance: f64,
    /// Speed of one reference point relative to the other, m/s: now, and the largest.
    speed_now: f64,
    pub(super) speed: f64,
    /// Largest acceleration of one reference point relative to the other, m/s^2: now, and in the interval.
    pub(super) pull: f64,
    pub(super) acceleration: f64,
    /// Largest velocity (m/s) and acceleration (m/s^2) of each body's points relative to its reference point.
    pub(super) points: [[f64; 2]; 2],
}

impl Travel {
    /// Bounds for about as long as it takes the bodies to move past each other by their own size, but not beyond `limit`.
    pub(super) fn new(pair: &[Convex<'_>; 2], states: &[Moving; 2], t: f64, limit: f64) -> Self {
        Self::with_pull(pair, states, [t, limit], None)
    }

    /// The same where the acceleration now may be known: parts of a body share it.
    pub(super) fn with_pull(
        pair: &[Convex<'_>; 2],
        states: &[Moving; 2],
        [t, limit]: [f64; 2],
        pull: Option<f64>,
    ) -> Self {
        let [first, second] = states;
        let distance = first.world_from_body.translation.distance(second.world_from_body.translation);
        let speed = first.velocity.distance(second.velocity);
        // A half-space counts as having no size: it does not move.
        let sizes = pair.each_ref().map(|p| if p.points.length.is_finite() { p.points.length } else { 0.0 });
        let whirl = first.angular_velocity.length() * sizes[0] + second.angular_velocity.length() * sizes[1];
        let steady = steady_acceleration(pair, t);
        let pull = steady.or(pull).unwrap_or_else(|| relative_acceleration(pair, [t, t]));
        // A scripted body may be at rest now and move later.
        let longest = if steady.is_some() { f64::INFINITY } else { SCRIPT_HORIZON };
        let window = time_to_travel(sizes[0] + sizes[1], speed + whirl, pull).min(limit - t).min(longest);
        let times = [t, t + window];
        let acceleration = steady.unwrap_or_else(|| relative_acceleration(pair, times));
        let gain = if acceleration > 0.0 { acceleration * window } else { 0.0 };
        let path = if speed + gain > 0.0 { (speed + gain) * window } else { 0.0 };
        let still = |p: &Convex<'_>| if p.points.length.is_finite() { p.turning(p.points, times) } else { [0.0; 2] };
        Self {
            times,
            distance: distance + path,
            speed_now: speed,
            speed: speed + gain,
            pull,
            acceleration,
            points: pair.each_ref().map(still),
        }
    }

    /// How much nearer any two points can come within the first `s` seconds, m.
    pub(super) fn approach(&self, s: f64) -> f64 {
        (self.largest_speed_now() + 0.5 * self.acceleration * s) * s
    }

    /// The least time (s) in which any two points can come nearer by this distance, m; valid within the interval.
    pub(super) fn time_to_approach(&self, distance: f64) -> f64 {
        time_to_travel(distance.max(0.0), self.largest_speed_now(), self.acceleration)
    }

    /// Largest speed of any point relative to any point of the other body, without what the reference points gain later, m/s.
    fn largest_speed_now(&self) -> f64 {
        self.speed_now + self.points[0][0] + self.points[1][0]
    }

    /// Whether more than half of the interval has passed.
    pub(super) fn is_half_over(&self, t: f64) -> bool {
        t - self.times[0] > 0.5 * self.window()
    }

    /// Duration of the interval, s.
    pub(super) fn window(&self) -> f64 {
        self.times[1] - self.times[0]
    }
}

/// The acceleration of one centre relative to the other where both are constant, m/s^2: one number for all times.
fn steady_acceleration(pair: &[Convex<'_>; 2], t: f64) -> Option<f64> {
    let [first, second] = pair.each_ref().map(|p| p.trajectory.parabola_at(t));
    Some((first?[2] - second?[2]).length())
}

/// Upper bound on the acceleration of one centre relative to the other, m/s^2.
fn relative_acceleration(pair: &[Convex<'_>; 2], times: [f64; 2]) -> f64 {
    let [first, second] = pair.each_ref().map(|p| p.trajectory.centre_accelerations(times));
    let along = |axis: usize| {
        let ([low, high], [other_low, other_high]) = (first[axis], second[axis]);
        (high - other_low).abs().max((low - other_high).abs())
    };
    DVec3::new(along(0), along(1), along(2)).length()
}

/// The positive root of `speed t + acceleration t^2 / 2 = distance`, without cancellation.
fn time_to_travel(distance: f64, speed: f64, acceleration: f64) -> f64 {
    let root = (speed * speed + 2.0 * acceleration * distance).sqrt();
    if root > 0.0 { 2.0 * distance / (speed + root) } else { f64::INFINITY }
}
