//! Balls that a fixed plane carries need no hops: they slide, roll and stop in closed form (beside section 3.5).
//!
//! A ball that would hop alone on a plane comes down on it without bouncing and is carried from then on. It goes over from one
//! phase of steady acceleration to the next where its slip, its rolling or its spinning stops, rests where nothing moves it, and is let
//! go by whatever changes its motion.

use super::super::data::World;
use super::super::error::RunError;
use super::super::group::{Carriage, Carrying};
use super::super::index::{ColliderIndex, PairIndex};
use super::super::pair::{WarmPoint, WarmStart};
use super::super::pairs::measure::Measured;
use super::super::pairs::site::Site;
use super::super::records::event::ImpactRecord;
use super::face::Face;
use super::freeze::is_nearly_still;
use super::island::{Hop, Island};
use crate::body::{Carried, Drive, Launch, PrincipalMass, State};
use crate::contact::{BallOnPlane, BallVelocities, Landing, MoverIndex, Phase, Stop};
use glam::DVec3;

/// Difference between moments of inertia up to which they are equal, relative to the largest.
const EQUAL_MOMENTS: f64 = 1e-12;

/// A ball and the plane that carries it.
#[derive(Clone, Copy)]
struct Ride {
    pair: PairIndex,
    ball: ColliderIndex,
    surface: ColliderIndex,
    face: Face,
    law: BallOnPlane,
    mass: PrincipalMass,
    /// Of the ball now.
    state: State,
    /// Of the hops that it is spared, s.
    hop_duration: f64,
}

impl World {
    /// Collects the island of a pair that touches and would hop, unless a plane carries what does: a ball in closed form, any body on one point as
    /// integrated ahead, one that lies on more of them in closed form. Says whether it does.
    pub(crate) fn gather_or_carry(
        &mut self,
        pair: PairIndex,
        measured: &Measured,
        hop: Hop,
        island: &mut Island,
    ) -> Result<bool, RunError> {
        // Whether a ball is carried its neighbours tell.
        if self.is_ball_on_face(pair, measured) {
            self.gather_neighbours(pair, measured, hop, island)?;
            if island.linkages.is_empty() && self.carry_ball(pair, island, hop) {
                return Ok(true);
            }
        }
        self.gather(pair, measured, hop, island)?;
        // What joints hold moves otherwise.
        Ok(island.linkages.is_empty() && (self.guide(pair, island, hop) || self.lie_down(pair, island, hop)))
    }

    fn is_ball_on_face(&self, pair: PairIndex, measured: &Measured) -> bool {
        let colliders = self.pairs[pair].colliders;
        (0..2).any(|side| {
            let centre = measured.states[side].world_from_body.translation;
            self.colliders[colliders[side]].ball.is_some()
                && self.can_hop(colliders[side])
                && self.face_under(colliders[1 - side], centre).is_some()
        })
    }

    /// Lets a plane carry the ball of a pair that touches and would hop with its island.
    fn carry_ball(&mut self, pair: PairIndex, island: &Island, hop: Hop) -> bool {
        let Some(site) = island.sites.iter().find(|site| site.pair == pair) else { return false };
        let Some(place) = site.colliders.iter().find_map(|&body| island.place(body)) else { return false };
        let (ball, state) = (island.bodies[place as usize], island.states[place as usize]);
        let Some(ride) = self.ride(pair, ball, state, hop.duration) else { return false };
        let velocities = velocities_of(&ride.state);
        let tolerance = self
            .settings
            .velocity_tolerance(self.pairs[pair].touch_distance, [self.colliders[ball].surface_speed(&state), 0.0]);
        if self.is_too_near(pair, site.touching.gap) || velocities.linear.dot(ride.law.normal) > tolerance {
            return false;
        }
        // Frozen neighbours are no bodies of the island, but they may be pressed on.
        if island.pairs.len() > 1 && !self.is_carried_alone(&ride, island) || self.is_struck(&ride, island) {
            return false;
        }
        let Some(landing) = ride.law.land(&velocities) else { return false };
        let Some((velocities, phase)) = self.next_phase(&ride, &landing.velocities) else { return false };
        self.records.counters.hops += 1;
        if landing.impulse != DVec3::ZERO {
            let record = self.landing_record(&ride, &landing);
            self.record(&record);
        }
        self.begin_phase(&ride, &velocities, &phase);
        true
    }

