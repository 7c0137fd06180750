//! Many points at once, without any matrix: point after point gets the impulse with which it obeys the laws, given those of all others
//! (Gauss and Seidel), and successive sweeps are mixed (Anderson). For piles, whose errors are to be small beside a hop, not beside
//! rounding: a sweep costs a tenth of a step that factorises.

use super::cone::nearest_in_cone;
use super::joint::Joint;
use super::mixing::Mixing;
use super::problem::{ContactPoint, Mover};
use glam::{DMat3, DVec2, DVec3};

/// Steps towards the impulse of a point that slides.
const SLIP_STEPS: usize = 4;

/// The method; its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Rough {
    points: Vec<Row>,
    /// Square roots of the stiffnesses of resistances.
    couples: Vec<f64>,
    /// Impulses before a sweep and after it, in units in which their squares are energies.
    tried: Vec<f64>,
    found: Vec<f64>,
    mixing: Mixing,
}

/// What sweeps ask of a point again and again.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Of its matrix.
    inverse: DMat3,
    /// Square root of its stiffness.
    unit: f64,
}

/// What a sweep has changed.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// The largest of a point, m/s.
    largest: f64,
    /// Of all impulses, J.
    energy: f64,
}

impl Rough {
    /// Improves impulses that have been applied to movers without joints until the error is `enough`, m/s, in at most so many sweeps. The
    /// movers were as they are `before` any impulse. Gives the error.
    pub(super) fn solve(&mut self, joint: &mut Joint<'_>, before: &[Mover], enough: f64, most: u32) -> f64 {
        self.begin(joint);
        let mut last = f64::INFINITY;
        for _ in 0..most {
            let Change { largest, energy } = self.sweep(joint);
            if largest <= enough && joint.error() <= enough {
                break;
            }
            // Where a sweep changes more than the one before, modes have changed: what was learnt about others misleads.
            if energy > last {
                self.mixing.clear();
            }
            last = energy;
            self.mix(joint, before);
        }
        joint.apply_all(before);
        joint.error()
    }

    fn begin(&mut self, joint: &Joint<'_>) {
        let row =
            |point: &ContactPoint| Row { inverse: point.matrix.inverse(), unit: point.natural_stiffness().sqrt() };
        self.points.clear();
        self.points.extend(joint.points.iter().map(row));
        self.couples.clear();
        self.couples.extend(joint.resistances.iter().map(|resistance| resistance.stiffness().sqrt()));
        self.mixing.clear();
    }

    fn sweep(&mut self, joint: &mut Joint<'_>) -> Change {
        self.tried.clear();
        self.found.clear();
        let mut change = Change::default();
        for (point, row) in joint.points.iter_mut().zip(&self.points) {
            let was = point.impulse;
            let impulse = obeying(point, &row.inverse, point.velocity(joint.movers));
            let by = (impulse - was) / row.unit;
            if by != DVec3::ZERO {
                point.apply(joint.movers, impulse - was);
                point.impulse = impulse;
                change.largest = change.largest.max(by.abs().max_element() / row.unit);
                change.energy += by.length_squared();
            }
            self.tried.extend((was / row.unit).to_array());
            self.found.extend((impulse / row.unit).to_array());
        }
        for (resistance, unit) in joint.resistances.iter_mut().zip(&self.couples) {
            let was = resistance.impulse;
            resistance.sweep(joint.movers, joint.points);
            change.energy += ((resistance.impulse - was) / *unit).length_squared();
            self.tried.extend((was / *unit).to_array());
            self.found.extend((resistance.impulse / *unit).to_array());
        }
        change
    }

    /// Goes on from a mixture of the last sweeps, within the cones.
    fn mix(&mut self, joint: &mut Joint<'_>, before: &[Mover]) {
        self.mixing.next(&mut self.tried, &self.found);
        let mixed = |at: usize, unit: f64| DVec3::from_slice(&self.tried[3 * at..3 * at + 3]) * unit;
        for (k, (point, row)) in joint.points.iter_mut().zip(&self.points).enumerate() {
            let impulse = nearest_in_cone(mixed(k, row.unit), point.friction);
            point.impulse = if impulse.is_finite() { impulse } else { point.impulse };
        }
        for (k, (resistance, &unit)) in joint.resistances.iter_mut().zip(&self.couples).enumerate() {
            let impulse = resistance.bounded(mixed(self.points.len() + k, unit), joint.points);
            resistance.impulse = if impulse.is_finite() { impulse } else { resistance.impulse };
        }
        joint.apply_all(before);
    }
}

/// The impulse with which a point obeys the laws, given its velocity with the impulse that it has.
fn obeying(point: &ContactPoint, inverse: &DMat3, velocity: DVec3) -> DVec3 {
    let ContactPoint { impulse, matrix, friction, target, .. } = point;
    let free = velocity - *matrix * *impulse - *target;
    if free.z >= 0.0 {
        return DVec3::ZERO;
    }
    let sticking = -(*inverse * free);
    if sticking.z > 0.0 && sticking.truncate().length() <= friction * sticking.z {
        return sticking;
    }
    let mut sliding = if impulse.z > 0.0 { *impulse } else { sticking.with_z(sticking.z.max(0.0)) };
    let softness = 1.0 / matrix.x_axis.x.max(matrix.y_axis.y);
    for _ in 0..SLIP_STEPS {
        let slip = (free + *matrix * sliding).truncate();
        let trial = sliding.truncate() - softness * slip;
        let length = trial.length();
        let e = if length > 0.0 { trial / length } else { DVec2::X };
        let ray = (*friction * e).extend(1.0);
        let along = (*matrix * ray).z;
        let press = -free.z / if along > 0.0 { along } else { matrix.z_axis.z };
        sliding = if length < friction * press { trial.extend(press) } else { press * ray };
    }
    sliding
}

