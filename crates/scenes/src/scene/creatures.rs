//! Creatures of scripts: `creature("bug.rhai", #{ at, rotation, name, ... })`. Geometry, joints, controllers and behaviours of one are in
//! a file with a scope of its own, which is placed many times (thesis section 8.3).

use super::description::{CreatureDescription, ParamValue};
use super::error::{Fault, SceneError};
use super::faults;
use super::numbers::constants_in_scope;
use super::program::{MAX_BYTES, Program};
use super::scope::{CreatureFile, Home, SEPARATOR, Scope};
use super::source::Opened;
use super::stage::{Answer, SharedStage, Stage, param_value};
use super::suggest::similar;
use super::values::{Given, rotation, text, vector, wrong};
use glam::{DQuat, DVec3};
use impulse::math::Pose;
use rhai::{Dynamic, Engine, EvalAltResult, Map, NativeCallContext};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// Most creatures of a scene.
const MAX_CREATURES: usize = 10_000;

/// How deep creatures may be within creatures, and functions that make them within functions: each takes room on the machine's stack.
const MAX_DEPTH: usize = 4;

/// Options that are no parameters of the creature.
const RESERVED: [&str; 3] = ["at", "rotation", "name"];

/// What a script says of a creature.
struct Wanted {
    name: String,
    pose: Pose,
    settings: BTreeMap<String, ParamValue>,
}

/// Registers `creature`, which returns the creature's name.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    let shared = stage.clone();
    engine.register_fn("creature", move |call: NativeCallContext<'_>, file: Dynamic| -> Answer<String> {
        creature(&call, &shared, &file, &Map::new().into())
    });
    let shared = stage.clone();
    engine.register_fn(
        "creature",
        move |call: NativeCallContext<'_>, file: Dynamic, options: Dynamic| -> Answer<String> {
            creature(&call, &shared, &file, &options)
        },
    );
}

fn creature(call: &NativeCallContext<'_>, shared: &SharedStage, file: &Dynamic, options: &Dynamic) -> Answer<String> {
    let file = text("creature: the file", file)?;
    let wanted = wanted(&file, options)?;
    if call.call_level() > MAX_DEPTH {
        return Err(Fault::Limit("creature(...) is called by functions nested more than 4 deep: nest them less").into());
    }
    let (home, outer_steps) = {
        let stage = &mut shared.borrow_mut();
        (enter(stage, call.engine(), &file, &wanted)?, stage.steps.begin_inner())
    };
    let ran = call.engine().run_ast_with_scope(&mut constants_in_scope(), &home.file.tree);
    let stage = &mut shared.borrow_mut();
    stage.steps.end_inner(outer_steps);
    let left = stage.creatures.leave();
    ran.map_err(|error| faults::within(faults::of_running(*error, &home.file.program), &wanted.name))?;
    if let Some(scope) = left {
        finish(stage, scope)?;
    }
    Ok(wanted.name)
}

fn wanted(file: &str, options: &Dynamic) -> Given<Wanted> {
    let of = format!("creature \"{file}\"");
    let Some(options) = options.clone().try_cast::<Map>() else {
        return Err(wrong(&format!("{of}: the last argument"), "options #{ name: value, ... }", options));
    };
    let given = |option: &str| options.get(option).map(|value| (format!("{of}: {option}"), value));
    let stem = || Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = given("name").map(|(what, name)| creature_name(&what, name)).transpose()?.unwrap_or_else(stem);
    let at = given("at").map(|(what, at)| vector(&what, at)).transpose()?.unwrap_or(DVec3::ZERO);
    let turned = given("rotation").map(|(what, value)| rotation(&what, value)).transpose()?;
    let pose = Pose { rotation: turned.unwrap_or(DQuat::IDENTITY), translation: at };
    let mut settings = BTreeMap::new();
    for (key, value) in options.iter().filter(|(key, _)| !RESERVED.contains(&key.as_str())) {
        settings.insert(key.to_string(), param_value(&format!("{of}: {key}"), value)?);
    }
    Ok(Wanted { name, pose, settings })
}

