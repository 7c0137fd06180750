//! Lasting contacts as they are now: where, how hard, and whether they rest, roll or slide (section 1.3).

use super::super::data::World;
use super::super::group::Group;
use super::super::hop::laws::STICKING_SLIP;
use super::super::index::{BodyId, ColliderIndex, GroupIndex, PairIndex};
use super::super::pair::{WarmPoint, WarmStart};
use glam::DVec3;

/// A point at which two bodies are in lasting contact, world frame.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// builder.add_material(Material { friction: 0.5, restitution: 0.2, law: Law::Stronge })?;
/// let floor = builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
/// let block = builder.add_body(BodySpec::free("block", Cuboid::new(DVec3::ONE)?).at(DVec3::Z * 0.51).mass(1.0))?;
/// let mut world = builder.build()?;
/// world.run_to(1.0)?;
///
/// let contacts = world.lasting_contacts(block);
/// assert!(contacts.iter().all(|c| c.bodies == [floor, block] && c.mode == ContactMode::Rest));
/// // Forces act on the first body: the floor is pressed down with the block's weight.
/// let force: DVec3 = contacts.iter().map(|c| c.force).sum();
/// assert!((force.z - -9.81).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LastingContact {
    /// The bodies.
    pub bodies: [BodyId; 2],
    /// Metres.
    pub point: DVec3,
    /// Unit vector from the second body to the first.
    pub normal: DVec3,
    /// Force on the first body, N: in the mean over the last hop, where there are hops.
    pub force: DVec3,
    /// How the surfaces move on each other.
    pub mode: ContactMode,
    /// Since when the contact has lasted without hops or other events, s: of bodies at rest, and of those that slide or roll in closed
    /// form or as integrated ahead.
    pub steady_since: Option<f64>,
    /// Impulse on the first body since then, N s; zero where there are hops.
    pub steady_impulse: DVec3,
}

/// How surfaces in lasting contact move on each other, in the mean over a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMode {
    /// Not at all.
    Rest,
    /// Without slip, one body turning relative to the other.
    Roll,
    /// With slip.
    Slide,
}

/// Slip, relative to the bodies' own velocities, below which the accuracy of hops cannot tell it from none.
const SLIP_TOLERANCE: f64 = 1e-6;

/// Share of the largest friction from which on a point may slip.
const WITHIN_CONE: f64 = 0.999;

/// Flights after which a body that has not hopped again is no longer in lasting contact.
pub(crate) const LASTING_FLIGHTS: f64 = 3.0;

impl World {
    /// The points at which a body is in lasting contact with others; none for a body that was removed.
    pub fn lasting_contacts(&self, body: BodyId) -> Vec<LastingContact> {
        self.timed_contacts(body).into_iter().map(|(contact, _)| contact).collect()
    }

    /// All lasting contacts of a body, each with the time of the hop that its point belongs to, s.
    pub(crate) fn timed_contacts(&self, body: BodyId) -> Vec<(LastingContact, f64)> {
        if self.collider(body).is_none() {
            return Vec::new();
        }
        let mut found: Vec<PairIndex> = self.pairs.of(body.collider()).map(|(pair, _)| pair).collect();
        found.sort_unstable_by_key(|&pair| self.pairs[pair].colliders);
        let time = |pair: PairIndex| self.pairs[pair].warm_start.as_ref().map_or(self.now, |last| last.time);
        found.iter().flat_map(|&pair| self.contacts_of(pair).into_iter().map(move |c| (c, time(pair)))).collect()
    }

    /// Time that bodies were in lasting contact up to now, of all of them together, s.
    pub fn lasting_time(&self) -> f64 {
        let ahead = self.groups.iter().map(|group| group.counted_ahead(self.now)).sum::<f64>();
        self.records.lasting_counted - ahead
    }

    /// Whether a group has hopped just now, rests or is carried.
    pub(crate) fn is_lasting(&self, group: GroupIndex) -> bool {
        let group = &self.groups[group];
        self.now <= group.lasting_until || group.is_held()
    }

    /// A group hops: it is in lasting contact for a duration to come, s, which is counted in advance.
    pub(crate) fn note_lasting(&mut self, group: GroupIndex, duration: f64) {
        let group = &mut self.groups[group];
        self.records.lasting_counted += duration - group.counted_ahead(self.now);
        group.lasting_until = self.now + duration;
    }

