//! A hop: impulses at all points of an island send it on a flight that ends as it began (section 3.5, done jointly).
//!
//! Targets are chosen for the coming flight of length `T`: every gap is back at the touch distance after it, and the slip over
//! it is zero in the mean. Flight and impulse together are a scheme of second order in `T` for rest, rolling and sliding.

use super::BodyId;
use super::error::RunError;
use super::island::Island;
use super::lasting::FAST;
use super::pair::{Held, HeldPoint};
use super::record::{Happened, ImpactRecord};
use super::site::Site;
use super::step::World;
use super::stopwatch::Phase;
use crate::body::{Launch, Motion, State};
use crate::contact::{ContactPoint, Mover, MoverIndex, Resistance};
use crate::detect::AIM_SHARE;
use crate::math::any_perpendicular;
use glam::{DMat3, DVec2, DVec3};

/// Share of a gap's error that a hop mends between bodies that fall together.
const BETWEEN: f64 = 0.2;

/// Gap that is kept between such bodies, relative to the height of a hop: so small errors do not make them touch.
const BETWEEN_GAP: f64 = 0.1;

/// Least velocity with which a pressed contact is left, relative to what the press gains in the whole flight.
pub(super) const LEAST: f64 = 0.1;

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

/// Flights after which a body that has not hopped again is no longer in lasting contact.
pub(super) const LASTING: f64 = 3.0;

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
            let movers = site.items.map(|body| island.place(body).map(MoverIndex));
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
    pub(super) fn target(&self, site: &Site, frame: &DMat3, length: f64) -> DVec3 {
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
    pub(super) fn landing(&self, site: &Site, rise: f64) -> f64 {
        let both_free = site.items.iter().all(|&i| self.bodies[i as usize].is_free());
        let envelope = self.envelope(site.pair);
        let landing = AIM_SHARE * self.pairs[site.pair as usize].touch;
        // A quarter of the fall is the height of the hop.
        if !both_free && -0.25 * rise > BETWEEN_GAP * envelope {
            return landing;
        }
        let gap = site.touching.gap;
        gap + BETWEEN * (landing + BETWEEN_GAP * envelope - gap)
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

    /// Velocity (m/s) with which a point that is too near gets away in a flight.
    pub(super) fn get_away(&self, site: &Site, length: f64) -> f64 {
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
            let spin = |i: Option<MoverIndex>| i.map_or(DVec3::ZERO, |i| island.states[i.get()].angular_velocity());
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

    pub(super) fn launch_of(&self, island: &Island, place: usize) -> Launch {
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
