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
    Spinner { axis: DVec3, rate: f64, through: Option<DVec3>, begin: Begin },
    /// Moves by `cosine cos(theta) + sine sin(theta)`, where theta increases by `rate` (rad/s).
    Cycler { cosine: DVec3, sine: DVec3, rate: f64, begin: Begin },
    /// Passes through poses at given times. A position or rotation that is not given is the body's own.
    Keyframes(Vec<(f64, Option<DVec3>, Option<DQuat>)>),
}

/// When a periodic motion passes which angle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begin {
    /// A time, s: where none is given, that at which the body is given the motion.
    start: Option<f64>,
    /// The angle at that time, rad.
    phase: f64,
}

impl Begin {
    fn clock(self, now: f64) -> ScriptClock {
        ScriptClock { start: self.start.unwrap_or(now), phase: self.phase }
    }
}

/// The body at the start of its script.
pub(super) struct Placed {
    pub(super) world_from_shape: Pose,
    /// Centre of mass in the shape's frame, m.
    pub(super) com: DVec3,
    /// Time, s.
    pub(super) now: f64,
}

impl Script {
    /// The motion of the body's centre of mass and axes.
    pub(super) fn placed(&self, body: &Placed) -> Result<Scripted, ScriptError> {
        let shape = body.world_from_shape;
        let at_com = |world_from_shape: Pose| world_from_shape * Pose::from_translation(body.com);
        Ok(match self {
            Self::Spinner { axis, rate, through, begin } => {
                let through = through.unwrap_or(shape.translation);
                Cycle::spinner(at_com(shape), *axis, through, *rate)?.with_clock(begin.clock(body.now))?.into()
            }
            Self::Cycler { cosine, sine, rate, begin } => {
                Cycle::cycler(at_com(shape), *cosine, *sine, *rate)?.with_clock(begin.clock(body.now))?.into()
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
    Ok(Script::Spinner { axis, rate, through, begin: begin(&options)? })
}

fn oscillator(amplitude: &Dynamic, rate: &Dynamic, options: &Dynamic) -> Answer<Script> {
    let options = Options::new("oscillator".to_owned(), options, &["phase", "start"])?;
    let sine = vector("oscillator: amplitude", amplitude)?;
    let rate = number("oscillator: rate", rate)?;
    Ok(Script::Cycler { cosine: DVec3::ZERO, sine, rate, begin: begin(&options)? })
}

fn cycler(ellipse: [&Dynamic; 2], rate: &Dynamic, options: &Dynamic) -> Answer<Script> {
    let options = Options::new("cycler".to_owned(), options, &["phase", "start"])?;
    let [cosine, sine] = ["cycler: cosine", "cycler: sine"];
    let (cosine, sine) = (vector(cosine, ellipse[0])?, vector(sine, ellipse[1])?);
    Ok(Script::Cycler { cosine, sine, rate: number("cycler: rate", rate)?, begin: begin(&options)? })
}

fn begin(options: &Options) -> Given<Begin> {
    Ok(Begin { start: options.get("start", number)?, phase: options.get("phase", number)?.unwrap_or(0.0) })
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
