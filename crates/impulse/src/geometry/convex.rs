//! Convex polyhedra with their edges, neighbours and the planes between Voronoi regions (section 2.2, figures 2.2 and 2.4).

use super::faces::{EdgeTable, face_edges};
use super::hull::{HullError, convex_hull};
use super::polyhedron::{farthest, scan_support};
use super::{Aabb, Faces, Plane, Polyhedron, PolyhedronError, Solid, TriangleMesh, VolumeIntegrals};
use glam::DVec3;

/// Volume by which a polyhedron may fall short of its hull and still be called convex, relative to the hull.
pub const CONVEXITY: f64 = 1e-9;

/// Up to this many vertices looking at all of them is faster than climbing from one to the next.
const SCAN_LIMIT: usize = 24;

/// A convex polyhedron ready for closest-feature tracking.
#[derive(Clone, Debug)]
pub struct ConvexPolyhedron {
    surface: Polyhedron,
    edges: Vec<Edge>,
    /// Edge numbers of every face's sides, in the order of its corners; runs as in the faces.
    sides: Vec<Side>,
    side_starts: Vec<u32>,
    /// Edges that leave every vertex.
    spokes: Vec<Spoke>,
    spoke_starts: Vec<u32>,
    centre: DVec3,
    radius: f64,
    reach: f64,
    fineness: f64,
    bounds: Aabb,
    /// The vertex farthest along the middle of every [`sector`].
    outposts: [u32; SECTORS],
}

/// An edge between two faces, with the planes that bound its Voronoi region.
///
/// A point is in the edge's region when its height over `tail_plane`, `left_plane` and `right_plane` is not negative and that
/// over `head_plane` not positive. Below `tail_plane` lies the region of the tail, above `head_plane` that of the head, below
/// `left_plane` and `right_plane` those of the faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Vertex where it begins.
    pub tail: u32,
    /// Vertex where it ends.
    pub head: u32,
    /// Face that runs along it from tail to head.
    pub left: u32,
    /// Face that runs along it from head to tail.
    pub right: u32,
    /// Length, m.
    pub length: f64,
    /// Through the tail, normal along the edge.
    pub tail_plane: Plane,
    /// Through the head, normal along the edge.
    pub head_plane: Plane,
    /// Through the edge, perpendicular to the left face, normal away from that face.
    pub left_plane: Plane,
    /// Through the edge, perpendicular to the right face, normal away from that face.
    pub right_plane: Plane,
}

impl Edge {
    /// Unit vector from tail to head.
    pub fn direction(&self) -> DVec3 {
        self.tail_plane.normal
    }
}

/// A face's use of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The edge.
    pub edge: u32,
    /// Whether the face is on the edge's left (runs from tail to head).
    pub is_left: bool,
}

/// An edge seen from one of its vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spoke {
    /// The edge.
    pub edge: u32,
    /// The vertex at its other end.
    pub to: u32,
    /// Whether it begins here (its tail is this vertex).
    pub outgoing: bool,
}

