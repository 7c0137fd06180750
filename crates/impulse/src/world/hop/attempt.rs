//! Finding the impulses of a hop (section 3.5, done jointly): attempts, each safer than the one before.
//!
//! Flight and impulse together are a scheme of second order in the flight's duration for rest, rolling and sliding.

use super::super::data::World;
use super::super::error::RunError;
use super::super::index::{ColliderIndex, PairIndex};
use super::super::pairs::measure::Measured;
use super::super::pairs::site::Site;
use super::super::records::stopwatch::Phase;
use super::energy::slowed;
use super::island::{Answer, Hop, Island};
use super::lasting::FEW_BODIES;
use super::target::MIN_PARTING_SPEED;
use crate::body::State;
use crate::contact::{Mover, Solved};
use glam::DVec3;

/// Looks ahead at contacts that move over curved surfaces. One body on what cannot be moved is looked after until its targets change no
/// more: a rim between two planes would never come to rest.
const LOOKS_AHEAD: usize = 2;
const LOOKS_AT_ONE_BODY: usize = 5;

/// Changes of the targets that are too small for another solve, relative to the velocity of a hop: of one body, and of several.
const TARGET_TOLERANCE: f64 = 1e-6;
const TARGET_TOLERANCE_OF_SEVERAL: f64 = 1e-3;

/// Flights of such contacts, and of those on scripted bodies, relative to others: their errors go with its square at least.
const CURVED_DURATION: f64 = 0.5;

/// Impulse of a scripted body that surely is no push, relative to the momentum of all bodies in a hop that
/// stops the fastest sliding.
const JAMMED: f64 = 100.0;

impl World {
    /// Lets the island of a pair hop.
    pub(crate) fn hop(&mut self, pair: PairIndex, measured: &Measured, hop: Hop) -> Result<(), RunError> {
        let mut island = self.scratch.island.take();
        let hopped = self.hop_with(pair, measured, hop, &mut island);
        self.scratch.island.give(island);
        hopped
    }

    fn hop_with(
        &mut self,
        pair: PairIndex,
        measured: &Measured,
        hop: Hop,
        island: &mut Island,
    ) -> Result<(), RunError> {
        loop {
            if self.timed(Phase::Detection, |w| w.gather_or_carry(pair, measured, hop, island))? {
                self.renew_changed();
                return Ok(());
            }
            self.let_go_all(island);
            let hop = self.hop_of_island(pair, hop, island);
            let mut solved = self.find_impulses(island, hop);
            if self.wake_pressed(island) {
                continue;
            }
            if !self.give_no_more(island) && self.all_fall(island) {
                solved = self.attempt_cheaper(island, hop, solved);
            }
            self.keep_carried(island);
            let gained = island.gained_energy();
            let paid = self.pay_with_motion(island);
            self.lend(island, gained - paid);
            self.records.counters.hops += 1;
            self.records.counters.sweeps += u64::from(solved.sweeps);
            self.records.counters.unconverged += u64::from(!solved.converged);
            let is_jammed = !solved.converged && self.is_jammed(island, hop);
            let jam = if is_jammed { self.crushed(self.pairs[pair].colliders) } else { None };
            self.launch(island, hop.duration);
            return jam.map_or(Ok(()), Err);
        }
    }

    /// The hop of an island: as short as its shortest pair's, and shorter where bodies turn, or contacts move over curved or scripted
    /// surfaces. The heights of its points are set.
    fn hop_of_island(&self, trigger: PairIndex, hop: Hop, island: &mut Island) -> Hop {
        let gravity = self.settings.gravity.length();
        let shortest = |duration: f64, pair: PairIndex| {
            let height = self.hop_height(pair);
            if gravity > 0.0 { duration.min((8.0 * height / gravity).sqrt()) } else { duration }
        };
        let duration = island.pairs.iter().fold(hop.duration, |duration, &(pair, _)| shortest(duration, pair));
        let lift = self.lower(island, duration);
        let duration = lift.sqrt() * duration;
        let is_curved = |site: &Site| self.moves_over_curved_surface(site) || self.is_on_scripted_body(site);
        let duration = if island.sites.iter().any(is_curved) { CURVED_DURATION * duration } else { duration };
        let duration = self.locked_duration(island, self.paid_duration(island, duration));
        let of_trigger = island.sites.iter().find(|site| site.pair == trigger);
        let height = of_trigger.map_or_else(|| self.hop_height(trigger), |site| site.hop_height);
        let velocity = self.hop_velocity(height, duration);
        Hop { duration, velocity: velocity.max(0.5 * gravity * duration) }
    }

