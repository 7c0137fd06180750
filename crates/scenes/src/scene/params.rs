//! Parameters of scenes: `param(name, default)`, and what a script may say of one: range, unit, meaning.

use super::description::{ParamHints, ParamValue};
use super::error::Fault;
use super::stage::{Answer, SharedStage};
use super::values::{Given, Options, number, text};
use rhai::{Dynamic, Engine};

/// Options of a parameter.
const KNOWN: &[&str] = &["min", "max", "unit", "about"];

/// Registers `param`.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    let shared = stage.clone();
    engine.register_fn("param", move |name: Dynamic, default: Dynamic| -> Answer<Dynamic> {
        Ok(shared.borrow_mut().param(&name, &default, ParamHints::default())?)
    });
    let shared = stage.clone();
    engine.register_fn("param", move |name: Dynamic, default: Dynamic, options: Dynamic| -> Answer<Dynamic> {
        let hints = hints(&name, &options)?;
        Ok(shared.borrow_mut().param(&name, &default, hints)?)
    });
}

fn hints(name: &Dynamic, options: &Dynamic) -> Given<ParamHints> {
    let options = Options::new(format!("parameter `{name}`"), options, KNOWN)?;
    let hints = ParamHints {
        min: options.get("min", number)?,
        max: options.get("max", number)?,
        unit: options.get("unit", text)?,
        about: options.get("about", text)?,
    };
    match (hints.min, hints.max) {
        (Some(min), Some(max)) if min >= max => Err(options.conflict("min must be less than max")),
        _ => Ok(hints),
    }
}

/// Refuses a value outside its range.
pub(super) fn check(name: &str, value: &ParamValue, hints: &ParamHints) -> Given<()> {
    let value = match value {
        ParamValue::Integer(whole) => *whole as f64,
        ParamValue::Number(number) => *number,
        ParamValue::Flag(_) | ParamValue::Text(_) => return Ok(()),
    };
    let inside = hints.min.is_none_or(|min| value >= min) && hints.max.is_none_or(|max| value <= max);
    if inside {
        return Ok(());
    }
    let (min, max) = (hints.min.unwrap_or(f64::NEG_INFINITY), hints.max.unwrap_or(f64::INFINITY));
    Err(Fault::ParamRange { name: name.to_owned(), value, min, max })
}
