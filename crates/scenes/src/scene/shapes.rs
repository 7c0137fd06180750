//! Shapes in scripts (section 2.2): exact primitives, hulls, polyhedra, compounds.

use super::description::{ShapeDescription, SolidDescription};
use super::error::Fault;
use super::meshes;
use super::stage::{Answer, SharedStage, SolidKind, Stage, bits};
use super::values::{Given, Options, array, number, rotation, vector, whole, wrong};
use glam::{DQuat, DVec3};
use impulse::geometry::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Faces, HalfSpace, PointMass, Polyhedron, RoundedCuboid, Shape, Sphere,
};
use impulse::math::Pose;
use rhai::{Dynamic, Engine};

/// Most points of a hull or polyhedron in a script; larger parts belong in files.
const MAX_POINTS: usize = 10_000;

/// Steps that each point of a hull or polyhedron counts for.
const STEPS_PER_POINT: u64 = 30;

/// Most parts of a shape.
const MAX_PARTS: usize = 10_000;

/// Registers the functions that make shapes.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    engine.register_type_with_name::<ShapeDescription>("shape");
    engine.register_type_with_name::<PointMass>("point mass");
    primitives(engine);
    let shared = stage.clone();
    engine.register_fn("cuboid", move |x: Dynamic, y: Dynamic, z: Dynamic| -> Answer<ShapeDescription> {
        Ok(cuboid(&mut shared.borrow_mut(), sizes("cuboid", [&x, &y, &z])?)?)
    });
    let shared = stage.clone();
    engine.register_fn("hull", move |points: Dynamic| -> Answer<ShapeDescription> {
        Ok(hull(&mut shared.borrow_mut(), &points)?)
    });
    let shared = stage.clone();
    engine.register_fn("polyhedron", move |vertices: Dynamic, faces: Dynamic| -> Answer<ShapeDescription> {
        Ok(polyhedron(&mut shared.borrow_mut(), &vertices, &faces)?)
    });
    meshes::register(engine, stage);
    engine.register_fn("part", |shape: Dynamic| -> Answer<ShapeDescription> { Ok(shape_of("part", &shape)?) });
    engine.register_fn("part", |shape: Dynamic, options: Dynamic| -> Answer<ShapeDescription> {
        Ok(part(&shape, &options)?)
    });
    engine.register_fn("compound", |parts: Dynamic| -> Answer<ShapeDescription> { Ok(compound(&parts)?) });
    engine.register_fn("point_mass", |mass: Dynamic, at: Dynamic| -> Answer<PointMass> { Ok(point_mass(&mass, &at)?) });
}

/// A shape that was passed to a function.
pub(super) fn shape_of(function: &str, value: &Dynamic) -> Given<ShapeDescription> {
    let what = || format!("{function}: the shape");
    value.clone().try_cast().ok_or_else(|| wrong(&what(), "a shape such as sphere(0.1)", value))
}

fn primitives(engine: &mut Engine) {
    engine.register_fn("sphere", |r: Dynamic| -> Answer<ShapeDescription> {
        Ok(convex(Sphere::new(number("sphere: radius", &r)?).map_err(Fault::from)?))
    });
    engine.register_fn("ellipsoid", |a: Dynamic, b: Dynamic, c: Dynamic| -> Answer<ShapeDescription> {
        Ok(convex(Ellipsoid::new(sizes("ellipsoid", [&a, &b, &c])?).map_err(Fault::from)?))
    });
    engine.register_fn(
        "rounded_cuboid",
        |x: Dynamic, y: Dynamic, z: Dynamic, r: Dynamic| -> Answer<ShapeDescription> {
            let size = sizes("rounded_cuboid", [&x, &y, &z])?;
            Ok(convex(RoundedCuboid::new(size, number("rounded_cuboid: radius", &r)?).map_err(Fault::from)?))
        },
    );
    engine.register_fn("capsule", |r: Dynamic, l: Dynamic| -> Answer<ShapeDescription> {
        let (r, l) = (number("capsule: radius", &r)?, number("capsule: length", &l)?);
        Ok(convex(Capsule::new(r, l).map_err(Fault::from)?))
    });
    engine.register_fn("cylinder", |r: Dynamic, h: Dynamic| -> Answer<ShapeDescription> {
        let (r, h) = (number("cylinder: radius", &r)?, number("cylinder: height", &h)?);
        Ok(convex(Cylinder::new(r, h).map_err(Fault::from)?))
    });
    engine.register_fn("cone", |r: Dynamic, h: Dynamic| -> Answer<ShapeDescription> {
        let (r, h) = (number("cone: radius", &r)?, number("cone: height", &h)?);
        Ok(convex(Cone::new(r, h).map_err(Fault::from)?))
    });
    engine.register_fn("half_space", |n: Dynamic, d: Dynamic| -> Answer<ShapeDescription> {
        let (n, d) = (vector("half_space: normal", &n)?, number("half_space: offset", &d)?);
        Ok(convex(HalfSpace::new(n, d).map_err(Fault::from)?))
    });
}

fn convex(shape: impl Into<Shape>) -> ShapeDescription {
    ShapeDescription::solid(SolidDescription::Convex(shape.into()))
}

