//! Quickhull with exact visibility tests (Barber, Dobkin & Huhdanpaa 1996; Shewchuk's adaptive predicates).

use glam::DVec3;
use robust::{Coord3D, orient3d};

/// The hull of some points as triangles of point numbers; `None` where all points lie exactly in a plane.
pub(super) fn hull_triangles(points: &[DVec3]) -> Option<Vec<[u32; 3]>> {
    let mut hull = Quickhull::from_tetrahedron(points)?;
    let mut next = 0;
    while next < hull.facets.len() {
        match hull.farthest_outside(next) {
            Some(point) => hull.add_point(next as u32, point),
            None => next += 1,
        }
    }
    Some(hull.facets.iter().filter(|f| f.alive).map(|f| f.corners).collect())
}

/// Extent of the points across the plane of three that lie far apart.
pub(super) fn thickness(points: &[DVec3]) -> f64 {
    let [a, b, c] = widest_triangle(points);
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let heights = || points.iter().map(|&p| (p - a).dot(normal));
    heights().fold(0.0, f64::max) - heights().fold(0.0, f64::min)
}

struct Facet {
    corners: [u32; 3],
    /// The facet across the edge from `corners[i]` to `corners[i + 1]`.
    neighbours: [u32; 3],
    /// Points that see this facet and have not been added yet.
    outside: Vec<u32>,
    alive: bool,
}

/// An edge between a facet that the new point sees and one that it does not.
struct HorizonEdge {
    from: u32,
    to: u32,
    beyond: u32,
}

struct Quickhull<'a> {
    points: &'a [DVec3],
    facets: Vec<Facet>,
}

impl<'a> Quickhull<'a> {
    fn from_tetrahedron(points: &'a [DVec3]) -> Option<Self> {
        let [a, b, c, d] = tetrahedron(points)?;
        let facet = |corners, neighbours| Facet { corners, neighbours, outside: Vec::new(), alive: true };
        let facets = vec![
            facet([a, b, c], [1, 2, 3]),
            facet([b, a, d], [0, 3, 2]),
            facet([c, b, d], [0, 1, 3]),
            facet([a, c, d], [0, 2, 1]),
        ];
        let mut hull = Self { points, facets };
        hull.distribute(0..points.len() as u32, 0..4);
        Some(hull)
    }

    /// Gives each point to the first of some facets that it sees; points that see none lie inside.
    fn distribute(&mut self, points: impl Iterator<Item = u32>, facets: std::ops::Range<usize>) {
        for point in points {
            if let Some(f) = facets.clone().find(|&f| self.sees(point, f)) {
                self.facets[f].outside.push(point);
            }
        }
    }

    /// The point farthest outside a facet. Rounding may pick another one, but any order gives the same hull.
    fn farthest_outside(&self, facet: usize) -> Option<u32> {
        let f = &self.facets[facet];
        let [a, b, c] = f.corners.map(|v| self.points[v as usize]);
        let normal = (b - a).cross(c - a);
        let height = |&p: &u32| (self.points[p as usize] - a).dot(normal);
        f.outside.iter().copied().max_by(|p, q| height(p).total_cmp(&height(q)))
    }

    /// Replaces the facets that `point` sees by a cone from it to their border.
    fn add_point(&mut self, seen: u32, point: u32) {
        let (visible, mut horizon) = self.visible_from(seen, point);
        let first = self.facets.len() as u32;
        chain(&mut horizon);
        let count = horizon.len() as u32;
        for (i, edge) in (0..).zip(&horizon) {
            let (previous, next) = (first + (i + count - 1) % count, first + (i + 1) % count);
            self.facets.push(Facet {
                corners: [edge.from, edge.to, point],
                neighbours: [edge.beyond, next, previous],
                outside: Vec::new(),
                alive: true,
            });
            let beyond = &mut self.facets[edge.beyond as usize];
            let side = beyond.corners.iter().position(|&v| v == edge.to).expect("a neighbour shares the horizon edge");
            beyond.neighbours[side] = first + i;
        }
        for facet in visible {
            let orphans = std::mem::take(&mut self.facets[facet as usize].outside);
            self.distribute(orphans.into_iter().filter(|&p| p != point), first as usize..(first + count) as usize);
        }
    }

