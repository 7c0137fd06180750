//! Which shells contain which: a ray from one point of every shell, tested against all faces in one pass.

use super::super::soup::Soup;
use glam::DVec3;

/// A point on a shell.
pub(super) struct Query {
    pub(super) point: DVec3,
    pub(super) shell: u32,
}

/// Pairs of a shell and another that contains its point, in order. A ray runs from each point along x; its signed crossings with
/// another shell do not sum to zero inside it. Grouping the points in the y-z plane makes the work about proportional to the number
/// of faces.
pub(super) fn containers(soup: &Soup, of_face: &[u32], flipped: &[bool], queries: Vec<Query>) -> Vec<(u32, u32)> {
    let grid = Grid::new(queries);
    let mut crossings: Vec<(u32, u32, i32)> = Vec::new();
    for (face, corners) in soup.faces.iter().enumerate() {
        let shell = of_face[face];
        for pair in corners[1..].windows(2) {
            let triangle = Triangle::new(&soup.vertices, [corners[0], pair[0], pair[1]]);
            grid.visit(&triangle, |query| {
                let sense = if query.shell == shell { 0 } else { triangle.crossing(query.point) };
                if sense != 0 {
                    crossings.push((query.shell, shell, if flipped[face] { -sense } else { sense }));
                }
            });
        }
    }
    crossings.sort_unstable();
    let of_pair = crossings.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    of_pair.filter(|run| run.iter().map(|c| c.2).sum::<i32>() != 0).map(|run| (run[0].0, run[0].1)).collect()
}

struct Triangle {
    vertices: [u32; 3],
    corners: [DVec3; 3],
}

impl Triangle {
    fn new(vertices: &[DVec3], corners: [u32; 3]) -> Self {
        Self { vertices: corners, corners: corners.map(|v| vertices[v as usize]) }
    }

    /// 1 or -1, by the triangle's orientation, if the ray from `p` along x passes through it; otherwise 0.
    fn crossing(&self, p: DVec3) -> i32 {
        let turns = self.turns_around(p);
        let [a, b, c] = self.corners;
        let normal = (b - a).cross(c - a);
        let ahead = || a.x - (normal.y * (p.y - a.y) + normal.z * (p.z - a.z)) / normal.x > p.x;
        if turns != 0 && ahead() { turns } else { 0 }
    }

    /// How often the triangle's projection on the y-z plane winds around that of `p`. A point on an edge counts for exactly one of
    /// the faces that share it: each edge is evaluated from its lower vertex, so that both faces see the same numbers.
    fn turns_around(&self, p: DVec3) -> i32 {
        let edge = |i: usize| {
            let j = (i + 1) % 3;
            let (from, to) = (self.corners[i], self.corners[j]);
            let (from_below, to_below) = (from.y <= p.y, to.y <= p.y);
            if from_below == to_below {
                return 0;
            }
            let (low, high) = if self.vertices[i] < self.vertices[j] { (from, to) } else { (to, from) };
            let z = low.z + (p.y - low.y) / (high.y - low.y) * (high.z - low.z);
            i32::from(z > p.z) * if from_below { 1 } else { -1 }
        };
        edge(0) + edge(1) + edge(2)
    }
}

/// Points by their cell in the y-z plane.
struct Grid {
    min: [f64; 2],
    max: [f64; 2],
    /// Cells in each direction.
    side: usize,
    /// End of every cell's run in `queries`.
    ends: Vec<u32>,
    queries: Vec<Query>,
}

impl Grid {
    /// About as many cells as points.
    fn new(mut queries: Vec<Query>) -> Self {
        let bound = |pick: fn(f64, f64) -> f64, start: f64| {
            queries.iter().fold([start; 2], |b, q| [pick(b[0], q.point.y), pick(b[1], q.point.z)])
        };
        let (min, max) = (bound(f64::min, f64::INFINITY), bound(f64::max, f64::NEG_INFINITY));
        let side = ((queries.len() as f64).sqrt() as usize).max(1);
        let mut grid = Self { min, max, side, ends: vec![0; side * side], queries: Vec::new() };
        let cell = |q: &Query| grid.column(0, q.point.y) * side + grid.column(1, q.point.z);
        queries.sort_by_key(cell);
        let mut ends = vec![0; side * side];
        for query in &queries {
            ends[cell(query)] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        grid.ends = ends;
        grid.queries = queries;
        grid
    }

    /// The column (axis 0) or row (axis 1) of a coordinate; the nearest if it is outside.
    fn column(&self, axis: usize, at: f64) -> usize {
        let relative = (at - self.min[axis]) / (self.max[axis] - self.min[axis]);
        ((relative * self.side as f64) as usize).min(self.side - 1)
    }

    /// Calls `visit` with every point whose projection may lie in the triangle's.
    fn visit(&self, triangle: &Triangle, mut visit: impl FnMut(&Query)) {
        let [a, b, c] = triangle.corners;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let apart = |axis: usize, low: f64, high: f64| high < self.min[axis] || low > self.max[axis];
        if apart(0, low.y, high.y) || apart(1, low.z, high.z) {
            return;
        }
        for column in self.column(0, low.y)..=self.column(0, high.y) {
            let row = column * self.side;
            let (first, last) = (row + self.column(1, low.z), row + self.column(1, high.z));
            let start = if first == 0 { 0 } else { self.ends[first - 1] };
            self.queries[start as usize..self.ends[last] as usize].iter().for_each(&mut visit);
        }
    }
}
