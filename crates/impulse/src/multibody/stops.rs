//! Blows of joints on their stops (section 5.4.1): reversed by restitution, or ended where they do not get away from the stop.

use super::impulse::Impulses;
use super::joint::JointKind;
use super::linkage::{Ending, Linkage, Room, StopBlow};
use super::posture::Placing;
use super::spatial::{Twist, Wrench};
use super::tree::BaseState;
use glam::DVec3;

/// Blows on stops at one instant after which none comes back any more.
const MOST_BLOWS: usize = 100;

impl Linkage {
    /// Blows on all stops that joints are at and move into, one after the other, beginning with one that was just reached. Joints that
    /// rest on their stops stay there meanwhile.
    pub(crate) fn bounce(&mut self, reached: Option<Ending>, blows: &mut Vec<StopBlow>) {
        if self.elements.iter().all(|elements| elements.limits.is_none()) {
            return;
        }
        let mut pressed = std::mem::take(&mut self.room.pressed);
        pressed.clear();
        pressed.extend((0..self.tree.links().len()).map(|link| reached.is_some() && self.rests_on_stop(link)));
        let (mut next, mut count) = (reached, 0);
        while let Some(stop) = next.take().or_else(|| self.next_stop(&pressed)) {
            let (Ending::Lower(link) | Ending::Upper(link)) = stop else { break };
            let hops = self.tree.links()[link].joint.kind == JointKind::Socket;
            if !hops && (count >= MOST_BLOWS || self.never_left(link)) {
                pressed[link] = true;
                self.lock(stop, &pressed, blows);
            } else {
                self.blow_on(stop, &pressed, blows);
            }
            count += 1;
        }
        self.room.pressed = pressed;
    }

    /// Whether a joint was held on a stop in the step that has ended.
    fn rests_on_stop(&self, link: usize) -> bool {
        let on_stop = matches!(self.course.holds[link], super::element::Hold::Lower | super::element::Hold::Upper);
        on_stop && self.course.rates[self.tree.links()[link].freedom] == 0.0
    }

    /// Whether a joint, since its last blow, has not got away from its stop by the height of a hop: that was no rebound.
    fn never_left(&self, link: usize) -> bool {
        self.course.blown[link].is_some_and(|[time, rate]| {
            rate * (self.course.start - time) <= self.least_rebound * self.joint_scale(link)
        })
    }

    /// A joint at a stop that moves into it and is not held there.
    fn next_stop(&self, pressed: &[bool]) -> Option<Ending> {
        (0..self.tree.links().len()).filter(|&link| !pressed[link]).find_map(|link| {
            let stop = self.stop_at(link)?;
            let rate = self.course.rates[self.tree.links()[link].freedom];
            let into = if stop == Ending::Lower(link) { rate < 0.0 } else { rate > 0.0 };
            into.then_some(stop)
        })
    }

    /// Places the posture at the course's beginning with some joints held.
    fn place_course(&mut self, held: &[bool]) {
        let base = BaseState::of(&self.base, self.course.start);
        let Room { posture, .. } = &mut self.room;
        posture.held.copy_from_slice(held);
        let placing = Placing { coordinates: &self.course.coordinates, rates: &self.course.rates, base };
        posture.place(&self.tree, &placing);
        posture.articulate(&self.tree);
    }

    /// The blow of a joint on a stop: the rate into it is reversed by the stop's restitution.
    fn blow_on(&mut self, stop: Ending, pressed: &[bool], blows: &mut Vec<StopBlow>) {
        let (Ending::Lower(link) | Ending::Upper(link)) = stop else { return };
        let Some(limits) = self.elements[link].limits else { return };
        self.place_course(pressed);
        let direction = self.away_from(stop);
        let freedoms = self.tree.links()[link].freedoms();
        let along = |numbers: &[f64]| -> f64 {
            numbers[freedoms.clone()].iter().zip(direction.to_array()).map(|(x, d)| x * d).sum()
        };
        let before = along(&self.course.rates);
        let least = self.least_rate(link, before, direction);
        self.place_course(pressed);
        if before >= least {
            return;
        }
        let Room { posture, changes, joint_forces, .. } = &mut self.room;
        changes.resize(self.tree.freedoms(), 0.0);
        joint_forces.clear();
        joint_forces.resize(self.tree.freedoms(), 0.0);
        joint_forces[freedoms.clone()].iter_mut().zip(direction.to_array()).for_each(|(x, d)| *x = d);
        posture.propagate_impulse(&self.tree, &Impulses { links: &[], joints: joint_forces }, changes);
        let gives = along(changes);
        let after = (-limits.restitution * before).max(least);
        let impulse = (after - before) / gives;
        for (rate, change) in self.course.rates.iter_mut().zip(&self.room.changes) {
            *rate += impulse * change;
        }
        self.note_blow(stop, [before, after], impulse, blows);
    }

