//! The world as reports see it: everything can be asked, nothing changed.
//!
//! Functions of scripts own their values, so the world is lent: it is swapped into a cell that the functions share while one is
//! called, and back afterwards.

use super::error::Fault;
use super::layout::{written, written_rotation};
use super::stage::Answer;
use super::suggest::similar;
use super::tally::Tally;
use super::values::{Given, text, vector};
use glam::DVec3;
use impulse::world::{BodyId, BodyRef, ContactMode, ImpactRecord, MotionWindow, Settings, World, WorldBuilder};
use rhai::{Array, Dynamic, Engine, Map};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// What is lent to the functions of a script while one is called.
pub(super) struct Lent {
    pub(super) world: World,
    pub(super) tally: Tally,
    /// By body, since the last look.
    pub(super) windows: Vec<MotionWindow>,
    /// How the names begin of what belongs to the creature that asks.
    pub(super) prefix: Option<Arc<str>>,
    /// Impacts, and from which on they are new to the behaviour that is called.
    pub(super) heard: (Vec<ImpactRecord>, usize),
}

/// What is lent, as the functions share it.
pub(super) type SharedLent = Rc<RefCell<Lent>>;

/// The world in a script: `w`.
#[derive(Clone, Copy, Debug)]
pub(super) struct View;

/// A body in a script: `w.body("name")`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyView(pub(super) BodyId);

impl Lent {
    /// An empty world, to be swapped for a real one.
    pub(super) fn new() -> Self {
        let empty = WorldBuilder::new(Settings::default()).and_then(WorldBuilder::build);
        let world = empty.expect("a world without bodies can be built with the default settings");
        Self { world, tally: Tally::default(), windows: Vec::new(), prefix: None, heard: (Vec::new(), 0) }
    }
}

/// Registers what can be asked of `w` and `me`.
pub(super) fn register(engine: &mut Engine, lent: &SharedLent) {
    engine.register_type_with_name::<View>("world").register_type_with_name::<BodyView>("body");
    whole(engine, lent);
    vectors(engine, lent);
    scalars(engine, lent);
    frames(engine, lent);
    contacts(engine, lent);
}

/// Time, names, energies and rest of the whole world.
fn whole(engine: &mut Engine, lent: &SharedLent) {
    let shared = lent.clone();
    engine.register_get("time", move |_: &mut View| shared.borrow().world.time());
    let shared = lent.clone();
    engine.register_get("energy", move |_: &mut View| shared.borrow().world.energy());
    let shared = lent.clone();
    engine.register_get("kinetic_energy", move |_: &mut View| shared.borrow().world.kinetic_energy());
    let shared = lent.clone();
    engine.register_get("names", move |_: &mut View| -> Array {
        shared.borrow().world.body_refs().map(|body| Dynamic::from(body.name().to_owned())).collect()
    });
    let shared = lent.clone();
    engine.register_get("at_rest", move |_: &mut View| {
        shared.borrow().world.body_refs().filter(|body| body.is_free()).all(BodyRef::settled)
    });
    let shared = lent.clone();
    engine.register_fn("body", move |_: &mut View, name: Dynamic| -> Answer<BodyView> {
        Ok(BodyView(find(&shared.borrow(), "body", &name)?))
    });
}

/// Registers what can be asked of `w` alone: what happened between two bodies. Impacts are counted for reports.
pub(super) fn pairs(engine: &mut Engine, lent: &SharedLent) {
    let shared = lent.clone();
    engine.register_fn("impacts", move |_: &mut View, a: Dynamic, b: Dynamic| -> Answer<Map> {
        let lent = shared.borrow();
        let pair = [find(&lent, "w.impacts", &a)?, find(&lent, "w.impacts", &b)?];
        let (count, hardest) = lent.tally.between(pair);
        Ok(Map::from([("count".into(), (count as i64).into()), ("hardest".into(), hardest.into())]))
    });
}

