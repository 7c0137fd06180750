//! Compression and restitution along a path of sliding or sticking (3.3, Figure 3.6).

use super::restitution::{Law, Normal, NormalGoal};

/// A stretch of the path with a parameter `s` that grows along it.
pub(super) trait Stretch {
    /// The normal quantities at `s`.
    fn normal(&self, s: f64) -> Normal;

    /// The `s` between two places at which the goal is reached; the goal's quantity is monotone between them.
    fn locate(&self, goal: NormalGoal, from: PathPlace, to: PathPlace) -> f64;
}

/// A parameter and the normal quantities there.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathPlace {
    pub s: f64,
    pub normal: Normal,
}

/// The progress of an impact through compression and restitution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    law: Law,
    e: f64,
    approach: f64,
    phase: ImpactPhase,
    /// The last maximum compression, once there has been one.
    pub compressed: Option<Normal>,
}

/// Smallest estimate of the impulse still to come, as a share of the impulse so far: it keeps panels from getting ever shorter.
const LEAST_NEED: f64 = 0.01;

#[derive(Clone, Copy, Debug)]
enum ImpactPhase {
    Compression,
    Restitution(NormalGoal),
}

impl Progress {
    pub(super) fn new(law: Law, e: f64, approach: f64) -> Self {
        Self { law, e, approach, phase: ImpactPhase::Compression, compressed: None }
    }

    /// An estimate of the normal impulse still to come, N s, if `d u_z / d p_z` stayed at `rate`; infinite if the impact would
    /// never end.
    pub(super) fn impulse_needed(&self, at: &Normal, rate: f64) -> f64 {
        if rate <= 0.0 {
            return f64::INFINITY;
        }
        let needed = match self.phase {
            ImpactPhase::Compression => (1.0 + self.e) * (-at.velocity).max(-LEAST_NEED * self.approach) / rate,
            ImpactPhase::Restitution(NormalGoal::Impulse(goal)) => goal - at.impulse,
            ImpactPhase::Restitution(NormalGoal::Velocity(goal)) => (goal - at.velocity) / rate,
            ImpactPhase::Restitution(NormalGoal::Work(goal)) => {
                let u = at.velocity;
                ((u * u + 2.0 * rate * (goal - at.work)).sqrt() - u) / rate
            }
        };
        needed.max(LEAST_NEED * at.impulse)
    }

    /// Follows a stretch on which `u_z` is monotone; returns the `s` at which the impact ends, if it does.
    ///
    /// Where `u_z` falls back below zero in restitution, restitution is cancelled and compression resumes until the next
    /// upward zero: a convention, since the thesis (3.4.2) overlooks the case.
    pub(super) fn advance(&mut self, path: &impl Stretch, from: PathPlace, to: PathPlace) -> Option<f64> {
        let place = |s: f64| PathPlace { s, normal: path.normal(s) };
        let mut from = from;
        if let ImpactPhase::Compression = self.phase {
            if to.normal.velocity <= 0.0 {
                return None;
            }
            if from.normal.velocity < 0.0 {
                from = place(path.locate(NormalGoal::Velocity(0.0), from, to));
            }
            from.normal.velocity = 0.0;
            self.compressed = Some(from.normal);
            if self.e == 0.0 {
                return Some(from.s);
            }
            self.phase = ImpactPhase::Restitution(self.law.goal(self.e, &from.normal, self.approach));
        }
        let ImpactPhase::Restitution(goal) = self.phase else { return None };
        if to.normal.velocity >= 0.0 {
            return (goal.excess(&to.normal) >= 0.0).then(|| path.locate(goal, from, to));
        }
        let open = place(path.locate(NormalGoal::Velocity(0.0), from, to));
        if goal.excess(&open.normal) >= 0.0 {
            return Some(path.locate(goal, from, open));
        }
        self.phase = ImpactPhase::Compression;
        None
    }
}
