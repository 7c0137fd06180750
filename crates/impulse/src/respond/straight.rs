//! Stretches on which velocity is linear in `p_z`: sticking, sliding along a ray, no friction (3.3.4), in closed form.

use super::progress::{PathPlace, Stretch};
use super::restitution::{Normal, NormalGoal};

/// A stretch with constant `d u_z / d p_z`; its parameter is the normal impulse since its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Straight {
    /// Where it starts.
    pub start: Normal,
    /// `d u_z / d p_z`, 1/kg.
    pub rate: f64,
}

impl Stretch for Straight {
    fn normal(&self, s: f64) -> Normal {
        Normal {
            impulse: self.start.impulse + s,
            velocity: self.start.velocity + self.rate * s,
            work: self.start.work + (self.start.velocity + 0.5 * self.rate * s) * s,
        }
    }

    fn locate(&self, goal: NormalGoal, from: PathPlace, to: PathPlace) -> f64 {
        let s = match goal {
            NormalGoal::Impulse(impulse) => impulse - self.start.impulse,
            NormalGoal::Velocity(velocity) => (velocity - self.start.velocity) / self.rate,
            NormalGoal::Work(work) => self.with_work(work - self.start.work),
        };
        s.clamp(from.s, to.s)
    }
}

impl Straight {
    /// Where it starts.
    pub(super) fn from(&self) -> PathPlace {
        PathPlace { s: 0.0, normal: self.start }
    }

    /// Where it ends after the normal impulse `length`; if that is infinite, the contact opens.
    pub(super) fn to(&self, length: f64) -> PathPlace {
        if length == f64::INFINITY {
            return PathPlace { s: length, normal: Normal { impulse: length, velocity: length, work: length } };
        }
        PathPlace { s: length, normal: self.normal(length) }
    }

    /// The parameter at which the work since the start is `work` while the bodies separate (Observation 1, third rule).
    fn with_work(&self, work: f64) -> f64 {
        let u = self.start.velocity;
        let end = (u * u + 2.0 * self.rate * work).max(0.0).sqrt();
        if u < 0.0 { (end - u) / self.rate } else { 2.0 * work / (u + end) }
    }
}
