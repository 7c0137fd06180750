//! What a page must know of a scene before it draws it: bodies, looks, parameters, warnings.

use crate::planes;
use glam::DVec3;
use impulse::geometry::{Plane, Shape};
use impulse::world::World;
use impulse_scenes::look::{self, Look};
use impulse_scenes::scene::{
    BodyDescription, MotionDescription, ParamDescription, ParamValue, PartDescription, ShapeIdentity, SolidDescription,
};
use impulse_scenes::{BUILTIN_SCENES, Runner};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How far planes reach, in sizes of the scene.
const PLANE: f64 = 60.0;

/// How far walls reach, in sizes of the scene.
const WALL: f64 = 2.6;

/// Cosine of the steepest slope that counts as ground.
const LEVEL: f64 = 0.3;

/// The built-in scenes: name, section and description of each, as JSON.
pub fn builtin_scenes() -> Value {
    let entry = |scene: &impulse_scenes::BuiltinScene| json!({ "name": scene.name, "section": scene.section, "description": scene.description, "text": scene.text });
    BUILTIN_SCENES.iter().map(entry).collect()
}

/// The looks of a scene: equal shapes share one.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    pub(crate) all: Vec<Look>,
    /// By body.
    of_body: Vec<usize>,
}

impl Looks {
    pub(crate) fn new(runner: &Runner) -> Self {
        let mut looks = Self::default();
        let mut known: BTreeMap<ShapeIdentity, usize> = BTreeMap::new();
        let extent = PLANE * size(runner);
        let (low, high) = bounds_of(runner);
        let fixed: Vec<Plane> = runner.scene().bodies.iter().filter_map(planes::plane_of).collect();
        for body in runner.descriptions() {
            let reach = if is_level(body) { extent } else { WALL * size(runner) };
            if let Some(plane) = planes::look(body, &fixed, reach, 0.5 * (low + high)) {
                looks.of_body.push(looks.all.len());
                looks.all.push(plane);
                continue;
            }
            let number = *known.entry(body.appearance().identity()).or_insert_with(|| {
                looks.all.push(Look::new(body.appearance(), extent));
                looks.all.len() - 1
            });
            looks.of_body.push(number);
        }
        looks
    }

    /// A look as numbers: how many positions and triangles, then positions, normals and indices.
    pub(crate) fn numbers(&self, number: usize, out: &mut Vec<f64>) {
        let Some(look) = self.all.get(number) else { return };
        out.extend([look.positions.len() as f64, look.triangles.len() as f64]);
        out.extend(look.positions.iter().chain(&look.normals).flat_map(|v| v.to_array()));
        out.extend(look.triangles.as_flattened().iter().map(|&index| f64::from(index)));
    }
}

/// The scene as JSON.
pub(crate) fn describe(runner: &Runner, looks: &Looks, end: f64) -> Value {
    let scene = runner.scene();
    let params: Vec<Value> = scene.params.iter().map(param).collect();
    let bodies = runner.descriptions().enumerate().map(|(number, body)| described(runner, looks, number, body));
    json!({
        "duration": scene.duration,
        "end": end,
        "gravity": scene.gravity.to_array(),
        "size": size(runner),
        "params": params,
        "bodies": bodies.collect::<Vec<_>>(),
        "looks": looks.all.len(),
        "warnings": runner.built().warnings().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "log": scene.log,
        "acts": runner.acts().len(),
    })
}

/// A parameter with what its script says of it.
fn param(param: &ParamDescription) -> Value {
    let kind = match param.default {
        ParamValue::Integer(_) => "integer",
        ParamValue::Number(_) => "number",
        ParamValue::Flag(_) => "flag",
        ParamValue::Text(_) => "text",
    };
    let hints = &param.hints;
    json!({
        "name": param.name, "kind": kind, "default": param.default.to_string(), "value": param.value.to_string(),
        "min": hints.min, "max": hints.max, "unit": hints.unit, "about": hints.about,
    })
}

