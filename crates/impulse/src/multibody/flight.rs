//! The life of a linkage between impulses from outside: launched, gone on step by step, with its stops (sections 5.1, 5.4.1).

use super::element::{Hold, LimitRange, Limits};
use super::impulse::Impulses;
use super::joint::JointKind;
use super::linkage::{Ending, Linkage, Room, StopBlow};
use super::posture::Placing;
use super::tree::BaseState;
use glam::{DQuat, DVec3};

/// Blows on stops at one instant after which none comes back any more.
const MOST_BLOWS: usize = 100;

impl Linkage {
    /// Goes on from a state at a time: blows on stops first, then a step. Blows are added to `blows`.
    pub(crate) fn launch(&mut self, time: f64, [coordinates, rates]: [&[f64]; 2], blows: &mut Vec<StopBlow>) {
        self.course.start = time;
        self.course.coordinates.clear();
        self.course.coordinates.extend_from_slice(coordinates);
        self.course.rates.clear();
        self.course.rates.extend_from_slice(rates);
        self.normalise();
        self.bounce(None, blows);
        self.set_out(None);
    }

    /// Goes on from the end of the step. Blows on stops are added to `blows`.
    pub(crate) fn go_on(&mut self, blows: &mut Vec<StopBlow>) {
        let (end, ending) = (self.course.end, self.course.ending);
        let mut state = [std::mem::take(&mut self.room.coordinates), std::mem::take(&mut self.room.rates)];
        self.coordinates_at(end, &mut state[0]);
        self.rates_at(end, &mut state[1]);
        std::mem::swap(&mut self.course.coordinates, &mut state[0]);
        std::mem::swap(&mut self.course.rates, &mut state[1]);
        [self.room.coordinates, self.room.rates] = state;
        let released = match ending {
            Ending::Release(link) => Some((link, self.way_of_release(link))),
            _ => None,
        };
        self.course.start = end;
        self.normalise();
        match ending {
            Ending::Rest(link) => {
                let freedom = self.tree.links()[link].freedom;
                self.course.rates[freedom] = 0.0;
            }
            Ending::Lower(link) | Ending::Upper(link) => {
                self.put_on_stop(link, ending);
                self.bounce(Some(ending), blows);
            }
            Ending::Step | Ending::Release(_) => {}
        }
        if ending != Ending::Step {
            self.course.guess = self.course.guess.min(self.course.length);
        }
        self.set_out(released);
    }

    fn set_out(&mut self, released: Option<(usize, Hold)>) {
        self.find_holds(released);
        self.integrate();
        self.find_ending();
    }

    fn put_on_stop(&mut self, link: usize, ending: Ending) {
        if let Some(Limits { range: LimitRange::Interval([low, high]), .. }) = self.elements[link].limits {
            let coordinate = self.tree.links()[link].coordinate;
            self.course.coordinates[coordinate] = if ending == Ending::Lower(link) { low } else { high };
        }
    }

    fn normalise(&mut self) {
        for link in self.tree.links() {
            let attitude = match link.joint.kind {
                JointKind::Floating => link.coordinate + 3..link.coordinate + 7,
                JointKind::Socket => link.coordinates(),
                JointKind::Hinge | JointKind::Slider | JointKind::Weld => continue,
            };
            let own = &mut self.course.coordinates[attitude];
            let unit = DQuat::from_slice(own).normalize();
            own.copy_from_slice(&unit.to_array());
        }
    }

    /// Blows on all stops that joints are at and move into, one after the other, beginning with one that was just reached.
    fn bounce(&mut self, reached: Option<Ending>, blows: &mut Vec<StopBlow>) {
        if self.elements.iter().all(|elements| elements.limits.is_none()) {
            return;
        }
        let mut next = reached;
        for count in 0..2 * MOST_BLOWS {
            let Some(stop) = next.take().or_else(|| self.next_stop()) else { return };
            self.place_course();
            self.blow_on(stop, count >= MOST_BLOWS, blows);
        }
    }

    /// A joint at a stop that moves into it.
    fn next_stop(&self) -> Option<Ending> {
        (0..self.tree.links().len()).find_map(|link| {
            let stop = self.stop_at(link)?;
            let rate = self.course.rates[self.tree.links()[link].freedom];
            let into = if stop == Ending::Lower(link) { rate < 0.0 } else { rate > 0.0 };
            into.then_some(stop)
        })
    }

