//! Linkages in islands (section 3.5 for chapter 5): a linkage hops as a whole, with all contacts of all its links. Velocities go in and
//! come out as joint rates; what holds its joints has its part in the kick.

use super::super::data::World;
use super::super::index::{ColliderIndex, LinkageIndex};
use super::super::linkage::linked::{LinkPlace, Linked};
use super::island::{Island, TiePlace};
use crate::body::{Acceleration, State};
use crate::contact::{Bound, MoverIndex, Tie, Velocity};
use crate::multibody::{JointKind, Twist};
use glam::DVec3;

impl World {
    /// Whether a body takes part in hops: contact can move it, and it is not frozen.
    pub(crate) fn can_hop(&self, body: ColliderIndex) -> bool {
        let member = self.member(body);
        member.is_free() && !member.is_frozen() && !self.is_anchored(body)
    }

    /// Whether welds alone join a body to what cannot be moved.
    pub(crate) fn is_anchored(&self, body: ColliderIndex) -> bool {
        let Some(LinkPlace { linkage, link, .. }) = self.group_of(body).link else { return false };
        self.linked(linkage).linkage.is_anchored(link as usize)
    }

    /// Whether joints hold a body on what cannot be moved.
    pub(crate) fn is_held_by_joints(&self, body: ColliderIndex) -> bool {
        self.group_of(body).link.is_some_and(|place| !self.linked(place.linkage).linkage.tree().floats())
    }

    /// Adds a body that can hop to an island, with its linkage if it is a link.
    pub(crate) fn enter_island(&mut self, island: &mut Island, body: ColliderIndex, state: State) {
        match self.group_of(body).link {
            Some(place) => self.enter_linkage(island, place.linkage),
            None => island.enter(body, state),
        }
    }

    fn enter_linkage(&mut self, island: &mut Island, index: LinkageIndex) {
        if island.linkages.contains(&index) {
            return;
        }
        island.linkages.push(index);
        let now = self.now;
        self.linked_mut(index).linkage.gather(now);
        let linked = self.linked(index);
        for (link, &collider) in linked.colliders.iter().enumerate() {
            if !linked.linkage.is_anchored(link) {
                let pose = self.member(collider).pose_at(now);
                island.enter(collider, linked.linkage.gathered_state(link, pose));
            }
        }
    }

    /// Accelerations of a body in a state, without contact.
    pub(crate) fn free_acceleration(&self, body: ColliderIndex, state: &State) -> Acceleration {
        let of_link =
            |place: LinkPlace| self.linked(place.linkage).linkage.gathered_acceleration(place.link as usize, self.now);
        let gathered = self.group_of(body).link.and_then(of_link);
        gathered.unwrap_or_else(|| self.member(body).acceleration_in(state, self.now))
    }

    /// The joints of an island that is to hop for a duration (s), with what acts in them within bounds.
    pub(crate) fn set_ties(&self, island: &mut Island, duration: f64) {
        island.ties.list.clear();
        island.tie_places.clear();
        for k in 0..island.linkages.len() {
            let linked = self.linked(island.linkages[k]);
            let links = linked.linkage.tree().links();
            let since = self.now - linked.kicked;
            // A kick stands for half of the flights before and after it.
            let stands_for = if since < 2.0 * duration { 0.5 * (since + duration) } else { duration };
            for (link, joined) in links.iter().enumerate() {
                let moves = island.place(linked.colliders[link]);
                let (Some(child), true) = (moves, joined.joint.kind != JointKind::Floating) else { continue };
                let mut tie = self.tie(island, k, link, MoverIndex(child));
                let bound = linked.linkage.joint_bound(link, duration);
                if let Some(about) = bound.and_then(|bound| bound.about) {
                    tie.turn_columns(about);
                }
                tie.bound = bound.map(|bound| {
                    let range = bound.range.map(|force| force * stands_for);
                    let impulse = linked.kicks[link].max(range[0]).min(range[1]);
                    Bound { impulse, ..Bound::new(range, bound.target) }
                });
                island.ties.list.push(tie);
                island.tie_places.push(TiePlace { linkage: k, link });
            }
        }
    }

    fn tie(&self, island: &Island, k: usize, link: usize, child: MoverIndex) -> Tie {
        let linked = self.linked(island.linkages[k]);
        let joint = &linked.linkage.tree().links()[link];
        let placed = linked.linkage.gathered_link(link);
        let parent = joint.parent.and_then(|p| island.place(linked.colliders[p]));
        let carrier = match joint.parent {
            Some(p) => linked.linkage.gathered_link(p).velocity,
            None => linked.linkage.base_velocity(self.now),
        };
        let Twist { angular, linear } = carrier.shifted(placed.arm);
        let column = |k: usize| {
            let [linear, angular] = placed.column(k);
            Velocity { linear, angular }
        };
        Tie {
            child,
            parent: parent.map(MoverIndex),
            arm: placed.arm,
            carried: Velocity { linear, angular },
            columns: [0, 1, 2].map(column),
            freedoms: joint.joint.kind.freedoms(),
            armature: joint.armature,
            bound: None,
        }
    }

