//! What a surface does to a body that it carries, recorded when that ends: one push that lasts (section 1.3).

use super::super::data::World;
use super::super::index::{ColliderIndex, GroupIndex, PairIndex};
use super::super::pair::Pair;
use super::event::ImpactRecord;
use super::lasting_contacts::LASTING_FLIGHTS;
use crate::body::Carried;
use glam::DVec3;

impl World {
    /// The body of a pair that the other one carries.
    pub(crate) fn carried_of(&self, pair: &Pair) -> Option<ColliderIndex> {
        let [first, second] = pair.colliders;
        let is_carried_by = |body: ColliderIndex, surface: ColliderIndex| {
            self.group_of(body).carriage.is_some_and(|carriage| carriage.surface == surface)
        };
        if is_carried_by(first, second) { Some(first) } else { is_carried_by(second, first).then_some(second) }
    }

    /// What the first body of a pair has got since the other one began to carry it, or it the other one, N s.
    pub(crate) fn pushed_by_carrier(&self, pair: &Pair, body: ColliderIndex) -> Option<DVec3> {
        let push = self.member(body).motion().carried()?.push_until(self.now);
        Some(if pair.colliders[0] == body { push } else { -push })
    }

    /// How far a carried body has come since that began, m.
    pub(crate) fn way_carried(&self, body: ColliderIndex) -> DVec3 {
        let way = |carried: &Carried| {
            let [start, _] = carried.times();
            let [from, to] = [start, self.now].map(|t| carried.state_at(t).world_from_body.translation);
            to - from
        };
        self.member(body).motion().carried().map_or(DVec3::ZERO, way)
    }

    /// The motion of a group is about to change. If it was carried, the push that did so is recorded.
    pub(crate) fn end_carriage(&mut self, group: GroupIndex) {
        let Some(carriage) = self.groups[group].carriage else { return };
        let body = self.groups[group].members()[0];
        let pair = self.pairs.between([body, carriage.surface]).expect("what carries a body is close to it");
        // Watches know the part that lies in their windows.
        self.note_rest();
        let record = self.lasting_push(pair, body);
        if record.duration > 0.0 {
            self.record(&record);
        }
        self.end_rest(group);
        self.groups[group].lasting_until = self.now;
        self.groups[group].carriage = None;
        let Some(last) = &mut self.pairs[pair].warm_start else { return };
        last.time = self.now;
        let duration = last.duration;
        self.note_lasting(group, LASTING_FLIGHTS * duration);
    }

    /// What a surface has done to the body of a pair since it began to carry it.
    fn lasting_push(&self, pair: PairIndex, body: ColliderIndex) -> ImpactRecord {
        let carried = self.member(body).motion().carried().expect("a body with a carriage is carried");
        let [start, _] = carried.times();
        let colliders = self.pairs[pair].colliders;
        let sign = if colliders[0] == body { 1.0 } else { -1.0 };
        let push = carried.push_until(self.now);
        let states = [start, self.now].map(|t| carried.state_at(t));
        let first = self.pairs[pair].warm_start.as_deref().and_then(|last| last.points.first());
        let (at, normal) = first.map_or((states[0].world_from_body.translation, DVec3::Z), |p| (p.at, p.normal));
        let arm = at - states[0].world_from_body.translation;
        let slip = states.map(|s| sign * (s.velocity + s.angular_velocity().cross(arm)));
        ImpactRecord {
            time: self.now,
            bodies: self.ids(colliders),
            point: arm + states[1].world_from_body.translation,
            normal,
            impulse: sign * push,
            before: slip[0],
            after: slip[1],
            energy_lost: -carried.work_until(self.now),
            modes: None,
            micro: true,
            duration: self.now - start,
        }
    }
}
