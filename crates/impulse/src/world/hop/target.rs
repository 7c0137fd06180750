//! How the points of an island are to set out (section 3.5, done jointly): every gap is back at the touch distance after the
//! flight, and the slip over it is zero in the mean.

use super::super::data::World;
use super::super::index::PairIndex;
use super::super::pair::WarmStart;
use super::super::pairs::site::Site;
use super::super::records::lasting_contacts::LASTING_FLIGHTS;
use super::island::{Island, Outset};
use crate::contact::{ContactPoint, Mover, MoverIndex};
use crate::detect::AIM_SHARE;
use crate::math::any_perpendicular;
use glam::{DMat3, DVec3};

/// Share of a gap's error that a hop mends between bodies that fall together.
const GAP_MENDING: f64 = 0.2;

/// Gap that is kept between such bodies, so that small errors do not make them touch: relative to the geometric mean of the heights of
/// this hop and of the lowest.
const KEPT_GAP: f64 = 0.1;

/// Least velocity with which a pressed contact is left, relative to what the press gains in the whole flight.
pub(crate) const MIN_PRESSED_SHARE: f64 = 0.1;

/// Least velocity with which any contact is left, relative to that of a hop: above what the joint solve tolerates.
pub(crate) const MIN_PARTING_SPEED: f64 = 4e-6;

/// Share of the largest velocity of approach that acceleration turns back in time.
const TURNED_BACK: f64 = 0.5;

impl Site {
    /// Contact axes: two across the normal, and the normal.
    fn frame(&self) -> DMat3 {
        let n = self.touching.normal;
        let tangent = any_perpendicular(n);
        DMat3::from_cols(tangent, n.cross(tangent), n)
    }
}

impl World {
    /// Movers and points of an island with their targets, beginning with the impulses of the last hop.
    pub(crate) fn set_up(&mut self, island: &mut Island, duration: f64) {
        self.reset_movers(island);
        island.points.clear();
        island.outsets.clear();
        for i in 0..island.sites.len() {
            let site = &island.sites[i];
            let frame = site.frame();
            let outset = self.outset(site, &frame, duration);
            let point = self.contact_point(island, site, frame, outset.target);
            island.points.push(point);
            island.outsets.push(outset);
        }
        if !island.linkages.is_empty() {
            self.set_ties(island, duration);
        }
        self.warm_start(island, duration);
    }

    /// Movers as they are before any impulse.
    pub(crate) fn reset_movers(&self, island: &mut Island) {
        island.movers.clear();
        island.movers.extend(island.bodies.iter().zip(&island.states).map(|(&body, state)| {
            let mass = self.member(body).mass().expect("bodies of an island can be moved");
            let inertia = mass.inertia_at(state.world_from_body.rotation);
            Mover::new(mass.mass(), inertia).moving(state.velocity, state.angular_velocity())
        }));
    }

    fn contact_point(&self, island: &Island, site: &Site, frame: DMat3, target: DVec3) -> ContactPoint {
        let contact = site.point();
        let movers = site.colliders.map(|body| island.place(body).map(MoverIndex));
        let velocity = |side: usize| site.states[side].point_velocity(contact);
        let fixed_part = |side: usize| if movers[side].is_none() { velocity(side) } else { DVec3::ZERO };
        ContactPoint {
            movers,
            arms: [0, 1].map(|side| contact - site.states[side].world_from_body.translation),
            frame,
            drift: fixed_part(0) - fixed_part(1),
            target,
            friction: self.pairs[site.pair].material.friction,
            impulse: DVec3::ZERO,
            matrix: DMat3::ZERO,
        }
    }

    /// How a point is to set out on a flight, as far as formulas of second order tell.
    fn outset(&self, site: &Site, frame: &DMat3, duration: f64) -> Outset {
        let touch_distance = self.pairs[site.pair].touch_distance;
        let [rise, change] = self.free_change(site, duration);
        let rise = rise.dot(site.touching.normal);
        let mending = self.landing_gap(site, rise) - site.touching.gap;
        let wanted = (mending - rise) / duration;
        let hop_velocity = self.hop_velocity(site.hop_height, duration);
        let pressed = ((-2.0 * MIN_PRESSED_SHARE * rise).max(mending) / duration)
            .max(self.site_escape_velocity(site, duration))
            .max(MIN_PARTING_SPEED * hop_velocity);
        let turned_back = turned_back(rise, site.touching.gap - touch_distance, duration);
        let lifted = if rise > -mending { turned_back } else { f64::NEG_INFINITY };
        let least = if site.touching.gap <= touch_distance { pressed } else { lifted };
        let across = -0.5 * (frame.transpose() * change).truncate();
        Outset { rise, target: self.paid_for(site, across.extend(wanted.max(least)), duration) }
    }

    /// The gap (m) with which a flight is to end, in which acceleration alone raises a point by `rise`, m.
    pub(crate) fn landing_gap(&self, site: &Site, rise: f64) -> f64 {
        let both_free = site.colliders.iter().all(|&c| self.member(c).is_free() && !self.is_held_by_joints(c));
        let height = site.hop_height;
        let landing = AIM_SHARE * self.pairs[site.pair].touch_distance;
        // A quarter of the fall is the height of the hop.
        if !both_free && -0.25 * rise > KEPT_GAP * height {
            return landing;
        }
        let gap = site.touching.gap;
        let kept = KEPT_GAP * (height * self.least_hop_height(site.pair)).sqrt();
        gap + GAP_MENDING * (landing + kept - gap)
    }

    /// Begins with the impulses of the last hop, where there was one.
    pub(super) fn warm_start(&self, island: &mut Island, duration: f64) {
        for k in 0..island.pairs.len() {
            let (pair, points) = island.pair(k);
            let Some((last, share)) = self.last_hop(pair, duration) else { continue };
            let same = last.points.len() == points.len();
            for i in points.clone() {
                let found =
                    if same { last.points.get(i - points.start) } else { last.nearest(island.sites[i].point()) };
                if let Some(point) = found {
                    island.points[i].impulse = island.points[i].frame.transpose() * (point.impulse * share);
                }
            }
        }
    }

    /// The last hop of a pair, and how much of it to begin a hop of the given duration with; `None` where it was too long ago.
    pub(crate) fn last_hop(&self, pair: PairIndex, duration: f64) -> Option<(&WarmStart, f64)> {
        let last = self.pairs[pair].warm_start.as_deref()?;
        let elapsed = self.now - last.time;
        let lasts = !last.points.is_empty() && elapsed <= LASTING_FLIGHTS * last.duration;
        lasts.then(|| (last, (elapsed.min(duration) / last.duration).min(1.0)))
    }
}

/// Velocity (m/s) with which a point may approach that a flight lifts by `rise`, m: it is turned back before it touches.
pub(super) fn turned_back(rise: f64, gap: f64, duration: f64) -> f64 {
    -2.0 * TURNED_BACK * (rise.max(0.0) * gap.max(0.0)).sqrt() / duration
}
