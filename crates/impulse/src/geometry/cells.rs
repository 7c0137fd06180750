//! A solid divided into box-shaped cells: the hull of the part in a cell, and where to cut the cell next (compare section
//! 2.2.2).

use super::closest::{PairCache, nearest_part};
use super::faces::EdgeTable;
use super::hull::convex_hull;
use super::polyhedron::scan_support;
use super::{Aabb, ConvexPolyhedron, Polyhedron, Shape, Solid, StaticMesh, icosphere};
use glam::DVec3;
use std::sync::Arc;

/// A closed surface to be divided.
pub(super) struct Solids {
    mesh: Arc<StaticMesh>,
    shape: Shape,
    /// Ends of the concave edges.
    hollows: Vec<DVec3>,
    /// Lengths below this count as zero, m.
    grain: f64,
    /// Cells are cut in the middle where they are thicker than this, m.
    coarse: f64,
    /// No cell is made thinner than this, m.
    thinnest: f64,
    /// Directions in which the hulls of cuts are compared.
    directions: Vec<DVec3>,
}

/// A box, and the triangles that bound the solid in it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    bounds: Aabb,
    triangles: Vec<u32>,
}

impl Default for Cell {
    fn default() -> Self {
        Self { bounds: Aabb::EMPTY, triangles: Vec::new() }
    }
}

/// Lengths below this share of the solid's longest side count as zero.
const GRAIN: f64 = 1e-9;

/// Least thickness of cells, as a share of the accepted distance between pieces and solid. Thinner pieces gain nothing, and are
/// thinner than distances can be measured if vertices that should be level are not quite (files of single precision).
const THINNEST: f64 = 0.05;

/// Most cuts at concave edges tried along each axis.
const CUTS: usize = 5;

impl Solids {
    /// A surface whose pieces may be `limit` metres off.
    pub(super) fn new(mesh: Arc<StaticMesh>, limit: f64) -> Self {
        let bounds = Aabb::of_points(mesh.mesh().vertices.iter().copied());
        let grain = GRAIN * bounds.size().max_element();
        let hollows = hollows(&mesh, grain);
        let (shape, directions) = (Shape::Mesh(Arc::clone(&mesh)), icosphere(1).vertices);
        Self { shape, mesh, hollows, grain, coarse: limit, thinnest: grain.max(THINNEST * limit), directions }
    }

    /// The cell around the whole solid.
    pub(super) fn whole(&self) -> Cell {
        let bounds = Aabb::of_points(self.mesh.mesh().vertices.iter().copied());
        Cell { bounds, triangles: (0..self.mesh.mesh().triangles.len() as u32).collect() }
    }

    /// The hull of the part of the solid in a cell; `None` where there is no volume.
    pub(super) fn hull(&self, cell: &Cell) -> Option<ConvexPolyhedron> {
        ConvexPolyhedron::hull(&self.outline(cell)).ok()
    }

    /// The two halves of a cell whose hulls have the least volume; `None` for cells too small to cut.
    pub(super) fn best_cut(&self, cell: &Cell) -> Option<[Cell; 2]> {
        let mut best: Option<([Cell; 2], f64)> = None;
        for axis in 0..3 {
            for at in self.cuts(cell, axis) {
                let halves = self.halves(cell, axis, at);
                let rough = |half| rough_hull_volume(&self.outline(half), &self.directions);
                let volume: f64 = halves.iter().map(rough).sum();
                if best.as_ref().is_none_or(|(_, least)| volume < *least) {
                    best = Some((halves, volume));
                }
            }
        }
        best.map(|(halves, _)| halves)
    }

    /// Where to try cuts: at a few of the concave edges, and in the middle. A cell no thicker than the limit departs from the solid
    /// in other directions: halving it does not help.
    fn cuts(&self, cell: &Cell, axis: usize) -> Vec<f64> {
        let (low, high) = (cell.bounds.min[axis], cell.bounds.max[axis]);
        let margin = self.grain * DVec3::ONE;
        let around = Aabb { min: cell.bounds.min - margin, max: cell.bounds.max + margin };
        let is_inner = |x: &f64| *x > low + self.thinnest && *x < high - self.thinnest;
        let mut places: Vec<f64> =
            self.hollows.iter().filter(|p| around.contains(**p)).map(|p| p[axis]).filter(is_inner).collect();
        places.sort_by(f64::total_cmp);
        places.dedup_by(|a, b| (*a - *b).abs() < self.grain);
        let few = CUTS.min(places.len());
        let mut cuts: Vec<f64> = (0..few).map(|k| places[(2 * k + 1) * places.len() / (2 * few)]).collect();
        if high - low > self.coarse {
            cuts.push(0.5 * (low + high));
        }
        cuts
    }