    /// Lowers the hop of an island that would last `duration` seconds, so that nothing turns too far in it. Gives the share of its height
    /// that is left.
    fn lower(&self, island: &mut Island, duration: f64) -> f64 {
        let Some(farthest) = self.settings.hop_turn else { return 1.0 };
        let least_share = |&(pair, _): &(PairIndex, usize)| self.least_hop_height(pair) / self.hop_height(pair);
        let least = island.pairs.iter().map(least_share).fold(0.0, f64::max).min(1.0);
        let longest = farthest / self.turning_rate(island);
        let most = match island.bodies.len() {
            // What one body does alone can be told exactly: its hops are not to be seen.
            1 => least,
            _ if self.creeps(island) => least,
            2..=FEW_BODIES => 1.0,
            _ => island.pairs.iter().map(|&(pair, _)| self.share_of_many(pair)).fold(least, f64::max),
        };
        let lift = (longest * longest / (duration * duration)).clamp(least, most);
        for site in &mut island.sites {
            site.hop_height = self.least_hop_height(site.pair) * (lift / least);
        }
        lift
    }

    /// The rate at which bodies and the normals of their contacts turn at most, rad/s. That balls spin does not move what they touch.
    fn turning_rate(&self, island: &Island) -> f64 {
        let is_ball = |&(body, _): &(&ColliderIndex, &State)| self.colliders[*body].ball.is_some();
        let turning = island.bodies.iter().zip(&island.states).filter(|pair| !is_ball(pair));
        let of_bodies = turning.map(|(_, state)| state.spin.length()).fold(0.0, f64::max);
        island.sites.iter().map(|site| site.normal_rate().length()).fold(of_bodies, f64::max)
    }

    fn find_impulses(&mut self, island: &mut Island, hop: Hop) -> Solved {
        island.solver.is_exact = self.mostly_stays(island);
        island.solver.is_moving = !self.is_nearly_still(island);
        self.set_up(island, hop.duration);
        self.set_laws(island, hop.duration);
        let mut solved = self.attempt_warm(island, hop);
        if self.overdraws(island) {
            solved = self.attempt_as_they_came(island, hop);
        }
        if !self.gains_energy(island, hop) {
            return solved;
        }
        // Impulses that hold each other, left from another configuration, led astray.
        let solved = self.attempt_afresh(island, hop);
        if !self.gains_energy(island, hop) {
            return solved;
        }
        let solved = self.attempt_slowly(island, hop);
        if !self.gains_energy(island, hop) {
            return solved;
        }
        self.part_only(island, hop);
        Solved { converged: false, ..solved }
    }

    /// Begins with the impulses of the last hop, looks ahead and corrects targets and friction.
    fn attempt_warm(&mut self, island: &mut Island, hop: Hop) -> Solved {
        let mut solved = self.solve(island, hop);
        let is_alone = island.bodies.len() == 1;
        let (looks, tolerance) =
            if is_alone { (LOOKS_AT_ONE_BODY, TARGET_TOLERANCE) } else { (LOOKS_AHEAD, TARGET_TOLERANCE_OF_SEVERAL) };
        for _ in 0..looks {
            // What was not solved gets another chance: it begins where this one ended.
            if !self.look_ahead(island, hop.duration, if solved.converged { tolerance } else { 0.0 }) {
                break;
            }
            // The next solve begins with the impulses of the last, whose effect must not be counted twice.
            self.reset_movers(island);
            solved = self.solve(island, hop);
        }
        solved = self.centre_friction(island, hop, solved);
        if !solved.met && self.may_reconcile(island) {
            solved = self.attempt_reconciled(island, hop, solved);
        }
        self.keep_apart(island, hop);
        solved
    }