    /// Marks the facets that `point` sees as removed; returns them and their border.
    fn visible_from(&mut self, seen: u32, point: u32) -> (Vec<u32>, Vec<HorizonEdge>) {
        let (mut visible, mut horizon) = (vec![seen], Vec::new());
        self.facets[seen as usize].alive = false;
        let mut next = 0;
        while next < visible.len() {
            let Facet { corners, neighbours, .. } = self.facets[visible[next] as usize];
            for side in 0..3 {
                let beyond = neighbours[side];
                if !self.facets[beyond as usize].alive {
                    continue;
                }
                if self.sees(point, beyond as usize) {
                    self.facets[beyond as usize].alive = false;
                    visible.push(beyond);
                } else {
                    horizon.push(HorizonEdge { from: corners[side], to: corners[(side + 1) % 3], beyond });
                }
            }
            next += 1;
        }
        (visible, horizon)
    }

    /// Whether a point lies strictly outside a facet, decided exactly.
    fn sees(&self, point: u32, facet: usize) -> bool {
        let [a, b, c] = self.facets[facet].corners;
        orientation(self.points, [a, b, c, point]) < 0.0
    }
}

/// Orders the edges of a simple cycle head to tail.
fn chain(horizon: &mut [HorizonEdge]) {
    for i in 1..horizon.len() {
        let wanted = horizon[i - 1].to;
        let found = (i..horizon.len()).find(|&j| horizon[j].from == wanted).expect("the horizon is one cycle");
        horizon.swap(i, found);
    }
}

/// Four points that exactly span a volume, far apart where possible; `d` is on the inner side of `a, b, c`.
fn tetrahedron(points: &[DVec3]) -> Option<[u32; 4]> {
    let [pa, pb, pc] = widest_triangle(points);
    let number = |p: DVec3| points.iter().position(|&q| q == p).map(|i| i as u32);
    let (a, b, mut c) = (number(pa)?, number(pb)?, number(pc)?);
    let normal = (pb - pa).cross(pc - pa);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    let height = |p: u32| (points[p as usize] - pa).dot(normal).abs();
    order.sort_by(|&p, &q| height(q).total_cmp(&height(p)));
    let mut b = b;
    let d = order.into_iter().find(|&d| orientation(points, [a, b, c, d]) != 0.0)?;
    if orientation(points, [a, b, c, d]) < 0.0 {
        std::mem::swap(&mut b, &mut c);
    }
    Some([a, b, c, d])
}

/// Three points far from each other: the lexicographically first, the farthest from it, and the farthest from their line.
fn widest_triangle(points: &[DVec3]) -> [DVec3; 3] {
    let a = points.iter().copied().reduce(|p, q| if q.to_array() < p.to_array() { q } else { p }).unwrap_or_default();
    let farthest = |size: &dyn Fn(DVec3) -> f64| {
        points.iter().copied().reduce(|p, q| if size(q) > size(p) { q } else { p }).unwrap_or_default()
    };
    let b = farthest(&|p| p.distance_squared(a));
    let c = farthest(&|p| (p - a).cross(b - a).length_squared());
    [a, b, c]
}

/// Positive where the fourth point lies below the plane of the first three, which wind counter-clockwise seen from above.
fn orientation(points: &[DVec3], [a, b, c, d]: [u32; 4]) -> f64 {
    let at = |i: u32| {
        let p = points[i as usize];
        Coord3D { x: p.x, y: p.y, z: p.z }
    };
    orient3d(at(a), at(b), at(c), at(d))
}
