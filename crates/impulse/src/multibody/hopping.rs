//! A linkage in lasting contact (section 3.5 for chapter 5): what a hop asks of it, flights tried ahead, and rest.

use super::element::{LimitRange, Limits};
use super::joint::JointKind;
use super::linkage::{Course, Ending, Gathered, Linkage, Room, StopBlow};
use super::posture::{PlacedLink, Posture};
use super::spatial::Twist;
use super::tree::BaseState;
use crate::body::{Acceleration, State};
use crate::math::{COEFFICIENTS, Pose};
use glam::DVec3;

/// Distance from a stop up to which a hop takes account of it, in heights of a rebound that is none.
const NEAR_STOP: f64 = 3.0;

/// Way towards a stop in a flight above which a joint strikes it, in such heights.
const FAST_APPROACH: f64 = 16.0;

/// Steps of a flight that is tried, at most.
const FLIGHT_STEPS: usize = 6;

/// Distance from its cone that a socket keeps at the end of a flight, relative to such a height.
const KEPT_GAP: f64 = 0.1;

/// What acts in a joint within bounds over a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointBound {
    /// Forces, N m or N.
    pub(crate) range: [f64; 2],
    /// Rate with which a flight of a duration is to begin, rad/s or m/s.
    pub(crate) target: f64,
    /// Of a socket: the direction about which it turns away from its cone.
    pub(crate) about: Option<DVec3>,
}

impl Linkage {
    /// Finds accelerations and holding forces at a time of the step, where friction does not act on what moves: hops do its work.
    pub(crate) fn gather(&mut self, t: f64) {
        let (mut room, mut gathered) = (std::mem::take(&mut self.room), std::mem::take(&mut self.gathered));
        gathered.time = t;
        self.coordinates_at(t, &mut gathered.coordinates);
        self.rates_at(t, &mut gathered.rates);
        let moving = [gathered.coordinates.as_slice(), gathered.rates.as_slice()];
        self.find_mean_rates(moving[1], &mut gathered.mean_rates);
        self.find_undamped_forces(moving[0], &mut room.joint_forces);
        for (i, link) in self.tree.links().iter().enumerate().filter(|(_, link)| link.joint.kind.freedoms() == 1) {
            room.joint_forces[link.freedom] -= self.course.holds[i].friction(self.elements[i].friction);
        }
        gathered.freedoms.resize(self.tree.freedoms(), 0.0);
        gathered.damping.clear();
        if !gathered.mean_rates.is_empty() {
            self.solve(t, moving, (&mut room.posture, &room.joint_forces), &mut gathered.freedoms);
            self.find_damping(t - self.course.start, &room.posture, &mut gathered.damping);
        }
        let damping = gathered.damping.iter().zip(&gathered.mean_rates);
        gathered.dampers.clear();
        gathered.dampers.extend(damping.map(|(damping, rate)| rate.map(|rate| -damping * rate)));
        self.add_damping(moving[1], &gathered.dampers, &mut room.joint_forces);
        self.solve(t, moving, (&mut room.posture, &room.joint_forces), &mut gathered.freedoms);
        gathered.links.clear();
        let of = |placed: &PlacedLink| {
            let Twist { angular, linear } = placed.acceleration;
            Acceleration { linear, angular }
        };
        gathered.links.extend(room.posture.links.iter().map(of));
        gathered.holding.clear();
        gathered.holding.extend((0..self.radii.len()).map(|link| {
            let held = self.course.holds[link].holds();
            if held { self.holding_force(link, &room.posture, &room.joint_forces) } else { 0.0 }
        }));
        gathered.placed.clone_from(&room.posture.links);
        (self.room, self.gathered) = (room, gathered);
    }

