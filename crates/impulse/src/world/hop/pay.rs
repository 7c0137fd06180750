//! Who pays for hops where nothing falls, or nothing is left to lend (section 3.5): the bodies themselves, with their motion relative to
//! each other.

use super::super::data::World;
use super::super::error::RunError;
use super::super::index::PairIndex;
use super::super::pairs::measure::Measured;
use super::super::pairs::site::Site;
use super::super::records::event::ImpactRecord;
use super::super::records::stopwatch::Phase;
use super::island::{Hop, Island};
use crate::contact::{ContactPoint, Mover, Velocity};
use glam::{DMat3, DVec3};

/// Share of the energy of the motion relative to each other that bodies pay in one hop at most.
const MOST_PAID: f64 = 0.5;

impl World {
    /// Takes back what a hop gives an island without gravity, where what is too near had to escape, and under gravity what could not be lent,
    /// J. All motion of its bodies relative to each other, or to what they lie on, becomes slower by one factor: that keeps momentum and
    /// angular momentum where nothing else has them, and leaves no point approaching that parts.
    pub(crate) fn pay_with_motion(&mut self, island: &mut Island) -> f64 {
        let is_due = if self.settings.gravity == DVec3::ZERO {
            self.all_fall(island) && island.gained_energy() > 0.0
        } else {
            self.overdraws(island)
        };
        if is_due { self.keep_energy(island, self.lendable_energy(&island.bodies)) } else { 0.0 }
    }

    /// Lets a pair part that is too near but bounces without end: as in a hop, but what that takes or gives is returned, so that nothing
    /// is drained, and the contact does not last.
    pub(crate) fn part_with_energy_kept(
        &mut self,
        pair: PairIndex,
        measured: &Measured,
        hop: Hop,
    ) -> Result<(), RunError> {
        let mut island = self.scratch.island.take();
        let gathered = self.gather(pair, measured, hop, &mut island);
        if gathered.is_ok() && !island.linkages.is_empty() {
            // Links go where their joints let them: they hop.
            self.scratch.island.give(island);
            return self.hop(pair, measured, hop);
        }
        if gathered.is_ok() {
            self.set_up(&mut island, hop.duration);
            self.set_laws(&mut island, hop.duration);
            let _ = self.solve(&mut island, hop);
            self.keep_energy(&mut island, 0.0);
            self.send_off(&mut island);
        }
        self.scratch.island.give(island);
        gathered
    }

    /// Makes the motion of bodies relative to each other slower, or faster, until impulses have given them no more energy than is wanted
    /// (J), and returns what that takes, J.
    fn keep_energy(&mut self, island: &mut Island, wanted: f64) -> f64 {
        let is_driven = |site: &Site| self.is_on_scripted_body(site);
        if !island.ties.is_empty() || island.sites.iter().any(is_driven) {
            return 0.0;
        }
        let common = island.common_motion();
        let (gained, available) = (island.gained_energy(), island.energy_relative_to(&common));
        let paid = (gained - wanted).min(MOST_PAID * available);
        if paid == 0.0 || available <= 0.0 {
            return 0.0;
        }
        island.slow_relative_to(&common, (1.0 - paid / available).sqrt());
        // What impulses give is entered point by point, with the velocities after this.
        self.records.energy.give(gained - paid - island.gained_energy());
        paid
    }

    /// Sends bodies off with the velocities found. Every point with an impulse is an impact.
    fn send_off(&mut self, island: &mut Island) {
        self.records.stopwatch.enter(Phase::Motion);
        for place in 0..island.bodies.len() {
            let group = self.colliders[island.bodies[place]].group;
            let launch = self.launch_of(island, place);
            self.change_motion(group, &launch.state.world_from_body, |motion| motion.relaunch(launch));
        }
        for (site, point) in island.sites.iter().zip(&island.points).filter(|(_, point)| point.impulse != DVec3::ZERO) {
            let after = point.frame * point.velocity(&island.movers);
            let record = site.record(self.now, self.ids(site.colliders), [point.frame * point.impulse, after]);
            self.record(&ImpactRecord { micro: false, ..record });
        }
        self.records.stopwatch.enter(Phase::Detection);
        self.renew_changed();
    }
}

/// A motion that all bodies of an island share: a velocity at a point, and an angular velocity.
struct CommonMotion {
    centre: DVec3,
    velocity: Velocity,
}

impl CommonMotion {
    fn at(&self, point: DVec3) -> DVec3 {
        self.velocity.linear + self.velocity.angular.cross(point - self.centre)
    }
}

impl Island {
    /// The rigid motion with the momentum and the angular momentum of all bodies; none where they touch what impulses do not move.
    fn common_motion(&self) -> CommonMotion {
        let is_held = |point: &ContactPoint| point.movers.contains(&None);
        if self.points.iter().any(is_held) {
            return CommonMotion { centre: DVec3::ZERO, velocity: Velocity::default() };
        }
        let mass: f64 = self.movers.iter().map(Mover::mass).sum();
        let centre = self.placed().map(|(mover, at)| mover.mass() * at).sum::<DVec3>() / mass;
        let linear = self.movers.iter().map(|mover| mover.mass() * mover.velocity).sum::<DVec3>() / mass;
        let (mut inertia, mut momentum) = (DMat3::ZERO, DVec3::ZERO);
        for (mover, at) in self.placed() {
            let arm = at - centre;
            let offset = DMat3::from_diagonal(DVec3::splat(arm.length_squared()))
                - DMat3::from_cols(arm.x * arm, arm.y * arm, arm.z * arm);
            inertia += mover.inertia() + mover.mass() * offset;
            momentum += mover.inertia() * mover.angular_velocity + mover.mass() * arm.cross(mover.velocity - linear);
        }
        CommonMotion { centre, velocity: Velocity { linear, angular: inertia.inverse() * momentum } }
    }

    /// Kinetic energy of the bodies relative to a common motion, J.
    fn energy_relative_to(&self, common: &CommonMotion) -> f64 {
        let of_body = |(mover, at): (&Mover, DVec3)| {
            let (v, w) = (mover.velocity - common.at(at), mover.angular_velocity - common.velocity.angular);
            0.5 * (mover.mass() * v.length_squared() + w.dot(mover.inertia() * w))
        };
        self.placed().map(of_body).sum()
    }

    fn slow_relative_to(&mut self, common: &CommonMotion, factor: f64) {
        for (mover, state) in self.movers.iter_mut().zip(&self.states) {
            let (v, w) = (common.at(state.world_from_body.translation), common.velocity.angular);
            mover.velocity = v + factor * (mover.velocity - v);
            mover.angular_velocity = w + factor * (mover.angular_velocity - w);
        }
    }

    /// The bodies with their centres of mass.
    fn placed(&self) -> impl Iterator<Item = (&Mover, DVec3)> {
        self.movers.iter().zip(self.states.iter().map(|state| state.world_from_body.translation))
    }
}
