//! A hop: impulses at all points of an island send it on a flight that ends as it began (section 3.5, done jointly).
//!
//! Targets are chosen for the coming flight of length `T`: every gap is back at the touch distance after it, and the slip over
//! it is zero in the mean. Flight and impulse together are a scheme of second order in `T` for rest, rolling and sliding.

use super::BodyId;
use super::error::RunError;
use super::island::{Island, Site};
use super::lasting::FAST;
use super::pair::{Held, HeldPoint};
use super::record::{Happened, ImpactRecord};
use super::step::World;
use super::stopwatch::Phase;
use crate::body::{Launch, Motion, State};
use crate::contact::{ContactPoint, Mover, Resistance};
use crate::detect::AIM;
use crate::geometry::closest::{PairCache, closest};
use crate::math::any_perpendicular;
use glam::{DMat3, DVec2, DVec3};

/// Share of a gap's error that a hop mends between bodies that fall together.
const BETWEEN: f64 = 0.2;

/// Gap that is kept between such bodies, relative to the height of a hop: so small errors do not make them touch.
const BETWEEN_GAP: f64 = 0.1;

/// Least velocity with which a pressed contact is left, relative to what the press gains in the whole flight.
const LEAST: f64 = 0.1;

/// Least velocity with which any contact is left, relative to that of a hop: above what the joint solve tolerates.
const PART: f64 = 4e-6;

/// Share of the largest velocity of approach that acceleration turns back in time.
const TURNING: f64 = 0.5;

/// Looks ahead at contacts that wander over curved surfaces.
const PASSES: usize = 2;

/// Flights of such contacts, and of those on bodies that follow scripts, relative to others: their errors go with its square
/// at least.
const WANDERING: f64 = 0.5;

/// Energy that a hop may give a body, in units of its mass times the square of the hop's velocity.
const GAIN: f64 = 2.0;

/// Sweeps in which points left approaching are pushed apart, at most.
const PUSHES: usize = 1000;

/// Distance from the cone, relative to its radius, at which a point slides.
const SLIDES: f64 = 1e-9;

/// Solves with friction that turns round within the flight.
const REVERSALS: usize = 4;

/// Heights by which bodies that overlap at the end of a flight are moved apart, in heights of a hop.
const LIFTS: [f64; 3] = [0.0, 1.0, 10.0];

/// Flights after which a body that has not hopped again is no longer in lasting contact.
pub(super) const LASTING: f64 = 3.0;

/// A pair at the end of a flight.
struct Reached {
    /// Metres.
    gap: f64,
    /// Of the first body relative to the second at the contact, contact axes of the start, m/s.
    velocity: DVec3,
}

impl World {
    /// Lets the island of a pair hop for about `length` seconds.
    pub(super) fn hop(&mut self, pair: u32, length: f64) -> Result<Happened, RunError> {
        let mut island = std::mem::take(&mut self.island);
        let result = self.hop_island(pair, length, &mut island);
        self.island = island;
        result
    }

