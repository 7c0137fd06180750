//! The reports of one run: the functions that its script kept, called with a view of the world.

use super::description::ParamValue;
use super::error::SceneError;
use super::faults::Role;
use super::program::Program;
use super::reports::{Asked, Kept};
use super::stage::param_value;
use super::steps::Steps;
use super::tally::Tally;
use super::values::Given;
use super::view::{SharedLent, View};
use super::{Fault, faults};
use impulse::world::{MotionWindow, World};
use rhai::{AST, Dynamic, Engine, FnPtr};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// What the functions of a script need to be called: made once for all runs of a script.
pub(super) struct Caller {
    pub(super) engine: Engine,
    pub(super) script: Rc<AST>,
    pub(super) program: Arc<Program>,
    pub(super) lent: SharedLent,
    pub(super) steps: Steps,
}

/// The reports of a scene in one of its runs.
///
/// They belong to the thread that read the script: functions of scripts cannot be sent to another.
pub struct Reports {
    caller: Rc<Caller>,
    asked: Vec<Kept>,
    /// What is known so far, in the order of `asked`.
    known: Vec<Option<Result<ParamValue, SceneError>>>,
    windows: Option<Vec<MotionWindow>>,
    tally: Tally,
    /// Time between two looks, s.
    every: f64,
}

/// What a look found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The run goes on.
    GoOn,
    /// A condition of `finish` holds.
    Finished,
}

/// A report after a run.
#[derive(Clone, Debug)]
pub struct Reported {
    /// Its name.
    pub name: String,
    /// Its value; none if its condition never held; or why it has none.
    pub value: Result<Option<ParamValue>, SceneError>,
}

impl Reports {
    pub(super) fn new(caller: &Rc<Caller>, asked: Vec<Kept>, every: f64) -> Self {
        // Windows cost time at every look, and few scripts ask for mean velocities.
        let homes = asked.iter().filter_map(|kept| kept.home.as_ref()).map(|home| &home.file.program);
        let asks_means = homes.chain([&caller.program]).any(|program| program.text.contains("mean_velocity"));
        let windows = asks_means.then(Vec::new);
        let known = asked.iter().map(|_| None).collect();
        Self { caller: caller.clone(), asked, known, windows, tally: Tally::default(), every }
    }

    /// Whether there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// Time between two looks, s; none if nothing is asked while the run lasts.
    pub fn look_every(&self) -> Option<f64> {
        let ends_only = self.asked.iter().all(|kept| matches!(kept.asked, Asked::Report { .. } | Asked::Told { .. }));
        (!ends_only).then_some(self.every)
    }

    /// How long before the end a run must be looked at for means over the last look, s.
    pub fn last_window(&self) -> Option<f64> {
        (self.windows.is_some() && !self.asked.is_empty()).then_some(self.every)
    }

    /// The impacts so far, to be counted by whoever runs the events.
    pub fn tally(&mut self) -> &mut Tally {
        &mut self.tally
    }

    /// Begins the time over which `mean_velocity` is taken.
    pub fn begin_window(&mut self, world: &World) {
        if let Some(windows) = &mut self.windows {
            windows.clear();
            windows.extend(world.bodies().filter_map(|body| world.motion_window(body)));
        }
    }

    /// Asks everything that is asked while a run lasts. The world is as before; it is lent to the script for the time of the look.
    pub fn look(&mut self, world: &mut World) -> Look {
        let mut found = Look::GoOn;
        for i in 0..self.asked.len() {
            if self.known[i].is_some() {
                continue;
            }
            let (condition, value) = match &self.asked[i].asked {
                Asked::Report { .. } | Asked::Told { .. } => continue,
                Asked::ReportWhen { condition, value, .. } => (condition.clone(), Some(value.clone())),
                Asked::Finish { condition } => (condition.clone(), None),
            };
            match (self.holds(world, &condition, i), value) {
                (Ok(false), _) => {}
                (Ok(true), None) => found = Look::Finished,
                (Ok(true), Some(value)) => self.known[i] = Some(self.value(world, &value, i)),
                // One that fails once is not asked again.
                (Err(error), _) => self.known[i] = Some(Err(error)),
            }
        }
        found
    }