/// Why something is not a convex polyhedron.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotConvex {
    /// The points have no hull with a volume.
    #[error(transparent)]
    Hull(#[from] HullError),
    /// The hull's faces do not form a surface: its smallest features are below rounding.
    #[error("the hull is degenerate at the scale of rounding: {0}")]
    Surface(#[from] PolyhedronError),
    /// The polyhedron does not fill its hull.
    #[error("the polyhedron is not convex: it fills {volume:.9e} of its hull's {hull_volume:.9e} m^3")]
    Hollow {
        /// Volume of the polyhedron, m^3.
        volume: f64,
        /// Volume of its hull, m^3.
        hull_volume: f64,
    },
}

impl ConvexPolyhedron {
    /// The convex hull of some points.
    pub fn hull(points: &[DVec3]) -> Result<Self, NotConvex> {
        let hull = convex_hull(points)?;
        Ok(Self::from_hull_surface(Polyhedron::new(hull.vertices, hull.faces)?))
    }

    /// A polyhedron that is convex: one that fills its hull. Coplanar neighbouring faces become one.
    pub fn from_polyhedron(polyhedron: &Polyhedron) -> Result<Self, NotConvex> {
        let hull = Self::hull(polyhedron.vertices())?;
        let (volume, hull_volume) = (polyhedron.volume_integrals().volume, hull.volume_integrals().volume);
        if volume < hull_volume * (1.0 - CONVEXITY) {
            return Err(NotConvex::Hollow { volume, hull_volume });
        }
        Ok(hull)
    }

    /// The box centred at the origin with these half sizes, metres. It needs no hull, so that it may be as thin as its faces
    /// can be told from lines.
    pub fn cuboid(half: DVec3) -> Result<Self, NotConvex> {
        let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let corner = |i: u32| half * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2));
        let faces = [[0u32, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces: Faces = faces.iter().collect();
        Ok(Self::from_hull_surface(Polyhedron::new((0..8).map(corner).collect(), faces)?))
    }

    /// The body that has these corners and faces: those of another, for nothing is merged or put in order.
    pub(super) fn restored(vertices: Vec<DVec3>, faces: Faces) -> Result<Self, NotConvex> {
        let body = Self::from_hull_surface(Polyhedron::new(vertices, faces)?);
        let bulges = |edge: &Edge| {
            let plane = body.surface.planes()[edge.left as usize];
            let corners = body.surface.faces().get(edge.right as usize);
            corners.iter().any(|&v| plane.height(body.vertices()[v as usize]) > CONVEXITY * body.reach)
        };
        if body.edges.iter().any(bulges) {
            let volume = body.volume_integrals().volume;
            let hull_volume = Self::hull(body.vertices())?.volume_integrals().volume;
            return Err(NotConvex::Hollow { volume, hull_volume });
        }
        Ok(body)
    }

    fn from_hull_surface(surface: Polyhedron) -> Self {
        let (edges, sides) = edges_and_sides(&surface);
        let mut side_starts = Vec::with_capacity(surface.faces().len() + 1);
        side_starts.push(0);
        for corners in surface.faces().iter() {
            side_starts.push(side_starts[side_starts.len() - 1] + corners.len() as u32);
        }
        let (spokes, spoke_starts) = spokes(surface.vertices().len(), &edges);
        let centre = surface.vertices().iter().sum::<DVec3>() / surface.vertices().len() as f64;
        let radius = farthest(surface.vertices(), centre);
        let reach = farthest(surface.vertices(), DVec3::ZERO);
        let fineness = surface.faces().iter().map(|f| width(surface.vertices(), f)).fold(f64::INFINITY, f64::min);
        let bounds = Aabb::of_points(surface.vertices().iter().copied());
        let outposts = outposts(surface.vertices());
        Self {
            surface,
            edges,
            sides,
            side_starts,
            spokes,
            spoke_starts,
            centre,
            radius,
            reach,
            fineness,
            bounds,
            outposts,
        }
    }

    /// Corners, metres.
    pub fn vertices(&self) -> &[DVec3] {
        self.surface.vertices()
    }

    /// The surface as a polyhedron: faces and their planes.
    pub fn surface(&self) -> &Polyhedron {
        &self.surface
    }

    /// All edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges around a face, counter-clockwise seen from outside.
    pub fn sides_of(&self, face: u32) -> &[Side] {
        run(&self.sides, &self.side_starts, face)
    }

    /// The edges that meet at a vertex.
    pub fn spokes_of(&self, vertex: u32) -> &[Spoke] {
        run(&self.spokes, &self.spoke_starts, vertex)
    }

    /// Mean of the corners, an inner point, m.
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// Radius of the smallest ball about [`Self::centre`] that contains the body, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The smallest axis-aligned box around the body in its own frame.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Largest distance of a corner from the origin of the body's frame, m.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Width of the thinnest face, m: the smaller, the fewer digits have the directions of faces and edges.
    pub fn fineness(&self) -> f64 {
        self.fineness
    }

    /// A vertex farthest along `direction`, found by climbing from `start` to ever higher neighbours.
    ///
    /// Section 2.2.1: from the answer to the last question the answer to a similar one is a step or two away.
    pub fn climb(&self, start: u32, direction: DVec3) -> u32 {
        let height = |v: u32| self.vertices()[v as usize].dot(direction);
        let (mut best, mut best_height) = (start, height(start));
        loop {
            let here = best;
            for spoke in self.spokes_of(here) {
                let h = height(spoke.to);
                if h > best_height {
                    (best, best_height) = (spoke.to, h);
                }
            }
            if best == here {
                return best;
            }
        }
    }

    /// A vertex farthest along `direction`, found by climbing from one that is known to be near.
    pub fn summit(&self, direction: DVec3) -> u32 {
        self.climb(self.outposts[sector(direction)], direction)
    }
}

/// Directions by the signs of their components and by which of these is the largest.
const SECTORS: usize = 24;

fn sector(direction: DVec3) -> usize {
    let size = direction.abs();
    let largest = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
    8 * largest + direction.cmpgt(DVec3::ZERO).bitmask() as usize
}

fn outposts(vertices: &[DVec3]) -> [u32; SECTORS] {
    let mut outposts = [0; SECTORS];
    for (number, outpost) in outposts.iter_mut().enumerate() {
        let sign = |bit: u32| if number >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let middle = DVec3::new(sign(0), sign(1), sign(2)) * (DVec3::ONE + DVec3::AXES[number / 8]);
        let height = |v: &u32| vertices[*v as usize].dot(middle);
        *outpost = (0..vertices.len() as u32).max_by(|a, b| height(a).total_cmp(&height(b))).unwrap_or(0);
    }
    outposts
}

impl Solid for ConvexPolyhedron {
    fn support(&self, direction: DVec3) -> DVec3 {
        if self.vertices().len() <= SCAN_LIMIT {
            scan_support(self.vertices(), direction)
        } else {
            self.vertices()[self.summit(direction) as usize]
        }
    }

    fn bounding_radius(&self, centre: DVec3) -> f64 {
        farthest(self.vertices(), centre)
    }

    fn volume_integrals(&self) -> VolumeIntegrals {
        self.surface.volume_integrals()
    }

    fn tessellate(&self, deviation: f64) -> TriangleMesh {
        self.surface.tessellate(deviation)
    }
}

fn run<'a, T>(items: &'a [T], starts: &[u32], i: u32) -> &'a [T] {
    &items[starts[i as usize] as usize..starts[i as usize + 1] as usize]
}