    /// Mean rates of a flight from one hop to the next, along the freedoms that hop in it. Nothing after another flight, and where nothing
    /// is damped.
    fn find_mean_rates(&self, now: &[f64], mean: &mut Vec<Option<f64>>) {
        mean.clear();
        if self.course.is_kicked() && self.elements.iter().any(|elements| elements.damping > 0.0) {
            mean.extend(self.course.rates.iter().zip(now).map(|(&began, &now)| hopping_mean(began, now)));
        }
    }

    /// Damping along all freedoms over a flight (s) on which dampers act with constant force: what they would stop in that time is slowed
    /// down as much, and no more.
    fn find_damping(&self, flight: f64, posture: &Posture, damping: &mut Vec<f64>) {
        damping.resize(self.tree.freedoms(), 0.0);
        for (i, link) in self.tree.links().iter().enumerate().filter(|&(i, _)| self.elements[i].damping > 0.0) {
            let (own, placed) = (self.elements[i].damping, &posture.links[i]);
            for (freedom, column) in link.freedoms().zip(&placed.columns) {
                let met = column.dot(&placed.articulated.times(column)) + link.armature;
                let slowing = own * flight / met;
                damping[freedom] = if slowing > 0.0 { -own * libm::expm1(-slowing) / slowing } else { own };
            }
        }
    }

    /// In the flight of a hop dampers act on the mean of rates that hop, with constant force, so that slip is zero in the mean, as the kick
    /// has it. Forces that follow the hop itself would have whatever is pressed on a surface creep.
    fn set_dampers(&mut self, gathered: &Gathered, duration: f64) {
        self.course.dampers.clear();
        let rates = gathered.rates.iter().zip(&gathered.freedoms);
        let mean = rates.map(|(&rate, gained)| hopping_mean(rate, rate + duration * gained));
        let damping = gathered.damping.iter().zip(mean);
        self.course.dampers.extend(damping.map(|(damping, mean)| mean.map(|rate| -damping * rate)));
    }

    /// Accelerations of a link without contact, if they were gathered at a time.
    pub(crate) fn gathered_acceleration(&self, link: usize, t: f64) -> Option<Acceleration> {
        (self.gathered.time.to_bits() == t.to_bits()).then(|| self.gathered.links.get(link).copied()).flatten()
    }

    /// A link as gathered.
    pub(crate) fn gathered_link(&self, link: usize) -> &PlacedLink {
        &self.gathered.placed[link]
    }

    /// Velocities of a link as gathered, in a pose.
    pub(crate) fn gathered_state(&self, link: usize, pose: Pose) -> State {
        let velocity = self.gathered.placed[link].velocity;
        State { world_from_body: pose, velocity: velocity.linear, spin: pose.inverse_vector(velocity.angular) }
    }

    /// Velocity of what the first link is joined to, at its origin.
    pub(crate) fn base_velocity(&self, t: f64) -> Twist {
        BaseState::of(&self.base, t).velocity
    }

    /// Whether welds alone join a link to what cannot be moved.
    pub(crate) fn is_anchored(&self, mut link: usize) -> bool {
        loop {
            let joint = &self.tree.links()[link];
            if joint.joint.kind != JointKind::Weld {
                return false;
            }
            let Some(parent) = joint.parent else { return true };
            link = parent;
        }
    }

    /// What acts in a link's joint within bounds in a hop whose flight lasts `duration` seconds, as gathered: friction, and a stop that it
    /// is at or near.
    pub(crate) fn joint_bound(&self, link: usize, duration: f64) -> Option<JointBound> {
        let joint = &self.tree.links()[link];
        match joint.joint.kind {
            JointKind::Hinge | JointKind::Slider => {}
            JointKind::Socket => return self.cone_bound(link, duration),
            JointKind::Floating | JointKind::Planar | JointKind::Weld => return None,
        }
        let (friction, hold) = (self.elements[link].friction, self.course.holds[link]);
        if hold.holds() {
            // What holds it in flight is no longer there for the kick.
            let force = self.gathered.holding[link];
            let [least, most] = hold.range(friction);
            let range = [(least - force).min(0.0), (most - force).max(0.0)];
            return Some(JointBound { range, target: 0.0, about: None });
        }
        let gained = 0.5 * self.gathered.freedoms[joint.freedom] * duration;
        if friction > 0.0 {
            return Some(JointBound { range: [-friction, friction], target: -gained, about: None });
        }
        let (gap, sign) = self.near_stop(link)?;
        let approach = -sign * self.gathered.rates[joint.freedom] * duration;
        if approach > FAST_APPROACH * self.least_rebound * self.joint_scale(link) {
            return None;
        }
        let range = if sign > 0.0 { [0.0, f64::INFINITY] } else { [f64::NEG_INFINITY, 0.0] };
        Some(JointBound { range, target: -gained - sign * gap / duration, about: None })
    }

