//! A ball on a fixed plane: sliding, rolling and rest in closed form (beside section 3.5).
//!
//! Friction does not turn where a ball slips along a line, so velocity and angular velocity are linear in time until something
//! stops: the slip, the rolling or the spinning. Where friction or resistance would turn there is no closed form, and none is given.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Velocities, relative to those that they are parts or differences of, up to which there is none but for rounding.
const ROUNDING: f64 = 1e-13;

/// Sine of the angle up to which two vectors are parallel.
pub(super) const PARALLEL: f64 = 1e-12;

/// Share of the largest static friction that rounding may add to what holds.
const HOLDING: f64 = 1e-14;

/// Phases that follow each other at most: more is a fault of rounding.
const MOST_PHASES: usize = 16;

/// A ball with equal moments of inertia that presses on a plane, and the laws of their surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallOnPlane {
    /// Of the plane, towards the ball.
    pub normal: DVec3,
    /// Metres.
    pub radius: f64,
    /// Kilograms.
    pub mass: f64,
    /// About any axis through the centre, kg m^2.
    pub inertia: f64,
    /// By all forces but contact, m/s^2.
    pub acceleration: DVec3,
    /// Coefficients of kinetic and of static friction.
    pub friction: [f64; 2],
    /// Largest moment across the normal divided by the normal force, m.
    pub rolling: f64,
    /// Largest moment along the normal divided by the normal force, m.
    pub spinning: f64,
}

/// Velocities of a ball, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallVelocities {
    /// Of the centre, m/s.
    pub linear: DVec3,
    /// Rad/s.
    pub angular: DVec3,
}

/// What ends a phase of steady acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// The slip: from then on the ball rolls.
    Slip,
    /// The rolling, by resistance.
    Rolling,
    /// The rotation across the normal of a ball that slips, by resistance.
    Turning,
    /// The rotation about the normal, by resistance.
    Spinning,
}

/// Steady acceleration of a ball on a plane, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// Of the centre, m/s^2.
    pub acceleration: DVec3,
    /// Rad/s^2.
    pub angular_acceleration: DVec3,
    /// On the ball, N.
    pub force: DVec3,
    /// Of the resistances on the ball, N m.
    pub couple: DVec3,
    /// At the beginning, m/s.
    pub slip: DVec3,
    /// How long it lasts, s, and what ends it; `None` where nothing does.
    pub end: Option<(f64, Stop)>,
}

/// A ball that comes down on a plane and does not bounce.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// Afterwards.
    pub velocities: BallVelocities,
    /// On the ball, N s.
    pub impulse: DVec3,
    /// Velocity of its lowest point before and after, m/s.
    pub contact: [DVec3; 2],
    /// Joules.
    pub energy_lost: f64,
}

impl BallOnPlane {
    /// Ends the approach of a ball, with the friction and the resistance that go with it; `None` where these have no closed form.
    pub fn land(&self, velocities: &BallVelocities) -> Option<Landing> {
        let approach = velocities.linear.dot(self.normal);
        // The push of the plane, spread over a second: for the laws of contact it does not matter how long it takes.
        let push = Self { acceleration: self.normal * approach, ..*self };
        let level = BallVelocities { linear: self.along_plane(velocities.linear), ..*velocities };
        let (after, impulse) = if approach < 0.0 { push.advanced(&level, 1.0)? } else { (level, DVec3::ZERO) };
        let contact = [self.slip(velocities) + self.normal * approach, self.slip(&after)];
        let energy_lost = self.kinetic_energy(velocities) - self.kinetic_energy(&after);
        Some(Landing { velocities: after, impulse, contact, energy_lost })
    }

    fn kinetic_energy(&self, velocities: &BallVelocities) -> f64 {
        let BallVelocities { linear, angular } = velocities;
        0.5 * (self.mass * linear.length_squared() + self.inertia * angular.length_squared())
    }

    /// Velocities when something has just stopped.
    pub fn stopped(&self, velocities: &BallVelocities, stop: Stop) -> BallVelocities {
        let (linear, w) = (self.along_plane(velocities.linear), velocities.angular);
        let spin = self.normal * w.dot(self.normal);
        match stop {
            Stop::Slip => BallVelocities { linear, angular: self.rolling_at(linear) + spin },
            Stop::Rolling => BallVelocities { linear: DVec3::ZERO, angular: spin },
            Stop::Turning => BallVelocities { linear, angular: spin },
            Stop::Spinning => BallVelocities { linear, angular: rounded(w - spin, w) },
        }
    }

