//! Collision shapes of a scene's bodies: each is built once. Meshes are exact surfaces where no impulse moves them, and unions of
//! convex pieces where one does (section 2.2.2).

use crate::build_error::SceneBuildError;
use crate::scene::{
    BodyDescription, MotionDescription, PartDescription, PolyhedronDescription, ShapeDescription, ShapeIdentity,
    SolidDescription, SolidIdentity,
};
use glam::DMat3;
use impulse::geometry::{
    Aabb, Compound, DecomposeError, DecompositionReport, Piece, Shape, Solid, Sphere, StaticMesh, TriangleMesh,
    decompose,
};
use impulse::math::Pose;
use std::collections::BTreeMap;

/// A solid that is not convex, and what bodies of the scene collide with in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshUse {
    /// The part file, or the first body that has the solid.
    pub name: String,
    /// How many bodies have it.
    pub bodies: usize,
    /// What they collide with.
    pub fit: MeshFit,
}

/// What stands for a solid that is not convex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeshFit {
    /// Its own surface: the body is fixed or scripted.
    Exact {
        /// Triangles of the surface.
        triangles: usize,
    },
    /// Convex pieces: the body moves freely.
    Pieces {
        /// How well they fit.
        report: DecompositionReport,
        /// Longest side of the box around the solid, m.
        size: f64,
    },
}

impl MeshFit {
    /// Largest distance found between the solid and what stands for it, relative to the solid's longest side.
    pub fn error(&self) -> f64 {
        match self {
            Self::Exact { .. } => 0.0,
            Self::Pieces { report, size } => report.hausdorff / size,
        }
    }
}

/// Radius of a body without extent and mass, m.
const SMALL: f64 = 0.01;

/// The shapes built so far for one scene.
#[derive(Default)]
pub(crate) struct Workshop {
    /// By shape, and whether impulses move the body.
    shapes: BTreeMap<(ShapeIdentity, bool), Shape>,
    decompositions: BTreeMap<SolidIdentity, Shape>,
    /// Meshes in the order of first use, and which of them each solid is.
    pub(crate) meshes: Vec<MeshUse>,
    numbers: BTreeMap<(SolidIdentity, bool), usize>,
}

impl Workshop {
    /// The shape of a body: a single convex solid as it is, anything else as a surface or as a union of convex pieces.
    pub(crate) fn shape(&mut self, body: &BodyDescription) -> Result<Shape, SceneBuildError> {
        if let [part] = body.shape.parts.as_slice()
            && let (SolidDescription::Convex(shape), true) = (&part.solid, part.shape_from_part == Pose::IDENTITY)
        {
            return Ok(shape.clone());
        }
        if body.is_ghost() {
            return Ok(ghost(body));
        }
        let surface = if is_free(body) { None } else { surface(&body.shape) };
        let key = (body.shape.identity(), surface.is_some());
        let shape = match (self.shapes.get(&key), surface) {
            (Some(known), _) => known.clone(),
            (None, Some(surface)) => StaticMesh::new(surface)
                .map(Shape::from)
                .map_err(|error| SceneBuildError::Surface { name: body.name.clone(), error })?,
            (None, None) => self.union(&body.name, &body.shape)?,
        };
        self.shapes.insert(key.clone(), shape.clone());
        self.count(body, key.1);
        Ok(shape)
    }

    fn union(&mut self, name: &str, shape: &ShapeDescription) -> Result<Shape, SceneBuildError> {
        let mut pieces = Vec::with_capacity(shape.parts.len());
        for part in &shape.parts {
            let shape = match &part.solid {
                SolidDescription::Convex(shape) if shape.is_bounded() => shape.clone(),
                SolidDescription::Convex(_) => return Err(SceneBuildError::HalfSpacePart(name.to_owned())),
                SolidDescription::Polyhedron(mesh) => self
                    .decomposition(name, mesh, part.solid.identity())
                    .map_err(|error| SceneBuildError::Decompose { name: name.to_owned(), error })?,
            };
            pieces.push(Piece { shape, compound_from_piece: part.shape_from_part });
        }
        let compound =
            Compound::new(pieces).map_err(|error| SceneBuildError::Compound { name: name.to_owned(), error })?;
        Ok(Shape::from(compound))
    }

