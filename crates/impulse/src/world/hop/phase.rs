//! A body within a hop, rid of it: what strikes a body in lasting contact must not depend on how far its flight has come.
//!
//! The impulses of a hop stand for the forces from half a flight before to half a flight after; at the beginning of a contact there
//! is none before. Where a flight is cut short, the part of them that belongs to the time already flown is what a body in steady
//! contact would have got.

use super::super::data::World;
use super::super::index::{ColliderIndex, PairIndex};
use super::super::pair::{WarmPoint, WarmStart};
use super::super::pairs::measure::Measured;
use super::super::records::lasting_contacts::LASTING_FLIGHTS;
use super::lasting::FASTEST_HOP;
use crate::body::State;
use glam::DVec3;

/// What changes the velocity of a body in half a flight by more than so many times what its acceleration does was no steady contact: the hop
/// has caught a blow.
const STEADIEST_CHANGE: f64 = 8.0;

impl World {
    /// A measured pair with the velocities its bodies would have without their hops. The same pair where it is no faster than hops
    /// are.
    pub(crate) fn without_hops(&self, pair: PairIndex, measured: &Measured) -> Measured {
        let colliders = self.pairs[pair].colliders;
        let hop_speed = self.hop_speed(colliders[0]).max(self.hop_speed(colliders[1]));
        if -measured.normal_velocity() <= FASTEST_HOP * hop_speed {
            return *measured;
        }
        let states = [0, 1].map(|side| self.state_without_hop(colliders[side], measured.states[side]));
        let mean = Measured { states, ..*measured };
        if mean.approaching() { mean } else { *measured }
    }

    /// Velocity (m/s) with which the hop of a body began and will end under gravity; zero where it does not hop.
    fn hop_speed(&self, body: ColliderIndex) -> f64 {
        let Some(start) = self.member(body).launch_time() else { return 0.0 };
        let lasting = self.group_of(body).lasting_until;
        let duration = if self.now <= lasting { (lasting - start) / LASTING_FLIGHTS } else { 0.0 };
        0.5 * self.settings.gravity.length() * duration.max(0.0)
    }

    /// Energy that a body gains by being rid of its hop, J.
    fn gained_without_hop(&self, body: ColliderIndex, mean: &State) -> f64 {
        let member = self.member(body);
        let energy = |state: &State| member.mass().map_or(0.0, |mass| mass.kinetic_energy(state));
        energy(mean) - energy(&member.state_at(self.now))
    }

    /// The same of bodies that are struck; links keep their hops.
    fn gained_without_hops(&self, bodies: &[ColliderIndex], states: &[State]) -> f64 {
        let gained = |(&body, state): (&ColliderIndex, &State)| {
            if self.group_of(body).link.is_some() { 0.0 } else { self.gained_without_hop(body, state) }
        };
        bodies.iter().zip(states).map(gained).sum()
    }

    /// Enters what it costs or gains bodies that are struck to be rid of their hops.
    pub(crate) fn note_end_of_hops(&mut self, bodies: &[ColliderIndex], states: &[State]) {
        let gained = self.gained_without_hops(bodies, states);
        self.records.energy.give(gained);
    }

    /// Whether bodies that are rid of their hops have gained more than an impact takes, and the height of hops accounts for:
    /// jammed bodies lose much in every hop.
    pub(crate) fn gives_back_too_much(&self, bodies: &[ColliderIndex], states: &[State], lost: f64) -> bool {
        let excess = self.gained_without_hops(bodies, states) - lost;
        excess > 0.0 && excess > self.paid_energy(bodies)
    }

    /// The state of a body with the velocities it would have without its hop. No more energy is given back than friction has taken
    /// for the second half of the flight, and the body's weight times the height of a hop: where it would be, the hop was no
    /// steady contact, or other free bodies balance its impulses.
    pub(crate) fn state_without_hop(&self, body: ColliderIndex, state: State) -> State {
        let member = self.member(body);
        let (Some(start), Some(mass)) = (member.launch_time(), member.mass()) else { return state };
        // A hop that is not over keeps its body in lasting contact: most bodies need not look for one.
        if self.now > self.group_of(body).lasting_until {
            return state;
        }
        let pose = state.world_from_body;
        let mut mean = state;
        let mut most = self.hop_energy(body);
        // What a free body gave keeps the momenta of both.
        for (pair, _) in self.pairs.of(body).filter(|&(_, partner)| !self.member(partner).is_free()) {
            let Some((last, flown)) = self.cut_short(pair, start) else { continue };
            let sign = if self.pairs[pair].colliders[0] == body { 1.0 } else { -1.0 };
            let share = sign * last.ahead * (2.0 * flown - 1.0);
            let couples: DVec3 = last.couples.iter().sum();
            let of_points = |moment: DVec3, p: &WarmPoint| moment + (p.at - pose.translation).cross(p.impulse);
            let moment = last.points.iter().fold(couples, of_points);
            mean.velocity += last.points.iter().map(|p| p.impulse).sum::<DVec3>() * (share / mass.mass());
            mean.spin += pose.inverse_vector(moment * share) / mass.moments();
            most += last.ahead * last.lost.max(0.0);
        }
        if self.gained_without_hop(body, &mean) > most || self.is_blow(body, [&state, &mean], start) {
            state
        } else {
            mean
        }
    }

    /// Whether what a hop did to a body is too much for a steady contact under its weight and what else acts on it.
    fn is_blow(&self, body: ColliderIndex, [state, mean]: [&State; 2], start: f64) -> bool {
        let duration = (self.group_of(body).lasting_until - start) / LASTING_FLIGHTS;
        let change =
            state.velocity.distance(mean.velocity) + self.colliders[body].radius * state.spin.distance(mean.spin);
        let acceleration = self.member(body).acceleration_in(state, self.now).linear.length();
        self.settings.gravity != DVec3::ZERO && change > STEADIEST_CHANGE * 0.5 * acceleration * duration
    }

    /// The hop of a pair that began a flight, if that is not over yet, and the share of it that is.
    fn cut_short(&self, pair: PairIndex, start: f64) -> Option<(&WarmStart, f64)> {
        let last = self.pairs[pair].warm_start.as_deref()?;
        let flown = (self.now - start) / last.duration;
        (last.time.to_bits() == start.to_bits() && flown <= 1.0).then_some((last, flown))
    }
}
