//! A world at one moment as plain data, from which it goes on to the bit (sections 1.2, 2.4).
//!
//! What follows from other data is not stored but made again by the functions that made it: derived sizes, boxes of fixed bodies,
//! the hash table, the heap. What depends on the past is: trajectories from their launch, boxes, times of checks, what distance
//! queries remember, and the order of pairs.

use super::body::{Body, BodyId, Stillness};
use super::clock::{Clock, ClockSpec};
use super::material::{MaterialId, Surface};
use super::pair::{Held, Pair};
use super::record::{Counters, ImpactRecord};
use super::rest::Rest;
use super::settings::Settings;
use super::step::World;
use super::watch::Watch;
use crate::body::SavedMotion;
use crate::detect::SavedBroadPhase;
use crate::geometry::closest::PairCache;
use crate::geometry::{Aabb, SavedShape, ShapeTable};
use crate::math::Pose;
use serde::{Deserialize, Serialize};

/// Changes whenever the fields do.
pub(super) const VERSION: u32 = 2;

/// A world at one moment, to be written with any serde format that keeps `f64` to the bit (`serde_json` with its feature
/// `float_roundtrip`). Infinite times are written as none, so that formats without infinity do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    pub(super) version: u32,
    pub(super) settings: Settings,
    pub(super) materials: Vec<Surface>,
    pub(super) contacts: Vec<(MaterialId, MaterialId, Surface)>,
    pub(super) shapes: Vec<SavedShape>,
    pub(super) places: Vec<SavedPlace>,
    pub(super) vacant: Vec<u32>,
    pub(super) broad: SavedBroadPhase,
    /// By the pair's number; none for numbers that are free.
    pub(super) pairs: Vec<Option<SavedPair>>,
    pub(super) clocks: Vec<Option<SavedClock>>,
    pub(super) watches: Vec<Option<Watch>>,
    pub(super) now: f64,
    pub(super) counters: Counters,
    pub(super) min_separation: Option<f64>,
    pub(super) lasting_counted: f64,
    pub(super) hash: u64,
    pub(super) impacts: Vec<ImpactRecord>,
}

/// A body's place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum SavedPlace {
    Vacant(BodyId),
    Taken(Box<SavedBody>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedBody {
    pub(super) id: BodyId,
    pub(super) name: String,
    /// Its number in the table.
    pub(super) shape: u32,
    pub(super) material: MaterialId,
    pub(super) motion: SavedMotion,
    pub(super) body_from_shape: Pose,
    /// None for fixed bodies: their boxes follow from their shapes.
    pub(super) bounds: Option<Aabb>,
    pub(super) expiry: Option<f64>,
    pub(super) rest: Rest,
    pub(super) lasting_until: Option<f64>,
    pub(super) stillness: Stillness,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedPair {
    /// When it is checked, s; none while it need not be.
    pub(super) check: Option<f64>,
    pub(super) cache: Option<PairCache>,
    /// What held the bodies in their last hop.
    pub(super) held: Option<Held>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct SavedClock {
    pub(super) spec: ClockSpec,
    pub(super) count: u64,
}

impl World {
    /// The world as it is, see [`World::restore`].
    pub fn snapshot(&self) -> Snapshot {
        let mut table = ShapeTable::default();
        let places = self.bodies.iter().map(|body| self.save_place(body, &mut table)).collect();
        let (materials, contacts) = self.materials.list();
        let clock = |clock: &Clock| SavedClock { spec: clock.spec, count: clock.count };
        Snapshot {
            version: VERSION,
            settings: self.settings,
            materials,
            contacts,
            shapes: table.shapes,
            places,
            vacant: self.vacant.clone(),
            broad: self.broad.saved(),
            pairs: self.save_pairs(),
            clocks: self.clocks.iter().map(|c| c.as_ref().map(clock)).collect(),
            watches: self.watches.clone(),
            now: self.now,
            counters: self.counters,
            min_separation: finite(self.min_separation),
            lasting_counted: self.lasting_counted,
            hash: self.hash.value(),
            impacts: self.impacts.clone(),
        }
    }

    fn save_place(&self, body: &Body, table: &mut ShapeTable) -> SavedPlace {
        // All fields by name: a new one must be saved, or follow from the others.
        let Body {
            id,
            present,
            name,
            shape,
            material,
            motion,
            body_from_shape,
            radius: _,
            extents: _,
            ball: _,
            wall: _,
            expiry,
            expiry_slot: _,
            rest,
            lasting_until,
            stillness,
        } = body;
        if !present {
            return SavedPlace::Vacant(*id);
        }
        SavedPlace::Taken(Box::new(SavedBody {
            id: *id,
            name: name.clone(),
            shape: table.add(shape),
            material: *material,
            motion: motion.into(),
            body_from_shape: *body_from_shape,
            bounds: (!body.is_fixed()).then(|| self.broad.bounds(id.slot)),
            expiry: finite(*expiry),
            rest: *rest,
            lasting_until: (*lasting_until > f64::NEG_INFINITY).then_some(*lasting_until),
            stillness: *stillness,
        }))
    }

    fn save_pairs(&self) -> Vec<Option<SavedPair>> {
        let mut saved = vec![None; self.pairs.len()];
        for body in self.bodies.iter().filter(|b| b.present) {
            for partner in self.broad.close_to(body.id.slot) {
                let number = partner.pair as usize;
                let Pair { items: _, slot, parked: _, touch: _, material: _, cache, held } = &self.pairs[number];
                let check = finite(self.queue.get(*slot).time);
                saved[number] =
                    Some(SavedPair { check, cache: cache.as_deref().copied(), held: held.as_deref().cloned() });
            }
        }
        saved
    }
}

fn finite(time: f64) -> Option<f64> {
    (time < f64::INFINITY).then_some(time)
}
