//! Shapes as plain data from which they are restored to the bit; shapes that bodies share are written once (section 2.2.2).

use super::{
    Capsule, Compound, Cone, ConvexPolyhedron, Cuboid, Cylinder, Ellipsoid, Faces, HalfSpace, Piece, RoundedCuboid,
    Shape, Sphere, StaticMesh, TriangleMesh, VolumeIntegrals,
};
use crate::math::Pose;
use glam::DVec3;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A shape in a snapshot. The pieces of a compound come before it in the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum SavedShape {
    Sphere(f64),
    Cuboid(DVec3),
    RoundedCuboid(DVec3, f64),
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Ellipsoid(DVec3),
    HalfSpace(DVec3, f64),
    Convex(Vec<DVec3>, Vec<Vec<u32>>),
    Compound(Vec<(u32, Pose)>, VolumeIntegrals),
    Mesh(TriangleMesh),
}

/// All shapes of a snapshot.
#[derive(Default)]
pub(crate) struct ShapeTable {
    pub(crate) shapes: Vec<SavedShape>,
    /// Numbers of shared shapes, by their address in memory.
    known: BTreeMap<usize, u32>,
}

impl ShapeTable {
    /// The number of a shape, which is added unless it is shared and already in the table.
    pub(crate) fn add(&mut self, shape: &Shape) -> u32 {
        let address = match shape {
            Shape::Convex(shared) => Some(Arc::as_ptr(shared) as usize),
            Shape::Compound(shared) => Some(Arc::as_ptr(shared) as usize),
            Shape::Mesh(shared) => Some(Arc::as_ptr(shared) as usize),
            Shape::Cuboid(cuboid) => cuboid.polyhedron().map(|shared| std::ptr::from_ref(shared) as usize),
            _ => None,
        };
        if let Some(&number) = address.and_then(|address| self.known.get(&address)) {
            return number;
        }
        let saved = self.saved(shape);
        self.shapes.push(saved);
        let number = self.shapes.len() as u32 - 1;
        if let Some(address) = address {
            self.known.insert(address, number);
        }
        number
    }

    fn saved(&mut self, shape: &Shape) -> SavedShape {
        match shape {
            Shape::Sphere(s) => SavedShape::Sphere(s.radius()),
            Shape::Cuboid(s) => SavedShape::Cuboid(s.size()),
            Shape::RoundedCuboid(s) => SavedShape::RoundedCuboid(s.size(), s.radius()),
            Shape::Capsule(s) => SavedShape::Capsule(s.radius(), s.length()),
            Shape::Cylinder(s) => SavedShape::Cylinder(s.radius(), s.height()),
            Shape::Cone(s) => SavedShape::Cone(s.radius(), s.height()),
            Shape::Ellipsoid(s) => SavedShape::Ellipsoid(s.semi_axes()),
            Shape::HalfSpace(s) => SavedShape::HalfSpace(s.normal(), s.offset()),
            Shape::Convex(s) => {
                SavedShape::Convex(s.vertices().to_vec(), s.surface().faces().iter().map(<[u32]>::to_vec).collect())
            }
            Shape::Compound(s) => {
                let pieces = s.pieces().iter().map(|p| (self.add(&p.shape), p.compound_from_piece)).collect();
                SavedShape::Compound(pieces, super::Solid::volume_integrals(s.as_ref()))
            }
            Shape::Mesh(s) => SavedShape::Mesh(s.mesh().clone()),
        }
    }
}

/// Restores the shapes of a table; if one is invalid, returns its number and the reason.
pub(crate) fn restored_shapes(saved: Vec<SavedShape>) -> Result<Vec<Shape>, (usize, String)> {
    let mut shapes = Vec::with_capacity(saved.len());
    for (number, shape) in saved.into_iter().enumerate() {
        shapes.push(restored(shape, &shapes).map_err(|why| (number, why))?);
    }
    Ok(shapes)
}

fn restored(saved: SavedShape, before: &[Shape]) -> Result<Shape, String> {
    fn done<S: Into<Shape>>(made: Result<S, impl ToString>) -> Result<Shape, String> {
        made.map(Into::into).map_err(|error| error.to_string())
    }
    match saved {
        SavedShape::Sphere(radius) => done(Sphere::new(radius)),
        SavedShape::Cuboid(size) => done(Cuboid::new(size)),
        SavedShape::RoundedCuboid(size, radius) => done(RoundedCuboid::new(size, radius)),
        SavedShape::Capsule(radius, length) => done(Capsule::new(radius, length)),
        SavedShape::Cylinder(radius, height) => done(Cylinder::new(radius, height)),
        SavedShape::Cone(radius, height) => done(Cone::new(radius, height)),
        SavedShape::Ellipsoid(semi_axes) => done(Ellipsoid::new(semi_axes)),
        SavedShape::HalfSpace(normal, offset) => {
            done(HalfSpace::restored(normal, offset).ok_or("the normal of a half-space is no unit vector"))
        }
        SavedShape::Convex(vertices, faces) => {
            let faces: Faces = faces.iter().collect();
            done(ConvexPolyhedron::restored(vertices, faces))
        }
        SavedShape::Compound(pieces, integrals) => {
            let piece = |(number, pose): (u32, Pose)| {
                let shape = before.get(number as usize).cloned()?;
                let flat = !matches!(shape, Shape::Compound(_));
                (flat && pose.is_rigid()).then_some(Piece { shape, compound_from_piece: pose })
            };
            let pieces: Option<Vec<Piece>> = pieces.into_iter().map(piece).collect();
            let pieces = pieces.ok_or("a piece of a compound is no earlier simple shape in a pose")?;
            done(Compound::new(pieces).map(|compound| compound.with_integrals(integrals)))
        }
        SavedShape::Mesh(mesh) => done(StaticMesh::new(mesh)),
    }
}

/// A table whose last entry is the shape; those before it are the pieces of a compound.
impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = ShapeTable::default();
        table.add(self);
        table.shapes.serialize(serializer)
    }
}

/// Made anew from its parameters, with all their checks, and equal to the bit to the shape that was serialised.
impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let shapes = restored_shapes(Vec::deserialize(deserializer)?)
            .map_err(|(number, why)| D::Error::custom(format!("entry {number} (from 0) of the shape: {why}")))?;
        shapes.into_iter().last().ok_or_else(|| D::Error::custom("the shape has no entries"))
    }
}
