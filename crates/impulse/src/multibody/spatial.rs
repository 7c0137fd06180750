//! Structured spatial algebra (section 4.3): velocities, forces and inertias of links, each at the link's own centre of mass in world
//! axes, so that going from a link to its parent is a shift without rotation.

use crate::math::{cross_matrix, outer};
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A velocity or an acceleration of a rigid body: spatial motion vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// rad/s or rad/s^2.
    pub angular: DVec3,
    /// Of the centre of mass, m/s or m/s^2.
    pub linear: DVec3,
}

/// A force or an impulse on a rigid body: spatial force vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wrench {
    /// About the centre of mass, N m or N m s.
    pub moment: DVec3,
    /// N or N s.
    pub force: DVec3,
}

/// How force follows from acceleration, for a rigid body or an articulated one (4.4.1): symmetric.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpatialInertia {
    /// Moment by angular acceleration, kg m^2.
    pub rotation: DMat3,
    /// Moment by linear acceleration, kg m; its transpose: force by angular acceleration.
    pub coupling: DMat3,
    /// Force by linear acceleration, kg.
    pub translation: DMat3,
}

impl Twist {
    /// The twist at a point that is `arm` metres away on the same rigid body.
    #[must_use]
    pub fn shifted(self, arm: DVec3) -> Self {
        Self { angular: self.angular, linear: self.linear + self.angular.cross(arm) }
    }

    /// Power of a force, or work of an impulse.
    #[must_use]
    pub fn dot(&self, wrench: &Wrench) -> f64 {
        self.angular.dot(wrench.moment) + self.linear.dot(wrench.force)
    }
}

impl Wrench {
    /// A force or impulse at a point that is `arm` metres from the centre of mass.
    #[must_use]
    pub fn at(arm: DVec3, force: DVec3) -> Self {
        Self { moment: arm.cross(force), force }
    }

    /// The same wrench about a point from which the present one is `arm` metres away.
    #[must_use]
    pub fn shifted_back(self, arm: DVec3) -> Self {
        Self { moment: self.moment + arm.cross(self.force), force: self.force }
    }
}

impl SpatialInertia {
    /// Of a rigid body with this mass (kg) and inertia tensor about its centre of mass (kg m^2).
    #[must_use]
    pub fn rigid(mass: f64, inertia: DMat3) -> Self {
        Self { rotation: inertia, coupling: DMat3::ZERO, translation: DMat3::from_diagonal(DVec3::splat(mass)) }
    }

    /// The force that gives an acceleration.
    #[must_use]
    pub fn times(&self, a: &Twist) -> Wrench {
        Wrench {
            moment: self.rotation * a.angular + self.coupling * a.linear,
            force: self.coupling.transpose() * a.angular + self.translation * a.linear,
        }
    }

    /// The same inertia felt at a point from which this one is `arm` metres away on the same rigid body.
    #[must_use]
    pub fn shifted_back(&self, arm: DVec3) -> Self {
        let r = cross_matrix(arm);
        let (a, c) = (self.translation * r, self.coupling * r);
        Self {
            rotation: self.rotation - c - c.transpose() - r * a,
            coupling: self.coupling - a.transpose(),
            translation: self.translation,
        }
    }

    /// Without what is felt along one freedom: minus `u u^T / d`.
    pub fn remove(&mut self, u: &Wrench, v: &Wrench) {
        self.rotation -= outer(u.moment, v.moment);
        self.coupling -= outer(u.moment, v.force);
        self.translation -= outer(u.force, v.force);
    }

    /// The acceleration that a force gives.
    #[must_use]
    pub fn solve(&self, w: &Wrench) -> Twist {
        let mass = Definite::new(&self.translation);
        let by_force = mass.solve_columns(&self.coupling.transpose());
        let rest = Definite::new(&(self.rotation - self.coupling * by_force));
        let angular = rest.solve(w.moment - self.coupling * mass.solve(w.force));
        Twist { angular, linear: mass.solve(w.force - self.coupling.transpose() * angular) }
    }
}

