//! `impulse robot`: what a URDF file amounts to (thesis chapter 4).

use crate::mass::{significant, triple};
use clap::{Args, ValueEnum, ValueHint};
use impulse_scenes::scene::{MotionDescription, ParamValue, RobotDescription, SceneDescription, load_scene};
use impulse_scenes::urdf::{Doubt, Joint, JointType, Link, Robot, doubts, parse};
use impulse_scenes::{SceneSettings, SceneSource, Survey, survey};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

/// Most freedoms for which the inertia is printed; JSON has all.
const MOST_PRINTED: usize = 12;

/// Describe the robot in a URDF file.
///
/// Prints the tree of links and joints with masses and limits, the total mass and centre of mass, the inertia in joint space and its condition,
/// and warnings about what usually is wrong in such files. Links that fixed joints hold together are one body. `impulse run FILE.urdf` drops
/// the robot on a floor; in scripts, `robot(file)` puts it into a scene.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse robot arm.urdf --base fixed
  impulse robot quadruped.urdf --json | jq .mass
  impulse run quadruped.urdf --until 2 --gltf fall.glb")]
pub(crate) struct Arguments {
    /// A URDF file. Meshes are read below its folder, or below the folder that holds its package
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Whether the root is fixed to the ground
    #[arg(long, value_enum, default_value_t = Base::Auto)]
    base: Base,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Base {
    /// Fixed if the root has no mass
    Auto,
    Fixed,
    Free,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let base = match arguments.base {
        Base::Auto => "auto",
        Base::Fixed => "fixed",
        Base::Free => "free",
    };
    let params =
        vec![("base".to_owned(), ParamValue::Text(base.to_owned())), ("height".to_owned(), ParamValue::Number(0.0))];
    let source = SceneSource::Path(arguments.file.clone());
    let scene = load_scene(&source, &SceneSettings { params, seed: 0 }).inspect_err(|_| warn_at_least(arguments))?;
    let [robot] = scene.robots.as_slice() else { anyhow::bail!("{}: give a .urdf file", arguments.file.display()) };
    let survey = survey(&scene, robot);
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&document(&scene, robot, &survey))?)?;
    } else {
        write!(out, "{}", told(&scene, robot, &survey)?)?;
    }
    Ok(())
}

/// What is doubtful in a file that cannot be used, besides the reason why it cannot.
fn warn_at_least(arguments: &Arguments) {
    let Ok(text) = std::fs::read_to_string(&arguments.file) else { return };
    let Ok(robot) = parse(&arguments.file.display().to_string(), &text) else { return };
    for Doubt { line, text } in doubts(&robot, &vec![None; robot.links.len()]) {
        eprintln!("warning: line {line}: {text}");
    }
}

/// The robot in words.
fn told(scene: &SceneDescription, robot: &RobotDescription, survey: &Survey) -> anyhow::Result<String> {
    let source = &robot.source;
    let mut text = String::new();
    let (mass, com) = robot.mass;
    let plural = |count: usize, what: &str| if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") };
    let moving = source.joints.iter().filter(|joint| joint.kind != JointType::Fixed).count();
    writeln!(
        text,
        "{}: {} in {}, {} that {}, {} with a {} base",
        robot.name,
        plural(source.links.len(), "link"),
        plural(robot.bodies.len(), "body").replace("bodys", "bodies"),
        plural(moving, "joint"),
        if moving == 1 { "moves" } else { "move" },
        plural(survey.freedoms.len(), "freedom"),
        if is_fixed(scene, robot) { "fixed" } else { "free" },
    )?;
    let com = robot.world_from_root.inverse_point(com);
    writeln!(text, "  mass           {} kg", number(mass))?;
    writeln!(text, "  centre of mass {} m in the frame of {}", triple(com.to_array(), number), root(source))?;
    writeln!(text, "  tree")?;
    let mut depths = vec![0; source.links.len()];
    for (link, joint) in tree(source) {
        let joint = joint.map(|number| &source.joints[number]);
        depths[link] = joint.map_or(0, |joint| depths[joint.parent] + 1);
        let mass =
            source.links[link].inertial.map_or("no mass".to_owned(), |own| format!("{} kg", number(own.mass.mass)));
        let by = joint.map_or(String::new(), |joint| format!(": {}", moved(joint)));
        writeln!(text, "    {}{}, {mass}{by}", "  ".repeat(depths[link]), source.links[link].name)?;
    }
    inertia(&mut text, survey)?;
    for note in &robot.notes {
        writeln!(text, "  note: {note}")?;
    }
    for Doubt { line, text: doubt } in &survey.doubts {
        writeln!(text, "  warning: line {line}: {doubt}")?;
    }
    Ok(text)
}

