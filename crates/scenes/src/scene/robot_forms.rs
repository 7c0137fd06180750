//! Geometries of robots' files as solids of scenes.

use super::description::{PartDescription, PartFileDescription, ShapeDescription, SolidDescription};
use super::error::Fault;
use super::meshes;
use super::stage::{KnownPart, Stage};
use super::values::Given;
use crate::urdf::{Form, Geometry, Member, Robot, UrdfError, UrdfFault};
use glam::DVec3;
use impulse::geometry::{Aabb, Capsule, Cuboid, Cylinder, Faces, Polyhedron, Shape, ShapeError, Solid, Sphere};
use impulse::math::Pose;
use std::path::{Component, Path, PathBuf};

/// Where the files of a robot are.
pub(super) struct Files<'a> {
    pub(super) robot: &'a Robot,
    /// The folder of packages, in the scene's folder.
    pub(super) packages: &'a str,
}

impl Files<'_> {
    /// What the links of a body collide with, in the body's frame.
    pub(super) fn shape(&self, stage: &mut Stage, members: &[Member]) -> Result<ShapeDescription, UrdfError> {
        let mut shape = ShapeDescription::default();
        for member in members {
            for form in &self.robot.links[member.link].collisions {
                shape.parts.push(self.part(stage, member, form)?);
            }
        }
        Ok(shape)
    }

    /// What the links of a body look like, in the body's frame: their visuals, or what they collide with where they have none. Visuals
    /// that cannot be read are left out, and noted.
    pub(super) fn look(&self, stage: &mut Stage, members: &[Member], notes: &mut Vec<String>) -> Look {
        let mut look = Look::default();
        for member in members {
            let link = &self.robot.links[member.link];
            let mut seen = 0;
            for form in &link.visuals {
                match self.part(stage, member, form) {
                    Ok(part) => {
                        look.shape.parts.push(part);
                        look.color = look.color.or(form.color);
                        seen += 1;
                    }
                    Err(error) => notes.push(format!("a visual is left out: {error}")),
                }
            }
            let rest = if seen == 0 { link.collisions.as_slice() } else { &[] };
            look.shape.parts.extend(rest.iter().filter_map(|form| self.part(stage, member, form).ok()));
        }
        look
    }

    fn part(&self, stage: &mut Stage, member: &Member, form: &Form) -> Result<PartDescription, UrdfError> {
        let refused = |fault: UrdfFault| self.robot.form_error(member.link, form, fault);
        let simple: Result<Shape, ShapeError> = match &form.geometry {
            Geometry::Mesh { file, scale } => {
                let solid = self.mesh(stage, file, *scale).map_err(refused)?;
                return Ok(placed(solid, member, form));
            }
            Geometry::Box(size) => Cuboid::new(*size).map(Shape::from),
            Geometry::Cylinder { radius, length } => Cylinder::new(*radius, *length).map(Shape::from),
            Geometry::Capsule { radius, length } => Capsule::new(*radius, *length).map(Shape::from),
            Geometry::Sphere(radius) => Sphere::new(*radius).map(Shape::from),
        };
        let solid = SolidDescription::Convex(simple.map_err(|error| refused(error.into()))?);
        Ok(placed(solid, member, form))
    }

    fn mesh(&self, stage: &mut Stage, file: &str, scale: DVec3) -> Result<SolidDescription, UrdfFault> {
        let path = self.path(file)?;
        let ending = Path::new(&path).extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        if !matches!(ending.as_deref(), Some("stl" | "obj")) {
            return Err(UrdfFault::Format(file.to_owned()));
        }
        scaled_part(stage, &path, scale).map_err(|fault| match fault {
            Fault::Part(error) => error.into(),
            Fault::Polyhedron(error) => error.into(),
            other => UrdfFault::File(other.to_string()),
        })
    }

    /// The path of a file in the scene's folder.
    fn path(&self, file: &str) -> Result<String, UrdfFault> {
        let outside = || UrdfFault::Path(file.chars().take(200).collect());
        let below = |folder: &str, rest: &str| {
            if folder.is_empty() { rest.to_owned() } else { format!("{}/{rest}", folder.trim_end_matches('/')) }
        };
        let path = match file.split_once("://") {
            Some(("package" | "model", rest)) => below(self.packages, rest),
            Some(_) => return Err(outside()),
            None => {
                let own = Path::new(&self.robot.file).parent().map(|folder| folder.to_string_lossy().into_owned());
                below(&own.unwrap_or_default(), file)
            }
        };
        let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let plain = !file.starts_with('/') && !path.contains(['\\', ':']);
        if plain && Path::new(&path).components().all(is_inside) { Ok(path) } else { Err(outside()) }
    }
}