    /// Asks what is asked at the end, and gives all reports in the script's order, with what behaviours told.
    pub(crate) fn conclude(mut self, world: &mut World, told: &BTreeMap<String, ParamValue>) -> Vec<Reported> {
        for i in 0..self.asked.len() {
            match &self.asked[i].asked {
                Asked::Report { value, .. } => {
                    let value = value.clone();
                    self.known[i] = Some(self.value(world, &value, i));
                }
                Asked::Told { name } => self.known[i] = told.get(name).cloned().map(Ok),
                Asked::ReportWhen { .. } | Asked::Finish { .. } => {}
            }
        }
        let all = self.asked.iter().zip(self.known);
        let reported = |(kept, known): (&Kept, Option<Result<ParamValue, SceneError>>)| {
            let failed_finish = || known.as_ref().is_some_and(Result::is_err).then_some("finish");
            let name = kept.asked.name().or_else(failed_finish)?.to_owned();
            Some(Reported { name, value: known.transpose() })
        };
        all.filter_map(reported).collect()
    }

    fn holds(&mut self, world: &mut World, condition: &FnPtr, i: usize) -> Result<bool, SceneError> {
        let answer = self.call(world, condition, i)?;
        let told = answer.as_bool().map_err(|_| super::values::wrong(self.of(i), "true or false", &answer));
        told.map_err(|fault| self.wrong_answer(fault, i))
    }

    fn value(&mut self, world: &mut World, value: &FnPtr, i: usize) -> Result<ParamValue, SceneError> {
        let answer = self.call(world, value, i)?;
        reported_value(self.of(i), &answer).map_err(|fault| self.wrong_answer(fault, i))
    }

    fn call(&mut self, world: &mut World, function: &FnPtr, i: usize) -> Result<Dynamic, SceneError> {
        let caller = self.caller.clone();
        let Caller { engine, script, program, lent, steps } = &*caller;
        let Kept { place, home, .. } = self.asked[i].clone();
        let (script, program) = home.as_ref().map_or((script, program), |home| (&home.file.tree, &home.file.program));
        steps.restart();
        self.swap(world);
        lent.borrow_mut().prefix = home.as_ref().map(|home| home.prefix.clone());
        let answer = function.call::<Dynamic>(engine, script, (View,));
        debug_assert!(lent.try_borrow_mut().is_ok(), "no function keeps the world");
        self.swap(world);
        answer.map_err(|error| faults::of_looking(*error, place, program, Role::Report))
    }

    /// Lends the world to the functions of the script, or takes it back.
    fn swap(&mut self, world: &mut World) {
        let mut lent = self.caller.lent.borrow_mut();
        std::mem::swap(&mut lent.world, world);
        std::mem::swap(&mut lent.tally, &mut self.tally);
        if let Some(windows) = &mut self.windows {
            std::mem::swap(&mut lent.windows, windows);
        }
    }

    fn of(&self, i: usize) -> &'static str {
        if self.asked[i].asked.name().is_some() { "what it reports" } else { "the condition" }
    }

    /// The function ran, but its answer is of no use.
    fn wrong_answer(&self, fault: Fault, i: usize) -> SceneError {
        let Kept { place, home, .. } = &self.asked[i];
        faults::at(*place, fault, home.as_ref().map_or(&self.caller.program, |home| &home.file.program))
    }
}

/// What a report may be. A number must be finite, or it could not be compared, averaged or written.
fn reported_value(what: &str, answer: &Dynamic) -> Given<ParamValue> {
    if answer.is_unit() {
        return Err(Fault::WrongType {
            what: what.to_owned(),
            expected: "a number, true, false or a text",
            found: "nothing: does the function end with a semicolon?".to_owned(),
        });
    }
    param_value(what, answer)
}
