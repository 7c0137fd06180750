//! What is dropped: on a flat floor a part touches with its convex hull alone, and moves with the mass of all of it.

use glam::DVec3;
use impulse::geometry::{
    ConvexPolyhedron, MassError, MassProperties, NotConvex, Polyhedron, Shape, Solid, TriangleMesh,
};
use impulse_scenes::scene::{BodyDescription, MotionDescription, SceneDescription, SolidDescription};
use impulse_scenes::{SceneError, SceneSettings, SceneSource, load_scene, looks_like_millimetres, part};
use std::path::Path;
use std::sync::Arc;

/// Deviation of the polyhedra that stand for curved solids, relative to their bounding radius.
const DEVIATION: f64 = 1e-3;

/// How far inside its hull a centre of mass must be, relative to the radius.
const LEAST_DEPTH: f64 = 1e-9;

/// A part: its hull, its mass, and its surface for drawings, all in the frame of its file.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is called.
    pub name: String,
    /// What touches the floor.
    pub hull: Arc<ConvexPolyhedron>,
    /// Mass, centre of mass and inertia.
    pub mass: MassProperties,
    /// The surface.
    pub surface: TriangleMesh,
    /// Largest distance of a corner from the centre of mass, m.
    pub radius: f64,
    /// What a user should know about how it was read.
    pub notes: Vec<String>,
}

/// Why something cannot be dropped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The file cannot be read as a solid.
    #[error(transparent)]
    File(#[from] part::PartError),
    /// The script fails.
    #[error(transparent)]
    Script(#[from] SceneError),
    /// A script must say which body is the part.
    #[error(
        "{name}: the script has {count} free bodies; a script for `poses` describes one part, so give it exactly one"
    )]
    Bodies {
        /// The script.
        name: String,
        /// How many free bodies it has.
        count: usize,
    },
    /// The body is unbounded.
    #[error("{name}: a half-space cannot be dropped; build the part from bounded solids")]
    Unbounded {
        /// The part.
        name: String,
    },
    /// The part has no hull with a volume.
    #[error("{name}: {error}")]
    Hull {
        /// The part.
        name: String,
        /// What is wrong.
        error: NotConvex,
    },
    /// The part has no sensible mass.
    #[error("{name}: {error}")]
    Mass {
        /// The part.
        name: String,
        /// What is wrong.
        error: MassError,
    },
    /// The centre of mass is not inside the hull.
    #[error(
        "{name}: the centre of mass {com} lies {outside:.3e} m outside the part's convex hull, so no such part exists; check `com`, point masses and densities"
    )]
    CentreOutside {
        /// The part.
        name: String,
        /// The centre of mass, m.
        com: DVec3,
        /// Its distance from the nearest face that it is beyond of, m.
        outside: f64,
    },
}

impl Part {
    /// Reads a part from an STL or OBJ file, or a script with one free body. Scale (metres per unit of the file) and density
    /// (kg/m^3) do not apply to scripts, which have their own.
    pub fn load(path: &Path, scale: f64, density: f64) -> Result<Self, PartError> {
        let name = path.display().to_string();
        if path.extension().is_some_and(|extension| extension == "rhai") {
            let scene = load_scene(&SceneSource::Path(path.to_owned()), &SceneSettings::default())?;
            return Self::from_scene(&name, &scene);
        }
        Self::from_file(&name, &part::read_part(path, scale)?, scale, density)
    }

    /// A part file that was read with a scale, metres per unit of the file; the density is in kg/m^3.
    pub fn from_file(name: &str, read: &part::Part, scale: f64, density: f64) -> Result<Self, PartError> {
        let mut loaded = Self::from_polyhedron(name, &read.polyhedron, density)?;
        loaded.notes.extend(read.report.notes.iter().map(ToString::to_string));
        let size = 2.0 * loaded.radius;
        if looks_like_millimetres(size, scale) {
            loaded.notes.push(format!("about {size:.3} m large: drawn in millimetres? Then add --scale 0.001"));
        }
        Ok(loaded)
    }

    /// A uniform solid of a density, kg/m^3.
    pub fn from_polyhedron(name: &str, solid: &Polyhedron, density: f64) -> Result<Self, PartError> {
        let mass = MassProperties::from_density(&solid.volume_integrals(), density)
            .map_err(|error| PartError::Mass { name: name.to_owned(), error })?;
        Self::new(name, solid.tessellate(0.0), mass)
    }

    /// The one free body of a scene.
    pub fn from_scene(name: &str, scene: &SceneDescription) -> Result<Self, PartError> {
        let free = scene.bodies.iter().filter_map(|body| match body.motion {
            MotionDescription::Free { mass, .. } => Some((body, mass)),
            MotionDescription::Fixed | MotionDescription::Scripted(_) => None,
        });
        let free: Vec<_> = free.collect();
        let &[(body, mass)] = free.as_slice() else {
            return Err(PartError::Bodies { name: name.to_owned(), count: free.len() });
        };
        let surface = surface(body).ok_or_else(|| PartError::Unbounded { name: name.to_owned() })?;
        let mut part = Self::new(name, surface, mass)?;
        let is_flat = |solid: &SolidDescription| {
            matches!(
                solid,
                SolidDescription::Polyhedron(_) | SolidDescription::Convex(Shape::Convex(_) | Shape::Cuboid(_))
            )
        };
        if !body.shape.parts.iter().all(|piece| is_flat(&piece.solid)) {
            let sides = part.hull.surface().faces().len();
            part.notes.push(format!("curved surfaces are dropped as polyhedra; the hull has {sides} faces"));
        }
        Ok(part)
    }

    /// A part with a surface and a mass.
    pub fn new(name: &str, surface: TriangleMesh, mass: MassProperties) -> Result<Self, PartError> {
        let named = || name.to_owned();
        mass.validate().map_err(|error| PartError::Mass { name: named(), error })?;
        let hull =
            ConvexPolyhedron::hull(&surface.vertices).map_err(|error| PartError::Hull { name: named(), error })?;
        let radius = hull.bounding_radius(mass.com);
        // Heights are taken from a corner of the face: a plane's offset loses digits far from the origin.
        let faces = hull.surface().faces().iter().zip(hull.surface().planes());
        let outside = faces.map(|(corners, plane)| plane.normal.dot(mass.com - hull.vertices()[corners[0] as usize]));
        let outside = outside.fold(f64::NEG_INFINITY, f64::max);
        if outside > -LEAST_DEPTH * radius {
            return Err(PartError::CentreOutside { name: named(), com: mass.com, outside: outside.max(0.0) });
        }
        Ok(Self { name: named(), hull: Arc::new(hull), mass, surface, radius, notes: Vec::new() })
    }
}

/// All solids of a body as one mesh in the body's frame; `None` if one is unbounded.
fn surface(body: &BodyDescription) -> Option<TriangleMesh> {
    let mut whole = TriangleMesh::default();
    for piece in &body.shape.parts {
        let mesh = match &piece.solid {
            SolidDescription::Polyhedron(mesh) => mesh.polyhedron.tessellate(0.0),
            SolidDescription::Convex(shape) => shape.tessellate(DEVIATION * shape.bounding_radius(DVec3::ZERO))?,
        };
        let first = whole.vertices.len() as u32;
        whole.vertices.extend(mesh.vertices.iter().map(|&vertex| piece.shape_from_part.point(vertex)));
        whole.triangles.extend(mesh.triangles.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
    }
    Some(whole)
}
