//! Islands whose hops repeat themselves are frozen: no events until something touches them (sections 3.5, 8.1).

use super::super::data::World;
use super::super::group::Stillness;
use super::super::index::ColliderIndex;
use super::island::Island;
use crate::body::Launch;
use crate::contact::MoverIndex;
use crate::math::Pose;
use glam::DVec3;

/// Distance from a place within which a body is there again, relative to the height of its hops.
const SAME_PLACE: f64 = 1e-2;

/// Distance at which it has left that place for good, in heights of its hops.
const LEFT_PLACE: f64 = 0.5;

/// Hops after which a body that has not come back is looked for elsewhere: trains may repeat themselves after a few.
const LONGEST_PERIOD: u32 = 16;

/// Hops in which all bodies of an island must have come back before it freezes.
const HOPS_TO_FREEZE: u32 = 10;

/// Each time that a body is woken where it was frozen it hops twice as long before it freezes again, up to so many times: what hops beside
/// it has not come to rest, and would be disturbed by every waking.
const WAKINGS: u32 = 6;

/// How often a body must have been looked for elsewhere, near the same place, to creep.
const CREEPS: u32 = 2;

/// Hops in which a body has not left its place that show that it hardly moves.
const HOPS_NEAR: u32 = 4;

/// Share of a flight that must have passed for it to count.
const WHOLE_FLIGHT: f64 = 0.5;

impl World {
    /// Counts the hops after which the bodies of an island are where they were, and freezes those that carry each other when there
    /// were enough. What they lie on must not move either.
    pub(crate) fn freeze_if_still(&mut self, island: &mut Island, duration: f64) {
        island.find_loads();
        self.join_links(island);
        for place in 0..island.bodies.len() {
            let (body, pose) = (island.bodies[place], island.states[place].world_from_body);
            let is_carried = island.carriers[place].is_some();
            let hops = if is_carried { 0 } else { self.count_still_hops(body, &pose, duration) };
            island.loads.note(place, hops);
        }
        let moves = |&c: &ColliderIndex| !(self.member(c).is_free() || self.member(c).is_fixed());
        for (site, point) in island.sites.iter().zip(&island.points) {
            if point.impulse != DVec3::ZERO && site.colliders.iter().any(moves) {
                let places = point.movers.iter().flatten();
                places.for_each(|mover| island.loads.note(mover.get(), 0));
            }
        }
        self.note_moving_bases(island);
        self.wait_for_neighbours(island);
        let now = self.now;
        for (place, (&body, state)) in island.bodies.iter().zip(&island.states).enumerate() {
            if island.loads.least(place) >= HOPS_TO_FREEZE {
                let group = self.colliders[body].group;
                self.note_stop(group);
                if let Some(link) = self.groups[group].link {
                    self.freeze_linkage(link.linkage);
                    continue;
                }
                self.change_motion(group, &state.world_from_body, |motion| motion.rest(now));
            }
        }
    }

    /// Neighbours that both are back freeze together: what hops beside a body that is frozen runs into it, and wakes it in vain. What rolls by
    /// slowly never is back as often as it must be, and is not waited for.
    fn wait_for_neighbours(&self, island: &mut Island) {
        let is_back = |place: usize| self.group_of(island.bodies[place]).stillness.away == 0;
        for point in &island.points {
            if let [Some(a), Some(b)] = point.movers.map(|mover| mover.map(MoverIndex::get))
                && is_back(a)
                && is_back(b)
                && island.loads.least(a) > 0
                && island.loads.least(b) > 0
            {
                island.loads.join(a, b);
            }
        }
    }

    /// Whether all bodies of an island have been near the same place for long, and yet some do not come back to it: the error of their hops
    /// moves them, which that of lower hops would not. Not where they roll.
    pub(crate) fn creeps(&self, island: &Island) -> bool {
        island.bodies.iter().all(|&body| self.stays(body))
            && !island.sites.iter().any(|site| self.moves_over_curved_surface(site))
    }

    /// Whether most bodies of an island have been near the same place for long: errors of its solve add up to what moves the others.
    pub(crate) fn mostly_stays(&self, island: &Island) -> bool {
        2 * island.bodies.iter().filter(|&&body| self.stays(body)).count() > island.bodies.len()
    }

    /// Whether most bodies of an island have hardly moved for a few hops: they must come back to their places.
    pub(crate) fn is_nearly_still(&self, island: &Island) -> bool {
        let is_near = |&&body: &&ColliderIndex| {
            let Stillness { hops, away, creeps, .. } = self.group_of(body).stillness;
            hops + away >= HOPS_NEAR || creeps > 0
        };
        2 * island.bodies.iter().filter(is_near).count() > island.bodies.len()
    }

    fn stays(&self, body: ColliderIndex) -> bool {
        let Stillness { creeps, hops, .. } = self.group_of(body).stillness;
        creeps >= CREEPS || hops >= HOPS_TO_FREEZE
    }

    /// Wakes the frozen bodies that an island about to hop presses on; false if there are none.
    pub(crate) fn wake_pressed(&mut self, island: &Island) -> bool {
        let mut pressed = std::mem::take(&mut self.scratch.around);
        pressed.clear();
        for (site, point) in island.sites.iter().zip(&island.points) {
            let sides = site.colliders.iter().zip(point.movers);
            let asleep = |&(&c, mover): &(&ColliderIndex, Option<MoverIndex>)| {
                mover.is_none() && self.member(c).is_frozen() && point.impulse != DVec3::ZERO
            };
            pressed.extend(sides.filter(asleep).map(|(&c, _)| c));
        }
        self.wake(&pressed);
        let any = !pressed.is_empty();
        self.scratch.around = pressed;
        any
    }

