//! Scripted motions (section 2.5): spinner, oscillator, cycler, keyframes.

use super::error::Fault;
use super::stage::Answer;
use super::values::{Given, Options, array, number, rotation, vector};
use glam::{DQuat, DVec3};
use impulse::body::{Cycle, Keyframe, Keyframes, ScriptClock, ScriptError, Scripted};
use impulse::math::Pose;
use rhai::{Dynamic, Engine, Map};

/// A motion that has not been given to a body yet.
#[derive(Clone, Debug)]
pub(super) enum Script {
    /// Rotates about an axis at a rate in rad/s, through the body's position unless another point is given.
    Spinner { axis: DVec3, rate: f64, through: Option<DVec3>, clock: ScriptClock },
    /// Moves by `cosine cos(theta) + sine sin(theta)`, where theta increases by `rate` (rad/s).
    Cycler { cosine: DVec3, sine: DVec3, rate: f64, clock: ScriptClock },
    /// Passes through poses at given times. A position or rotation that is not given is the body's own.
    Keyframes(Vec<(f64, Option<DVec3>, Option<DQuat>)>),
}

/// The body at the start of its script.
pub(super) struct Placed {
    pub(super) world_from_shape: Pose,
    /// Centre of mass in the shape's frame, m.
    pub(super) com: DVec3,
}

impl Script {
    /// The motion of the body's centre of mass and axes.
    pub(super) fn placed(&self, body: &Placed) -> Result<Scripted, ScriptError> {
        let shape = body.world_from_shape;
        let at_com = |world_from_shape: Pose| world_from_shape * Pose::from_translation(body.com);
        Ok(match self {
            Self::Spinner { axis, rate, through, clock } => {
                let through = through.unwrap_or(shape.translation);
                Cycle::spinner(at_com(shape), *axis, through, *rate)?.with_clock(*clock)?.into()
            }
            Self::Cycler { cosine, sine, rate, clock } => {
                Cycle::cycler(at_com(shape), *cosine, *sine, *rate)?.with_clock(*clock)?.into()
            }
            Self::Keyframes(keys) => {
                let key = |(time, at, rotation): &(f64, Option<DVec3>, Option<DQuat>)| {
                    let (translation, rotation) = (at.unwrap_or(shape.translation), rotation.unwrap_or(shape.rotation));
                    Keyframe { time: *time, world_from_body: at_com(Pose { rotation, translation }) }
                };
                Keyframes::new(&keys.iter().map(key).collect::<Vec<_>>())?.into()
            }
        })
    }
}

/// Registers the functions that make motions.
pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Script>("motion");
    engine.register_fn("spinner", |axis: Dynamic, rate: Dynamic| spinner(&axis, &rate, &none()));
    engine.register_fn("spinner", |axis: Dynamic, rate: Dynamic, options: Dynamic| spinner(&axis, &rate, &options));
    engine.register_fn("oscillator", |amplitude: Dynamic, rate: Dynamic| oscillator(&amplitude, &rate, &none()));
    engine.register_fn("oscillator", |amplitude: Dynamic, rate: Dynamic, options: Dynamic| {
        oscillator(&amplitude, &rate, &options)
    });
    engine.register_fn("cycler", |cosine: Dynamic, sine: Dynamic, rate: Dynamic| {
        cycler([&cosine, &sine], &rate, &none())
    });
    engine.register_fn("cycler", |cosine: Dynamic, sine: Dynamic, rate: Dynamic, options: Dynamic| {
        cycler([&cosine, &sine], &rate, &options)
    });
    engine.register_fn("keyframes", |keys: Dynamic| -> Answer<Script> { Ok(keyframes(&keys)?) });
}

fn none() -> Dynamic {
    Map::new().into()
}

fn spinner(axis: &Dynamic, rate: &Dynamic, options: &Dynamic) -> Answer<Script> {
    let options = Options::new("spinner".to_owned(), options, &["through", "phase", "start"])?;
    let axis = vector("spinner: axis", axis)?;
    if axis == DVec3::ZERO {
        return Err(Fault::Motion { of: "spinner".to_owned(), error: ScriptError::Axis(axis) }.into());
    }
    let (rate, through) = (number("spinner: rate", rate)?, options.get("through", vector)?);
    Ok(Script::Spinner { axis, rate, through, clock: clock(&options)? })
}

fn oscillator(amplitude: &Dynamic, rate: &Dynamic, options: &Dynamic) -> Answer<Script> {
    let options = Options::new("oscillator".to_owned(), options, &["phase", "start"])?;
    let sine = vector("oscillator: amplitude", amplitude)?;
    let rate = number("oscillator: rate", rate)?;
    Ok(Script::Cycler { cosine: DVec3::ZERO, sine, rate, clock: clock(&options)? })
}

fn cycler(ellipse: [&Dynamic; 2], rate: &Dynamic, options: &Dynamic) -> Answer<Script> {
    let options = Options::new("cycler".to_owned(), options, &["phase", "start"])?;
    let [cosine, sine] = ["cycler: cosine", "cycler: sine"];
    let (cosine, sine) = (vector(cosine, ellipse[0])?, vector(sine, ellipse[1])?);
    Ok(Script::Cycler { cosine, sine, rate: number("cycler: rate", rate)?, clock: clock(&options)? })
}

fn clock(options: &Options) -> Given<ScriptClock> {
    let (start, phase) = (options.get("start", number)?, options.get("phase", number)?);
    Ok(ScriptClock { start: start.unwrap_or(0.0), phase: phase.unwrap_or(0.0) })
}

fn keyframes(keys: &Dynamic) -> Given<Script> {
    let keys = array("keyframes", "an array [#{ time: 0, at: [x, y, z] }, ...]", keys)?;
    let key = |(i, key): (usize, &Dynamic)| {
        let options = Options::new(format!("keyframe {i}"), key, &["time", "at", "rotation"])?;
        let time = options.get("time", number)?.ok_or_else(|| options.missing("time"))?;
        Ok((time, options.get("at", vector)?, options.get("rotation", rotation)?))
    };
    Ok(Script::Keyframes(keys.iter().enumerate().map(key).collect::<Given<_>>()?))
}
