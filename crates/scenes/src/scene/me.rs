//! What acts in a run: `me` of scripts, and the same for behaviours that are written in Rust.

use super::description::{ControllerDescription, CreatureDescription, MotionDescription, ParamValue, SceneDescription};
use super::error::Fault;
use super::motions::{Placed, Script};
use super::plain::Plain;
use super::suggest::similar;
use super::values::Given;
use super::view::{Lent, own_or_any, similar_names};
use crate::random::Random;
use glam::DVec3;
use impulse::body::Scripted;
use impulse::geometry::MassProperties;
use impulse::world::{ActError, BodyId, ControllerId, ImpactRecord, JointId, JointRef, MassSpec, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What becomes of behaviours as a run goes on, apart from the world.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// By behaviour.
    pub(super) memories: Vec<BTreeMap<String, Plain>>,
    /// What was told for reports, by name.
    pub(super) told: BTreeMap<String, ParamValue>,
    /// Whether one of them has ended the run.
    pub(super) is_finished: bool,
    /// By behaviour, the states that it was in.
    #[serde(default)]
    pub(super) states: BTreeMap<usize, States>,
}

/// The states that a behaviour was in, as it tells them with `me.state = "..."`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct States {
    /// The present one.
    pub now: String,
    /// When it began, s.
    pub since: f64,
    /// Those before it, by name: how often, and for how long in all, s.
    pub past: BTreeMap<String, (u32, f64)>,
}

impl States {
    /// All states until a time (s), by name: how often, and for how long in all, s.
    pub fn until(&self, time: f64) -> BTreeMap<String, (u32, f64)> {
        let mut all = self.past.clone();
        let (count, seconds) = all.entry(self.now.clone()).or_default();
        *count += 1;
        *seconds += time - self.since;
        all
    }
}

/// A behaviour that is being called: what a script knows as `me`.
pub struct Me<'a> {
    pub(super) scene: &'a SceneDescription,
    /// By number of the scene's controllers.
    pub(super) controllers: &'a [ControllerId],
    /// Number of the behaviour that is called.
    pub(super) number: usize,
    pub(super) lent: &'a mut Lent,
    pub(super) state: &'a mut State,
    pub(super) random: &'a mut Random,
}

/// An impact on a body since the behaviour was called last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// The other body.
    pub other: BodyId,
    /// When, s.
    pub time: f64,
    /// Where, world frame, m.
    pub at: DVec3,
    /// Impulse on the body, world frame, N s.
    pub impulse: DVec3,
}