    /// The first phase that lasts longer than an instant, s, and the velocities with which it begins.
    pub fn first_phase(&self, velocities: &BallVelocities, instant: f64) -> Option<(BallVelocities, Phase)> {
        let mut then = *velocities;
        for _ in 0..MOST_PHASES {
            let phase = self.phase(&then)?;
            if phase.length() > instant {
                return Some((then, phase));
            }
            then = self.after(&then, &phase, phase.length());
        }
        None
    }

    /// Whether the ball has a closed form for a duration to come, s.
    pub fn is_closed_for(&self, velocities: &BallVelocities, duration: f64) -> bool {
        self.advanced(velocities, duration).is_some()
    }

    /// Velocities after a duration (s), through phase after phase, and the impulse of contact until then, N s; `None` where there is no
    /// closed form.
    fn advanced(&self, velocities: &BallVelocities, duration: f64) -> Option<(BallVelocities, DVec3)> {
        let (mut left, mut then, mut impulse) = (duration, *velocities, DVec3::ZERO);
        for _ in 0..MOST_PHASES {
            let phase = self.phase(&then)?;
            let passed = phase.length().min(left);
            then = self.after(&then, &phase, passed);
            impulse += phase.force * passed;
            left -= passed;
            if left <= 0.0 {
                return Some((then, impulse));
            }
        }
        None
    }

    /// Velocities when so much of a phase has passed, s, up to all of it.
    fn after(&self, velocities: &BallVelocities, phase: &Phase, passed: f64) -> BallVelocities {
        let then = BallVelocities {
            linear: velocities.linear + phase.acceleration * passed,
            angular: velocities.angular + phase.angular_acceleration * passed,
        };
        match phase.end {
            Some((duration, stop)) if duration <= passed => self.stopped(&then, stop),
            _ => then,
        }
    }

    /// Whether nothing pulls the ball along the plane.
    pub fn is_level(&self) -> bool {
        self.pull() == DVec3::ZERO
    }

    /// Acceleration along the plane by all forces but contact, m/s^2; zero where it is that but for rounding.
    fn pull(&self) -> DVec3 {
        let pull = self.along_plane(self.acceleration);
        if pull.length() > PARALLEL * self.acceleration.length() { pull } else { DVec3::ZERO }
    }

    /// How the ball goes on; `None` where that has no closed form, or nothing presses it on the plane.
    pub fn phase(&self, velocities: &BallVelocities) -> Option<Phase> {
        if self.press() <= 0.0 {
            return None;
        }
        let slip = self.slip(velocities);
        let across = self.along_plane(velocities.angular).length() * self.radius;
        let phase = if slip.length() > ROUNDING * (velocities.linear.length() + across) {
            self.sliding(velocities, slip)?
        } else {
            self.rolling(velocities)?
        };
        let spin = self.normal * velocities.angular.dot(self.normal);
        Some(self.with_spin(phase, rounded(spin, velocities.angular).dot(self.normal)))
    }

    /// Velocity of the lowest point, m/s.
    fn slip(&self, velocities: &BallVelocities) -> DVec3 {
        self.along_plane(velocities.linear) - self.radius * velocities.angular.cross(self.normal)
    }

    /// Angular velocity with which the ball rolls at a velocity.
    fn rolling_at(&self, velocity: DVec3) -> DVec3 {
        self.normal.cross(velocity) / self.radius
    }

    fn along_plane(&self, v: DVec3) -> DVec3 {
        v - self.normal * v.dot(self.normal)
    }

    /// Acceleration with which the ball presses on the plane, m/s^2.
    fn press(&self) -> f64 {
        -self.acceleration.dot(self.normal)
    }

    /// The ball slips: along a line only where nothing pulls across it.
    fn sliding(&self, velocities: &BallVelocities, slip: DVec3) -> Option<Phase> {
        let direction = slip.normalize();
        let turning = rounded(self.along_plane(velocities.angular), velocities.angular);
        let axis = self.normal.cross(direction);
        let is_straight = self.friction[0] == 0.0 || are_parallel(self.pull(), direction);
        let turns_along = self.rolling == 0.0 || are_parallel(turning, axis);
        (is_straight && turns_along).then(|| self.sliding_along(direction, slip.length(), turning.dot(axis)))
    }

