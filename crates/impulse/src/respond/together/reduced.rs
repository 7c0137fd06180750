//! The impact in units of its own: velocities relative to the fastest point, masses relative to the first body's, and velocities
//! of the bodies weighted by the roots of mass and inertia. In these the velocities at the points are `u + J x` and impulses `p`
//! change `x` by `J^T p`, with `x` the weighted change of velocity, six numbers per body. Powers of two in the units of the input
//! drop out without rounding.

use super::input::{StruckBody, StruckPoint};
use crate::math::any_perpendicular;
use crate::respond::error::ImpactError;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// Numbers per body.
pub(super) const FREEDOMS: usize = 6;

/// The rows of `J` of one point and one of its bodies: normal and two tangents.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// Where the numbers of the body begin.
    offset: usize,
    rows: [[f64; FREEDOMS]; 3],
}

/// A point in units of the impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    sides: [Side; 2],
    count: usize,
    /// World axes of the normal and two tangents, as columns.
    frame: DMat3,
    /// Relative velocity before the impact: normal, then tangents.
    pub(super) initial: [f64; 3],
    pub(super) friction: f64,
    pub(super) restitution: f64,
    /// Normal velocity by unit normal impulse.
    pub(super) yielding: f64,
}

impl Contact {
    /// The change of relative velocity at the point where the bodies change theirs by `x`.
    #[inline]
    pub(super) fn change(&self, x: &[f64]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for side in &self.sides[..self.count] {
            let x = &x[side.offset..][..FREEDOMS];
            for (sum, row) in sum.iter_mut().zip(&side.rows) {
                *sum += row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
            }
        }
        sum
    }

    /// Relative velocity at the point.
    #[inline]
    pub(super) fn velocity(&self, x: &[f64]) -> [f64; 3] {
        let change = self.change(x);
        [0, 1, 2].map(|i| self.initial[i] + change[i])
    }

    /// The normal part of [`Contact::change`].
    #[inline]
    pub(super) fn normal_change(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for side in &self.sides[..self.count] {
            let x = &x[side.offset..][..FREEDOMS];
            sum += side.rows[0].iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
        }
        sum
    }

    /// Adds what a normal impulse at the point does to the bodies.
    #[inline]
    pub(super) fn press(&self, impulse: f64, x: &mut [f64]) {
        for side in &self.sides[..self.count] {
            let x = &mut x[side.offset..][..FREEDOMS];
            x.iter_mut().zip(&side.rows[0]).for_each(|(x, row)| *x += row * impulse);
        }
    }

    /// Adds what an impulse at the point does to the bodies.
    #[inline]
    pub(super) fn strike(&self, impulse: [f64; 3], x: &mut [f64]) {
        for side in &self.sides[..self.count] {
            let x = &mut x[side.offset..][..FREEDOMS];
            for (component, x) in x.iter_mut().enumerate() {
                let [n, s, t] = [0, 1, 2].map(|i| side.rows[i][component] * impulse[i]);
                *x += n + s + t;
            }
        }
    }

    /// Adds `J^T block J` of this point to a matrix.
    #[inline]
    pub(super) fn add_product(&self, block: &[[f64; 3]; 3], mut add: impl FnMut(usize, usize, [f64; FREEDOMS])) {
        for from in &self.sides[..self.count] {
            let mut products = [[0.0; FREEDOMS]; 3];
            for (product, weights) in products.iter_mut().zip(block) {
                for (weight, row) in weights.iter().zip(&from.rows) {
                    product.iter_mut().zip(row).for_each(|(sum, a)| *sum += weight * a);
                }
            }
            for to in &self.sides[..self.count] {
                for component in 0..FREEDOMS {
                    let weights = [0, 1, 2].map(|i| to.rows[i][component]);
                    let mut sum = [0.0; FREEDOMS];
                    for (weight, product) in weights.iter().zip(&products) {
                        sum.iter_mut().zip(product).for_each(|(sum, a)| *sum += weight * a);
                    }
                    add(to.offset + component, from.offset, sum);
                }
            }
        }
    }

    /// An impulse in world axes, still in units of the impact.
    pub(super) fn in_world(&self, impulse: [f64; 3]) -> DVec3 {
        self.frame * DVec3::from_array(impulse)
    }
}

/// Roots of mass and inertia of a body, relative to the mass of the first.
#[derive(Clone, Copy, Debug)]
struct Weights {
    mass: f64,
    /// Lower triangle `L` with `L L^T` the inertia: its rows.
    inertia: [DVec3; 3],
}

impl Weights {
    fn new(body: &StruckBody, unit: f64) -> Self {
        let i = body.inertia * (1.0 / unit);
        let a = i.x_axis.x.sqrt();
        let (b, c) = (i.x_axis.y / a, i.x_axis.z / a);
        let d = (i.y_axis.y - b * b).sqrt();
        let e = (i.y_axis.z - b * c) / d;
        let f = (i.z_axis.z - c * c - e * e).sqrt();
        let inertia = [DVec3::new(a, 0.0, 0.0), DVec3::new(b, d, 0.0), DVec3::new(c, e, f)];
        Self { mass: (body.mass / unit).sqrt(), inertia }
    }

