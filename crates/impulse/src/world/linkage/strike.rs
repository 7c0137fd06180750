//! Impacts on linkages (section 5.3): velocities from the joint rates, collision matrices and impulses of the whole.

use super::super::data::World;
use super::super::group::MemberPoint;
use super::super::index::{ColliderIndex, LinkageIndex, PairIndex};
use super::super::pairs::change::PointImpulse;
use super::super::pairs::measure::Measured;
use crate::body::State;
use crate::multibody::LinkPoint;
use glam::{DMat3, DVec3};

impl World {
    /// Whether one of a pair is a link of a linkage.
    pub(crate) fn has_link(&self, pair: PairIndex) -> bool {
        !self.linkages.is_empty() && self.pairs[pair].colliders.iter().any(|&c| self.group_of(c).link.is_some())
    }

    /// A measured pair with the velocities that joint rates give its links; the linkages are placed as they are now.
    pub(crate) fn by_joint_rates(&mut self, pair: PairIndex, measured: Measured) -> Measured {
        let colliders = self.pairs[pair].colliders;
        let mut exact = measured;
        for (side, collider) in colliders.into_iter().enumerate() {
            let Some(place) = self.group_of(collider).link else { continue };
            let now = self.now;
            let linkage = &mut self.linked_mut(place.linkage).linkage;
            linkage.place_at(now);
            exact.states[side] = linkage.state_in(place.link as usize, measured.states[side].world_from_body);
        }
        if exact.approaching() { exact } else { measured }
    }

    /// The state of a link at a time up to which its linkage has not been integrated yet, if nothing strikes that; `None` for what
    /// is known.
    pub(crate) fn state_ahead(&self, collider: ColliderIndex, time: f64) -> Option<State> {
        let place = self.group_of(collider).link?;
        let linkage = &self.linked(place.linkage).linkage;
        if !time.is_finite() || time <= linkage.end() {
            return None;
        }
        let (mut ahead, mut blows) = (linkage.clone(), Vec::new());
        while ahead.end() < time {
            ahead.go_on(&mut blows);
        }
        ahead.place_at(time);
        let link = place.link as usize;
        Some(ahead.state_in(link, ahead.placed_pose(link)))
    }

    /// The velocity change at a point of one collider by a unit impulse at a point of another, 1/kg, where they move as one;
    /// linkages must have been placed.
    pub(crate) fn response_block(&mut self, colliders: [ColliderIndex; 2], points: [MemberPoint<'_>; 2]) -> DMat3 {
        let [at, from] = colliders.map(|c| self.group_of(c).link);
        match (at, from) {
            (Some(a), Some(b)) if a.linkage == b.linkage => {
                let link_point = |link: u32, point: DVec3| LinkPoint { link: link as usize, point };
                let both = [link_point(a.link, points[0].point), link_point(b.link, points[1].point)];
                self.linked_mut(a.linkage).linkage.response(both)
            }
            _ if self.colliders[colliders[0]].group == self.colliders[colliders[1]].group => {
                self.group_of(colliders[0]).collision_matrix(points)
            }
            _ => DMat3::ZERO,
        }
    }

    /// Applies those of some impulses that act on links, all those on one linkage together.
    pub(crate) fn apply_to_linkages(&mut self, impulses: &[PointImpulse<'_>]) {
        let linkage_of = |world: &Self, p: &PointImpulse<'_>| world.groups[p.group].link.map(|place| place.linkage);
        let mut done: Vec<LinkageIndex> = Vec::new();
        for first in impulses {
            let Some(index) = linkage_of(self, first).filter(|index| !done.contains(index)) else { continue };
            done.push(index);
            let now = self.now;
            let linkage = &mut self.linked_mut(index).linkage;
            linkage.place_at(now);
            linkage.begin_impulses();
            for p in impulses {
                let Some(place) = self.groups[p.group].link.filter(|place| place.linkage == index) else { continue };
                let at = LinkPoint { link: place.link as usize, point: p.point };
                self.linked_mut(index).linkage.add_impulse(at, p.impulse);
            }
            self.linked_mut(index).linkage.take_impulses();
            self.relaunch_linkage(index);
        }
    }
}
