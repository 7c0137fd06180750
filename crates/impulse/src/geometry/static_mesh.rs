//! Large surfaces that no impulse moves: triangles under a tree of boxes (compare section 2.2.2).
//!
//! Triangles are tested one by one, but a contact at an edge or a corner belongs to the surface only if no other triangle there
//! has nearer points: the direction to it must lie in the feature's Voronoi region with respect to *all* triangles around it
//! (section 2.2.1). Otherwise a body that slides over a flat floor would hit the edges inside the floor.

use super::box_tree::BoxTree;
use super::slab::{Slab, slabs};
use super::{Aabb, TriangleMesh};
use glam::DVec3;

/// A surface of triangles that collides from both sides. It need not be closed, and has no volume.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{StaticMesh, TriangleMesh};
///
/// let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.2)];
/// let ground = StaticMesh::new(TriangleMesh { vertices, triangles: vec![[0, 1, 2], [1, 3, 2]] })?;
/// assert_eq!(ground.normal(0), DVec3::Z);
/// # Ok::<(), impulse::geometry::StaticMeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StaticMesh {
    mesh: TriangleMesh,
    corners: Vec<[DVec3; 3]>,
    normals: Vec<DVec3>,
    tree: BoxTree,
    /// The slab of every node of the tree.
    slabs: Vec<Slab>,
    /// Triangles around every vertex, in ascending order.
    fans: Vec<u32>,
    fan_ends: Vec<u32>,
}

/// Why some triangles do not make a surface. Triangles and vertices are numbered from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StaticMeshError {
    /// No triangles.
    #[error("a static mesh needs at least one triangle")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not a finite number: {position}")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        position: DVec3,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {count} (numbered from 0)")]
    UnknownVertex {
        /// The triangle.
        triangle: usize,
        /// What it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A triangle without area.
    #[error("triangle {triangle}, near {near}, has no area; remove it and merge equal vertices")]
    Degenerate {
        /// The triangle.
        triangle: usize,
        /// One of its corners.
        near: DVec3,
    },
}

/// Smallest doubled area of a triangle relative to the square of its longest side.
const MIN_TRIANGLE_AREA: f64 = 1e-12;

impl StaticMesh {
    /// The surface of a triangle mesh. Triangles are neighbours if they share vertex numbers.
    pub fn new(mesh: TriangleMesh) -> Result<Self, StaticMeshError> {
        check(&mesh)?;
        let corners: Vec<[DVec3; 3]> = mesh.corners().collect();
        let normals = corners.iter().enumerate().map(|(t, c)| normal(t, c)).collect::<Result<Vec<_>, _>>()?;
        let boxes: Vec<Aabb> = corners.iter().map(|c| Aabb::of_points(*c)).collect();
        let (fans, fan_ends) = fans(&mesh);
        let tree = BoxTree::new(&boxes);
        Ok(Self { slabs: slabs(&tree, &corners), tree, mesh, corners, normals, fans, fan_ends })
    }

    /// Vertices and triangles.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Corners of a triangle, metres.
    pub fn corners(&self, triangle: u32) -> &[DVec3; 3] {
        &self.corners[triangle as usize]
    }

    /// Unit normal of a triangle, on the side from which its corners run counter-clockwise.
    pub fn normal(&self, triangle: u32) -> DVec3 {
        self.normals[triangle as usize]
    }

    pub(super) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// The slab around everything below a node of the tree.
    pub(super) fn slab(&self, node: u32) -> &Slab {
        &self.slabs[node as usize]
    }

