//! What a hop may give bodies (sections 3.5, 8.1): no more than its height accounts for, and nothing where nothing falls.

use super::super::data::World;
use super::super::index::ColliderIndex;
use super::super::pairs::site::Site;
use super::island::{Hop, Island};
use super::lasting::FASTEST_HOP;
use crate::body::{Drive, PrincipalMass};
use crate::contact::{ContactPoint, Mover};
use glam::DVec3;

/// Energy that a hop may give a body, in units of its mass times the square of a hop's velocity under gravity: twice its weight
/// times the height of the hop. Without gravity, that of the hop itself.
const ENERGY_ALLOWANCE: f64 = 4.0;

/// Heights of hops by which a hop may lift all bodies of an island at most.
const HOPS_PAID: f64 = 2.0;

/// Heights of hops by which hops may lift a body in all before others have taken that back: less than the account of a run allows.
const HOPS_LENT: f64 = 16.0;

/// Share of the rise of energy that the account of a run allows beyond which such bodies get no more.
const LENT_SHARE: f64 = 0.5;

/// Share of a gap by which bodies may come nearer in a flight that must not lend.
const NEARED_SHARE: f64 = 0.5;

/// Velocity with which a point may always set out, relative to that of a hop: the energy of slower ones does not count.
const LEAST_START: f64 = LEAST_DURATION * LEAST_DURATION;

/// Shortest hop without gravity, relative to one as high as under it.
const LEAST_DURATION: f64 = 1e-2;

impl World {
    /// The velocity (contact axes, m/s) with which a point sets out that would set out with another. Without gravity nothing pays
    /// for hops: a point leaves no faster than it came, along the normal and across.
    pub(crate) fn paid_for(&self, site: &Site, start: DVec3, duration: f64) -> DVec3 {
        if self.settings.gravity != DVec3::ZERO {
            return slowed(start, FASTEST_HOP * self.hop_velocity(site.hop_height, duration));
        }
        self.as_it_came(site, start, duration)
    }

    /// The same, no faster than the point came.
    fn as_it_came(&self, site: &Site, start: DVec3, duration: f64) -> DVec3 {
        let hop_velocity = self.hop_velocity(site.hop_height, duration);
        let fastest = FASTEST_HOP * hop_velocity;
        let (came, normal) = (site.sliding_velocity(), site.touching.normal);
        let approach = came.dot(normal);
        let across = (came - approach * normal).length();
        let least = LEAST_START * hop_velocity;
        let along = approach.abs().max(least.max(self.site_escape_velocity(site, duration)));
        start.truncate().clamp_length_max(across.max(least)).extend(start.z.min(along.min(fastest)))
    }

    /// Duration (s) of a hop that would last as long as another, with the velocities with which its points came.
    pub(crate) fn paid_duration(&self, island: &Island, duration: f64) -> f64 {
        if self.settings.gravity != DVec3::ZERO {
            return duration;
        }
        let of_site = |site: &Site| {
            let came = site.approach();
            let press = self.site_press(site, duration);
            let touches = site.touching.gap <= self.pairs[site.pair].touch_distance;
            if touches && came > 0.0 && press > 0.0 { 2.0 * came / press } else { f64::INFINITY }
        };
        island.sites.iter().map(of_site).fold(duration, f64::min).max(LEAST_DURATION * duration)
    }

    /// Whether impulses have given an island more energy than its hops account for.
    pub(crate) fn gains_energy(&self, island: &Island, hop: Hop) -> bool {
        let mass: f64 = island.movers.iter().map(Mover::mass).sum();
        // Flights begin with slip against what accelerates them across.
        let across = island.points.iter().map(|point| point.target.truncate().length_squared()).fold(0.0, f64::max);
        let fall = island.sites.iter().map(|site| self.fall_velocity(site.hop_height)).fold(0.0, f64::max);
        let velocity = if fall > 0.0 { fall } else { hop.velocity };
        let gained = island.gained_energy();
        !gained.is_finite() || gained > mass * (ENERGY_ALLOWANCE * velocity * velocity + across)
    }

