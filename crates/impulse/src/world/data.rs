//! What a world consists of.

use super::clock::Clock;
use super::collider::Collider;
use super::control::controller::Controller;
use super::group::Group;
use super::hop::island::Island;
use super::index::{BodyId, ColliderIndex, GroupIndex, PairIndex};
use super::lent::Lent;
use super::linkage::linked::{Linked, NamedJoint};
use super::material::Materials;
use super::pairs::barred::Barred;
use super::pairs::rounds::Rounds;
use super::pairs::table::PairTable;
use super::pairs::track::Track;
use super::progress::Progress;
use super::records::Records;
use super::scheduled::Scheduled;
use super::settings::Settings;
use super::slots::Slots;
use crate::body::Member;
use crate::detect::{Changes, EventQueue};
use crate::respond::StruckScratch;

/// Bodies, and everything that is going to happen to them.
///
/// Nothing is called back from inside: [`World::step`] does one event and says what it was, [`World::run_until`] comes back at
/// every tick of a clock, and in between bodies can be looked at, pushed, added and removed.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// let steel = builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
/// let floor = builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?).material(steel))?;
/// let ball = BodySpec::free("ball", Sphere::new(0.05)?).at(DVec3::new(0.0, 0.0, 0.25)).density(7800.0).material(steel);
/// let ball = builder.add_body(ball)?;
/// let mut world = builder.build()?;
///
/// world.add_clock(ClockSpec::sample(0.1))?;
/// let mut heights = Vec::new();
/// while let StopReason::Sample(_) = world.run_until(2.0, None)? {
///     heights.extend(world.body(ball).map(|ball| ball.pose().translation.z));
/// }
/// assert_eq!(heights.len(), 21);
/// assert!(world.body(ball).is_some_and(|ball| ball.settled()));
///
/// // Without the floor it falls, and a world restored from a snapshot does the same, to the bit.
/// world.remove_body(floor)?;
/// let mut copy = World::restore(world.snapshot())?;
/// world.run_to(3.0)?;
/// copy.run_to(3.0)?;
/// assert_eq!(world.pose_at(ball, 3.0), copy.pose_at(ball, 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) settings: Settings,
    pub(crate) materials: Materials,
    /// Time of the last event, or the time run to, s.
    pub(crate) now: f64,
    pub(crate) colliders: Slots<ColliderIndex, Collider>,
    pub(crate) groups: Slots<GroupIndex, Group>,
    /// Where the balls among the colliders fly.
    pub(crate) tracks: Vec<Track>,
    pub(crate) pairs: PairTable,
    /// Which never collide.
    pub(crate) barred: Barred,
    /// Linkages; none where one was removed.
    pub(crate) linkages: Vec<Option<Box<Linked>>>,
    pub(crate) joints: Vec<NamedJoint>,
    pub(crate) queue: EventQueue<Scheduled>,
    pub(crate) clocks: Vec<Option<Clock>>,
    /// Controllers; none where one was removed.
    pub(crate) controllers: Vec<Option<Controller>>,
    pub(crate) records: Records,
    pub(crate) progress: Progress,
    pub(crate) scratch: Scratch,
}

/// Memory that is used again from call to call. Nothing in it outlives an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// What the broad phase reports.
    pub(crate) changes: Changes,
    /// Pairs to be predicted, and when they may touch.
    pub(crate) predictions: Vec<(PairIndex, f64)>,
    /// Groups whose motion has changed and whose boxes and checks are yet to be renewed.
    pub(crate) changed_groups: Vec<GroupIndex>,
    /// Which colliders' pairs were renewed.
    pub(crate) renewed: Rounds,
    /// Colliders around one.
    pub(crate) around: Vec<ColliderIndex>,
    /// Neighbours of a collider that is woken.
    pub(crate) neighbours: Vec<(PairIndex, ColliderIndex)>,
    /// Colliders that are woken.
    pub(crate) woken: Vec<ColliderIndex>,
    /// Bodies in lasting contact.
    pub(crate) island: Lent<Island>,
    /// Impacts at several points.
    pub(crate) struck: StruckScratch,
}

impl World {
    /// A world without bodies at time 0.
    pub(crate) fn empty(settings: Settings, materials: Materials) -> Self {
        Self {
            settings,
            materials,
            now: 0.0,
            colliders: Slots::default(),
            groups: Slots::default(),
            tracks: Vec::new(),
            pairs: PairTable::new(settings.naive_broad_phase),
            barred: Barred::default(),
            linkages: Vec::new(),
            joints: Vec::new(),
            queue: EventQueue::default(),
            clocks: Vec::new(),
            controllers: Vec::new(),
            records: Records::default(),
            progress: Progress::default(),
            scratch: Scratch::default(),
        }
    }

    /// The motion of a collider.
    #[inline]
    pub(crate) fn member(&self, collider: ColliderIndex) -> Member<'_> {
        let collider = &self.colliders[collider];
        self.groups[collider.group].member(collider.member)
    }

    /// The group that moves a collider.
    pub(crate) fn group_of(&self, collider: ColliderIndex) -> &Group {
        &self.groups[self.colliders[collider].group]
    }

    pub(crate) fn ids(&self, colliders: [ColliderIndex; 2]) -> [BodyId; 2] {
        colliders.map(|c| self.colliders[c].id)
    }

    pub(crate) fn names(&self, colliders: [ColliderIndex; 2]) -> [String; 2] {
        colliders.map(|c| self.colliders[c].name.clone())
    }

    /// A body that is there.
    pub(crate) fn collider(&self, body: BodyId) -> Option<&Collider> {
        self.colliders.get(body.collider()).filter(|c| c.id == body)
    }
}
