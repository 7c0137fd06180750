//! Linkages and joints in a snapshot.

use super::super::data::World;
use super::super::error::SnapshotError;
use super::super::index::{ColliderIndex, LinkageIndex};
use super::super::linkage::linked::{Linked, NamedJoint, StopRecord};
use super::super::pairs::barred::Barred;
use crate::body::Motion;
use crate::math::Pose;
use crate::multibody::SavedLinkage;
use serde::{Deserialize, Serialize};

/// All that a snapshot says of linkages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedLinkages {
    linkages: Vec<Option<SavedLinked>>,
    joints: Vec<NamedJoint>,
    barred: Barred,
    stops: Vec<StopRecord>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedLinked {
    linkage: SavedLinkage,
    colliders: Vec<ColliderIndex>,
    base: Option<ColliderIndex>,
    /// None for never.
    kicked: Option<f64>,
    kicks: Vec<f64>,
}

impl World {
    pub(super) fn save_linkages(&self) -> SavedLinkages {
        let saved = |linked: &Linked| SavedLinked {
            linkage: linked.linkage.saved(),
            colliders: linked.colliders.clone(),
            base: linked.base,
            kicked: linked.kicked.is_finite().then_some(linked.kicked),
            kicks: linked.kicks.clone(),
        };
        SavedLinkages {
            linkages: self.linkages.iter().map(|linked| linked.as_deref().map(saved)).collect(),
            joints: self.joints.clone(),
            barred: self.barred.clone(),
            stops: self.records.stops.clone(),
        }
    }

    /// Restores pairs that never collide: before the broad phase.
    pub(super) fn restore_barred(&mut self, saved: &SavedLinkages) -> Result<(), SnapshotError> {
        if !saved.barred.is_plausible(self.colliders.capacity()) {
            return Err(SnapshotError::Damaged("a pair that never collides is none"));
        }
        self.barred = saved.barred.clone();
        Ok(())
    }

    /// Restores linkages: after all bodies.
    pub(super) fn restore_linkages(&mut self, saved: SavedLinkages) -> Result<(), SnapshotError> {
        let damaged = SnapshotError::Damaged("a linkage does not fit its bodies");
        for (index, linked) in (0..).zip(saved.linkages) {
            let restored =
                linked.map(|linked| self.restored_linkage(LinkageIndex(index), linked).ok_or(damaged.clone()));
            self.linkages.push(restored.transpose()?.map(Box::new));
        }
        let has_linkage = |joint: &NamedJoint| {
            let linked = self.linkages.get(joint.linkage.0 as usize);
            linked.is_some_and(|linked| linked.as_ref().is_none_or(|l| (joint.link as usize) < l.colliders.len()))
        };
        let is_in_one = |place: &super::super::linkage::linked::LinkPlace| {
            let linked = self.linkages.get(place.linkage.0 as usize);
            linked.and_then(Option::as_ref).is_some_and(|l| (place.link as usize) < l.colliders.len())
        };
        let links_are_placed = self.groups.iter().all(|group| {
            group.link.as_ref().is_none_or(is_in_one) && group.link.is_some() == group.motion().link().is_some()
        });
        if !saved.joints.iter().all(has_linkage) || !links_are_placed {
            return Err(damaged);
        }
        self.joints = saved.joints;
        self.records.stops = saved.stops;
        Ok(())
    }

    fn restored_linkage(&self, index: LinkageIndex, saved: SavedLinked) -> Option<Linked> {
        let SavedLinked { linkage, colliders, base, kicked, kicks } = saved;
        let is_link = |(link, &collider): (usize, &ColliderIndex)| {
            let place = self.colliders.get(collider).and_then(|c| self.groups[c.group].link);
            place.is_some_and(|place| place.linkage == index && place.link as usize == link)
        };
        if linkage.len() != colliders.len()
            || kicks.len() != colliders.len()
            || !kicks.iter().all(|x| x.is_finite())
            || !colliders.iter().enumerate().all(is_link)
        {
            return None;
        }
        let motion = match base {
            Some(base) => {
                self.colliders.get(base)?;
                let member = self.member(base);
                (!member.is_free()).then(|| member.motion().clone())?
            }
            None => Motion::fixed(Pose::IDENTITY),
        };
        let linkage = linkage.restored(motion, self.settings.gravity, self.settings.least_hop_height())?;
        let kicked = kicked.unwrap_or(f64::NEG_INFINITY);
        Some(Linked { linkage, colliders, base, blows: Vec::new(), kicked, kicks })
    }
}
