//! What a part weighs: the mass properties of a part file as `impulse mass` and the page tell them (thesis chapter 6).

use super::Part;
use crate::warnings::looks_like_millimetres;
use glam::DMat3;
use impulse::geometry::{Aabb, MassError, MassProperties, Polyhedron, Solid, convex::CONVEXITY, convex_hull};
use serde::Serialize;

/// The properties of one part, in SI units.
#[derive(Clone, Debug, Serialize)]
pub struct Weight {
    /// What it is called.
    pub file: String,
    /// kg/m^3.
    pub density: f64,
    /// Metres per unit of the file.
    pub scale: f64,
    /// Corners.
    pub vertices: usize,
    /// Faces.
    pub faces: usize,
    /// Always: open surfaces are refused.
    pub closed: bool,
    /// Whether it is convex.
    pub convex: bool,
    /// Number of closed surfaces: bodies and cavities.
    pub shells: usize,
    /// How many of them are cavities.
    pub cavities: usize,
    /// m^3.
    pub volume: f64,
    /// Null if the part is too thin to have a hull.
    pub hull_volume: Option<f64>,
    /// kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub com: [f64; 3],
    /// About the centre of mass, along the file's axes.
    pub inertia: [[f64; 3]; 3],
    /// Ascending.
    pub principal_moments: [f64; 3],
    /// One unit vector per principal moment.
    pub principal_axes: [[f64; 3]; 3],
    /// Two corners, m.
    pub bounding_box: [[f64; 3]; 2],
    /// Repairs made to the surface, and a hint where the part is very large.
    pub notes: Vec<String>,
}

impl Weight {
    /// Of a part of a density, kg/m^3, that was read with a scale, metres per unit of the file.
    pub fn new(file: String, part: &Part, density: f64, scale: f64) -> Result<Self, MassError> {
        let body = MassProperties::from_density(&part.polyhedron.volume_integrals(), density)?;
        let solid = &part.polyhedron;
        let volume = solid.volume_integrals().volume;
        let hull = hull_volume(solid);
        let frame = body.principal_frame();
        let bounds = Aabb::of_points(solid.vertices().iter().copied());
        let size = bounds.size().max_element();
        let hint = looks_like_millimetres(size, scale)
            .then(|| format!("{size:.7} m long: drawn in millimetres? Then add --scale 0.001"));
        Ok(Self {
            file,
            density,
            scale,
            vertices: solid.vertices().len(),
            faces: solid.faces().len(),
            // An open surface has been refused before.
            closed: true,
            convex: hull.is_some_and(|hull| volume >= hull * (1.0 - CONVEXITY)),
            shells: part.report.shells,
            cavities: part.report.cavities,
            volume,
            hull_volume: hull,
            mass: body.mass,
            com: body.com.to_array(),
            inertia: rows(body.inertia),
            principal_moments: frame.moments.to_array(),
            principal_axes: frame.axes.to_cols_array_2d(),
            bounding_box: [bounds.min.to_array(), bounds.max.to_array()],
            notes: part.report.notes.iter().map(ToString::to_string).chain(hint).collect(),
        })
    }
}

fn hull_volume(solid: &Polyhedron) -> Option<f64> {
    let hull = convex_hull(solid.vertices()).ok()?;
    Some(Polyhedron::new(hull.vertices, hull.faces).ok()?.volume_integrals().volume)
}

fn rows(m: DMat3) -> [[f64; 3]; 3] {
    m.transpose().to_cols_array_2d()
}
