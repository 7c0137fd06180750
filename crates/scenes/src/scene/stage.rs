//! The scene that a running script builds.

use super::chance::SharedRandom;
use super::description::{
    BodyDescription, JointDescription, MaterialDescription, MaterialId, ParamDescription, ParamHints, ParamValue,
    SceneDescription, SolidDescription,
};
use super::error::Fault;
use super::folder::Folder;
use super::params;
use super::reports::Kept;
use super::scope::{Creatures, Scope};
use super::steps::Steps;
use super::values::{Given, number, text, wrong};
use crate::random::Random;
use glam::DVec3;
use impulse::geometry::ConvexPolyhedron;
use impulse::respond::{Law, Material};
use impulse::world::Surface;
use rhai::{Dynamic, Engine, EvalAltResult};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::rc::Rc;

/// Most bodies of a scene.
const MAX_BODIES: usize = 200_000;

/// Steps that a body counts for, and each of its parts.
const STEPS_PER_PART: u64 = 5;

/// Most solids that are kept for scenes to come.
const MAX_KNOWN_SOLIDS: usize = 4096;

/// Most bytes that a script may print.
const MAX_LOG: usize = 1 << 20;

/// What the functions of a script act on.
pub(super) struct Stage {
    pub(super) scene: SceneDescription,
    pub(super) random: SharedRandom,
    pub(super) folder: Folder,
    pub(super) steps: Steps,
    /// The functions that are kept.
    pub(super) asked: Vec<Kept>,
    pub(super) creatures: Creatures,
    /// Part files read so far, by path and scale: for this scene and those that the script described before.
    pub(super) parts: BTreeMap<(PathBuf, u64), KnownPart>,
    /// Solids made so far, by the bits of the numbers they were made from.
    solids: HashMap<(SolidKind, Vec<u64>), SolidDescription>,
    /// Those that this scene has.
    pub(super) parts_used: BTreeSet<(PathBuf, u64)>,
    /// Values for parameters, given by the caller.
    settings: BTreeMap<String, ParamValue>,
    names: BTreeSet<String>,
    default_material: Option<MaterialId>,
    log_bytes: usize,
}

/// The numbers of points, to the bit.
pub(super) fn bits(points: &[DVec3]) -> Vec<u64> {
    points.iter().flat_map(|point| point.to_array().map(f64::to_bits)).collect()
}

/// What solids are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SolidKind {
    /// The sizes of a box.
    Cuboid,
    /// The points of a hull.
    Hull,
    /// The vertices of a polyhedron, and its faces, each after the number of its corners.
    Polyhedron,
}

/// A part file that was read.
#[derive(Clone)]
pub(super) struct KnownPart {
    pub(super) solid: SolidDescription,
    /// Longest side of the box around it, m.
    pub(super) size: f64,
    pub(super) faces: usize,
}

/// The stage as the script's functions share it.
pub(super) type SharedStage = Rc<RefCell<Stage>>;

/// What a function returns to a script.
pub(super) type Answer<T> = Result<T, Box<EvalAltResult>>;

impl Stage {
    /// For a script in a folder, and at a place in it if it has one.
    pub(super) fn new(folder: Folder, location: Option<PathBuf>) -> Self {
        Self {
            scene: Self::empty(),
            random: Rc::new(RefCell::new(Random::new(0))),
            folder,
            steps: Steps::default(),
            asked: Vec::new(),
            creatures: Creatures::new(location),
            parts: BTreeMap::new(),
            solids: HashMap::new(),
            parts_used: BTreeSet::new(),
            settings: BTreeMap::new(),
            names: BTreeSet::new(),
            default_material: None,
            log_bytes: 0,
        }
    }

    /// Clears the stage for another scene; files that were read stay known.
    pub(super) fn restart(&mut self, settings: BTreeMap<String, ParamValue>, seed: u64) {
        (self.scene, self.settings) = (Self::empty(), settings);
        *self.random.borrow_mut() = Random::new(seed);
        self.steps.restart();
        self.asked.clear();
        self.creatures.restart();
        self.parts_used.clear();
        self.names.clear();
        (self.default_material, self.log_bytes) = (None, 0);
    }

    /// The scene, and the functions that its script kept.
    pub(super) fn take(&mut self) -> (SceneDescription, Vec<Kept>) {
        (std::mem::replace(&mut self.scene, Self::empty()), std::mem::take(&mut self.asked))
    }