/// What a body looks like.
#[derive(Default)]
pub(super) struct Look {
    pub(super) shape: ShapeDescription,
    pub(super) color: Option<[f64; 3]>,
}

impl Look {
    /// Whether it looks otherwise than it collides.
    pub(super) fn differs(&self, shape: &ShapeDescription) -> bool {
        self.shape.identity() != shape.identity()
    }
}

/// The height of the lowest point of a shape in a pose; none for a shape without parts.
pub(super) fn lowest(shape: &ShapeDescription, pose: &Pose) -> Option<f64> {
    let heights = shape.parts.iter().filter_map(|part| farthest(part, pose, DVec3::NEG_Z)).map(|point| point.z);
    heights.reduce(f64::min)
}

/// The box around some parts, in a frame from which the frame of their shape is seen as given.
pub(super) fn extent(parts: &[PartDescription], frame_from_shape: &Pose) -> Option<Aabb> {
    let directions = DVec3::AXES.into_iter().chain(DVec3::AXES.map(|axis| -axis));
    let points =
        directions.flat_map(|along| parts.iter().filter_map(move |part| farthest(part, frame_from_shape, along)));
    (!parts.is_empty()).then(|| Aabb::of_points(points))
}

/// The point of a part that is farthest along a direction of another frame.
fn farthest(part: &PartDescription, frame_from_shape: &Pose, along: DVec3) -> Option<DVec3> {
    let frame_from_part = *frame_from_shape * part.shape_from_part;
    let own = frame_from_part.inverse_vector(along);
    let point = match &part.solid {
        SolidDescription::Convex(shape) => shape.support(own)?,
        SolidDescription::Polyhedron(mesh) => mesh.polyhedron.support(own),
    };
    Some(frame_from_part.point(point))
}

fn placed(solid: SolidDescription, member: &Member, form: &Form) -> PartDescription {
    PartDescription { solid, shape_from_part: member.body_from_link * form.link_from_form, density: None }
}

/// The part in a file with a scale for each axis; negative ones mirror it.
fn scaled_part(stage: &mut Stage, name: &str, scale: DVec3) -> Given<SolidDescription> {
    if scale.x > 0.0 && scale == DVec3::splat(scale.x) {
        return meshes::part(stage, name, scale.x);
    }
    let path = meshes::found(stage, name)?;
    // No file has this name: a scale is not written so.
    let key = (PathBuf::from(format!("{} * {scale:?}", path.display())), 0);
    if !stage.parts.contains_key(&key) {
        let read = stage.folder.read_part(&path, 1.0)?.polyhedron;
        let vertices: Vec<DVec3> = read.vertices().iter().map(|vertex| *vertex * scale).collect();
        let mirrors = scale.x * scale.y * scale.z < 0.0;
        let mut faces = Faces::default();
        for face in read.faces().iter() {
            let corners: Vec<u32> = if mirrors { face.iter().rev().copied().collect() } else { face.to_vec() };
            faces.push(&corners);
        }
        let size = Aabb::of_points(vertices.iter().copied()).size().max_element();
        let solid = meshes::solid(Polyhedron::new(vertices, faces)?, Some(name.to_owned()));
        stage.parts.insert(key.clone(), KnownPart { solid, size, faces: read.faces().len() });
    }
    let KnownPart { solid, size, faces } = stage.parts[&key].clone();
    if stage.parts_used.insert(key) {
        stage.steps.spend(faces, 1);
        let scale = scale.abs().max_element();
        stage.scene.part_files.push(PartFileDescription { name: name.to_owned(), scale, size });
    }
    Ok(solid)
}
