//! How long a script may run, in steps. No clock is involved, so that a script ends at the same place on every machine.
//!
//! Rhai counts its own operations. A function that does much work in one call adds steps for it; a step is about 0.1 microseconds.

use rhai::{Array, Dynamic, Engine, NativeCallContext};
use std::any::TypeId;
use std::cell::Cell;
use std::rc::Rc;

/// Most steps of a script: an endless loop takes them in about a second.
pub(super) const MAX_STEPS: u64 = 10_000_000;

/// Most steps of one call of a function that reports.
pub(super) const MAX_STEPS_OF_REPORT: u64 = 1_000_000;

/// Array elements that are visited in one step.
const ELEMENTS_PER_STEP: usize = 50;

/// Steps that functions have added to Rhai's own count, and that count as it was seen last. Clones share both.
#[derive(Clone, Default)]
pub(super) struct Steps {
    added: Rc<Cell<u64>>,
    counted: Rc<Cell<u64>>,
}

impl Steps {
    /// Counts from zero again.
    pub(super) fn restart(&self) {
        self.added.set(0);
        self.counted.set(0);
    }

    /// Before a script runs within another: Rhai counts its operations from zero. Returns the count of the outer one.
    pub(super) fn begin_inner(&self) -> u64 {
        let outer = self.counted.get();
        self.added.set(self.added.get() + outer);
        self.counted.set(0);
        outer
    }

    /// After it: what it has used is used up for the outer script.
    pub(super) fn end_inner(&self, outer: u64) {
        self.added.set(self.added.get() - outer + self.counted.get());
        self.counted.set(outer);
    }

    /// Adds `each` steps for every one of `count` things.
    pub(super) fn spend(&self, count: usize, each: u64) {
        self.added.set(self.added.get().saturating_add(each.saturating_mul(count as u64)));
    }
}

/// Stops a script that has used up its steps, and makes long functions of Rhai count for more than one.
pub(super) fn register(engine: &mut Engine, counted: &Steps, most: u64) {
    let steps = counted.clone();
    engine.on_progress(move |operations| {
        steps.counted.set(operations);
        (operations + steps.added.get() > most).then_some(Dynamic::UNIT)
    });
    // Rhai checks the size of the whole array after every call.
    let steps = counted.clone();
    engine.register_fn("push", move |array: &mut Array, item: Dynamic| {
        steps.spend(array.len() / ELEMENTS_PER_STEP, 1);
        array.push(item);
    });
    let steps = counted.clone();
    engine.register_raw_fn("sort", [TypeId::of::<Array>()], move |context: NativeCallContext<'_>, arguments| {
        // A name under which Rhai's own function can still be called.
        let _unit = context.call_native_fn_raw("sort_desc", true, arguments)?;
        if let Ok(mut array) = arguments[0].as_array_mut() {
            steps.spend(array.len() / ELEMENTS_PER_STEP, u64::from(array.len().checked_ilog2().unwrap_or(0)) + 1);
            array.reverse();
        }
        Ok(())
    });
}