    fn empty() -> SceneDescription {
        SceneDescription {
            duration: 10.0,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            envelope: None,
            lock_hops: false,
            materials: Vec::new(),
            contacts: Vec::new(),
            bodies: Vec::new(),
            spare_masses: BTreeMap::new(),
            joints: Vec::new(),
            controllers: Vec::new(),
            behaviours: Vec::new(),
            creatures: Vec::new(),
            told: Vec::new(),
            programs: Vec::new(),
            random: Random::new(0),
            robots: Vec::new(),
            ignored: Vec::new(),
            part_files: Vec::new(),
            params: Vec::new(),
            included: Vec::new(),
            reports: Vec::new(),
            look_every: 0.01,
            log: Vec::new(),
        }
    }

    /// A solid made from numbers: the same one for the same numbers, so that equal bodies, and scenes of one script, share what
    /// is dear to make and to keep.
    pub(super) fn solid(
        &mut self,
        made_from: (SolidKind, Vec<u64>),
        make: impl FnOnce() -> Given<SolidDescription>,
    ) -> Given<SolidDescription> {
        if let Some(known) = self.solids.get(&made_from) {
            return Ok(known.clone());
        }
        if self.solids.len() >= MAX_KNOWN_SOLIDS {
            self.solids.clear();
        }
        let made = make()?;
        self.solids.insert(made_from, made.clone());
        Ok(made)
    }

    /// The convex hull of points.
    pub(super) fn hull(&mut self, points: &[DVec3]) -> Given<SolidDescription> {
        self.solid((SolidKind::Hull, bits(points)), || {
            Ok(SolidDescription::Convex(ConvexPolyhedron::hull(points)?.into()))
        })
    }

    /// The creature whose file is running.
    pub(super) fn scope(&self) -> Option<&Scope> {
        self.creatures.innermost()
    }

    /// The scene, for what concerns the whole of it: not for a creature to say.
    pub(super) fn whole(&mut self, of: &str) -> Given<&mut SceneDescription> {
        if self.scope().is_some() {
            let conflict = "this concerns the whole scene: leave it to the scene that places the creature";
            return Err(Fault::Conflict { of: of.to_owned(), conflict });
        }
        Ok(&mut self.scene)
    }

    /// The name by which the scene knows something of the file that is running.
    pub(super) fn named(&self, name: &str) -> String {
        self.scope().map_or_else(|| name.to_owned(), |scope| scope.named(name))
    }

    /// Adds a body, whose name must be unique.
    pub(super) fn add_body(&mut self, mut body: BodyDescription) -> Given<()> {
        if let Some(scope) = self.scope() {
            scope.place_body(&mut body)?;
        }
        self.steps.spend(1 + body.shape.parts.len(), STEPS_PER_PART);
        if self.scene.bodies.len() >= MAX_BODIES {
            return Err(Fault::Limit("the scene has more than 200000 bodies: make fewer"));
        }
        if !self.names.insert(body.name.clone()) {
            return Err(Fault::DuplicateBody { name: body.name });
        }
        self.scene.bodies.push(body);
        Ok(())
    }

    /// Adds a joint, whose name must be unique.
    pub(super) fn add_joint(&mut self, mut joint: JointDescription) -> Given<()> {
        if let Some(scope) = self.scope() {
            scope.place_joint(&mut joint);
        }
        if self.scene.joints.iter().any(|known| known.name == joint.name) {
            let of = format!("joint `{}`", joint.name);
            return Err(Fault::Conflict { of, conflict: "there is another joint of this name: give each its own" });
        }
        self.scene.joints.push(joint);
        Ok(())
    }

    pub(super) fn add_material(&mut self, name: Option<String>, surface: Surface) -> MaterialId {
        self.scene.materials.push(MaterialDescription { name, surface });
        MaterialId(self.scene.materials.len() - 1)
    }

    /// The material of bodies for which none is given.
    pub(super) fn default_material(&mut self) -> MaterialId {
        self.default_material.unwrap_or_else(|| {
            let surface = Material { friction: 0.3, restitution: 0.5, law: Law::default() };
            let id = self.add_material(Some("default".to_owned()), surface.into());
            self.default_material = Some(id);
            id
        })
    }

    pub(super) fn print(&mut self, line: &str) {
        if self.log_bytes <= MAX_LOG {
            self.log_bytes += line.len() + 1;
            let kept = self.log_bytes <= MAX_LOG;
            self.scene.log.push(if kept { line.to_owned() } else { "... (the script printed more)".to_owned() });
        }
    }

