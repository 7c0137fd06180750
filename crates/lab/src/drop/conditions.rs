//! What a part falls onto, and from where.

use impulse_scenes::Random;

/// A number, or a range from which one is drawn uniformly for every drop: nobody knows launches exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl Spread {
    /// One number.
    pub const fn exactly(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// Draws a number; exactly one random number is used up, also where there is no choice.
    pub(super) fn draw(&self, random: &mut Random) -> f64 {
        random.between(self.low, self.high)
    }

    /// Both ends multiplied.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }
}

/// The conditions of a drop. Gravity is 9.81 m/s^2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// Coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution (Stronge's).
    pub restitution: f64,
    /// Largest moment against rolling by the normal force, m.
    pub rolling_resistance: f64,
    /// Height of the part's lowest point over the floor, m.
    pub height: Spread,
    /// Horizontal speed, m/s.
    pub speed: Spread,
    /// Angular speed about a random axis, rad/s.
    pub spin: Spread,
    /// Largest angle by which the attitude of a start from a pose is off, rad (section 7.5.3: 1.5 degrees).
    pub perturbation: f64,
    /// How high bodies in lasting contact hop, relative to the radius.
    pub envelope: f64,
    /// Simulated time after which a drop is given up as undecided, s.
    pub time_limit: f64,
}

/// m/s^2.
pub(super) const GRAVITY: f64 = 9.81;

impl Default for Conditions {
    /// The thesis' feeder (section 7.5.3): 12 cm, 5 cm/s, friction and restitution 0.3.
    fn default() -> Self {
        Self {
            friction: 0.3,
            restitution: 0.3,
            rolling_resistance: 0.0,
            height: Spread::exactly(0.12),
            speed: Spread::exactly(0.05),
            spin: Spread::exactly(0.0),
            perturbation: 1.5_f64.to_radians(),
            envelope: 1e-3,
            time_limit: 20.0,
        }
    }
}

/// Conditions under which nothing can be dropped.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} cannot be {value}: {remedy}")]
pub struct ConditionsError {
    /// What is wrong.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// What it must be.
    pub remedy: &'static str,
}

impl Conditions {
    /// Refuses what cannot be simulated.
    pub fn check(&self) -> Result<(), ConditionsError> {
        let not_negative = "it must be finite and not negative";
        let lengths = [
            ("friction", self.friction, 0.0..=f64::MAX, not_negative),
            ("restitution", self.restitution, 0.0..=1.0, "it must be within 0 and 1"),
            ("rolling resistance", self.rolling_resistance, 0.0..=f64::MAX, not_negative),
            ("the height", self.height.low, 0.0..=f64::MAX, not_negative),
            ("the height", self.height.high, self.height.low..=f64::MAX, "write the lower end first"),
            ("the speed", self.speed.low, 0.0..=f64::MAX, not_negative),
            ("the speed", self.speed.high, self.speed.low..=f64::MAX, "write the lower end first"),
            ("the spin", self.spin.low, 0.0..=f64::MAX, not_negative),
            ("the spin", self.spin.high, self.spin.low..=f64::MAX, "write the lower end first"),
            ("the perturbation", self.perturbation, 0.0..=f64::MAX, not_negative),
            ("the envelope", self.envelope, 1e-9..=0.01, "it must be within 1e-9 and 0.01"),
            ("the time limit", self.time_limit, 1e-6..=f64::MAX, "it must be positive"),
        ];
        match lengths.into_iter().find(|(_, value, range, _)| !range.contains(value)) {
            Some((what, value, _, remedy)) => Err(ConditionsError { what, value, remedy }),
            None => Ok(()),
        }
    }
}
