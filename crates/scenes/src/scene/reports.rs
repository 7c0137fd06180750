//! What a scene reports: functions that are kept with the script and called with a view of the world, at the end of a run or while it
//! lasts.

use super::error::{Fault, shortened};
use super::scope::Home;
use super::stage::{Answer, SharedStage, Stage};
use super::values::{Given, number, text, wrong};
use rhai::{Dynamic, Engine, FnPtr, NativeCallContext, Position};
use std::rc::Rc;

/// Most reports of a scene.
const MAX_REPORTS: usize = 1000;

/// Least time between two looks, s: a billion looks in a day of simulated time are enough.
const MIN_LOOK: f64 = 1e-6;

/// A function that is kept, and where the script asks for it.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) asked: Asked,
    pub(super) place: Position,
    /// The creature in whose file it is; none for the scene's own.
    pub(super) home: Option<Rc<Home>>,
}

/// What a function is kept for.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    /// A value at the end.
    Report { name: String, value: FnPtr },
    /// A value at the first look at which a condition holds.
    ReportWhen { name: String, condition: FnPtr, value: FnPtr },
    /// A value that a behaviour tells.
    Told { name: String },
    /// Whether the run is over.
    Finish { condition: FnPtr },
}

impl Asked {
    /// Its name, if it is a report.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Report { name, .. } | Self::ReportWhen { name, .. } | Self::Told { name } => Some(name),
            Self::Finish { .. } => None,
        }
    }

    fn name_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Report { name, .. } | Self::ReportWhen { name, .. } | Self::Told { name } => Some(name),
            Self::Finish { .. } => None,
        }
    }
}

/// Registers `report`, `report_when`, `finish` and `look_every`.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    let shared = stage.clone();
    engine.register_fn("report", move |call: NativeCallContext<'_>, name: Dynamic, value: Dynamic| -> Answer<()> {
        let (name, value) = (report_name("report", &name)?, function("report: the second argument", &value)?);
        Ok(keep(&mut shared.borrow_mut(), Asked::Report { name, value }, call.call_position())?)
    });
    let shared = stage.clone();
    engine.register_fn("report", move |call: NativeCallContext<'_>, name: Dynamic| -> Answer<()> {
        let (name, stage) = (report_name("report", &name)?, &mut shared.borrow_mut());
        let full = stage.named(&name);
        keep(stage, Asked::Told { name }, call.call_position())?;
        stage.scene.told.push(full);
        Ok(())
    });
    let shared = stage.clone();
    engine.register_fn(
        "report_when",
        move |call: NativeCallContext<'_>, name: Dynamic, condition: Dynamic, value: Dynamic| -> Answer<()> {
            let name = report_name("report_when", &name)?;
            let condition = function("report_when: the condition", &condition)?;
            let value = function("report_when: the value", &value)?;
            Ok(keep(&mut shared.borrow_mut(), Asked::ReportWhen { name, condition, value }, call.call_position())?)
        },
    );
    let shared = stage.clone();
    engine.register_fn("finish", move |call: NativeCallContext<'_>, condition: Dynamic| -> Answer<()> {
        let condition = function("finish: the condition", &condition)?;
        Ok(keep(&mut shared.borrow_mut(), Asked::Finish { condition }, call.call_position())?)
    });
    let shared = stage.clone();
    engine.register_fn("look_every", move |seconds: Dynamic| -> Answer<()> {
        let value = number("look_every", &seconds)?;
        if value < MIN_LOOK {
            let expected = "at least 1e-6 seconds";
            return Err(Fault::Range { what: "look_every".to_owned(), value, expected }.into());
        }
        shared.borrow_mut().whole("look_every")?.look_every = value;
        Ok(())
    });
}

fn keep(stage: &mut Stage, mut asked: Asked, place: Position) -> Given<()> {
    if stage.asked.len() >= MAX_REPORTS {
        return Err(Fault::Limit("a scene may have at most 1000 reports"));
    }
    if let Some(name) = asked.name_mut() {
        *name = stage.named(name);
        if stage.scene.reports.contains(name) {
            return Err(Fault::DuplicateReport { name: name.clone() });
        }
        stage.scene.reports.push(name.clone());
    }
    let home = stage.scope().map(|scope| scope.home.clone());
    stage.asked.push(Kept { asked, place, home });
    Ok(())
}

/// The name becomes the heading of a column.
fn report_name(of: &str, name: &Dynamic) -> Given<String> {
    let what = format!("{of}: the name");
    let name = text(&what, name)?;
    if name.trim().is_empty() || name.chars().any(char::is_control) || name.len() > 200 {
        let found = format!("\"{}\"", shortened(&name, 40));
        return Err(Fault::WrongType { what, expected: "one line of 1 to 200 characters", found });
    }
    Ok(name)
}

fn function(what: &str, value: &Dynamic) -> Given<FnPtr> {
    value.clone().try_cast().ok_or_else(|| wrong(what, "a function of the world such as |w| w.time", value))
}
