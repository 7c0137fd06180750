//! Bodies of scripts: `body(name, shape, #{ options })`.

use super::color::color;
use super::description::{BodyDescription, MotionDescription, ShapeDescription};
use super::error::Fault;
use super::mass::MassOptions;
use super::motions::{Placed, Script};
use super::shapes::shape_of;
use super::stage::{Answer, SharedStage, Stage};
use super::surfaces::material_of;
use super::values::{Given, Options, own, rotation, text, vector};
use glam::{DQuat, DVec3};
use impulse::math::Pose;
use rhai::{Dynamic, Engine, Map};

/// The options of a body.
pub(super) const OPTIONS: &[&str] = &[
    "at", "rotation", "velocity", "spin", "density", "mass", "inertia", "com", "material", "fixed", "script", "color",
];

/// Registers `body`, which returns the body's name.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    let shared = stage.clone();
    engine.register_fn("body", move |name: Dynamic, shape: Dynamic, options: Dynamic| -> Answer<String> {
        Ok(body(&mut shared.borrow_mut(), &name, &shape, &options)?)
    });
    let shared = stage.clone();
    engine.register_fn("body", move |name: Dynamic, shape: Dynamic| -> Answer<String> {
        Ok(body(&mut shared.borrow_mut(), &name, &shape, &Map::new().into())?)
    });
}

fn body(stage: &mut Stage, name: &Dynamic, shape: &Dynamic, options: &Dynamic) -> Given<String> {
    let name = body_name(name)?;
    let of = format!("body `{name}`");
    let shape = shape_of(&of, shape)?;
    let options = Options::new(of, options, OPTIONS)?;
    let world_from_shape = Pose {
        rotation: options.get("rotation", rotation)?.unwrap_or(DQuat::IDENTITY),
        translation: options.get("at", vector)?.unwrap_or(DVec3::ZERO),
    };
    let (motion, com) = motion(&options, &shape, world_from_shape)?;
    let material = match options.get("material", material_of)? {
        Some(material) => material,
        None => stage.default_material(),
    };
    let color = options.get("color", color)?;
    let spare = match motion {
        MotionDescription::Scripted(_) if options.has("mass") || options.has("density") => {
            Some(MassOptions::new(&options)?.properties(options.of(), &shape)?)
        }
        _ => None,
    };
    stage.scene.spare_masses.extend(spare.map(|mass| (stage.scene.bodies.len(), mass)));
    let visual = None;
    stage.add_body(BodyDescription {
        name: name.clone(),
        shape,
        world_from_shape,
        com,
        material,
        motion,
        color,
        visual,
    })?;
    Ok(name)
}

fn body_name(name: &Dynamic) -> Given<String> {
    let name = text("body: the name", name)?;
    if name.trim().is_empty() || name.chars().any(char::is_control) || name.len() > 200 {
        let found = format!("\"{}\"", super::error::shortened(&name, 40));
        return Err(Fault::WrongType {
            what: "body: the name".to_owned(),
            expected: "one line of 1 to 200 characters",
            found,
        });
    }
    Ok(name)
}

/// How the body moves, and its centre of mass.
fn motion(options: &Options, shape: &ShapeDescription, pose: Pose) -> Given<(MotionDescription, DVec3)> {
    let mass = MassOptions::new(options)?;
    let (fixed, script) = (options.flag("fixed")?, options.get("script", script)?);
    let (velocity, spin) = (options.get("velocity", vector)?, options.get("spin", vector)?);
    if !shape.is_bounded() && ["density", "mass", "inertia", "com"].iter().any(|option| options.has(option)) {
        return Err(options.conflict("a half-space has no mass: leave out density, mass, inertia and com"));
    }
    if (fixed || script.is_some()) && (velocity.is_some() || spin.is_some()) {
        return Err(options.conflict("a fixed or scripted body takes no velocity or spin: leave them out"));
    }
    let com = mass.centre(shape);
    match (fixed, script) {
        (true, Some(_)) => Err(options.conflict("give either fixed or script, not both")),
        (true, None) => Ok((MotionDescription::Fixed, com)),
        (false, Some(_)) if !shape.is_bounded() => {
            Err(options.conflict("a half-space cannot move: make it fixed, or use a large cuboid"))
        }
        (false, Some(script)) => {
            let refused = |error| Fault::Motion { of: options.of().to_owned(), error };
            let scripted = script.placed(&Placed { world_from_shape: pose, com, now: 0.0 }).map_err(refused)?;
            Ok((MotionDescription::Scripted(scripted), com))
        }
        (false, None) if !shape.is_bounded() => {
            Err(options.conflict("a half-space is unbounded and cannot move freely: add `fixed: true`"))
        }
        (false, None) => {
            let mass = mass.properties(options.of(), shape)?;
            let (velocity, spin) = (velocity.unwrap_or(DVec3::ZERO), spin.unwrap_or(DVec3::ZERO));
            Ok((MotionDescription::Free { mass, velocity, spin }, mass.com))
        }
    }
}

fn script(what: &str, value: &Dynamic) -> Given<Script> {
    own(what, "a motion such as spinner([0, 0, 1], 6.0)", value)
}
