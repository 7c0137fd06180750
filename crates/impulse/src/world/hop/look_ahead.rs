//! A look at the end of a hop's flight: contacts that move over curved surfaces get there by ways that no formula of second
//! order gives (section 3.5, done jointly), so their targets are corrected by what is found there.

use super::super::data::World;
use super::super::pairs::site::Site;
use super::island::{Island, Outset};
use super::target::{MIN_PRESSED_SHARE, turned_back};
use crate::geometry::closest::{PairCache, Touching, closest};
use glam::{DMat3, DVec3};

/// Heights by which bodies that overlap at the end of a flight are moved apart, in heights of a hop.
const LIFTS: [f64; 3] = [0.0, 1.0, 10.0];

/// How far a contact gets in a flight at most: this many times the way it would go at the rate at which it sets out ...
const FARTHEST_WAY: f64 = 2.0;

/// ... and this many heights of a hop more, since acceleration moves it too. What is met farther off is another contact.
const FARTHEST_BY_ACCELERATION: f64 = 100.0;

/// A pair at the end of a flight.
struct Reached {
    /// Metres.
    gap: f64,
    /// Of the first body relative to the second at the contact, contact axes of the start, m/s.
    velocity: DVec3,
}

impl World {
    /// Flies ahead with the velocities found, and corrects the targets of contacts that move over curved surfaces by the gap
    /// and the slip really reached. Says whether that changes any of them by as much as a tolerance, relative to the
    /// velocity of its hop.
    pub(crate) fn look_ahead(&mut self, island: &mut Island, duration: f64, tolerance: f64) -> bool {
        let mut is_changed = false;
        let is_curved = |site: &Site| self.moves_over_curved_surface(site);
        if island.sites.iter().any(is_curved) && !self.fly_linkages(island, duration) {
            return false;
        }
        for k in 0..island.pairs.len() {
            let (_, points) = island.pair(k);
            let i = points.start;
            if points.len() == 1
                && self.moves_over_curved_surface(&island.sites[i])
                && let Some(reached) = self.reached(island, i, duration)
            {
                let target = self.corrected(island, i, &reached, duration);
                let change = target - island.points[i].target;
                let least = tolerance * self.hop_velocity(island.sites[i].hop_height, duration);
                // What changes less keeps its target, which its slip is compared with.
                if change.length_squared() >= least * least {
                    island.points[i].target = target;
                    is_changed = true;
                }
            }
        }
        is_changed
    }

    /// Whether a contact moves over a curved surface.
    pub(crate) fn moves_over_curved_surface(&self, site: &Site) -> bool {
        // A ball on a plane does not count: its support point moves with its centre.
        let balls = site.colliders.map(|c| self.colliders[c].ball.is_some());
        let flat = [0, 1].map(|side| site.touching.bends[side] == DMat3::ZERO);
        let fixed = site.colliders.map(|c| self.member(c).is_fixed());
        let rolls_on_a_plane = (0..2).any(|side| balls[side] && flat[1 - side] && fixed[1 - side]);
        site.touching.is_curved() && !rolls_on_a_plane
    }

    /// Where a pair is at the end of the flight, with the velocities found; `None` where it meets elsewhere before.
    fn reached(&self, island: &Island, i: usize, duration: f64) -> Option<Reached> {
        let (site, frame) = (&island.sites[i], &island.points[i].frame);
        let then = site.colliders.map(|body| self.state_after(island, body, duration));
        let [first, second] = site.colliders.map(|c| &self.colliders[c]);
        let mut world_from_first = then[0].world_from_body * first.body_from_shape;
        let world_from_second = then[1].world_from_body * second.body_from_shape;
        let mut cache: PairCache = self.pairs[site.pair].cache.as_deref().copied().unwrap_or_default();
        // Bodies that overlap there are moved apart along the normal: then their distance tells how deep they were.
        let mut lifted = 0.0;
        for lift in LIFTS {
            let lift = lift * site.hop_height;
            world_from_first.translation += (lift - lifted) * frame.z_axis;
            lifted = lift;
            let first_from_second = world_from_first.inverse() * world_from_second;
            let found = closest(&first.shape, &second.shape, &first_from_second, &mut cache);
            if !found.overlapping {
                let at = world_from_first.point(0.5 * (found.on_first + found.on_second));
                if at.distance(site.point()) > self.farthest(island, site, duration) {
                    return None;
                }
                let velocity = then[0].point_velocity(at) - then[1].point_velocity(at);
                return Some(Reached { gap: found.distance - lifted, velocity: frame.transpose() * velocity });
            }
        }
        None
    }

    /// How far from where it is now a contact can be at the end of the flight, with the velocities found, m.
    fn farthest(&self, island: &Island, site: &Site, duration: f64) -> f64 {
        let after = |side: usize| match island.place(site.colliders[side]) {
            Some(place) => self.launch_of(island, place as usize).state,
            None => site.states[side],
        };
        let site = site.with_states([0, 1].map(after));
        let speed = site.contact_point_velocity(0).length().max(site.contact_point_velocity(1).length());
        FARTHEST_WAY * speed * duration + FARTHEST_BY_ACCELERATION * site.hop_height
    }

    /// The target of a single contact point that moves over a curved surface.
    fn corrected(&self, island: &Island, i: usize, reached: &Reached, duration: f64) -> DVec3 {
        let (site, point, outset) = (&island.sites[i], &island.points[i], &island.outsets[i]);
        let touch_distance = self.pairs[site.pair].touch_distance;
        let now = point.velocity(&island.movers);
        let wanted = now.z + (self.landing_gap(site, outset.rise) - reached.gap) / duration;
        let least = (MIN_PRESSED_SHARE * outset.target.z).max(self.site_escape_velocity(site, duration));
        let least = if site.touching.gap <= touch_distance {
            least
        } else {
            self.turns_back(site, outset, [now.z, reached.gap], duration)
        };
        let usual = outset.target.truncate();
        let hop_velocity = self.hop_velocity(site.hop_height, duration);
        let correction = 0.5 * (now - reached.velocity).truncate() - usual;
        let across = usual + correction.clamp_length_max(hop_velocity);
        self.paid_for(site, across.extend(wanted.max(least)), duration)
    }

    /// Least velocity (m/s) for two balls that do not touch: they fly past each other along a line, so their gap is convex in time, and where
    /// it is to end as small as it begins they would touch on the way. Instead they part, or approach no faster than that turns them back.
    fn turns_back(&self, site: &Site, outset: &Outset, [now, reached]: [f64; 2], duration: f64) -> f64 {
        let Touching { gap, .. } = site.touching;
        let are_balls = site.colliders.iter().all(|&c| self.colliders[c].ball.is_some());
        let rise = reached - gap - now * duration;
        if are_balls && rise > gap - self.landing_gap(site, outset.rise) {
            turned_back(rise, gap - self.pairs[site.pair].touch_distance, duration)
        } else {
            f64::NEG_INFINITY
        }
    }
}
