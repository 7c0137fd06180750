//! When a pair can touch at the earliest (sections 2.3.2, 2.5): what the search for it asks of bodies and motions.

use super::body::Body;
use super::settings::Settings;
use super::step::World;
use crate::body::{Motion, Range};
use crate::detect::{AIM_SHARE, Moving, MovingShape, Search, Trajectory, Vectors, time_of_impact};
use crate::math::quadratic_roots;
use glam::DVec3;

impl World {
    /// A time, at most `limit`, before which the pair does not touch while neither motion changes. Where it is below `limit` the
    /// bodies are about to touch there, or the search was long.
    pub(super) fn predict(&mut self, pair: u32, from: f64, limit: f64) -> f64 {
        let pair = &mut self.pairs[pair as usize];
        let velocities = pair.items.map(|i| self.bodies[i as usize].motion.velocity_at(from));
        let undecided = self.settings.noise(pair.touch, velocities);
        let movers = pair.items.map(|i| mover(&self.bodies[i as usize]));
        let search = Search { from, limit, touch_distance: pair.touch, velocity_tolerance: undecided };
        let found = time_of_impact(&movers, &search, pair.cache.get_or_insert_default());
        self.counters.measurements += u64::from(found.measurements);
        self.counters.marches += u64::from(found.marches);
        self.min_separation = self.min_separation.min(found.nearest);
        found.time
    }

    /// When two balls on parabolas of equal acceleration, or a ball and a half-space, meet: a root of a quadratic.
    pub(super) fn predict_balls(&self, pair: u32, from: f64) -> Option<f64> {
        let pair = &self.pairs[pair as usize];
        let gravity = self.settings.gravity;
        let [first, second] = pair.items.map(|i| &self.tracks[i as usize]);
        if let (Some(a), Some(b)) = (first.radius(), second.radius()) {
            let balls = Balls { radii: a + b, touch: pair.touch, settings: &self.settings };
            return Some(from + balls.time_to_meet(first.at(from, gravity), second.at(from, gravity)));
        }
        let [first, second] = pair.items.map(|i| &self.bodies[i as usize]);
        let time = match (first, second) {
            (Body { ball: Some(a), .. }, Body { ball: Some(b), .. }) => {
                let [position, velocity, acceleration] = first.motion.parabola_at(from)?;
                let [other_position, other_velocity, other_acceleration] = second.motion.parabola_at(from)?;
                let balls = Balls { radii: a + b, touch: pair.touch, settings: &self.settings };
                (acceleration == other_acceleration)
                    .then(|| balls.time_to_meet([position, velocity], [other_position, other_velocity]))?
            }
            (Body { ball: Some(radius), motion, .. }, Body { wall: Some(plane), .. })
            | (Body { wall: Some(plane), .. }, Body { ball: Some(radius), motion, .. }) => {
                let [position, velocity, acceleration] = motion.parabola_at(from)?;
                let height = plane.height(position) - radius;
                let undecided = self.settings.noise(pair.touch, [velocity, DVec3::ZERO]);
                let levels = Levels { height, aim: AIM_SHARE * pair.touch, undecided };
                time_to_wall(&levels, velocity.dot(plane.normal), acceleration.dot(plane.normal))
            }
            _ => return None,
        };
        Some(from + time)
    }
}

fn mover(body: &Body) -> MovingShape<'_> {
    MovingShape {
        trajectory: &body.motion,
        shape: &body.shape,
        body_from_shape: body.body_from_shape,
        points: Vectors { extents: body.extents, length: body.radius },
        ball: body.ball,
    }
}

impl Trajectory for Motion {
    fn at(&self, t: f64) -> Moving {
        let state = self.state_at(t);
        let angular_velocity = state.angular_velocity();
        Moving { world_from_body: state.world_from_body, velocity: state.velocity, angular_velocity }
    }

    fn parabola_at(&self, t: f64) -> Option<[DVec3; 3]> {
        Self::parabola_at(self, t)
    }

    fn centre_acceleration(&self, d: DVec3, [from, to]: [f64; 2]) -> [f64; 2] {
        let range = self.centre_acceleration_along(d, Range::new(from, to));
        [range.min, range.max]
    }

    fn centre_accelerations(&self, [from, to]: [f64; 2]) -> [[f64; 2]; 3] {
        Self::centre_accelerations(self, Range::new(from, to)).map(|range| [range.min, range.max])
    }

    fn turning(&self, vectors: Vectors, [from, to]: [f64; 2]) -> [f64; 2] {
        let spin = self.spin_bounds(Range::new(from, to));
        let Vectors { extents: r, length } = vectors;
        let w = spin.components;
        // |w x r| by components, or by lengths.
        let rate = DVec3::new(w.y * r.z + w.z * r.y, w.z * r.x + w.x * r.z, w.x * r.y + w.y * r.x).length();
        [rate.min(spin.speed * length), spin.acceleration_within_box(r).min(spin.acceleration_within(length))]
    }
}

/// Two balls of equal acceleration.
struct Balls<'a> {
    /// Sum of the radii, m.
    radii: f64,
    /// Distance at which they touch, m.
    touch: f64,
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
        // Balls that touch and hardly approach are looked at again when they have lost half their distance.
        let hardly = gap <= self.touch && -half_slope <= length * self.settings.noise(self.touch, [v1, v2]);
        let reach = self.radii + if hardly { 0.5 * gap } else { AIM_SHARE * self.touch };
        // (|p| - reach) (|p| + reach) keeps the digits that |p|^2 - reach^2 loses near contact.
        let excess = ((length - reach) * (length + reach)).max(0.0);
        let roots = quadratic_roots(velocity.length_squared(), 2.0 * half_slope, excess);
        roots.as_slice().first().map_or(f64::INFINITY, |&s| s.max(0.0))
    }
}

/// Where a ball is over a half-space.
struct Levels {
    /// Its height now, and the one at which it arrives, m.
    height: f64,
    aim: f64,
    /// Velocity up to which it neither approaches nor parts, m/s.
    undecided: f64,
}

/// When a ball comes down to where it arrives, s. One that parts from below that comes back to it, not to where it was, if it
/// rises that far: else each bounce would halve the distance.
fn time_to_wall(levels: &Levels, velocity: f64, acceleration: f64) -> f64 {
    let fall = |gap: f64| quadratic_roots(0.5 * acceleration, velocity, gap);
    let gap = levels.height - levels.aim;
    if gap > 0.0 {
        return fall(gap).first_from(0.0).unwrap_or(f64::INFINITY);
    }
    if velocity < -levels.undecided {
        return 0.0;
    }
    if velocity < 0.0 {
        return fall(0.5 * levels.height).first_from(0.0).unwrap_or(f64::INFINITY);
    }
    if acceleration >= 0.0 {
        return f64::INFINITY;
    }
    let last = |gap: f64| fall(gap).as_slice().last().copied().filter(|&t| t > 0.0);
    last(gap).or_else(|| last(0.5 * levels.height)).unwrap_or(0.0)
}