    /// The velocity with which a point sets out where nothing is left to lend: no faster than it came. Where nothing falls, what does not
    /// touch may approach.
    pub(crate) fn unlent(&self, site: &Site, start: DVec3, duration: f64) -> DVec3 {
        let start = self.as_it_came(site, start, duration);
        if self.settings.gravity != DVec3::ZERO {
            return start;
        }
        let approach = site.approach();
        let free_gap = site.touching.gap - self.pairs[site.pair].touch_distance;
        let along = if free_gap > 0.0 { -NEARED_SHARE * free_gap / duration } else { approach.abs() };
        let across = (site.sliding_velocity().length_squared() - approach * approach).max(0.0).sqrt();
        let most = along.max(self.site_escape_velocity(site, duration));
        start.truncate().clamp_length_max(across).extend(start.z.min(most))
    }

    /// Whether impulses give an island more energy than may still be lent, and no share of them will be less. Weight is no measure where
    /// forces or joints act.
    pub(crate) fn overdraws(&self, island: &Island) -> bool {
        let gained = island.gained_energy();
        if self.settings.gravity == DVec3::ZERO {
            let is_shared = || island.gained_at_first() < 0.0 && !self.escapes(island);
            return gained > 0.0 && !is_shared() && self.all_fall(island);
        }
        gained > self.lendable_energy(&island.bodies) && self.all_fall(island) && self.will_have_lent_much(gained)
    }

    /// Whether nothing but weight acts on the bodies of an island.
    pub(crate) fn all_fall(&self, island: &Island) -> bool {
        let falls = Some(Drive { acceleration: self.settings.gravity, torque: DVec3::ZERO });
        island.bodies.iter().all(|&body| self.member(body).motion().drive() == falls)
    }

    /// Whether the energy of all bodies will have risen by half of what the account of a run allows, with what a hop gives: collisions take
    /// back as well as hops do.
    fn will_have_lent_much(&self, gained: f64) -> bool {
        let energy = &self.records.energy;
        energy.sum + energy.pending + gained - energy.least > LENT_SHARE * self.energy_allowance()
    }

    /// What hops may still lend bodies, J. A hop lends by how it sets out what the next takes back when it lands; where hops come before
    /// they have landed, as on rims that run over each other, loans would grow without bound.
    pub(crate) fn lendable_energy(&self, bodies: &[ColliderIndex]) -> f64 {
        let of_body = |&body: &ColliderIndex| (HOPS_LENT * self.hop_energy(body) - self.group_of(body).lent).max(0.0);
        bodies.iter().map(of_body).sum()
    }

    /// Enters what a hop lends its bodies (J), each by its share of what lifts them, or takes back.
    pub(crate) fn lend(&mut self, island: &Island, gained: f64) {
        let all: f64 = island.bodies.iter().map(|&body| self.hop_energy(body)).sum();
        if all == 0.0 {
            return;
        }
        let share = gained / all;
        for &body in &island.bodies {
            let given = share * self.hop_energy(body);
            let group = self.colliders[body].group;
            let lent = &mut self.groups[group].lent;
            *lent = (*lent + given).max(0.0);
        }
    }

    /// Gravity pays for the height of hops, and without it nothing does. All impulses of a hop that would give more are made smaller by
    /// one factor: they go on to obey the laws of friction and to keep momentum. What is too near escapes, whatever it takes. False if
    /// that holds, or bodies would be left approaching.
    pub(crate) fn give_no_more(&self, island: &mut Island) -> bool {
        let (gained, most) = (island.gained_energy(), self.paid_energy(&island.bodies));
        if gained <= most {
            return true;
        }
        if self.escapes(island) {
            return most == 0.0;
        }
        self.reset_movers(island);
        // Impulses s p give s a + s^2 b; with the velocities before all of them, the sum is a.
        let a = island.gained_energy();
        let b = gained - a;
        let share = ((a * a + 4.0 * b * most).sqrt() - a) / (2.0 * b);
        // Rounding may leave no share at all.
        let share = if share > 0.0 && share < 1.0 { share } else { 1.0 };
        island.apply_share(share);
        let is_enough = most == 0.0 || !self.leaves_approaching(island);
        if !is_enough {
            self.reset_movers(island);
            island.apply_share(1.0 / share);
        }
        is_enough
    }

