//! The language of scenes: Rhai with our functions, without the rest of the machine.

use super::stage::SharedStage;
use super::{bodies, chance, layout, motions, numbers, shapes, stage, surfaces, walls};
use rhai::packages::{Package, StandardPackage};
use rhai::{Dynamic, Engine, OptimizationLevel};
use std::rc::Rc;

/// Most steps of a script: a loop without end reaches them in about a second.
const MAX_OPERATIONS: u64 = 10_000_000;

/// Seconds a script may compute, plus [`SECONDS_PER_BODY`] for each of its bodies; steps are not equally long.
const MAX_SECONDS: f64 = 1.5;

/// Seconds that a body earns its script.
const SECONDS_PER_BODY: f64 = 2e-4;

/// Most elements of an array, those of arrays in it included; letters of a text.
const MAX_ELEMENTS: usize = 500_000;

/// An engine whose functions build on the stage.
pub(super) fn engine(stage: &SharedStage) -> Engine {
    let mut engine = Engine::new_raw();
    StandardPackage::new().register_into_engine(&mut engine);
    engine.register_global_module(Rc::new(numbers::constants()));
    // A script runs once: there is nothing to gain, and folded constants would escape our operators.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_strict_variables(true);
    limits(&mut engine, stage);
    for word in ["import", "export", "eval"] {
        engine.disable_symbol(word);
    }
    // Rhai's own would stop the program for as long as it is told to.
    engine.register_fn("sleep", |_: f64| ());
    engine.register_fn("sleep", |_: i64| ());
    let shared = stage.clone();
    engine.on_print(move |line| shared.borrow_mut().print(line));
    let shared = stage.clone();
    engine.on_debug(move |line, _, _| shared.borrow_mut().print(line));
    numbers::register(&mut engine);
    layout::register(&mut engine);
    chance::register(&mut engine, stage);
    shapes::register(&mut engine, stage);
    walls::register(&mut engine);
    surfaces::register(&mut engine, stage);
    motions::register(&mut engine);
    bodies::register(&mut engine, stage);
    stage::register(&mut engine, stage);
    engine
}

fn limits(engine: &mut Engine, stage: &SharedStage) {
    engine.set_max_operations(MAX_OPERATIONS);
    engine.set_max_call_levels(32);
    engine.set_max_expr_depths(64, 64);
    engine.set_max_variables(128);
    engine.set_max_functions(1000);
    engine.set_max_array_size(MAX_ELEMENTS);
    engine.set_max_map_size(10_000);
    engine.set_max_string_size(MAX_ELEMENTS);
    deadline(engine, stage);
}

/// Stops scripts whose steps are few but long. Without a clock the number of steps alone must do.
fn deadline(engine: &mut Engine, stage: &SharedStage) {
    if cfg!(target_family = "wasm") {
        return;
    }
    let (shared, start) = (stage.clone(), std::time::Instant::now());
    engine.on_progress(move |operations| {
        // Asking the clock takes as long as several steps.
        if operations % 16 != 0 || start.elapsed().as_secs_f64() < MAX_SECONDS {
            return None;
        }
        let bodies = shared.try_borrow().map_or(0, |stage| stage.scene.bodies.len());
        let late = start.elapsed().as_secs_f64() > MAX_SECONDS + SECONDS_PER_BODY * bodies as f64;
        late.then_some(Dynamic::UNIT)
    });
}
