//! Closed polyhedra: any genus, convex or not, faces of any number of sides (section 6.1).

use super::faces::{EdgeTable, Faces, face_edges};
use super::mass::projection::polyhedron_integrals;
use super::{Aabb, Plane, Solid, TriangleMesh, VolumeIntegrals};
use glam::DVec3;

/// Largest distance of a face's corner from the face's plane, relative to the polyhedron's radius.
pub const PLANARITY: f64 = 1e-9;

/// Smallest area of a face relative to the square of its perimeter; below it the face has no normal.
pub const DEGENERACY: f64 = 1e-14;

/// A valid closed polyhedron.
#[derive(Clone, Debug)]
pub struct Polyhedron {
    vertices: Vec<DVec3>,
    faces: Faces,
    planes: Vec<Plane>,
    integrals: VolumeIntegrals,
}

/// Why some vertices and faces do not bound a solid. Faces and vertices are numbered from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolyhedronError {
    /// No faces at all.
    #[error("there are no faces")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not a finite number: {position}")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        position: DVec3,
    },
    /// A face names a vertex that does not exist.
    #[error("face {face} names vertex {vertex}, but there are only {count} (numbered from 0)")]
    UnknownVertex {
        /// The face.
        face: usize,
        /// What it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A face has fewer than three corners.
    #[error("face {face} has {corners} corners; a face needs at least 3")]
    TooFewCorners {
        /// The face.
        face: usize,
        /// Its number of corners.
        corners: usize,
    },
    /// A face passes twice through a vertex.
    #[error("face {face} passes twice through vertex {vertex}; faces must be simple polygons")]
    RepeatedVertex {
        /// The face.
        face: usize,
        /// The vertex.
        vertex: u32,
    },
    /// No face uses a vertex.
    #[error("vertex {vertex} belongs to no face; remove it")]
    UnusedVertex {
        /// The vertex.
        vertex: usize,
    },
    /// A face has no area.
    #[error("face {face} has no area (its corners lie on a line, near {near})")]
    DegenerateFace {
        /// The face.
        face: usize,
        /// One of its corners.
        near: DVec3,
    },
    /// A face's corners do not lie in a plane.
    #[error(
        "face {face} is not flat: a corner is {distance:.3e} m off its plane (limit {limit:.3e}); split it into triangles"
    )]
    NotPlanar {
        /// The face.
        face: usize,
        /// Largest distance of a corner from the plane.
        distance: f64,
        /// Largest distance allowed.
        limit: f64,
    },
    /// The surface has a hole or a flap.
    #[error(
        "the surface is not closed: {count} edges lack a partner, the first from vertex {from} to vertex {to} of face {face}, at {near}"
    )]
    Open {
        /// How many edges lack a partner.
        count: usize,
        /// First such edge: the lower vertex.
        from: u32,
        /// First such edge: the higher vertex.
        to: u32,
        /// A face at it.
        face: u32,
        /// Its middle.
        near: DVec3,
    },
    /// Neighbouring faces wind in opposite senses.
    #[error(
        "faces wind inconsistently at {count} edges, first where faces {first} and {second} meet, at {near}: flip one of them"
    )]
    Winding {
        /// At how many edges.
        count: usize,
        /// One face.
        first: u32,
        /// The other.
        second: u32,
        /// Middle of the first such edge.
        near: DVec3,
    },
    /// The volume or its moments overflow.
    #[error("the polyhedron is too large: its volume or moments overflow; give coordinates in metres below 1e60")]
    TooLarge,
    /// The faces wind clockwise seen from outside.
    #[error("the surface is inside out (volume {volume:.6e} m^3): wind faces counter-clockwise seen from outside")]
    InsideOut {
        /// The volume it encloses, not positive.
        volume: f64,
    },
}

impl Polyhedron {
    /// Checks that the faces bound a solid: known vertices, flat simple faces with area, each edge used equally often in both
    /// senses (closed and consistently oriented), positive volume. Self-intersection is not looked for.
    pub fn new(vertices: Vec<DVec3>, faces: Faces) -> Result<Self, PolyhedronError> {
        check_vertices(&vertices, &faces)?;
        let planes = face_planes(&vertices, &faces)?;
        check_edges(&vertices, &faces)?;
        let integrals = polyhedron_integrals(&vertices, &faces, &planes);
        if integrals.volume <= 0.0 || integrals.volume.is_nan() {
            return Err(PolyhedronError::InsideOut { volume: integrals.volume });
        }
        if !(integrals.volume.is_finite() && integrals.central.is_finite()) {
            return Err(PolyhedronError::TooLarge);
        }
        Ok(Self { vertices, faces, planes, integrals })
    }

    /// The polyhedron bounded by a triangle mesh.
    pub fn from_triangles(mesh: &TriangleMesh) -> Result<Self, PolyhedronError> {
        Self::new(mesh.vertices.clone(), mesh.triangles.iter().collect())
    }

    /// Corners, metres.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Faces.
    pub fn faces(&self) -> &Faces {
        &self.faces
    }

    /// The plane of every face, normals outwards.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }
}

impl Solid for Polyhedron {
    fn support(&self, direction: DVec3) -> DVec3 {
        scan_support(&self.vertices, direction)
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        farthest(&self.vertices, centre)
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        self.integrals
    }

    fn tessellate(&self, _deviation: f64) -> TriangleMesh {
        let mut triangles = Vec::with_capacity(self.faces.corners().len() - 2 * self.faces.len());
        for (corners, plane) in self.faces.iter().zip(&self.planes) {
            super::ears::triangulate(&self.vertices, corners, plane.normal, &mut triangles);
        }
        TriangleMesh { vertices: self.vertices.clone(), triangles }
    }
}