    fn hop_island(&mut self, pair: u32, length: f64, island: &mut Island) -> Result<Happened, RunError> {
        self.timed(Phase::Detection, |w| w.gather(pair, length, island))?;
        let gravity = self.settings.gravity.length();
        let shortest = |length: f64, pair: u32| {
            let height = self.envelope(pair);
            if gravity > 0.0 { length.min((8.0 * height / gravity).sqrt()) } else { length }
        };
        let length = island.pairs.iter().fold(length, |length, &(pair, _)| shortest(length, pair));
        let wandering = island.sites.iter().any(|site| self.wanders(site) || self.is_carried(site));
        let length = if wandering { WANDERING * length } else { length };
        let hop_velocity = 0.5 * gravity.max(8.0 * self.envelope(pair) / (length * length)) * length;
        self.set_up(island, length);
        let mut solved = self.solve(island, hop_velocity);
        for _ in 0..PASSES {
            if !self.look_ahead(island, length) {
                break;
            }
            // The next pass begins with the impulses of the last, whose effect must not be counted twice.
            self.reset_movers(island);
            solved = self.solve(island, hop_velocity);
        }
        for _ in 0..REVERSALS {
            if !self.weaken_reversing_friction(island, hop_velocity) {
                break;
            }
            self.reset_movers(island);
            solved = self.solve(island, hop_velocity);
        }
        self.keep_apart(island);
        if self.gains_energy(island, hop_velocity) {
            // Impulses that hold each other, left from another configuration, led astray: begin without them, and where that
            // does not help either, only push apart.
            self.start_afresh(island);
            solved = self.solve(island, hop_velocity);
            self.keep_apart(island);
            if self.gains_energy(island, hop_velocity) {
                self.start_afresh(island);
                self.aim_low(island, length, hop_velocity);
                self.keep_apart(island);
                solved.converged = false;
            }
        }
        self.counters.hops += 1;
        self.counters.sweeps += u64::from(solved.sweeps);
        self.counters.unconverged += u64::from(!solved.converged);
        self.launch(island, length);
        let [first, second] = self.pairs[pair as usize].items.map(|i| self.bodies[i as usize].id);
        Ok(Happened::Hop(first, second))
    }

    /// Movers, points and targets of an island.
    fn set_up(&mut self, island: &mut Island, length: f64) {
        self.reset_movers(island);
        island.points.clear();
        for i in 0..island.sites.len() {
            let site = island.sites[i];
            let n = site.touching.normal;
            let tangent = any_perpendicular(n);
            let frame = DMat3::from_cols(tangent, n.cross(tangent), n);
            let contact = site.point();
            let movers = site.items.map(|body| island.place(body));
            let velocity = |side: usize| site.states[side].point_velocity(contact);
            let fixed_part = |side: usize| if movers[side].is_none() { velocity(side) } else { DVec3::ZERO };
            island.points.push(ContactPoint {
                movers,
                arms: [0, 1].map(|side| contact - site.states[side].world_from_body.translation),
                frame,
                drift: fixed_part(0) - fixed_part(1),
                target: self.target(&site, &frame, length),
                friction: self.pairs[site.pair as usize].material.friction,
                impulse: DVec3::ZERO,
                matrix: DMat3::ZERO,
            });
        }
        self.warm_start(island, length);
        self.set_laws(island, length);
    }

    pub(super) fn reset_movers(&self, island: &mut Island) {
        island.movers.clear();
        island.movers.extend(island.bodies.iter().zip(&island.states).map(|(&body, state)| {
            let mass = self.bodies[body as usize].motion.inverse_mass_for(state);
            Mover {
                inverse_mass: mass.inverse_mass,
                inverse_inertia: mass.world_inverse_inertia,
                velocity: state.velocity,
                angular_velocity: state.angular_velocity(),
            }
        }));
    }

    /// The velocity with which a point is to set out, contact axes.
    fn target(&self, site: &Site, frame: &DMat3, length: f64) -> DVec3 {
        let touch = self.pairs[site.pair as usize].touch;
        let [rise, change] = self.free_change(site, length);
        let rise = rise.dot(site.touching.normal);
        let envelope = self.envelope(site.pair);
        let mending = self.landing(site, rise) - site.touching.gap;
        let wanted = (mending - rise) / length;
        let hop = envelope / (length * length);
        let pressed = ((-2.0 * LEAST * rise).max(mending) / length)
            .max(self.get_away(site, length))
            .max(PART * 4.0 * hop * length);
        // What acceleration lifts may approach no faster than that turns it back before it touches.
        let turned_back = -2.0 * (rise.max(0.0) * (site.touching.gap - touch).max(0.0)).sqrt() / length;
        let lifted = if rise > -mending { TURNING * turned_back } else { f64::NEG_INFINITY };
        let least = if site.touching.gap <= touch { pressed } else { lifted };
        let across = -0.5 * (frame.transpose() * change);
        DVec3::new(across.x, across.y, wanted.max(least).min(FAST * 4.0 * hop * length))
    }

