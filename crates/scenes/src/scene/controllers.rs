//! Controllers of scripts: `controller(name, of, law, #{ options })` (thesis section 5.4.2).

use super::description::{BodyDescription, ControlDescription, ControllerDescription, MotionDescription};
use super::error::Fault;
use super::stage::{Answer, SharedStage, Stage};
use super::suggest::similar;
use super::values::{Given, Options, array, number, own, rotation, text, vector, wrong};
use glam::{DQuat, DVec3};
use impulse::control::{Feels, Gains, JointLaw, PoseLaw, Regulated};
use impulse::math::Pose;
use impulse::multibody::JointPlace;
use impulse::world::Goal;
use rhai::{Dynamic, Engine};

/// The options of a controller.
const OPTIONS: &[&str] = &["rate", "goal", "limit", "torque_limit", "feels", "start", "enabled"];

/// How something is controlled, before it is said what.
#[derive(Clone, Copy, Debug)]
enum Law {
    Joint { regulated: Regulated, gains: Gains },
    Torques { feels_contact: bool },
    Pose { linear: Gains, angular: Gains },
}

/// Registers `controller`, which returns the controller's name, and the laws.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    engine.register_type_with_name::<Law>("law of control");
    let joint_laws: [(&'static str, Regulated, &'static [&'static str]); 4] = [
        ("position_pd", Regulated::Position, &["k_p", "k_v"]),
        ("position_pid", Regulated::Position, &["k_p", "k_i", "k_v"]),
        ("rate_pd", Regulated::Rate, &["k_p", "k_v"]),
        ("rate_pid", Regulated::Rate, &["k_p", "k_i", "k_v"]),
    ];
    for (name, regulated, known) in joint_laws {
        engine.register_fn(name, move |gains: Dynamic| -> Answer<Law> {
            let options = Options::new(name.to_owned(), &gains, known)?;
            let gain = |name: &str| Ok::<_, Fault>(options.get(name, gain)?.unwrap_or(0.0));
            Ok(Law::Joint { regulated, gains: Gains::pid(gain("k_p")?, gain("k_i")?, gain("k_v")?) })
        });
    }
    engine.register_fn("pose_pd", |gains: Dynamic| -> Answer<Law> {
        let options = Options::new("pose_pd".to_owned(), &gains, &["k_p", "k_v", "turn_k_p", "turn_k_v"])?;
        let gain = |name: &str| Ok::<_, Fault>(options.get(name, gain)?.unwrap_or(0.0));
        let linear = Gains::pd(gain("k_p")?, gain("k_v")?);
        Ok(Law::Pose { linear, angular: Gains::pd(gain("turn_k_p")?, gain("turn_k_v")?) })
    });
    engine.register_fn("computed_torque", || Law::Torques { feels_contact: false });
    engine.register_fn("computed_torque", |options: Dynamic| -> Answer<Law> {
        let options = Options::new("computed_torque".to_owned(), &options, &["contact"])?;
        Ok(Law::Torques { feels_contact: options.flag("contact")? })
    });
    let shared = stage.clone();
    engine.register_fn("lock_hops", move || shared.borrow_mut().scene.lock_hops = true);
    let shared = stage.clone();
    engine.register_fn(
        "controller",
        move |name: Dynamic, of: Dynamic, law: Dynamic, options: Dynamic| -> Answer<String> {
            Ok(controller(&mut shared.borrow_mut(), [&name, &of, &law], &options)?)
        },
    );
}

fn gain(what: &str, value: &Dynamic) -> Given<f64> {
    at_least(what, value, 0.0, "not negative: a gain pulls towards the goal")
}

/// A time between two calls, s, from how many there are in a second.
pub(super) fn period(what: &str, rate: &Dynamic) -> Given<f64> {
    checked_period(what, number(what, rate)?)
}

/// The same for a number.
pub(super) fn checked_period(what: &str, value: f64) -> Given<f64> {
    // What is slower or faster than this cannot be meant, and might be lost beside the time.
    if (1e-6..=1e6).contains(&value) {
        return Ok(1.0 / value);
    }
    Err(Fault::Range { what: what.to_owned(), value, expected: "from 1e-6 to 1e6 times a second" })
}

fn controller(stage: &mut Stage, [name, of, law]: [&Dynamic; 3], options: &Dynamic) -> Given<String> {
    let name = text("controller: the name", name)?;
    let called = format!("controller `{name}`");
    let law: Law = own(&called, "a law of control such as position_pd(#{ k_p: 100, k_v: 10 })", law)?;
    let options = Options::new(called, options, OPTIONS)?;
    let full = stage.named(&name);
    if stage.scene.controllers.iter().any(|controller| controller.name == full) {
        return Err(options.conflict("there is another controller of this name: give each its own"));
    }
    let control = controlled(stage, law, of, &options)?;
    let wanted = options.get("goal", |what, value| goal(stage, &control, what, value))?;
    let goal = match (wanted, &control) {
        (Some(goal), _) => goal,
        (None, &ControlDescription::Pose { body, .. }) => {
            let body = &stage.scene.bodies[body];
            Goal::Pose(centred(body, body.world_from_shape))
        }
        (None, _) => return Err(options.missing("a `goal`")),
    };
    let period =
        options.get("rate", period)?.ok_or_else(|| options.missing("a `rate`, how often it acts in a second"))?;
    let start = options.get("start", |what, value| at_least(what, value, 0.0, "not negative"))?.unwrap_or(0.0);
    let enabled = !options.has("enabled") || options.flag("enabled")?;
    let controller = ControllerDescription { name: full, control, goal, start, period, enabled };
    stage.scene.controllers.push(controller);
    Ok(name)
}

fn controlled(stage: &Stage, law: Law, of: &Dynamic, options: &Options) -> Given<ControlDescription> {
    let positive = |name: &str| options.get(name, |what, value| at_least(what, value, f64::MIN_POSITIVE, "positive"));
    let (limit, torque_limit, feels) = (positive("limit")?, positive("torque_limit")?, options.get("feels", feels)?);
    if torque_limit.is_some() && !matches!(law, Law::Pose { .. }) {
        return Err(options.conflict("torque_limit is for pose_pd only: joints have one `limit`"));
    }
    if feels.is_some() && !matches!(law, Law::Joint { .. }) {
        return Err(options.conflict("feels is for laws of single joints only: leave it out"));
    }
    match law {
        Law::Joint { regulated, gains } => {
            let joint = driven_joint(stage, options, of)?;
            let limit = limit.or(stage.scene.joints[joint].effort);
            let law = JointLaw { regulated, gains, limit, feels: feels.unwrap_or_default() };
            Ok(ControlDescription::Joint { joint, law })
        }
        Law::Torques { feels_contact } => {
            let expected = "an array of names of joints";
            let names = array(&format!("{}: its joints", options.of()), expected, of)?;
            let mut joints = Vec::with_capacity(names.len());
            for name in &names {
                joints.push(driven_joint(stage, options, name)?);
            }
            let is_twice = |i: usize| joints[..i].contains(&joints[i]);
            if joints.is_empty() || (0..joints.len()).any(is_twice) {
                return Err(options.conflict("computed torque takes at least one joint, and each once"));
            }
            let limits = joints.iter().map(|&joint| limit.or(stage.scene.joints[joint].effort)).collect();
            Ok(ControlDescription::Torques { joints, feels_contact, limits })
        }
        Law::Pose { linear, angular } => {
            let law = PoseLaw { linear, angular, limits: [limit, torque_limit] };
            Ok(ControlDescription::Pose { body: free_body(stage, options, of)?, law })
        }
    }
}

/// A joint that can be driven.
fn driven_joint(stage: &Stage, options: &Options, name: &Dynamic) -> Given<usize> {
    let name = text(&format!("{}: its joint", options.of()), name)?;
    let (joints, full) = (&stage.scene.joints, stage.named(&name));
    let Some(index) = joints.iter().position(|joint| joint.name == full) else {
        let similar = similar(&name, joints.iter().map(|joint| joint.name.as_str()));
        return Err(Fault::UnknownJoint { of: options.of().to_owned(), name, similar });
    };
    match joints[index].place {
        JointPlace::Hinge { .. } | JointPlace::Slider { .. } => Ok(index),
        JointPlace::Socket { .. } | JointPlace::Planar { .. } | JointPlace::Weld => {
            Err(options.conflict("its joint is no hinge and no slider; only these are driven"))
        }
    }
}

fn free_body(stage: &Stage, options: &Options, name: &Dynamic) -> Given<usize> {
    let name = text(&format!("{}: its body", options.of()), name)?;
    let (bodies, full) = (&stage.scene.bodies, stage.named(&name));
    let Some(index) = bodies.iter().position(|body| body.name == full) else {
        let similar = similar(&name, bodies.iter().map(|body| body.name.as_str()));
        return Err(Fault::UnknownBody { of: options.of().to_owned(), name, similar });
    };
    match bodies[index].motion {
        MotionDescription::Free { .. } => Ok(index),
        MotionDescription::Fixed | MotionDescription::Scripted(_) => {
            Err(options.conflict("its body is fixed or scripted; only free bodies are driven"))
        }
    }
}

/// The goal of a controller, as a script writes it.
fn goal(stage: &Stage, control: &ControlDescription, what: &str, value: &Dynamic) -> Given<Goal> {
    match control {
        ControlDescription::Joint { .. } => number(what, value).map(Goal::Joint),
        ControlDescription::Torques { joints, .. } => accelerations(what, value, joints.len()).map(Goal::Accelerations),
        ControlDescription::Pose { body, .. } => {
            let body = &stage.scene.bodies[*body];
            pose_goal(what, value, (body, body.world_from_shape), stage.scope().map(|scope| scope.frame))
        }
    }
}

/// An acceleration for each joint.
pub(super) fn accelerations(what: &str, value: &Dynamic, joints: usize) -> Given<Vec<f64>> {
    let expected = "an array with an acceleration for each of its joints";
    let values = array(what, expected, value)?;
    if values.len() != joints {
        return Err(wrong(what, expected, value));
    }
    values.iter().map(|value| number(what, value)).collect()
}

/// A goal `#{ at, rotation }` of the shape's frame, perhaps within another frame, as the engine wants it; what is not given is as in `now`.
pub(super) fn pose_goal(
    what: &str,
    value: &Dynamic,
    (body, now): (&BodyDescription, Pose),
    frame: Option<Pose>,
) -> Given<Goal> {
    let options = Options::new(what.to_owned(), value, &["at", "rotation"])?;
    let placed = |at: DVec3| frame.map_or(at, |frame| frame.point(at));
    let turned = |rotation: DQuat| frame.map_or(rotation, |frame| frame.rotation * rotation);
    let rotation = options.get("rotation", rotation)?.map_or(now.rotation, turned);
    let translation = options.get("at", vector)?.map_or(now.translation, placed);
    Ok(Goal::Pose(centred(body, Pose { rotation, translation })))
}

/// A pose of a body's shape as that of its centre of mass.
fn centred(body: &BodyDescription, pose: Pose) -> Pose {
    let centre: DVec3 = pose.point(body.com);
    Pose { translation: centre, ..pose }
}

fn feels(what: &str, value: &Dynamic) -> Given<Feels> {
    match text(what, value)?.as_str() {
        "instant" => Ok(Feels::Instant),
        "mean" => Ok(Feels::Mean),
        "either" => Ok(Feels::Either),
        _ => Err(wrong(what, "\"instant\", \"mean\" or \"either\"", value)),
    }
}

fn at_least(what: &str, value: &Dynamic, least: f64, expected: &'static str) -> Given<f64> {
    let value = number(what, value)?;
    if value >= least { Ok(value) } else { Err(Fault::Range { what: what.to_owned(), value, expected }) }
}
