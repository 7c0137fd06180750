//! The language of scenes: Rhai with our functions, without access to the rest of the machine.

use super::chance::SharedRandom;
use super::error::Fault;
use super::faults::TOO_LARGE;
use super::stage::SharedStage;
use super::steps::{MAX_STEPS, MAX_STEPS_OF_REPORT, Steps};
use super::view::SharedLent;
use super::{
    behaviours, bodies, chance, controllers, creatures, joints, layout, motions, numbers, reports, robots, shapes,
    stage, steps, surfaces, view, walls,
};
use rhai::packages::{Package, StandardPackage};
use rhai::{Engine, OptimizationLevel};
use std::cell::Cell;
use std::rc::Rc;

/// Most elements of an array, including those of nested arrays; most characters of a text.
const MAX_ELEMENTS: usize = 500_000;

/// Most entries of a map, including those of nested maps.
const MAX_ENTRIES: usize = 10_000;

/// Uses of variables between two checks of how large a map has become: a prime, so that no loop evades them.
const USES_PER_CHECK: u64 = 251;

/// An engine whose functions add to the scene on the stage.
pub(super) fn engine(stage: &SharedStage) -> Engine {
    let counted = stage.borrow().steps.clone();
    let mut engine = plain(&counted, MAX_STEPS);
    let shared = stage.clone();
    engine.on_print(move |line| shared.borrow_mut().print(line));
    let shared = stage.clone();
    engine.on_debug(move |line, _, _| shared.borrow_mut().print(line));
    chance::register(&mut engine, &stage.borrow().random);
    shapes::register(&mut engine, stage);
    walls::register(&mut engine, stage);
    surfaces::register(&mut engine, stage);
    motions::register(&mut engine);
    bodies::register(&mut engine, stage);
    joints::register(&mut engine, stage);
    robots::register(&mut engine, stage);
    controllers::register(&mut engine, stage);
    behaviours::register(&mut engine, stage);
    creatures::register(&mut engine, stage);
    reports::register(&mut engine, stage);
    stage::register(&mut engine, stage);
    engine
}

/// An engine for the functions that report: they see the world that is lent to them. What describes scenes is not there, so nothing
/// can be changed.
pub(super) fn looking_engine(lent: &SharedLent, counted: &Steps) -> Engine {
    let mut engine = plain(counted, MAX_STEPS_OF_REPORT);
    // A report is what it returns.
    engine.on_print(|_| ()).on_debug(|_, _, _| ());
    view::register(&mut engine, lent);
    view::pairs(&mut engine, lent);
    engine
}

/// An engine for behaviours: they see the world that is lent to them and draw random numbers; what acts is added to it.
pub(super) fn acting_engine(lent: &SharedLent, random: &SharedRandom, counted: &Steps) -> Engine {
    let mut engine = plain(counted, MAX_STEPS_OF_REPORT);
    engine.on_print(|_| ()).on_debug(|_, _, _| ());
    view::register(&mut engine, lent);
    motions::register(&mut engine);
    chance::register(&mut engine, random);
    engine
}

/// The language with numbers, vectors and limits.
fn plain(counted: &Steps, most_steps: u64) -> Engine {
    let mut engine = Engine::new_raw();
    StandardPackage::new().register_into_engine(&mut engine);
    engine.register_global_module(Rc::new(numbers::constants()));
    // A script runs once, so optimising gains nothing, and constant folding would bypass our operators.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_strict_variables(true);
    limits(&mut engine);
    steps::register(&mut engine, counted, most_steps);
    for word in ["import", "export", "eval"] {
        engine.disable_symbol(word);
    }
    // Rhai's own `sleep` would block the program.
    engine.register_fn("sleep", |_: f64| ());
    engine.register_fn("sleep", |_: i64| ());
    numbers::register(&mut engine);
    layout::register(&mut engine, counted);
    engine
}

fn limits(engine: &mut Engine) {
    engine.set_max_call_levels(32);
    engine.set_max_expr_depths(64, 64);
    engine.set_max_variables(128);
    engine.set_max_functions(1000);
    engine.set_max_array_size(MAX_ELEMENTS);
    engine.set_max_map_size(MAX_ENTRIES);
    watch_maps(engine);
    engine.set_max_string_size(MAX_ELEMENTS);
}

/// Rhai checks the size of a map where functions take or return it, but not where `map[key] = value` adds an entry.
#[expect(deprecated, reason = "Rhai marks `on_var` so because it may change, not because it will go")]
fn watch_maps(engine: &mut Engine) {
    let uses = Cell::new(0_u64);
    engine.on_var(move |name, _, context| {
        uses.set(uses.get() + 1);
        let due = uses.get().is_multiple_of(USES_PER_CHECK);
        let value = due.then(|| context.scope().get(name)).flatten();
        let entries = value.and_then(|value| value.as_map_ref().ok().map(|map| map.len()));
        if entries.is_some_and(|entries| entries > MAX_ENTRIES) {
            Err(Fault::Limit(TOO_LARGE).into())
        } else {
            Ok(None)
        }
    });
}