    fn decomposition(
        &mut self,
        body: &str,
        mesh: &PolyhedronDescription,
        identity: SolidIdentity,
    ) -> Result<Shape, DecomposeError> {
        if let Some(known) = self.decompositions.get(&identity) {
            return Ok(known.clone());
        }
        let found = decompose(&mesh.polyhedron, &mesh.limits)?;
        let size = Aabb::of_points(mesh.polyhedron.vertices().iter().copied()).size().max_element();
        let fit = MeshFit::Pieces { report: found.report, size };
        self.note(mesh.file.as_deref().unwrap_or(body), (identity.clone(), false), fit);
        let cut = Shape::from(found.compound);
        self.decompositions.insert(identity, cut.clone());
        Ok(cut)
    }

    /// Counts a body for each of its meshes.
    fn count(&mut self, body: &BodyDescription, exact: bool) {
        let mut counted: Vec<usize> = Vec::new();
        for part in &body.shape.parts {
            let SolidDescription::Polyhedron(mesh) = &part.solid else { continue };
            let key = (part.solid.identity(), exact);
            if exact && !self.numbers.contains_key(&key) {
                let triangles = mesh.polyhedron.tessellate(0.0).triangles.len();
                let name = mesh.file.as_deref().unwrap_or(&body.name);
                self.note(name, key.clone(), MeshFit::Exact { triangles });
            }
            counted.extend(self.numbers.get(&key).copied());
        }
        counted.sort_unstable();
        counted.dedup();
        counted.into_iter().for_each(|number| self.meshes[number].bodies += 1);
    }

    fn note(&mut self, name: &str, key: (SolidIdentity, bool), fit: MeshFit) {
        self.numbers.insert(key, self.meshes.len());
        self.meshes.push(MeshUse { name: name.to_owned(), bodies: 0, fit });
    }
}

/// A small ball for a body that collides with nothing: bodies have an extent. It is at the origin of the shape's frame.
fn ghost(body: &BodyDescription) -> Shape {
    let gyration = match &body.motion {
        MotionDescription::Free { mass, .. } => {
            let DMat3 { x_axis, y_axis, z_axis } = mass.inertia;
            ((x_axis.x + y_axis.y + z_axis.z) / (2.0 * mass.mass)).sqrt()
        }
        MotionDescription::Fixed | MotionDescription::Scripted(_) => 0.0,
    };
    Sphere::new(gyration).or(Sphere::new(SMALL)).expect("the radius is positive").into()
}

fn is_free(body: &BodyDescription) -> bool {
    matches!(body.motion, MotionDescription::Free { .. })
}

/// The surface of a shape that has a solid that is not convex; `None` if it has none, or if some part is curved.
fn surface(shape: &ShapeDescription) -> Option<TriangleMesh> {
    let is_mesh = |part: &PartDescription| matches!(part.solid, SolidDescription::Polyhedron(_));
    if !shape.parts.iter().any(is_mesh) {
        return None;
    }
    let mut whole = TriangleMesh::default();
    for part in &shape.parts {
        let mesh = flat_faces(&part.solid)?;
        let first = whole.vertices.len() as u32;
        whole.vertices.extend(mesh.vertices.iter().map(|&vertex| part.shape_from_part.point(vertex)));
        whole.triangles.extend(mesh.triangles.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
    }
    Some(whole)
}

/// The triangles of a solid with flat faces; `None` for others.
fn flat_faces(solid: &SolidDescription) -> Option<TriangleMesh> {
    match solid {
        SolidDescription::Polyhedron(mesh) => Some(mesh.polyhedron.tessellate(0.0)),
        SolidDescription::Convex(shape @ (Shape::Convex(_) | Shape::Cuboid(_))) => shape.tessellate(0.0),
        SolidDescription::Convex(_) => None,
    }
}
