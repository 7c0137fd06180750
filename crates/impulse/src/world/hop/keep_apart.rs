//! Points that the impulses of a hop would leave approaching are pushed apart (section 3.5): where no attempt solved it to the end, nothing
//! sinks all the same.

use super::super::data::World;
use super::island::{Hop, Island};
use super::laws::solve_once;
use crate::contact::{Bound, ContactPoint};
use glam::DVec3;

/// Sweeps in which points left approaching are pushed apart, at most; with joints every push goes through all of them.
const PUSH_SWEEPS: usize = 1000;
const PUSH_SWEEPS_OF_LINKS: usize = 10;

/// Share of the effect that a push should have, below which joints let nothing give way.
const LEAST_EFFECT: f64 = 1e-3;

impl World {
    /// Sees to it that no point that touches is left approaching by impulses that were not found to the end: point after point
    /// is pushed apart until all part.
    pub(super) fn keep_apart(&self, island: &mut Island, hop: Hop) {
        let has_links = !island.ties.is_empty();
        if has_links && (0..island.sites.len()).any(|i| self.comes_too_near(island, i)) {
            self.push_apart_together(island, hop);
        }
        for _ in 0..if has_links { PUSH_SWEEPS_OF_LINKS } else { PUSH_SWEEPS } {
            let mut all_part = true;
            for i in 0..island.sites.len() {
                if self.comes_too_near(island, i) {
                    push_apart(island, i);
                    all_part = false;
                }
            }
            if all_part {
                return;
            }
        }
    }

    /// Whether a point that touches parts at less than half the rate wanted.
    fn comes_too_near(&self, island: &Island, i: usize) -> bool {
        let (site, point) = (&island.sites[i], &island.points[i]);
        site.touching.gap <= self.pairs[site.pair].touch_distance
            && point.velocity(&island.movers).z < 0.5 * point.target.z
    }

    /// Pushes all points apart at once, without friction and whatever acts in joints: a convex problem, which is always solved.
    fn push_apart_together(&self, island: &mut Island, hop: Hop) {
        let resistances = std::mem::take(&mut island.resistances);
        let points: Vec<ContactPoint> = island.points.clone();
        let bounds: Vec<Option<Bound>> = island.ties.list.iter_mut().map(|tie| tie.bound.take()).collect();
        let movers = &island.movers;
        for (site, point) in island.sites.iter().zip(&mut island.points) {
            let touches = site.touching.gap <= self.pairs[site.pair].touch_distance;
            let rate = point.velocity(movers).z;
            point.target.z = if touches { point.target.z } else { point.target.z.min(rate) };
            (point.friction, point.impulse) = (0.0, DVec3::ZERO);
        }
        let _ = solve_once(island, hop);
        for (point, before) in island.points.iter_mut().zip(points) {
            *point = ContactPoint { impulse: before.impulse + point.impulse, ..before };
        }
        island.ties.list.iter_mut().zip(bounds).for_each(|(tie, bound)| tie.bound = bound);
        island.resistances = resistances;
    }
}

/// Pushes a point apart along its normal.
fn push_apart(island: &mut Island, i: usize) {
    let point = island.points[i];
    let missing = point.target.z - point.velocity(&island.movers).z;
    let mut push = missing / point.matrix.z_axis.z;
    island.apply_at(i, DVec3::Z * push);
    let gained = point.velocity(&island.movers).z - (point.target.z - missing);
    // The matrix of a point between two links does not say what they do to each other.
    if !island.ties.is_empty() && gained > LEAST_EFFECT * missing {
        let rest = push * (missing / gained - 1.0);
        island.apply_at(i, DVec3::Z * rest);
        push += rest;
    }
    island.points[i].impulse.z += push;
}
