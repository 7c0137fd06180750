//! Arithmetic in scripts: `1/2` is 0.5, and functions give the same bits on every machine.

use super::error::Fault;
use super::stage::Answer;
use super::values::{Given, whole};
use rhai::{Dynamic, Engine, Module, Scope};
use std::any::TypeId;
use std::f64::consts::{PI, TAU};

/// Registers operators, functions and units.
pub(super) fn register(engine: &mut Engine) {
    operators(engine);
    elementary(engine);
    rounding(engine);
    units(engine);
    ranges(engine);
}

/// Constants that are available everywhere in scripts, including functions.
pub(super) const CONSTANTS: [(&str, f64); 2] = [("PI", PI), ("TAU", TAU)];

/// The constants as a module.
pub(super) fn constants() -> Module {
    let mut module = Module::new();
    for (name, value) in CONSTANTS {
        module.set_var(name, value);
    }
    module
}

/// The constants for the parser, and for functions without a name.
pub(super) fn constants_in_scope() -> Scope<'static> {
    let mut constants = Scope::new();
    for (name, value) in CONSTANTS {
        constants.push_constant(name, value);
    }
    constants
}

/// Rhai's integer division truncates, and its floating-point power differs between machines.
fn operators(engine: &mut Engine) {
    engine.set_fast_operators(false);
    engine.register_fn("/", |a: i64, b: i64| divide(a, b));
    engine.register_fn("**", |a: i64, b: i64| power(a, b));
    assigning(engine, "/=", divide);
    assigning(engine, "**=", |a, b| Ok(power(a, b)));
    engine.register_fn("**", libm::pow);
    engine.register_fn("**", |a: f64, b: i64| libm::pow(a, b as f64));
    engine.register_fn("**", |a: i64, b: f64| libm::pow(a as f64, b));
    engine.register_fn("**=", |a: &mut f64, b: f64| *a = libm::pow(*a, b));
    engine.register_fn("**=", |a: &mut f64, b: i64| *a = libm::pow(*a, b as f64));
}

fn divide(a: i64, b: i64) -> Answer<Dynamic> {
    if b == 0 { Err(Fault::Run("division by zero".to_owned()).into()) } else { Ok((a as f64 / b as f64).into()) }
}

/// An integer if the result is one and does not overflow.
fn power(a: i64, b: i64) -> Dynamic {
    let exact = u32::try_from(b).ok().and_then(|b| a.checked_pow(b));
    exact.map_or_else(|| libm::pow(a as f64, b as f64).into(), Dynamic::from)
}

/// An assignment operator on integers whose result may be a float.
fn assigning(engine: &mut Engine, name: &str, operator: fn(i64, i64) -> Answer<Dynamic>) {
    engine.register_raw_fn(name, [TypeId::of::<i64>(); 2], move |_, operands| {
        if let [Ok(a), Ok(b)] = [operands[0].as_int(), operands[1].as_int()] {
            *operands[0] = operator(a, b)?;
        }
        Ok(())
    });
}

fn elementary(engine: &mut Engine) {
    for (name, function) in [
        ("sin", libm::sin as fn(f64) -> f64),
        ("cos", libm::cos),
        ("tan", libm::tan),
        ("asin", libm::asin),
        ("acos", libm::acos),
        ("atan", libm::atan),
        ("sinh", libm::sinh),
        ("cosh", libm::cosh),
        ("tanh", libm::tanh),
        ("asinh", libm::asinh),
        ("acosh", libm::acosh),
        ("atanh", libm::atanh),
        ("sqrt", libm::sqrt),
        ("cbrt", libm::cbrt),
        ("exp", libm::exp),
        ("ln", libm::log),
        ("log", libm::log10),
    ] {
        register_unary(engine, name, function);
    }
    register_binary(engine, "atan2", libm::atan2);
    register_binary(engine, "atan", libm::atan2);
    register_binary(engine, "hypot", libm::hypot);
    register_binary(engine, "pow", libm::pow);
    register_binary(engine, "log", |x, base| libm::log(x) / libm::log(base));
}

fn rounding(engine: &mut Engine) {
    for (name, function) in [
        ("floor", libm::floor as fn(f64) -> f64),
        ("ceil", libm::ceil),
        ("ceiling", libm::ceil),
        ("round", libm::round),
        ("int", libm::trunc),
    ] {
        register_unary(engine, name, function);
    }
}

/// Units: `deg(30)` is 30 degrees in radians.
fn units(engine: &mut Engine) {
    for (name, factor) in [
        ("rpm", TAU / 60.0),
        ("hz", TAU),
        ("inch", 0.0254),
        ("foot", 0.3048),
        ("pound", 0.453_592_37),
        ("ounce", 0.453_592_37 / 16.0),
    ] {
        register_unary(engine, name, move |x| x * factor);
    }
    // Division gives the number nearest to the decimal fraction; multiplication by a rounded power of ten may not.
    for (name, divisor) in [("mm", 1000.0), ("cm", 100.0), ("gram", 1000.0)] {
        register_unary(engine, name, move |x| x / divisor);
    }
    register_unary(engine, "deg", |x| x * PI / 180.0);
}

/// Ranges accept integral floats, which divisions give: `0..n/2` for even `n`.
fn ranges(engine: &mut Engine) {
    fn end(value: &Dynamic) -> Given<i64> {
        whole("the end of a range", value)
    }
    engine.register_fn("..", |a: i64, b: f64| -> Answer<_> { Ok(a..end(&b.into())?) });
    engine.register_fn("..", |a: f64, b: i64| -> Answer<_> { Ok(end(&a.into())?..b) });
    engine.register_fn("..", |a: f64, b: f64| -> Answer<_> { Ok(end(&a.into())?..end(&b.into())?) });
    engine.register_fn("..=", |a: i64, b: f64| -> Answer<_> { Ok(a..=end(&b.into())?) });
    engine.register_fn("..=", |a: f64, b: i64| -> Answer<_> { Ok(end(&a.into())?..=b) });
    engine.register_fn("..=", |a: f64, b: f64| -> Answer<_> { Ok(end(&a.into())?..=end(&b.into())?) });
}

fn register_unary(engine: &mut Engine, name: &str, function: impl Fn(f64) -> f64 + Copy + 'static) {
    engine.register_fn(name, move |x: f64| function(x));
    engine.register_fn(name, move |x: i64| function(x as f64));
}

fn register_binary(engine: &mut Engine, name: &str, function: impl Fn(f64, f64) -> f64 + Copy + 'static) {
    engine.register_fn(name, move |x: f64, y: f64| function(x, y));
    engine.register_fn(name, move |x: i64, y: f64| function(x as f64, y));
    engine.register_fn(name, move |x: f64, y: i64| function(x, y as f64));
    engine.register_fn(name, move |x: i64, y: i64| function(x as f64, y as f64));
}