#[cfg(test)]
mod tests {
    use super::super::joint::Joint;
    use super::super::problem::{ContactPoint, Mover, MoverIndex};
    use super::super::resist::Resistance;
    use super::super::ties::Ties;
    use super::{Rough, obeying};
    use glam::{DMat3, DVec3};
    use proptest::prelude::*;

    const SIDE: usize = 7;
    const RADIUS: f64 = 0.02;

    fn ball(velocity: DVec3, mass: f64) -> Mover {
        let inertia = DMat3::from_diagonal(DVec3::splat(0.4 * mass * RADIUS * RADIUS));
        Mover::new(mass, inertia).moving(velocity, velocity.cross(DVec3::Z) / RADIUS)
    }

    fn touching(movers: [Option<usize>; 2], normal: DVec3, target: f64) -> ContactPoint {
        let side = normal.any_orthonormal_vector();
        ContactPoint {
            movers: movers.map(|mover| mover.map(|i| MoverIndex(i as u32))),
            arms: [-normal * RADIUS, normal * RADIUS],
            frame: DMat3::from_cols(side, normal.cross(side), normal),
            drift: DVec3::ZERO,
            target: DVec3::Z * target,
            friction: 0.4,
            impulse: DVec3::ZERO,
            matrix: DMat3::ZERO,
        }
    }

    /// A layer of balls on a floor, each of which touches its neighbours.
    fn layer() -> Vec<ContactPoint> {
        let floor = (0..SIDE * SIDE).map(|i| touching([Some(i), None], DVec3::Z, 0.03));
        let beside = (0..SIDE * SIDE).filter(|i| i % SIDE > 0).map(|i| touching([Some(i), Some(i - 1)], DVec3::X, 0.0));
        let behind = (SIDE..SIDE * SIDE).map(|i| touching([Some(i), Some(i - SIDE)], DVec3::Y, 0.0));
        floor.chain(beside).chain(behind).collect()
    }

    fn resistance(i: usize) -> Resistance {
        Resistance {
            movers: [Some(MoverIndex(i as u32)), None],
            points: [i, 1],
            frame: DMat3::IDENTITY,
            drift: DVec3::ZERO,
            target: DVec3::ZERO,
            rolling: 1e-3,
            spinning: 1e-3,
            impulse: DVec3::ZERO,
            matrix: DMat3::ZERO,
            inverse_mass: 0.0,
        }
    }

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        (-size..size, -size..size, -size..size).prop_map(DVec3::from)
    }

    /// Sweeps end at impulses that obey the laws to what piles ask for, with momentum balanced: what the floor gives is what all gain.
    #[test]
    fn sweeps_obey_the_laws() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        for case in 0..200 {
            let mut random = || ball(0.1 * DVec3::new(next(), next(), next()), 0.11 + 0.09 * next());
            let before: Vec<Mover> = (0..SIDE * SIDE).map(|_| random()).collect();
            let resisted = if case % 2 == 1 { SIDE * SIDE } else { 0 };
            let (mut movers, mut points) = (before.clone(), layer());
            let mut resistances: Vec<Resistance> = (0..resisted).map(resistance).collect();
            let mut ties = Ties::default();
            let mut joint =
                Joint { movers: &mut movers, points: &mut points, resistances: &mut resistances, ties: &mut ties };
            joint.apply_first_guess();
            let error = Rough::default().solve(&mut joint, &before, 2e-4, 200);
            assert!(error <= 2e-4 && joint.error() == error, "{error:e} m/s in case {case}");
            let momentum = |movers: &[Mover]| movers.iter().map(|m| m.mass() * m.velocity).sum::<DVec3>();
            let given: DVec3 = points[..SIDE * SIDE].iter().map(|point| point.frame * point.impulse).sum();
            assert!((momentum(&movers) - momentum(&before)).distance(given) < 1e-12);
        }
    }

    proptest! {
        /// A point alone obeys the laws after a few such steps, whether it sticks, slides or opens, and then keeps its impulse.
        #[test]
        fn a_point_obeys_the_laws(
            velocity in vector(1.0),
            arm in vector(0.5),
            axes in (0.1..1.0f64, 0.1..1.0f64, 0.1..1.0f64),
            friction in 0.0..0.6f64,
        ) {
            let movers = [Mover::new(1.0, DMat3::from_diagonal(DVec3::from(axes))).moving(velocity, DVec3::ZERO)];
            let mut point = ContactPoint { friction, arms: [arm - DVec3::Z, DVec3::ZERO], ..touching([Some(0), None], DVec3::Z, 0.0) };
            point.prepare(&movers);
            let inverse = point.matrix.inverse();
            for _ in 0..200 {
                let velocity = point.velocity(&movers) + point.matrix * point.impulse;
                point.impulse = obeying(&point, &inverse, velocity);
            }
            let velocity = point.velocity(&movers) + point.matrix * point.impulse;
            prop_assert!(point.error(velocity) < 1e-9, "{:?}", point.impulse);
        }
    }
}