    /// The gap (m) with which a flight is to end, in which acceleration alone raises a point by `rise`, m.
    fn landing(&self, site: &Site, rise: f64) -> f64 {
        let both_free = site.items.iter().all(|&i| self.bodies[i as usize].is_free());
        let envelope = self.envelope(site.pair);
        let landing = AIM * self.pairs[site.pair as usize].touch;
        // A quarter of the fall is the height of the hop.
        if !both_free && -0.25 * rise > BETWEEN_GAP * envelope {
            return landing;
        }
        let gap = site.touching.gap;
        gap + BETWEEN * (landing + BETWEEN_GAP * envelope - gap)
    }

    /// What acceleration alone does to the first body's point relative to the second's in a flight: to its place (m) and to its
    /// velocity (m/s).
    pub(super) fn free_change(&self, site: &Site, length: f64) -> [DVec3; 2] {
        let mut total = [DVec3::ZERO; 2];
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let [rise, change] = self.side_change(site, side, length);
            total[0] += sign * rise;
            total[1] += sign * change;
        }
        // Along a normal that turns, sliding changes the gap (Coriolis), and so does the way of the contact over a curved body.
        let n = site.touching.normal;
        let way = 2.0 * site.sliding() + site.way(0) - site.way(1);
        total[0] += n * (0.5 * site.normal_rate().dot(way) * length * length);
        total
    }

    fn side_change(&self, site: &Site, side: usize, length: f64) -> [DVec3; 2] {
        let state = &site.states[side];
        let contact = site.point();
        match &self.bodies[site.items[side] as usize].motion {
            Motion::Fixed(_) => [DVec3::ZERO; 2],
            motion @ Motion::Scripted(_) => {
                let then = motion.state_at(self.now + length);
                let velocity = state.point_velocity(contact);
                let carried = then.world_from_body.point(state.world_from_body.inverse_point(contact));
                let wandered = contact + site.wander(1 - side) * length;
                [carried - contact - velocity * length, then.point_velocity(wandered) - velocity]
            }
            motion => {
                let a = motion.acceleration_at(self.now);
                let (w, r) = (state.angular_velocity(), contact - state.world_from_body.translation);
                let acceleration = a.linear + a.angular.cross(r) + w.cross(site.arm_rate(side));
                [acceleration * (0.5 * length * length), acceleration * length]
            }
        }
    }

    /// Begins with the impulses of the last hop, where there was one.
    fn warm_start(&self, island: &mut Island, length: f64) {
        for (k, &(pair, begin)) in island.pairs.iter().enumerate() {
            let end = island.pairs.get(k + 1).map_or(island.points.len(), |next| next.1);
            let Some(held) = &self.pairs[pair as usize].held else { continue };
            let Some(share) = self.share_of(held, length) else { continue };
            let same = held.points.len() == end - begin;
            for i in begin..end {
                let at = island.sites[i].point();
                let nearest =
                    |p: &&HeldPoint, q: &&HeldPoint| p.at.distance_squared(at).total_cmp(&q.at.distance_squared(at));
                let found = if same { held.points.get(i - begin) } else { held.points.iter().min_by(nearest) };
                if let Some(point) = found {
                    island.points[i].impulse = island.points[i].frame.transpose() * (point.impulse * share);
                }
            }
        }
    }

    /// How much of a pair's last hop to begin with; `None` where that was too long ago.
    pub(super) fn share_of(&self, held: &Held, length: f64) -> Option<f64> {
        let elapsed = self.now - held.time;
        let lasts = !held.points.is_empty() && elapsed <= LASTING * held.length;
        lasts.then(|| (elapsed.min(length) / held.length).min(1.0))
    }

    /// Flies ahead with the velocities found, and corrects the targets of contacts that wander over curved surfaces by the gap
    /// and the slip really reached. Says whether there are any.
    fn look_ahead(&mut self, island: &mut Island, length: f64) -> bool {
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

    /// Velocity (m/s) with which a point that is too near gets away in a flight.
    fn get_away(&self, site: &Site, length: f64) -> f64 {
        self.escape(site.pair, site.touching.gap, 8.0 * (self.envelope(site.pair) / (length * length)))
    }

    /// Lets bodies only just part, which takes energy from them whatever was aimed at; those that are too near get away.
    fn aim_low(&self, island: &mut Island, length: f64, hop_velocity: f64) {
        for (site, point) in island.sites.iter().zip(&mut island.points) {
            point.target.z = point.target.z.min(self.get_away(site, length).max(PART * hop_velocity));
        }
    }

    /// Whether impulses have given an island more energy than its hops account for; what bodies that follow scripts do by
    /// moving on is not counted.
    fn gains_energy(&self, island: &Island, hop_velocity: f64) -> bool {
        let gained = |(site, point): (&Site, &ContactPoint)| {
            let after = point.frame * point.velocity(&island.movers);
            0.5 * (point.frame * point.impulse).dot(site.sliding() + after)
        };
        let resisted = |resistance: &Resistance| {
            let spin = |i: Option<u32>| i.map_or(DVec3::ZERO, |i| island.states[i as usize].angular_velocity());
            let before = resistance.drift + spin(resistance.movers[0]) - spin(resistance.movers[1]);
            let after = resistance.frame * resistance.velocity(&island.movers);
            0.5 * (resistance.frame * resistance.impulse).dot(before + after)
        };
        let gained: f64 = island.sites.iter().zip(&island.points).map(gained).sum::<f64>()
            + island.resistances.iter().map(resisted).sum::<f64>();
        let mass: f64 = island.movers.iter().map(|mover| 1.0 / mover.inverse_mass).sum();
        // Flights begin with slip against what accelerates them across.
        let across = island.points.iter().map(|point| point.target.truncate().length_squared()).fold(0.0, f64::max);
        gained > mass * (GAIN * hop_velocity * hop_velocity + across)
    }

    fn start_afresh(&self, island: &mut Island) {
        self.reset_movers(island);
        island.points.iter_mut().for_each(|point| point.impulse = DVec3::ZERO);
        island.resistances.iter_mut().for_each(|resistance| resistance.impulse = DVec3::ZERO);
    }

    /// Sees to it that no point that touches is left approaching by impulses that were not found to the end: point after point
    /// is pushed apart until all part.
    fn keep_apart(&self, island: &mut Island) {
        for _ in 0..PUSHES {
            let mut all_part = true;
            for (site, point) in island.sites.iter().zip(&mut island.points) {
                let rate = point.velocity(&island.movers).z;
                if site.touching.gap <= self.pairs[site.pair as usize].touch && rate < 0.5 * point.target.z {
                    let push = DVec3::Z * ((point.target.z - rate) / point.matrix.z_axis.z);
                    point.impulse += push;
                    point.apply(&mut island.movers, push);
                    all_part = false;
                }
            }
            if all_part {
                return;
            }
        }
    }

    /// Where the surfaces change their relative velocity faster than friction can follow, and sliding turns round within the
    /// flight, friction works one way first and then the other: its mean is less than the whole. Says whether that is so
    /// anywhere.
    fn weaken_reversing_friction(&self, island: &mut Island, hop_velocity: f64) -> bool {
        let mut any = false;
        for (site, point) in island.sites.iter().zip(&mut island.points) {
            let change = -2.0 * point.target.truncate();
            let friction = self.pairs[site.pair as usize].material.friction;
            // Friction itself slows the change while sliding goes one way. Bodies that fall together press each other too.
            let followed = 2.0 * friction * point.target.z.max(hop_velocity);
            let slides = point.impulse.truncate().length() >= (1.0 - SLIDES) * point.friction * point.impulse.z;
            if !self.is_carried(site) || change.length() <= followed || point.impulse.z <= 0.0 || !slides {
                continue;
            }
            let change = change * (1.0 - followed / change.length());
            let slip = (point.velocity(&island.movers) - point.target).truncate();
            let share = mean_direction(slip, change).length().min(1.0);
            if share < 1.0 || point.friction < friction {
                point.friction = friction * share;
                any = true;
            }
        }
        any
    }

    /// Whether one of the bodies follows a script.
    fn is_carried(&self, site: &Site) -> bool {
        site.items.iter().any(|&i| matches!(self.bodies[i as usize].motion, Motion::Scripted(_)))
    }

    /// Whether a contact wanders over a curved surface.
    fn wanders(&self, site: &Site) -> bool {
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
                let velocity = then[0].point_velocity(at) - then[1].point_velocity(at);
                return Some(Reached { gap: found.distance - lifted, velocity: frame.transpose() * velocity });
            }
        }
        None
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

    fn launch_of(&self, island: &Island, place: usize) -> Launch {
        let (mover, pose) = (&island.movers[place], island.states[place].world_from_body);
        let spin = pose.inverse_vector(mover.angular_velocity);
        Launch { time: self.now, state: State { world_from_body: pose, velocity: mover.velocity, spin } }
    }

    /// Sends the bodies on their way, and remembers what held them.
    fn launch(&mut self, island: &mut Island, length: f64) {
        if island.bodies.iter().any(|&body| self.bodies[body as usize].is_frozen()) {
            self.note_rest();
        }
        self.stopwatch.enter(Phase::Motion);
        for place in 0..island.bodies.len() {
            let launch = self.launch_of(island, place);
            self.note_lasting(island.bodies[place], LASTING * length);
            self.observe(island.bodies[place], &launch.state.world_from_body);
            let body = &mut self.bodies[island.bodies[place] as usize];
            body.motion.relaunch(launch);
        }
        self.record_hop(island, length);
        self.freeze_if_still(island, length);
        self.stopwatch.enter(Phase::Detection);
        for place in 0..island.bodies.len() {
            self.rebox(island.bodies[place]);
        }
        island.begin_round(self.bodies.len(), self.pairs.len());
        for place in 0..island.bodies.len() {
            let new = island.new_pairs(self.broad.close_to(island.bodies[place]).map(|p| p.pair));
            for i in new {
                self.schedule(island.partners[i]);
            }
        }
    }

    fn record_hop(&mut self, island: &Island, length: f64) {
        for (k, &(pair, begin)) in island.pairs.iter().enumerate() {
            let end = island.pairs.get(k + 1).map_or(island.points.len(), |next| next.1);
            let mut held = self.pairs[pair as usize].held.take().unwrap_or_default();
            held.time = self.now;
            held.length = length;
            held.points.clear();
            held.couples.clear();
            held.couples.extend(island.couples_of(begin..end));
            for i in begin..end {
                let (site, point) = (&island.sites[i], &island.points[i]);
                let impulse = point.frame * point.impulse;
                let velocity = point.velocity(&island.movers);
                let slip = point.frame * (velocity - point.target).truncate().extend(0.0);
                held.points.push(HeldPoint { at: site.point(), normal: site.touching.normal, impulse, slip });
                if point.impulse != DVec3::ZERO {
                    let after = point.frame * velocity;
                    let bodies = site.items.map(|i| self.bodies[i as usize].id);
                    self.remember(&site.record((self.now, bodies), impulse, after));
                }
            }
            self.pairs[pair as usize].held = Some(held);
        }
    }
}

