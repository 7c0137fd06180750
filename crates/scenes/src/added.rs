//! Bodies that are added to a scene while it runs.

use crate::acts::NewShape;
use crate::built::{BuiltScene, motion};
use crate::scene::{BodyDescription, MaterialId, MotionDescription, ShapeDescription, SolidDescription};
use glam::DVec3;
use impulse::geometry::{Cuboid, MassProperties, Shape, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, World};

/// Density of balls and boxes, kg/m^3.
const DENSITY: f64 = 1000.0;

/// The body that a deed adds.
pub(crate) fn description(
    scene: &BuiltScene,
    name: &str,
    shape: &NewShape,
    (at, velocity): (DVec3, DVec3),
) -> Result<BodyDescription, String> {
    let simple = |shape: Option<Shape>| {
        let shape = shape.ok_or("a body that is added needs a positive size")?;
        plain(name, shape, material(scene)).ok_or("a body that is added must have a mass")
    };
    let mut body = match shape {
        NewShape::Like(model) => BodyDescription { name: name.to_owned(), ..like(scene, model)?.clone() },
        NewShape::Ball(radius) => simple(Sphere::new(*radius).ok().map(Shape::from))?,
        NewShape::Box([x, y, z]) => simple(Cuboid::new(0.5 * DVec3::new(*x, *y, *z)).ok().map(Shape::from))?,
    };
    body.world_from_shape.translation = at;
    match &mut body.motion {
        MotionDescription::Free { velocity: given, spin, .. } => (*given, *spin) = (velocity, DVec3::ZERO),
        _ => return Err(format!("\"{}\" is fixed or scripted; only free bodies can be added", body.name)),
    }
    Ok(body)
}

/// What the world needs of it.
pub(crate) fn spec(scene: &BuiltScene, world: &World, body: &BodyDescription) -> Result<BodySpec, String> {
    let bodies = &scene.description().bodies;
    let same = |other: &BodyDescription| other.shape.identity() == body.shape.identity() && is_free(other);
    let shape = match (bodies.iter().position(same), body.shape.parts.as_slice()) {
        (Some(model), _) => scene.shapes()[model].clone(),
        (None, [part]) if let SolidDescription::Convex(shape) = &part.solid => shape.clone(),
        _ => return Err("the shape of the body is not known".to_owned()),
    };
    let of_material = bodies.iter().enumerate().filter(|(_, other)| other.material == body.material);
    let present = of_material.filter_map(|(number, _)| world.body(BodyId::from_bits(number as u64))).next();
    let material = present.ok_or("no body of this material is left")?.material();
    Ok(BodySpec {
        name: body.name.clone(),
        shape,
        world_from_shape: body.world_from_shape,
        material,
        motion: motion(body),
    })
}

fn like<'s>(scene: &'s BuiltScene, model: &str) -> Result<&'s BodyDescription, String> {
    scene.description().body(model).ok_or_else(|| format!("the scene has no body \"{model}\""))
}

fn plain(name: &str, shape: Shape, material: MaterialId) -> Option<BodyDescription> {
    let mass = MassProperties::from_density(&shape.volume_integrals()?, DENSITY).ok()?;
    Some(BodyDescription {
        name: name.to_owned(),
        com: mass.com,
        shape: ShapeDescription::solid(SolidDescription::Convex(shape)),
        world_from_shape: Pose::IDENTITY,
        material,
        motion: MotionDescription::Free { mass, velocity: DVec3::ZERO, spin: DVec3::ZERO },
        color: None,
        visual: None,
    })
}

/// The material of the first free body, or of the first body.
fn material(scene: &BuiltScene) -> MaterialId {
    let bodies = &scene.description().bodies;
    bodies.iter().find(|body| is_free(body)).or(bodies.first()).map_or(MaterialId(0), |body| body.material)
}

fn is_free(body: &BodyDescription) -> bool {
    matches!(body.motion, MotionDescription::Free { .. })
}