    /// Whether a point is too near.
    fn escapes(&self, island: &Island) -> bool {
        island.sites.iter().any(|site| self.is_too_near(site.pair, site.touching.gap))
    }

    /// Energy that gravity pays for, J: what lifts bodies by the height of a few hops.
    pub(crate) fn paid_energy(&self, bodies: &[ColliderIndex]) -> f64 {
        HOPS_PAID * bodies.iter().map(|&body| self.hop_energy(body)).sum::<f64>()
    }

    /// What lifts a body by the height of its hops, J.
    pub(crate) fn hop_energy(&self, body: ColliderIndex) -> f64 {
        let mass = self.member(body).mass().map_or(0.0, PrincipalMass::mass);
        mass * self.settings.gravity.length() * self.hop_heights(body)[1]
    }

    /// How high a body hops at least and at most, m.
    pub(crate) fn hop_heights(&self, body: ColliderIndex) -> [f64; 2] {
        let least = self.settings.least_hop_height();
        let is_low = self.hops_low() || self.member(body).is_link();
        let is_in_crowd = self.group_of(body).crowd_until >= self.now;
        let high = if is_in_crowd { self.settings.hop_height_of_many() } else { self.settings.hop_height };
        [least, if is_low { least } else { high }].map(|height| height * self.colliders[body].radius)
    }

    /// Whether a point that touches still approaches.
    fn leaves_approaching(&self, island: &Island) -> bool {
        let approaches = |(site, point): (&Site, &ContactPoint)| {
            let touches = site.touching.gap <= self.pairs[site.pair].touch_distance;
            touches && point.velocity(&island.movers).z < 0.0
        };
        island.sites.iter().zip(&island.points).any(approaches)
    }
}

/// A velocity with which a point sets out, with no more than `most` along the normal: the flight is shorter then, and slip changes
/// less in it.
pub(crate) fn slowed(start: DVec3, most: f64) -> DVec3 {
    if start.z > most { (start.truncate() * (most / start.z)).extend(most) } else { start }
}

impl Island {
    /// Energy that all impulses have given, J; what scripted bodies do by moving on is not counted.
    pub(crate) fn gained_energy(&self) -> f64 {
        let gained = |(site, point): (&Site, &ContactPoint)| {
            let after = point.frame * point.velocity(&self.movers);
            0.5 * (point.frame * point.impulse).dot(site.sliding_velocity() + after)
        };
        self.sites.iter().zip(&self.points).map(gained).sum::<f64>() + self.energy_of_couples()
    }

    /// Energy that a small share of the impulses at points gives, relative to that share, J.
    fn gained_at_first(&self) -> f64 {
        let gained = |(site, point): (&Site, &ContactPoint)| (point.frame * point.impulse).dot(site.sliding_velocity());
        self.sites.iter().zip(&self.points).map(gained).sum()
    }

    /// Applies a share of the impulses found to movers as they were before.
    fn apply_share(&mut self, share: f64) {
        if !self.ties.is_empty() {
            self.points.iter_mut().for_each(|point| point.impulse *= share);
            self.resistances.iter_mut().for_each(|resistance| resistance.impulse *= share);
            self.ties.list.iter_mut().flat_map(|tie| &mut tie.bound).for_each(|bound| bound.impulse *= share);
            self.ties.apply(&mut self.movers, &self.points, &self.resistances);
            return;
        }
        for point in &mut self.points {
            point.impulse *= share;
            point.apply(&mut self.movers, point.impulse);
        }
        for resistance in &mut self.resistances {
            resistance.impulse *= share;
            resistance.apply(&mut self.movers, resistance.impulse);
        }
    }
}