/// Mean of the unit vectors along a velocity whose mean is `slip` and that changes evenly by `change`.
fn mean_direction(slip: DVec2, change: DVec2) -> DVec2 {
    let length = change.length();
    let along = change / length;
    let (a, b) = (slip.dot(along), slip.perp_dot(along).abs());
    let (from, to) = (a - 0.5 * length, a + 0.5 * length);
    let main = (DVec2::new(to, b).length() - DVec2::new(from, b).length()) / length;
    let side = if b > 0.0 { b * (libm::asinh(to / b) - libm::asinh(from / b)) / length } else { 0.0 };
    DVec2::new(main, side)
}

impl Site {
    /// Middle of the gap, m.
    pub(super) fn point(&self) -> DVec3 {
        self.touching.on_first - self.touching.normal * (0.5 * self.touching.gap)
    }

    /// Velocity of the contact point relative to a body's centre of mass as the point wanders over the body, m/s.
    fn arm_rate(&self, side: usize) -> DVec3 {
        let state = &self.states[side];
        let w = state.angular_velocity();
        w.cross(self.point() - state.world_from_body.translation) + self.way(side)
    }

    /// Velocity at which the contact point wanders over a curved body, m/s.
    fn way(&self, side: usize) -> DVec3 {
        let w = self.states[side].angular_velocity();
        let sign = if side == 0 { 1.0 } else { -1.0 };
        self.touching.bends[side] * (sign * (w.cross(self.touching.normal) - self.normal_rate()))
    }