    /// Lets a plane that held a body carry it again, after something was done to it that keeps it there.
    pub(crate) fn carry_again(&mut self, body: ColliderIndex) {
        let centre = self.member(body).pose_at(self.now).translation;
        let holds = |&(pair, partner): &(PairIndex, ColliderIndex)| match self.colliders[body].ball {
            Some(radius) => {
                let reach = radius + self.pairs[pair].touch_distance;
                self.face_under(partner, centre).is_some_and(|face| face.height(centre) <= reach)
            }
            None => self.pairs[pair].warm_start.as_ref().is_some_and(|last| last.points.len() > 1),
        };
        let Some((pair, _)) = self.pairs.of(body).find(holds) else { return };
        let measured = self.measure(pair, self.now);
        let is_level = measured.normal_velocity().abs() <= measured.velocity_tolerance;
        if measured.overlapping || measured.distance > self.pairs[pair].touch_distance || !is_level {
            return;
        }
        let hop = self.hop_under(pair, self.normal_acceleration(pair, &measured));
        let mut island = self.scratch.island.take();
        // What cannot be gathered overlaps, which the next event tells.
        let _ = self.gather_or_carry(pair, &measured, hop, &mut island);
        self.scratch.island.give(island);
    }

    /// What carries a body in a way that ends now.
    pub(crate) fn ended_carriage(&self, body: ColliderIndex) -> Option<Carriage> {
        let carriage = self.group_of(body).carriage?;
        let ends = |carried: &Carried| carried.times()[1] <= self.now;
        self.member(body).motion().carried().is_some_and(ends).then_some(carriage)
    }

    /// Lets a carried body go on, at the end of a phase or a piece. What carries it is given.
    pub(crate) fn go_on(&mut self, body: ColliderIndex, carriage: Carriage) {
        match carriage.carrying {
            Carrying::Ball(stop) => self.roll_on(body, carriage.surface, stop),
            Carrying::Point(mode, next) => self.guide_on(body, carriage.surface, (mode, next)),
            Carrying::Flat { stops } => self.slide_on(body, carriage.surface, stops),
        }
    }

    fn roll_on(&mut self, ball: ColliderIndex, surface: ColliderIndex, stop: Option<Stop>) {
        let state = self.member(ball).state_at(self.now);
        let pair = self.pairs.between([ball, surface]).expect("what carries a body is close to it");
        let duration = self.pairs[pair].warm_start.as_ref().map_or(0.0, |last| last.duration);
        let next = self.ride(pair, ball, state, duration).and_then(|ride| {
            let velocities = velocities_of(&state);
            let velocities = stop.map_or(velocities, |stop| ride.law.stopped(&velocities, stop));
            let (velocities, phase) = self.next_phase(&ride, &velocities)?;
            Some((ride, velocities, phase))
        });
        match next {
            Some((ride, velocities, phase)) => self.begin_phase(&ride, &velocities, &phase),
            None => self.let_go(ball),
        }
    }

    /// Lets a carried body fly on from where it is; others do anyway.
    pub(crate) fn let_go(&mut self, body: ColliderIndex) {
        let member = self.member(body);
        if member.is_carried() {
            let launch = Launch { time: self.now, state: member.state_at(self.now) };
            let group = self.colliders[body].group;
            self.change_motion(group, &launch.state.world_from_body, |motion| motion.relaunch(launch));
        }
    }

    /// Lets the bodies of an island fly, and notes which of them are balls that planes have carried.
    pub(crate) fn let_go_all(&mut self, island: &mut Island) {
        island.carriers.clear();
        for &body in &island.bodies {
            let carriage = self.group_of(body).carriage;
            let carrier = carriage.filter(|c| matches!(c.carrying, Carrying::Ball(_))).map(|c| c.surface);
            island.carriers.push(carrier);
            self.let_go(body);
        }
    }

    /// Takes back the impulses of balls on which nothing presses but the planes that have carried them: these go on to.
    pub(crate) fn keep_carried(&self, island: &mut Island) {
        if island.carriers.iter().all(Option::is_none) {
            return;
        }
        let Island { carriers, sites, points, resistances, movers, states, .. } = island;
        let mut is_met = vec![false; carriers.len()];
        for (site, point) in sites.iter().zip(points.iter()) {
            for (side, mover) in point.movers.iter().enumerate() {
                let Some(place) = mover.map(MoverIndex::get) else { continue };
                if carriers[place] == Some(site.colliders[1 - side]) {
                    is_met[place] = true;
                } else if point.impulse != DVec3::ZERO {
                    carriers[place] = None;
                }
            }
        }
        for (carrier, is_met) in carriers.iter_mut().zip(is_met) {
            *carrier = carrier.filter(|_| is_met);
        }
        let is_carried = |mover: &MoverIndex| carriers[mover.get()].is_some();
        for point in points.iter_mut().filter(|point| point.movers.iter().flatten().any(is_carried)) {
            point.impulse = DVec3::ZERO;
        }
        for resistance in resistances.iter_mut().filter(|resistance| resistance.movers.iter().flatten().any(is_carried))
        {
            resistance.impulse = DVec3::ZERO;
        }
        for ((mover, state), _) in movers.iter_mut().zip(states).zip(carriers).filter(|(_, carrier)| carrier.is_some())
        {
            *mover = mover.moving(state.velocity, state.angular_velocity());
        }
    }

