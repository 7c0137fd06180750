//! Every change of a linkage's motion: rest is accounted for, the linkage goes on, and all its links get new pieces (section 5.1).

use super::super::data::World;
use super::super::index::{ColliderIndex, LinkageIndex};
use super::super::records::event::Event;
use super::linked::{Linked, StopRecord};
use crate::multibody::{JointKind, StopBlow};

impl World {
    /// A link's box has expired: where its linkage's step has ended too, that goes on. What happened then, if it was that.
    pub(crate) fn expired_link(&mut self, collider: ColliderIndex) -> Option<Event> {
        let place = self.group_of(collider).link?;
        if self.linked(place.linkage).linkage.end() > self.now {
            return None;
        }
        self.change_linkage(place.linkage, |linked, _| linked.linkage.go_on(&mut linked.blows));
        let stop = self.record_stops(place.linkage);
        self.renew_changed();
        Some(stop.map_or(Event::Boxed(self.colliders[collider].id), Event::Stop))
    }

    /// Changes a linkage at this instant; boxes and checks of its links are renewed by [`World::renew_changed`].
    pub(crate) fn change_linkage(&mut self, index: LinkageIndex, change: impl FnOnce(&mut Linked, f64)) {
        let mut linked = self.linkages[index.0 as usize].take().expect("the linkage is there");
        // What dampers took is not there to be given by contact once more.
        self.records.energy.give(-linked.linkage.drained(self.now));
        change(&mut linked, self.now);
        for (link, &collider) in linked.colliders.iter().enumerate() {
            let pose = self.member(collider).pose_at(self.now);
            let piece = linked.linkage.piece(link);
            let (end, now) = (linked.linkage.end(), self.now);
            self.change_motion(self.colliders[collider].group, &pose, |motion| {
                if let Some(path) = motion.link_mut() {
                    path.go_on(piece, end, now);
                    path.set_frozen(linked.linkage.is_frozen());
                }
            });
        }
        self.linkages[index.0 as usize] = Some(linked);
    }

    /// Goes on from the rates that impulses on a linkage have left in its room.
    pub(crate) fn relaunch_linkage(&mut self, index: LinkageIndex) {
        self.records.counters.launches += 1;
        self.change_linkage(index, |linked, now| {
            let room = linked.linkage.take_room_state();
            linked.linkage.launch(now, [&room.0, &room.1], &mut linked.blows);
            linked.linkage.give_room_state(room);
        });
        self.record_stops(index);
    }

    /// Records the blows on stops that are new; gives the hardest.
    pub(crate) fn record_stops(&mut self, index: LinkageIndex) -> Option<StopRecord> {
        let mut blows = std::mem::take(&mut self.linked_mut(index).blows);
        let mut hardest: Option<StopRecord> = None;
        for blow in &blows {
            let record = self.stop_record(index, blow);
            self.records.counters.stops += 1;
            self.records.energy.give(-record.energy_lost);
            self.records.hash.add_stop(&record);
            if self.settings.record_impacts {
                self.records.stops.push(record);
            }
            if hardest.is_none_or(|other| other.impulse.abs() < record.impulse.abs()) {
                hardest = Some(record);
            }
        }
        blows.clear();
        self.linked_mut(index).blows = blows;
        hardest
    }

    fn stop_record(&self, index: LinkageIndex, blow: &StopBlow) -> StopRecord {
        let (joint, named) = self.joint_of(index, blow.link);
        let linked = self.linked(index);
        let (point, axis) = linked.linkage.joint_place(blow.link);
        let socket = linked.linkage.tree().links()[blow.link].joint.kind == JointKind::Socket;
        let [point, axis] = [point, if named.reversed && !socket { -axis } else { axis }];
        StopRecord {
            time: self.now,
            joint,
            bodies: named.bodies,
            point,
            axis,
            before: blow.rates[0],
            after: blow.rates[1],
            impulse: blow.impulse,
            energy_lost: blow.energy_lost,
        }
    }

    pub(crate) fn linked(&self, index: LinkageIndex) -> &Linked {
        self.linkages[index.0 as usize].as_deref().expect("the linkage is there")
    }

    pub(crate) fn linked_mut(&mut self, index: LinkageIndex) -> &mut Linked {
        self.linkages[index.0 as usize].as_deref_mut().expect("the linkage is there")
    }
}