    /// Ends the rates of all joints that are pressed on their stops, one of them newly, at once: what remains free takes over the
    /// momentum that it can.
    fn lock(&mut self, stop: Ending, pressed: &[bool], blows: &mut Vec<StopBlow>) {
        let (Ending::Lower(link) | Ending::Upper(link)) = stop else { return };
        let sign = if matches!(stop, Ending::Upper(_)) { -1.0 } else { 1.0 };
        let before = sign * self.course.rates[self.tree.links()[link].freedom];
        self.place_course(pressed);
        let energy = self.room.posture.kinetic_energy(&self.tree, &self.course.rates);
        self.momenta_of(pressed);
        self.place_course(pressed);
        let Room { posture, changes, wrenches, joint_forces, .. } = &mut self.room;
        changes.resize(self.tree.freedoms(), 0.0);
        posture.propagate_impulse(&self.tree, &Impulses { links: wrenches, joints: joint_forces }, changes);
        for (i, joint) in self.tree.links().iter().enumerate() {
            for k in joint.freedoms() {
                self.course.rates[k] = if pressed[i] { 0.0 } else { self.course.rates[k] + self.room.changes[k] };
            }
        }
        self.place_course(pressed);
        let lost = energy - self.room.posture.kinetic_energy(&self.tree, &self.course.rates);
        let impulse = if before < 0.0 { -2.0 * lost / before } else { 0.0 };
        self.note_blow(stop, [before, 0.0], impulse, blows);
    }

    /// The momenta of all links by the rates of some joints alone, into `room.wrenches`.
    fn momenta_of(&mut self, joints: &[bool]) {
        let Room { posture, wrenches, rates, joint_forces, .. } = &mut self.room;
        rates.clear();
        rates.extend_from_slice(&self.course.rates);
        for (link, is_one) in self.tree.links().iter().zip(joints) {
            if !is_one {
                rates[link.freedoms()].fill(0.0);
            }
        }
        let base = BaseState::of(&self.base, self.course.start);
        let base = BaseState { velocity: Twist::default(), ..base };
        posture.place(&self.tree, &Placing { coordinates: &self.course.coordinates, rates, base });
        wrenches.clear();
        wrenches.extend(self.tree.links().iter().zip(&posture.links).map(|(link, placed)| Wrench {
            moment: placed.inertia * placed.velocity.angular,
            force: placed.velocity.linear * link.mass.mass(),
        }));
        joint_forces.clear();
        joint_forces.resize(self.tree.freedoms(), 0.0);
    }

    fn note_blow(&mut self, stop: Ending, [before, after]: [f64; 2], impulse: f64, blows: &mut Vec<StopBlow>) {
        let (Ending::Lower(link) | Ending::Upper(link)) = stop else { return };
        self.course.blown[link] = Some([self.course.start, after]);
        let sign = if matches!(stop, Ending::Upper(_)) { -1.0 } else { 1.0 };
        let energy_lost = -0.5 * impulse * (before + after);
        blows.push(StopBlow { link, rates: [sign * before, sign * after], impulse: sign * impulse, energy_lost });
    }

    /// Unit direction in a joint's rates that leads away from a stop.
    fn away_from(&self, stop: Ending) -> DVec3 {
        match stop {
            Ending::Upper(_) => -DVec3::X,
            Ending::Lower(link) if self.tree.links()[link].joint.kind == JointKind::Socket => {
                let [parent, own] = self.cone_axes(link, &self.room.posture);
                own.cross(parent).normalize_or(DVec3::X)
            }
            _ => DVec3::X,
        }
    }

    /// The least rate with which a joint that comes at a rate leaves a stop in a direction. A socket that did not get away from its cone by
    /// the height of a hop leaves fast enough for that: what presses it there now accounts for the energy. What pushed it back since its last
    /// blow may have been an impact, which accounts for no more than it brought.
    fn least_rate(&mut self, link: usize, before: f64, direction: DVec3) -> f64 {
        match self.course.blown[link] {
            Some([time, rate]) if self.tree.links()[link].joint.kind == JointKind::Socket && self.never_left(link) => {
                let duration = self.course.start - time;
                let pushed = if duration > 0.0 { (rate - before).max(0.0) / duration } else { 0.0 };
                let height = self.least_rebound;
                let away = |press: f64| (2.0 * press * height).sqrt();
                let after_push = away(pushed).max(2.0 * rate).min(-before);
                after_push.max(away(self.press_now(link, direction)))
            }
            _ => 0.0,
        }
    }

    /// Acceleration with which a socket is pressed against a direction of its rates, rad/s^2; what turning does counts in full.
    fn press_now(&mut self, link: usize, direction: DVec3) -> f64 {
        let mut room = std::mem::take(&mut self.room);
        let Room { posture, joint_forces, changes, .. } = &mut room;
        changes.resize(self.tree.freedoms(), 0.0);
        let moving = [self.course.coordinates.as_slice(), self.course.rates.as_slice()];
        self.find_joint_forces(moving[0], moving[1], joint_forces);
        self.solve(self.course.start, moving, (posture, joint_forces), changes);
        let freedoms = self.tree.links()[link].freedoms();
        let gained = DVec3::from_slice(&changes[freedoms.clone()]).dot(direction);
        let turning = DVec3::from_slice(&self.course.rates[freedoms]).length_squared();
        self.room = room;
        (turning - gained).max(0.0)
    }
}
