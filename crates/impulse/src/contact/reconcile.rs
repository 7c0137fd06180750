//! Targets that one motion meets. Where friction is strong there need not be any impulses that obey the laws: none bring a ball off a
//! floor and a wall at once if it must not slip on either. There are some if a motion of the bodies parts all points as fast as
//! wanted, at least, without any slip (V. Acary, F. Cadoux, C. Lemarechal and J. Malick, Z. Angew. Math. Mech. 91, 2011).

use super::flat::{part, push, read_masses};
use super::general::GeneralMatrix;
use super::problem::{ContactPoint, Mover};
use super::solve::{JointSolver, MANY_BODIES, Solved};
use glam::{DMat3, DVec3};

/// Stiffness with which points are held on their targets, relative to their natural stiffness, and to the mass of the heaviest
/// body at least.
const HOLD: f64 = 1e5;
const HEAVY_HOLD: f64 = 1e3;

/// Steps to the motion next to all targets, each of which corrects the last one.
const STEPS: usize = 3;

/// Share of the velocity with which a point is to part that it keeps, even if no motion parts all of them.
const LEAST_PARTING: f64 = 1e-3;

impl JointSolver {
    /// Finds impulses for targets that contradict each other: they are changed as little as lets one motion meet them. The
    /// impulses given are a guess. Where it does not lead there and something must be found, less friction may.
    pub fn solve_reconciled(
        &mut self,
        movers: &mut [Mover],
        points: &mut [ContactPoint],
        hop_velocity: f64,
        must_find: bool,
    ) -> Solved {
        // Only a small tolerance tells whether they still do.
        let is_moving = std::mem::take(&mut self.is_moving);
        let solved = self.solve_changed(movers, points, hop_velocity, must_find);
        self.is_moving = is_moving;
        solved
    }

    fn solve_changed(
        &mut self,
        movers: &mut [Mover],
        points: &mut [ContactPoint],
        hop_velocity: f64,
        must_find: bool,
    ) -> Solved {
        let before = movers.to_vec();
        let guess: Vec<DVec3> = points.iter().map(|point| point.impulse).collect();
        self.reconcile(movers, points, hop_velocity);
        movers.copy_from_slice(&before);
        let nearby = self.solve_nearby(movers, points, hop_velocity);
        if nearby.met || !must_find {
            return nearby;
        }
        movers.copy_from_slice(&before);
        points.iter_mut().zip(guess).for_each(|(point, guess)| point.impulse = guess);
        let weak = self.solve_weakly(movers, points, hop_velocity);
        if weak.met || movers.len() > MANY_BODIES {
            return weak;
        }
        movers.copy_from_slice(&before);
        self.solve(movers, points, &mut [], hop_velocity)
    }

    /// Changes the targets to velocities of one motion: that next to all targets, and from there one without friction that parts the
    /// points as fast as wanted, or as fast as they can.
    fn reconcile(&mut self, movers: &mut [Mover], points: &mut [ContactPoint], hop_velocity: f64) {
        let asked = points.to_vec();
        move_to_targets(movers, points);
        points.iter_mut().for_each(|point| (point.friction, point.impulse) = (0.0, DVec3::ZERO));
        let _ = self.solve(movers, points, &mut [], hop_velocity);
        for (point, asked) in points.iter_mut().zip(asked) {
            let met = point.velocity(movers);
            let parting = if asked.target.z > 0.0 { met.z.max(LEAST_PARTING * asked.target.z) } else { met.z };
            *point = ContactPoint { target: met.truncate().extend(asked.target.z.min(parting)), ..asked };
        }
    }
}

/// Gives the bodies the velocities of the motion next to all targets.
fn move_to_targets(movers: &mut [Mover], points: &mut [ContactPoint]) {
    let (mut matrix, mut masses, mut step) = (GeneralMatrix::default(), Vec::new(), Vec::new());
    matrix.lay_out(movers.len(), points, &[]);
    read_masses(movers, &mut masses);
    matrix.set_masses(&masses);
    let heaviest = movers.iter().map(Mover::mass).fold(0.0, f64::max);
    let hold = |point: &ContactPoint| (HOLD * point.natural_stiffness()).max(HEAVY_HOLD * heaviest);
    for point in points.iter_mut() {
        point.prepare(movers);
        matrix.add_point(point, &DMat3::from_diagonal(DVec3::splat(hold(point))));
    }
    if !matrix.factorise() {
        return;
    }
    for _ in 0..STEPS {
        step.clear();
        step.resize(6 * movers.len(), 0.0);
        for point in points.iter() {
            let missing = point.target - point.velocity(movers);
            push(&mut step, point, point.frame * (hold(point) * missing));
        }
        matrix.solve(&mut step);
        for (i, mover) in movers.iter_mut().enumerate() {
            mover.velocity += part(&step, 6 * i);
            mover.angular_velocity += part(&step, 6 * i + 3);
        }
    }
}