    /// The normal of a contact at a point of `triangle`, as the whole surface has it; `None` if other triangles are nearer to
    /// the body's point.
    pub(super) fn surface_normal(&self, triangle: u32, contact: &MeshContact) -> Option<DVec3> {
        let weights = barycentric(self.corners(triangle), contact.on_mesh);
        let mut at = [0; 3];
        let mut count = 0;
        for (weight, vertex) in weights.into_iter().zip(self.mesh.triangles[triangle as usize]) {
            if weight > ON_BORDER {
                at[count] = vertex;
                count += 1;
            }
        }
        match at[..count] {
            [vertex] => self.around(triangle, contact, vertex, |_| true),
            [vertex, other] => self.around(triangle, contact, vertex, |t| t.contains(&other)),
            _ => Some(along(self.normal(triangle), contact.normal)),
        }
    }

    /// The normal at a vertex, or at an edge from it, from the triangles around it that `belongs` picks.
    fn around<F: Fn(&[u32; 3]) -> bool>(
        &self,
        triangle: u32,
        contact: &MeshContact,
        vertex: u32,
        belongs: F,
    ) -> Option<DVec3> {
        let scale = contact.on_mesh.length() + self.corners(triangle)[0].distance(contact.on_mesh);
        let between = contact.on_body - contact.on_mesh;
        let mut n = contact.normal;
        let fan = || self.fan(vertex).iter().filter(|&&t| belongs(&self.mesh.triangles[t as usize]));
        for &other in fan() {
            let Some(nearer) = steepest(self.corners(other), self.normal(other), contact.on_mesh, n) else { continue };
            if other != triangle && between.dot(nearer) > NEARER_SLACK * scale {
                return None;
            }
            // For a point on the surface only the triangle's own normal remains.
            let Some(turned) = n.reject_from_normalized(nearer).try_normalize() else {
                return Some(along(self.normal(other), contact.normal));
            };
            n = turned;
        }
        let nearest = fan().map(|&t| along(self.normal(t), n)).find(|f| f.distance(n) < SAME_NORMAL);
        Some(nearest.unwrap_or(n))
    }

    /// Whether `p`, whose nearest point of a closed surface is the point `nearest` of `triangle`, lies outside.
    ///
    /// At a corner the normals of the triangles around it are weighted by their angles there (Baerentzen and Aanaes 2005).
    pub(super) fn is_outside(&self, triangle: u32, nearest: DVec3, p: DVec3) -> bool {
        let weights = barycentric(self.corners(triangle), nearest);
        let vertices = self.mesh.triangles[triangle as usize];
        let on = [0, 1, 2].map(|i| weights[i] > ON_BORDER);
        let touches = |t: &u32| (0..3).all(|i| !on[i] || self.mesh.triangles[*t as usize].contains(&vertices[i]));
        let Some(first) = (0..3).find(|&i| on[i]) else { return false };
        let vertex = vertices[first];
        let is_corner = on.iter().filter(|&&is| is).count() == 1;
        let weight = |t: u32| if is_corner { self.angle_at(t, vertex) } else { 1.0 };
        let sum: DVec3 = self.fan(vertex).iter().filter(|t| touches(t)).map(|&t| self.normal(t) * weight(t)).sum();
        sum.dot(p - nearest) > 0.0
    }

    /// The angle of a triangle at one of its vertices, radians.
    fn angle_at(&self, triangle: u32, vertex: u32) -> f64 {
        let corners = self.corners(triangle);
        let i = self.mesh.triangles[triangle as usize].iter().position(|&v| v == vertex).unwrap_or(0);
        let (u, v) = (corners[(i + 1) % 3] - corners[i], corners[(i + 2) % 3] - corners[i]);
        libm::atan2(u.cross(v).length(), u.dot(v))
    }

    fn fan(&self, vertex: u32) -> &[u32] {
        let start = if vertex == 0 { 0 } else { self.fan_ends[vertex as usize - 1] };
        &self.fans[start as usize..self.fan_ends[vertex as usize] as usize]
    }
}

/// Closest points of the surface and a body, in the frame of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshContact {
    pub(super) on_mesh: DVec3,
    pub(super) on_body: DVec3,
    /// Unit vector from the surface to the body.
    pub(super) normal: DVec3,
}

