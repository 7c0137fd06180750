//! PD and PID of a joint's position or rate (section 5.4.2, equation 5.15).

use serde::{Deserialize, Serialize};

/// Gains of a controller. Of a position (rad or m): N m/rad or N/m, the same per second, and N m s/rad or N s/m. Of a rate: all of them
/// one order of the time less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// On the error.
    pub k_p: f64,
    /// On the sum of errors over time.
    pub k_i: f64,
    /// On how fast the error falls.
    pub k_v: f64,
}

/// What a joint's controller regulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Regulated {
    /// The coordinate, rad or m.
    Position,
    /// The rate, rad/s or m/s.
    Rate,
}

/// Which rate a controller feels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feels {
    /// The mean since its last tick where bodies are in lasting contact, else that of the instant.
    #[default]
    Either,
    /// That of the instant.
    Instant,
    /// The mean since its last tick: what an encoder gives.
    Mean,
}

/// How a joint is regulated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointLaw {
    /// What.
    pub regulated: Regulated,
    /// How hard.
    pub gains: Gains,
    /// Force that is not exceeded, N m or N.
    pub limit: Option<f64>,
    /// Which rate counts.
    pub feels: Feels,
}

/// What a controller feels of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Felt {
    /// rad or m.
    pub position: f64,
    /// rad/s or m/s.
    pub rate: f64,
}

/// What a controller remembers from tick to tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Sum of errors times the period.
    pub integral: f64,
    /// The error at the last tick.
    pub last_error: Option<f64>,
}

impl Gains {
    /// Of a PD controller.
    pub fn pd(k_p: f64, k_v: f64) -> Self {
        Self { k_p, k_i: 0.0, k_v }
    }

    /// Of a PID controller.
    pub fn pid(k_p: f64, k_i: f64, k_v: f64) -> Self {
        Self { k_p, k_i, k_v }
    }

    /// Whether all are finite and none pushes away from the goal.
    pub fn are_sound(&self) -> bool {
        [self.k_p, self.k_i, self.k_v].iter().all(|k| *k >= 0.0 && k.is_finite())
    }
}

impl JointLaw {
    /// A position is held.
    pub fn position(gains: Gains) -> Self {
        Self { regulated: Regulated::Position, gains, limit: None, feels: Feels::Either }
    }

    /// A rate is held.
    pub fn rate(gains: Gains) -> Self {
        Self { regulated: Regulated::Rate, ..Self::position(gains) }
    }

    /// With a force that is not exceeded, N m or N.
    #[must_use]
    pub fn limited(self, limit: f64) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Feeling another rate.
    #[must_use]
    pub fn feeling(self, feels: Feels) -> Self {
        Self { feels, ..self }
    }

    /// The force at a tick (5.15), N m or N. At its limit a controller does not integrate any further.
    pub fn force(&self, goal: f64, felt: Felt, memory: &mut Memory, period: f64) -> f64 {
        let (error, falls) = match self.regulated {
            Regulated::Position => (goal - felt.position, felt.rate),
            Regulated::Rate => {
                let error = goal - felt.rate;
                (error, memory.last_error.map_or(0.0, |last| (last - error) / period))
            }
        };
        let Gains { k_p, k_i, k_v } = self.gains;
        let integral = memory.integral + error * period;
        let wanted = k_p * error + k_i * integral - k_v * falls;
        let force = self.limit.map_or(wanted, |limit| wanted.clamp(-limit, limit));
        if (wanted - force) * error <= 0.0 {
            memory.integral = integral;
        }
        memory.last_error = Some(error);
        force
    }
}

#[cfg(test)]
mod tests {
    use super::{Felt, Gains, JointLaw, Memory};

    #[test]
    fn a_controller_at_its_limit_does_not_wind_up() {
        let law = JointLaw::position(Gains::pid(10.0, 5.0, 1.0)).limited(3.0);
        let mut memory = Memory::default();
        let away = Felt { position: -1.0, rate: 0.0 };
        for _ in 0..1000 {
            assert_eq!(law.force(0.0, away, &mut memory, 0.01), 3.0);
        }
        assert_eq!(memory.integral, 0.0);
        // On the other side it pulls back at once, and integrates.
        assert!(law.force(0.0, Felt { position: 0.1, rate: 0.0 }, &mut memory, 0.01) < 0.0);
        assert!(memory.integral < 0.0);
    }

    #[test]
    fn rates_are_damped_by_how_they_change() {
        let law = JointLaw::rate(Gains::pd(2.0, 0.5));
        let mut memory = Memory::default();
        let felt = |rate| Felt { position: 7.0, rate };
        assert_eq!(law.force(1.0, felt(0.0), &mut memory, 0.1), 2.0);
        // The error falls from 1 to 0.5 in a tenth of a second.
        assert_eq!(law.force(1.0, felt(0.5), &mut memory, 0.1), 1.0 - 0.5 * 5.0);
    }
}
