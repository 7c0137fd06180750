//! A world at one moment as plain data, from which it goes on to the bit (sections 1.2, 2.4).
//!
//! What follows from other data is not stored but made again by the functions that made it: derived sizes, boxes of fixed bodies,
//! the hash table, the heap. What depends on the past is: trajectories from their launch, boxes, times of checks, what distance
//! queries remember, and the order of pairs.

use super::super::clock::{Clock, ClockSpec};
use super::super::collider::Collider;
use super::super::control::controller::ControllerState;
use super::super::data::World;
use super::super::group::{Carriage, Group, Rest, Stillness};
use super::super::index::{ColliderIndex, GroupIndex};
use super::super::linkage::linked::LinkPlace;
use super::super::material::{MaterialId, Surface};
use super::super::pair::{Pair, WarmStart};
use super::super::progress::Progress;
use super::super::records::busiest::Business;
use super::super::records::counters::Counters;
use super::super::records::energy::EnergyLedger;
use super::super::records::event::ImpactRecord;
use super::super::records::watch::Watch;
use super::super::settings::Settings;
use super::linkages::SavedLinkages;
use crate::body::SavedMotion;
use crate::detect::SavedBroadPhase;
use crate::geometry::closest::PairCache;
use crate::geometry::{Aabb, SavedShape, ShapeTable};
use crate::math::Pose;
use serde::{Deserialize, Serialize};

/// Changes whenever the fields do.
pub(crate) const VERSION: u32 = 15;