    /// Velocity of the first body relative to the second at the contact, m/s.
    pub(super) fn sliding(&self) -> DVec3 {
        let point = self.point();
        self.states[0].point_velocity(point) - self.states[1].point_velocity(point)
    }

    /// Rate at which the normal turns, 1/s.
    fn normal_rate(&self) -> DVec3 {
        let [first, second] = self.touching.carriers;
        first * self.states[0].angular_velocity() + second * self.states[1].angular_velocity()
    }

    /// Velocity at which the contact point moves in space, as seen from one side, m/s.
    fn wander(&self, side: usize) -> DVec3 {
        self.states[side].velocity + self.arm_rate(side)
    }

    fn record(&self, (time, bodies): (f64, [BodyId; 2]), impulse: DVec3, after: DVec3) -> ImpactRecord {
        let before = self.sliding();
        ImpactRecord {
            time,
            bodies,
            point: self.point(),
            normal: self.touching.normal,
            impulse,
            before,
            after,
            energy_lost: -0.5 * impulse.dot(before + after),
            modes: None,
            micro: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BodySpec, MassSpec, MotionSpec, Settings, WorldBuilder};
    use super::Island;
    use crate::geometry::Cylinder;
    use crate::math::Pose;
    use crate::respond::{Law, Material};
    use glam::{DQuat, DVec3};

    /// The rim of a coin over the face of another, both turning and sliding, in either order: the gap's acceleration by second
    /// differences of measured distances.
    #[test]
    fn gaps_between_turning_bodies_change_as_predicted() {
        for swapped in [false, true] {
            let mut b = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
            let material = b.material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge }).unwrap();
            let (radius, thickness, tilt) = (0.012, 0.002, 0.1f64);
            let height = 0.5 * thickness * (1.0 + libm::cos(tilt)) + radius * libm::sin(tilt) + 1e-7;
            let above = Pose {
                rotation: DQuat::from_xyzw(libm::sin(0.5 * tilt), 0.0, 0.0, libm::cos(0.5 * tilt)),
                translation: DVec3::Z * height,
            };
            let below = (Pose::from_translation(DVec3::Y * 0.008), DVec3::ZERO, DVec3::new(3.0, -7.0, 5.0));
            let mut coins = [(above, DVec3::new(0.2, -0.1, 0.0), DVec3::new(-4.0, 6.0, 2.0)), below];
            if swapped {
                coins.reverse();
            }
            for (name, (pose, velocity, spin)) in ["one", "two"].iter().zip(coins) {
                let motion = MotionSpec::Free { mass: MassSpec::Density(1000.0), velocity, spin };
                let shape = Cylinder::new(radius, thickness).unwrap().into();
                b.body(BodySpec { name: (*name).into(), shape, world_from_shape: pose, material, motion }).unwrap();
            }
            let mut world = b.build().unwrap();
            let measured = world.measure(0, 0.0);
            let mut island = Island::default();
            world.find_sites(0, &measured, 2.0 * measured.distance, &mut island);
            assert_eq!(island.sites.len(), 1);
            let (site, step) = (island.sites[0], 2e-6);
            let predicted = 2.0 * world.free_change(&site, 1.0)[0].dot(site.touching.normal);
            let [a, b, c] = [0.0, 1.0, 2.0].map(|k| world.measure(0, k * step).distance);
            let found = (a - 2.0 * b + c) / (step * step);
            assert!((predicted / found - 1.0).abs() < 1e-2, "{predicted} instead of {found} m/s^2");
        }
    }
}