    /// Places the posture at the course's beginning, free to give way.
    fn place_course(&mut self) {
        let base = BaseState::of(&self.base, self.course.start);
        let Room { posture, .. } = &mut self.room;
        posture.held.fill(false);
        let placing = Placing { coordinates: &self.course.coordinates, rates: &self.course.rates, base };
        posture.place(&self.tree, &placing);
        posture.articulate(&self.tree);
    }

    /// The blow of a joint on a stop: the rate into it is reversed by the stop's restitution, or ended where the rebound would be none.
    fn blow_on(&mut self, stop: Ending, plastic: bool, blows: &mut Vec<StopBlow>) {
        let (Ending::Lower(link) | Ending::Upper(link)) = stop else { return };
        let Some(limits) = self.elements[link].limits else { return };
        let direction = self.into_the_free(stop);
        let freedoms = self.tree.links()[link].freedoms();
        let along = |numbers: &[f64]| -> f64 {
            numbers[freedoms.clone()].iter().zip(direction.to_array()).map(|(x, d)| x * d).sum()
        };
        let before = along(&self.course.rates);
        if before >= 0.0 {
            return;
        }
        let Room { posture, changes, joint_forces, .. } = &mut self.room;
        changes.resize(self.tree.freedoms(), 0.0);
        joint_forces.clear();
        joint_forces.resize(self.tree.freedoms(), 0.0);
        joint_forces[freedoms.clone()].iter_mut().zip(direction.to_array()).for_each(|(x, d)| *x = d);
        posture.propagate_impulse(&self.tree, &Impulses { links: &[], joints: joint_forces }, changes);
        let gives = along(changes);
        let rebound = if plastic { 0.0 } else { -limits.restitution * before };
        let least = self.least_square(link, direction);
        let after = if rebound * rebound > least { rebound } else { self.least_rate(link, least) };
        let impulse = (after - before) / gives;
        for (rate, change) in self.course.rates.iter_mut().zip(&self.room.changes) {
            *rate += impulse * change;
        }
        if after == 0.0 {
            self.course.rates[freedoms.start] = 0.0;
        }
        let sign = if matches!(stop, Ending::Upper(_)) { -1.0 } else { 1.0 };
        let energy_lost = -0.5 * impulse * (before + after);
        blows.push(StopBlow { link, rates: [sign * before, sign * after], impulse: sign * impulse, energy_lost });
    }

    /// Unit direction in a joint's rates that leads away from a stop.
    fn into_the_free(&self, stop: Ending) -> DVec3 {
        match stop {
            Ending::Upper(_) => -DVec3::X,
            Ending::Lower(link) if self.tree.links()[link].joint.kind == JointKind::Socket => {
                let [parent, own] = self.cone_axes(link, &self.room.posture);
                own.cross(parent).normalize_or(DVec3::X)
            }
            _ => DVec3::X,
        }
    }

    /// Square of the rate of a rebound that is none: it would not get away from the stop by a hop's height.
    fn least_square(&mut self, link: usize, direction: DVec3) -> f64 {
        let mut room = std::mem::take(&mut self.room);
        let course = &self.course;
        let mut accelerations = std::mem::take(&mut room.watched_accelerations);
        accelerations.resize(self.tree.freedoms(), 0.0);
        self.find_joint_forces(&course.coordinates, &course.rates, &mut room.joint_forces);
        let moving = [course.coordinates.as_slice(), course.rates.as_slice()];
        self.solve_free(course.start, moving, (&mut room.posture, &room.joint_forces), &mut accelerations);
        let freedoms = self.tree.links()[link].freedoms();
        let press: f64 = accelerations[freedoms].iter().zip(direction.to_array()).map(|(a, d)| -a * d).sum();
        room.watched_accelerations = accelerations;
        self.room = room;
        2.0 * press.max(0.0) * self.least_rebound * self.joint_scale(link)
    }

    /// The rate with which a joint leaves a stop from which it does not bounce: hinges and sliders stay, sockets hop.
    fn least_rate(&self, link: usize, least_square: f64) -> f64 {
        if self.tree.links()[link].joint.kind == JointKind::Socket { least_square.sqrt() } else { 0.0 }
    }
}
