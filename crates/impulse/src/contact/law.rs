//! The laws of contact made linear: how an impulse changes with the velocity while its point keeps its mode.

use super::joint::Joint;
use super::problem::ContactPoint;
use super::resist::Resistance;
use super::tie::Bound;
use crate::math::outer;
use glam::{DMat3, DVec2, DVec3};

/// Least share of a sliding vector that counts as beyond its bound: as stiff as its direction can be.
const LEAST_BEYOND: f64 = 1e-7;

/// How stiffly points and couples are held on their targets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hold {
    /// Relative to the natural stiffness.
    pub(super) share: f64,
    /// Stiffness of a point at least, kg.
    pub(super) least: f64,
    /// Stiffness at least with which a point's velocity is compared with its impulse to tell its mode, kg.
    pub(super) load: f64,
}

/// The change of a point's impulse in a step, contact axes: `offset - slope du`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    pub(super) offset: DVec3,
    pub(super) slope: DMat3,
    /// The change that was made.
    pub(super) made: DVec3,
}

/// The change of a couple in a step, contact axes: `offset + lever dP - slope dw`, where `dP` is the change of the press.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CoupleChange {
    pub(super) offset: DVec3,
    pub(super) lever: DVec3,
    pub(super) slope: DMat3,
}

/// The change of what acts in a joint within bounds in a step: `offset` and `slope`.
pub(super) fn bound_change(bound: &Bound, rate: f64, hold: &Hold) -> [f64; 2] {
    let missing = bound.target - rate;
    let trial = bound.impulse + bound.inertia * missing;
    let within = bound.nearest(trial);
    if within == trial {
        let stiffness = hold.share * bound.inertia;
        [stiffness * missing, stiffness]
    } else {
        [within - bound.impulse, 0.0]
    }
}

/// A plane vector that slides: its direction, and how stiffly it turns.
struct Sliding {
    e: DVec2,
    /// One less the ratio of the bound to the length of the trial vector.
    beyond: f64,
}

impl Sliding {
    fn new(trial: DVec2, bound: f64) -> Self {
        let length = trial.length();
        let e = if length > 0.0 { trial / length } else { DVec2::X };
        Self { e, beyond: (1.0 - bound.max(0.0) / length.max(f64::MIN_POSITIVE)).max(LEAST_BEYOND) }
    }
}

impl Change {
    /// For a point with its present impulse and velocity (contact axes).
    pub(super) fn new(point: &ContactPoint, velocity: DVec3, hold: &Hold) -> Self {
        let natural = point.natural_stiffness();
        let (natural, hold) = (natural.max(hold.load), (hold.share * natural).max(hold.least));
        let (p, missing) = (point.impulse, point.target - velocity);
        let trial = p + natural * missing;
        if trial.z <= 0.0 {
            return Self { offset: -p, slope: DMat3::ZERO, made: DVec3::ZERO };
        }
        let bound = point.friction * trial.z;
        if trial.truncate().length() <= bound {
            return Self { offset: hold * missing, slope: DMat3::from_diagonal(DVec3::splat(hold)), made: DVec3::ZERO };
        }
        let Sliding { e, beyond } = Sliding::new(trial.truncate(), bound);
        let side = e.perp();
        let press = hold * missing.z;
        let along = point.friction * (p.z + press) - p.truncate().dot(e);
        let aside = -p.truncate().dot(side) / beyond;
        let (ray, side_3) = ((point.friction * e).extend(1.0), side.extend(0.0));
        let turn = natural * (1.0 - beyond) / beyond;
        Self {
            offset: (along * e + aside * side).extend(press),
            slope: outer(ray, DVec3::Z) * hold + outer(side_3, side_3) * turn,
            made: DVec3::ZERO,
        }
    }
}

impl CoupleChange {
    /// For a resistance with its present impulse, velocities and press.
    pub(super) fn new(resistance: &Resistance, joint: &Joint<'_>, hold: &Hold) -> Self {
        let natural = resistance.stiffness();
        let hold = hold.share * natural;
        let (c, missing) = (resistance.impulse, resistance.target - resistance.velocity(joint.movers));
        let trial = c + natural * missing;
        let [first, count] = resistance.points;
        let press: f64 = joint.points[first..first + count].iter().map(|point| point.impulse.z).sum();
        let [rolling, spinning] = [resistance.rolling, resistance.spinning];
        let mut change = Self { offset: hold * missing, lever: DVec3::ZERO, slope: DMat3::ZERO };
        if trial.truncate().length() <= rolling * press {
            change.slope = DMat3::from_diagonal(DVec3::new(hold, hold, 0.0));
        } else {
            let Sliding { e, beyond } = Sliding::new(trial.truncate(), rolling * press);
            let side = e.perp();
            let along = rolling * press - c.truncate().dot(e);
            let offset = along * e - side * (c.truncate().dot(side) / beyond);
            change.offset = offset.extend(change.offset.z);
            change.lever = (rolling * e).extend(0.0);
            change.slope = outer(side.extend(0.0), side.extend(0.0)) * (natural * (1.0 - beyond) / beyond);
        }
        if trial.z.abs() <= spinning * press {
            change.slope += outer(DVec3::Z, DVec3::Z) * hold;
        } else {
            change.lever.z = spinning.copysign(trial.z);
            change.offset.z = change.lever.z * press - c.z;
        }
        change
    }
}
