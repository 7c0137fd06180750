//! A look at the end of a hop's flight: contacts that wander over curved surfaces get there by ways that no formula of second
//! order gives (section 3.5, done jointly), so their targets are corrected by what is found there.

use super::hop::LEAST;
use super::island::Island;
use super::lasting::FAST;
use super::site::Site;
use super::step::World;
use crate::body::Motion;
use crate::geometry::closest::{PairCache, closest};
use glam::{DMat3, DVec3};

/// Heights by which bodies that overlap at the end of a flight are moved apart, in heights of a hop.
const LIFTS: [f64; 3] = [0.0, 1.0, 10.0];

/// How far a contact gets in a flight at most, in ways it would go at the rate at which it sets out, and what is added to that, in
/// heights of a hop: acceleration moves it too. What is met farther off is another contact.
const FARTHEST: f64 = 2.0;
const ACCELERATED: f64 = 100.0;

/// A pair at the end of a flight.
struct Reached {
    /// Metres.
    gap: f64,
    /// Of the first body relative to the second at the contact, contact axes of the start, m/s.
    velocity: DVec3,
}

impl World {
    /// Flies ahead with the velocities found, and corrects the targets of contacts that wander over curved surfaces by the gap
    /// and the slip really reached. Says whether there are any.
    pub(super) fn look_ahead(&mut self, island: &mut Island, length: f64) -> bool {
        let mut any = false;
        for k in 0..island.pairs.len() {
            let (pair, begin) = island.pairs[k];
            let end = island.pairs.get(k + 1).map_or(island.points.len(), |next| next.1);
            if end - begin == 1
                && self.wanders(&island.sites[begin])
                && let Some(reached) = self.reached(island, pair, begin, length)
            {
                island.points[begin].target = self.corrected(island, begin, &reached, length);
                any = true;
            }
        }
        any
    }

    /// Whether a contact wanders over a curved surface.
    pub(super) fn wanders(&self, site: &Site) -> bool {
        // A ball on a plane does not: its support point moves with its centre.
        let balls = site.items.map(|i| self.bodies[i as usize].ball.is_some());
        let flat = [0, 1].map(|side| site.touching.bends[side] == DMat3::ZERO);
        let fixed = site.items.map(|i| self.bodies[i as usize].is_fixed());
        let rolls_on_a_plane = (0..2).any(|side| balls[side] && flat[1 - side] && fixed[1 - side]);
        site.touching.is_curved() && !rolls_on_a_plane
    }

    /// Where a pair is at the end of the flight, with the velocities found; `None` where it meets elsewhere before.
    fn reached(&self, island: &Island, pair: u32, i: usize, length: f64) -> Option<Reached> {
        let (site, frame) = (&island.sites[i], &island.points[i].frame);
        let then = [0, 1].map(|side| self.motion_after(island, site.items[side]).state_at(self.now + length));
        let mut poses = [0, 1].map(|side| self.shape_pose(site.items[side], then[side].world_from_body));
        let [first, second] = site.items.map(|b| &self.bodies[b as usize].shape);
        let mut cache: PairCache = self.pairs[pair as usize].cache.as_deref().copied().unwrap_or_default();
        // Bodies that overlap there are moved apart along the normal: then their distance tells how deep they were.
        let mut lifted = 0.0;
        for lift in LIFTS {
            let lift = lift * self.envelope(pair);
            poses[0].translation += (lift - lifted) * frame.z_axis;
            lifted = lift;
            let found = closest(first, second, &(poses[0].inverse() * poses[1]), &mut cache);
            if !found.overlapping {
                let at = poses[0].point(0.5 * (found.on_first + found.on_second));
                if at.distance(site.point()) > self.farthest(island, site, length) {
                    return None;
                }
                let velocity = then[0].point_velocity(at) - then[1].point_velocity(at);
                return Some(Reached { gap: found.distance - lifted, velocity: frame.transpose() * velocity });
            }
        }
        None
    }

    /// How far from where it is now a contact can be at the end of the flight, with the velocities found, m.
    fn farthest(&self, island: &Island, site: &Site, length: f64) -> f64 {
        let after = |side: usize| match island.place(site.items[side]) {
            Some(place) => self.launch_of(island, place as usize).state,
            None => site.states[side],
        };
        let site = Site { states: [0, 1].map(after), ..*site };
        let speed = site.wander(0).length().max(site.wander(1).length());
        FARTHEST * speed * length + ACCELERATED * self.envelope(site.pair)
    }

    /// The target of a single wandering point.
    fn corrected(&self, island: &Island, i: usize, reached: &Reached, length: f64) -> DVec3 {
        let (site, point) = (&island.sites[i], &island.points[i]);
        let touch = self.pairs[site.pair as usize].touch;
        let now = point.velocity(&island.movers);
        let rise = self.free_change(site, length)[0].dot(site.touching.normal);
        let wanted = now.z + (self.landing(site, rise) - reached.gap) / length;
        let hop = self.envelope(site.pair) / (length * length);
        let least = (LEAST * self.target(site, &point.frame, length).z).max(self.get_away(site, length));
        let least = if site.touching.gap <= touch { least } else { f64::NEG_INFINITY };
        let across = 0.5 * (now - reached.velocity);
        DVec3::new(across.x, across.y, wanted.max(least).min(FAST * 4.0 * hop * length))
    }

    /// The motion of a body with the velocity found.
    fn motion_after(&self, island: &Island, body: u32) -> Motion {
        let motion = &self.bodies[body as usize].motion;
        match island.place(body) {
            Some(place) => motion.relaunched(self.launch_of(island, place as usize)),
            None => motion.clone(),
        }
    }
}