fn creature_name(what: &str, value: &Dynamic) -> Given<String> {
    let name = text(what, value)?;
    let is_fit = !name.trim().is_empty() && !name.chars().any(char::is_control) && name.len() <= 100;
    if is_fit { Ok(name) } else { Err(wrong(what, "one line of 1 to 100 characters", value)) }
}

/// Begins a creature: what is added from now on is its own.
fn enter(stage: &mut Stage, engine: &Engine, name: &str, wanted: &Wanted) -> Answer<Rc<Home>> {
    let path = stage.folder.find(name).map_err(Fault::from)?;
    if stage.creatures.is_running(&path) {
        let conflict = "this file is running already: a creature cannot contain itself";
        return Err(Fault::Conflict { of: format!("creature \"{name}\""), conflict }.into());
    }
    if stage.creatures.depth() >= MAX_DEPTH || stage.scene.creatures.len() >= MAX_CREATURES {
        return Err(Fault::Limit("creatures may be nested 4 deep, and a scene may have 10000 of them").into());
    }
    let file = match stage.creatures.known(&path) {
        Some(known) => known,
        None => compiled(stage, engine, name, &path)?,
    };
    let full = stage.named(&wanted.name);
    if stage.scene.creatures.iter().any(|creature| creature.name == full) {
        let conflict = "there is another creature of this name: give each its own, for example name: \"bug \" + i";
        return Err(Fault::Conflict { of: format!("creature `{full}`"), conflict }.into());
    }
    let prefix: Arc<str> = format!("{full}{SEPARATOR}").into();
    let programs = &mut stage.scene.programs;
    let program = programs.iter().position(|program| Arc::ptr_eq(program, &file.program)).unwrap_or_else(|| {
        programs.push(file.program.clone());
        programs.len() - 1
    });
    let frame = stage.creatures.innermost().map_or(wanted.pose, |outer| outer.frame * wanted.pose);
    let (number, home) = (stage.scene.creatures.len(), Rc::new(Home { prefix: prefix.clone(), file }));
    // The scene's own script comes before all others.
    let described =
        CreatureDescription { name: full, file: name.to_owned(), params: Vec::new(), prefix, program: program + 1 };
    stage.scene.creatures.push(described);
    let (home, settings) = (home, wanted.settings.clone());
    stage.creatures.enter(Scope { number, home: home.clone(), path, frame, settings, params: Vec::new() });
    Ok(home)
}

fn compiled(stage: &mut Stage, engine: &Engine, name: &str, path: &Path) -> Answer<Rc<CreatureFile>> {
    let (location, text) = stage.folder.read_text(name, MAX_BYTES).map_err(Fault::from)?;
    let (called, folder) = (name.to_owned(), stage.folder.clone());
    let opened = Opened { name: called, text, folder, location: Some(location), is_robot: false };
    let failed = |error: SceneError| faults::within(error, name);
    let program = Arc::new(Program::new(&opened).map_err(failed)?);
    let tree = engine.compile_with_scope(&constants_in_scope(), &program.text);
    let tree = Rc::new(tree.map_err(|error| failed(faults::of_parsing(&error, &program)))?);
    let file = Rc::new(CreatureFile { program, tree });
    stage.creatures.learn(path.to_owned(), &file);
    Ok(file)
}

/// Ends a creature, whose parameters are known now.
fn finish(stage: &mut Stage, scope: Scope) -> Result<(), Box<EvalAltResult>> {
    let known = || scope.params.iter().map(|param| param.name.as_str());
    if let Some(taken) = known().find(|name| RESERVED.contains(name)) {
        let of = format!("parameter `{taken}` of the creature's file");
        return Err(Fault::Conflict { of, conflict: "creature(...) uses this name itself: choose another one" }.into());
    }
    if let Some(name) = scope.settings.keys().find(|name| !known().any(|known| known == *name)) {
        let (name, similar) = (name.clone(), similar(name, known().chain(RESERVED)));
        let remedy = "; its file makes them with param(...)";
        return Err(Fault::Unknown { of: "creature", kind: "parameter", name, similar, remedy }.into());
    }
    stage.scene.creatures[scope.number].params = scope.params;
    Ok(())
}
