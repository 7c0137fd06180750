//! What behaviours do: `me` is the world as reports see it (`view`), which can also be acted on, with a memory of its own.

use super::behaviours::memory;
use super::chance::SharedRandom;
use super::controllers::{accelerations, pose_goal};
use super::description::{ControlDescription, ControllerDescription, SceneDescription};
use super::error::Fault;
use super::layout::{written, written_rotation};
use super::me::{Blow, Me, State};
use super::motions::Script;
use super::plain::entries;
use super::stage::{Answer, dynamic, param_value};
use super::values::{Given, number, numbers_or_one, own as own_value, text, vector, wrong};
use super::view::{BodyView, SharedLent, View, find, here};
use glam::DVec3;
use impulse::world::{ActError, BodyId, BodyRef, ControllerId, Goal, JointId, JointRef, World};
use rhai::{Array, Dynamic, Engine, Map};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// What the functions of behaviours share besides the world, while one is called.
pub(super) struct Acting {
    pub(super) scene: Arc<SceneDescription>,
    /// By number of the scene's controllers.
    pub(super) controllers: Vec<ControllerId>,
    /// Number of the behaviour that is called.
    pub(super) number: usize,
    pub(super) state: State,
    pub(super) random: SharedRandom,
}

/// Lets the one who acts do something.
pub(super) fn with_me<T>(acting: &SharedActing, lent: &SharedLent, act: impl FnOnce(&mut Me<'_>) -> T) -> T {
    let Acting { scene, controllers, number, state, random } = &mut *acting.borrow_mut();
    let (lent, random) = (&mut *lent.borrow_mut(), &mut *random.borrow_mut());
    act(&mut Me { scene, controllers, number: *number, lent, state, random })
}

/// What the functions share.
pub(super) type SharedActing = Rc<RefCell<Acting>>;

/// A joint in a script: `me.joint("name")`.
#[derive(Clone, Copy, Debug)]
struct JointView(JointId);

/// A controller in a script, by its number: `me.controller("name")`.
#[derive(Clone, Copy, Debug)]
struct ControllerView(usize);

/// Registers what `me` can do beyond what can be asked of the world.
pub(super) fn register(engine: &mut Engine, lent: &SharedLent, acting: &SharedActing) {
    engine.register_type_with_name::<JointView>("joint").register_type_with_name::<ControllerView>("controller");
    own(engine, lent, acting);
    telling(engine, lent, acting);
    giving_way(engine, lent, acting);
    bodies(engine, lent);
    joints(engine, lent, acting);
    controllers(engine, lent, acting);
    goals(engine, lent, acting);
}

/// Name, memory and parameters.
fn own(engine: &mut Engine, lent: &SharedLent, acting: &SharedActing) {
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_get("name", move |_: &mut View| with_me(&shared, &world, |me| me.name().to_owned()));
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_get("creature", move |_: &mut View| with_me(&shared, &world, |me| me.creature().to_owned()));
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_get("memory", move |_: &mut View| -> Map { with_me(&shared, &world, |me| entries(me.memory())) });
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_set("memory", move |_: &mut View, value: Dynamic| -> Answer<()> {
        let kept = memory("me.memory", &value)?;
        with_me(&shared, &world, |me| *me.memory() = kept);
        Ok(())
    });
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_get("state", move |_: &mut View| with_me(&shared, &world, |me| me.state().to_owned()));
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_set("state", move |_: &mut View, value: Dynamic| -> Answer<()> {
        let state = text("me.state", &value)?;
        with_me(&shared, &world, |me| me.set_state(&state));
        Ok(())
    });
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_fn("memory_of", move |_: &mut View, name: Dynamic| -> Answer<Map> {
        let name = text("me.memory_of: the name", &name)?;
        Ok(with_me(&shared, &world, |me| me.memory_of(&name).map(entries))?)
    });
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_fn("param", move |_: &mut View, name: Dynamic| -> Answer<Dynamic> {
        let name = text("me.param: the name", &name)?;
        Ok(with_me(&shared, &world, |me| me.param(&name).map(dynamic))?)
    });
}

/// Reports, and the end of the run.
fn telling(engine: &mut Engine, lent: &SharedLent, acting: &SharedActing) {
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_fn("report", move |_: &mut View, name: Dynamic, value: Dynamic| -> Answer<()> {
        let name = text("me.report: the name", &name)?;
        let value = param_value("me.report: the value", &value)?;
        Ok(with_me(&shared, &world, |me| me.report(&name, value))?)
    });
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_fn("finish", move |_: &mut View| {
        with_me(&shared, &world, |me| {
            me.finish();
        });
    });
}

/// Scripted bodies that give way, and what struck them.
fn giving_way(engine: &mut Engine, lent: &SharedLent, acting: &SharedActing) {
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_fn("release", move |_: &mut View, name: Dynamic| -> Answer<()> {
        let body = find(&world.borrow(), "me.release", &name)?;
        Ok(with_me(&shared, &world, |me| me.release(body))?)
    });
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_fn("script", move |_: &mut View, name: Dynamic, motion: Dynamic| -> Answer<()> {
        let body = find(&world.borrow(), "me.script", &name)?;
        let motion: Script = own_value("me.script", "a motion such as keyframes([#{ time: me.time }, ...])", &motion)?;
        Ok(with_me(&shared, &world, |me| me.follow(body, &motion))?)
    });
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_fn("impacts", move |_: &mut View, name: Dynamic| -> Answer<Array> {
        let body = find(&world.borrow(), "me.impacts", &name)?;
        Ok(with_me(&shared, &world, |me| me.impacts(body).iter().map(|blow| written_blow(me, blow)).collect()))
    });
}

fn written_blow(me: &Me<'_>, blow: &Blow) -> Dynamic {
    let other = me.world().name(blow.other).unwrap_or_default().to_owned();
    Dynamic::from(Map::from([
        ("other".into(), other.into()),
        ("time".into(), blow.time.into()),
        ("at".into(), written(blow.at).into()),
        ("impulse".into(), written(blow.impulse).into()),
    ]))
}

/// Registers a property that can be set, and a function that does the same: `me.body(name).force = ...` is not part of the language.
fn register_setter<T: Clone + 'static>(
    engine: &mut Engine,
    name: &str,
    set: impl Fn(&mut T, Dynamic) -> Answer<()> + Clone + 'static,
) {
    engine.register_fn(format!("set_{name}"), set.clone());
    engine.register_set(name, set);
}

