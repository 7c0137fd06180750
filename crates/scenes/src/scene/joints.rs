//! Joints of scripts: `joint(name, a, b, kind, #{ options })` (thesis sections 4.2, 5.4.1).

use super::description::{JointDescription, MotionDescription};
use super::error::Fault;
use super::stage::{Answer, SharedStage, Stage};
use super::suggest::similar;
use super::values::{Given, Options, array, number, own, text, vector, wrong};
use glam::DVec3;
use impulse::multibody::{Elements, JointPlace, LimitRange, Limits, Spring};
use rhai::{Dynamic, Engine, Map};

/// The options of a joint.
const OPTIONS: &[&str] =
    &["limits", "restitution", "damping", "spring", "friction", "armature", "rate", "start", "collide_within"];

/// The body of scripts that stands for what never moves.
const GROUND: &str = "ground";

/// Registers `joint`, which returns the joint's name, the kinds of joints, and `ignore`.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    engine.register_type_with_name::<JointPlace>("kind of joint");
    engine.register_fn("hinge", |axis: Dynamic, through: Dynamic| -> Answer<JointPlace> {
        Ok(JointPlace::Hinge { axis: direction("hinge", &axis)?, through: vector("hinge: through", &through)? })
    });
    engine.register_fn("slider", |axis: Dynamic| -> Answer<JointPlace> {
        Ok(JointPlace::Slider { axis: direction("slider", &axis)? })
    });
    engine.register_fn("socket", |through: Dynamic| -> Answer<JointPlace> {
        Ok(JointPlace::Socket { through: vector("socket: through", &through)? })
    });
    engine.register_fn("planar", |normal: Dynamic| -> Answer<JointPlace> {
        Ok(JointPlace::Planar { normal: direction("planar", &normal)? })
    });
    engine.register_fn("weld", || JointPlace::Weld);
    type Five<'a> = [&'a Dynamic; 4];
    let add = |stage: &mut Stage, given: Five<'_>, options: &Dynamic| joint(stage, given, options);
    let shared = stage.clone();
    engine.register_fn(
        "joint",
        move |name: Dynamic, a: Dynamic, b: Dynamic, kind: Dynamic, options: Dynamic| -> Answer<String> {
            Ok(add(&mut shared.borrow_mut(), [&name, &a, &b, &kind], &options)?)
        },
    );
    let shared = stage.clone();
    engine.register_fn("joint", move |name: Dynamic, a: Dynamic, b: Dynamic, kind: Dynamic| -> Answer<String> {
        Ok(add(&mut shared.borrow_mut(), [&name, &a, &b, &kind], &Map::new().into())?)
    });
    let shared = stage.clone();
    engine.register_fn("ignore", move |a: Dynamic, b: Dynamic| -> Answer<()> {
        Ok(ignore(&mut shared.borrow_mut(), &a, &b)?)
    });
}

fn direction(of: &str, axis: &Dynamic) -> Given<DVec3> {
    let what = format!("{of}: axis");
    let axis_vector = vector(&what, axis)?;
    if axis_vector == DVec3::ZERO { Err(wrong(&what, "a vector that is not zero", axis)) } else { Ok(axis_vector) }
}

fn joint(stage: &mut Stage, [name, a, b, kind]: [&Dynamic; 4], options: &Dynamic) -> Given<String> {
    let name = text("joint: the name", name)?;
    let of = format!("joint `{name}`");
    let bodies = [end(stage, &of, a)?, end(stage, &of, b)?];
    let place: JointPlace = own(&of, "a kind of joint such as hinge([0, 1, 0], [0, 0, 1])", kind)?;
    let options = Options::new(of, options, OPTIONS)?;
    let elements = elements(&options)?;
    let rate = options.get("rate", rate)?.unwrap_or(DVec3::ZERO);
    let start = options.get("start", number)?.unwrap_or(0.0);
    let collides = options.flag("collide_within")?;
    let fixed = |body: Option<usize>| {
        body.is_none_or(|i| !matches!(stage.scene.bodies[i].motion, MotionDescription::Free { .. }))
    };
    if fixed(bodies[0]) && fixed(bodies[1]) {
        return Err(options.conflict("neither of its bodies can be moved: make one of them free"));
    }
    let joint = JointDescription { name: name.clone(), bodies, place, elements, rate, collides, start, effort: None };
    joint.check().map_err(|fault| Fault::Joint { of: options.of().to_owned(), fault })?;
    stage.add_joint(joint)?;
    Ok(name)
}

