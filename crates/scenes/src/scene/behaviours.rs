//! Behaviours of scripts: `behaviour(name, rate, |me| ...)`, functions that are called at ticks and act on the world (thesis sections
//! 5.4.3, 8.3).

use super::controllers::period;
use super::description::BehaviourDescription;
use super::error::Fault;
use super::native::Action;
use super::plain::{Function, Plain};
use super::stage::{Answer, SharedStage, Stage};
use super::values::{Given, Options, number, text, wrong};
use rhai::{Dynamic, Engine, FnPtr, Map, NativeCallContext, Position};
use std::collections::BTreeMap;

/// Most behaviours of a scene.
const MAX_BEHAVIOURS: usize = 10_000;

/// Registers `behaviour`, which returns the behaviour's name.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    let shared = stage.clone();
    engine.register_fn(
        "behaviour",
        move |call: NativeCallContext<'_>, name: Dynamic, rate: Dynamic, function: Dynamic| -> Answer<String> {
            let (stage, options) = (&mut shared.borrow_mut(), Map::new().into());
            Ok(behaviour(stage, [&name, &rate, &function], &options, call.call_position())?)
        },
    );
    let shared = stage.clone();
    engine.register_fn(
        "behaviour",
        move |call: NativeCallContext<'_>,
              name: Dynamic,
              rate: Dynamic,
              function: Dynamic,
              options: Dynamic|
              -> Answer<String> {
            let stage = &mut shared.borrow_mut();
            Ok(behaviour(stage, [&name, &rate, &function], &options, call.call_position())?)
        },
    );
}

fn behaviour(
    stage: &mut Stage,
    [name, rate, function]: [&Dynamic; 3],
    options: &Dynamic,
    place: Position,
) -> Given<String> {
    let name = text("behaviour: the name", name)?;
    let of = format!("behaviour `{name}`");
    let period = period(&format!("{of}: the rate"), rate)?;
    let Some(pointer) = function.clone().try_cast::<FnPtr>() else {
        return Err(wrong(&of, "a function such as |me| me.body(\"ball\").set_force([1, 0, 0])", function));
    };
    let options = Options::new(of, options, &["start", "memory"])?;
    let start = options.get("start", number)?.unwrap_or(0.0);
    if !(0.0..=1e9).contains(&start) {
        let what = format!("{}: start", options.of());
        return Err(Fault::Range { what, value: start, expected: "from 0 to 1e9 seconds" });
    }
    let memory = options.get("memory", memory)?.unwrap_or_default();
    let (full, creature) = (stage.named(&name), stage.scope().map(|scope| scope.number));
    if stage.scene.behaviours.iter().any(|behaviour| behaviour.name == full) {
        return Err(options.conflict("there is another behaviour of this name: give each its own"));
    }
    if stage.scene.behaviours.len() >= MAX_BEHAVIOURS {
        return Err(Fault::Limit("a scene may have at most 10000 behaviours"));
    }
    let place = [place.line().unwrap_or(0), place.position().unwrap_or(0)];
    // Variables are taken as they are now: one that a loop changes is another one for each behaviour.
    let what = format!("{}: what it uses of the script's variables", options.of());
    let action = Action::Script(Function::new(&what, &pointer)?);
    let behaviour = BehaviourDescription { name: full, start, period, memory, action, place, creature };
    stage.scene.behaviours.push(behaviour);
    Ok(name)
}

/// What a behaviour remembers: a map of plain values.
pub(super) fn memory(what: &str, value: &Dynamic) -> Given<BTreeMap<String, Plain>> {
    match Plain::new(what, value)? {
        Plain::Map(map) => Ok(map),
        _ => Err(wrong(what, "a map #{ name: value, ... }", value)),
    }
}
