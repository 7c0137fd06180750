//! The optional laws of lasting contact (beside section 3.5): rolling and spinning resistance, and static friction.
//!
//! They act in hops alone. Impacts know the kinetic friction only: what sticks in them does so for an instant. A world whose
//! surfaces have no such laws spends nothing on them.

use super::island::Island;
use super::pair::{Held, HeldPoint};
use super::site::Site;
use super::step::World;
use crate::body::Motion;
use crate::contact::{Resistance, Solved};
use glam::{DMat3, DVec3};
use std::ops::Range;

/// Points whose normals differ by no more than this share one resistance.
const SAME: f64 = 1e-6;

/// Mean slip, relative to the velocity of a hop, up to which a point sticks: above what the joint solve tolerates.
const STICKS: f64 = 1e-3;

impl World {
    /// What resists rotation in an island, and which of its points stick.
    pub(super) fn set_laws(&self, island: &mut Island, length: f64) {
        island.resistances.clear();
        island.grips.clear();
        if !self.materials.have_laws {
            return;
        }
        for k in 0..island.pairs.len() {
            let (pair, begin) = island.pairs[k];
            let end = island.pairs.get(k + 1).map_or(island.points.len(), |next| next.1);
            let [a, b] = self.pairs[pair as usize].items.map(|i| self.bodies[i as usize].material);
            let surface = self.materials.combined(a, b);
            if surface.resists() {
                let known = island.resistances.len();
                self.find_resistances(island, begin..end, length);
                for resistance in &mut island.resistances[known..] {
                    resistance.rolling = surface.rolling_resistance;
                    resistance.spinning = surface.spinning_resistance;
                }
                self.warm_start_resistances(&mut island.resistances[known..], pair, length);
            }
            island.grips.resize(end, surface.static_friction);
            if surface.static_friction > surface.material.friction {
                for i in begin..end {
                    if self.sticks(&island.sites[i], length) {
                        island.points[i].friction = surface.static_friction;
                    }
                }
            }
        }
    }

    /// Finds the impulses of an island. Points that come to a stop in the flight are held by static friction, where it can; those
    /// that it cannot hold slip, with kinetic friction.
    pub(super) fn solve(&self, island: &mut Island, hop_velocity: f64) -> Solved {
        let mut solved = solve_once(island, hop_velocity);
        if self.materials.have_laws {
            if self.catch(island) {
                self.reset_movers(island);
                solved = solve_once(island, hop_velocity);
            }
            while self.let_slip(island, hop_velocity) {
                self.reset_movers(island);
                solved = solve_once(island, hop_velocity);
            }
        }
        solved
    }

    /// Gives points whose slip turns round static friction; says whether there were any.
    fn catch(&self, island: &mut Island) -> bool {
        let mut any = false;
        for (i, (site, point)) in island.sites.iter().zip(&mut island.points).enumerate() {
            let (friction, grip) = (self.pairs[site.pair as usize].material.friction, island.grips[i]);
            let slip = point.frame * (point.velocity(&island.movers) - point.target).truncate().extend(0.0);
            // Friction that was weakened is not that of a stop.
            if point.friction == friction && grip > friction && slip.dot(self.last_slip(site)) < 0.0 {
                point.friction = grip;
                any = true;
            }
        }
        any
    }

    /// Gives points that slip in spite of static friction the kinetic one; says whether there were any.
    fn let_slip(&self, island: &mut Island, hop_velocity: f64) -> bool {
        let mut any = false;
        for (site, point) in island.sites.iter().zip(&mut island.points) {
            let friction = self.pairs[site.pair as usize].material.friction;
            let slip = (point.velocity(&island.movers) - point.target).truncate().length();
            if point.friction > friction && point.impulse.z > 0.0 && slip > STICKS * hop_velocity {
                point.friction = friction;
                any = true;
            }
        }
        any
    }