    /// The ball slips in a direction, and turns about the axis that rolls it there at a rate.
    fn sliding_along(&self, direction: DVec3, slip: f64, rate: f64) -> Phase {
        let (axis, force) = (self.normal.cross(direction), self.mass * self.press());
        let moment = self.friction[0] * force * self.radius;
        let most = self.rolling * force;
        let couple = if rate == 0.0 { -most.min(moment) } else { -most * rate.signum() };
        let turning = (moment + couple) / self.inertia;
        let acceleration = self.pull() - direction * (self.friction[0] * self.press());
        let slip_change = acceleration.dot(direction) - self.radius * turning;
        let slip_stops = (slip_change < 0.0).then(|| (slip / -slip_change, Stop::Slip));
        let turning_stops =
            (self.rolling > 0.0 && rate * turning < 0.0).then(|| (rate.abs() / turning.abs(), Stop::Turning));
        Phase {
            acceleration,
            angular_acceleration: axis * turning,
            force: self.normal * force - direction * (self.friction[0] * force),
            couple: axis * couple,
            slip: direction * slip,
            end: first(slip_stops, turning_stops),
        }
    }

    /// The ball rolls or stands still, if friction can hold it; else it begins to slip.
    fn rolling(&self, velocities: &BallVelocities) -> Option<Phase> {
        let (pull, velocity) = (self.pull(), self.along_plane(velocities.linear));
        let speed = velocity.length();
        let resisting = self.rolling / self.radius * self.press();
        let (against, stands) = if speed > 0.0 {
            (velocity / speed, false)
        } else {
            (pull.normalize_or_zero(), self.rolling > 0.0 && pull.length() <= resisting)
        };
        if self.rolling > 0.0 && !are_parallel(pull, against) {
            return None;
        }
        let resistance = if stands { pull } else { against * resisting };
        let lever = self.inertia / (self.mass * self.radius * self.radius);
        let acceleration = (pull - resistance) / (1.0 + lever);
        let friction = self.mass * (acceleration - pull);
        let press = self.mass * self.press();
        if friction.length() > self.friction[1] * press * (1.0 + HOLDING) {
            let direction = -friction.normalize();
            let rate = self.along_plane(velocities.angular).dot(self.normal.cross(direction));
            return Some(self.sliding_along(direction, 0.0, rate));
        }
        let slowing = -acceleration.dot(against);
        let stops = self.rolling > 0.0 && speed > 0.0 && slowing > 0.0;
        Some(Phase {
            acceleration,
            angular_acceleration: self.rolling_at(acceleration),
            force: self.normal * press + friction,
            couple: self.rolling_at(resistance) * (-self.mass * self.radius * self.radius),
            slip: DVec3::ZERO,
            end: stops.then(|| (speed / slowing, Stop::Rolling)),
        })
    }

    /// With what resists spinning about the normal at a rate.
    fn with_spin(&self, phase: Phase, rate: f64) -> Phase {
        if self.spinning == 0.0 || rate == 0.0 {
            return phase;
        }
        let moment = -self.spinning * self.mass * self.press() * rate.signum();
        let slowing = moment / self.inertia;
        Phase {
            angular_acceleration: phase.angular_acceleration + self.normal * slowing,
            couple: phase.couple + self.normal * moment,
            end: first(phase.end, Some((rate.abs() / slowing.abs(), Stop::Spinning))),
            ..phase
        }
    }
}

impl Phase {
    /// How long it lasts, s.
    pub fn length(&self) -> f64 {
        self.end.map_or(f64::INFINITY, |(duration, _)| duration)
    }
}

/// The earlier of two ends.
fn first(a: Option<(f64, Stop)>, b: Option<(f64, Stop)>) -> Option<(f64, Stop)> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// A part of a vector; zero where it is that but for rounding.
fn rounded(part: DVec3, whole: DVec3) -> DVec3 {
    if part.length() > ROUNDING * whole.length() { part } else { DVec3::ZERO }
}

/// Whether two vectors are parallel, or one is zero.
pub(super) fn are_parallel(a: DVec3, b: DVec3) -> bool {
    a.cross(b).length() <= PARALLEL * a.length() * b.length()
}