    fn halves(&self, cell: &Cell, axis: usize, at: f64) -> [Cell; 2] {
        let (mut lower, mut upper) = (cell.bounds, cell.bounds);
        lower.max[axis] = at;
        upper.min[axis] = at;
        [lower, upper].map(|bounds| {
            let triangles = cell.triangles.iter().copied().filter(|&t| self.matters(t, &bounds)).collect();
            Cell { bounds, triangles }
        })
    }

    /// Whether a triangle bounds the solid inside a box. One that only touches the box does not; one in a side of the box does
    /// if the solid behind it is inside the box.
    fn matters(&self, triangle: u32, bounds: &Aabb) -> bool {
        let own = Aabb::of_points(*self.mesh.corners(triangle));
        let normal = self.mesh.normal(triangle);
        (0..3).all(|axis| {
            let (low, high) = (own.min[axis], own.max[axis]);
            let is_flat = high - low < self.grain;
            let below = high <= bounds.min[axis] + self.grain;
            let above = low >= bounds.max[axis] - self.grain;
            let beyond = low > bounds.max[axis] + self.grain || high < bounds.min[axis] - self.grain;
            let faces_out = (below && normal[axis] < 0.0) || (above && normal[axis] > 0.0);
            !beyond && (!(below || above) || (is_flat && faces_out))
        })
    }

    /// Points whose hull is that of the solid in the cell: its surface there, and the cell's corners inside it.
    fn outline(&self, cell: &Cell) -> Vec<DVec3> {
        let mut points = Vec::with_capacity(4 * cell.triangles.len());
        let (mut polygon, mut cut) = (Vec::new(), Vec::new());
        for &triangle in &cell.triangles {
            polygon.clear();
            polygon.extend_from_slice(self.mesh.corners(triangle));
            clip(&mut polygon, &mut cut, &cell.bounds);
            points.append(&mut polygon);
        }
        // Neighbouring triangles share most of their corners: remove the duplicates.
        points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)));
        points.dedup();
        let Aabb { min, max } = cell.bounds;
        let pick = |i: usize, axis: usize| if i >> axis & 1 == 1 { max[axis] } else { min[axis] };
        for corner in (0..8).map(|i| DVec3::new(pick(i, 0), pick(i, 1), pick(i, 2))) {
            let (triangle, found) = nearest_part(&self.shape, corner, &mut PairCache::default());
            // A corner on the surface is already among the points if it belongs to the cell.
            if found.distance > self.grain && !self.mesh.is_outside(triangle, found.on_first, corner) {
                points.push(corner);
            }
        }
        points
    }
}

/// Volume of the hull of those points that are extreme in some directions; zero if they have no hull.
fn rough_hull_volume(points: &[DVec3], directions: &[DVec3]) -> f64 {
    if points.is_empty() {
        return 0.0;
    }
    let extremes: Vec<DVec3> = directions.iter().map(|&direction| scan_support(points, direction)).collect();
    let volume = |hull: super::Hull| Some(Polyhedron::new(hull.vertices, hull.faces).ok()?.volume_integrals().volume);
    convex_hull(&extremes).ok().and_then(volume).unwrap_or(0.0)
}

/// Clips a convex polygon to a box (Sutherland and Hodgman 1974); `spare` is a buffer.
fn clip(polygon: &mut Vec<DVec3>, spare: &mut Vec<DVec3>, bounds: &Aabb) {
    for axis in 0..3 {
        for (at, sign) in [(bounds.min[axis], 1.0), (bounds.max[axis], -1.0)] {
            let height = |p: DVec3| (p[axis] - at) * sign;
            spare.clear();
            for i in 0..polygon.len() {
                let (p, q) = (polygon[i], polygon[(i + 1) % polygon.len()]);
                if height(p) >= 0.0 {
                    spare.push(p);
                }
                if height(p) * height(q) < 0.0 {
                    let mut crossing = p.lerp(q, height(p) / (height(p) - height(q)));
                    crossing[axis] = at;
                    spare.push(crossing);
                }
            }
            std::mem::swap(polygon, spare);
        }
    }
}

/// Ends of the concave edges, in the order of the vertices.
fn hollows(mesh: &StaticMesh, grain: f64) -> Vec<DVec3> {
    let triangles = mesh.mesh();
    let faces = triangles.triangles.iter().collect();
    let mut hollow = vec![false; triangles.vertices.len()];
    for (low, high, uses) in EdgeTable::new(triangles.vertices.len(), &faces).iter() {
        let [first, second] = uses else { continue };
        // An edge is concave where the second triangle rises above the plane of the first.
        let base = triangles.vertices[low as usize];
        let rise = |c: &DVec3| mesh.normal(first.face).dot(*c - base);
        let highest = mesh.corners(second.face).iter().map(rise).fold(0.0, f64::max);
        if highest > grain {
            hollow[low as usize] = true;
            hollow[high as usize] = true;
        }
    }
    triangles.vertices.iter().zip(hollow).filter(|(_, is)| *is).map(|(v, _)| *v).collect()
}