/// Barycentric weights below this count as zero: the point is on the side opposite that corner.
const ON_BORDER: f64 = 1e-10;

/// How much nearer, relative to the coordinates, another triangle must be to take over a contact. Below it the contact stays,
/// and its normal is turned into the Voronoi region, which for a flat surface is a single direction.
const NEARER_SLACK: f64 = 1e-11;

/// Normals this close to that of a triangle are replaced by it.
const SAME_NORMAL: f64 = 1e-9;

/// Slopes below this count as rounding.
const LEVEL_SLOPE: f64 = 1e-13;

/// `normal` or its opposite, whichever is on the side of `n`.
fn along(normal: DVec3, n: DVec3) -> DVec3 {
    if normal.dot(n) < 0.0 { -normal } else { normal }
}

/// The unit vector from the point `p` of a triangle into the triangle that rises most steeply along `n`; `None` if none rises.
fn steepest(corners: &[DVec3; 3], normal: DVec3, p: DVec3, n: DVec3) -> Option<DVec3> {
    let [a, b, c] = *corners;
    let weights = barycentric(corners, p);
    let free = n.reject_from_normalized(normal);
    if free.length_squared() < LEVEL_SLOPE * LEVEL_SLOPE {
        return None;
    }
    let leads_out =
        |i: usize, from: DVec3, to: DVec3| weights[i] <= ON_BORDER && normal.cross(to - from).dot(free) < 0.0;
    let rising = if leads_out(0, b, c) || leads_out(1, c, a) || leads_out(2, a, b) {
        // It runs along a side then, towards one of its ends.
        let ends = (0..3).filter(|&i| weights[i] < 1.0 - ON_BORDER).map(|i| (corners[i] - p).normalize());
        ends.max_by(|u, v| u.dot(n).total_cmp(&v.dot(n)))?
    } else {
        free.normalize()
    };
    (rising.dot(n) > LEVEL_SLOPE).then_some(rising)
}

/// Barycentric weights of the point of the triangle's plane nearest to `p`.
fn barycentric(corners: &[DVec3; 3], p: DVec3) -> [f64; 3] {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let squared = normal.length_squared();
    [(b, c), (c, a), (a, b)].map(|(from, to)| (to - from).cross(p - from).dot(normal) / squared)
}

fn check(mesh: &TriangleMesh) -> Result<(), StaticMeshError> {
    if mesh.triangles.is_empty() {
        return Err(StaticMeshError::Empty);
    }
    if let Some(vertex) = mesh.vertices.iter().position(|v| !v.is_finite()) {
        return Err(StaticMeshError::NotFinite { vertex, position: mesh.vertices[vertex] });
    }
    let count = mesh.vertices.len();
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
            return Err(StaticMeshError::UnknownVertex { triangle, vertex, count });
        }
    }
    Ok(())
}

fn normal(triangle: usize, [a, b, c]: &[DVec3; 3]) -> Result<DVec3, StaticMeshError> {
    let area = (b - a).cross(c - a);
    let longest = a.distance_squared(*b).max(b.distance_squared(*c)).max(c.distance_squared(*a));
    let length = area.length();
    if length > MIN_TRIANGLE_AREA * longest {
        // Divide, do not multiply by the reciprocal: then a normal along an axis is exactly that axis.
        Ok(area / length)
    } else {
        Err(StaticMeshError::Degenerate { triangle, near: *a })
    }
}

/// The triangles around every vertex, and where each vertex' run ends.
fn fans(mesh: &TriangleMesh) -> (Vec<u32>, Vec<u32>) {
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); mesh.vertices.len()];
    for (number, triangle) in (0..).zip(&mesh.triangles) {
        for &vertex in triangle {
            around[vertex as usize].push(number);
        }
    }
    let mut end = 0;
    let ends = around.iter().map(|fan| {
        end += fan.len() as u32;
        end
    });
    let ends = ends.collect();
    (around.concat(), ends)
}