    /// A setting for which the scene has no parameter.
    pub(super) fn unknown_setting(&self) -> Option<&str> {
        let known = |name: &str| self.scene.params.iter().any(|param| param.name == name);
        self.settings.keys().map(String::as_str).find(|name| !known(name))
    }

    pub(super) fn param(&mut self, name: &Dynamic, default: &Dynamic, hints: ParamHints) -> Given<Dynamic> {
        let name = text("param: the name", name)?;
        let default = param_value(&format!("parameter `{name}`: the default"), default)?;
        let (params, settings) = match self.creatures.innermost_mut() {
            Some(scope) => (&mut scope.params, &scope.settings),
            None => (&mut self.scene.params, &self.settings),
        };
        if let Some(known) = params.iter().find(|param| param.name == name) {
            if known.default != default {
                let (first, second) = (known.default.to_string(), default.to_string());
                return Err(Fault::DuplicateParam { name, first, second });
            }
            return Ok(dynamic(&known.value));
        }
        let value = match settings.get(&name) {
            Some(set) => of_kind(&name, set, &default)?,
            None => default.clone(),
        };
        params::check(&name, &value, &hints)?;
        let given = dynamic(&value);
        params.push(ParamDescription { name, default, value, hints });
        Ok(given)
    }
}

/// Registers the functions that concern the whole scene.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    let shared = stage.clone();
    engine.register_fn("duration", move |seconds: Dynamic| -> Answer<()> {
        let seconds = number("duration", &seconds)?;
        if seconds <= 0.0 {
            let expected = "a positive number of seconds";
            return Err(Fault::Range { what: "duration".to_owned(), value: seconds, expected }.into());
        }
        shared.borrow_mut().whole("duration")?.duration = seconds;
        Ok(())
    });
    let shared = stage.clone();
    engine.register_fn("gravity", move |x: Dynamic, y: Dynamic, z: Dynamic| -> Answer<()> {
        let gravity = [number("gravity: x", &x)?, number("gravity: y", &y)?, number("gravity: z", &z)?];
        shared.borrow_mut().whole("gravity")?.gravity = DVec3::from_array(gravity);
        Ok(())
    });
    let shared = stage.clone();
    engine.register_fn("envelope", move |height: Dynamic| -> Answer<()> {
        let height = number("envelope", &height)?;
        if !(height > 0.0 && height <= MAX_ENVELOPE) {
            let expected = "above 0 and at most 0.1 bounding radii";
            return Err(Fault::Range { what: "envelope".to_owned(), value: height, expected }.into());
        }
        shared.borrow_mut().whole("envelope")?.envelope = Some(height);
        Ok(())
    });
    params::register(engine, stage);
}

/// Highest hops that the engine accepts, in bounding radii.
const MAX_ENVELOPE: f64 = 0.1;

pub(super) fn param_value(what: &str, value: &Dynamic) -> Given<ParamValue> {
    if let Ok(whole) = value.as_int() {
        return Ok(ParamValue::Integer(whole));
    }
    if let Ok(flag) = value.as_bool() {
        return Ok(ParamValue::Flag(flag));
    }
    if value.is_string() {
        return text(what, value).map(ParamValue::Text);
    }
    if value.is_float() {
        return number(what, value).map(ParamValue::Number);
    }
    Err(wrong(what, "a number, true, false or a text", value))
}

pub(super) fn dynamic(value: &ParamValue) -> Dynamic {
    match value {
        ParamValue::Integer(whole) => (*whole).into(),
        ParamValue::Number(number) => (*number).into(),
        ParamValue::Flag(flag) => (*flag).into(),
        ParamValue::Text(text) => text.clone().into(),
    }
}

/// The value that a parameter is set to, converted to the type of its default.
fn of_kind(name: &str, set: &ParamValue, default: &ParamValue) -> Given<ParamValue> {
    let written = set.to_string();
    let number = written.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let (value, expected) = match default {
        // An integer remains one if possible, so that `0..n` works.
        ParamValue::Integer(_) => {
            (written.trim().parse().ok().map(ParamValue::Integer).or(number.map(ParamValue::Number)), "a number")
        }
        ParamValue::Number(_) => (number.map(ParamValue::Number), "a number"),
        ParamValue::Flag(_) => (written.trim().parse().ok().map(ParamValue::Flag), "true or false"),
        ParamValue::Text(_) => (Some(ParamValue::Text(written.clone())), "a text"),
    };
    value.ok_or_else(|| Fault::ParamValue { name: name.to_owned(), value: written, expected })
}