/// A world at one moment, to be written with any serde format that keeps `f64` to the bit (`serde_json` with its feature
/// `float_roundtrip`). Infinite times are written as none, so that formats without infinity do.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// let rubber = builder.add_material(Material { friction: 0.8, restitution: 0.9, law: Law::Stronge })?;
/// builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?).material(rubber))?;
/// let ball = BodySpec::free("ball", Sphere::new(0.02)?).at(DVec3::Z).density(1100.0).material(rubber);
/// let ball = builder.add_body(ball)?;
/// let mut world = builder.build()?;
/// world.run_to(1.0)?;
///
/// let snapshot = world.snapshot();
/// let mut branch = World::restore(snapshot)?;
/// branch.apply_impulse(ball, DVec3::Z, DVec3::X * 0.01)?;
/// world.run_to(2.0)?;
/// branch.run_to(2.0)?;
/// assert_ne!(world.pose_at(ball, 2.0), branch.pose_at(ball, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    pub(crate) version: u32,
    pub(crate) settings: Settings,
    pub(crate) materials: Vec<Surface>,
    pub(crate) contacts: Vec<(MaterialId, MaterialId, Surface)>,
    pub(crate) shapes: Vec<SavedShape>,
    /// By slot, with generations; none in slots that are vacant.
    pub(crate) colliders: Vec<(u32, Option<Box<SavedCollider>>)>,
    pub(crate) vacant_colliders: Vec<ColliderIndex>,
    pub(crate) groups: Vec<(u32, Option<Box<SavedGroup>>)>,
    pub(crate) vacant_groups: Vec<GroupIndex>,
    pub(crate) broad: SavedBroadPhase,
    /// By the pair's number; none for numbers that are free.
    pub(crate) pairs: Vec<Option<SavedPair>>,
    pub(crate) clocks: Vec<Option<SavedClock>>,
    pub(crate) watches: Vec<Option<Watch>>,
    pub(crate) now: f64,
    pub(crate) counters: Counters,
    pub(crate) min_separation: Option<f64>,
    pub(crate) lasting_counted: f64,
    pub(crate) hash: u64,
    pub(crate) progress: Progress,
    pub(crate) energy: EnergyLedger,
    pub(crate) business: Business,
    pub(crate) impacts: Vec<ImpactRecord>,
    pub(crate) linkages: SavedLinkages,
    pub(crate) controllers: Vec<Option<ControllerState>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedCollider {
    pub(crate) name: String,
    pub(crate) group: GroupIndex,
    /// Its number in the table.
    pub(crate) shape: u32,
    pub(crate) material: MaterialId,
    pub(crate) body_from_shape: Pose,
    /// None for fixed bodies: their boxes follow from their shapes.
    pub(crate) bounds: Option<Aabb>,
    pub(crate) expiry: Option<f64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedGroup {
    pub(crate) motion: SavedMotion,
    pub(crate) members: Vec<ColliderIndex>,
    pub(crate) rest: Rest,
    pub(crate) lasting_until: Option<f64>,
    pub(crate) stillness: Stillness,
    pub(crate) carriage: Option<Carriage>,
    pub(crate) unguided_until: Option<f64>,
    pub(crate) company_until: Option<f64>,
    pub(crate) crowd_until: Option<f64>,
    pub(crate) lent: f64,
    pub(crate) link: Option<LinkPlace>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedPair {
    /// When it is checked, s; none while it need not be.
    pub(crate) check: Option<f64>,
    pub(crate) cache: Option<PairCache>,
    /// Impulses of the last hop.
    pub(crate) warm_start: Option<WarmStart>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SavedClock {
    pub(crate) spec: ClockSpec,
    pub(crate) count: u64,
}

impl Snapshot {
    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.now
    }

    /// The settings of the world.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl World {
    /// The world as it is, see [`World::restore`].
    pub fn snapshot(&self) -> Snapshot {
        let mut table = ShapeTable::default();
        let slots = self.colliders.slots();
        let colliders = slots.map(|(generation, c)| (generation, c.map(|c| self.save_collider(c, &mut table))));
        let colliders = colliders.collect();
        let groups = self.groups.slots().map(|(generation, group)| (generation, group.map(save_group)));
        let (materials, contacts) = self.materials.list();
        let clock = |clock: &Clock| SavedClock { spec: clock.spec, count: clock.count };
        Snapshot {
            version: VERSION,
            settings: self.settings,
            materials,
            contacts,
            shapes: table.shapes,
            colliders,
            vacant_colliders: self.colliders.vacant().to_vec(),
            groups: groups.collect(),
            vacant_groups: self.groups.vacant().to_vec(),
            broad: self.pairs.broad.saved(),
            pairs: self.save_pairs(),
            clocks: self.clocks.iter().map(|c| c.as_ref().map(clock)).collect(),
            watches: self.records.watches.clone(),
            now: self.now,
            counters: self.records.counters,
            min_separation: finite(self.records.min_separation),
            lasting_counted: self.records.lasting_counted,
            hash: self.records.hash.value(),
            progress: self.progress.clone(),
            energy: self.records.energy,
            business: self.records.business,
            impacts: self.records.impacts.clone(),
            linkages: self.save_linkages(),
            controllers: self.save_controllers(),
        }
    }

    fn save_collider(&self, collider: &Collider, table: &mut ShapeTable) -> Box<SavedCollider> {
        // All fields by name: a new one must be saved, or follow from the others.
        let Collider {
            id,
            group,
            member: _,
            expiry_slot: _,
            expiry,
            material,
            radius: _,
            ball: _,
            wall: _,
            body_from_shape,
            extents: _,
            shape,
            name,
        } = collider;
        let is_fixed = self.member(id.collider()).is_fixed();
        Box::new(SavedCollider {
            name: name.clone(),
            group: *group,
            shape: table.add(shape),
            material: *material,
            body_from_shape: *body_from_shape,
            bounds: (!is_fixed).then(|| self.pairs.broad.bounds(id.slot)),
            expiry: finite(*expiry),
        })
    }

    fn save_pairs(&self) -> Vec<Option<SavedPair>> {
        (0..self.pairs.broad.pair_numbers())
            .map(|number| self.pairs.get(number).map(|pair| self.save_pair(pair)))
            .collect()
    }

    fn save_pair(&self, pair: &Pair) -> SavedPair {
        let Pair { colliders: _, slot, parked: _, touch_distance: _, material: _, cache, warm_start } = pair;
        let check = finite(self.queue.get(*slot).time);
        SavedPair { check, cache: cache.as_deref().copied(), warm_start: warm_start.as_deref().cloned() }
    }
}

fn save_group(group: &Group) -> Box<SavedGroup> {
    let (motion, members) = (group.motion().into(), group.members().to_vec());
    let Group { lasting_until, stillness, rest, carriage, unguided_until, lent, link, .. } = group;
    let [lasting_until, unguided_until, company_until, crowd_until] =
        [lasting_until, unguided_until, &group.company_until, &group.crowd_until]
            .map(|&time| (time > f64::NEG_INFINITY).then_some(time));
    let (rest, stillness, carriage, link) = (*rest, *stillness, *carriage, *link);
    Box::new(SavedGroup {
        motion,
        members,
        rest,
        lasting_until,
        stillness,
        carriage,
        unguided_until,
        company_until,
        crowd_until,
        lent: *lent,
        link,
    })
}

fn finite(time: f64) -> Option<f64> {
    (time < f64::INFINITY).then_some(time)
}