/// The vertex farthest along `direction`, the first of equals, by looking at all of them.
pub(crate) fn scan_support(vertices: &[DVec3], direction: DVec3) -> DVec3 {
    let mut best = (vertices[0], f64::NEG_INFINITY);
    for &v in vertices {
        let height = v.dot(direction);
        if height > best.1 {
            best = (v, height);
        }
    }
    best.0
}

/// Largest distance of a vertex from `centre`.
pub(crate) fn farthest(vertices: &[DVec3], centre: DVec3) -> f64 {
    vertices.iter().map(|v| v.distance_squared(centre)).fold(0.0, f64::max).sqrt()
}

fn check_vertices(vertices: &[DVec3], faces: &Faces) -> Result<(), PolyhedronError> {
    if faces.is_empty() {
        return Err(PolyhedronError::Empty);
    }
    if let Some((vertex, &position)) = vertices.iter().enumerate().find(|(_, v)| !v.is_finite()) {
        return Err(PolyhedronError::NotFinite { vertex, position });
    }
    // The face that last passed through each vertex, to find repetitions and vertices left out.
    let mut last_face = vec![u32::MAX; vertices.len()];
    for (face, corners) in faces.iter().enumerate() {
        if corners.len() < 3 {
            return Err(PolyhedronError::TooFewCorners { face, corners: corners.len() });
        }
        for &vertex in corners {
            let Some(last) = last_face.get_mut(vertex as usize) else {
                return Err(PolyhedronError::UnknownVertex { face, vertex, count: vertices.len() });
            };
            if *last == face as u32 {
                return Err(PolyhedronError::RepeatedVertex { face, vertex });
            }
            *last = face as u32;
        }
    }
    match last_face.iter().position(|&f| f == u32::MAX) {
        Some(vertex) => Err(PolyhedronError::UnusedVertex { vertex }),
        None => Ok(()),
    }
}

fn face_planes(vertices: &[DVec3], faces: &Faces) -> Result<Vec<Plane>, PolyhedronError> {
    let bounds = Aabb::of_points(vertices.iter().copied());
    let limit = PLANARITY * 0.5 * bounds.size().length();
    let mut planes = Vec::with_capacity(faces.len());
    for (face, corners) in faces.iter().enumerate() {
        let plane = newell_plane(vertices, corners)
            .ok_or(PolyhedronError::DegenerateFace { face, near: vertices[corners[0] as usize] })?;
        let distance = off_plane(vertices, corners, plane.normal);
        if distance > limit {
            return Err(PolyhedronError::NotPlanar { face, distance, limit });
        }
        planes.push(plane);
    }
    Ok(planes)
}

/// How far a polygon's corners are from a plane with the given normal: half their extent across it. Measured from corner to
/// corner, since the plane's offset loses digits far from the origin.
pub fn off_plane(vertices: &[DVec3], corners: &[u32], normal: DVec3) -> f64 {
    let base = corners.first().map_or(DVec3::ZERO, |&v| vertices[v as usize]);
    let heights = corners.iter().map(|&v| normal.dot(vertices[v as usize] - base));
    let (low, high) = heights.fold((0.0, 0.0), |(low, high): (f64, f64), h| (low.min(h), high.max(h)));
    0.5 * (high - low)
}

/// The plane of a polygon by Newell's method: the normal along its vector area, through its mean corner. `None` where the
/// polygon has no area.
pub fn newell_plane(vertices: &[DVec3], corners: &[u32]) -> Option<Plane> {
    let base = vertices[*corners.first()? as usize];
    let (mut doubled_area, mut sum, mut perimeter) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    let (mut longest, mut longest_squared) = (DVec3::ZERO, 0.0);
    for (a, b) in face_edges(corners) {
        let (a, b) = (vertices[a as usize] - base, vertices[b as usize] - base);
        doubled_area += a.cross(b);
        sum += a;
        perimeter += a.distance(b);
        let squared = b.length_squared();
        if squared > longest_squared {
            (longest, longest_squared) = (b, squared);
        }
    }
    let length = doubled_area.length();
    if length <= 2.0 * DEGENERACY * perimeter * perimeter {
        return None;
    }
    let mut normal = doubled_area / length;
    if length < SLIVER * longest_squared {
        // In a sliver the products cancel and the normal leans along it; upright on its length it is right to rounding.
        normal = (normal - longest * (normal.dot(longest) / longest_squared)).normalize();
    }
    Some(Plane::through(base + sum / corners.len() as f64, normal))
}

/// Doubled area over squared length below which a polygon is so thin that its normal needs care.
const SLIVER: f64 = 0.01;

fn check_edges(vertices: &[DVec3], faces: &Faces) -> Result<(), PolyhedronError> {
    let (mut open, mut winding) = (0, 0);
    let (mut first_open, mut first_winding) = (None, None);
    let table = EdgeTable::new(vertices.len(), faces);
    for (from, to, uses) in table.iter() {
        let near = || 0.5 * (vertices[from as usize] + vertices[to as usize]);
        let forward = uses.iter().filter(|u| u.forward).count();
        if uses.len() % 2 == 1 {
            open += 1;
            first_open.get_or_insert_with(|| (from, to, uses[0].face, near()));
        } else if 2 * forward != uses.len() {
            winding += 1;
            first_winding.get_or_insert_with(|| (uses[0].face, uses[1].face, near()));
        }
    }
    if let Some((from, to, face, near)) = first_open {
        return Err(PolyhedronError::Open { count: open, from, to, face, near });
    }
    if let Some((first, second, near)) = first_winding {
        return Err(PolyhedronError::Winding { count: winding, first, second, near });
    }
    Ok(())
}