/// Width of a polygon, as area over half the perimeter: of one much longer than wide its width, of a square half its side.
fn width(vertices: &[DVec3], corners: &[u32]) -> f64 {
    let base = vertices[corners[0] as usize];
    let (mut doubled_area, mut perimeter) = (DVec3::ZERO, 0.0);
    for (a, b) in face_edges(corners) {
        let (a, b) = (vertices[a as usize] - base, vertices[b as usize] - base);
        doubled_area += a.cross(b);
        perimeter += a.distance(b);
    }
    doubled_area.length() / perimeter
}

/// The edges with their planes, and for every side of every face its edge.
fn edges_and_sides(surface: &Polyhedron) -> (Vec<Edge>, Vec<Side>) {
    let (vertices, faces) = (surface.vertices(), surface.faces());
    let table = EdgeTable::new(vertices.len(), faces);
    let edges: Vec<Edge> = table
        .iter()
        .map(|(low, high, uses)| {
            // A closed oriented surface uses each edge once in either sense; `false` sorts first.
            let (backward, forward) = if uses[0].forward { (uses[1], uses[0]) } else { (uses[0], uses[1]) };
            edge(surface, [low, high], [forward.face, backward.face])
        })
        .collect();
    // The table lists edges by their ends, so a side finds its edge by searching for its ends.
    let number = |a: u32, b: u32| {
        edges
            .binary_search_by_key(&(a.min(b), a.max(b)), |e| (e.tail, e.head))
            .expect("every side of a face is an edge") as u32
    };
    let sides = faces.iter().flat_map(face_edges).map(|(a, b)| Side { edge: number(a, b), is_left: a < b }).collect();
    (edges, sides)
}

fn edge(surface: &Polyhedron, [tail, head]: [u32; 2], [left, right]: [u32; 2]) -> Edge {
    let (a, b) = (surface.vertices()[tail as usize], surface.vertices()[head as usize]);
    let length = a.distance(b);
    let direction = (b - a) / length;
    let away = |face: u32, sense: f64| {
        let normal = surface.planes()[face as usize].normal;
        Plane::through(a, (direction.cross(normal) * sense).normalize())
    };
    Edge {
        tail,
        head,
        left,
        right,
        length,
        tail_plane: Plane::through(a, direction),
        head_plane: Plane::through(b, direction),
        left_plane: away(left, 1.0),
        right_plane: away(right, -1.0),
    }
}

fn spokes(vertex_count: usize, edges: &[Edge]) -> (Vec<Spoke>, Vec<u32>) {
    let mut at_vertex: Vec<Vec<Spoke>> = vec![Vec::new(); vertex_count];
    for (edge, e) in (0..).zip(edges) {
        at_vertex[e.tail as usize].push(Spoke { edge, to: e.head, outgoing: true });
        at_vertex[e.head as usize].push(Spoke { edge, to: e.tail, outgoing: false });
    }
    let mut starts = vec![0];
    for spokes in &at_vertex {
        starts.push(starts[starts.len() - 1] + spokes.len() as u32);
    }
    (at_vertex.concat(), starts)
}
