//! What an answer depends on: conditions halved and doubled, one at a time.

use crate::drop::Conditions;
use crate::study::{Estimate, Study};

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Varied {
    /// Friction.
    Friction,
    /// Restitution; doubled, at most 1.
    Restitution,
    /// Height of the drop.
    Height,
    /// Horizontal speed.
    Speed,
}

/// All that is varied.
pub const VARIED: [Varied; 4] = [Varied::Friction, Varied::Restitution, Varied::Height, Varied::Speed];

/// The probabilities under changed conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// What was changed.
    pub varied: Varied,
    /// What it was multiplied by.
    pub factor: f64,
    /// What it was then; a range counts with its middle.
    pub value: f64,
    /// The probability of each pose.
    pub estimates: Vec<Estimate>,
}

impl Varied {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Friction => "friction",
            Self::Restitution => "restitution",
            Self::Height => "height",
            Self::Speed => "speed",
        }
    }

    /// The same conditions but for this.
    #[must_use]
    pub fn times(self, conditions: &Conditions, factor: f64) -> Conditions {
        let mut changed = *conditions;
        match self {
            Self::Friction => changed.friction *= factor,
            Self::Restitution => changed.restitution = (changed.restitution * factor).min(1.0),
            Self::Height => changed.height = changed.height.times(factor),
            Self::Speed => changed.speed = changed.speed.times(factor),
        }
        changed
    }

    /// Its value; a range counts with its middle.
    pub fn value(self, conditions: &Conditions) -> f64 {
        match self {
            Self::Friction => conditions.friction,
            Self::Restitution => conditions.restitution,
            Self::Height => 0.5 * (conditions.height.low + conditions.height.high),
            Self::Speed => 0.5 * (conditions.speed.low + conditions.speed.high),
        }
    }
}

/// How the answer of a study moves. `answer` runs one: all have the same seed, so their drops start alike and differences are
/// less noisy than the answers.
pub fn sensitivity<'a>(study: &Study<'a>, answer: impl Fn(&Study<'a>) -> Vec<Estimate>) -> Vec<Variation> {
    let vary = |varied: Varied, factor: f64| {
        let conditions = varied.times(&study.conditions, factor);
        let estimates = answer(&Study { conditions, ..*study });
        Variation { varied, factor, value: varied.value(&conditions), estimates }
    };
    VARIED.iter().flat_map(|&varied| [0.5, 2.0].map(|factor| vary(varied, factor))).collect()
}
