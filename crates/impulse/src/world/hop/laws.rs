//! The optional laws of lasting contact (beside section 3.5): rolling and spinning resistance, and static friction.
//!
//! They act in hops alone. Impacts know the kinetic friction only: what sticks in them does so for an instant. A world whose
//! surfaces have no such laws spends nothing on them.

use super::super::data::World;
use super::super::index::PairIndex;
use super::super::pair::WarmStart;
use super::super::pairs::site::Site;
use super::island::{Hop, Island};
use crate::contact::{Problem, Resistance, Solved};
use glam::{DMat3, DVec3};
use std::ops::Range;

/// Points whose normals differ by no more than this share one resistance.
const SAME_NORMAL: f64 = 1e-6;

/// Mean slip, relative to the velocity of a hop, up to which a point sticks: above what the joint solve tolerates.
pub(crate) const STICKING_SLIP: f64 = 1e-3;

impl World {
    /// What resists rotation in an island, and which of its points stick.
    pub(crate) fn set_laws(&self, island: &mut Island, duration: f64) {
        island.resistances.clear();
        island.static_friction.clear();
        if !self.materials.have_laws {
            return;
        }
        for k in 0..island.pairs.len() {
            let (pair, points) = island.pair(k);
            let [a, b] = self.pairs[pair].colliders.map(|c| self.colliders[c].material);
            let surface = self.materials.combined(a, b);
            if surface.resists() {
                let known = island.resistances.len();
                self.find_resistances(island, points.clone(), duration);
                for resistance in &mut island.resistances[known..] {
                    resistance.rolling = surface.rolling_resistance;
                    resistance.spinning = surface.spinning_resistance;
                }
                self.warm_start_resistances(&mut island.resistances[known..], pair, duration);
            }
            island.static_friction.resize(points.end, surface.static_friction);
            if surface.static_friction > surface.material.friction {
                for i in points {
                    if self.sticks(&island.sites[i], duration) {
                        island.points[i].friction = surface.static_friction;
                    }
                }
            }
        }
    }

    /// Finds the impulses of an island. Points that come to a stop in the flight are held by static friction, where it can; those
    /// that it cannot hold slip, with kinetic friction.
    pub(crate) fn solve(&self, island: &mut Island, hop: Hop) -> Solved {
        let mut solved = solve_once(island, hop);
        if self.materials.have_laws {
            if self.catch(island) {
                self.reset_movers(island);
                solved = solve_once(island, hop);
            }
            while self.let_slip(island, hop) {
                self.reset_movers(island);
                solved = solve_once(island, hop);
            }
        }
        solved
    }

    /// Gives points whose slip turns round static friction; says whether there were any.
    fn catch(&self, island: &mut Island) -> bool {
        let mut any = false;
        for (i, (site, point)) in island.sites.iter().zip(&mut island.points).enumerate() {
            let (friction, grip) = (self.pairs[site.pair].material.friction, island.static_friction[i]);
            let slip = point.frame * (point.velocity(&island.movers) - point.target).truncate().extend(0.0);
            if point.friction == friction && grip > friction && slip.dot(self.last_slip(site)) < 0.0 {
                point.friction = grip;
                any = true;
            }
        }
        any
    }

    /// Gives points that slip in spite of static friction the kinetic one; says whether there were any.
    pub(super) fn let_slip(&self, island: &mut Island, hop: Hop) -> bool {
        let mut any = false;
        for (site, point) in island.sites.iter().zip(&mut island.points) {
            let friction = self.pairs[site.pair].material.friction;
            let slip = (point.velocity(&island.movers) - point.target).truncate().length();
            if point.friction > friction && point.impulse.z > 0.0 && slip > STICKING_SLIP * hop.velocity {
                point.friction = friction;
                any = true;
            }
        }
        any
    }

    /// Whether a point did not slip in the last hop. Where there was none, whether it is no faster than the fall of a hop.
    pub(super) fn sticks(&self, site: &Site, duration: f64) -> bool {
        let share = if self.lasted(site).is_some() { STICKING_SLIP } else { 1.0 };
        self.last_slip(site).length() <= share * self.hop_velocity(site.hop_height, duration)
    }

    /// Mean slip of a point over the last hop; where there was none, its velocity across the normal, m/s.
    fn last_slip(&self, site: &Site) -> DVec3 {
        let last = self.lasted(site).and_then(|last| last.nearest(site.point()));
        let sliding = || site.sliding_velocity().reject_from_normalized(site.touching.normal);
        last.map_or_else(sliding, |point| point.slip)
    }

    /// The last hop of a point's pair, if its contact has lasted since.
    pub(super) fn lasted(&self, site: &Site) -> Option<&WarmStart> {
        let duration = self.pairs[site.pair].warm_start.as_ref()?.duration;
        self.last_hop(site.pair, duration).map(|(last, _)| last)
    }

    /// One resistance for all neighbouring points of a pair that share a normal.
    fn find_resistances(&self, island: &mut Island, points: Range<usize>, duration: f64) {
        let mut last: Option<DVec3> = None;
        for i in points {
            let (site, point) = (&island.sites[i], &island.points[i]);
            let normal = point.frame.z_axis;
            if last.is_some_and(|last| last.distance(normal) <= SAME_NORMAL) {
                island.resistances.last_mut().expect("the last normal belongs to it").points[1] += 1;
                continue;
            }
            last = Some(normal);
            let turning = |side: usize| site.spin(side);
            let fixed_part = |side: usize| if point.movers[side].is_none() { turning(side) } else { DVec3::ZERO };
            let free_change = |side: usize| self.spin_change(site, side, duration);
            let change = free_change(0) - free_change(1);
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

    fn warm_start_resistances(&self, resistances: &mut [Resistance], pair: PairIndex, duration: f64) {
        let Some((last, share)) = self.last_hop(pair, duration) else { return };
        if last.couples.len() == resistances.len() {
            for (resistance, &couple) in resistances.iter_mut().zip(&last.couples) {
                resistance.impulse = resistance.frame.transpose() * (couple * share);
            }
        }
    }
}

/// Finds the impulses of an island with friction as it is.
pub(super) fn solve_once(island: &mut Island, hop: Hop) -> Solved {
    let Island { solver, movers, points, resistances, ties, .. } = island;
    solver.solve_tied(Problem { movers, points, resistances, ties }, hop.velocity)
}