    /// A group is woken, or no longer carried: it was in lasting contact up to now.
    pub(crate) fn end_rest(&mut self, group: GroupIndex) {
        self.records.lasting_counted -= self.groups[group].counted_ahead(self.now).min(0.0);
    }

    /// A group is removed.
    pub(crate) fn end_lasting(&mut self, group: GroupIndex) {
        let group = &mut self.groups[group];
        self.records.lasting_counted -= group.counted_ahead(self.now);
        group.lasting_until = f64::NEG_INFINITY;
    }

    fn contacts_of(&self, number: PairIndex) -> Vec<LastingContact> {
        let pair = &self.pairs[number];
        let Some(last) = &pair.warm_start else { return Vec::new() };
        let standing = pair.colliders.iter().all(|&c| self.member(c).stands());
        let carried = self.carried_of(pair);
        let way = carried.map_or(DVec3::ZERO, |body| self.way_carried(body));
        if !standing && carried.is_none() && self.now > last.time + LASTING_FLIGHTS * last.duration {
            return Vec::new();
        }
        let states = pair.colliders.map(|c| self.member(c).state_at(self.now));
        let [first, second] = states.map(|s| s.angular_velocity());
        // In the middle of a flight bodies may be slower than the hop.
        let hop = if last.duration > 0.0 { self.hop_velocity(self.hop_height(number), last.duration) } else { 0.0 };
        let speed = states[0].velocity.length().max(states[1].velocity.length()).max(hop);
        let turning = (first - second).length() * self.smaller_radius(pair.colliders);
        let mode = |slip: DVec3| match slip.length() {
            _ if standing => ContactMode::Rest,
            slip if slip > SLIP_TOLERANCE * (speed + turning) => ContactMode::Slide,
            _ if turning > SLIP_TOLERANCE * speed => ContactMode::Roll,
            _ => ContactMode::Rest,
        };
        let is_held = |point: &WarmPoint| {
            carried.is_none()
                && point.slip.length() <= STICKING_SLIP * hop
                && point.is_within_cone(pair.material.friction)
        };
        let velocity_at = |point: DVec3| states[0].point_velocity(point) - states[1].point_velocity(point);
        let is_steady = standing || carried.is_some();
        let steady_since = is_steady.then_some(last.time + last.ahead * last.duration);
        let pushed = carried.and_then(|body| self.push_so_far(number, last, body));
        let bodies = self.ids(pair.colliders);
        let pushing = last.points.iter().filter(|point| point.impulse != DVec3::ZERO);
        pushing
            .enumerate()
            .map(|(k, point)| {
                let guided = carried.and_then(|body| self.guided_contact(number, body, k.min(1)));
                let (at, force) = guided.unwrap_or((point.at + way, point.impulse / last.duration));
                let slip = if is_held(point) { DVec3::ZERO } else { carried.map_or(point.slip, |_| velocity_at(at)) };
                let (normal, mode) = (point.normal, mode(slip));
                let steady_impulse = pushed.unwrap_or(force * steady_since.map_or(0.0, |since| self.now - since));
                LastingContact { bodies, point: at, normal, force, mode, steady_since, steady_impulse }
            })
            .collect()
    }

    /// What has pushed each point so far of a body that is carried, N s: at one point it may change, at several that are not guided it is steady.
    fn push_so_far(&self, number: PairIndex, last: &WarmStart, carried: ColliderIndex) -> Option<DVec3> {
        let may_change = last.points.len() == 1 || self.guided_contact(number, carried, 0).is_some();
        let push = if may_change { self.pushed_by_carrier(&self.pairs[number], carried) } else { None };
        push.map(|push| push / last.points.len() as f64)
    }

    fn smaller_radius(&self, colliders: [ColliderIndex; 2]) -> f64 {
        colliders.iter().map(|&c| self.colliders[c].radius).fold(f64::INFINITY, f64::min)
    }
}

impl WarmPoint {
    /// Whether friction was less than Coulomb's law allows: then what the joint solve left over is no slip.
    fn is_within_cone(&self, friction: f64) -> bool {
        let along = self.impulse.dot(self.normal);
        (self.impulse - along * self.normal).length() < WITHIN_CONE * friction * along.abs()
    }
}

impl Group {
    /// Time of lasting contact that is counted already and yet to pass, s; below zero where that of a group that is held has passed and
    /// is yet to be counted.
    fn counted_ahead(&self, now: f64) -> f64 {
        let ahead = self.lasting_until - now;
        if self.is_held() { ahead } else { ahead.max(0.0) }
    }
}