/// A symmetric positive definite matrix, factorised as `L D L^T`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Definite {
    /// Entries of L below the diagonal: 21, 31, 32.
    lower: [f64; 3],
    inverse: [f64; 3],
}

impl Definite {
    pub(crate) fn new(m: &DMat3) -> Self {
        let (a, b, c) = (m.x_axis.x, m.x_axis.y, m.x_axis.z);
        let (l21, l31) = (b / a, c / a);
        let d2 = m.y_axis.y - l21 * b;
        let t = m.y_axis.z - l21 * c;
        let l32 = t / d2;
        let d3 = m.z_axis.z - l31 * c - l32 * t;
        Self { lower: [l21, l31, l32], inverse: [1.0 / a, 1.0 / d2, 1.0 / d3] }
    }

    pub(crate) fn solve(&self, b: DVec3) -> DVec3 {
        let ([l21, l31, l32], [i1, i2, i3]) = (self.lower, self.inverse);
        let y = b.y - l21 * b.x;
        let z = b.z - l31 * b.x - l32 * y;
        let z = z * i3;
        let y = y * i2 - l32 * z;
        DVec3::new(b.x * i1 - l21 * y - l31 * z, y, z)
    }

    fn solve_columns(&self, m: &DMat3) -> DMat3 {
        DMat3::from_cols(self.solve(m.x_axis), self.solve(m.y_axis), self.solve(m.z_axis))
    }
}

impl Add for Twist {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl Sub for Twist {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { angular: self.angular - other.angular, linear: self.linear - other.linear }
    }
}

impl Mul<f64> for Twist {
    type Output = Self;
    fn mul(self, x: f64) -> Self {
        Self { angular: self.angular * x, linear: self.linear * x }
    }
}

impl Add for Wrench {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { moment: self.moment + other.moment, force: self.force + other.force }
    }
}

impl Sub for Wrench {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { moment: self.moment - other.moment, force: self.force - other.force }
    }
}

impl AddAssign for Wrench {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Wrench {
    type Output = Self;
    fn neg(self) -> Self {
        Self { moment: -self.moment, force: -self.force }
    }
}

impl Mul<f64> for Wrench {
    type Output = Self;
    fn mul(self, x: f64) -> Self {
        Self { moment: self.moment * x, force: self.force * x }
    }
}

impl AddAssign for SpatialInertia {
    fn add_assign(&mut self, other: Self) {
        self.rotation += other.rotation;
        self.coupling += other.coupling;
        self.translation += other.translation;
    }
}

#[cfg(test)]
mod tests {
    use super::{SpatialInertia, Twist, Wrench};
    use glam::{DMat3, DVec3};

    #[test]
    fn a_shifted_inertia_does_the_same_work() {
        let inertia = SpatialInertia::rigid(2.0, DMat3::from_diagonal(DVec3::new(0.1, 0.2, 0.25)));
        let arm = DVec3::new(0.3, -1.0, 0.5);
        let a = Twist { angular: DVec3::new(1.0, 2.0, -0.5), linear: DVec3::new(0.2, 0.1, -3.0) };
        let direct = inertia.times(&a.shifted(arm)).shifted_back(arm);
        let shifted = inertia.shifted_back(arm).times(&a);
        assert!((direct.moment - shifted.moment).length() + (direct.force - shifted.force).length() < 1e-14);
    }

    #[test]
    fn solving_undoes_multiplying() {
        let mut inertia = SpatialInertia::rigid(2.0, DMat3::from_diagonal(DVec3::new(0.1, 0.2, 0.25)));
        inertia = inertia.shifted_back(DVec3::new(0.3, -1.0, 0.5));
        let w = Wrench { moment: DVec3::new(0.4, -0.2, 1.0), force: DVec3::new(-1.0, 0.3, 2.0) };
        let back = inertia.times(&inertia.solve(&w));
        assert!((back.moment - w.moment).length() + (back.force - w.force).length() < 1e-13);
    }
}