    /// Lets the planes go on that carry balls of an island.
    pub(crate) fn carry_on(&mut self, island: &Island) {
        for (place, &carrier) in island.carriers.iter().enumerate() {
            let Some(surface) = carrier else { continue };
            let (ball, state) = (island.bodies[place], island.states[place]);
            let Some(pair) = self.pairs.between([ball, surface]) else { continue };
            let duration = self.pairs[pair].warm_start.as_ref().map_or(0.0, |last| last.duration);
            let next = self.ride(pair, ball, state, duration).and_then(|ride| {
                let (velocities, phase) = self.next_phase(&ride, &velocities_of(&state))?;
                Some((ride, velocities, phase))
            });
            if let Some((ride, velocities, phase)) = next {
                self.begin_phase(&ride, &velocities, &phase);
            }
        }
    }

    /// Whether nothing presses a ball and its neighbours on each other: all are balls that lie on one level plane, and none is driven
    /// against another by friction.
    fn is_carried_alone(&self, ride: &Ride, island: &Island) -> bool {
        let acceleration = |body: ColliderIndex| {
            let Some(place) = island.place(body) else { return Some(DVec3::ZERO) };
            let state = island.states[place as usize];
            let pair = self.pairs.between([body, ride.surface])?;
            let ride = self.ride(pair, body, state, ride.hop_duration)?;
            let gap = ride.face.height(state.world_from_body.translation) - ride.law.radius;
            let lies = gap <= self.contact_distance(pair) && ride.law.is_level();
            let phase = ride.law.phase(&velocities_of(&ride.state)).filter(|_| lies)?;
            // Slip that ends within a flight is that of the flight.
            let passes = phase.slip != DVec3::ZERO && phase.length() <= ride.hop_duration;
            Some(if passes { DVec3::ZERO } else { phase.acceleration })
        };
        let is_pressed = |site: &Site| match site.colliders.map(acceleration) {
            [Some(first), Some(second)] => (first - second).dot(site.touching.normal) < 0.0,
            _ => true,
        };
        island.bodies.iter().all(|&body| acceleration(body).is_some()) && !island.sites.iter().any(is_pressed)
    }

    /// Whether a ball touches and approaches anything but what is to carry it.
    fn is_struck(&self, ride: &Ride, island: &Island) -> bool {
        let others = island.sites.iter().filter(|site| site.pair != ride.pair && site.colliders.contains(&ride.ball));
        let strikes = |site: &Site| {
            let is_near = site.touching.gap <= self.pairs[site.pair].touch_distance;
            is_near && site.sliding_velocity().dot(site.touching.normal) < 0.0
        };
        others.into_iter().any(strikes)
    }

    /// The phase in which a ball goes on now, and the velocities with which it begins. Time must get ahead: a ball is carried for as long as
    /// a hop at least.
    fn next_phase(&self, ride: &Ride, velocities: &BallVelocities) -> Option<(BallVelocities, Phase)> {
        let (velocities, phase) = ride.law.first_phase(velocities, self.now.next_up() - self.now)?;
        let over_face = ride.face.time_over(velocities.linear, phase.acceleration);
        let lasts = over_face > ride.hop_duration && ride.law.is_closed_for(&velocities, ride.hop_duration);
        lasts.then_some((velocities, phase))
    }