/// One of the bodies of a joint; none for the ground.
fn end(stage: &Stage, of: &str, body: &Dynamic) -> Given<Option<usize>> {
    let name = text(&format!("{of}: a body"), body)?;
    let full = stage.named(&name);
    match stage.scene.bodies.iter().position(|body| body.name == full) {
        Some(index) => Ok(Some(index)),
        None if name == GROUND => Ok(None),
        None => {
            let names = stage.scene.bodies.iter().map(|body| body.name.as_str()).chain([GROUND]);
            Err(Fault::UnknownBody { of: of.to_owned(), similar: similar(&name, names), name })
        }
    }
}

fn ignore(stage: &mut Stage, a: &Dynamic, b: &Dynamic) -> Given<()> {
    let of = "ignore".to_owned();
    let [Some(a), Some(b)] = [end(stage, &of, a)?, end(stage, &of, b)?] else {
        return Err(Fault::Conflict { of, conflict: "name two bodies: the ground does not collide" });
    };
    stage.scene.ignored.push([a, b]);
    Ok(())
}

fn elements(options: &Options) -> Given<Elements> {
    let restitution = options.get("restitution", number)?;
    let limits = options.get("limits", limits)?;
    if restitution.is_some() && limits.is_none() {
        return Err(options.conflict("restitution is that of its limits: give limits too"));
    }
    Ok(Elements {
        damping: options.get("damping", number)?.unwrap_or(0.0),
        spring: options.get("spring", spring)?,
        friction: options.get("friction", number)?.unwrap_or(0.0),
        limits: limits.map(|range| Limits { range, restitution: restitution.unwrap_or(0.0) }),
        armature: options.get("armature", number)?.unwrap_or(0.0),
    })
}

fn limits(what: &str, value: &Dynamic) -> Given<LimitRange> {
    if !value.is_array() {
        return number(what, value).map(LimitRange::Cone);
    }
    let ends = array(what, "two numbers [low, high], or the angle of a cone", value)?;
    match ends.as_slice() {
        [low, high] => Ok(LimitRange::Interval([number(what, low)?, number(what, high)?])),
        _ => Err(wrong(what, "two numbers [low, high], or the angle of a cone", value)),
    }
}

fn spring(what: &str, value: &Dynamic) -> Given<Spring> {
    if !value.is_map() {
        return number(what, value).map(|stiffness| Spring::Linear { stiffness, rest: 0.0 });
    }
    let options = Options::new(what.to_owned(), value, &["stiffness", "rest", "hard", "end"])?;
    match (options.get("stiffness", number)?, options.get("hard", number)?) {
        (Some(stiffness), None) => Ok(Spring::Linear { stiffness, rest: options.get("rest", number)?.unwrap_or(0.0) }),
        (None, Some(strength)) => {
            let end =
                options.get("end", number)?.ok_or_else(|| options.missing("`end`, where the hard spring ends"))?;
            Ok(Spring::Hard { strength, end })
        }
        _ => Err(options.missing("either `stiffness` or `hard`")),
    }
}

fn rate(what: &str, value: &Dynamic) -> Given<DVec3> {
    if value.is_array() { vector(what, value) } else { number(what, value).map(|rate| DVec3::new(rate, 0.0, 0.0)) }
}