/// What can be asked of a body.
type Asked<T> = fn(BodyRef<'_>) -> T;

/// Places and velocities of a body, world frame but for its spin.
fn vectors(engine: &mut Engine, lent: &SharedLent) {
    let known: [(&str, Asked<DVec3>); 4] = [
        ("at", |body| body.pose().translation),
        ("centre", |body| body.centre_of_mass()),
        ("velocity", |body| body.velocity()),
        ("spin", |body| body.spin()),
    ];
    for (name, asked) in known {
        let shared = lent.clone();
        engine.register_get(name, move |body: &mut BodyView| -> Answer<Array> {
            Ok(written(asked(here(&shared.borrow().world, body.0)?)))
        });
    }
    let shared = lent.clone();
    engine.register_get("mean_velocity", move |body: &mut BodyView| -> Answer<Array> {
        Ok(written(shared.borrow().mean_velocity(body.0)?))
    });
}

/// Numbers, flags and names of a body.
fn scalars(engine: &mut Engine, lent: &SharedLent) {
    let known: [(&str, Asked<Dynamic>); 6] = [
        ("name", |body| body.name().to_owned().into()),
        ("mass", |body| body.mass().unwrap_or(0.0).into()),
        ("kinetic_energy", |body| body.kinetic_energy().into()),
        ("at_rest", |body| body.settled().into()),
        ("free", |body| body.is_free().into()),
        ("rotation", |body| written_rotation(body.pose().rotation).into()),
    ];
    for (name, asked) in known {
        let shared = lent.clone();
        engine.register_get(name, move |body: &mut BodyView| -> Answer<Dynamic> {
            Ok(asked(here(&shared.borrow().world, body.0)?))
        });
    }
}

/// From a body's frame to the world's.
fn frames(engine: &mut Engine, lent: &SharedLent) {
    let shared = lent.clone();
    engine.register_fn("point", move |body: &mut BodyView, point: Dynamic| -> Answer<Array> {
        let point = vector("point: the point of the body", &point)?;
        Ok(written(here(&shared.borrow().world, body.0)?.pose().point(point)))
    });
    let shared = lent.clone();
    engine.register_fn("direction", move |body: &mut BodyView, along: Dynamic| -> Answer<Array> {
        let along = vector("direction: the direction in the body", &along)?;
        Ok(written(here(&shared.borrow().world, body.0)?.pose().vector(along)))
    });
}

fn contacts(engine: &mut Engine, lent: &SharedLent) {
    let shared = lent.clone();
    engine.register_get("contacts", move |body: &mut BodyView| -> Answer<Array> {
        let world = &shared.borrow().world;
        let contact = |contact: &impulse::world::LastingContact| {
            let mode = match contact.mode {
                ContactMode::Rest => "rest",
                ContactMode::Roll => "roll",
                ContactMode::Slide => "slide",
            };
            let other = world.name(contact.bodies[1]).unwrap_or_default().to_owned();
            Dynamic::from(Map::from([
                // `with` is a reserved word: it can only be had by c["with"].
                ("with".into(), other.clone().into()),
                ("other".into(), other.into()),
                ("at".into(), written(contact.point).into()),
                ("normal".into(), written(contact.normal).into()),
                ("force".into(), written(contact.force).into()),
                ("mode".into(), mode.into()),
            ]))
        };
        Ok(here(world, body.0)?.contacts().iter().map(contact).collect())
    });
}

impl Lent {
    /// The body with a name.
    pub(super) fn find(&self, of: &str, name: &str) -> Given<BodyId> {
        let (world, prefix) = (&self.world, self.prefix.as_deref());
        own_or_any(prefix, name, |name| world.find(name)).ok_or_else(|| {
            let known: Vec<&str> = world.body_refs().map(BodyRef::name).collect();
            let similar = similar_names(prefix, name, known);
            Fault::NoSuchBody { of: of.to_owned(), name: name.to_owned(), similar }
        })
    }

    /// Mean velocity of a body since the last look.
    pub(super) fn mean_velocity(&self, body: BodyId) -> Given<DVec3> {
        let window = self.windows.iter().find(|window| window.body == body);
        let mean = window.and_then(|window| self.world.mean_motion(window)).map(|mean| mean.velocity);
        Ok(mean.unwrap_or(here(&self.world, body)?.velocity()))
    }

    /// The impacts since the behaviour was called last.
    pub(super) fn heard(&self) -> &[ImpactRecord] {
        &self.heard.0[self.heard.1..]
    }
}

/// The body with a name that a script gives.
pub(super) fn find(lent: &Lent, of: &str, name: &Dynamic) -> Given<BodyId> {
    lent.find(of, &text(&format!("{of}: the name"), name)?)
}

/// What is found by a name: of the creature that asks if it has something of the name, else of the whole scene.
pub(super) fn own_or_any<T>(prefix: Option<&str>, name: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    prefix.and_then(|prefix| find(&format!("{prefix}{name}"))).or_else(|| find(name))
}

/// Similar names, as the creature that asks would write them.
pub(super) fn similar_names<'a>(
    prefix: Option<&str>,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    similar(name, known.into_iter().map(|full| prefix.and_then(|prefix| full.strip_prefix(prefix)).unwrap_or(full)))
}

/// A body that was found in an earlier look may be gone.
pub(super) fn here(world: &World, body: BodyId) -> Given<BodyRef<'_>> {
    world.body(body).ok_or(Fault::Limit("this body is no longer in the world: ask for body(name) again each time"))
}