    /// A ball on a flat face of a fixed body that nothing but a steady force presses on it.
    fn ride(&self, pair: PairIndex, ball: ColliderIndex, state: State, hop_duration: f64) -> Option<Ride> {
        let [first, second] = self.pairs[pair].colliders;
        let surface = if first == ball { second } else { first };
        let radius = self.colliders[ball].ball?;
        let face = self.face_under(surface, state.world_from_body.translation)?;
        let motion = self.member(ball).motion();
        let (mass, drive) = (*motion.mass()?, motion.drive()?);
        let moments = mass.moments();
        let is_even = moments.max_element() - moments.min_element() <= EQUAL_MOMENTS * moments.max_element();
        if !is_even || drive.torque != DVec3::ZERO {
            return None;
        }
        let laws = self.materials.combined(self.colliders[ball].material, self.colliders[surface].material);
        let law = BallOnPlane {
            normal: face.normal,
            radius,
            mass: mass.mass(),
            inertia: moments.element_sum() / 3.0,
            acceleration: drive.acceleration,
            friction: [laws.material.friction, laws.static_friction],
            rolling: laws.rolling_resistance,
            spinning: laws.spinning_resistance,
        };
        Some(Ride { pair, ball, surface, face, law, mass, state, hop_duration })
    }

    /// Sends a ball with the given velocities on its way over the plane.
    fn begin_phase(&mut self, ride: &Ride, velocities: &BallVelocities, phase: &Phase) {
        let &Ride { pair, ball, surface, mass, .. } = ride;
        let pose = ride.state.world_from_body;
        let state =
            State { world_from_body: pose, velocity: velocities.linear, spin: pose.inverse_vector(velocities.angular) };
        let launch = Launch { time: self.now, state };
        let group = self.colliders[ball].group;
        let still = self.is_still(ride, &state, phase);
        let torque = pose.vector(mass.moments() * pose.inverse_vector(phase.angular_acceleration));
        let together = Drive { acceleration: phase.acceleration, torque };
        // At the edge of a face nothing stops, but it carries the ball no longer.
        let over_face = ride.face.time_over(velocities.linear, phase.acceleration);
        let until = launch.time + phase.length().min(over_face);
        self.change_motion(group, &pose, |motion| {
            motion.relaunch(launch);
            if !still {
                motion.carry(launch, together, until);
            }
        });
        self.keep_push(ride, phase);
        self.note_lasting(group, 0.0);
        if still {
            self.note_stop(group);
            self.change_motion(group, &pose, |motion| motion.rest(launch.time));
        } else {
            let stop = phase.end.filter(|&(duration, _)| duration <= over_face).map(|(_, stop)| stop);
            self.groups[group].carriage = Some(Carriage { surface, carrying: Carrying::Ball(stop) });
        }
        debug_assert!(self.pairs[pair].warm_start.is_some(), "the push of what carries is known");
    }

    /// Whether a ball that goes on like this stands still, or as good as that.
    fn is_still(&self, ride: &Ride, state: &State, phase: &Phase) -> bool {
        let is_steady = phase.acceleration == DVec3::ZERO && phase.angular_acceleration == DVec3::ZERO;
        let speed = state.velocity.length() + state.spin.length() * ride.law.radius;
        is_steady && is_nearly_still(speed * ride.hop_duration, self.settings.least_hop_height() * ride.law.radius)
    }

    /// Keeps the push of a plane where the impulses of hops are kept.
    fn keep_push(&mut self, ride: &Ride, phase: &Phase) {
        let sign = if self.pairs[ride.pair].colliders[0] == ride.ball { 1.0 } else { -1.0 };
        let duration = ride.hop_duration;
        let point = WarmPoint {
            at: ride.lowest_point(),
            normal: sign * ride.law.normal,
            impulse: sign * duration * phase.force,
            slip: sign * phase.slip,
        };
        let couples = if phase.couple == DVec3::ZERO { Vec::new() } else { vec![sign * duration * phase.couple] };
        let push = WarmStart { time: self.now, duration, points: vec![point], couples, lost: 0.0, ahead: 0.0 };
        self.pairs[ride.pair].warm_start = Some(Box::new(push));
    }

    /// The microcollision in which a ball comes down.
    fn landing_record(&self, ride: &Ride, landing: &Landing) -> ImpactRecord {
        let colliders = self.pairs[ride.pair].colliders;
        let sign = if colliders[0] == ride.ball { 1.0 } else { -1.0 };
        let [before, after] = landing.contact.map(|u| sign * u);
        ImpactRecord {
            time: self.now,
            bodies: self.ids(colliders),
            point: ride.lowest_point(),
            normal: sign * ride.law.normal,
            impulse: sign * landing.impulse,
            before,
            after,
            energy_lost: landing.energy_lost,
            modes: None,
            micro: true,
            duration: 0.0,
        }
    }
}

impl Ride {
    fn lowest_point(&self) -> DVec3 {
        self.state.world_from_body.translation - self.law.normal * self.law.radius
    }
}

fn velocities_of(state: &State) -> BallVelocities {
    BallVelocities { linear: state.velocity, angular: state.angular_velocity() }
}