/// How a vector acts on a body.
type Push = fn(&mut World, BodyId, DVec3) -> Result<(), ActError>;

fn bodies(engine: &mut Engine, lent: &SharedLent) {
    let known: [(&'static str, Push); 4] = [
        ("force", World::set_force),
        ("torque", World::set_torque),
        ("velocity", |world, body, velocity| {
            let spin = world.body(body).map(BodyRef::spin).unwrap_or_default();
            world.set_velocity(body, velocity, spin)
        }),
        ("spin", |world, body, spin| {
            let velocity = world.body(body).map(BodyRef::velocity).unwrap_or_default();
            world.set_velocity(body, velocity, spin)
        }),
    ];
    for (name, push) in known {
        let shared = lent.clone();
        register_setter(engine, name, move |body: &mut BodyView, value: Dynamic| -> Answer<()> {
            let value = vector(name, &value)?;
            let world = &mut shared.borrow_mut().world;
            here(world, body.0)?;
            Ok(push(world, body.0, value).map_err(Fault::Act)?)
        });
    }
    let shared = lent.clone();
    engine.register_fn("push", move |body: &mut BodyView, at: Dynamic, impulse: Dynamic| -> Answer<()> {
        let (at, impulse) = (vector("push: the point", &at)?, vector("push: the impulse", &impulse)?);
        let world = &mut shared.borrow_mut().world;
        here(world, body.0)?;
        Ok(world.apply_impulse(body.0, at, impulse).map_err(Fault::Act)?)
    });
}

fn joints(engine: &mut Engine, lent: &SharedLent, acting: &SharedActing) {
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_fn("joint", move |_: &mut View, name: Dynamic| -> Answer<JointView> {
        let name = text("me.joint: the name", &name)?;
        Ok(with_me(&shared, &world, |me| me.joint(&name).map(JointView))?)
    });
    type Asked = fn(JointRef<'_>) -> Vec<f64>;
    let asked: [(&str, Asked); 4] = [
        ("position", |joint| joint.position()),
        ("rate", |joint| joint.rate()),
        ("acceleration", |joint| joint.acceleration()),
        ("force", |joint| joint.force()),
    ];
    for (name, asked) in asked {
        let shared = lent.clone();
        engine.register_get(name, move |joint: &mut JointView| -> Answer<Dynamic> {
            let world = &shared.borrow().world;
            let joint = world.joint(joint.0).ok_or(Fault::Act(ActError::NoSuchJoint))?;
            Ok(one_or_all(&asked(joint)))
        });
    }
    type Drive = fn(&mut World, JointId, &[f64]) -> Result<(), ActError>;
    let driven: [(&'static str, Drive); 2] = [("force", World::set_joint_force), ("rate", World::set_joint_rate)];
    for (name, drive) in driven {
        let shared = lent.clone();
        register_setter(engine, name, move |joint: &mut JointView, value: Dynamic| -> Answer<()> {
            let numbers = numbers_or_one(name, &value)?;
            Ok(drive(&mut shared.borrow_mut().world, joint.0, &numbers).map_err(Fault::Act)?)
        });
    }
}

fn controllers(engine: &mut Engine, lent: &SharedLent, acting: &SharedActing) {
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_fn("controller", move |_: &mut View, name: Dynamic| -> Answer<ControllerView> {
        let name = text("me.controller: the name", &name)?;
        Ok(with_me(&shared, &world, |me| me.controller_number(&name).map(ControllerView))?)
    });
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_get("enabled", move |controller: &mut ControllerView| -> Answer<bool> {
        let id = shared.borrow().controllers[controller.0];
        let enabled = world.borrow().world.is_controller_enabled(id);
        Ok(enabled.ok_or(Fault::Act(ActError::NoSuchController))?)
    });
    let (world, shared) = (lent.clone(), acting.clone());
    register_setter(engine, "enabled", move |controller: &mut ControllerView, value: Dynamic| -> Answer<()> {
        let id = shared.borrow().controllers[controller.0];
        let enabled = value.as_bool().map_err(|_| wrong("enabled", "true or false", &value))?;
        Ok(world.borrow_mut().world.enable_controller(id, enabled).map_err(Fault::Act)?)
    });
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_get("output", move |controller: &mut ControllerView| -> Answer<Dynamic> {
        let (id, lent) = (shared.borrow().controllers[controller.0], world.borrow());
        let output = lent.world.controller_output(id).ok_or(Fault::Act(ActError::NoSuchController))?;
        Ok(one_or_all(output))
    });
}

fn goals(engine: &mut Engine, lent: &SharedLent, acting: &SharedActing) {
    let (world, shared) = (lent.clone(), acting.clone());
    engine.register_get("goal", move |controller: &mut ControllerView| -> Answer<Dynamic> {
        let (acting, lent) = (shared.borrow(), world.borrow());
        let id = acting.controllers[controller.0];
        let goal = lent.world.controller_goal(id).ok_or(Fault::Act(ActError::NoSuchController))?;
        let described = &acting.scene;
        Ok(written_goal(goal, described, &described.controllers[controller.0]))
    });
    let (world, shared) = (lent.clone(), acting.clone());
    register_setter(engine, "goal", move |controller: &mut ControllerView, value: Dynamic| -> Answer<()> {
        let acting = shared.borrow();
        let (id, world) = (acting.controllers[controller.0], &mut world.borrow_mut().world);
        let goal = goal(&acting.scene, world, controller.0, &value)?;
        Ok(world.set_goal(id, goal).map_err(Fault::Act)?)
    });
}

/// A goal as a script writes it. What a pose leaves out stays as it is now.
fn goal(scene: &SceneDescription, world: &World, number: usize, value: &Dynamic) -> Given<Goal> {
    match &scene.controllers[number].control {
        ControlDescription::Joint { .. } => number_goal(value),
        ControlDescription::Torques { joints, .. } => {
            accelerations("goal", value, joints.len()).map(Goal::Accelerations)
        }
        ControlDescription::Pose { body, .. } => {
            let now = here(world, BodyId::from_bits(*body as u64))?.pose();
            pose_goal("goal", value, (&scene.bodies[*body], now), None)
        }
    }
}

fn number_goal(value: &Dynamic) -> Given<Goal> {
    number("goal", value).map(Goal::Joint)
}

fn written_goal(goal: &Goal, scene: &SceneDescription, controller: &ControllerDescription) -> Dynamic {
    match (goal, &controller.control) {
        (Goal::Joint(goal), _) => (*goal).into(),
        (Goal::Accelerations(all), _) => array_of(all).into(),
        (Goal::Pose(pose), ControlDescription::Pose { body, .. }) => {
            let at = pose.translation - pose.vector(scene.bodies[*body].com);
            let rotation = written_rotation(pose.rotation);
            Map::from([("at".into(), written(at).into()), ("rotation".into(), rotation.into())]).into()
        }
        (Goal::Pose(_), _) => Dynamic::UNIT,
    }
}

/// A number where there is one, else an array.
fn one_or_all(numbers: &[f64]) -> Dynamic {
    match numbers {
        [one] => (*one).into(),
        all => array_of(all).into(),
    }
}

fn array_of(numbers: &[f64]) -> rhai::Array {
    numbers.iter().map(|&number| number.into()).collect()
}