    /// `L^-1 v`.
    fn divide(&self, v: DVec3) -> DVec3 {
        let [l, m, n] = self.inertia;
        let x = v.x / l.x;
        let y = (v.y - m.x * x) / m.y;
        DVec3::new(x, y, (v.z - n.x * x - n.y * y) / n.z)
    }

    /// `L^-T v`.
    fn divide_transposed(&self, v: DVec3) -> DVec3 {
        let [l, m, n] = self.inertia;
        let z = v.z / n.z;
        let y = (v.y - n.y * z) / m.y;
        DVec3::new((v.x - m.x * y - n.x * z) / l.x, y, z)
    }
}

/// Everything that stays the same during the impact.
#[derive(Clone, Debug, Default)]
pub(super) struct Reduced {
    pub(super) contacts: Vec<Contact>,
    weights: Vec<Weights>,
    /// Stiffness that makes the fastest point oscillate with unit frequency.
    pub(super) stiffness: f64,
    /// Largest relative velocity before the impact, m/s.
    pub(super) speed: f64,
    /// Mass of the first body, kg.
    pub(super) mass: f64,
    /// Compression, in units of the impact, that no impact with an end comes near to.
    pub(super) endless: f64,
    /// Half period of the slowest motion, in units of the impact: that of the heaviest body on the springs.
    pub(super) slowest: f64,
}

/// Compression of the fastest point's spring, if it were alone, that is out of all proportion.
const ENDLESS: f64 = 300.0;

impl Reduced {
    pub(super) fn set(
        &mut self,
        bodies: &[StruckBody],
        points: &[StruckPoint],
        velocities: &[(DVec3, DVec3)],
    ) -> Result<(), ImpactError> {
        let (mut lowest, mut speed) = (f64::INFINITY, 0.0_f64);
        for point in points {
            let velocity = point.relative_velocity(velocities);
            lowest = lowest.min(velocity.dot(point.normal));
            speed = speed.max(velocity.length());
        }
        if lowest >= 0.0 {
            return Err(ImpactError::NotApproaching { velocity: lowest });
        }
        self.speed = speed;
        self.mass = bodies.first().map_or(1.0, |body| body.mass);
        self.weights.clear();
        self.weights.extend(bodies.iter().map(|body| Weights::new(body, self.mass)));
        self.contacts.clear();
        for point in points {
            let contact = self.contact(point, point.relative_velocity(velocities));
            if contact.yielding <= 0.0 || !contact.yielding.is_finite() {
                return Err(ImpactError::NormalOutsideRange);
            }
            self.contacts.push(contact);
        }
        self.stiffness = 1.0 / self.contacts.iter().map(|contact| contact.yielding).fold(0.0, f64::max);
        let masses = || bodies.iter().map(|body| body.mass);
        let ratio = masses().fold(0.0, f64::max) / masses().fold(f64::INFINITY, f64::min);
        self.slowest = PI * ratio.sqrt();
        self.endless = ENDLESS * ratio.sqrt();
        Ok(())
    }

    fn contact(&self, point: &StruckPoint, velocity: DVec3) -> Contact {
        let normal = point.normal.normalize();
        let tangent = any_perpendicular(normal);
        let frame = DMat3::from_cols(normal, tangent, normal.cross(tangent));
        let none = Side { offset: 0, rows: [[0.0; FREEDOMS]; 3] };
        let mut contact = Contact {
            sides: [none; 2],
            count: 0,
            frame,
            initial: (frame.transpose() * velocity / self.speed).to_array(),
            friction: point.friction,
            restitution: point.restitution,
            yielding: 0.0,
        };
        for (body, arm, sign) in point.sides() {
            let weights = &self.weights[body];
            let row = |axis: DVec3| {
                let (v, w) = (axis * (sign / weights.mass), weights.divide(arm.cross(axis)) * sign);
                [v.x, v.y, v.z, w.x, w.y, w.z]
            };
            let rows = [row(frame.x_axis), row(frame.y_axis), row(frame.z_axis)];
            contact.yielding += rows[0].iter().map(|a| a * a).sum::<f64>();
            contact.sides[contact.count] = Side { offset: FREEDOMS * body, rows };
            contact.count += 1;
        }
        contact
    }

    /// How many numbers the velocities of the bodies have.
    pub(super) fn freedoms(&self) -> usize {
        FREEDOMS * self.weights.len()
    }

    /// The change of linear and angular velocity of a body, m/s and rad/s, from its weighted one.
    pub(super) fn body_change(&self, body: usize, x: &[f64]) -> (DVec3, DVec3) {
        let x = &x[FREEDOMS * body..][..FREEDOMS];
        let weights = &self.weights[body];
        let (v, w) = (DVec3::from_slice(x) / weights.mass, weights.divide_transposed(DVec3::from_slice(&x[3..])));
        (v * self.speed, w * self.speed)
    }

    /// The change of velocity by impulses of all points.
    pub(super) fn all_changes(&self, impulses: &[f64], x: &mut Vec<f64>) {
        x.clear();
        x.resize(self.freedoms(), 0.0);
        for (contact, p) in self.contacts.iter().zip(impulses.chunks_exact(3)) {
            contact.strike([p[0], p[1], p[2]], x);
        }
    }
}