impl Me<'_> {
    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.lent.world.time()
    }

    /// The behaviour's name.
    pub fn name(&self) -> &str {
        &self.scene.behaviours[self.number].name
    }

    /// The name of the creature to which it belongs; empty for the scene itself.
    pub fn creature(&self) -> &str {
        self.own().map_or("", |creature| &creature.name)
    }

    /// The state that it has told last; empty if it has told none.
    pub fn state(&self) -> &str {
        self.state.states.get(&self.number).map_or("", |states| &states.now)
    }

    /// Tells the state that it is in from now on.
    pub fn set_state(&mut self, state: &str) {
        let now = self.time();
        match self.state.states.get_mut(&self.number) {
            Some(states) if states.now == state => {}
            Some(states) => *states = States { now: state.to_owned(), since: now, past: states.until(now) },
            None => {
                let first = States { now: state.to_owned(), since: now, past: BTreeMap::new() };
                let _none = self.state.states.insert(self.number, first);
            }
        }
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.lent.world
    }

    /// The world, to be acted on.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.lent.world
    }

    /// A body by name.
    pub fn body(&self, name: &str) -> Given<BodyId> {
        self.lent.find("body", name)
    }

    /// A joint by name.
    pub fn joint(&self, name: &str) -> Given<JointId> {
        let (world, prefix) = (&self.lent.world, self.prefix());
        own_or_any(prefix, name, |name| world.find_joint(name)).ok_or_else(|| {
            let known: Vec<&str> = world.joints().filter_map(|joint| world.joint(joint)).map(JointRef::name).collect();
            unknown("me.joint", "joint", name, similar_names(prefix, name, known), "; make it with joint(...)")
        })
    }

    /// A controller by name.
    pub fn controller(&self, name: &str) -> Given<ControllerId> {
        self.controller_number(name).map(|number| self.controllers[number])
    }

    pub(super) fn controller_number(&self, name: &str) -> Given<usize> {
        let (known, prefix) = (&self.scene.controllers, self.prefix());
        own_or_any(prefix, name, |name| known.iter().position(|controller| controller.name == name)).ok_or_else(|| {
            let names = known.iter().map(|controller: &ControllerDescription| controller.name.as_str());
            let similar = similar_names(prefix, name, names);
            unknown("me.controller", "controller", name, similar, "; make it with controller(...)")
        })
    }

    /// The value of a parameter: of the creature, or of the scene.
    pub fn param(&self, name: &str) -> Given<&ParamValue> {
        let own = self.own().map_or(&[][..], |creature| &creature.params);
        let params = || own.iter().chain(&self.scene.params);
        params().find(|param| param.name == name).map(|param| &param.value).ok_or_else(|| {
            let similar = similar(name, params().map(|param| param.name.as_str()));
            unknown("me.param", "parameter", name, similar, "; make it with param(...)")
        })
    }

    /// What it remembers from call to call.
    pub fn memory(&mut self) -> &mut BTreeMap<String, Plain> {
        &mut self.state.memories[self.number]
    }

    /// What another behaviour remembers.
    pub fn memory_of(&self, name: &str) -> Given<&BTreeMap<String, Plain>> {
        let (known, prefix) = (&self.scene.behaviours, self.prefix());
        let find = |name: &str| known.iter().position(|behaviour| behaviour.name == name);
        let number = own_or_any(prefix, name, find).ok_or_else(|| {
            let similar = similar_names(prefix, name, known.iter().map(|behaviour| behaviour.name.as_str()));
            unknown("me.memory_of", "behaviour", name, similar, "; make it with behaviour(...)")
        })?;
        Ok(&self.state.memories[number])
    }

    /// The random numbers of the run.
    pub fn random(&mut self) -> &mut Random {
        self.random
    }

    /// Tells a report that the scene announces with `report(name)`.
    pub fn report(&mut self, name: &str, value: ParamValue) -> Given<()> {
        let (told, prefix) = (&self.scene.told, self.prefix());
        let find = |name: &str| told.iter().find(|known| *known == name).cloned();
        let name = own_or_any(prefix, name, find).ok_or_else(|| {
            let similar = similar_names(prefix, name, told.iter().map(String::as_str));
            unknown("me.report", "report", name, similar, "; announce it in the scene with report(name)")
        })?;
        self.state.told.insert(name, value);
        Ok(())
    }

    /// Ends the run.
    pub fn finish(&mut self) {
        self.state.is_finished = true;
    }

    /// The impacts on a body since the last call, microcollisions aside.
    pub fn impacts(&self, body: BodyId) -> Vec<Blow> {
        let blow = |record: &ImpactRecord| {
            let [first, second] = record.bodies;
            let (other, impulse) = match body {
                body if body == first => (second, record.impulse),
                body if body == second => (first, -record.impulse),
                _ => return None,
            };
            Some(Blow { other, time: record.time, at: record.point, impulse })
        };
        self.lent.heard().iter().filter_map(blow).collect()
    }

    /// Mean velocity of a body since the last call, world frame, m/s: in lasting contact that of one instant is that of a hop.
    pub fn mean_velocity(&self, body: BodyId) -> Given<DVec3> {
        self.lent.mean_velocity(body)
    }

    /// Lets go of a scripted body: it is free from now on, with its present velocity and the mass that the scene gives it.
    pub fn release(&mut self, body: BodyId) -> Given<()> {
        let there = self.lent.world.body(body).ok_or(Fault::Act(ActError::NoSuchBody))?;
        if there.is_free() {
            return Ok(());
        }
        let of = || format!("me.release: body `{}`", there.name());
        let conflict = |conflict: &'static str| Fault::Conflict { of: of(), conflict };
        if there.is_fixed() {
            return Err(conflict(FIXED));
        }
        let mass = self.mass_of(body).ok_or_else(|| conflict(NO_MASS))?;
        // Its frame may be another one from now on.
        self.lent.windows.retain(|window| window.body != body);
        self.lent.world.release(body, MassSpec::Properties(mass)).map_err(Fault::Act)
    }

    /// Takes up a body by a script, which moves its centre of mass and the axes of its shape and begins where they are now.
    pub fn script(&mut self, body: BodyId, script: impl Into<Scripted>) -> Given<()> {
        self.lent.world.script(body, script).map_err(Fault::Act)
    }

    /// The same by a motion of scene scripts.
    pub(super) fn follow(&mut self, body: BodyId, motion: &Script) -> Given<()> {
        let world = &mut self.lent.world;
        let there = world.body(body).ok_or(Fault::Act(ActError::NoSuchBody))?;
        let pose = there.pose();
        let placed =
            Placed { world_from_shape: pose, com: pose.inverse_point(there.centre_of_mass()), now: world.time() };
        let refused = |error| Fault::Motion { of: format!("me.script: body `{}`", there.name()), error };
        let scripted = motion.placed(&placed).map_err(refused)?;
        world.script(body, scripted).map_err(Fault::Act)
    }

    /// The mass that the scene gives a body, whether it is free or not.
    fn mass_of(&self, body: BodyId) -> Option<MassProperties> {
        let number = body.index();
        let described = self.scene.bodies.get(number).filter(|_| BodyId::from_bits(number as u64) == body)?;
        match described.motion {
            MotionDescription::Free { mass, .. } => Some(mass),
            MotionDescription::Fixed | MotionDescription::Scripted(_) => self.scene.spare_masses.get(&number).copied(),
        }
    }

    /// The creature to which it belongs.
    fn own(&self) -> Option<&CreatureDescription> {
        self.scene.creature_of(self.number)
    }

    /// How the names begin of what belongs to the creature.
    fn prefix(&self) -> Option<&str> {
        self.own().map(|creature| &*creature.prefix)
    }
}

const FIXED: &str = "it is fixed; a body that is to be let go stands still by a script, `script: keyframes([#{ time: 0 }, #{ time: 1 }])`";

const NO_MASS: &str = "it has no mass: give it one in the scene, with the option `mass` or `density`";

fn unknown(of: &'static str, kind: &'static str, name: &str, similar: Vec<String>, remedy: &'static str) -> Fault {
    Fault::Unknown { of, kind, name: name.to_owned(), similar, remedy }
}