    /// The same of a socket that is at the end of its cone or near it: it may turn away from there.
    fn cone_bound(&self, link: usize, duration: f64) -> Option<JointBound> {
        let LimitRange::Cone(angle) = self.elements[link].limits?.range else { return None };
        let [on_parent, on_link] = self.cones[link];
        let parent = match self.tree.links()[link].parent {
            Some(parent) => self.gathered.placed[parent].pose,
            None => BaseState::of(&self.base, self.gathered.time).pose,
        };
        let [parent, own] = [parent.vector(on_parent), self.gathered.placed[link].pose.vector(on_link)];
        let across = own.cross(parent);
        let gap = angle - libm::atan2(across.length(), own.dot(parent));
        if gap > NEAR_STOP * self.least_rebound || across == DVec3::ZERO {
            return None;
        }
        let about = across.normalize();
        let freedoms = self.tree.links()[link].freedoms();
        let approach = -DVec3::from_slice(&self.gathered.rates[freedoms.clone()]).dot(about) * duration;
        if approach > FAST_APPROACH * self.least_rebound {
            return None;
        }
        let gained = 0.5 * DVec3::from_slice(&self.gathered.freedoms[freedoms]).dot(about) * duration;
        // It arrives a little before the end, so that contact hops first.
        let target = (KEPT_GAP * self.least_rebound - gap) / duration - gained;
        Some(JointBound { range: [0.0, f64::INFINITY], target, about: Some(about) })
    }

    /// The distance of a joint from a stop that is near, and the direction that leads away from it.
    fn near_stop(&self, link: usize) -> Option<(f64, f64)> {
        let Some(Limits { range: LimitRange::Interval([low, high]), .. }) = self.elements[link].limits else {
            return None;
        };
        let q = self.gathered.coordinates[self.tree.links()[link].coordinate];
        let near = NEAR_STOP * self.least_rebound * self.joint_scale(link);
        if q - low <= near {
            Some(((q - low).max(0.0), 1.0))
        } else {
            (high - q <= near).then_some(((high - q).max(0.0), -1.0))
        }
    }

    /// The rates as gathered, to be changed to those found.
    pub(crate) fn rates_to_find(&mut self) -> &mut [f64] {
        &mut self.gathered.rates
    }

    /// Sets out from the time gathered with the rates found; friction does its work in kicks for a duration, s.
    pub(crate) fn hop(&mut self, duration: f64, blows: &mut Vec<StopBlow>) {
        let gathered = std::mem::take(&mut self.gathered);
        let time = gathered.time;
        self.course.kicked_until = time + duration;
        self.set_dampers(&gathered, duration);
        self.course.guess = self.course.guess.min(HOP_STEP * duration);
        self.launch(time, [&gathered.coordinates, &gathered.rates], blows);
        self.gathered = Gathered { time: f64::NEG_INFINITY, ..gathered };
    }