/// The links from the root on, each followed by all that hangs on it.
fn tree(robot: &Robot) -> Vec<(usize, Option<usize>)> {
    let mut pending = vec![robot.order[0]];
    let mut tree = Vec::with_capacity(robot.order.len());
    while let Some((link, joint)) = pending.pop() {
        tree.push((link, joint));
        let children = robot.joints.iter().enumerate().rev().filter(|(_, joint)| joint.parent == link);
        pending.extend(children.map(|(number, joint)| (joint.child, Some(number))));
    }
    tree
}

/// A joint in words.
fn moved(joint: &Joint) -> String {
    let axis = triple(joint.axis.to_array(), number);
    let unit = if joint.kind == JointType::Prismatic { ["m", "N"] } else { ["rad", "N m"] };
    let mut text = format!("{} {}", joint.name, joint.kind.word());
    match joint.kind {
        JointType::Revolute | JointType::Continuous => text += &format!(" about {axis}"),
        JointType::Prismatic => text += &format!(" along {axis}"),
        JointType::Planar => text += &format!(" in the plane across {axis}"),
        JointType::Fixed | JointType::Floating => return text,
    }
    if let Some([low, high]) = joint.limits {
        text += &format!(", {} to {} {}", number(low), number(high), unit[0]);
    }
    if let Some(effort) = joint.dynamics.effort {
        text += &format!(", at most {} {}", number(effort), unit[1]);
    }
    for (what, value) in [("damping", joint.dynamics.damping), ("friction", joint.dynamics.friction)] {
        if value > 0.0 {
            text += &format!(", {what} {}", number(value));
        }
    }
    text
}

fn inertia(text: &mut String, survey: &Survey) -> anyhow::Result<()> {
    let n = survey.freedoms.len();
    if n == 0 {
        return Ok(writeln!(text, "  nothing moves")?);
    }
    writeln!(text, "  inertia H in joint space, kg m^2 and so on; condition {}", number(survey.condition))?;
    if n > MOST_PRINTED {
        return Ok(writeln!(text, "    {n} x {n}: see --json")?);
    }
    let longest = survey.freedoms.iter().map(String::len).max().unwrap_or(0);
    for (name, row) in survey.freedoms.iter().zip(survey.inertia.chunks_exact(n)) {
        let entries: String = row.iter().map(|entry| format!(" {entry:>11.4e}")).collect();
        writeln!(text, "    {name:<longest$}{entries}")?;
    }
    Ok(())
}

fn document(scene: &SceneDescription, robot: &RobotDescription, survey: &Survey) -> Value {
    let source = &robot.source;
    let place = |place: &impulse_scenes::scene::PlaceDescription| {
        let body = place.body.map(|number| scene.bodies[number].name.clone());
        json!({ "name": place.name, "body": body, "at": place.body_from_place.translation.to_array() })
    };
    let bodies: Vec<&String> = scene.bodies[robot.bodies.clone()].iter().map(|body| &body.name).collect();
    json!({
        "name": robot.name,
        "root": root(source),
        "base": if is_fixed(scene, robot) { "fixed" } else { "free" },
        "links": source.links.iter().map(link_document).collect::<Vec<_>>(),
        "joints": source.joints.iter().map(|joint| joint_document(source, joint)).collect::<Vec<_>>(),
        "bodies": bodies,
        "places": robot.places.iter().map(place).collect::<Vec<_>>(),
        "freedoms": survey.freedoms,
        "mass": robot.mass.0,
        "com": robot.world_from_root.inverse_point(robot.mass.1).to_array(),
        "inertia": survey.inertia.chunks_exact(survey.freedoms.len().max(1)).collect::<Vec<_>>(),
        "condition": survey.condition,
        "notes": robot.notes,
        "warnings": survey.doubts,
    })
}

fn link_document(link: &Link) -> Value {
    json!({
        "name": link.name,
        "line": link.line,
        "mass": link.inertial.map_or(0.0, |own| own.mass.mass),
        "com": link.inertial.map(|own| own.mass.com.to_array()),
        "collisions": link.collisions.len(),
        "visuals": link.visuals.len(),
    })
}

fn joint_document(robot: &Robot, joint: &Joint) -> Value {
    json!({
        "name": joint.name,
        "line": joint.line,
        "type": joint.kind.word(),
        "parent": robot.links[joint.parent].name,
        "child": robot.links[joint.child].name,
        "axis": joint.axis.to_array(),
        "limits": joint.limits,
        "effort": joint.dynamics.effort,
        "velocity": joint.dynamics.velocity,
        "damping": joint.dynamics.damping,
        "friction": joint.dynamics.friction,
    })
}

fn root(robot: &Robot) -> &str {
    &robot.links[robot.order[0].0].name
}

/// Whether the root does not move.
fn is_fixed(scene: &SceneDescription, robot: &RobotDescription) -> bool {
    let root = root(&robot.source);
    let is_place = robot.places.iter().any(|place| place.name == root && place.body.is_none());
    let first = scene.bodies.get(robot.bodies.start);
    is_place || first.is_some_and(|body| matches!(body.motion, MotionDescription::Fixed))
}

fn number(value: f64) -> String {
    significant(value, 6)
}
