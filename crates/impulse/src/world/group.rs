//! What moves as one (section 2.5): one motion and its members. A group is a single body; links of a linkage know their places in it.

use super::index::{ColliderIndex, MemberIndex};
use super::linkage::linked::LinkPlace;
use crate::body::{Member, Motion, State};
use crate::contact::{Mode, Stop};
use crate::math::Pose;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// One motion, the colliders it moves, and how long they have been in contact and at rest.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    motion: Motion,
    members: [ColliderIndex; 1],
    /// Until when its last hop keeps it in lasting contact, s.
    pub(crate) lasting_until: f64,
    /// Where its hops begin and end, and how many have.
    pub(crate) stillness: Stillness,
    /// Where it has stayed.
    pub(crate) rest: Rest,
    /// What carries it, where its motion is that of a carried body.
    pub(crate) carriage: Option<Carriage>,
    /// Until when it is not tried again to integrate its motion ahead, s.
    pub(crate) unguided_until: f64,
    /// Until when it counts as in lasting contact with other bodies that can be moved, s.
    pub(crate) company_until: f64,
    /// Until when it hops with many others, s.
    pub(crate) crowd_until: f64,
    /// Energy that hops have given it and not taken back, J.
    pub(crate) lent: f64,
    /// Its place in a linkage, if it is a link.
    pub(crate) link: Option<LinkPlace>,
}

/// What carries a body.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Carriage {
    /// The body on which it slides or rolls.
    pub(crate) surface: ColliderIndex,
    /// How it does.
    pub(crate) carrying: Carrying,
}

/// How a surface carries a body.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Carrying {
    /// A ball, in closed form; what stops at the end of the motion, if that has one.
    Ball(Option<Stop>),
    /// Any body on one point, integrated ahead; a duration for the next piece (s), if it goes on like this.
    Point(Mode, Option<f64>),
    /// A body that lies on several points and does not turn, in closed form.
    Flat {
        /// Whether it comes to a stop at the end of the motion.
        stops: bool,
    },
}

/// A point of a member, and the member's state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemberPoint<'a> {
    pub(crate) member: MemberIndex,
    pub(crate) state: &'a State,
    /// World frame, m.
    pub(crate) point: DVec3,
}

/// How long a body in lasting contact has been where it is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Stillness {
    /// `world_from_body`.
    pub(crate) pose: Pose,
    /// When it was there last, s.
    pub(crate) time: f64,
    /// Hops that ended there.
    pub(crate) hops: u32,
    /// Hops since the last of them.
    pub(crate) away: u32,
    /// How often it was frozen there, and woken.
    pub(crate) wakings: u32,
    /// How often it was looked for elsewhere though it has not left the place for good.
    pub(crate) creeps: u32,
}

impl Stillness {
    /// A body that comes to a place (`world_from_body`) for the first time.
    pub(crate) fn at(pose: Pose, time: f64) -> Self {
        Self { pose, time, hops: 0, away: 0, wakings: 0, creeps: 0 }
    }
}

/// Where a body has stayed, and since when.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Rest {
    /// It has been near this pose ...
    pub(crate) anchor: Pose,
    /// ... since this time, s, ...
    pub(crate) since: f64,
    /// ... as observed last at this time, s, ...
    pub(crate) seen: f64,
    /// ... when it was turned by this angle from the anchor, rad.
    pub(crate) turned: f64,
}

impl Rest {
    pub(crate) fn new(anchor: Pose, now: f64) -> Self {
        Self { anchor, since: now, seen: now, turned: 0.0 }
    }
}

impl Group {
    pub(crate) fn single(motion: Motion, member: ColliderIndex, now: f64) -> Self {
        Self {
            rest: Rest::new(motion.pose_at(now), now),
            motion,
            members: [member],
            lasting_until: f64::NEG_INFINITY,
            carriage: None,
            unguided_until: f64::NEG_INFINITY,
            company_until: f64::NEG_INFINITY,
            crowd_until: f64::NEG_INFINITY,
            lent: 0.0,
            link: None,
            stillness: Stillness::at(Pose::IDENTITY, 0.0),
        }
    }

    pub(crate) fn members(&self) -> &[ColliderIndex] {
        &self.members
    }

    #[inline]
    pub(crate) fn member(&self, member: MemberIndex) -> Member<'_> {
        debug_assert_eq!(member, MemberIndex(0), "a group has one member");
        Member::new(&self.motion)
    }

    /// Whether lasting contact holds it at rest until something changes that.
    pub(crate) fn is_frozen(&self) -> bool {
        Member::new(&self.motion).is_frozen()
    }

    /// Whether lasting contact holds it without events of its own: at rest, sliding or rolling.
    pub(crate) fn is_held(&self) -> bool {
        self.is_frozen() || self.carriage.is_some()
    }

    pub(crate) fn motion(&self) -> &Motion {
        &self.motion
    }

    /// For those that change a motion: see `World::change_motion`.
    pub(crate) fn motion_mut(&mut self) -> &mut Motion {
        &mut self.motion
    }

    /// The velocity change at one point of a member by a unit impulse at a point of the same or another member, 1/kg: any block
    /// of the group's collision matrix (3.4).
    pub(crate) fn collision_matrix(&self, [at, from]: [MemberPoint<'_>; 2]) -> DMat3 {
        debug_assert_eq!([at.member, from.member], [MemberIndex(0); 2], "a group has one member");
        self.motion.collision_matrix(at.state, [at.point, from.point])
    }
}