    /// Where the links would be after a flight with the rates found; nothing is changed. False where that would take many steps: rates that
    /// are not the answer yet may be wild.
    pub(crate) fn fly(&mut self, duration: f64, mut to: impl FnMut(usize, State)) -> bool {
        let mut gathered = std::mem::take(&mut self.gathered);
        gathered.course.copy_memory_of(&self.course);
        std::mem::swap(&mut self.course, &mut gathered.course);
        let mut blows = std::mem::take(&mut gathered.course_blows);
        let then = gathered.time + duration;
        self.course.kicked_until = then;
        self.set_dampers(&gathered, duration);
        self.course.guess = self.course.guess.min(HOP_STEP * duration);
        self.room.is_trial = true;
        self.launch(gathered.time, [&gathered.coordinates, &gathered.rates], &mut blows);
        let mut steps = 1;
        while self.course.end < then && steps < FLIGHT_STEPS {
            self.go_on(&mut blows);
            steps += 1;
        }
        self.room.is_trial = false;
        let arrived = self.course.end >= then;
        if arrived {
            self.place_at(then);
            for link in 0..self.radii.len() {
                to(link, self.state_in(link, self.placed_pose(link)));
            }
        }
        blows.clear();
        gathered.course_blows = blows;
        std::mem::swap(&mut self.course, &mut gathered.course);
        self.gathered = gathered;
        arrived
    }

    /// Stays as it is at a time until it is launched again: lasting contact holds it.
    pub(crate) fn freeze(&mut self, t: f64) {
        let mut coordinates = std::mem::take(&mut self.room.coordinates);
        self.coordinates_at(t, &mut coordinates);
        let Course { start, rates, coordinate_curves, rate_curves, length, end, .. } = &mut self.course;
        *start = t;
        rates.fill(0.0);
        for (curve, &c) in coordinate_curves.iter_mut().zip(&coordinates) {
            *curve = [0.0; COEFFICIENTS];
            curve[0] = c;
        }
        rate_curves.fill([0.0; COEFFICIENTS]);
        (*length, *end) = (f64::INFINITY, f64::INFINITY);
        self.course.ending = Ending::Step;
        self.course.coordinates.copy_from_slice(&coordinates);
        self.course.frozen = true;
        self.room.coordinates = coordinates;
        let mut room: Room = std::mem::take(&mut self.room);
        self.place_start(&mut room);
        self.room = room;
    }

    /// Whether lasting contact holds it.
    pub(crate) fn is_frozen(&self) -> bool {
        self.course.frozen
    }

    /// Goes on from rest.
    pub(crate) fn thaw(&mut self, t: f64, blows: &mut Vec<StopBlow>) {
        let coordinates = self.course.coordinates.clone();
        let rates = vec![0.0; self.tree.freedoms()];
        self.launch(t, [&coordinates, &rates], blows);
    }
}

/// The mean of a rate that turns round in a flight, if it is small beside what it is at its beginning.
fn hopping_mean(begins: f64, ends: f64) -> Option<f64> {
    let mean = 0.5 * (begins + ends);
    (mean.abs() <= SMALL_MEAN * begins.abs()).then_some(mean)
}

/// Mean of a rate over the flight of a hop at most, relative to what it begins with: otherwise it is no hop.
const SMALL_MEAN: f64 = 0.5;

/// Length of a step in lasting contact at most, in flights: there is another hop after each.
const HOP_STEP: f64 = 1.5;

impl Course {
    /// What a launch depends on besides coordinates and rates.
    fn copy_memory_of(&mut self, other: &Self) {
        self.holds.clone_from(&other.holds);
        self.blown.clone_from(&other.blown);
        self.guess = other.guess;
    }

    /// Whether friction on what moves is still the work of the last kick at the beginning of the step.
    pub(crate) fn is_kicked(&self) -> bool {
        self.kicked_until - self.start > 8.0 * f64::EPSILON * self.kicked_until.abs()
    }
}

impl PlacedLink {
    /// Motion by a freedom of its joint.
    pub(crate) fn column(&self, k: usize) -> [DVec3; 2] {
        [self.columns[k].linear, self.columns[k].angular]
    }
}