/// The functions of scene scripts, as JSON: for completion and help.
pub fn reference() -> Value {
    let entry = |f: &impulse_scenes::scene::Function| json!({ "name": f.name, "usage": f.usage, "text": f.text, "example": f.example });
    impulse_scenes::scene::functions().iter().map(entry).collect()
}

fn described(runner: &Runner, looks: &Looks, number: usize, body: &BodyDescription) -> Value {
    let (kind, mass) = match &body.motion {
        MotionDescription::Fixed => ("fixed", None),
        MotionDescription::Scripted(_) => ("scripted", None),
        MotionDescription::Free { mass, .. } => ("free", Some(mass.mass)),
    };
    let surface = &runner.scene().materials[body.material.0].surface.material;
    json!({
        "name": body.name,
        "kind": kind,
        "mass": mass,
        "color": look::color(body, number),
        "look": looks.of_body.get(number),
        "ball": is_ball(body),
        "bounded": body.shape.is_bounded(),
        "level": is_level(body),
        "radius": if body.shape.is_bounded() { Some(look::radius(&body.shape)) } else { None },
        "friction": surface.friction,
        "restitution": surface.restitution,
    })
}

/// Size of a scene: the largest distance of a bounded body from the middle of all, m.
fn size(runner: &Runner) -> f64 {
    let (low, high) = bounds_of(runner);
    let size = 0.5 * (high - low).length();
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

/// The box around all bounded bodies at the beginning, and where the free ones are in most of the run so far: the outermost tenth
/// on each side, such as a body that flies away, does not count. Third, the mean place of the free bodies.
pub(crate) fn bounds(runner: &Runner, positions: impl Iterator<Item = DVec3>) -> [DVec3; 3] {
    let (mut low, mut high) = bounds_of(runner);
    let positions: Vec<DVec3> = positions.collect();
    if positions.is_empty() {
        return [low, high, 0.5 * (low + high)];
    }
    let middle = positions.iter().sum::<DVec3>() / positions.len() as f64;
    let margin = typical_radius(runner.world());
    for axis in 0..3 {
        let mut along: Vec<f64> = positions.iter().map(|p| p[axis]).collect();
        along.sort_unstable_by(f64::total_cmp);
        let [first, last] = [along[along.len() / 10], along[along.len() - 1 - along.len() / 10]];
        low[axis] = low[axis].min(first - margin);
        high[axis] = high[axis].max(last + margin);
    }
    [low, high, middle]
}

fn bounds_of(runner: &Runner) -> (DVec3, DVec3) {
    let bodies = runner.scene().bodies.iter().zip(runner.built().shapes());
    let boxes =
        bodies.filter(|(body, _)| body.shape.is_bounded()).map(|(body, shape)| shape.aabb(&body.world_from_shape));
    let (low, high) = boxes.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), b| (l.min(b.min), h.max(b.max)));
    if low.is_finite() && high.is_finite() { (low, high) } else { (DVec3::splat(-1.0), DVec3::splat(1.0)) }
}

/// Mean bounding radius of the free bodies, m.
fn typical_radius(world: &World) -> f64 {
    let radii: Vec<f64> = world.body_refs().filter(|b| b.is_free()).map(|b| b.bounding_radius()).collect();
    if radii.is_empty() { 0.0 } else { radii.iter().sum::<f64>() / radii.len() as f64 }
}

/// Whether a body is a plane that faces up, more or less: ground, not a wall.
fn is_level(body: &BodyDescription) -> bool {
    let faces_up = |part: &PartDescription| match &part.solid {
        SolidDescription::Convex(Shape::HalfSpace(plane)) => {
            body.world_from_shape.vector(part.shape_from_part.vector(plane.normal())).z > LEVEL
        }
        _ => false,
    };
    body.shape.parts.iter().any(faces_up)
}

/// Whether a body is one ball: its surface alone does not show how it turns.
fn is_ball(body: &BodyDescription) -> bool {
    matches!(&body.shape.parts[..], [part] if matches!(part.solid, SolidDescription::Convex(Shape::Sphere(_))))
}