    /// Hands the velocities found to the linkages of an island, as joint rates.
    pub(crate) fn hand_over_rates(&mut self, island: &Island) {
        for k in 0..island.linkages.len() {
            let linked = self.linked_mut(island.linkages[k]);
            if linked.linkage.tree().floats()
                && let Some(first) = island.place(linked.colliders[0])
            {
                let mover = &island.movers[first as usize];
                let rates = linked.linkage.rates_to_find();
                rates[..3].copy_from_slice(&mover.angular_velocity.to_array());
                rates[3..6].copy_from_slice(&mover.velocity.to_array());
            }
        }
        for (tie, place) in island.ties.list.iter().zip(&island.tie_places) {
            let mut found = tie.rates(&island.movers);
            // What is held does not move, whatever rounding says.
            if tie.bound.is_some_and(|bound| bound.holds() && bound.target == 0.0) {
                found[0] = 0.0;
            }
            let linked = self.linked_mut(island.linkages[place.linkage]);
            if linked.linkage.tree().links()[place.link].joint.kind == JointKind::Socket {
                // A socket's rates are in world axes, whatever its columns are about.
                let turning: DVec3 = tie.columns.iter().zip(found).map(|(column, rate)| column.angular * rate).sum();
                found = turning.to_array();
            }
            linked.kicks[place.link] = tie.bound.map_or(0.0, |bound| bound.impulse);
            let freedoms = linked.linkage.tree().links()[place.link].freedoms();
            linked.linkage.rates_to_find()[freedoms].iter_mut().zip(found).for_each(|(rate, found)| *rate = found);
        }
    }

    /// Launches the linkages of an island with the velocities found.
    pub(crate) fn launch_linkages(&mut self, island: &Island, duration: f64) {
        if island.linkages.is_empty() {
            return;
        }
        self.hand_over_rates(island);
        for &index in &island.linkages {
            let longest = self.longest_step(index);
            self.change_linkage(index, |linked, now| {
                linked.kicked = now;
                linked.linkage.shorten_step(longest);
                linked.linkage.hop(duration, &mut linked.blows);
            });
            self.record_stops(index);
        }
    }

    /// Flies the linkages of an island ahead with the velocities found: where its links are at the end of the flight. False where that
    /// cannot be told.
    pub(crate) fn fly_linkages(&mut self, island: &mut Island, duration: f64) -> bool {
        if island.linkages.is_empty() {
            return true;
        }
        let mut arrived = true;
        self.hand_over_rates(island);
        let still = State::resting(crate::math::Pose::IDENTITY);
        let mut ahead = std::mem::take(&mut island.ahead);
        ahead.clear();
        ahead.resize(island.bodies.len(), still);
        for &index in &island.linkages {
            let Linked { linkage, colliders, .. } = self.linked_mut(index);
            arrived &= linkage.fly(duration, |link, state| {
                if let Some(place) = island.place(colliders[link]) {
                    ahead[place as usize] = state;
                }
            });
        }
        island.ahead = ahead;
        arrived
    }

    /// Links carry each other; those on a base that moves are never still.
    pub(crate) fn join_links(&self, island: &mut Island) {
        for tie in &island.ties.list {
            if let Some(parent) = tie.parent {
                island.loads.join(tie.child.get(), parent.get());
            }
        }
    }

    /// Linkages whose base moves are not at rest, nor are those that a controller wakes at its next tick.
    pub(crate) fn note_moving_bases(&self, island: &mut Island) {
        for &index in &island.linkages {
            let linked = self.linked(index);
            let moves = linked.base.is_some_and(|base| !self.member(base).is_fixed()) || self.is_controlled(index);
            let place = linked.colliders.iter().find_map(|&c| island.place(c));
            if let (true, Some(place)) = (moves, place) {
                island.loads.note(place as usize, 0);
            }
        }
    }

    /// Whether a controller acts on a linkage.
    fn is_controlled(&self, index: LinkageIndex) -> bool {
        let mut acting = self.controllers.iter().flatten().map(|controller| &controller.state).filter(|c| c.enabled);
        acting.any(|state| state.controlled.joints().iter().any(|joint| self.joints[joint.0 as usize].linkage == index))
    }

    /// Holds a linkage where it is.
    pub(crate) fn freeze_linkage(&mut self, index: LinkageIndex) {
        if !self.linked(index).linkage.is_frozen() {
            self.change_linkage(index, |linked, now| linked.linkage.freeze(now));
        }
    }

    /// Lets a frozen linkage move again; gives its bodies.
    pub(crate) fn thaw_linkage(&mut self, index: LinkageIndex, woken: &mut Vec<ColliderIndex>) {
        for link in 0..self.linked(index).colliders.len() {
            let body = self.linked(index).colliders[link];
            let group = self.colliders[body].group;
            self.end_rest(group);
            self.groups[group].stillness.note_waking();
            woken.push(body);
        }
        self.change_linkage(index, |linked, now| linked.linkage.thaw(now, &mut linked.blows));
        self.record_stops(index);
    }
}

impl Island {
    /// Applies an impulse at a point, contact axes, N s.
    pub(crate) fn apply_at(&mut self, i: usize, impulse: DVec3) {
        let point = self.points[i];
        if self.ties.is_empty() {
            point.apply(&mut self.movers, impulse);
        } else {
            self.ties.apply_at(&mut self.movers, &point, impulse);
        }
    }
}