    /// Whether a point did not slip in the last hop. Where there was none, whether it is no faster than the fall of a hop.
    fn sticks(&self, site: &Site, length: f64) -> bool {
        let fall = 4.0 * self.envelope(site.pair) / length;
        let share = if self.lasted(site).is_some() { STICKS } else { 1.0 };
        self.last_slip(site).length() <= share * fall
    }

    /// Mean slip of a point over the last hop; where there was none, its velocity across the normal, m/s.
    fn last_slip(&self, site: &Site) -> DVec3 {
        let at = site.point();
        let nearest = |p: &&HeldPoint, q: &&HeldPoint| p.at.distance_squared(at).total_cmp(&q.at.distance_squared(at));
        let last = self.lasted(site).and_then(|held| held.points.iter().min_by(nearest));
        last.map_or_else(|| site.sliding().reject_from_normalized(site.touching.normal), |point| point.slip)
    }

    /// The last hop of a point's pair, if its contact has lasted since.
    fn lasted(&self, site: &Site) -> Option<&Held> {
        let held = self.pairs[site.pair as usize].held.as_deref();
        held.filter(|held| self.share_of(held, held.length).is_some())
    }

    /// One resistance for all neighbouring points of a pair that share a normal.
    fn find_resistances(&self, island: &mut Island, points: Range<usize>, length: f64) {
        let mut last: Option<DVec3> = None;
        for i in points {
            let (site, point) = (&island.sites[i], &island.points[i]);
            let normal = point.frame.z_axis;
            if last.is_some_and(|last| last.distance(normal) <= SAME) {
                island.resistances.last_mut().expect("the last normal belongs to it").points[1] += 1;
                continue;
            }
            last = Some(normal);
            let turning = |side: usize| site.states[side].angular_velocity();
            let fixed_part = |side: usize| if point.movers[side].is_none() { turning(side) } else { DVec3::ZERO };
            let change = self.spin_change(site, 0, length) - self.spin_change(site, 1, length);
            island.resistances.push(Resistance {
                movers: point.movers,
                points: [i, 1],
                frame: point.frame,
                drift: fixed_part(0) - fixed_part(1),
                target: -0.5 * (point.frame.transpose() * change),
                rolling: 0.0,
                spinning: 0.0,
                impulse: DVec3::ZERO,
                matrix: DMat3::ZERO,
                inverse_mass: 0.0,
            });
        }
    }

    /// What a body's angular velocity changes by in a flight of its own accord, rad/s.
    fn spin_change(&self, site: &Site, side: usize, length: f64) -> DVec3 {
        match &self.bodies[site.items[side] as usize].motion {
            Motion::Fixed(_) => DVec3::ZERO,
            motion @ Motion::Scripted(_) => {
                motion.state_at(self.now + length).angular_velocity() - site.states[side].angular_velocity()
            }
            motion => motion.acceleration_in(&site.states[side], self.now).angular * length,
        }
    }

    fn warm_start_resistances(&self, resistances: &mut [Resistance], pair: u32, length: f64) {
        let Some(held) = &self.pairs[pair as usize].held else { return };
        if let Some(share) = self.share_of(held, length).filter(|_| held.couples.len() == resistances.len()) {
            for (resistance, &couple) in resistances.iter_mut().zip(&held.couples) {
                resistance.impulse = resistance.frame.transpose() * (couple * share);
            }
        }
    }
}

fn solve_once(island: &mut Island, hop_velocity: f64) -> Solved {
    let Island { solver, movers, points, resistances, .. } = island;
    solver.solve(movers, points, resistances, hop_velocity)
}

impl Island {
    /// The angular impulses of what resists rotation at some points, world frame, N m s.
    pub(super) fn couples_of(&self, points: Range<usize>) -> impl Iterator<Item = DVec3> {
        let these = self.resistances.iter().filter(move |resistance| points.contains(&resistance.points[0]));
        these.map(|resistance| resistance.frame * resistance.impulse)
    }
}