fn sizes(shape: &str, sizes: [&Dynamic; 3]) -> Given<DVec3> {
    let [x, y, z] = sizes.map(|size| number(&format!("{shape}: size"), size));
    Ok(DVec3::new(x?, y?, z?))
}

fn vertices(function: &str, points: &Dynamic) -> Given<Vec<DVec3>> {
    let points = array(&format!("{function}: the points"), "an array of points [[x, y, z], ...]", points)?;
    if points.len() > MAX_POINTS {
        return Err(Fault::Limit(
            "a shape in a script may have at most 10000 points: put larger shapes into a mesh file",
        ));
    }
    points.iter().enumerate().map(|(i, p)| vector(&format!("{function}: point {i}"), p)).collect()
}

fn hull(stage: &mut Stage, points: &Dynamic) -> Given<ShapeDescription> {
    let points = vertices("hull", points)?;
    stage.steps.spend(points.len(), STEPS_PER_POINT);
    Ok(ShapeDescription::solid(stage.hull(&points)?))
}

fn cuboid(stage: &mut Stage, size: DVec3) -> Given<ShapeDescription> {
    let made_from = (SolidKind::Cuboid, bits(&[size]));
    let cuboid = stage.solid(made_from, || Ok(SolidDescription::Convex(Cuboid::new(size)?.into())))?;
    Ok(ShapeDescription::solid(cuboid))
}

fn polyhedron(stage: &mut Stage, points: &Dynamic, faces: &Dynamic) -> Given<ShapeDescription> {
    let points = vertices("polyhedron", points)?;
    stage.steps.spend(points.len(), STEPS_PER_POINT);
    let mut list = Faces::default();
    let mut made_from = bits(&points);
    let faces = array("polyhedron: the faces", "an array of faces [[0, 1, 2], ...]", faces)?;
    for (i, face) in faces.iter().enumerate() {
        let what = format!("polyhedron: face {i}");
        let corners = array(&what, "an array of vertex numbers, counted from 0", face)?;
        let corner = |corner: &Dynamic| -> Given<u32> {
            let number = whole(&what, corner)?;
            u32::try_from(number).map_err(|_| wrong(&what, "an array of vertex numbers, counted from 0", corner))
        };
        let corners = corners.iter().map(corner).collect::<Given<Vec<u32>>>()?;
        made_from.push(corners.len() as u64);
        made_from.extend(corners.iter().copied().map(u64::from));
        list.push(&corners);
    }
    let make = || Ok(meshes::solid(Polyhedron::new(points, list)?, None));
    Ok(ShapeDescription::solid(stage.solid((SolidKind::Polyhedron, made_from), make)?))
}

/// A shape moved within a larger one. Its density applies to those of its parts that have none.
fn part(shape: &Dynamic, options: &Dynamic) -> Given<ShapeDescription> {
    let mut shape = shape_of("part", shape)?;
    let options = Options::new("part".to_owned(), options, &["at", "rotation", "density"])?;
    let density = options.get("density", number)?;
    if let Some(value) = density.filter(|density| *density <= 0.0) {
        let what = "part: density".to_owned();
        return Err(Fault::Range { what, value, expected: "a positive number of kg/m^3" });
    }
    let pose = Pose {
        rotation: options.get("rotation", rotation)?.unwrap_or(DQuat::IDENTITY),
        translation: options.get("at", vector)?.unwrap_or(DVec3::ZERO),
    };
    for part in &mut shape.parts {
        part.shape_from_part = pose * part.shape_from_part;
        part.density = part.density.or(density);
    }
    for point in &mut shape.point_masses {
        point.position = pose.point(point.position);
    }
    Ok(shape)
}

fn compound(parts: &Dynamic) -> Given<ShapeDescription> {
    let mut whole = ShapeDescription::default();
    for (i, value) in
        array("compound: the parts", "an array [part(shape, #{ at: [x, y, z] }), ...]", parts)?.iter().enumerate()
    {
        let what = format!("compound: element {i}");
        if let Some(point) = value.clone().try_cast::<PointMass>() {
            whole.point_masses.push(point);
        } else {
            let shape: ShapeDescription =
                value.clone().try_cast().ok_or_else(|| wrong(&what, "a part, a shape or a point mass", value))?;
            if !shape.is_bounded() {
                return Err(Fault::Conflict {
                    of: what,
                    conflict: "a half-space cannot be a part: use a large cuboid instead",
                });
            }
            whole.parts.extend(shape.parts);
            whole.point_masses.extend(shape.point_masses);
        }
        if whole.parts.len() + whole.point_masses.len() > MAX_PARTS {
            return Err(Fault::Limit("a shape may have at most 10000 parts: make several bodies or a mesh file"));
        }
    }
    if whole.parts.is_empty() {
        return Err(Fault::Missing { of: "compound".to_owned(), needed: "at least one solid to collide with" });
    }
    Ok(whole)
}

fn point_mass(mass: &Dynamic, at: &Dynamic) -> Given<PointMass> {
    let what = "point_mass: mass";
    let mass = number(what, mass)?;
    if mass <= 0.0 {
        return Err(Fault::Range { what: what.to_owned(), value: mass, expected: "a positive number of kilograms" });
    }
    Ok(PointMass { mass, position: vector("point_mass: position", at)? })
}