    /// Whether targets may be changed. What scripted bodies and joints drive must go where they do, and resistances have targets of their own.
    fn may_reconcile(&self, island: &Island) -> bool {
        let is_driven = |site: &Site| self.is_on_scripted_body(site);
        island.ties.is_empty() && island.resistances.is_empty() && !island.sites.iter().any(is_driven)
    }

    /// Lets points slip, or part slower, where no motion meets all targets. What was found before stays where that does not help; many
    /// bodies that jam slip for a hop as if friction were weaker.
    fn attempt_reconciled(&self, island: &mut Island, hop: Hop, found: Solved) -> Solved {
        let before = Answer::of(island);
        self.clear_impulses(island);
        self.warm_start(island, hop.duration);
        let Island { solver, movers, points, .. } = island;
        let solved = solver.solve_reconciled(movers, points, hop.velocity, !found.converged);
        if solved.met || (!found.converged && solved.is_weak) {
            return solved;
        }
        before.restore(island);
        found
    }

    /// Begins without any impulses, and with the targets as they were.
    fn attempt_afresh(&mut self, island: &mut Island, hop: Hop) -> Solved {
        self.set_up(island, hop.duration);
        self.set_laws(island, hop.duration);
        self.clear_impulses(island);
        let solved = self.solve(island, hop);
        self.keep_apart(island, hop);
        solved
    }

    /// Lets points leave no faster than they came, where that gives less than what was found.
    fn attempt_cheaper(&mut self, island: &mut Island, hop: Hop, found: Solved) -> Solved {
        let (before, gained) = (Answer::of(island), island.gained_energy());
        let solved = self.attempt_as_they_came(island, hop);
        if solved.converged && island.gained_energy() < gained {
            return solved;
        }
        before.restore(island);
        found
    }

    /// Lets points leave no faster than they came: nothing is left to lend.
    fn attempt_as_they_came(&mut self, island: &mut Island, hop: Hop) -> Solved {
        self.clear_impulses(island);
        self.warm_start(island, hop.duration);
        for (site, point) in island.sites.iter().zip(&mut island.points) {
            point.target = self.unlent(site, point.target, hop.duration);
        }
        let solved = self.solve(island, hop);
        self.keep_apart(island, hop);
        solved
    }

    /// Lets bodies part no faster than hops under gravity do, whatever was aimed at: their flight is short. Those that are too
    /// near escape.
    fn attempt_slowly(&mut self, island: &mut Island, hop: Hop) -> Solved {
        self.clear_impulses(island);
        for (site, point) in island.sites.iter().zip(&mut island.points) {
            let least = self.site_escape_velocity(site, hop.duration).max(MIN_PARTING_SPEED * hop.velocity);
            point.target = slowed(point.target, least.max(self.fall_velocity(site.hop_height)));
        }
        let solved = self.solve(island, hop);
        self.keep_apart(island, hop);
        solved
    }

    /// The same without friction.
    fn part_only(&self, island: &mut Island, hop: Hop) {
        self.clear_impulses(island);
        self.keep_apart(island, hop);
    }

    fn clear_impulses(&self, island: &mut Island) {
        self.reset_movers(island);
        island.points.iter_mut().for_each(|point| point.impulse = DVec3::ZERO);
        island.resistances.iter_mut().for_each(|resistance| resistance.impulse = DVec3::ZERO);
        island.ties.list.iter_mut().flat_map(|tie| &mut tie.bound).for_each(|bound| bound.impulse = 0.0);
    }

    /// Whether a scripted body pushes harder than any motion accounts for: friction holds what it drives, and no impulse is enough.
    fn is_jammed(&self, island: &Island, hop: Hop) -> bool {
        let mass: f64 = island.movers.iter().map(Mover::mass).sum();
        let fastest = island.sites.iter().map(|site| site.sliding_velocity().length()).fold(0.0, f64::max);
        let driven = island.sites.iter().zip(&island.points).filter(|(site, _)| self.is_on_scripted_body(site));
        driven.map(|(_, point)| point.impulse.length()).fold(0.0, f64::max) > JAMMED * mass * (fastest + hop.velocity)
    }
}
