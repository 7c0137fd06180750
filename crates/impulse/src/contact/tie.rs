//! Joints among movers (section 5.3): a tie lets a mover move relative to its parent by the freedoms of a joint alone.
//!
//! `v_i = X v_p + S q'`: the parent's motion shifted to the link's centre of mass, and one column per freedom. Forces along the
//! freedoms, those of stops and friction among them, act between the two movers as a couple or as a force does.

use super::flat::part;
use super::problem::{Mover, MoverIndex};
use crate::math::any_perpendicular;
use glam::DVec3;

/// Freedoms of a joint at most.
pub(super) const FREEDOMS: usize = 3;

/// A velocity: of the centre of mass, m/s, and angular, rad/s. Or what a freedom does to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity {
    /// Of the centre of mass.
    pub linear: DVec3,
    /// World axes.
    pub angular: DVec3,
}

/// A joint between a mover and its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// The link; it has one tie only.
    pub child: MoverIndex,
    /// What it is joined to; `None` for what impulses do not move.
    pub parent: Option<MoverIndex>,
    /// From the parent's centre of mass to the child's, m.
    pub arm: DVec3,
    /// Velocity of the child where its joint does not move, if impulses do not move its parent.
    pub carried: Velocity,
    /// What a unit rate of each freedom does to the child; those of a hinge or socket have unit angular velocities, that of a slider
    /// has none.
    pub columns: [Velocity; FREEDOMS],
    /// How many of them there are: none, one or three.
    pub freedoms: usize,
    /// Inertia that rates meet besides, kg m^2 or kg.
    pub armature: f64,
    /// What acts along the first freedom of the joint within bounds: a stop or friction.
    pub bound: Option<Bound>,
}

/// An impulse within bounds along the freedom of a joint. Where it is at neither, the rate is on target; at the lower bound it may be
/// larger, at the upper one smaller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Least and largest impulse, N m s or N s; may be infinite.
    pub range: [f64; 2],
    /// Rate wanted after the impulses, rad/s or m/s.
    pub target: f64,
    /// Impulse on the child: a guess before the solve, the answer after it.
    pub impulse: f64,
    /// Inertia along the freedom alone, kg m^2 or kg; found by the solver.
    pub inertia: f64,
    /// What makes rates comparable with velocities, m or 1; found by the solver.
    pub lever: f64,
}

impl Velocity {
    /// At a point of the same body, `arm` metres away.
    #[must_use]
    pub fn shifted(self, arm: DVec3) -> Self {
        Self { linear: self.linear + self.angular.cross(arm), angular: self.angular }
    }
}

impl Bound {
    /// For impulses in a range and a wanted rate.
    #[must_use]
    pub fn new(range: [f64; 2], target: f64) -> Self {
        Self { range, target, impulse: 0.0, inertia: 1.0, lever: 1.0 }
    }

    /// The impulse nearest to another that is allowed.
    pub(super) fn nearest(&self, impulse: f64) -> f64 {
        impulse.max(self.range[0]).min(self.range[1])
    }

    /// How far the impulse is from the law at a rate, m/s.
    pub(super) fn error(&self, rate: f64) -> f64 {
        let wanted = self.nearest(self.impulse + self.inertia * (self.target - rate));
        (wanted - self.impulse).abs() / self.inertia * self.lever
    }

    /// Whether the impulse is at none of its bounds: the rate is on target.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.range[0] < self.impulse && self.impulse < self.range[1]
    }
}

impl Tie {
    /// Lets the freedoms of a socket be turning about a unit vector first, and then about two across it.
    pub fn turn_columns(&mut self, first: DVec3) {
        // From the pivot to the child's centre of mass: every column is `axis x arm`.
        let [x, y] = [self.columns[0].linear, self.columns[1].linear];
        let arm = DVec3::new(y.z, -x.z, x.y);
        let second = any_perpendicular(first);
        let about = |axis: DVec3| Velocity { linear: axis.cross(arm), angular: axis };
        self.columns = [first, second, first.cross(second)].map(about);
    }

    /// Rates of the freedoms, from the movers' velocities.
    #[must_use]
    pub fn rates(&self, movers: &[Mover]) -> [f64; FREEDOMS] {
        self.rates_of(self.carried, |i| {
            let mover = &movers[i.get()];
            Velocity { linear: mover.velocity, angular: mover.angular_velocity }
        })
    }

    /// The same from velocities given otherwise.
    #[must_use]
    pub fn rates_by(&self, of: impl Fn(MoverIndex) -> Velocity) -> [f64; FREEDOMS] {
        self.rates_of(self.carried, of)
    }

    /// The same from six numbers for each mover.
    pub(super) fn flat_rates(&self, velocities: &[f64]) -> [f64; FREEDOMS] {
        self.rates_of(self.carried, |i| flat(velocities, i))
    }

    /// Changes of the rates from changes of velocities.
    pub(super) fn flat_changes(&self, velocities: &[f64]) -> [f64; FREEDOMS] {
        self.rates_of(Velocity::default(), |i| flat(velocities, i))
    }

    fn rates_of(&self, carried: Velocity, of: impl Fn(MoverIndex) -> Velocity) -> [f64; FREEDOMS] {
        let carried = self.parent.map_or(carried, |p| of(p).shifted(self.arm));
        let own = of(self.child);
        let (linear, angular) = (own.linear - carried.linear, own.angular - carried.angular);
        let mut rates = [0.0; FREEDOMS];
        for (rate, column) in rates.iter_mut().zip(&self.columns).take(self.freedoms) {
            *rate = if turns(column) { column.angular.dot(angular) } else { column.linear.dot(linear) };
        }
        rates
    }

    /// Adds impulses along the freedoms to momenta, and what they do to the parent.
    pub(super) fn push(&self, to: &mut [f64], impulses: [f64; FREEDOMS]) {
        let (mut force, mut moment) = (DVec3::ZERO, DVec3::ZERO);
        for (column, impulse) in self.columns.iter().zip(impulses).take(self.freedoms) {
            if turns(column) {
                moment += column.angular * impulse;
            } else {
                force += column.linear * impulse;
            }
        }
        add(to, self.child, [force, moment]);
        if let Some(parent) = self.parent {
            add(to, parent, [-force, -(moment + self.arm.cross(force))]);
        }
    }

    /// Adds the momentum that the armature gains by changes of velocities.
    pub(super) fn push_armature(&self, to: &mut [f64], rates: [f64; FREEDOMS]) {
        if self.armature != 0.0 {
            self.push(to, rates.map(|rate| rate * self.armature));
        }
    }
}

/// Whether a freedom turns the child.
fn turns(column: &Velocity) -> bool {
    column.angular != DVec3::ZERO
}

fn flat(velocities: &[f64], i: MoverIndex) -> Velocity {
    Velocity { linear: part(velocities, 6 * i.get()), angular: part(velocities, 6 * i.get() + 3) }
}

fn add(to: &mut [f64], i: MoverIndex, [force, moment]: [DVec3; 2]) {
    let six = &mut to[6 * i.get()..][..6];
    six.iter_mut().zip(force.to_array().into_iter().chain(moment.to_array())).for_each(|(to, x)| *to += x);
}