    /// Hops after which a body has been where it is now, this one included.
    fn count_still_hops(&mut self, body: ColliderIndex, pose: &Pose, duration: f64) -> u32 {
        let height = self.hop_height_in(duration, body);
        let [_, highest] = self.hop_heights(body);
        let collider = &self.colliders[body];
        let stillness = &mut self.groups[collider.group].stillness;
        // Hops cut short by others say nothing.
        let is_whole = self.now - stillness.time >= WHOLE_FLIGHT * duration;
        let moved = displacement(&stillness.pose, pose, collider.radius);
        if moved > LEFT_PLACE * height || stillness.away >= LONGEST_PERIOD {
            // A place is not left for good by half of a hop that was low.
            let is_elsewhere = moved > LEFT_PLACE * highest;
            let creeps = if is_elsewhere { 0 } else { stillness.creeps + u32::from(stillness.away >= LONGEST_PERIOD) };
            *stillness = Stillness { creeps, ..Stillness::at(*pose, self.now) };
        } else if moved > SAME_PLACE * height {
            stillness.away += 1;
        } else if is_whole {
            *stillness = Stillness { time: self.now, hops: stillness.hops + 1, away: 0, ..*stillness };
        }
        stillness.counted()
    }

    /// How high a body hops in a flight of a given duration (s) under gravity, m.
    fn hop_height_in(&self, duration: f64, body: ColliderIndex) -> f64 {
        let [least, most] = self.hop_heights(body);
        (0.125 * self.settings.gravity.length() * duration * duration).clamp(least, most)
    }

    /// Lets a body, the frozen ones around it, those around them, and those that it carries move again: a user is about to do something to
    /// it.
    pub(crate) fn wake_around(&mut self, body: ColliderIndex) {
        let mut around = std::mem::take(&mut self.scratch.around);
        around.clear();
        around.push(body);
        let mut done = 0;
        while done < around.len() {
            let partners = self.pairs.of(around[done]).map(|(_, partner)| partner);
            let known = around.len();
            around.extend(partners.filter(|&partner| self.member(partner).is_frozen()));
            for k in (known..around.len()).rev() {
                if around[..k].contains(&around[k]) {
                    around.remove(k);
                }
            }
            done += 1;
        }
        self.wake(&around);
        around.truncate(1);
        let carries = |&(_, partner): &(_, ColliderIndex)| {
            self.group_of(partner).carriage.is_some_and(|carriage| carriage.surface == body)
        };
        around.extend(self.pairs.of(body).filter(carries).map(|(_, partner)| partner));
        around.iter().for_each(|&held| self.let_go(held));
        self.scratch.around = around;
    }

    /// Lets frozen bodies, and all frozen ones that they touch, move again.
    pub(crate) fn wake(&mut self, bodies: &[ColliderIndex]) {
        let mut woken = std::mem::take(&mut self.scratch.woken);
        woken.clear();
        for &body in bodies {
            self.wake_one(body, &mut woken);
        }
        let mut done = 0;
        while done < woken.len() {
            self.wake_touched(woken[done], &mut woken);
            done += 1;
        }
        self.scratch.woken = woken;
    }

    /// Lets the frozen bodies that touch a body move again.
    fn wake_touched(&mut self, body: ColliderIndex, woken: &mut Vec<ColliderIndex>) {
        let mut pairs = std::mem::take(&mut self.scratch.neighbours);
        pairs.clear();
        pairs.extend(self.pairs.of(body).filter(|&(_, partner)| self.member(partner).is_frozen()));
        for &(pair, partner) in &pairs {
            let measured = self.measure(pair, self.now);
            if measured.overlapping || measured.distance <= self.contact_distance(pair) {
                self.wake_one(partner, woken);
            }
        }
        self.scratch.neighbours = pairs;
    }

    fn wake_one(&mut self, body: ColliderIndex, woken: &mut Vec<ColliderIndex>) {
        let member = self.member(body);
        if !member.is_frozen() {
            return;
        }
        let launch = Launch { time: self.now, state: member.state_at(self.now) };
        if woken.is_empty() {
            self.note_rest();
        }
        let group = self.colliders[body].group;
        if let Some(link) = self.groups[group].link {
            self.thaw_linkage(link.linkage, woken);
            return;
        }
        self.end_rest(group);
        self.groups[group].stillness.note_waking();
        self.change_motion(group, &launch.state.world_from_body, |motion| motion.relaunch(launch));
        woken.push(body);
    }
}

impl Stillness {
    /// Hops that count towards freezing: enough of them only after all that the wakings ask for.
    fn counted(&self) -> u32 {
        let asked = HOPS_TO_FREEZE << self.wakings.min(WAKINGS);
        if self.hops < asked { self.hops.min(HOPS_TO_FREEZE - 1) } else { self.hops }
    }

    pub(super) fn note_waking(&mut self) {
        self.hops = 0;
        self.wakings += 1;
    }
}

/// Whether a body that moves so far (m) in each hop comes back often enough to be frozen, given the height of its hops, m.
pub(super) fn is_nearly_still(moved: f64, height: f64) -> bool {
    f64::from(HOPS_TO_FREEZE) * moved <= SAME_PLACE * height
}

/// How far any point of a body within a radius of its centre has moved at most, m.
fn displacement(from: &Pose, to: &Pose, radius: f64) -> f64 {
    let turned = (to.rotation * from.rotation.conjugate()).xyz().length();
    from.translation.distance(to.translation) + 2.0 * turned * radius
}
